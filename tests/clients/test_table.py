"""The client at real servers: tables, games, people who come and go. Lost connections are in ``test_returning``."""

from __future__ import annotations

import asyncio
import random
import resource
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import pytest

from croupier.client import Client, Refused, Table, TooLate
from croupier.client import table as table_module
from croupier.client.entries import Closed, Joined, Left, Moved, Said, Started, StoodIn, Synced
from croupier.client_bots.outcomes import Outcome
from croupier.games import Catalogue, catalogue
from tests.clients.reading import become, in_order, play_out, until, until_awaited, until_end, until_entry
from tests.clock import ManualTime
from tests.live import LiveHere, process, server
from tests.searchers import PONDERED, Folder
from tests.toys import Bids

BIDS = Catalogue({"bids": Bids()}, [])


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


@pytest.fixture
async def client(live: LiveHere) -> AsyncIterator[Client]:
    async with Client(live.http) as found:
        yield found


@pytest.mark.parametrize("game", catalogue().games)
async def test_a_whole_game_against_each_other(live: LiveHere, client: Client, game: str) -> None:
    options = {"pre_game_sec": 0} if game == "cambia" else {}
    ann = await client.open(game, player="Ann", seats=2, options=options)
    ben = await client.join(ann.id, player="Ben")
    await ann.start()
    dice = random.Random(1)

    def sober(table: Table) -> object:
        # Whoever snaps whenever it is possible never sees the end of it.
        moves = [move for move in table.moves if type(move).__name__ != "Snap"]
        return dice.choice(moves or table.moves)

    told = await asyncio.gather(play_out(ann, sober), play_out(ben, sober))
    rules = catalogue().games[game]
    for table, read in zip((ann, ben), told, strict=True):
        assert in_order(read)
        assert read[-1].result == table.result
        assert isinstance(table.view, rules.View)
        assert isinstance(table.options, rules.Options)
        events = [event for happening in read for event in happening.events]
        assert events and not any(isinstance(event, dict) for event in events)
    assert {happening.seq for happening in told[0]} >= {happening.seq for happening in told[1]}


async def test_three_who_look_for_a_game_play_it(live: LiveHere) -> None:
    async with Client(live.http) as client:
        person = await client.identify("Ann's key, which nobody knows")
        people = [await client.seek("palace", player=name, avatar="fox") for name in ("Ann", "Ben", "Cleo")]
        assert {player.person for player in people[2].summary.players} == {person}
        assert len({table.id for table in people}) == 1
        assert people[0].summary.lobby.seekers == 1
        await people[0].add_bots()  # nobody else can come
        told = await asyncio.gather(*(play_out(table) for table in people))
        assert all(in_order(read) and len(read[-1].cast) == 4 for read in told)


async def test_games_that_are_not_installed_are_played_with_plain_values(live: LiveHere) -> None:
    async with Client(live.http, known={}) as client:
        table = await client.open("palace", player="Ann", seats=2, options={"turn_timer": 0})
        await table.add_bots()
        await table.start()
        read = await play_out(table)
        assert isinstance(table.view, dict)
        assert table.options == {"turn_timer": 0}
        assert {type(event) for happening in read for event in happening.events} == {dict}


@pytest.mark.parametrize("game", ["palace", "cambia"])
async def test_another_game_at_the_same_table(client: Client, game: str) -> None:
    """In Cambia the first one is put away before, and nobody has to say that they have seen their cards."""
    table = await client.open(game, player="Ann", seats=2)
    await table.add_bots()
    for games in (1, 2):
        await table.start()
        await play_out(table)
        assert table.summary.games == games
        assert table.result is not None
    await table.leave()
    assert [each for each in await client.tables() if each.id == table.id] == []


async def test_the_lobby(live: LiveHere, client: Client) -> None:
    assert client.games["coup"].most == 6
    assert client.games["coup"].options["properties"]["ruleset"]
    ann = await client.open("coup", player="Ann", name="Ann's own", seats=3)
    await client.open("palace", player="Ben", listed=False)
    (found,) = await client.tables()
    assert (found.name, found.game, [player.name for player in found.players]) == ("Ann's own", "coup", ["Ann"])
    assert await client.tables("palace") == ()
    assert await client.find(ann.code) == found
    assert await client.find("nowhere") is None


async def test_what_the_server_refuses(client: Client) -> None:
    with pytest.raises(Refused) as refused:
        await client.open("chess", player="Ann")
    assert refused.value.code == "no_such_game"
    with pytest.raises(Refused) as refused:
        await client.join("nowhere", player="Ann")
    assert refused.value.code == "no_such_table"
    table = await client.open("coup", player="Ann", seats=2)
    with pytest.raises(Refused) as refused:
        await table.start()
    assert refused.value.code == "too_few"
    assert refused.value.data["fewest"] == 2
    assert str(refused.value) == refused.value.message == "Coup takes at least 2 players"
    await table.add_bots()
    await table.start()
    await until_awaited(table)
    with pytest.raises(Refused) as refused:
        await table.play({"move": "dance"})
    assert refused.value.code == "bad_move"
    assert not isinstance(refused.value, TooLate)
    await table.play(table.moves[0])


