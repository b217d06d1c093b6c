"""The frame around every table: what is the same whatever is played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, ViewportSize, WebSocketRoute, expect

from croupier.games import catalogue
from tests.browser import test_faraway
from tests.browser.person import DESKTOP, LATE_REPLIES, MOTION, PHONE, Person
from tests.browser.sizes import resize
from tests.browser.test_accessibility import at_the_table
from tests.browser.test_coup import open_coup
from tests.live import LiveHere

GAMES = sorted(catalogue().games)

PLAYED = re.compile("Ann plays|You play")

LISTEN = """
    window.sounds = 0
    const start = AudioScheduledSourceNode.prototype.start
    AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds++; start.apply(this, when) }
"""
"""Counts everything that is played, so that silence can be told from sound without ears."""


async def in_a_game(browser: Browser, live: LiveHere, **context: Any) -> Person:
    """Somebody who plays Palace against bots, and whose turn it is."""
    ann = await Person.arrive(browser, "Ann", live.http, **(context or DESKTOP))
    await ann.play_against_bots()
    await expect(ann.button("^Lay these open")).to_be_visible()
    return ann


async def two_at_palace(browser: Browser, live: LiveHere, **context: Any) -> tuple[Person, Person]:
    """Two people in a game of Palace."""
    ann = await Person.arrive(browser, "Ann", live.http, **context)
    ben = await Person.arrive(browser, "Ben", live.http, **context)
    await ben.join(await ann.open_table(seats=2))
    await expect(ann.text("Ben sits down")).to_be_attached()
    await ann.press(ann.button("^Start the game"))
    for person in (ann, ben):
        await expect(person.page.get_by_role("region", name="Your cards")).to_be_visible()
    return ann, ben


async def by_turn(*people: Person) -> list[Person]:
    """These people, with the one first whose turn it is."""
    turns = [await person.page.title() for person in people]
    return sorted(people, key=lambda person: "Your turn" not in turns[people.index(person)])


def tab(person: Person, name: str) -> Locator:
    return person.page.get_by_role("tab", name=name)


async def hand(person: Person) -> list[str]:
    cards = person.page.get_by_role("group", name="Your hand").get_by_role("button")
    await expect(cards.first).to_be_visible()
    return [await card.get_attribute("data-card") or "" for card in await cards.all()]


# Wide and low.


LOW: dict[str, ViewportSize] = {
    "a phone on its side": {"width": 844, "height": 390},
    "200 % zoom": {"width": 640, "height": 400},
}


@pytest.mark.parametrize("game", GAMES)
async def test_nothing_is_out_of_reach_on_a_low_screen(browser: Browser, live: LiveHere, game: str) -> None:
    ann = await at_the_table(browser, live, game, viewport=LOW["a phone on its side"])
    main = ann.page.locator("main")
    for size in LOW.values():
        width, height = size["width"], size["height"]
        await resize(ann.page, size)
        assert await main.evaluate("main => main.clientHeight") > height * 0.85  # the game has the room
        await ann.page.mouse.move(width / 2, height / 2)
        await ann.page.mouse.wheel(0, 2000)
        # Scrolled to its end, the last thing that can be done is in sight.
        await ann.page.wait_for_function(
            "() => [...document.querySelectorAll('main button')]"
            ".every(b => b.getBoundingClientRect().bottom <= innerHeight)"
        )
        await ann.page.mouse.wheel(0, -2000)


# Beside the game.


@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_of_every_game_are_at_hand(browser: Browser, live: LiveHere, game: str) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, **DESKTOP)
    await ann.open_table(game=game, seats=2)
    await ann.press(tab(ann, "Rules"))
    rules = ann.page.get_by_role("region", name="Rules")
    title = catalogue().games[game].title
    await expect(rules.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
    assert len(await rules.get_by_role("heading", level=2).all()) > 2
    await expect(rules).not_to_contain_text("The rules by number")
    assert ann.complaints == []


async def test_on_a_phone_the_rules_are_behind_a_button_and_fit(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live, **{**PHONE, "viewport": {"width": 360, "height": 640}})
    await ann.press(ann.button("^Chat"))
    await ann.press(tab(ann, "Rules"))
    await expect(ann.page.get_by_role("region", name="Rules")).to_contain_text("burns the pile")
    assert await ann.fits()
    await ann.press(ann.button("^Close"))
    await expect(ann.button("^Lay these open")).to_be_visible()


async def test_everybody_sees_who_is_there_and_whose_turn_it_is(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    await ann.press(tab(ann, "People"))
    people = ann.page.get_by_role("complementary").get_by_role("listitem")
    await expect(people).to_have_count(4)
    await expect(people.filter(has_text="to play")).to_have_count(1)
    await expect(people.filter(has_text="to play")).to_contain_text("Ann")
    await expect(ann.page).to_have_title(re.compile("Your turn"))


async def test_the_clock_is_golden_for_who_has_to_hurry(browser: Browser, live: LiveHere) -> None:
    ann, ben = await two_at_palace(browser, live)
    first, second = await by_turn(ann, ben)
    await expect(first.page).to_have_title(re.compile("Your turn"))
    await expect(first.page.locator("header .bar.urgent")).to_be_attached()
    await expect(second.page.locator("header .bar")).to_be_attached()
    await expect(second.page.locator("header .bar.urgent")).to_have_count(0)
    await expect(second.page).not_to_have_title(re.compile("Your turn"))


async def test_spectators_are_counted(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    counter = ann.page.get_by_title("watching")
    await expect(counter).to_have_count(0)
    eve = await Person.arrive(browser, "Eve", live.http)
    await eve.page.goto(ann.page.url)
    await eve.press(eve.button("^Watch"))
    await expect(counter).to_have_text(re.compile("^1"))
    await eve.context.close()
    await expect(counter).to_have_count(0)


async def test_the_host_rules_a_running_game_too(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    ben = await Person.arrive(browser, "Ben", live.http)
    cat = await Person.arrive(browser, "Cat", live.http)
    link = await ann.open_table(seats=3)
    for person in (ben, cat):
        await person.join(link)
    await expect(ann.text("Cat sits down")).to_be_visible()
    await ann.press(ann.button("^Start the game"))
    await expect(ann.page.get_by_role("region", name="Your cards")).to_be_visible()
    await ann.press(tab(ann, "People"))
    await ann.press(ann.button("^Send Cat away"))
    await expect(cat.text("The host has sent you away")).to_be_visible()
    await ann.press(ann.button("^Make host"))
    await expect(ben.page.get_by_role("log")).to_contain_text("Ben is the host now.")
    await ben.press(tab(ben, "People"))
    await expect(ben.button("^Send Ann away")).to_be_visible()
    await expect(ann.button("^Send Ben away")).to_have_count(0)
    assert ann.complaints + ben.complaints + cat.complaints == []


async def test_the_tabs_have_panels_and_arrow_keys(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    await tab(ann, "Log and chat").focus()
    panel = ann.page.get_by_role("tabpanel", name="Log and chat")
    await expect(panel).to_be_visible()
    await ann.page.keyboard.press("ArrowRight")
    await expect(tab(ann, "People")).to_be_focused()
    await expect(ann.page.get_by_role("tabpanel", name="People")).to_contain_text("to play")
    await ann.page.keyboard.press("End")
    await expect(ann.page.get_by_role("tabpanel", name="Rules")).to_be_visible()
    await ann.page.keyboard.press("ArrowRight")
    await expect(panel).to_be_visible()


async def test_leaving_says_what_it_means_here(browser: Browser, live: LiveHere) -> None:
    meant = {}
    for game in GAMES:
        ann = await at_the_table(browser, live, game, **DESKTOP)
        await ann.press(ann.button("^Leave"))
        meant[game] = await ann.page.get_by_role("dialog").locator("p").inner_text()
        await ann.context.close()
    assert "turned over" in meant["coup"]
    assert "A bot plays on" in meant["palace"]
    assert len(set(meant.values())) == len(GAMES)


async def test_addresses_that_lead_nowhere_say_so(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    await ann.page.evaluate("history.pushState(null, '', '/elsewhere'); dispatchEvent(new PopStateEvent('popstate'))")
    await expect(ann.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    await ann.press(ann.page.get_by_role("link", name="To the lobby"))
    await expect(ann.button("^Open a table")).to_be_visible()


# The log, and what is heard of it.


async def test_the_log_tells_turns(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    await ann.play_palace(rounds=4)
    turns = ann.page.get_by_role("log").locator(".turn")
    whose = re.compile(r"^(Ada|Bo|Cleo|Ann|You)\b")
    for turn in (await turns.all())[1:-1]:
        lines = await turn.locator("p").all_inner_texts()
        assert lines
        actors = {found[1] for line in lines if (found := whose.search(line))}
        assert len(actors) <= 1, lines  # one turn, one player
        if actors:
            await expect(turn.locator("svg").first).to_be_visible()  # with a picture
    assert await turns.locator("p").first.get_attribute("title")  # and when it was


async def test_what_is_let_pass_is_told_in_one_line(browser: Browser, live: LiveHere) -> None:
    people = [await Person.arrive(browser, name, live.http) for name in ("Ann", "Ben", "Cat")]
    ann, *_ = people
    await open_coup(*people)
    await ann.press(ann.button("^Start the game"))
    for person in people:
        await expect(person.page.locator(".felt")).to_be_visible()
    first, *others = await by_turn(*people)
    acting = first.page.get_by_role("group", name="Actions").locator(".tax:enabled")
    await first.press(acting)
    for person in others:
        await person.press(person.page.get_by_role("group", name="Your answer").get_by_role("button", name="pass"))
    log = first.page.get_by_role("log")
    await expect(log).to_contain_text(f"{others[0].name} and {others[1].name} let it pass.")
    await expect(others[1].page.get_by_role("log")).to_contain_text(f"{others[0].name} and you let it pass.")


async def test_a_bot_is_called_by_its_name_everywhere(browser: Browser, live: LiveHere) -> None:
    for game in GAMES:
        ann = await at_the_table(browser, live, game, **DESKTOP)
        await expect(ann.page.get_by_role("log").locator("p").first).to_be_visible()
        for name in ("People", "Log and chat"):
            await ann.press(tab(ann, name))
            await expect(ann.page.locator("body")).not_to_contain_text("BOT ")
        await ann.context.close()


async def test_on_a_phone_the_chat_opens_at_the_newest_line(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live, **{**PHONE, "viewport": {"width": 390, "height": 600}})
    await ann.play_palace(rounds=12)
    await ann.press(ann.button("^Chat"))
    log = ann.page.get_by_role("log")
    await expect(log.locator("p").last).to_be_in_viewport()
    assert await log.evaluate("log => log.scrollHeight > log.clientHeight + 40")  # there is something above


HEARD = "region => [...region.querySelectorAll('p')].map((line) => line.textContent)"


@pytest.mark.parametrize("context", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_what_happens_is_read_out_once(browser: Browser, live: LiveHere, context: Any) -> None:
    ann, ben = await two_at_palace(browser, live, **context)
    voices = ann.page.locator("[aria-live=polite]:not(.notice), [role=log]:not([aria-live=off])")
    await expect(voices).to_have_count(1)  # never hidden, and never doubled
    first, second = await by_turn(ann, ben)
    voice = ann.page.locator("[aria-live=polite]:not(.notice)")
    assert await voice.evaluate("region => region.checkVisibility()")
    await first.palace_move()
    await second.palace_move()
    await expect(voice).to_contain_text("Ben lays")
    await expect(voice).to_contain_text("It is your turn.")
    heard = await voice.evaluate(HEARD)
    assert sum("Ben lays" in line for line in heard) == 1


@pytest.mark.parametrize("script", ["", LATE_REPLIES], ids=["answered at once", "answered late"])
@pytest.mark.parametrize("game", ["coup", "faraway", "fortress", "palace"])
async def test_the_focus_stays_at_the_game_after_a_move(
    browser: Browser, live: LiveHere, game: str, script: str
) -> None:
    ann = await at_the_table(browser, live, game, script=script, **DESKTOP)
    ready = ann.page.locator("main :is(.bar, .mine, .deeds, .tray) button:enabled:not([aria-haspopup])").last
    result = ann.page.get_by_role("region", name="Result")
    for number in range(6):
        await ready.or_(result).first.wait_for()
        if number > 1 and await result.count():  # out of the game: bots soon finish it
            return
        await ready.focus()
        await ann.page.keyboard.press("Enter")
        await ann.page.wait_for_timeout(300)
        await ann.page.wait_for_function("() => document.querySelector('main').contains(document.activeElement)")


async def test_who_writes_is_not_disturbed(browser: Browser, live: LiveHere) -> None:
    ann, ben = await two_at_palace(browser, live)
    first, second = await by_turn(ann, ben)
    line = second.page.get_by_label("Say something")
    await line.fill("What I mean is")
    await first.palace_move()
    await expect(second.page).to_have_title(re.compile("Your turn"))
    await expect(line).to_be_focused()
    await expect(line).to_have_value("What I mean is")


async def test_what_is_said_is_no_move(browser: Browser, live: LiveHere) -> None:
    """A line of chat leaves the game alone: nothing that has moved moves again."""
    ann, ben = await two_at_palace(browser, live, **DESKTOP, **MOTION)
    first, second = await by_turn(ann, ben)
    await first.palace_move()
    await second.palace_move()
    await expect(ann.page.get_by_role("log")).to_contain_text("Ben lays")
    await ann.page.wait_for_timeout(1500)  # what moves now comes to rest
    await ann.page.evaluate(WATCH_CHANGES)
    await ben.page.get_by_label("Say something").fill("Well")
    await ben.page.get_by_label("Say something").press("Enter")
    await expect(ann.page.get_by_role("log")).to_contain_text("Well")
    assert await ann.page.evaluate("changes") == []


async def test_what_was_said_is_there_after_a_reload_once(browser: Browser, live: LiveHere) -> None:
    ann, ben = await two_at_palace(browser, live)
    for person, text in ((ben, "Well"), (ann, "Well, well"), (ben, "Well")):
        await person.page.get_by_label("Say something").fill(text)
        await person.page.get_by_label("Say something").press("Enter")
        await expect(ann.page.get_by_role("log").locator(".chat").last).to_contain_text(text)
    chat = ann.page.get_by_role("log").locator(".chat")
    for _ in range(2):
        await expect(chat).to_have_count(3)
        await expect(chat.nth(1)).to_contain_text("Well, well")
        await ann.page.reload()
    await ben.page.get_by_label("Say something").fill("And now?")
    await ben.page.get_by_label("Say something").press("Enter")
    await expect(chat).to_have_count(4)


WATCH_CHANGES = """
    window.changes = []
    const time = (element) => element.closest('.clock, .box > .bar')  // passes, whatever is said
    const moved = (list) => list.map((one) => one.target).filter((target) => !time(target))
    const seen = (list) => changes.push(...moved(list).map((target) => target.outerHTML.slice(0, 200)))
    const region = document.querySelector('main')
    new MutationObserver(seen).observe(region, { subtree: true, childList: true, attributes: true })
    region.addEventListener('animationstart', (event) => changes.push(event.animationName))
