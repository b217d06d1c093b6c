"""People play Fortress in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Browser, Locator, expect

from tests.browser.person import CORNER, DESKTOP, PHONE, Person
from tests.browser.sizes import resize, troubles_everywhere
from tests.clock import ManualTime
from tests.live import server

SMALL_PHONE = {**PHONE, "viewport": {"width": 360, "height": 640}}


def region(person: Person, name: str) -> Locator:
    return person.page.get_by_role("region", name=name)


def hand(person: Person) -> Locator:
    return person.page.get_by_role("group", name="Your hand").get_by_role("button")


async def against_a_bot(person: Person) -> None:
    """With one click from the lobby, as far as the choice of a deck."""
    await person.play_against_bots("Fortress")
    await expect(person.page.get_by_role("heading", name="Choose your deck")).to_be_visible()


async def two_people(ann: Person, ben: Person, deck: str = "Assault") -> tuple[Person, Person]:
    """A game of two who have kept their first hands; whose turn it is comes first."""
    link = await ann.open_table("Two castles", seats=2, game="fortress")
    await ben.join(link)
    await ann.press(ann.button("^Start the game"))
    for person in (ann, ben):
        await person.press(person.page.get_by_role("radiogroup", name="Your deck").locator("b", has_text=deck))
        await person.press(person.button(f"^Play with {deck}"))
    for person in (ann, ben):
        await person.press(person.button("^Keep this hand"))
    end = ann.button("^End the turn").or_(ann.text("Ben’s turn"))
    await expect(end).to_be_visible()
    return (ann, ben) if await ann.button("^End the turn").count() else (ben, ann)


def status(person: Person) -> Locator:
    """What is waited for, and from whom."""
    return person.page.locator(".mine").get_by_role("status")


async def allow_by_hand(person: Person) -> None:
    """Before a game: also what can't be answered."""
    await person.page.evaluate("localStorage['croupier.fortress.allow'] = 'false'")


BUTTONS = ".bar button:enabled, .foot button.primary:enabled"
CHOOSE = """([buttons, fancy, which, press]) => {
  const table = document.querySelector('.sheet') ?? document.querySelector('.felt')
  const find = (what) => [...(table?.querySelectorAll(what) ?? [])]
  const castles = find('.castle.target')  // what hits a castle makes the game shorter
  const targets = find('.target:not(.selected), .goal')
  const live = find('[data-live]')
  const ready = find(buttons)
  const selected = find('.selected').length
  const done = selected ? !targets.length || fancy < 0.3 : fancy >= 0.85
  const choice = [castles, done ? ready : [], targets, live, ready].find((one) => one.length) ?? []
  const chosen = choice[Math.floor(which * choice.length)]
  if (!chosen) return false
  if (press) return chosen.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })), true
  document.querySelector('[data-chosen]')?.removeAttribute('data-chosen')
  return (chosen.dataset.chosen = ''), true
}"""
"""Of what is marked, something: any card that can be used, any target, any button. It is pressed, or marked to be."""
CAREFUL = 24
"""So many presses of a whole game are made with a look at what may lie in the way."""


async def press_something(person: Person, taste: Random) -> bool:
    """What is marked now; if there is nothing yet, or no longer, wait for what comes next."""
    before, undecided = person.seq, taste.getstate()
    if await person.page.evaluate(CHOOSE, [BUTTONS, taste.random(), taste.random(), person.hasty]):
        # At the corner: in a large hand the next card lies on the rest.
        return person.hasty or await person.try_press(person.page.locator("[data-chosen]"), CORNER)
    taste.setstate(undecided)  # how often we look is luck, and must not change what is played
    with suppress(TimeoutError):  # what we were told may not be on the page yet
        await person.news(before, 0.1)
    return False


