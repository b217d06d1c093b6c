"""Two games, written down: whatever changes in the rules, the shuffle or the wording shows up as a difference here.

``CROUPIER_REWRITE=1 pytest tests/games/coup/test_playthrough.py`` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click import unstyle

from croupier.games.coup.events import AnyEvent
from croupier.games.coup.options import Options
from croupier.games.coup.rules import Coup
from croupier.kernel import Bot, Chance
from croupier.kernel.chance import QuickDice

NAMES = ("Ann", "Bob", "Cleo", "Dan")
KINDS = ("believer", "random", "honest", "random")


def playthrough(options: Options) -> Iterator[str]:
    """Four players of three kinds. On the way one loses the connection and comes back, another is given up."""
    coup = Coup()
    seed = bytes(range(32))
    dice = QuickDice(2)
    at = 0
    yield f"game     {coup.name}"
    yield f"options  {json(options)}"
    yield f"seed     {seed.hex()}"
    state = coup.lobby(options, Chance(seed), at)
    for seat, (name, kind) in enumerate(zip(NAMES, KINDS, strict=True)):
        yield f"player   {name}, {kind}"
        yield from told(coup, coup.sit(state, seat, at))
    state = coup.begin(state, options, range(len(NAMES)), at)
    bots: list[Bot] = [coup.bots[kind]() for kind in KINDS]
    step = 0
    while coup.result(state) is None:
        at += 700
        step += 1
        yield ""
        yield from unstyle(coup.show(coup.view(state, None), NAMES)).splitlines()
        awaited = coup.awaited(state)
        if step == 5:
            yield "  Bob loses the connection."
            events = coup.absent(state, 1, at)
        elif step == 6:
            at += 3000
            yield "  Bob comes back."
            events = coup.back(state, 1, at)
        elif step == 22 and 3 not in state.out:
            yield "  Dan leaves."
            events = coup.leave(state, [3], at)
        elif awaited:
            seat = awaited[0]
            view, moves = coup.view(state, seat), coup.moves(state, seat)
            move: Any = bots[seat].choose(seat, view, moves, dice)
            yield f"  {NAMES[seat]}, one of {len(moves)} moves: {unstyle(coup.label(move, view, NAMES))}, {json(move)}"
            events = coup.play(state, seat, move, at)
        else:
            clock = min(coup.clocks(state), key=lambda clock: clock.due)
            at = max(at, clock.due)
            yield f"  time: {json(clock)}"
            events = coup.expire(state, clock.name, at)
        yield from told(coup, events)
        for number, bot in enumerate(bots):
            bot.observe(number, [seen for event in events if (seen := event.seen_by(number)) is not None])
    yield ""
    yield from unstyle(coup.show(coup.view(state, None), NAMES)).splitlines()
    yield f"view         {json(coup.view(state, None))}"
    yield f"result       {json(coup.result(state))}"
    yield f"fingerprint  {coup.fingerprint(state, seed)}"


def told(coup: Coup, events: Any) -> Iterator[str]:
    """Events with all their secrets, and as everybody hears them."""
    event: AnyEvent
    for event in events:
        yield f"    {json(event)}"
        seen = event.seen_by(None)
        if seen != event:
            yield f"    {json(seen)}"
        assert seen is not None
        if sentence := coup.tell(seen, NAMES):
            yield f"      {sentence}"


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("ruleset", ["note", "official"])
def test_the_playthrough_is_as_recorded(ruleset: Any) -> None:
    file = Path(__file__).with_name(f"playthrough-{ruleset}.txt")
    played = "\n".join(playthrough(Options(ruleset=ruleset))) + "\n"
    if os.environ.get("CROUPIER_REWRITE"):
        file.write_text(played, encoding="utf-8")
    assert played == file.read_text(encoding="utf-8")
