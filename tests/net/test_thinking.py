"""Processes that think for bots: in turn, no longer than somebody waits, and nobody's trouble."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from croupier.kernel import Budget, Chance
from croupier.kernel.chance import QuickDice
from croupier.net import thinking
from croupier.net.thinking import ThinkingPool, pool_size
from croupier.tables import thoughts
from croupier.tables.thoughts import Answer, Question
from tests.client import PATIENCE
from tests.searchers import Crashing, Endless, Folder, Pondered, Raising, Stubborn, Thoughtful, alive
from tests.toys import Options

GAME = Pondered()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
async def pool(folder: Folder) -> AsyncIterator[ThinkingPool]:
    opened = ThinkingPool({"bids": Pondered}, 1)
    yield opened
    await opened.close()


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.002)


def question(bot: Thoughtful, table: str = "t", payer: str = "here", budget: Budget | None = None) -> Question:
    state = GAME.deal(Options(), 2, Chance(bytes(32)), 0)
    problem = thoughts.put(GAME, state, 0, bot, QuickDice(1))
    return Question(table, 0, payer, budget or bot.budget, problem)


def ask(pool: ThinkingPool, asked: Question) -> list[Answer]:
    answers: list[Answer] = []
    assert pool.ask(asked, answers.append)
    return answers


async def test_nothing_is_started_before_somebody_asks(pool: ThinkingPool, folder: Folder) -> None:
    assert pool.processes == 0
    folder.open_gate()
    answers = ask(pool, question(Thoughtful()))
    await until(lambda: bool(answers))
    highest = GAME.moves(GAME.deal(Options(), 2, Chance(bytes(32)), 0), 0)[-1]
    assert answers[0].outcome == "found"
    assert GAME.understand(answers[0].move) == highest
    assert pool.processes == 1
    assert pool.seconds > 0
    (thought,) = folder.thoughts()
    assert thought["nice"] >= 15, "the server comes first"


async def test_addresses_take_turns_and_so_do_their_tables(pool: ThinkingPool, folder: Folder) -> None:
    order = ["a1", "a1", "a1", "a2", "b1", "c1", "c1"]
    answers = [ask(pool, question(Thoughtful(table), table, table[0])) for table in order]
    await until(lambda: folder.labels() == ["a1"])
    assert (pool.thinking, pool.waiting) == (1, 6)
    folder.open_gate()
    await until(lambda: all(answers))
    assert folder.labels() == ["a1", "a1", "b1", "c1", "a2", "c1", "a1"]


async def test_the_more_have_to_think_the_less_time_each_has(pool: ThinkingPool, folder: Folder) -> None:
    folder.open_gate()
    answers = [ask(pool, question(Thoughtful(), str(number), budget=Budget(2.0, 500))) for number in range(4)]
    await until(lambda: all(answers))
    assert [thought["seconds"] for thought in folder.thoughts()] == [2.0, 2.0 / 3, 1.0, 2.0]


async def test_there_is_an_end_to_what_may_wait(pool: ThinkingPool, folder: Folder) -> None:
    ask(pool, question(Thoughtful()))
    for number in range(thinking.PER_ADDRESS):
        ask(pool, question(Thoughtful(), str(number)))
    assert not pool.ask(question(Thoughtful()), print)
    assert pool.ask(question(Thoughtful(), payer="there"), print), "others are not affected"


async def test_who_is_told_to_stop_goes_on_with_the_next(pool: ThinkingPool, folder: Folder) -> None:
    endless, other = question(Endless("endless")), question(Thoughtful("other"))
    given_up, waiting = ask(pool, endless), ask(pool, other)
    never = question(Thoughtful("never"))
    silent = ask(pool, never)
    await until(lambda: folder.labels() == ["endless"])
    folder.open_gate()
    pool.cancel(never)
    pool.cancel(endless)
    await until(lambda: bool(waiting))
    assert [answer.outcome for answer in given_up + waiting] == ["given up", "found"]
    assert folder.labels() == ["endless", "other"]
    assert silent == []
    assert len({thought["pid"] for thought in folder.thoughts()}) == 1, "it is the same process"
    assert pool.killed == 0


async def test_who_is_told_to_stop_before_it_has_begun_does_not_begin(pool: ThinkingPool, folder: Folder) -> None:
    endless = question(Endless())
    answers = ask(pool, endless)
    pool.cancel(endless)
    await until(lambda: bool(answers))
    assert answers[0].outcome == "given up"
    assert folder.labels() == []


async def test_who_does_not_listen_is_killed_and_replaced(
    pool: ThinkingPool, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "STUBBORN", 0.1)
    stubborn = question(Stubborn("stubborn"))
    killed, after = ask(pool, stubborn), ask(pool, question(Thoughtful("after")))
    folder.open_gate()
    await until(lambda: folder.labels() == ["stubborn"])
    pool.cancel(stubborn)
    await until(lambda: bool(after))
    assert [answer.outcome for answer in killed + after] == ["killed", "found"]
    assert pool.killed == 1
    first, second = (thought["pid"] for thought in folder.thoughts())
    assert first != second
    assert not alive(first)


async def test_who_takes_the_process_down_costs_only_its_own_thought(pool: ThinkingPool, folder: Folder) -> None:
    folder.open_gate()
    crashed, raised, after = (ask(pool, question(kind())) for kind in (Crashing, Raising, Thoughtful))
    await until(lambda: bool(after))
    assert [answer.outcome for answer in crashed + raised + after] == ["killed", "failed", "found"]
    assert "ValueError" in raised[0].what
    assert "Bid(" not in raised[0].what, "what it says may be somebody's hand"


async def test_nobody_thinks_for_ever(pool: ThinkingPool, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "LONGEST", 0.5)
    monkeypatch.setattr(thinking, "STUBBORN", 600)  # it listens, however late it gets to run
    answers = ask(pool, question(Endless()))
    await until(lambda: bool(answers))
    assert answers[0].outcome == "given up"


async def test_processes_go_when_nobody_asks_and_come_back(
    pool: ThinkingPool, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "IDLE", 0.01)
    folder.open_gate()
    for _ in range(2):
        answers = ask(pool, question(Thoughtful()))
        await until(lambda answers=answers: bool(answers))  # type: ignore[misc]
        await until(lambda: not alive(folder.thoughts()[-1]["pid"]))
        assert pool.processes == 0


async def test_when_it_closes_everybody_stops(folder: Folder) -> None:
    pool = ThinkingPool({"bids": Pondered}, 2)
    answers = [ask(pool, question(kind(), kind.name)) for kind in (Stubborn, Endless, Thoughtful)]
    await until(lambda: len(folder.thoughts()) == 2)
    await pool.close()
    assert not any(alive(thought["pid"]) for thought in folder.thoughts())
    assert answers == [[], [], []]
    assert not pool.ask(question(Thoughtful()), print)


def test_a_processor_is_left_to_every_node(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    for processors, nodes in ((1, 1), (2, 1), (8, 1), (8, 2), (8, 8), (2, 4)):
        monkeypatch.setattr(thinking, "processors", lambda processors=processors: processors)
        sizes.append(pool_size(None, nodes))
    assert sizes == [1, 1, 7, 3, 1, 1]
    assert (pool_size(0, 1), pool_size(5, 2)) == (0, 5)
