"""A game, written down: whatever changes in the rules, the shuffle or the wording shows up as a difference here.

``CROUPIER_REWRITE=1 pytest tests/games/fortress/test_playthrough.py`` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from click import unstyle

from croupier.games.fortress import Fortress
from croupier.games.fortress.options import Options
from croupier.kernel import Bot, Chance
from croupier.kernel.chance import QuickDice

NAMES = ("Ann", "Bob")
KINDS = ("warden", "random")


def playthrough() -> Iterator[str]:
    """A warden against somebody who does anything. On the way one loses the connection and comes back."""
    game, seed, dice, at = Fortress(), bytes(range(32)), QuickDice(2), 0
    yield f"game     {game.name}"
    yield f"options  {json(Options())}"
    yield f"seed     {seed.hex()}"
    state = game.deal(Options(), 2, Chance(seed), at)
    bots: list[Bot] = [game.bots[kind]() for kind in KINDS]
    step = 0
    while game.result(state) is None:
        at += 700
        step += 1
        if step == 12:
            yield "  Bob loses the connection."
            events: Any = game.absent(state, 1, at)
        elif step == 13:
            yield "  Bob comes back."
            events = game.back(state, 1, at)
        elif step == 20:
            clock = game.clocks(state)[0]
            at = clock.due
            yield f"  time: {json(clock)}"
            events = game.expire(state, clock.name, at)
        else:
            seat = game.awaited(state)[0]
            moves = game.moves(state, seat)
            view = game.view(state, seat)
            move: Any = bots[seat].choose(seat, view, moves, dice)
            yield f"  {NAMES[seat]}, one of {len(moves)} moves: {unstyle(game.label(move, view, NAMES))}"
            events = game.play(state, seat, move, at)
        for event in events:
            yield f"    {json(event)}"
            seen = event.seen_by(None)
            if seen != event:
                yield f"    {json(seen)}"
            if sentence := game.tell(seen, NAMES):
                yield f"      {sentence}"
            if "TurnStarted" in type(event).__name__:
                yield ""
                yield from unstyle(game.show(game.view(state, None), NAMES)).splitlines()
    yield ""
    yield from unstyle(game.show(game.view(state, 0), NAMES)).splitlines()
    yield f"view         {json(game.view(state, None))}"
    yield f"result       {json(game.result(state))}"
    yield f"fingerprint  {game.fingerprint(state, seed)}"


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_the_playthrough_is_as_recorded() -> None:
    file = Path(__file__).with_name("playthrough.txt")
    played = "\n".join(playthrough()) + "\n"
    if os.environ.get("CROUPIER_REWRITE"):
        file.write_text(played, encoding="utf-8")
    assert played == file.read_text(encoding="utf-8")
