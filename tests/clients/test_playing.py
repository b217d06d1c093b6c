"""Seats that are played by bots over the network: handed what they would be handed at the server, and asked when."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier import plugins
from croupier.client import Client, Happening, Table, TooLate
from croupier.client.entries import Started, Synced
from croupier.client_bots.playing import Player
from croupier.foreign_bots import programs
from croupier.foreign_bots.failing import BotFailed
from croupier.games import Catalogue, catalogue
from croupier.kernel import Bot, Dice, Event, RandomBot
from croupier.kernel.chance import QuickDice
from tests.browser.line import line
from tests.clients.reading import PATIENCE, until_entry
from tests.live import server
from tests.toys import Bid, Bids

BIDS = Catalogue({"bids": Bids()}, [])


async def play(table: Table, player: Player, games: int = 1) -> list[Happening]:
    """Games to their ends; returns these."""
    ends = []
    async with asyncio.timeout(PATIENCE):
        async for happening in table:
            move = player.answer(table, happening)
            if move is not None:
                with suppress(TooLate):
                    await table.play(move)
            if happening.result is not None:
                ends.append(happening)
                if len(ends) == games:
                    break
                await table.start()
    return ends


@pytest.mark.parametrize("game", catalogue().games)
async def test_the_games_own_bots_play_as_they_do_at_the_server(tmp_path: Path, game: str) -> None:
    rules = catalogue().games[game]
    kind = next(iter(rules.bots.values()))
    async with server(tmp_path, bot_delay=0, message_rate=0) as live, Client(live.http) as client:
        table = await client.open(game, player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        (end,) = await play(table, Player(kind))
        assert [player.name for player in end.cast if player.bot is None] == ["Ann"]


@pytest.mark.parametrize("known", [True, False])
async def test_a_game_with_forms(tmp_path: Path, known: bool) -> None:
    """Three cards are passed on in Hearts; a bot chooses among some ways to do that."""
    games = plugins.catalogue(["croupier_hearts"])
    async with (
        server(tmp_path, games, bot_delay=0, message_rate=0) as live,
        Client(live.http, games.games if known else {}) as client,
    ):
        table = await client.open("hearts", player="Ann")
        await table.add_bots(3)
        await table.start()
        await play(table, Player(RandomBot))


class Diary(Bot):
    """Remembers what it was told."""

    all: list[Diary]

    def __init__(self) -> None:
        self.all.append(self)
        self.seen: list[Event] = []
        self.asked: list[tuple[str, int]] = []

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self.seen += events

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        self.asked.append(("choose", len(self.seen)))
        return moves[0]

    def interject(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        self.asked.append(("interject", len(self.seen)))
        return None


@pytest.fixture
def diaries(monkeypatch: pytest.MonkeyPatch) -> list[Diary]:
    written: list[Diary] = []
    monkeypatch.setattr(Diary, "all", written, raising=False)
    return written


async def test_each_game_has_a_bot_of_its_own_that_sees_all_of_it(tmp_path: Path, diaries: list[Diary]) -> None:
    async with server(tmp_path, BIDS, bot_delay=0) as live, Client(live.http, BIDS.games) as client:
        table = await client.open("bids", player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        await play(table, Player(Diary), games=2)
    _, *played = diaries  # the first one is there before the first game
    assert len(played) == 2
    for diary in played:
        assert [kind for kind, _ in diary.asked] == ["choose"] * 4
        names = [type(event).__name__ for event in diary.seen]
        assert names == ["Bidden", "Bidden", "Won"] * 4
        cards = [event.card for event in diary.seen if hasattr(event, "card")]
        assert None in cards and not all(card is None for card in cards)  # its own, and not the other's


async def test_it_is_asked_once_whether_it_interjects(tmp_path: Path, diaries: list[Diary]) -> None:
    async with server(tmp_path, bot_delay=0, message_rate=0) as live, Client(live.http) as client:
        table = await client.open("cambia", player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        player = Player(Diary)
        asked: list[int] = []
        async with asyncio.timeout(PATIENCE):
            while len(asked) < 5:
                happening = await anext(table)
                move = player.answer(table, happening)
                now = diaries[-1].asked[-1:]
                if now and now[0][0] == "interject":
                    asked.append(happening.seq)
                    await table.say("Hm.")  # nothing happens in the game
                if move is not None:
                    with suppress(TooLate):
                        await table.play(move)
        interjections = [seen for kind, seen in diaries[-1].asked if kind == "interject"]
        assert len(interjections) == len(set(interjections))


async def test_who_has_missed_something_begins_anew(tmp_path: Path, diaries: list[Diary]) -> None:
    async with (
        server(tmp_path, bot_delay=0) as live,
        line(live.ports["http"]) as through,
        Client(through.http) as client,
    ):
        table = await client.open("palace", player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        player = Player(Diary)
        cut = False
        missed = 0
        async with asyncio.timeout(PATIENCE):
            async for happening in table:
                begun = len(diaries)
                move = player.answer(table, happening)
                afresh = isinstance(happening.entry, Started) or (
                    isinstance(happening.entry, Synced) and happening.entry.missed
                )
                assert (len(diaries) > begun) == (afresh or not begun)
                missed += afresh and not isinstance(happening.entry, Started)
                if move is not None:
                    if not cut:
                        cut = True
                        through.cut()
                    with suppress(TooLate):
                        await table.play(move)
                if happening.result is not None:
                    break
        assert missed


def odd(choose: Callable[[Sequence[Any]], Any]) -> Player:
    class Odd(Bot):
        def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
            return choose(moves)

    return Player(Odd)


def _answer(answer: Any, moves: Sequence[Any]) -> Any:
    return answer


async def test_what_is_no_move_is_the_bots_fault(tmp_path: Path) -> None:
    async with server(tmp_path, BIDS) as live, Client(live.http, BIDS.games) as client:
        table = await client.open("bids", player="Ann", seats=2)
        await table.add_bots()
        await table.start()
        started = await until_entry(table, Started)
        offered = table.moves[0]
        assert odd(lambda moves: moves[0]).answer(table, started) == offered
        same = {"move": "bid", "card": offered.card}
        assert odd(lambda moves: same).answer(table, started) == same
        for answer, sentence in (
            (Bid(9), 'the bot chose a move that it was not offered: {"move":"bid","card":9}'),
            ({"move": "pass"}, 'the bot chose a move that it was not offered: {"move":"pass"}'),
            (object, "the bot chose a move that it was not offered: <class 'object'>"),
            ("7" * 1000, f'the bot chose a move that it was not offered: "{"7" * 199}…'),
            (None, "the bot chose no move"),
        ):
            with pytest.raises(BotFailed) as failed:
                odd(partial(_answer, answer)).answer(table, started)
            assert str(failed.value) == sentence
        with pytest.raises(BotFailed, match="the bot failed: IndexError: ") as failed:
            odd(lambda moves: moves[99]).answer(table, started)
        assert isinstance(failed.value.__cause__, IndexError)


def program(code: str) -> list[str]:
    return [sys.executable, "-c", code]


ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({answer}), flush=True)
"""


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("1", Bid(4)),
        ("asked['moves'][0]", {"move": "bid", "card": 3}),
        ("{'move': 'bid', 'card': 1 + asked['seat'] + asked['view'] + len(asked['events']) * asked['new']}",
         {"move": "bid", "card": 10}),
        ("asked['type']", "move"),
    ],
)  # fmt: skip
def test_a_program_is_asked_and_answers(answer: str, move: Any) -> None:
    with programs.running(program(ECHO.replace("{answer}", answer)), interjects=False) as running:
        bot = running.bot()
        bot.observe(2, [Bid(1), Bid(2)])  # type: ignore[list-item]
        assert bot.choose(2, 5, [Bid(3), Bid(4)], QuickDice()) == move
        assert bot.interject(2, 5, [Bid(3)], QuickDice()) is None  # it was not asked


def test_a_program_may_be_asked_whether_it_interjects() -> None:
    answer = "None if asked['new'] else asked['type']"
    with programs.running(program(ECHO.replace("{answer}", answer)), interjects=True) as running:
        bot = running.bot()
        assert bot.interject(0, None, [Bid(3)], QuickDice()) is None
        said: Any = bot.interject(0, None, [Bid(3)], QuickDice())
        assert said == "interject"
        assert running.bot().interject(0, None, [Bid(3)], QuickDice()) is None


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import sys; sys.exit(3)", "the program ended with exit code 3, and was to answer"),
        ("print('one', flush=True); input()", "the program answered 'one', which is not JSON"),
        ("print(7, flush=True); input()", "the program chose move 7, and there are the moves 0 to 1"),
        ("print(-1, flush=True); input()", "the program chose move -1, and there are the moves 0 to 1"),
    ],
)
def test_a_program_that_does_not_answer_as_it_should(code: str, sentence: str) -> None:
    with (
        programs.running(program(code), interjects=False) as running,
        pytest.raises(BotFailed, match=f"^{sentence}$"),
    ):
        running.bot().choose(0, None, [Bid(3), Bid(4)], QuickDice())
