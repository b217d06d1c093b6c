"""A game in the terminal: one person and some bots, no server."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from croupier.kernel import Bot, Chance, Event, Move
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
    state = game.deal(game.Options(), len(players), Chance(secrets.token_bytes(32)), 0)
    while game.result(state) is None:
        events = _gone_on(game, state, players, names, dice, ask, say)
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


def _gone_on(
    game: AnyGame,
    state: Any,
    players: Sequence[Bot | None],
    names: Sequence[str],
    dice: QuickDice,
    ask: Callable[[str], str],
    say: Callable[[str], None],
) -> Sequence[Event]:
    """The next thing that happens. Time stands still here, but for a phase in which nobody is waited for."""
    awaited = game.awaited(state)
    if not awaited:
        say("\n" + game.show(game.view(state, players.index(None)), names) + "\n")
        ask("Enter to go on: ")
        return game.expire(state, game.clocks(state)[0].name, 0)
    for number, bot in enumerate(players):
        if bot is not None and number not in awaited and (moves := game.moves(state, number)):
            move = bot.interject(number, game.view(state, number), moves, dice)
            if move is not None:
                return game.play(state, number, move, 0)
    seat = awaited[-1]  # a turn can wait for whoever else is asked
    player = players[seat]
    moves = game.moves(state, seat)
    if player is not None:
        return game.play(state, seat, player.choose(seat, game.view(state, seat), moves, dice), 0)
    say("\n" + game.show(game.view(state, seat), names) + "\n")
    return game.play(state, seat, _asked(game, moves, ask, say), 0)


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