async def play(
    person: Person, taste: Random, rounds: int = 3000, before: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Press what is marked, until the game is over; something may have to be done before each press."""
    presses = 0
    while presses < rounds:  # several times as many as a long game takes
        await person.until(lambda: person.over or person.to_move)
        if person.over:
            break
        if before is not None:
            await before()
        person.hasty = presses >= CAREFUL
        presses += await press_something(person, taste)
    person.hasty = False


# A whole game.


async def test_a_person_plays_a_bot_to_the_end_takes_two_minutes_for_everything_and_is_never_played_for(
    browser: Browser, tmp_path: Path
) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE)
        await against_a_bot(ann)
        await time.to_pass(120)
        await ann.press(ann.button("^Play with Assault"))
        await play(ann, Random(4), before=lambda: time.to_pass(120))
        assert not [fact for fact in ann.facts() if fact["clocks"]], "alone with bots there is no clock"
        kinds = {fact["entry"]["entry"] for fact in ann.facts() if "entry" in fact}
        assert "moved" in kinds and not kinds & {"expired", "stood_in"}
        await assert_all_is_well(ann)


async def test_two_people_play_each_other_to_the_end_and_each_page_says_your_turn_exactly_when_the_server_awaits_us(
    browser: Browser, tmp_path: Path
) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE)
        people = (ann, ben)
        for person in people:
            await allow_by_hand(person)
        one, two = await two_people(ann, ben, "Discipline")  # with the weakest castle: the game is shorter
        await expect(status(two)).to_have_text(f"{one.name}’s turn")
        taste = Random(3)
        presses = 0
        while not ann.over:
            for person in people:
                await agrees(person)
            ann.hasty = ben.hasty = presses >= CAREFUL
            presses += await press_something(ann if ann.to_move else ben, taste)
        phases = {fact["view"]["phase"] for fact in ann.facts() if fact["view"]}
        assert {"main", "window", "choice"} <= phases
        for person in people:
            person.hasty = False
            await assert_all_is_well(person)
            await person.press(person.page.get_by_role("link", name="To the table"))
        # Once more, with one press.
        await ann.press(ann.button("^Play again"))
        for person in people:
            await expect(person.page.get_by_role("heading", name="Choose your deck")).to_be_visible()
            await person.press(person.button("^Play with Discipline"))
        for person in people:
            await expect(person.button("^Keep this hand")).to_be_visible()
            assert person.complaints == []


SAYS_SO = "[document.title.includes('Your turn'), Boolean(document.querySelector('.mine.asked'))]"


async def agrees(person: Person) -> None:
    """The page says that it is our turn exactly when the server awaits us: in its title and where moves are made."""
    for _ in range(200):
        heard = len(person.frames)
        expected = person.to_move
        said = await person.page.evaluate(SAYS_SO)
        if said == [expected, expected]:
            return
        await asyncio.sleep(0.01 if len(person.frames) == heard else 0)
    raise AssertionError(f"{person.name}: the server awaits {expected}, the page says {said}")


async def assert_all_is_well(person: Person) -> None:
    """At the end of a game, and in its replay."""
    await expect(region(person, "Result").get_by_role("listitem")).to_have_count(2)
    why = region(person, "How it ended")
    await expect(why).to_contain_text(re.compile("castle has fallen|nothing left to draw"))
    assert refusals(person) == [], "what is marked can be done"
    assert_no_secret_was_told(person)
    assert await person.fits()
    await person.watch_again()
    assert person.complaints == []


def refusals(person: Person) -> list[str]:
    return [frame for frame in person.frames if json.loads(frame).get("error")]


def assert_no_secret_was_told(reader: Person) -> None:
    """T7: nothing of the enemy's hand, deck and face-down tricksters; and no castle before both are revealed."""
    views = 0
    for fact in reader.facts():
        view: dict[str, Any] | None = fact["view"]
        if view is None:
            continue
        views += 1
        enemy = view["sides"][1 - view["seat"]]
        assert enemy["hand"] is None, fact
        assert view["turn"] > 0 or enemy["castle"] is None, fact
        for card in enemy["field"]:
            if card is not None and card["face_down"]:
                assert card["card"] is None, fact
        for event in fact["events"]:
            if event["event"] in ("drew", "dealt") and event["seat"] != view["seat"]:
                assert event["cards"] is None, event
            if event["event"] in ("laid", "lay_declared") and event["seat"] != view["seat"]:
                assert event["card"] is None, event
    assert views, "nothing was shown at all"


# The stack.


async def test_an_action_waits_on_the_stack_until_the_other_allows_it(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        for person in (ann, ben):
            await allow_by_hand(person)
        one, two = await two_people(ann, ben)

        # A card is chosen, the slots it may go to are marked, and nothing else.
        soldier = hand(one).and_(one.page.locator("[data-live]")).filter(has=one.page.locator("text.points"))
        name = (await soldier.first.get_by_role("img").get_attribute("aria-label") or "").split(",")[0]
        await soldier.first.press("Enter")
        own = region(one, "Your field")
        slots = own.get_by_role("button", name=re.compile("Put it here$"))
        assert await slots.count() in (1, 2)
        await expect(one.page.locator(".side [data-live]")).to_have_count(await slots.count())
        await one.page.keyboard.press("Escape")
        await expect(slots).to_have_count(0)
        await soldier.first.press("Enter")
        await slots.first.press("Enter")

        # Both see it wait. It is the other who answers.
        for person, words in ((one, f"You play {name}"), (two, f"{one.name} plays {name}")):
            await expect(region(person, "What is going on")).to_contain_text(words)
        await expect(status(one)).to_have_text(f"{two.name} may answer")
        await expect(status(two)).to_have_text("You have no answer to this")
        await expect(one.page.locator("[data-live]")).to_have_count(0)
        theirs = region(two, f"{one.name}’s field").get_by_role("button", name=re.compile(f": {name}, .* points"))
        await expect(theirs).to_have_count(0)
        allow = two.page.get_by_role("button", name="Allow", exact=True)
        await expect(allow).to_be_in_viewport(ratio=1)
        await two.press(allow)
        await expect(theirs).to_have_count(1)
        await expect(ann.page.get_by_role("log")).to_contain_text(
            f"{'You play' if one is ann else 'Ben plays'} {name}."
        )

        # What it says can be read in plain words.
        await two.press(theirs)
        await expect(two.page.get_by_role("dialog", name=name)).to_be_visible()
        await two.press(two.page.get_by_role("button", name="Close", exact=True))
        for person in (one, two):
            assert await person.fits()
            assert person.complaints == []


# The first hand.


async def test_a_hand_is_changed_for_a_smaller_one_and_cards_are_given_back(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await against_a_bot(ann)
        await ann.press(ann.button("^Play with Assault"))
        await expect(hand(ann)).to_have_count(6)
        await ann.press(ann.button("^5 new cards"))
        await expect(hand(ann)).to_have_count(5)
        await ann.press(hand(ann).first)
        await ann.press(ann.button("^Give .* back$"))
        await expect(hand(ann)).to_have_count(4)
        await expect(region(ann, "Your field").get_by_label("Your deck: 46 cards")).to_be_visible()
        await ann.press(ann.button("^Keep this hand"))
        await expect(ann.button("^Keep this hand")).to_have_count(0)
        assert ann.complaints == []


# Decks.


async def test_a_deck_is_built_and_kept_and_played_with(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **PHONE)
        await ann.open_table("Built", seats=2, game="fortress")
        await ann.press(ann.button("^Choose or build another"))
        await ann.press(ann.button("^Copy Discipline"))
        builder = ann.page.get_by_role("dialog", name="Deck builder")
        status = builder.get_by_role("status")
        await expect(status).to_contain_text("50 of 50 This deck can be played.")
        await builder.get_by_label("Name of the deck").fill("Ridge")
        await builder.get_by_role("combobox", name="Castle").select_option(label="Wareton Ridge, 90 health")

        # The limits are those of the rules, and it says what is wrong.
        await ann.press(builder.get_by_role("button", name="Decrees"))
        await expect(builder.get_by_role("listitem")).to_have_count(4)
        await expect(builder.get_by_role("button", name="One more Destroy")).to_be_disabled()
        await ann.press(builder.get_by_role("button", name="One Destroy fewer"))
        await expect(status).to_contain_text("49 of 50 1 more card is needed")
        await ann.press(builder.get_by_role("button", name="Soldiers"))
        for copies in (1, 2):
            await ann.press(builder.get_by_role("button", name="One more Warlock"))
            await expect(builder.get_by_role("group", name="Warlock")).to_contain_text(f"{copies}/2")
        await expect(builder.get_by_role("button", name="One more Warlock")).to_be_disabled()
        await expect(status).to_contain_text("51 of 50 1 card too many")
        await ann.press(builder.get_by_role("button", name="One Warlock fewer"))
        await ann.press(builder.get_by_role("button", name="Done"))

        # It is there again when the page is.
        await ann.page.reload()
        await expect(ann.page.get_by_role("heading", name="Your deck: Ridge")).to_be_visible()
        await ann.press(ann.button("^Add a bot"))
        await expect(ann.page.get_by_role("button", name="Send BOT")).to_have_count(1)
        await ann.press(ann.button("^Start the game"))
        await ann.press(ann.button("^Play with Ridge"))
        castle = region(ann, "Your field").get_by_role("button", name="your castle: Wareton Ridge, 90 of 90 health")
        await expect(castle).to_be_visible()
        assert await ann.fits()
        assert ann.complaints == []


async def test_a_deck_that_is_not_finished_can_not_be_brought(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        await against_a_bot(ann)
        await ann.press(ann.button("^Build a deck"))
        builder = ann.page.get_by_role("dialog", name="Deck builder")
        await expect(builder.get_by_role("status")).to_contain_text("0 of 50 50 more cards are needed")
        await ann.press(builder.get_by_role("button", name="Done"))
        await expect(ann.button("^Play with My deck")).to_be_disabled()
        await ann.press(ann.button("^Change My deck"))
        await ann.press(builder.get_by_role("button", name="Delete this deck"))
        await ann.press(builder.get_by_role("button", name="Really delete it?"))
        await expect(ann.page.get_by_role("radio")).to_have_count(3)
        await expect(ann.button("^Play with Assault")).to_be_enabled()
        assert ann.complaints == []


async def test_nobody_is_hurried_while_choosing_a_deck(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        link = await ann.open_table("Two castles", seats=2, game="fortress")
        await ben.join(link)
        await ann.press(ann.button("^Start the game"))
        for person in (ann, ben):
            await expect(person.page.get_by_role("heading", name="Choose your deck")).to_be_visible()
            *_, last = person.facts()
            assert last["view"]["phase"] == "decks" and last["clocks"] == []
            await expect(person.button("^Play with Assault")).to_be_in_viewport(ratio=1)


# Whose turn.


async def test_what_can_not_be_answered_goes_on_by_itself(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
        one, two = await two_people(ann, ben)
        told: list[str] = []
        await two.page.expose_function("told", lambda text: told.append(text))
        await two.page.evaluate(
            "new MutationObserver(() => told(document.querySelector('.felt').innerText))"
            ".observe(document.querySelector('.felt'), { subtree: true, childList: true, characterData: true })"
        )
        automatic = two.page.get_by_role("checkbox", name="Go on automatically when I have no answer")
        await expect(automatic).to_be_checked()
        soldier = hand(one).and_(one.page.locator("[data-live]")).filter(has=one.page.locator("text.points")).first
        name = (await soldier.get_by_role("img").get_attribute("aria-label") or "").split(",")[0]
        await soldier.press("Enter")
        await one.press(one.button(f"^Play {name}$"))
        theirs = region(two, f"{one.name}’s field").get_by_role("button", name=re.compile(f": {name}, .* points"))
        await expect(theirs).to_have_count(1)
        assert told and not [text for text in told if re.search("(?i)you may answer|answer, or allow", text)]
        for person in (one, two):
            assert person.complaints == []


# Screens of every size.


async def test_everything_is_within_reach_on_screens_of_every_size(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        page = ann.page
        await against_a_bot(ann)
        found: dict[str, dict[str, list[str]]] = {"decks": await troubles_everywhere(page)}
        await ann.press(ann.button("^Copy Discipline"))
        found["builder"] = await troubles_everywhere(page)
        await ann.press(page.get_by_role("button", name="Done"))
        await ann.press(page.get_by_role("radiogroup", name="Your deck").locator("b", has_text="Assault"))
        await ann.press(ann.button("^Play with Assault"))
        await expect(ann.button("^Keep this hand")).to_be_visible()
        found["first hand"] = await troubles_everywhere(page)
        taste = Random(5)
        moments = {
            ".sheet": "cards to choose from",
            ".goal": "slots",
            ".side .target": "targets",
            ".stack ol": "an answer",
        }
        for _ in range(600):
            seen = [look for look in moments if await page.locator(look).count()]
            if seen:
                found[moments.pop(seen[0])] = await troubles_everywhere(page)
            if not moments:
                break
            if ann.over:  # without all of these moments, which is luck
                await ann.press(ann.button("^Play again"))
                await ann.press(ann.button("^Play with Assault"))
                await ann.press(ann.button("^Keep this hand"))
            await ann.until(lambda: ann.over or ann.to_move)
            await press_something(ann, taste)
        assert not moments
        assert {moment: wrong for moment, wrong in found.items() if wrong} == {}
        assert ann.complaints == []


async def test_on_a_short_phone_what_can_be_done_needs_no_scrolling(browser: Browser, tmp_path: Path) -> None:
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **{**PHONE, "viewport": {"width": 320, "height": 568}})
        await against_a_bot(ann)
        await ann.press(ann.button("^Play with Assault"))
        await ann.press(ann.button("^Keep this hand"))
        await expect(ann.page.get_by_role("group", name="Your hand")).to_be_visible()
        await ann.until(lambda: ann.to_move)
        for width, height in ((320, 568), (375, 553)):
            await resize(ann.page, {"width": width, "height": height})
            await expect(ann.page.locator(".mine .bar button").first).to_be_in_viewport(ratio=1)


async def test_marks_are_there_in_forced_colours(browser: Browser, tmp_path: Path) -> None:
    """Shadows and grounds are not drawn: what can be chosen, what is, and whose turn it is have borders and signs."""
    async with server(tmp_path, bot_delay=0, test_seed="33" * 32) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP, forced_colors="active")
        ben = await Person.arrive(browser, "Ben", live.http, **DESKTOP, forced_colors="active")
        one, two = await two_people(ann, ben)
        live_card = hand(one).and_(one.page.locator("[data-live]")).first
        for card in await hand(one).all():
            live_one = await card.get_attribute("data-live") is not None
            assert (await border(card) > 0) == live_one
        plain = await border(live_card)
        await live_card.press("Enter")
        assert await border(one.page.locator(".hand .selected")) > plain
        assert await border(one.page.locator(".goal").first) > 0
        assert await border(one.page.locator(".asked .status")) > 0
        sign = "(name) => getComputedStyle(name, '::before').content"
        assert "▸" in await two.page.locator(".rival .person b").evaluate(sign)
        assert "▸" not in await one.page.locator(".rival .person b").evaluate(sign)
        for number in await one.page.locator(".castle .health").all():
            assert await number.evaluate("(one) => getComputedStyle(one).forcedColorAdjust") == "none"


async def border(target: Locator) -> float:
    return float(await target.evaluate("(one) => parseFloat(getComputedStyle(one).borderTopWidth)"))