"""


# In time.


async def test_what_can_be_answered_is_never_shown_late(browser: Browser, live: LiveHere) -> None:
    """With the slowest pace of others, and with a page whose time stands still: what waits for us is there at once."""
    ann = await Person.arrive(browser, "Ann", live.http, pace=2)
    await ann.play_against_bots()
    await expect(ann.button("^Lay these open")).to_be_visible()
    await ann.page.clock.install()
    await ann.page.clock.pause_at("2100-01-01")
    await ann.button("^Lay these open").click()
    await expect(ann.button("^Choose a card")).to_be_visible()
    await expect(ann.page).to_have_title(re.compile("Your turn"))


async def test_who_was_slower_hears_who_was_faster(browser: Browser, live: LiveHere) -> None:
    people = [await Person.arrive(browser, name, live.http) for name in ("Ann", "Ben", "Cat")]
    held: dict[str, list[Any]] = {}

    def hold(name: str) -> Any:
        """What this person does is slow to arrive, once asked for."""

        def route(socket: WebSocketRoute) -> None:
            there = socket.connect_to_server()
            socket.on_message(
                lambda message: (
                    held[name].append((there, message))
                    if name in held and '"play"' in str(message)
                    else there.send(message)
                )
            )
            there.on_message(lambda message: socket.send(message))

        return route

    for person in people:
        await person.page.route_web_socket("**/ws*", hold(person.name))
        await person.page.reload()
    ann, *_ = people
    await open_coup(*people)
    await ann.press(ann.button("^Start the game"))
    for person in people:
        await expect(person.page.locator(".felt")).to_be_visible()
    first, slow, fast = await by_turn(*people)
    await first.press(first.page.get_by_role("group", name="Actions").locator(".tax:enabled"))
    held[slow.name] = []
    await slow.press(slow.page.get_by_role("group", name="Your answer").get_by_role("button", name="BS"))
    await fast.press(fast.page.get_by_role("group", name="Your answer").get_by_role("button", name="BS"))
    await expect(slow.page.get_by_role("log")).to_contain_text(f"{fast.name} calls BS")
    for there, message in held.pop(slow.name):
        there.send(message)
    await expect(slow.page.locator(".notice")).to_have_text(f"{fast.name} was faster.")


async def test_names_are_written_in_their_own_direction(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "مريم العلوي", live.http)
    await ann.play_against_bots()
    await expect(ann.button("^Lay these open")).to_be_visible()
    await ann.page.get_by_label("Say something").fill("Hello")
    await ann.page.get_by_label("Say something").press("Enter")
    said = ann.page.get_by_role("log").locator(".chat b")
    assert await said.evaluate("name => getComputedStyle(name).direction") == "rtl"
    await ann.press(tab(ann, "People"))
    listed = ann.page.get_by_role("tabpanel").locator("bdi", has_text="مريم العلوي")
    assert await listed.evaluate("name => getComputedStyle(name).direction") == "rtl"


# What moves, and what stays where it is.

WATCH_SHIFTS = """
    window.shifts = []
    const unprompted = (shift) => !shift.hadRecentInput && document.querySelector('.felt, .map')
    new PerformanceObserver((list) => shifts.push(...list.getEntries().filter(unprompted).map((shift) => shift.value)))
        .observe({ type: 'layout-shift' })
