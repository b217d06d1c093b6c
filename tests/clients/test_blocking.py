"""The client without ``async``: the same names, and a table that stands still between two calls."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Happening, Refused, TooLate
from croupier.client.blocking import Client, Table
from croupier.client.entries import Closed, Started
from tests.browser.line import line
from tests.chaos.ledger import plain
from tests.client import client
from tests.clients.reading import in_order
from tests.live import server


def play_out(table: Table) -> list[Happening]:
    """A game by its first moves; returns what happened."""
    read = []
    for happening in table:
        read.append(happening)
        if table.awaited:
            table.play(table.moves[0])
        if happening.result is not None:
            break
    return read


async def test_a_whole_game_and_the_end_of_the_table(tmp_path: Path) -> None:
    def script(address: str) -> None:
        with Client(address) as client:
            assert "palace" in client.games
            ann = client.open("palace", player="Ann", seats=2)
            cat = client.watch(ann.code)
            ann.add_bots()
            ann.start()
            assert in_order(play_out(ann))
            assert client.tables("palace")[0].games == 1
            ann.leave()
            assert isinstance([happening.entry for happening in cat][-1], Closed)
            assert (ann.gone, cat.gone) == ("closed", "closed")
            with pytest.raises(Refused):
                cat.say("Is anybody there?")

    before = set(threading.enumerate())  # which other tests may have left
    async with server(tmp_path, bot_delay=0) as live:
        await asyncio.to_thread(script, live.http)
    await asyncio.get_running_loop().shutdown_default_executor()
    left = {thread.name for thread in set(threading.enumerate()) - before}
    assert not {name for name in left if "asyncio" in name or "client" in name}


async def test_who_looks_for_a_game_finds_one(tmp_path: Path) -> None:
    def script(address: str) -> None:
        with Client(address) as client:
            ann, ben = (client.seek("fortress", player=name) for name in ("Ann", "Ben"))
            assert ann.id == ben.id
            for table in (ann, ben):
                assert any(isinstance(happening.entry, Started) for happening in table)

    async with server(tmp_path, bot_delay=0) as live:
        await asyncio.to_thread(script, live.http)


async def test_a_table_changes_only_while_somebody_waits_for_it(tmp_path: Path) -> None:
    def script(address: str) -> None:
        with Client(address) as client, Client(address) as other:
            ann = client.open("coup", player="Ann", seats=2)
            ben = other.join(ann.id, player="Ben")
            ann.start()
            while not isinstance(next(ben).entry, Started):
                pass
            mover, waiting = (ann, ben) if ann.awaited else (ben, ann)
            moment = waiting.place
            mover.play(mover.moves[0])
            while not waiting.unread:
                pass
            assert waiting.place is moment
            assert not waiting.awaited
            next(waiting)
            assert waiting.place is not moment

    async with server(tmp_path) as live:
        await asyncio.to_thread(script, live.http)


async def test_a_move_is_meant_for_the_moment_that_was_seen(tmp_path: Path) -> None:
    """Somebody else has the token, too, and is faster."""

    def script(address: str) -> None:
        with Client(address) as client:
            ann = client.open("coup", player="Ann", seats=2)
            ben = client.join(ann.id, player="Ben")
            ann.start()
            while not isinstance(next(ben).entry, Started):
                pass
            mover, other = (ann, ben) if ann.awaited else (ben, ann)
            mover.play(next(move for move in mover.moves if move.action == "tax"))
            while not other.awaited:
                next(other)
            (allow,) = [move for move in other.moves if type(move).__name__ == "Allow"]
            faster(other.id, other.token, allow)
            with pytest.raises(TooLate):
                other.play(allow)

    async with server(tmp_path) as live, client(live.ws("/ws")) as somebody:
        loop = asyncio.get_running_loop()

        def faster(table: str, token: str | None, move: Any) -> None:
            asked = somebody.ask("play", table=table, token=token, move=plain(move))
            asyncio.run_coroutine_threadsafe(asked, loop).result()

        await asyncio.to_thread(script, live.http)


async def test_it_comes_back_by_itself(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, line(live.ports["http"]) as through:
        loop = asyncio.get_running_loop()

        def script() -> None:
            with Client(through.http) as client:
                table = client.open("palace", player="Ann", seats=2)
                table.add_bots()
                loop.call_soon_threadsafe(through.cut)
                table.start()
                loop.call_soon_threadsafe(through.cut)
                play_out(table)
                assert table.result is not None

        await asyncio.to_thread(script)


def test_there_is_no_server() -> None:
    with pytest.raises(ConnectionError), Client("http://127.0.0.1:1"):
        pass
    assert "croupier client" not in [thread.name for thread in threading.enumerate()]