async def test_there_is_no_server() -> None:
    with pytest.raises(ConnectionError, match=r"there is no server at ws://127\.0\.0\.1:1/ws: "):
        await Client("http://127.0.0.1:1").__aenter__()


async def test_a_move_that_was_chosen_at_another_moment_is_not_made(tmp_path: Path) -> None:
    async with server(tmp_path, BIDS) as live, Client(live.http, BIDS.games) as client:
        ann = await client.open("bids", player="Ann", seats=2)
        ben = await client.join(ann.code, player="Ben")
        await ann.start()
        await until_entry(ben, Started)
        before = ann.place
        await ben.play(ben.moves[0])
        await until_entry(ann, Moved)
        assert ann.place is not before
        await ann.play(ann.moves[0], before)  # what others do makes no difference to who is waited for
        later = ann.place
        with pytest.raises(TooLate):
            await ann.play(before.moves[0], before)  # but that was the last turn
        assert ann.view.hand == later.view.hand


async def test_who_is_late_in_palace_takes_the_seat_back_at_once(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0) as live, Client(live.http) as client:
        ann = await client.open("palace", player="Ann", seats=2, options={"turn_timer": 20})
        ben = await client.join(ann.id, player="Ben")
        await ann.start()
        for table in (ann, ben):
            await until_entry(table, Started)
        late, other = (ann, ben) if ann.awaited else (ben, ann)
        await time.to_pass(21)
        await until_entry(late, StoodIn)
        await until_entry(late, Synced)
        assert late.player is not None and not late.player.stood_in
        await until_awaited(other)
        await other.play(other.moves[0])
        await until_awaited(late)
        await late.play(late.moves[0])


@pytest.mark.parametrize("playing", [False, True])
async def test_kicked(client: Client, playing: bool) -> None:
    ann = await client.open("palace", player="Ann", seats=2)
    ben = await client.join(ann.id, player="Ben")
    if playing:
        await ann.start()
        await until_entry(ben, Started)
    assert ben.seat is not None
    await ann.kick(ben.seat)
    read = await until_end(ben)
    assert type(read[-1].entry).__name__ == ("Kicked" if playing else "Left")
    assert ben.gone == ("kicked" if playing else "left")
    with pytest.raises(Refused) as refused:
        await ben.say("Why?")
    assert refused.value.code == "not_seated"
    await ben.leave()  # which is no error


async def test_who_is_thrown_out_of_coup_looks_on(client: Client) -> None:
    ann = await client.open("coup", player="Ann", seats=3)
    ben = await client.join(ann.id, player="Ben")
    await ann.add_bots()
    await ann.start()
    await until_entry(ben, Started)
    assert ben.seat is not None
    await ann.kick(ben.seat)
    await until_entry(ben, Left)
    await until_entry(ben, Synced)
    assert ben.connected
    assert not ben.moves


async def test_the_end_of_a_table(client: Client) -> None:
    ann = await client.open("palace", player="Ann", seats=2)
    cat = await client.watch(ann.code)
    await ann.leave()
    read = await until_end(cat)
    assert isinstance(read[-1].entry, Closed)
    assert cat.gone == "closed"


async def test_a_seat_has_one_connection(client: Client) -> None:
    ann = await client.open("palace", player="Ann", seats=2)
    assert ann.token is not None
    again = await client.resume(ann.id, ann.token)
    await until_end(ann)
    assert ann.gone == "replaced"
    assert again.hosting
    with pytest.raises(Refused):
        await client.resume(ann.id, "another")


async def test_spectators_and_what_is_said(client: Client) -> None:
    ann = await client.open("coup", player="Ann", seats=2, password="plum")
    with pytest.raises(Refused) as refused:
        await client.watch(ann.id)
    assert refused.value.code == "bad_password"
    cat = await client.watch(ann.id, password="plum")
    assert (cat.seat, cat.token, cat.awaited, cat.moves) == (None, None, False, ())
    await cat.say("Who begins?")
    said = await until_entry(ann, Said)
    assert (said.entry.seat, said.entry.text) == (None, "Who begins?")  # type: ignore[union-attr]
    await ann.say("You look on.")
    await until(cat, lambda happening: isinstance(happening.entry, Said) and happening.entry.name == "Ann")
    assert [line.text for line in cat.chat] == ["Who begins?", "You look on."]
    dan = await client.watch(ann.id, password="plum")
    assert [line.text for line in dan.chat] == ["Who begins?", "You look on."]
    await ann.bench(open=False)
    await until_end(cat)
    assert cat.gone == "benched"


