"""One game, written down: whatever changes in the rules, the shuffle or the wording shows up as a difference here.

``CROUPIER_REWRITE=1 pytest tests/games/palace/test_playthrough.py`` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
from click import unstyle

from croupier.games.palace.options import Options
from croupier.games.palace.rules import Palace
from croupier.kernel import Bot, Chance

PLAYTHROUGH = Path(__file__).with_name("playthrough.txt")
NAMES = ("Ann", "Bob", "Cleo")


def playthrough() -> Iterator[str]:
    """Two steady players and one who plays anything, so that there is something of everything."""
    palace = Palace()
    seed = bytes(range(32))
    chance = Chance(seed)
    kinds = ("low-and-steady", "random", "low-and-steady")
    bots: list[Bot] = [palace.bots[kind]() for kind in kinds]
    at = 0
    state = palace.deal(Options(), len(bots), chance, at)
    yield f"game     {palace.name}"
    yield f"options  {json(Options())}"
    yield f"seed     {seed.hex()}"
    for name, kind in zip(NAMES, kinds, strict=True):
        yield f"player   {name}, {kind}"
    while awaited := palace.awaited(state):
        at += 1000
        seat = awaited[0]
        view = palace.view(state, seat)
        yield ""
        yield from unstyle(palace.show(view, NAMES)).splitlines()
        moves = palace.moves(state, seat)
        move = bots[seat].choose(seat, view, moves, chance)
        yield f"  {NAMES[seat]}, one of {len(moves)} moves: {json(move)}"
        assert isinstance(move, palace.Move)
        for event in palace.play(state, seat, move, at):
            yield f"    {json(event)}"
            if sentence := palace.tell(event, NAMES):
                yield f"      {sentence}"
    yield ""
    yield from unstyle(palace.show(palace.view(state, None), NAMES)).splitlines()
    yield f"view         {json(palace.view(state, None))}"
    yield f"result       {json(palace.result(state))}"
    yield f"fingerprint  {palace.fingerprint(state, seed)}"


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_the_playthrough_is_as_recorded() -> None:
    played = "\n".join(playthrough()) + "\n"
    if os.environ.get("CROUPIER_REWRITE"):
        PLAYTHROUGH.write_text(played, encoding="utf-8")
    assert played == PLAYTHROUGH.read_text(encoding="utf-8")
