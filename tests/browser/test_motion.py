"""Cards go from place to place: from where they were to where they are, with nothing left out, in all games."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Route, expect

from croupier.client import Client
from croupier.client.table import Table
from croupier.kernel import Rig
from croupier.kernel.chance import QuickDice
from tests.browser.flights import CATCH, Flight, flown, middle, nothing_else_moved, shifted, the
from tests.browser.person import AT_REST, DESKTOP, MOTION, PHONE, Person
from tests.browser.test_cambia import act
from tests.games.cambia.wire import ANN, BEN, stacked
from tests.live import LiveHere

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
