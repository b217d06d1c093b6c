"""Bots that look ahead, at tables of a real server and in real processes. Only time is the tests' own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.net import thinking
from croupier.net.thinking import ThinkingPool
from croupier.tables import error_log
from croupier.tables.room import Room
from croupier.tables.thoughts import LATE, Thought
from tests.client import PATIENCE, Client, client
from tests.clock import ManualTime
from tests.live import LiveHere, process, request, server
from tests.searchers import PONDERED, Folder, Lowest, alive

ALL = 20.0
"""Seconds after which nobody waits for a bot any more."""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.002)


class Evening:
    """A server with a clock that the test sets, and people at tables with bots."""

    def __init__(self, live: LiveHere, clock: ManualTime, stack: AsyncExitStack) -> None:
        self.live = live
        self.clock = clock
        self._stack = stack

    @property
    def pool(self) -> ThinkingPool:
        pool = self.live.house.thinkers
        assert isinstance(pool, ThinkingPool)
        return pool

    async def comes(self, wishes: str = "") -> Client:
        return await self._stack.enter_async_context(client(self.live.ws(f"/ws{wishes}")))

    async def sits_down(self, bot: str, bots: int = 1, start: bool = True) -> Client:
        """Somebody opens a table with such bots, and the game begins."""
        person = await self.comes()
        await person.ask("open", game="bids", player="Ann", seats=bots + 1)
        await person.ask("add_bots", bot=bot, count=bots)
        if start:
            await person.ask("start")
        return person

    def room(self, person: Client) -> Room:
        return self.live.house.rooms[person.table]

    def thought(self, person: Client, seat: int = 1) -> Thought:
        room = self.room(person)
        return room.bots.thoughts[room.table.seats[seat]]

    async def moved(self, person: Client, seat: int = 1) -> dict[str, Any]:
        """What the seat has bid, when all time that it may take has passed."""
        await self.clock.to_pass(ALL)
        return bid(self.room(person), seat)


def bid(room: Room, seat: int) -> dict[str, Any]:
    hand, bidden = sorted(room.table.state.hands[seat]), room.table.state.bids[seat]
    return {"bid": bidden, "left": hand}


def highest(bidden: dict[str, Any]) -> bool:
    return bidden["bid"] is not None and bidden["bid"] >= max(bidden["left"])


def lowest(bidden: dict[str, Any]) -> bool:
    return bidden["bid"] is not None and bidden["bid"] <= min(bidden["left"])


@asynccontextmanager
async def evening(path: Path, **settings: Any) -> AsyncIterator[Evening]:
    clock = ManualTime()
    given: dict[str, Any] = {"games": PONDERED, "thinkers": 1, "test_seed": "07" * 32} | settings
    async with server(path, time=clock, **given) as live, AsyncExitStack() as stack:
        yield Evening(live, clock, stack)


async def test_a_bot_thinks_elsewhere_and_its_answer_is_a_move(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("thoughtful")
        thought = here.thought(ann)
        assert "thoughtful" in [bot["name"] for bot in ann.welcome["games"][0]["bots"]]
        folder.open_gate()
        await until(lambda: thought.answered)
        assert bid(here.room(ann), 1)["bid"] is None, "it takes the time that it always takes"
        assert highest(await here.moved(ann))
        assert here.pool.fallbacks == 0


async def test_how_long_it_takes_does_not_show_whether_there_was_much_to_think_about(folder: Folder) -> None:
    async with evening(folder.path, bot_delay=0.01) as here:
        ann = await here.sits_down("thoughtful")
        thought = here.thought(ann)
        due = thought.asked_at + thought.takes
        folder.open_gate()
        await until(lambda: thought.answered)
        await here.clock.to_pass((due - here.clock.now() - 1) / 1000)
        assert bid(here.room(ann), 1)["bid"] is None
        await here.clock.to_pass(0.001)
        assert highest(bid(here.room(ann), 1))
        state = here.room(ann).table.state
        state.hands[1][:] = [3]  # there is nothing to choose any more
        await ann.ask("play", move={"move": "bid", "card": state.hands[0][0]})
        begun = here.thought(ann)
        assert begun.answered and begun.question is None, "nobody is asked"
        assert begun.moves_at(0, float("inf")) - begun.asked_at == due - thought.asked_at, "and it takes as long"


async def test_who_is_late_is_not_waited_for(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("endless")
        thought = here.thought(ann)
        await until(lambda: bool(folder.thoughts()))
        await here.clock.to_pass((thought.takes + LATE) / 1000 - 0.001)
        assert bid(here.room(ann), 1)["bid"] is None
        await here.clock.to_pass(0.001)
        assert lowest(bid(here.room(ann), 1))
        await until(lambda: here.pool.thinking == 0)
        assert (here.pool.fallbacks, here.pool.killed) == (1, 0)


@pytest.mark.parametrize("kind", ["raising", "cheating", "babbling"])
async def test_what_can_not_be_used_is_not_used(folder: Folder, kind: str) -> None:
    before = error_log.seen["bot"]
    async with evening(folder.path) as here:
        ann = await here.sits_down(kind)
        await until(lambda: here.thought(ann).answered)
        assert lowest(await here.moved(ann))
        assert here.pool.fallbacks == 1
    assert error_log.seen["bot"] > before


async def test_a_bot_that_takes_its_process_down_is_relieved(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("crashing")
        room = here.room(ann)
        await until(lambda: isinstance(room.bots.bot(room.table.seats[1]), Lowest))
        assert lowest(await here.moved(ann))
        await ann.ask("play", move={"move": "bid", "card": room.table.state.hands[0][0]})
        await here.clock.to_pass(ALL)
        assert room.table.state.bids[1] is not None
        assert len(folder.thoughts()) == 1, "and does not think again"


async def test_a_bot_that_has_to_be_killed_is_relieved(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "STUBBORN", 0.05)
    async with evening(folder.path) as here:
        ann = await here.sits_down("stubborn")
        room = here.room(ann)
        await until(lambda: bool(folder.thoughts()))
        assert lowest(await here.moved(ann))
        await until(lambda: here.pool.killed == 1)
        assert type(room.bots.bot(room.table.seats[1])) is Lowest


async def test_nobody_thinks_where_nobody_may(folder: Folder) -> None:
    async with evening(folder.path, thinkers=0) as here:
        ann = await here.sits_down("thoughtful")
        assert here.live.house.thinkers is None
        assert [bot["name"] for bot in ann.welcome["games"][0]["bots"]] == ["lowest"], "nobody is offered a master"
        assert not here.room(ann).bots.thoughts
        assert lowest(await here.moved(ann))


async def test_when_too_many_think_the_others_move_on_the_spot(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "IN_ALL", 1)
    async with evening(folder.path) as here:
        ann, bob = await here.sits_down("thoughtful"), await here.sits_down("thoughtful")
        assert not here.thought(ann).answered
        thought = here.thought(bob)
        assert thought.answered, "there is nothing to wait for"
        await here.clock.to_pass(max(thought.takes / 1000, 2.0))
        assert lowest(bid(here.room(bob), 1))


async def test_before_the_clock_runs_out_a_bot_moves_without_having_thought(folder: Folder) -> None:
    async with evening(folder.path, bot_delay=0.01) as here:
        ann, bob = await here.sits_down("thoughtful", bots=2, start=False), await here.comes()
        await ann.ask("kick", seat=1)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("configure", options={"seconds": 1})
        await ann.ask("start")
        room = here.room(ann)
        (bot,) = room.bots.searching
        await here.clock.to_pass(0.499)
        assert room.table.state.bids[bot.number] is None
        await here.clock.to_pass(0.001)
        assert lowest(bid(room, bot.number))


async def test_when_the_game_moves_on_nobody_goes_on_thinking(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann, bob = await here.sits_down("endless", bots=2, start=False), await here.comes()
        await ann.ask("kick", seat=1)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        room = here.room(ann)
        (bot,) = room.bots.searching
        before = room.bots.thoughts[bot]
        await until(lambda: len(folder.thoughts()) == 1)
        await ann.ask("play", move={"move": "bid", "card": room.table.state.hands[0][0]})
        after = room.bots.thoughts[bot]
        assert after is not before, "somebody has bid, which everybody sees: there is something else to think about"
        await until(lambda: len(folder.thoughts()) == 2)
        await bob.ask("leave")
        await until(lambda: len(folder.thoughts()) == 3)
        await ann.ask("leave")
        await until(lambda: here.pool.thinking == 0)
        assert ann.table not in here.live.house.rooms or not room.bots.thoughts
        assert here.pool.killed == 0


async def test_an_answer_to_what_is_over_is_not_heard(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("thoughtful")
        room = here.room(ann)
        seat, before = room.table.seats[1], here.thought(ann)
        await until(lambda: len(folder.thoughts()) == 1)
        await here.clock.to_pass(ALL)
        assert lowest(bid(room, 1))
        folder.open_gate()
        await until(lambda: here.pool.thinking == 0)
        assert seat not in room.bots.thoughts
        assert before.move is None
        assert room.table.state.bids.count(None) == 1, "it has moved once"


async def test_in_the_second_game_it_thinks_as_in_the_first(folder: Folder) -> None:
    folder.open_gate()
    async with evening(folder.path) as here:
        ann = await here.sits_down("thoughtful")
        room = here.room(ann)
        for game in (1, 2):
            while room.table.games < game:
                await until(lambda: not room.bots.thoughts or here.thought(ann).answered)
                await here.clock.to_pass(ALL)
                if moves := room.table.game.moves(room.table.state, 0):
                    await ann.ask("play", move={"move": "bid", "card": moves[0].card})
            assert not room.bots.thoughts
            if game == 1:
                await ann.ask("start")
        assert here.pool.fallbacks == 0
        assert here.pool.questions >= 4


async def test_after_a_restart_it_is_asked_again(folder: Folder) -> None:
    async with evening(folder.path, journal="") as here:
        ann = await here.sits_down("thoughtful")
        await until(lambda: len(folder.thoughts()) == 1)
        token = ann.token
    assert not alive(folder.thoughts()[0]["pid"])
    folder.open_gate()
    async with evening(folder.path, journal="") as here:
        bob = await here.comes()
        await bob.ask("return", table=ann.table, token=token)
        await until(lambda: here.thought(bob).answered)
        assert highest(await here.moved(bob))
    assert len(folder.thoughts()) == 2


async def test_where_nobody_is_nobody_thinks(folder: Folder) -> None:
    async with evening(folder.path) as here:
        async with client(here.live.ws("/ws")) as ann:
            await ann.ask("open", game="bids", player="Ann", seats=2)
            await ann.ask("add_bots", bot="thoughtful", count=1)
            await ann.ask("start")
            room = here.room(ann)
            assert room.bots.thoughts
        await until(lambda: not room.sessions)
        await here.clock.to_pass(ALL)
        await until(lambda: not room.bots.thoughts)
        await until(lambda: here.pool.thinking == 0)
        assert bid(room, 1)["bid"] is None, "nor moves"


async def test_twenty_tables_think_and_another_plays_on(folder: Folder) -> None:
    async with evening(folder.path) as here:
        thinkers = [await here.sits_down("endless") for _ in range(20)]
        await until(lambda: bool(folder.thoughts()))
        assert (here.pool.thinking, here.pool.waiting) == (1, 19)
        ann, bob = await here.sits_down("lowest", start=False), await here.comes()
        await ann.ask("kick", seat=1)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        for _ in range(4):
            for person in (ann, bob):
                card = here.room(ann).table.state.hands[person.seat or 0][0]
                await person.ask("play", move={"move": "bid", "card": card})
        assert here.room(ann).table.games == 1
        await here.clock.to_pass(ALL)
        await until(lambda: all(lowest(bid(here.room(person), 1)) for person in thinkers))
        assert here.pool.fallbacks == 20


async def test_the_server_tells_what_its_thinkers_do(folder: Folder) -> None:
    async with evening(folder.path) as here:
        await here.sits_down("endless")
        await here.sits_down("endless")
        await until(lambda: bool(folder.thoughts()))
        told = (await request(here.live.ports["http"], "GET", "/metrics")).body.decode()
        figures = dict(line.split() for line in told.splitlines() if line.startswith("croupier_think"))
        assert figures["croupier_thinkers"] == "1.0"
        assert figures["croupier_thinking"] == "1.0"
        assert figures["croupier_thinking_queued"] == "1.0"
        assert figures["croupier_thinking_questions_total"] == "2.0"


FLAGS = (
    *("--game", "tests.searchers:PONDERED_GAME", "--thinkers", "1"),
    *(
        "--test-mode",
        "--test-clock-speed",
        "0.01",
    ),  # on a busy machine nobody is to be late before the process is there
)
SABOTAGE = "import tests.searchers, pathlib; tests.searchers.Thoughtful.folder = pathlib.Path({!r})"


@pytest.mark.parametrize("kind", ["endless", "stubborn"])
@pytest.mark.parametrize("way", ["terminate", "kill"])
async def test_thinkers_leave_with_the_server(folder: Folder, kind: str, way: str) -> None:
    sabotage = SABOTAGE.format(str(folder.path))
    async with process(folder.path, *FLAGS, sabotage=sabotage) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="bids", player="Ann", seats=2)
        await ann.ask("add_bots", bot=kind, count=1)
        await ann.ask("start")
        await until(lambda: bool(folder.thoughts()))
        pid = folder.thoughts()[0]["pid"]
        assert alive(pid)
        await getattr(live, way)()
        await until(lambda: not alive(pid))