async def test_what_the_host_can_do(client: Client) -> None:
    ann = await client.open("palace", player="Ann", seats=4)
    ben = await client.join(ann.id, player="Ben")
    await ann.configure({"turn_timer": 7}, auto_start=True, countdown=30)
    await until(ben, lambda happening: ben.options.turn_timer == 7)
    assert ben.player is not None and not ben.player.ready
    await ben.ready()
    assert ben.player is not None and ben.player.ready
    await ann.silence(1)
    with pytest.raises(Refused) as refused:
        await ben.say("But …")
    assert refused.value.code == "silenced"
    await ann.hand_over(1)
    assert not ann.hosting
    await until(ben, lambda happening: ben.hosting)
    await ben.add_bots(2, "random")
    await until(ann, lambda happening: isinstance(happening.entry, Joined) and happening.entry.seat == 3)
    assert [player.bot for player in ann.summary.players] == [None, None, "random", "random"]


async def test_who_does_not_read_costs_no_memory_and_is_told_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "MOST_UNREAD", 10)
    ann = await client.open("palace", player="Ann", seats=2)
    await ann.add_bots()
    await ann.start()
    unread = []
    while ann.result is None:
        if ann.awaited:
            await ann.play(ann.moves[0])
        else:
            await asyncio.sleep(0)
        unread.append(ann.unread)
    assert max(unread) <= 10
    first = await anext(ann)
    assert first.entry == Synced(missed=True)
    await ann.start()
    await play_out(ann)  # and all is well


async def test_too_many_requests_are_sent_again_later(tmp_path: Path) -> None:
    async with server(tmp_path, message_rate=2) as live, Client(live.http) as client:
        table = await client.open("palace", player="Ann")
        for _ in range(10):
            await table.configure({"turn_timer": 5})
        assert table.options.turn_timer == 5
        assert not table.gone


async def test_a_journal_that_cannot_be_written_is_waited_for(tmp_path: Path) -> None:
    async with process(tmp_path, "--bot-delay", "0") as live, Client(live.http) as client:
        table = await client.open("palace", player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        await until_awaited(table)
        _, most = resource.prlimit(live.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(live.pid, resource.RLIMIT_FSIZE, ((tmp_path / "journal.sqlite-wal").stat().st_size, most))
        playing = asyncio.create_task(table.play(table.moves[0]))
        await until_entry(table, Synced)  # it could not be written, and has not happened
        assert not playing.done()
        resource.prlimit(live.pid, resource.RLIMIT_FSIZE, (most, most))
        await playing
        await until_awaited(table)


async def test_nothing_is_left_behind(live: LiveHere) -> None:
    before = asyncio.all_tasks()
    async with Client(live.http) as client:
        ann = await client.open("palace", player="Ann", seats=2)
        ben = await client.join(ann.id, player="Ben")
        await ben.leave()
        reading = asyncio.create_task(until_end(ann))
        joining = asyncio.create_task(client.join(ann.id, player="Cat"))
        await asyncio.sleep(0)
        joining.cancel()
        await asyncio.gather(joining, return_exceptions=True)
        assert joining.cancelled()
    await reading
    assert ann.gone == "hung up"
    await asyncio.gather(*asyncio.all_tasks() - before, return_exceptions=True)  # what is cancelled ends a little later
    assert asyncio.all_tasks() == before


async def test_a_hint_is_a_move_and_says_how_good_it_is(live: LiveHere, client: Client) -> None:
    table = await client.open("coup", player="Ann", seats=2)
    assert not table.hints
    with pytest.raises(Refused) as refusal:
        await table.hint()
    assert refusal.value.code == "not_started"
    await table.add_bots()
    await table.start()
    await until_awaited(table)
    assert table.hints
    found = await table.hint()
    assert found.move in table.moves
    assert found.label
    await table.play(found.move)


async def test_a_hint_that_comes_too_late(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    async with server(tmp_path, games=PONDERED, thinkers=1, time=ManualTime()) as live, Client(live.http) as client:
        table = await client.open("bids", player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        await until_awaited(table)
        asked = asyncio.create_task(table.hint())
        await become(lambda: bool(folder.thoughts()))
        await table.play(table.moves[0])
        with pytest.raises(TooLate):
            await asked


async def test_who_has_left_a_game_is_named_at_its_end(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        live = await stack.enter_async_context(server(tmp_path, bot_delay=0))
        ann, ben, cleo = [await stack.enter_async_context(Client(live.http)) for _ in range(3)]
        table = await ann.open("coup", player="Ann", seats=3)
        others = [await ben.join(table.id, player="Ben"), await cleo.join(table.id, player="Cleo")]
        await table.start()
        for other in others:
            await other.leave()
        end = await anext(happening async for happening in table if happening.result is not None)
        assert [player.seat for player in end.cast] == [0, 1, 2]
        assert {player.name for player in end.cast} == {"Ann", "Ben", "Cleo"}
        outcome = Outcome.of(cast(Any, table), end)
        assert sorted(outcome.labels) == ["Ann", "Ben", "Cleo"] and "place 1 of 3" in str(outcome)