"""


@pytest.mark.parametrize("game", ["palace", "faraway"])
async def test_the_table_stays_where_it_is_while_a_game_runs(browser: Browser, live: LiveHere, game: str) -> None:
    """What browsers call cumulative layout shift is as small as that of a page that loads well, for a whole while."""
    ann = await at_the_table(browser, live, game, **PHONE, **MOTION)
    eve = await Person.arrive(browser, "Eve", live.http, **PHONE, **MOTION)
    await eve.page.goto(ann.page.url)
    await eve.press(eve.button("^Watch"))
    await expect(eve.page.locator(".felt, .map")).to_be_visible()
    for person in (ann, eve):
        await person.page.evaluate(WATCH_SHIFTS)
    if game == "palace":
        await ann.play_palace(rounds=10)
    else:
        await test_faraway.play(ann, rounds=6)
    for person in (ann, eve):
        shifts = await person.page.evaluate("shifts")
        assert sum(shifts) < 0.1, shifts


# Sound.


async def test_a_sound_that_somebody_makes_is_heard_by_all_but_those_who_want_peace(
    browser: Browser, live: LiveHere
) -> None:
    ann = await Person.arrive(browser, "Ann", live.http, script=LISTEN)
    ben = await Person.arrive(browser, "Ben", live.http, script=LISTEN, **PHONE)
    await ben.join(await ann.open_table(seats=2))
    await ann.press(ann.button("^Start the game"))
    for person in (ann, ben):
        await expect(person.page.get_by_role("group", name="The others")).to_be_visible()
        await person.page.evaluate("window.sounds = 0")
    await ann.press(ann.button("^Make a sound"))
    await ann.press(ann.button("^Crickets"))
    for person in (ann, ben):
        await person.page.wait_for_function("() => sounds >= 15")  # so many chirps

    await ben.press(ben.button("^Sound$"))
    await ben.page.evaluate("window.sounds = 0")
    await ann.page.evaluate("window.sounds = 0")
    await ben.press(ben.button("^Chat"))
    await ben.press(ben.button("^Make a sound"))
    await ben.press(ben.button("^Crickets"))
    await ann.page.wait_for_function("() => sounds >= 15")
    await expect(ben.page.get_by_role("log")).to_contain_text("Ben plays “Crickets”.")
    assert await ben.page.evaluate("sounds") == 0
    assert ann.complaints + ben.complaints == []


async def test_a_table_can_be_heard_and_silenced_for_good(browser: Browser, live: LiveHere) -> None:
    ann = await Person.arrive(browser, "Ann", live.http)
    await ann.context.add_init_script(LISTEN)
    await ann.page.reload()
    await ann.play_against_bots()
    await expect(ann.button("^Lay these open")).to_be_visible()
    await ann.palace_move()
    await ann.page.wait_for_function("() => sounds > 0")
    sound = ann.button("^Sound$")
    await expect(sound).to_have_attribute("aria-pressed", "true")
    await ann.press(sound)
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await ann.page.reload()
    await expect(sound).to_have_attribute("aria-pressed", "false")
    await ann.palace_move()
    await expect(ann.button("^Choose a card")).to_be_visible()
    assert await ann.page.evaluate("sounds") == 0
    await ann.press(sound)
    await ann.palace_move()
    await ann.page.wait_for_function("() => sounds > 0")
    assert ann.complaints == []


# Losing the way, and finding it again.


async def test_ten_seconds_without_a_network_in_the_middle_of_a_turn(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live)
    await ann.palace_move()
    await expect(ann.button("^Choose a card")).to_be_visible()
    before, address = await hand(ann), ann.page.url
    banner = ann.text("The connection is lost")
    await ann.context.set_offline(True)
    await expect(banner).to_be_visible()
    await ann.page.wait_for_timeout(10_000)
    await expect(banner).to_be_visible()
    await ann.context.set_offline(False)
    await expect(banner).to_be_hidden()
    assert (await hand(ann), ann.page.url) == (before, address)
    await ann.palace_move()
    await expect(ann.page.get_by_role("log")).to_contain_text(PLAYED)


async def test_who_comes_back_to_a_running_clock_is_told_so(browser: Browser, live: LiveHere) -> None:
    first, _ = await by_turn(*await two_at_palace(browser, live))
    await first.context.set_offline(True)
    await expect(first.text("The connection is lost")).to_be_visible()
    await first.context.set_offline(False)
    await expect(first.page.locator(".notice")).to_have_text(
        re.compile(r"^The connection is back. You have \d+ seconds left")
    )


async def test_another_tab_goes_on_where_the_closed_one_was(browser: Browser, live: LiveHere) -> None:
    ann = await in_a_game(browser, live, **PHONE)
    await ann.palace_move()
    await expect(ann.button("^Choose a card")).to_be_visible()
    before = await hand(ann)
    other = await ann.context.new_page()
    await ann.page.close()
    await other.goto(f"/t/{next(iter(live.house.rooms))}")
    ann.page = other
    assert await hand(ann) == before
    await ann.palace_move()
