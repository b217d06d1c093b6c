"""Cards go from place to place: from where they were to where they are, with nothing left out, in all games."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from croupier_crazy_eights import game as crazy_eights
from msgspec.structs import replace
from playwright.async_api import Browser, Route, expect

from croupier.client import Client
from croupier.client.table import Table
from croupier.games import Catalogue, catalogue
from croupier.games.coup.moves import Lose
from croupier.games.fortress.moves import ActivateTrickster, AllowAction, AttackCard, PlayCard
from croupier.kernel import Move, Rig
from croupier.kernel.cards import DECK
from croupier.kernel.chance import QuickDice
from croupier.kernel.lesson import Made
from croupier.tables.house import House
from tests.browser.flights import CATCH, Flight, flown, middle, nothing_else_moved, shifted, the
from tests.browser.person import AT_REST, DESKTOP, MOTION, PHONE, Person
from tests.browser.test_cambia import act
from tests.browser.test_replay import finished
from tests.games.cambia.wire import ANN, BEN, stacked
from tests.live import LiveHere, server

SIZES = pytest.mark.parametrize("context", [DESKTOP, PHONE], ids=["desktop", "phone"])


@asynccontextmanager
async def two(
    browser: Browser,
    live: LiveHere,
    game: str,
    rig: Rig | None = None,
    options: dict[str, Any] | None = None,
    still: bool = False,
    **context: Any,
) -> AsyncIterator[tuple[Person, Table]]:
    """Ann at a page where things move, and Ben, who does as he is told, in a game that has just begun: Ann is first."""
    live.house.settings = replace(live.house.settings, first=1, rig=rig or Rig(orders={"first": [1]}))
    live.house.dice = QuickDice(0)
    async with Client(live.http) as client:
        ben = await client.open(game, player="Ben", seats=2, options=options)
        ann = await Person.arrive(
            browser, "Ann", live.http, pace=1, script=CATCH, **context, **(AT_REST if still else MOTION)
        )
        await ann.join(f"/t/{ben.id}")
        await ben.start()
        await expect(ann.page.locator(".felt, .map")).to_be_visible()
        await shifted(ann)  # that the table has come
        yield ann, ben
    assert ann.complaints == []


async def turn_of(ben: Table) -> None:
    while not ben.moves:
        await anext(ben)


def begins_at(flight: Flight, place: tuple[float, float], within: float = 30) -> None:
    assert math.dist(flight.path[0], place) < within, (flight.path[0], place)


# Open, hidden, in hand.
OURS = ["10♣", "10♦", "K♣", "K♦", "A♣", "A♦", "7♣", "7♦", "8♣", "8♦", "9♣", "9♦"]
HIS = ["2♣", "2♦", "3♣", "3♦", "5♣", "5♦", "J♣", "J♦", "Q♣", "Q♦", "6♣", "6♦"]


@SIZES
async def test_palace(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    rig = Rig(orders={"deck": [*OURS, *HIS, "4♣", "4♦"]})
    async with two(browser, live, "palace", rig, **context) as (ann, ben):
        dealt = await flown(ann)
        assert {flight.piece for flight in dealt} > {"7♣", "8♦"}
        for card in ("7♣", "8♦"):
            begins_at(the(dealt, card), await middle(ann, "[data-place=pile]"))
        await ann.press(ann.button("^Lay these open"))
        assert {flight.piece for flight in await flown(ann)} >= {"10♣", "8♦"}
        await turn_of(ben)
        his = await middle(ann, f"[data-place='seat {ben.seat}']")
        await ben.play(next(move for move in ben.moves if set(move.cards) == {"2♣", "2♦", "3♣"}))
        begins_at(the(await flown(ann), "2♦"), his)

        hand = ann.page.get_by_role("group", name="Your hand")
        await ann.press(hand.locator("[data-card='8♦']"))
        held = await middle(ann, ".hand [data-piece='8♦']")
        await shifted(ann)  # from the setup to the game
        await ann.press(ann.button("^Play 8"))
        begins_at(the(await flown(ann), "8♦"), held)
        await nothing_else_moved(ann)

        await turn_of(ben)
        his = await middle(ann, f"[data-place='seat {ben.seat}']")
        await ben.play(next(move for move in ben.moves if move.cards == ("J♣",)))
        begins_at(the(await flown(ann), "J♣"), his)
        await nothing_else_moved(ann)


@SIZES
async def test_cambia(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    rig = Rig(orders={"deck": stacked((ANN, BEN), "10♥", "2♣", "3♣"), "first": [1]})
    async with two(browser, live, "cambia", rig, {"pre_game_sec": 0}, **context) as (ann, ben):
        dealt = await flown(ann)
        assert len(dealt) == len(ANN) + len(BEN) + 1  # and one to begin the discard pile with
        stock = await middle(ann, "[data-place=stock]")
        for flight in dealt:
            begins_at(flight, stock)
        await act(ann, "^Draw$")
        (drawn,) = await flown(ann)
        begins_at(drawn, await middle(ann, "[data-place=stock]"))
        held = await middle(ann, f"[data-piece='{drawn.piece}']")
        await nothing_else_moved(ann)
        await ann.press(
            ann.page.get_by_role("button", name=re.compile("^Keep it as|^Replace|your card 1", re.IGNORECASE)).first
        )
        swapped = await flown(ann)
        begins_at(the(swapped, drawn.piece), held)
        await nothing_else_moved(ann)
        await turn_of(ben)
        await ben.play(next(move for move in ben.moves if type(move).__name__ == "DrawStockpile"))
        (drawn,) = await flown(ann)
        begins_at(drawn, await middle(ann, "[data-place=stock]"))
        await nothing_else_moved(ann)


@SIZES
async def test_coup(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    async with two(browser, live, "coup", **context) as (ann, ben):
        dealt = await flown(ann)
        assert len(dealt) == 4
        for flight in dealt:
            begins_at(flight, await middle(ann, "[data-place=deck]"))
        await turn_of(ben)
        await ben.play(next(move for move in ben.moves if getattr(move, "action", "") == "income"))
        (coin,) = await flown(ann)
        begins_at(coin, await middle(ann, "[data-place=bank]"))
        assert math.dist(coin.path[-1], await middle(ann, f"[data-place='coins {ben.seat}']")) < 5
        await nothing_else_moved(ann)
        await ann.press(ann.button("^Income"))
        (coin,) = await flown(ann)
        assert math.dist(coin.path[-1], await middle(ann, f"[data-place='coins {ann.seat}']")) < 40
        await nothing_else_moved(ann)


@SIZES
async def test_faraway(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    async with two(browser, live, "faraway", **context) as (ann, ben):
        dealt = await flown(ann)
        assert sum(flight.piece.startswith("region") for flight in dealt) >= 3
        card = ann.page.locator(".hand [data-piece]").first
        piece = await card.get_attribute("data-piece")
        assert piece
        await ann.press(card)
        held = await middle(ann, f".hand [data-piece='{piece}']")
        await ann.press(ann.button("^Play "))
        begins_at(the(await flown(ann), piece), held)
        await nothing_else_moved(ann)
        await turn_of(ben)
        await ben.play(ben.moves[0])
        turned = [flight for flight in await flown(ann) if flight.piece.startswith("region")]
        assert turned
        await nothing_else_moved(ann)


@SIZES
async def test_fortress(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    async with two(browser, live, "fortress", **context) as (ann, ben):
        await ann.press(ann.button("^Play with Assault"))
        await ben.play(ben.moves[0])
        dealt = await flown(ann)
        own = [flight for flight in dealt if flight.piece]
        assert len(own) == await ann.page.get_by_role("group", name="Your hand").get_by_role("button").count()
        for flight in own:
            begins_at(flight, await middle(ann, f"[data-place='{ann.seat} deck']"))
        assert any(not flight.piece for flight in dealt)  # Ben's are not seen at their end


async def test_who_wants_no_motion_sees_none(browser: Browser, live: LiveHere) -> None:
    rig = Rig(orders={"deck": [*OURS, *HIS, "4♣", "4♦"]})
    async with two(browser, live, "palace", rig, **DESKTOP, still=True) as (ann, ben):
        await ann.press(ann.button("^Lay these open"))
        await turn_of(ben)
        await ben.play(next(move for move in ben.moves if set(move.cards) == {"2♣", "2♦", "3♣"}))
        await ann.press(ann.page.get_by_role("group", name="Your hand").locator("[data-card='8♦']"))
        await ann.press(ann.button("^Play 8"))
        await expect(ann.page.locator(".pile [data-piece='8♦']")).to_be_visible()
        assert await ann.page.evaluate("caught.length") == 0


async def test_a_new_move_goes_on_from_where_a_card_is(browser: Browser, live: LiveHere) -> None:
    """Ben's card lies on the pile before ours has arrived there, and both can be played upon."""
    rig = Rig(orders={"deck": [*OURS, *HIS, "4♣", "4♦"]})
    async with two(browser, live, "palace", rig, **DESKTOP) as (ann, ben):
        await flown(ann)
        await ann.press(ann.button("^Lay these open"))
        await turn_of(ben)
        await ben.play(next(move for move in ben.moves if set(move.cards) == {"2♣", "2♦", "3♣"}))
        hand = ann.page.get_by_role("group", name="Your hand")
        await flown(ann)
        await ann.press(hand.locator("[data-card='8♦']"))
        await ann.press(ann.button("^Play 8"))
        await ann.page.wait_for_function("() => caught.some((node) => node.dataset.flight === '8♦')")
        halfway = await ann.page.evaluate(HALFWAY, "8♦")
        await turn_of(ben)
        await ben.play(next(move for move in ben.moves if move.cards == ("J♣",)))
        await ann.page.wait_for_function("() => caught.some((node) => node.dataset.flight === 'J♣')")
        begins_at(the(await flown(ann), "8♦"), halfway, within=4)
        # Nobody has to wait for what moves: the next card is played while nothing of it has arrived.
        await ann.press(hand.locator("[data-card='8♣']"))


