"""One game, written down: whatever changes in the rules, the shuffle or the wording shows up as a difference here.

``CROUPIER_REWRITE=1 pytest tests/games/cambia/test_playthrough.py`` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from click import unstyle

from croupier.games.cambia.events import AnyEvent, Forfeited
from croupier.games.cambia.moves import Snap
from croupier.games.cambia.options import Options
from croupier.games.cambia.rules import Cambia
from croupier.kernel import Bot, Chance

PLAYTHROUGH = Path(__file__).with_name("playthrough.txt")
NAMES = ("Ann", "Ben", "Cleo")
OPTIONS = Options(circuit=True, rounds=2, cards_per_player=6, penalty_draw_count=10)


def playthrough() -> Iterator[str]:
    """A match of two rounds: two who forget nothing, and one who snaps blindly in the first and leaves the second."""
    cambia = Cambia()
    seed = bytes(range(32))
    chance = Chance(seed)
    kinds = ("elephant", "elephant", "random")
    bots: list[Bot] = [cambia.bots[kind]() for kind in kinds]
    at = 0
    blind_snaps = {3, 4, 6}
    state = cambia.deal(OPTIONS, len(bots), chance, at)
    yield f"game     {cambia.name}"
    yield f"options  {json(OPTIONS)}"
    yield f"seed     {seed.hex()}"
    for name, kind in zip(NAMES, kinds, strict=True):
        yield f"player   {name}, {kind}"

    def told(events: Iterable[AnyEvent]) -> Iterator[str]:
        for event in events:
            for number, bot in enumerate(bots):
                if (seen := event.seen_by(number)) is not None:
                    bot.observe(number, [seen])
            yield f"    {json(event) if not isinstance(event, Forfeited) else json(event)[:40] + ' …'}"
            if sentence := cambia.tell(event, NAMES):
                yield f"      {sentence}"

    while cambia.result(state) is None:
        at += 1000
        yield ""
        awaited = cambia.awaited(state)
        if not awaited:
            clock = cambia.clocks(state)[0]
            at = max(at, clock.due)
            yield from unstyle(cambia.show(cambia.view(state, 0), NAMES)).splitlines()
            yield f"  {clock.name} is over"
            yield from told(cambia.expire(state, clock.name, at))
            continue
        if state.round == 2 and state.turn == 4 and not state.forfeited[2]:
            yield "  Cleo leaves"
            yield from told(cambia.leave(state, [2], at))
            continue
        if state.round == 1 and state.turn in blind_snaps:
            blind_snaps.remove(state.turn)
            snap = Snap(state.hands[2][-1])
            yield f"  Cleo snaps blindly: {json(snap)}"
            yield from told(cambia.play(state, 2, snap, at))
            continue
        seat = awaited[-1]
        for other, bot in enumerate(bots):
            if other not in awaited:
                moves = cambia.moves(state, other)
                move = bot.interject(other, cambia.view(state, other), moves, chance) if moves else None
                if move is not None:
                    yield f"  {NAMES[other]}, out of turn: {json(move)}"
                    yield from told(cambia.play(state, other, move, at))  # type: ignore[arg-type]
                    break
        else:
            view = cambia.view(state, seat)
            yield from unstyle(cambia.show(view, NAMES)).splitlines()
            moves = cambia.moves(state, seat)
            move = bots[seat].choose(seat, view, moves, chance)
            label = unstyle(cambia.label(move, view, NAMES))  # type: ignore[arg-type]
            yield f"  {NAMES[seat]}, one of {len(moves)} moves: {label}"
            yield f"    {json(move)}"
            yield from told(cambia.play(state, seat, move, at))  # type: ignore[arg-type]
    yield ""
    yield from unstyle(cambia.show(cambia.view(state, None), NAMES)).splitlines()
    yield f"view         {json(cambia.view(state, None))}"
    yield f"result       {json(cambia.result(state))}"
    yield f"fingerprint  {cambia.fingerprint(state, seed)}"


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def test_the_playthrough_is_as_recorded() -> None:
    played = "\n".join(playthrough()) + "\n"
    if os.environ.get("CROUPIER_REWRITE"):
        PLAYTHROUGH.write_text(played, encoding="utf-8")
    assert played == PLAYTHROUGH.read_text(encoding="utf-8")
