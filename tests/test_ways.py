"""The ways through the code that docs/architecture.md shows are those that are taken.

With ``CROUPIER_REWRITE=1`` they are written anew, as the golden playthroughs are.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

import croupier
from croupier.games import catalogue
from croupier.games.palace import Palace
from croupier.journal.reading import read_log
from croupier.journal.sqlite import SqliteJournal
from croupier.net import inbox
from croupier.tables import replay, turns
from croupier.tables.house import House
from croupier.tables.settings import Settings
from tests.client import Client, client, play_out
from tests.clock import ManualTime
from tests.live import server

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
SOURCE = Path(croupier.__file__).parent

ASKED_EVERYWHERE = re.compile(
    r"(kernel/|logs|cli|net/(?!native|websocket\b)|net/websocket  header"
    r"|tables/(turns|purses|error_log|summary|seat|keys|languages|names|entries|board|index|place|soft|chat)\b"
    r"|tables/wall_clock|journal/latency)"
)
"""What leads nowhere: shares of the event loop, names, keys, the time, counters, what can be seen from a place."""

DOWN = ["house", "requests", "presence", "decisions", "rulings", "room", "registry", "table"]
"""From the requests to what they change: none of these calls one that comes before it."""


class Call(NamedTuple):
    what: str
    """Module and function."""
    depth: int
    caller: str


@contextmanager
def traced() -> Iterator[list[Call]]:
    """The functions of ours that are called inside, each where it is called first, and how deep."""
    way: list[Call] = []
    known: set[str] = set()
    names: dict[CodeType, str | None] = {}

    def name(frame: FrameType) -> str | None:
        code = frame.f_code
        if code not in names:
            names[code] = _name(frame)
        return names[code]

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or (what := name(frame)) is None or what in known:
            return
        known.add(what)
        callers = []
        back = frame.f_back
        while back is not None:
            if (caller := name(back)) is not None:
                callers.append(caller)
            back = back.f_back
        if callers and callers[0].startswith("games/"):
            return  # how a game answers is its own affair
        way.append(Call(what, len(callers), callers[0] if callers else ""))

    sys.setprofile(look)
    try:
        yield way
    finally:
        sys.setprofile(None)


def _name(frame: FrameType) -> str | None:
    """None: it is none of ours, or a module's own affair, or nothing that leads anywhere."""
    code = frame.f_code
    if not code.co_filename.startswith(str(SOURCE)) or "<" in code.co_name or code.co_name.startswith("_"):
        return None
    module = Path(code.co_filename).relative_to(SOURCE).with_suffix("").as_posix()
    owner = frame.f_locals.get("self")
    found = f"{module}  {code.co_qualname}"
    if ASKED_EVERYWHERE.match(found) or isinstance(getattr(type(owner), code.co_name, None), property):
        return None
    return found.replace("write_all", "write")  # the same for several messages, of which some hear more


async def _seated(ann: Client, ben: Client) -> None:
    await ann.ask("open", game="palace", player="Ann", seats=2)
    await ben.ask("join", table=ann.table, player="Ben")


async def a_move(folder: Path) -> list[Call]:
    async with server(folder) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await _seated(ann, ben)
        await ann.ask("start")
        mover = ann if (await ann.ask("see"))["sync"]["moves"] else ben
        (move, *_) = (await mover.ask("see"))["sync"]["moves"]
        with traced() as way:
            await mover.ask("play", move=move)
    return way


async def a_join(folder: Path) -> list[Call]:
    async with server(folder) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        with traced() as way:
            await ben.ask("join", table=ann.table, player="Ben")
    return way


async def a_timeout(folder: Path) -> list[Call]:
    clock = ManualTime()
    async with server(folder, time=clock) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await _seated(ann, ben)
        await ann.ask("start")
        with traced() as way:
            await clock.to_pass(50)
            await ann.entry("stood_in")
    return way


async def a_restart(folder: Path) -> list[Call]:
    async with server(folder) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await _seated(ann, ben)
        await ann.ask("start")
    house = House(catalogue().games, SqliteJournal(folder / "journal.sqlite"), Settings())
    with traced() as way:
        await house.open()
    await house.close()
    return way


async def a_replay(folder: Path) -> list[Call]:
    async with server(folder, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=2)
        await ann.ask("add_bots")
        await ann.ask("start")
        await play_out(ann)
    log = read_log(folder / "journal.sqlite", ann.table)
    with traced() as way:
        replay.watch(ann.table, Palace(), log, 1, None, laid_open=False)
    return way


WAYS: dict[str, Callable[[Path], Awaitable[list[Call]]]] = {
    "A move": a_move,
    "A join": a_join,
    "A timeout": a_timeout,
    "A restart": a_restart,
    "A replay": a_replay,
}


def shown(way: list[Call]) -> str:
    least = min(call.depth for call in way)
    return "".join(f"{'  ' * (call.depth - least)}{call.what}\n" for call in way)


@pytest.mark.parametrize("name", WAYS)
async def test_a_way_is_the_one_that_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing takes any time, so that everybody is served at once, however busy the machine is.
    monkeypatch.setattr(turns, "monotonic", lambda: 0.0)
    monkeypatch.setattr(inbox, "monotonic", lambda: 0.0)
    way = await WAYS[name](tmp_path)
    for call in way:
        parts = [what.split("  ")[0].removeprefix("tables/") for what in (call.caller, call.what)]
        down = [part for part in parts if part in DOWN]
        assert down == sorted(down, key=DOWN.index), f"{call.caller} leads back to {call.what}"
    page = PAGE.read_text()
    found = re.search(rf"\*\*{name}\b.*?```text\n(.*?)```", page, re.DOTALL)
    assert found is not None, f"docs/architecture.md does not show the way of {name.lower()}"
    if os.environ.get("CROUPIER_REWRITE"):
        PAGE.write_text(page[: found.start(1)] + shown(way) + page[found.end(1) :])
    else:
        assert found[1] == shown(way), "if that is meant: CROUPIER_REWRITE=1"