HALFWAY = """(piece) => {
  for (const one of document.getAnimations()) {
    if (one.timeline === document.timeline) one.currentTime = one.effect.getComputedTiming().endTime / 3
  }
  const { x, y, width, height } = caught.find((node) => node.dataset.flight === piece).getBoundingClientRect()
  return [x + width / 2, y + height / 2]
}"""


async def test_a_table_is_seen_while_its_page_is_being_loaded(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, service_workers="block", **PHONE)
    come = asyncio.Event()

    async def later(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await ann.page.route(re.compile(r"/assets/Page-.*\.js"), later)
    await ann.play_against_bots()
    await expect(ann.page.locator(".skeleton")).to_be_visible()
    await expect(ann.text("Joining the table")).to_be_attached()
    come.set()
    await expect(ann.button("^Lay these open")).to_be_visible()
    await expect(ann.page.locator(".skeleton")).to_have_count(0)
    assert ann.complaints == []


# What bots and people do after each other, by the script of a lesson: whoever looks on sees all of it move.


class Watched(NamedTuple):
    """Somebody who looks on at a table where two play by a script."""

    eve: Person
    house: House
    seats: list[Table]
    script: Iterator[Made]

    async def on(self, to: Callable[[Move], bool]) -> list[Flight]:
        """The next moves of the script, up to the first of this kind; all that has flown in that one."""
        for made in self.script:
            table, move = self.seats[made.seat], made.move
            assert move is not None
            while not any(type(one) is type(move) for one in table.moves):
                await anext(table)
            if found := to(move):
                await self.rest()
            await table.play(move)
            if found:
                return await flown(self.eve)
        raise AssertionError("the script is over")

    async def rest(self) -> None:
        """What others have done is seen, and lies where it belongs."""
        seq = self.house.rooms[self.seats[0].id].table.seq
        await self.eve.until(lambda: self.eve.seq >= seq)
        await self.eve.page.evaluate(AT_ONCE)
        await shifted(self.eve)

    async def at(self, place: str) -> tuple[float, float]:
        return await middle(self.eve, f"[data-place='{place}']")


AT_ONCE = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  await frame()
  while (document.querySelector('[data-flight]')) {
    for (const one of document.getAnimations()) if (one.timeline === document.timeline) one.finish()
    await frame()
  }
  caught = []
}"""


@asynccontextmanager
async def watched(browser: Browser, live: LiveHere, game: str, **context: Any) -> AsyncIterator[Watched]:
    lesson = catalogue().games[game].lesson
    assert lesson is not None
    live.house.settings = replace(live.house.settings, first=0, rig=lesson.rig)
    live.house.dice = QuickDice(0)
    async with Client(live.http) as one, Client(live.http) as two:
        ann = await one.open(game, player="Ann", seats=2, options=dict(lesson.options))
        ben = await two.join(ann.id, player="Ben")
        # Nobody waits between two moves: what flies is stopped as it sets out.
        eve = await Person.arrive(browser, "Eve", live.http, pace=0.001, script=CATCH, **context, **MOTION)
        await eve.page.goto(f"/t/{ann.id}")
        await eve.press(eve.button("^Watch"))
        await eve.button("^Leave").wait_for()
        await ann.start()
        yield Watched(eve, live.house, sorted([ann, ben], key=lambda table: table.seat or 0), iter(lesson.moves))
    assert eve.complaints == []


def passes(flight: Flight, place: tuple[float, float], within: float = 30) -> None:
    nearest = min(math.dist(at, place) for at in flight.path)
    assert nearest < within, (flight, place)


@SIZES
async def test_a_pile_is_picked_up_and_burns(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    async with watched(browser, live, "palace", **context) as table:
        burns = await table.on(lambda move: getattr(move, "cards", ()) == ("10♣",))
        fire, pile = await table.at("burned"), await table.at("pile")
        assert len(burns) == 2  # the Three, and the Ten upon it
        for flight in burns:
            assert math.dist(flight.path[-1], fire) < 30
            passes(flight, pile, 60)
        taken = await table.on(lambda move: getattr(move, "cards", ()) == ("9♣",))
        assert len(taken) == 2  # the King, and the Nine that did not beat it
        for flight in taken:
            assert math.dist(flight.path[-1], await table.at("seat 0")) < 30
            passes(flight, pile, 60)
        await nothing_else_moved(table.eve)


@SIZES
async def test_influence_is_lost_and_coins_change_hands(
    browser: Browser, live: LiveHere, context: dict[str, Any]
) -> None:
    async with watched(browser, live, "coup", **context) as table:
        (card,) = [flight for flight in await table.on(lambda move: isinstance(move, Lose)) if flight.piece]
        assert card.piece.startswith("1 card ")  # it is turned over where it lies
        assert math.dist(card.path[0], card.path[-1]) < 2
        paid = await table.on(lambda move: getattr(move, "action", "") == "assassinate")
        assert len(paid) == 3
        bank, purse = await table.at("bank"), await table.at("coins 1")
        for coin in paid:
            begins_at(coin, purse)
            assert math.dist(coin.path[-1], bank) < 5
        await nothing_else_moved(table.eve)


@SIZES
async def test_cards_are_stacked_and_castles_fall(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    async with watched(browser, live, "fortress", **context) as table:
        declared = await table.on(lambda move: isinstance(move, PlayCard))
        (stacked,) = [flight for flight in declared if flight.piece.startswith("stack")]
        begins_at(stacked, await table.at("seat 0"))
        await nothing_else_moved(table.eve)
        stack = stacked.path[-1]
        (card,) = [
            flight for flight in await table.on(lambda move: isinstance(move, AllowAction)) if "soldier" in flight.piece
        ]
        begins_at(card, stack)  # from the stack to the field
        await table.on(lambda move: isinstance(move, ActivateTrickster))
        answered = await table.on(lambda move: isinstance(move, AllowAction))
        grave = await table.at("1 discard")
        assert any(math.dist(flight.path[-1], grave) < 30 for flight in answered), answered  # it is destroyed
        await table.on(lambda move: isinstance(move, AttackCard))
        blow = await table.on(lambda move: isinstance(move, AllowAction))
        castle = await table.at("1 castle 1")
        assert any(min(math.dist(at, castle) for at in flight.path) < 40 for flight in blow), blow  # there and back
        await expect(table.eve.page.locator(".loss")).to_be_visible()


@SIZES
async def test_a_replay_moves_as_the_game_did(browser: Browser, live: LiveHere, context: dict[str, Any]) -> None:
    table = await finished(live, "palace")
    eve = await Person.arrive(
        browser, "Eve", live.http, path=f"/t/{table}/replay", pace=1, script=CATCH, **context, **MOTION
    )
    forward, back = eve.button("^One step forward"), eve.button("^One step back")
    for _ in range(4):  # each lays three open, and plays one card
        await eve.page.evaluate(AT_ONCE)
        await eve.press(forward)
        assert await flown(eve)
    await eve.page.evaluate(AT_ONCE)
    await eve.press(back)
    assert await eve.page.evaluate("caught.filter((node) => !node.dataset.flight).length") == 0
    assert eve.complaints == []


# Hands, what lies open, and what is drawn next: the last card of the deck is dealt first.
HEARTS = ["5♣", "K♦", "2♥", "3♥", "4♥", "6♥", "7♥"]
SPADES = ["J♦", "2♠", "3♠", "4♠", "6♠", "7♠", "9♠"]
NEXT = ["A♠", "J♣"]
EIGHTS = [
    *(card for card in DECK if card not in {*HEARTS, *SPADES, *NEXT}),
    *NEXT,
    *reversed(SPADES),
    *reversed(HEARTS),
]


@SIZES
async def test_a_game_without_a_page_of_its_own(browser: Browser, tmp_path: Path, context: dict[str, Any]) -> None:
    """Crazy Eights: from a hand to the pile, from the deck into a hand."""
    rig = Rig(orders={"deck": EIGHTS})
    games = Catalogue({crazy_eights.name: crazy_eights}, [])
    async with (
        server(tmp_path, games, bot_delay=0) as live,
        two(browser, live, "crazy-eights", rig, **context) as (ann, ben),
    ):
        await ann.page.evaluate(AT_ONCE)
        held = await middle(ann, ".hand [data-piece='J♦']")
        await shifted(ann)
        await ann.press(ann.page.locator(".hand [data-card='J♦']"))
        begins_at(the(await flown(ann), "J♦"), held)
        await nothing_else_moved(ann)
        await turn_of(ben)
        his = await middle(ann, f"[data-place='seat {ben.seat}']")
        await ben.play(next(move for move in ben.moves if move["card"] == "K♦"))
        begins_at(the(await flown(ann), "K♦"), his)
        deck = await middle(ann, "[data-place=deck]")
        await shifted(ann)
        await ann.press(ann.page.get_by_role("button", name=re.compile("^Stock|^Draw")).first)
        begins_at(the(await flown(ann), "A♠"), deck)
        await nothing_else_moved(ann)
