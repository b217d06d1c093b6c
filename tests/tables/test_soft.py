"""Chat, sounds and spectators are told in their order, and written down nowhere."""

from __future__ import annotations

import json
from pathlib import Path

from croupier.games import catalogue
from croupier.journal.reading import read_log
from croupier.tables import entries
from croupier.tables.chat import LINES_AT_ONCE, LINES_KEPT, TOLD_AT_ONCE
from croupier.tables.table import Table
from tests.client import Client, Refusal, client
from tests.clock import ManualTime
from tests.live import server

AT = 1_700_000_000_000


async def opened(ann: Client, *others: Client) -> None:
    await ann.ask("open", game="palace", player="Ann", seats=4)
    for number, other in enumerate(others, 1):
        await other.ask("join", table=ann.table, player=f"P{number}")


def heard(person: Client) -> list[tuple[str, int]]:
    return [(told["entry"]["entry"], told["seq"]) for told in person.told if told["type"] == "fact"]


async def test_what_is_said_and_who_looks_on_is_in_no_journal(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await opened(ann, bob)
        async with client(live.ws("/ws")) as eve:
            await eve.ask("watch", table=ann.table)
            await eve.ask("say", text="hello")
            await ann.ask("say", text="hello, whoever you are")
            await eve.ask("leave")
        await ann.ask("see")
        await bob.ask("see")
        log = read_log(tmp_path / "journal.sqlite", ann.table)
        assert [type(entries.decode(record.entry)).__name__ for record in log] == ["Opened", "Joined", "Joined"]
        soft = [("watched", 3), ("said", 3), ("said", 3), ("unwatched", 3)]
        assert heard(ann) == [("joined", 3), *soft]
        assert heard(bob) == soft
        assert bob.told[1]["entry"] == {"entry": "said", "seat": None, "name": "", "text": "hello"}
        assert bob.told[-1]["table"]["watchers"] == 0


async def test_a_line_is_heard_after_what_happened_before_it(tmp_path: Path) -> None:
    """Also when that is still on its way to the journal."""
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await opened(ann, bob)
        ann.told.clear()
        for turns in range(10):
            for wish in (
                {"type": "configure", "options": {"turn_timer": 50 + turns}},
                {"type": "say", "text": str(turns)},
            ):
                await ann.socket.send(json.dumps(wish))
        await bob.hear(lambda told: told["type"] == "fact" and told["entry"].get("text") == "9")
        expected = [(what, 4 + turns) for turns in range(10) for what in ("configured", "said")]
        assert heard(bob) == expected


async def test_the_last_lines_are_there_for_who_comes_back_and_gone_with_the_server(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live, client(live.ws("/ws")) as ann:
        async with client(live.ws("/ws")) as bob:
            await opened(ann, bob)
            for number in range(LINES_KEPT + 20):
                await (ann if number % 2 else bob).ask("say", text=f"line {number}")
                await time.to_pass(1)
            await ann.ask("start")
            token = bob.token
        async with client(live.ws("/ws")) as bob:
            sync = (await bob.ask("return", table=ann.table, token=token))["sync"]
            chat = sync["chat"]
            assert [line["text"] for line in chat] == [f"line {number}" for number in range(20, LINES_KEPT + 20)]
            own = {line["seat"] for line in chat if line["name"] == "P1"}
            assert own == {sync["seat"]}, "seats are numbered anew when a game begins"
            assert chat[1]["at"] - chat[0]["at"] == 1000
    async with server(tmp_path, time=time) as live, client(live.ws("/ws")) as bob:
        assert (await bob.ask("return", table=ann.table, token=token))["sync"]["chat"] == []


async def refused(person: Client, text: str = "hm") -> bool:
    try:
        await person.ask("say", text=text)
    except Refusal as refusal:
        assert refusal.code == "too_fast"
        return True
    return False


async def test_talk_has_its_price(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await opened(ann, bob)
        assert [await refused(ann) for _ in range(LINES_AT_ONCE + 1)] == [False] * LINES_AT_ONCE + [True]
        assert not await refused(bob), "what one says is not the other's"
        await time.to_pass(1)
        assert [await refused(ann) for _ in range(3)] == [False, False, True]


async def test_a_table_says_only_so_much_to_its_crowd(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live, client(live.ws("/ws")) as ann:
        await opened(ann)
        room = live.house.rooms[ann.table]
        room.table.soft.chat._purse.pay(TOLD_AT_ONCE - 3, time.now())  # others have talked all the while
        assert [await refused(ann) for _ in range(2)] == [False, True]


def test_old_logs_with_chat_in_them_are_read() -> None:
    table = Table("t", catalogue().games["palace"])
    log: list[entries.AnyEntry] = [
        entries.Opened("palace", "Old", 2, {}),
        entries.Joined(0, "Ann", "a" * 64),
        entries.Watched(),
        entries.Said(0, "Ann", "hello"),
        entries.Sounded(0, "gong"),
        entries.Unwatched(),
        entries.Unwatched(),
    ]
    for entry in log:
        table.apply(entries.decode(entries.encode(entry)), AT)
    assert (table.seq, table.summary.watchers) == (len(log), 0)
