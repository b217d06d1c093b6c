"""People play Fortress in a real browser, against a real server."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Browser, Locator, expect

from tests.browser.person import CORNER, DESKTOP, PHONE, Person
from tests.live import process

FAST = ("--bot-delay", "0", "--test-mode", "--test-seed", "33" * 32)
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


LOOK = """() => {
  const table = document.querySelector('.sheet') ?? document.querySelector('.felt')
  const count = (what) => table?.querySelectorAll(what).length ?? 0
  return ['.castle.target', '.target:not(.selected), .goal', '[data-live]', '%s', '.selected'].map(count)
}"""
BUTTONS = ".bar button:enabled, .foot button.primary:enabled"


async def play(person: Person, taste: Random, rounds: int = 3000) -> None:
    """Press what is marked, until the game is over: any card that can be used, any target, any button."""
    page = person.page
    over = region(person, "Result")
    for _ in range(rounds):  # several times as many as a long game takes
        marked = page.locator(f".felt [data-live], {BUTTONS}")
        await expect(over.or_(marked).first).to_be_visible(timeout=60_000)
        if await over.count():
            return
        castles, targets, live, buttons, selected = await page.evaluate(LOOK % BUTTONS)
        table = ".sheet" if await page.locator(".sheet").count() else ".felt"
        if castles:  # what hits a castle makes the game shorter
            choice, count = f"{table} .castle.target", castles
        elif selected and buttons and (not targets or taste.random() < 0.3):
            choice, count = f"{table} :is({BUTTONS})", buttons
        elif targets:
            choice, count = f"{table} :is(.target:not(.selected), .goal)", targets
        elif live and (not buttons or taste.random() < 0.85):
            choice, count = f"{table} [data-live]", live
        else:
            choice, count = f"{table} :is({BUTTONS})", buttons
        if count:
            # At the corner: in a large hand the next card lies on the rest.
            await person.try_press(page.locator(choice).nth(taste.randrange(count)), CORNER)


# A whole game.


async def test_a_person_plays_a_bot_to_the_end_with_what_is_marked(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **SMALL_PHONE, reduced_motion="reduce")
        await against_a_bot(ann)
        await ann.press(ann.button("^Play with Assault"))
        await play(ann, Random(9))
        await assert_all_is_well(ann)


async def test_two_people_play_each_other_to_the_end(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP, reduced_motion="reduce")
        ben = await Person.arrive(browser, "Ben", live.http, **PHONE, reduced_motion="reduce")
        for person in (ann, ben):  # with fewer presses: what can't be answered is allowed by itself
            await person.page.evaluate("localStorage['croupier.fortress.allow'] = 'true'")
        await two_people(ann, ben, "Discipline")  # with the weakest castle: the game is shorter
        await asyncio.gather(play(ann, Random(9)), play(ben, Random(4)))
        for person in (ann, ben):
            await assert_all_is_well(person)


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
    seen = 0
    for fact in reader.facts():
        view: dict[str, Any] | None = fact["view"]
        if view is None:
            continue
        enemy = view["sides"][1 - view["seat"]]
        assert enemy["hand"] is None, fact
        assert view["turn"] > 0 or enemy["castle"] is None, fact
        for card in enemy["field"]:
            if card is not None and card["face_down"]:
                assert card["card"] is None, fact
                seen += 1
        for event in fact["events"]:
            if event["event"] in ("drew", "dealt") and event["seat"] != view["seat"]:
                assert event["cards"] is None, event
            if event["event"] in ("laid", "lay_declared") and event["seat"] != view["seat"]:
                assert event["card"] is None, event
    assert seen, "the enemy has never laid a trickster"


# The stack.


async def test_an_action_waits_on_the_stack_until_the_other_allows_it(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
        ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
        ben = await Person.arrive(browser, "Ben", live.http, **SMALL_PHONE)
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
        await expect(region(one, "What is going on")).to_contain_text(f"{two.name} may answer")
        await expect(region(two, "What is going on")).to_contain_text("You may answer")
        await expect(one.page.locator("[data-live]")).to_have_count(0)
        theirs = region(two, f"{one.name}’s field").get_by_role("button", name=re.compile(f": {name}, .* points"))
        await expect(theirs).to_have_count(0)
        allow = two.page.get_by_role("button", name="Allow", exact=True)
        await expect(allow).to_be_in_viewport(ratio=1)
        await two.press(allow)
        await expect(theirs).to_have_count(1)
        await expect(ann.page.get_by_role("log")).to_contain_text(f"{one.name} plays {name}.")

        # What it says can be read in plain words.
        await two.press(theirs)
        await expect(two.page.get_by_role("dialog", name=name)).to_be_visible()
        await two.press(two.page.get_by_role("button", name="Close", exact=True))
        for person in (one, two):
            assert await person.fits()
            assert person.complaints == []


# The first hand.


async def test_a_hand_is_changed_for_a_smaller_one_and_cards_are_given_back(browser: Browser, tmp_path: Path) -> None:
    async with process(tmp_path, *FAST) as live:
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
    async with process(tmp_path, *FAST) as live:
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
    async with process(tmp_path, *FAST) as live:
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
