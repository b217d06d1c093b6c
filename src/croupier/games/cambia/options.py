"""The house rules of Cambia, and the settings of a match of several rounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta


def _whole(least: int, most: int, title: str, description: str) -> Any:
    return Meta(ge=least, le=most, title=title, description=description)


def _told(title: str, description: str) -> Any:
    return Meta(title=title, description=description)


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose. Times are in seconds."""

    allow_draw_from_discard_pile: Annotated[
        bool, _told("Draw from the discard pile", "The top of the discard pile may be drawn too.")
    ] = False
    allow_replace_abilities: Annotated[
        bool, _told("Specials on replacing", "A card that is thrown out of the hand has its special as well.")
    ] = False
    snap_race: Annotated[bool, _told("Snap race", "Only the first snap on a discarded card counts.")] = False
    forfeit_on_disconnect: Annotated[
        bool, _told("Forfeit when away", "Who stays away for longer than the grace period is out of the game.")
    ] = True
    penalty_draw_count: Annotated[int, _whole(0, 10, "Penalty cards", "How many cards a wrong snap costs.")] = 2
    auto_kick_turn_count: Annotated[
        int, _whole(0, 100, "Turns missed", "Who is away for so many own turns in a row is out. 0: nobody is.")
    ] = 3
    turn_timer_sec: Annotated[int, _whole(0, 600, "Turn timer", "Seconds for each turn. 0: no limit.")] = 15
    allow_opponent_snapping: Annotated[
        bool, _told("Snap the cards of others", "Other players' cards may be snapped; they are given one for it.")
    ] = True
    lock_caller_hand: Annotated[
        bool, _told("Cambia locks the hand", "Nobody can move a card of the player who has called Cambia.")
    ] = True
    use_jokers: Annotated[bool, _told("Jokers", "Two Jokers in every deck, worth nothing.")] = True
    cards_per_player: Annotated[int, _whole(1, 6, "Cards", "How many cards everybody is dealt.")] = 4
    initial_view_count: Annotated[
        int, _whole(0, 6, "First look", "How many of the own cards are shown before the first turn.")
    ] = 2
    cambia_allowed_round: Annotated[
        int, _whole(0, 100, "Cambia from round", "Nobody may call Cambia before that many rounds.")
    ] = 0
    num_decks: Annotated[int, _whole(0, 4, "Decks", "0: one, or two for seven and eight players.")] = 0
    max_game_turns: Annotated[int, _whole(0, 10000, "Most turns", "The game ends after so many. 0: no limit.")] = 0
    initial_discard: Annotated[
        bool, _told("First discard", "The discard pile begins with a card from the stockpile.")
    ] = True
    pre_game_sec: Annotated[int, _whole(0, 120, "First look lasts", "Seconds before the first turn.")] = 10
    snap_give_sec: Annotated[
        int, _whole(1, 60, "Time to give", "Seconds to choose the card that is given for a snapped one.")
    ] = 10
    disconnect_grace_sec: Annotated[
        int, _whole(0, 600, "Grace period", "Seconds that somebody who lost the connection has to come back.")
    ] = 60
    circuit: Annotated[bool, _told("Match", "Several rounds, and the points are added up.")] = False
    circuit_mode: Annotated[
        Literal["rounds", "elimination"],
        _told("Kind of match", "A fixed number of rounds, or until all others have too many points."),
    ] = "rounds"
    rounds: Annotated[int, _whole(1, 40, "Rounds", "Of a match in rounds.")] = 8
    target_score: Annotated[int, _whole(1, 1000, "Points to be out", "Of a match by elimination.")] = 100
    win_bonus: Annotated[int, _whole(-20, 0, "Bonus for winning", "Of a match by elimination.")] = -1
    false_cambia_penalty: Annotated[
        int, _whole(0, 20, "Penalty for calling", "When the caller does not win; of a match by elimination.")
    ] = 1
    freeze_user_on_disconnect: Annotated[
        bool, _told("Wait a round", "Who misses one round of a match may come back for the next.")
    ] = True
    round_pause_sec: Annotated[int, _whole(0, 120, "Pause", "Seconds between the rounds of a match.")] = 10

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
