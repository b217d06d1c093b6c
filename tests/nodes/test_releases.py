"""Nodes of the release before and of this one are one house; and one that is older than others does no harm."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import msgspec
import pytest
from structlog.testing import capture_logs
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.games import catalogue
from croupier.games.cambia.dialect.ids import lobby_id
from croupier.journal import Append, Record
from croupier.journal.postgres_store import read_log
from croupier.tables import error_log, node_messages
from croupier.tables.cluster import Cluster
from croupier.tables.node_messages import Committed, Mentioned
from services.processes import free_port
from tests.chaos.ledger import Tally, compare
from tests.chaos.people import Native, Party
from tests.chaos.storm import COMPLAINTS, FLAGS
from tests.client import Client, Refusal, client
from tests.live import Live, LiveHere, LiveProcess, process, request, server, spawn
from tests.nodes.crowd import agree, play_on, seated
from tests.nodes.releases import release_before, with_source
from tests.nodes.several import Shared, cluster, nodes
from tests.tables.test_rules_versions import BidsAnew, games
from tests.toys import Bids

LONG = 240
"""Seconds after which a test gives up that waits for whole games."""
PASSED_OVER = "another node says what this release does not understand, and it is passed over"
LEFT_TO_OTHERS = "a newer release writes at a table, and it is left to nodes that can read it"


class MixedHouse:
    """Three nodes, each of one release or the other, and people of all games who are spread over them."""

    def __init__(self, data: Path, source: Path) -> None:
        self._shared = Shared(data)
        self._source = source
        self._places = [Live({"http": free_port()}) for _ in range(3)]
        self._nodes = [AsyncExitStack() for _ in self._places]
        self._live: dict[int, LiveProcess] = {}
        self.log = data / "log"
        self.parties: list[Party] = []
        for number, game in enumerate(catalogue().games.values()):
            party = Party(str(number), game.name, self._places, Random(number), 0.0, 1)
            for _ in range(min(3, game.seats[-1])):
                Native(party)
            party.open.set()
            self.parties.append(party)

    async def start(self, number: int, *, old: bool) -> None:
        flags = (*FLAGS, "--port", str(self._places[number].ports["http"]), *self._shared.flags(f"n{number}"))
        inside = with_source(self._source) if old else ()
        starting = process(self._shared.data, *flags, log=self.log, inside=inside)
        self._live[number] = await self._nodes[number].enter_async_context(starting)

    async def stop(self, number: int) -> None:
        """By SIGTERM, in the midst of everything."""
        assert await self._live[number].terminate() == 0

    async def close(self) -> None:
        for node in self._nodes:
            await node.aclose()

    async def whole_games(self) -> None:
        """Every party comes to the end of a game, and somewhere into the next."""
        games = [party.generation for party in self.parties]
        await self._wait(lambda: all(p.generation > was for p, was in zip(self.parties, games, strict=True)))
        moves = [party.progress for party in self.parties]
        await self._wait(lambda: all(p.progress > was + 3 for p, was in zip(self.parties, moves, strict=True)))

    async def _wait(self, so: Callable[[], bool]) -> None:
        async with asyncio.timeout(LONG):
            while not so():  # noqa: ASYNC110 - it is told by many
                await asyncio.sleep(0.05)

    def compare(self) -> Tally:
        """What everybody was told, with what is in the journal."""
        compared = Tally()
        for party in self.parties:
            party.move_on()
            for table, ledgers in party.left:
                game = catalogue().games[party.game]
                compared = compared.plus(compare(game, table, list(read_log(self._shared.journal, table)), ledgers))
        return compared


async def test_all_games_are_played_on_while_nodes_of_two_releases_take_each_other_s_place(tmp_path: Path) -> None:
    house = MixedHouse(tmp_path, release_before(tmp_path / "before"))
    people: Sequence[asyncio.Task[None]] = ()
    try:
        await house.start(0, old=True)
        await house.start(2, old=True)
        await house.start(1, old=False)
        people = [asyncio.create_task(person.live()) for party in house.parties for person in party.people]
        await house.whole_games()
        await house.stop(0)
        await house.start(0, old=False)
        await house.whole_games()
        await house.stop(1)  # the other way round: its people go on at the node that is still old
        await house.whole_games()
        assert not [task for task in people if task.done()]
    finally:
        for task in people:
            task.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        await house.close()
    compared = await asyncio.to_thread(house.compare)
    assert compared.moves > 100
    assert compared.facts > compared.moves
    complaints = [line for line in house.log.read_text().splitlines() if any(word in line for word in COMPLAINTS)]
    assert complaints == []


@pytest.fixture
def house(tmp_path: Path) -> Shared:
    return Shared(tmp_path)


NEW_SCHEMA = """
from croupier.journal import postgres_schema
postgres_schema.MIGRATIONS += ("CREATE TABLE novelty (x integer); ALTER TABLE tables ADD COLUMN mood text",)
"""


async def test_the_first_new_node_brings_the_schema_up_to_date_and_the_old_ones_live_with_it(house: Shared) -> None:
    inside = with_source(release_before(house.data / "before"))
    async with (
        process(house.data, *house.flags("old"), "--message-rate=0", inside=inside) as old,
        client(old.ws("/ws")) as ann,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=2)
        async with (
            process(house.data, *house.flags("new"), "--message-rate=0", sabotage=NEW_SCHEMA) as new,
            client(new.ws("/ws")) as bob,
        ):
            await bob.ask("join", table=ann.table, player="Bob")
            await ann.entry("joined")
            await ann.ask("start")
            await asyncio.gather(play_on(ann, Random(1), 16), play_on(bob, Random(2), 16))
            assert await agree([ann, bob]) >= 16
            other = await ann.ask("open", game="palace", player="Ann")
            assert other["sync"]["table"]["phase"] == "waiting"
        late = await spawn(house.data, *house.flags("late"), log=house.data / "log", inside=inside)
        assert await late.wait() == 2
    assert "the journal was written by a newer Croupier (schema" in (house.data / "log").read_text()


# What an older node does not know.


class Complaints:
    """What the server would write to its log as an error."""

    def __init__(self) -> None:
        self.before = error_log.seen.copy()
        self.of_tasks: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: self.of_tasks.append(context))

    @property
    def all(self) -> list[object]:
        return [*self.of_tasks, *(error_log.seen - self.before)]


def records(message: bytes) -> list[list[object]]:
    found: list[list[object]]
    _, found = msgspec.msgpack.decode(message)
    return found


@pytest.mark.parametrize(
    "told",
    [
        lambda message: msgspec.msgpack.encode(["c", records(message), "and something about it", 2]),
        lambda message: msgspec.msgpack.encode(["c", [[*record, "who"] for record in records(message)]]),
        lambda message: msgspec.msgpack.encode(["committed", records(message)]),
        lambda message: msgspec.msgpack.encode({"kind": "c"}),
        lambda message: b"\xc1" + message,
        lambda message: b"",
    ],
    ids=["more fields", "more in a record", "another kind", "another shape", "nothing known", "empty"],
)
async def test_a_message_that_is_not_understood_is_as_good_as_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Callable[[bytes], bytes]
) -> None:
    encode = node_messages.encode
    async with nodes(tmp_path, 2, message_rate=0) as running, seated(running, "palace") as people:
        complaints = Complaints()
        monkeypatch.setattr(
            node_messages, "encode", lambda said: told(encode(said)) if isinstance(said, Committed) else encode(said)
        )
        await people[0].ask("start")
        async with asyncio.timeout(LONG):
            await asyncio.gather(*(play_on(person, Random(n), 15) for n, person in enumerate(people)))
        assert await agree(people) >= 15
        assert complaints.all == []


async def test_what_else_is_not_understood_on_the_bus_disturbs_nobody(tmp_path: Path) -> None:
    with capture_logs() as logged:
        await _misunderstood(tmp_path)
    assert [line["event"] for line in logged].count(PASSED_OVER) == 1


async def _misunderstood(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2) as running, seated(running, "palace", seats=3, auto_start=True) as people:
        complaints, bus = Complaints(), cluster(running[0]).bus
        ann, bob = people
        soft = node_messages.encode(Mentioned(b'{"entry":"danced","seat":0}'))
        row = [ann.table, "token", "waiting playing", "n0", 1, 0, "phone"]
        for _ in range(3):
            bus.publish(ann.table, soft)
            bus.publish(ann.table, msgspec.msgpack.encode(["a", [row]]))
            bus.publish("lobby", b'{"id":"x","game":"palace","seats":"many"}')
            bus.publish("lobby", b'{"id":"x","game":"chess"}')
            bus.publish("nodes", b"\xff\xfe")
        await ann.ask("say", text="after all that")
        assert (await bob.entry("said"))["entry"]["text"] == "after all that"
        await bob.ask("ready", ready=True)
        await agree(people)
        assert complaints.all == []


NEW_ENTRY = """
from croupier.tables import cluster, entries
encode, decode = entries.encode, entries.decode
ours, theirs = b'"entry":"readied"', b'"entry":"celebrated"'
entries.encode = lambda entry: encode(entry).replace(ours, theirs)
entries.decode = lambda entry: decode(entry.replace(theirs, ours))
"""
"""A release that writes of somebody who is ready in a way that no other knows."""


async def sent_away(somebody: Client) -> None:
    """Their connection is closed, so that they come back to wherever they are led."""
    with pytest.raises(ConnectionClosed) as closed:
        await somebody.hear(lambda told: False)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, "another node" in closed.value.rcvd.reason) == (1012, True)


async def turned_away(older: LiveHere, kind: str, **asked: object) -> None:
    async with client(older.ws("/ws")) as again:
        with pytest.raises(ConnectionClosed) as closed:
            await again.ask(kind, **asked)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012


async def test_a_table_with_an_entry_of_a_newer_release_goes_on_where_that_is_known(house: Shared) -> None:
    with capture_logs() as logged:
        await _celebrate(house)
    assert [line["event"] for line in logged].count(LEFT_TO_OTHERS) == 1


async def _celebrate(house: Shared) -> None:
    async with (
        server(house.data, message_rate=0, **house.settings("older")) as older,
        process(house.data, *house.flags("newer"), "--message-rate=0", sabotage=NEW_ENTRY) as newer,
        client(older.ws("/ws")) as ann,
        client(newer.ws("/ws")) as bob,
        client(older.ws("/ws")) as cem,
    ):
        complaints = Complaints()
        await cem.ask("open", game="palace", player="Cem")
        opened = await ann.ask("open", game="palace", player="Ann", seats=2, auto_start=True)
        await bob.ask("join", table=ann.table, player="Bob")
        await bob.ask("ready", ready=True)
        await bob.ask("ready", ready=False)
        await sent_away(ann)
        await bob.entry("absent")
        await turned_away(older, "return", table=ann.table, token=ann.token)
        await turned_away(older, "join", table=opened["sync"]["table"]["code"], player="Dan")
        assert ann.table not in older.house.rooms
        async with client(newer.ws("/ws")) as again:
            await again.ask("return", table=ann.table, token=ann.token)
            await again.ask("ready", ready=True)
            await bob.ask("ready", ready=True)
            await bob.entry("started")
            async with asyncio.timeout(LONG):
                await asyncio.gather(play_on(again, Random(1), 20), play_on(bob, Random(2), 20))
            assert await agree([again, bob]) >= 20
        assert (await cem.ask("see"))["sync"]["table"]["phase"] == "waiting"
        assert complaints.all == []


class NewBids(Bids):
    name = "newbids"


@pytest.mark.parametrize("game", ["bids", "newbids"])
async def test_a_table_of_newer_rules_or_of_a_new_game_goes_on_where_they_are_known(house: Shared, game: str) -> None:
    async with (
        server(house.data, games(Bids()), **house.settings("older")) as older,
        server(house.data, games(BidsAnew(), NewBids()), **house.settings("newer")) as newer,
        client(older.ws("/ws")) as ann,
        client(newer.ws("/ws")) as bob,
        client(newer.ws("/ws")) as cem,
    ):
        complaints = Complaints()
        await bob.ask("open", game=game, player="Bob", seats=2)
        if game == "bids":
            await ann.ask("join", table=bob.table, player="Ann")
        else:
            await cem.ask("join", table=bob.table, player="Ann")
            ann.token = cem.token
        await bob.ask("start")
        if game == "bids":
            await sent_away(ann)
        await turned_away(older, "return", table=bob.table, token=ann.token)
        await cem.ask("return", table=bob.table, token=ann.token)
        async with asyncio.timeout(LONG):
            await asyncio.gather(play_on(bob, Random(1)), play_on(cem, Random(2)))
        await agree([bob, cem])
        assert complaints.all == []


async def test_a_table_that_is_named_by_a_path_is_asked_for_elsewhere(house: Shared) -> None:
    async with (
        server(house.data, **house.settings("older")) as older,
        process(house.data, *house.flags("newer"), sabotage=NEW_ENTRY) as newer,
        client(newer.ws("/ws")) as bob,
    ):
        await bob.ask("open", game="cambia", player="Bob", auto_start=True)
        await bob.ask("ready", ready=True)
        lobby = lobby_id(bob.table)
        refused = await request(older.ports["http"], "POST", f"/cambia/lobby/{lobby}/join")
        assert refused.status == 503
        with pytest.raises(InvalidStatus) as rejected:
            await connect(older.ws(f"/cambia/lobby/ws/{lobby}"))
        assert rejected.value.response.status_code == 503


LAST = """
from croupier.tables import cluster
cluster.Cluster.rank = lambda self, table, nodes: len(list(nodes))
cluster.KEPT_FOR = 0
"""
"""Whose turn it never is."""


async def test_what_falls_due_where_the_first_node_can_read_nothing_is_seen_to_by_the_next(
    house: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cluster, "rank", lambda self, table, nodes: 0)
    grace = ("--lobby-grace", "1", "--restart-patience", "1")
    async with (
        server(house.data, lobby_grace=1, restart_patience=1, **house.settings("older")) as older,
        process(house.data, *house.flags("newer"), *grace, sabotage=NEW_ENTRY + LAST) as newer,
        client(older.ws("/ws")) as ann,
    ):
        await ann.ask("open", game="palace", player="Ann", seats=2, auto_start=True)
        async with client(newer.ws("/ws")) as bob:
            await bob.ask("join", table=ann.table, player="Bob")
            await bob.ask("ready", ready=True)
            await sent_away(ann)
        # Nobody comes back: their seats are given up, and the table is closed.
        async with asyncio.timeout(LONG):
            while await older.house.journal.public(ann.table) is None:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.1)


async def test_an_entry_that_no_release_can_read_freezes_its_table_and_nothing_else(tmp_path: Path) -> None:
    async with (
        nodes(tmp_path, 1) as (node,),
        seated([node], "palace", seats=3) as (ann,),
        client(node.ws("/ws")) as bob,
    ):
        await bob.ask("open", game="palace", player="Bob")
        room = node.house.rooms[ann.table]
        damaged = Append(ann.table, [Record(room.table.seq + 1, room.table.at, b'{"entry":"joi')], None, False)
        node.house.journal.append(damaged)
        cluster(node).gap()
        async with asyncio.timeout(LONG):
            while not room.frozen:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        with pytest.raises(Refusal) as refused:
            await ann.ask("add_bots", count=1)
        assert refused.value.code == "unavailable"
        await bob.ask("add_bots", count=1)
