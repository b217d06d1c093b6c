"""Clients that remember how their table was are told what has changed about it, and know the same as all others."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.net.changes import Changes, changes
from croupier.tables.summary import BenchState, Player, Summary
from tests.client import Client, client, play_out
from tests.live import LiveHere, server
from tests.nodes.several import nodes

Json = dict[str, Any]


def changed(table: Json, news: Json) -> Json:
    """What docs/protocols/native.md tells clients to do."""
    now = {**table, **news.get("fields", {})}
    for name in news.get("unset", ()):
        del now[name]
    for rows, gone in (("players", "left"), ("cast", "uncast")):
        known = {row["seat"]: row for row in table[rows] if row["seat"] not in news.get(gone, ())}
        known |= {row["seat"]: row for row in news.get(rows, ())}
        now[rows] = [known[seat] for seat in sorted(known)]
    return now


players = st.builds(
    Player, seat=st.just(0), name=st.sampled_from("ab"), away=st.booleans(), score=st.none() | st.just(3)
)
rows = st.dictionaries(st.integers(0, 30), players).map(
    lambda found: tuple(msgspec.structs.replace(found[seat], seat=seat) for seat in sorted(found))
)
summaries = st.builds(
    Summary,
    id=st.just("t"),
    code=st.just("c"),
    game=st.just("g"),
    name=st.sampled_from("xy"),
    seats=st.just(31),
    players=rows,
    cast=rows,
    host=st.none() | st.just(1),
    phase=st.sampled_from(["waiting", "playing"]),
    locked=st.just(False),
    watchers=st.integers(0, 1),
    options=st.just({}),
    games=st.integers(0, 1),
    opened_at=st.just(0),
    over_at=st.none() | st.just(5),
    starts_at=st.just(msgspec.UNSET) | st.integers(0, 1),
    bench=st.just(msgspec.UNSET) | st.builds(BenchState, st.booleans()),
)


def plain(said: Any) -> Json:
    found: Json = json.loads(msgspec.json.encode(said))
    return found


@settings(max_examples=400)
@given(summaries, summaries)
def test_what_was_and_what_has_changed_make_what_is(before: Summary, now: Summary) -> None:
    news = changes(before, now)
    if news is not None:
        assert changed(plain(before), plain(news)) == plain(now)


def test_nothing_has_changed() -> None:
    table = Summary("t", "c", "g", "n", 2, (Player(0, "a"),), (), 0, "waiting", False, 0, {}, 0, 0)
    assert changes(table, table) == Changes()
    assert changes(table, msgspec.structs.replace(table, id="u")) is None
    strangers = (Player(1, "b"), Player(0, "a"))
    assert changes(table, msgspec.structs.replace(table, players=strangers)) is None, "not in the order of their seats"


class Pair:
    """A client that puts together what it is told, beside one that is told everything."""

    def __init__(self, short: Client, whole: Client, table: Json) -> None:
        self.short, self.whole, self.table = short, whole, table
        self.sizes = [0, 0]
        """Bytes that each was told about the table."""

    @classmethod
    async def watching(cls, stack: AsyncExitStack, table: str, *nodes: LiveHere) -> Pair:
        short = await stack.enter_async_context(client(nodes[0].ws("/ws?changes=1")))
        whole = await stack.enter_async_context(client(nodes[-1].ws("/ws")))
        await short.ask("watch", table=table)
        await whole.ask("watch", table=table)
        sync = (await short.ask("see"))["sync"]
        assert (await whole.ask("see"))["sync"]["seq"] == sync["seq"]
        for person in (short, whole):
            while person.behind:
                await person.hear()
        return cls(short, whole, sync["table"])

    async def agree(self) -> None:
        """Both have heard all there was, and know the same."""
        await self.whole.ask("list")
        while self.whole.behind:
            some, every = await self.short.hear(_tells), await self.whole.hear(_tells)
            assert (some["seq"], some["entry"]) == (every["seq"], every["entry"])
            assert "changes" not in every
            if "table" in every:
                self.table = changed(self.table, some["changes"]) if "changes" in some else some["table"]
                assert self.table == every["table"]
                self.sizes[0] += len(json.dumps(some.get("changes", some.get("table"))))
                self.sizes[1] += len(json.dumps(every["table"]))
            else:
                assert "changes" not in some and "table" not in some


def _tells(message: Json) -> bool:
    return bool(message["type"] == "fact")


async def test_a_crowd_comes_and_goes(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, AsyncExitStack() as stack:
        ann, ben, cleo = [await stack.enter_async_context(client(live.ws("/ws"))) for _ in range(3)]
        await ann.ask("open", game="palace", player="Ann", seats=255)
        await ann.ask("add_bots", count=250)
        pair = await Pair.watching(stack, ann.table, live)
        await ben.ask("join", table=ann.table, player="Ben")
        await cleo.ask("join", table=ann.table, player="Cleo")
        await ann.ask("kick", seat=7)
        await ann.ask("silence", seat=251, silent=True)
        await ann.ask("hand_over", seat=251)
        await cleo.ask("leave")
        await pair.agree()
        dan = await stack.enter_async_context(client(live.ws("/ws")))
        await dan.ask("join", table=ann.table, player="Dan")  # at seat 7
        await dan.socket.close()
        await ann.entry("absent")
        await pair.agree()
        entries = 8
        assert pair.sizes[1] > entries * 20_000
        assert pair.sizes[0] < entries * 500


async def test_everything_that_happens_at_a_table(tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0) as live, AsyncExitStack() as stack:
        ann, ben = [await stack.enter_async_context(client(live.ws("/ws"))) for _ in range(2)]
        await ann.ask("open", game="palace", player="Ann", seats=4, auto_start=True, countdown=60)
        pair = await Pair.watching(stack, ann.table, live)
        await ben.ask("join", table=ann.table, player="Ben", avatar="fox")
        for person in (ann, ben):
            await person.ask("ready", ready=True)
        await pair.agree()
        assert "starts_at" in pair.table
        await ben.ask("ready", ready=False)
        await ann.ask("configure", auto_start=False, options={"turn_timer": 30})
        await ann.ask("bench", open=True)
        await pair.agree()
        assert "starts_at" not in pair.table
        await ann.ask("add_bots", count=1)
        for number in range(2):
            await ann.ask("start")
            await pair.agree()
            await ben.socket.close()
            await ann.entry("absent")
            ben2 = await stack.enter_async_context(client(live.ws("/ws")))
            await ben2.ask("return", table=ann.table, token=ben.token)
            ben2.token, ben = ben.token, ben2
            await pair.agree()
            await ben.ask("leave")  # a bot plays on
            await play_out(ann)
            await pair.agree()
            assert (pair.table["phase"], pair.table["games"]) == ("waiting", 1 + number)
            if number == 0:
                await ben.ask("join", table=ann.table, player="Ben")


async def test_players_are_told_like_watchers(tmp_path: Path) -> None:
    async with server(tmp_path) as live, AsyncExitStack() as stack:
        ann = await stack.enter_async_context(client(live.ws("/ws?views=1&changes=1")))
        known = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]
        other = (await ann.ask("list", table=known["id"]))["tables"]
        assert other == [known]
        ben = await stack.enter_async_context(client(live.ws("/ws")))
        await ben.ask("join", table=ann.table, player="Ben")
        told = await ann.entry("joined")
        assert "table" not in told
        assert changed(known, told["changes"]) == (await ben.ask("see"))["sync"]["table"]
        # Who looks at another table, and comes back to hear of this one, is told everything once.
        cleo = await stack.enter_async_context(client(live.ws("/ws?changes=1")))
        await cleo.ask("open", game="palace", player="Cleo")
        await cleo.ask("watch", table=ann.table)
        await ben.ask("say", text="hello")
        assert (await cleo.entry("said"))["changes"] == {}
        await cleo.ask("leave")
        left = await ben.hear(lambda message: message["entry"]["entry"] == "unwatched")
        told = await ann.hear(lambda message: message["entry"]["entry"] == "unwatched")
        assert told["changes"] == {"fields": {"watchers": 0}}
        assert left["table"]["watchers"] == 0


async def test_on_several_nodes(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        one, other = await stack.enter_async_context(nodes(tmp_path))
        ann, ben = [await stack.enter_async_context(client(node.ws("/ws"))) for node in (one, other)]
        await ann.ask("open", game="palace", player="Ann", seats=4)
        pair = await Pair.watching(stack, ann.table, one)
        for _ in range(3):
            await ben.ask("join", table=ann.table, player="Ben")
            await ann.entry("joined")
            await pair.agree()
            await ben.ask("leave")
            await ann.entry("left")
            await pair.agree()
        assert [player["name"] for player in pair.table["players"]] == ["Ann"]
