"""The house rules of Cambia, and the settings of a match of several rounds."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.kernel import option

MATCH = {"circuit": True}
ELIMINATION = {"circuit": True, "circuit_mode": "elimination"}


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose. Times are in seconds."""

    allow_draw_from_discard_pile: Annotated[
        bool,
        option("Draw from the discard pile", "The card on top of it may be drawn too; it has no special action then."),
    ] = False
    allow_replace_abilities: Annotated[
        bool,
        option(
            "Special actions of replaced cards",
            "A card thrown out of a hand has its special action, as a drawn one has.",
        ),
    ] = False
    snap_race: Annotated[bool, option("One snap for each card", "Only the first to snap on a thrown card may.")] = False
    forfeit_on_disconnect: Annotated[
        bool, option("Out when away", "Who has lost the connection and does not come back is out of the game.")
    ] = True
    penalty_draw_count: Annotated[int, option("Penalty cards", "For a wrong snap.", ge=0, le=10, zero="no card")] = 2
    auto_kick_turn_count: Annotated[
        int,
        option("Out after turns missed", "In a row, by who is away.", ge=0, le=100, zero="never"),
    ] = 3
    turn_timer_sec: Annotated[int, option("Time for a turn", ge=0, le=600, unit="s", zero="no limit")] = 15
    allow_opponent_snapping: Annotated[
        bool, option("Snap the cards of others", "Who does gives them a card of their own for it.")
    ] = True
    lock_caller_hand: Annotated[
        bool, option("Cambia locks the hand", "Nobody can move a card of who has called Cambia.")
    ] = True
    use_jokers: Annotated[bool, option("Jokers", "Two in every deck, worth nothing.")] = True
    cards_per_player: Annotated[int, option("Cards", "How many everybody is dealt.", ge=1, le=6)] = 4
    initial_view_count: Annotated[
        int, option("Cards to look at", "How many of their cards everybody sees before the first turn.", ge=0, le=6)
    ] = 2
    cambia_allowed_round: Annotated[
        int,
        option("Cambia not before", "So many turns of everybody first.", ge=0, le=100, zero="from the first turn"),
    ] = 0
    num_decks: Annotated[int, option("Decks", ge=0, le=4, labels={0: "one, or two for seven and eight"})] = 0
    max_game_turns: Annotated[
        int, option("Most turns", "Then all cards are turned over.", ge=0, le=10000, zero="no limit")
    ] = 0
    initial_discard: Annotated[bool, option("First discard", "The discard pile begins with a card.")] = True
    pre_game_sec: Annotated[
        int,
        option("First look", "Time to remember the own cards.", ge=0, le=120, unit="s", zero="during the first turn"),
    ] = 10
    snap_give_sec: Annotated[
        int, option("Time to give", "To choose the card that is given for a snapped one.", ge=1, le=60, unit="s")
    ] = 10
    disconnect_grace_sec: Annotated[
        int,
        option(
            "Time to come back",
            "For who has lost the connection.",
            ge=0,
            le=600,
            unit="s",
            zero="no time",
            when={"forfeit_on_disconnect": True},
        ),
    ] = 60
    circuit: Annotated[bool, option("Match", "Several rounds, and the points are added up.")] = False
    circuit_mode: Annotated[
        Literal["rounds", "elimination"],
        option(
            "Kind of match",
            labels={"rounds": "A number of rounds", "elimination": "Until all others have too many points"},
            when=MATCH,
        ),
    ] = "rounds"
    rounds: Annotated[int, option("Rounds", ge=1, le=40, when={"circuit": True, "circuit_mode": "rounds"})] = 8
    target_score: Annotated[
        int, option("Too many points", "Who has so many is out of the match.", ge=1, le=1000, when=ELIMINATION)
    ] = 100
    win_bonus: Annotated[int, option("Points for winning a round", ge=-20, le=0, when=ELIMINATION)] = -1
    false_cambia_penalty: Annotated[
        int, option("Points for a wrong call", "Of Cambia, without winning the round.", ge=0, le=20, when=ELIMINATION)
    ] = 1
    freeze_user_on_disconnect: Annotated[
        bool, option("One round may be missed", "Who does may come back for the next.", when=MATCH)
    ] = True
    round_pause_sec: Annotated[
        int, option("Pause between rounds", ge=0, le=120, unit="s", zero="no pause", when=MATCH)
    ] = 10

    def __post_init__(self) -> None:
        if self.initial_view_count > self.cards_per_player:
            raise ValueError("initial_view_count: no more cards can be shown than cards_per_player")


def in_force(options: Options) -> Options:
    """The rules that a game is played by."""
    if not options.circuit:
        return options
    return msgspec.structs.replace(  # C63
        options,
        allow_draw_from_discard_pile=True,
        allow_replace_abilities=True,
        lock_caller_hand=False,
        forfeit_on_disconnect=False,
    )
