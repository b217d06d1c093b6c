"""A game in the terminal: one person and some bots, no server."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from croupier.kernel import Bot, Chance, Move
from croupier.kernel.chance import QuickDice
from croupier.tables.table import AnyGame

FEW = 20
"""As many moves are listed; of more, only some."""


class Quit(Exception):
    """The person has had enough."""


def play(
    game: AnyGame, person: str, bots: Sequence[str], ask: Callable[[str], str], say: Callable[[str], None]
) -> None:
    """Play one game: ``ask`` for every move of the person, ``say`` what happens."""
    dice = QuickDice()
    names = [f"Bot {number}" for number in range(1, len(bots) + 1)]
    players: list[Bot | None] = [game.bots[bot]() for bot in bots]
    own = dice.below(len(bots) + 1)
    names.insert(own, person)
    players.insert(own, None)
    at, moved = 0, False
    state = game.deal(game.Options(), len(players), Chance(secrets.token_bytes(32)), at)
    while game.result(state) is None:
        awaited = game.awaited(state)
        if awaited:
            moved = True
            seat, move = _interjection(game, state, players, dice) or (awaited[-1], None)  # a turn can wait
            player = players[seat]
            if player is None:
                say("\n" + game.show(game.view(state, seat), names) + "\n")
                move = _asked(game, game.moves(state, seat), ask, say)
            elif move is None:
                move = player.choose(seat, game.view(state, seat), game.moves(state, seat), dice)
            events = game.play(state, seat, move, at)
        else:
            if not moved:  # there is something to look at before the first move
                say("\n" + game.show(game.view(state, own), names) + "\n")
                ask("Enter to go on: ")
            # Everybody has had their say: nobody wants to sit and watch the clock.
            clock = min(game.clocks(state), key=lambda clock: clock.due)
            at = max(at, clock.due)
            events = game.expire(state, clock.name, at)
        for number, other in enumerate(players):
            if other is not None:
                other.observe(number, [seen for event in events if (seen := event.seen_by(number)) is not None])
        for event in events:
            seen = event.seen_by(own)
            if seen is not None and (sentence := game.tell(seen, names)):
                say(sentence)
    result = game.result(state)
    assert result is not None
    say("")
    for place, seats in enumerate(result.placings, start=1):
        say(f"{place}. {', '.join(names[seat] for seat in seats)}")


def _interjection(game: AnyGame, state: Any, players: Sequence[Bot | None], dice: QuickDice) -> tuple[int, Move] | None:
    """What a bot does that is not asked."""
    awaited = game.awaited(state)
    for seat, bot in enumerate(players):
        if bot is not None and seat not in awaited and (moves := game.moves(state, seat)):
            move = bot.interject(seat, game.view(state, seat), moves, dice)
            if move is not None:
                return seat, move
    return None


def _asked(game: AnyGame, moves: Sequence[Move], ask: Callable[[str], str], say: Callable[[str], None]) -> Any:
    labels = [game.label(move) for move in moves]
    for number, label in enumerate(labels[:FEW], start=1):
        say(f"{number:3}  {label}")
    if len(moves) > FEW:
        say(f"     … and {len(moves) - FEW} more; name the one you want in the same way")
    while True:
        answer = ask("Your move (a number, or as written; q to stop): ").strip()
        if answer == "q":
            raise Quit
        if answer.isdecimal() and 1 <= int(answer) <= len(moves) and answer not in labels:
            return moves[int(answer) - 1]
        wanted = _words(answer)
        for move, label in zip(moves, labels, strict=True):
            if wanted and wanted == _words(label):
                return move
        say("That is not one of them.")


def _words(label: str) -> list[str]:
    """What a move says, whatever the order and the case; suits may be given as letters."""
    for sign, letter in zip("♣♦♥♠", "cdhs", strict=True):
        label = label.replace(sign, letter)
    return sorted(label.lower().split())
