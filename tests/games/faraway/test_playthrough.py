"""One game, written down: whatever changes in the rules, the shuffle or the wording shows up as a difference here.

``CROUPIER_REWRITE=1 pytest tests/games/faraway/test_playthrough.py`` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from click import unstyle

from croupier.games.faraway.events import AnyEvent
from croupier.games.faraway.options import Options
from croupier.games.faraway.rules import Faraway
from croupier.kernel import Bot, Chance

PLAYTHROUGH = Path(__file__).with_name("playthrough.txt")
NAMES = ("Ann", "Bob", "Cleo", "Dan")
LEAVES = 52
"""After so many steps Dan has had enough."""


def playthrough() -> Iterator[str]:
    """One of each kind of bot, one who is late once, and one who leaves."""
    faraway = Faraway()
    seed = bytes(range(32))
    chance = Chance(seed)
    kinds = ("look-ahead", "rising", "random", "rising")
    bots: list[Bot] = [faraway.bots[kind]() for kind in kinds]
    at = 0
    state = faraway.deal(Options(), len(bots), chance, at)
    yield f"game     {faraway.name}"
    yield f"options  {json(Options())}"
    yield f"seed     {seed.hex()}"
    for name, kind in zip(NAMES, kinds, strict=True):
        yield f"player   {name}, {kind}"

    def story(events: Sequence[AnyEvent]) -> Iterator[str]:
        for event in events:
            yield f"    {json(event)}"
            if sentence := faraway.tell(event, NAMES):
                yield f"      {sentence}"

    step = 0
    while awaited := faraway.awaited(state):
        step += 1
        yield ""
        if step == LEAVES:
            yield "  Dan leaves"
            yield from story(faraway.leave(state, [3], at))
            continue
        [clock] = faraway.clocks(state)
        seat = awaited[0]
        if step == 3:
            at = clock.due
            yield f"  time runs out: {json(clock)}"
            yield from story(faraway.expire(state, clock.name, at))
            continue
        at += 1000
        view = faraway.view(state, seat)
        yield from unstyle(faraway.show(view, NAMES)).splitlines()
        moves = faraway.moves(state, seat)
        move = bots[seat].choose(seat, view, moves, chance)
        yield f"  {NAMES[seat]}, one of {len(moves)} moves: {json(move)}"
        assert isinstance(move, faraway.Move)
        yield from story(faraway.play(state, seat, move, at))
    yield ""
    yield from unstyle(faraway.show(faraway.view(state, None), NAMES)).splitlines()
    yield f"view         {json(faraway.view(state, None))}"
    yield f"result       {json(faraway.result(state))}"
    yield f"fingerprint  {faraway.fingerprint(state, seed)}"


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_the_playthrough_is_as_recorded() -> None:
    played = "\n".join(playthrough()) + "\n"
    if os.environ.get("CROUPIER_REWRITE"):
        PLAYTHROUGH.write_text(played, encoding="utf-8")
    assert played == PLAYTHROUGH.read_text(encoding="utf-8")
