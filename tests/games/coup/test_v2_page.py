"""The web page that speaks the second version of Coup's protocol, as far as it can be told from outside.

It has to be given what it can show: an event it does not know, a state without its own player or an exchange without
cards break it. It offers more buttons than the rules allow, so that refusals are nothing special.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.games.coup.wire import MARK, NAMES, Hall, Said, Second, Table, hall

LINES: dict[str, set[str]] = {
    "Player Join Game": set(),
    "Player Disconnected": set(),
    "Start Game": set(),
    "Choose Action": {"action"},
    "Confirm Action": set(),
    "Challenge Action": set(),
    "Block Action": {"card"},
    "Accept Block": set(),
    "Challenge Block": set(),
    "Player Lose Card": {"targetPlayer", "reason"},
    "Player Reveal Card": {"card"},
    "Pause Game": {"reason"},
    "Resume Game": {"reason"},
    "Player Out": {"name"},
    "Next Turn": {"name"},
    "Game Over": {"name"},
    "Exchange Cards": set(),
}
"""What it makes a line of, and what it needs for that. Of New Game and of states it makes none."""

BLOCKS = {"Foreign Aid": ["Duke"], "Steal": ["Captain", "Ambassador"], "Assassinate": ["Contessa"]}
CLAIMS = {"Tax", "Steal", "Assassinate", "Exchange"}
SERVER = "__server"

Press = tuple[str, dict[str, Any]]


class WebPage(Second):
    """One window of it."""

    shown: dict[str, Any]
    """The state; what a new one leaves out stays as it was."""
    lines: list[str]
    red: int
    """How many refusals it has shown."""

    async def opens(self) -> list[Said]:
        self.shown, self.lines, self.red = {}, [], 0
        return await self.heard()

    async def heard(self) -> list[Said]:
        await self.send({"event": MARK})
        found: list[Said] = []
        while True:
            message = await self.next()
            if MARK in message.get("receivedData", ""):
                return found
            self._show(message, found[-1][0] if found else "")
            found.append((message.get("event", "error"), message))

    def _show(self, message: dict[str, Any], last: str) -> None:
        if "error" in message:
            assert isinstance(message["error"], str) and message["error"], "the page goes blank"
            self.red += 1
            return
        event = message["event"]
        if last == "New Game":
            assert event == "Current State" and message["data"]["state"]["status"] == "Pre-Game"
        if event == "New Game":
            self.lines.clear()
        elif event == "Current State":
            self._draw(message["data"]["state"])
        else:
            assert LINES[event] <= message.get("data", {}).keys(), f"no handler for {message}"
            assert all(message["data"][word] for word in LINES[event])
            assert message["user"] in (SERVER, *NAMES)
            self.lines.append(event)

    def _draw(self, state: dict[str, Any]) -> None:
        assert None not in state.values(), "what does not apply is left out"
        self.shown |= state
        assert self.me["cards"], "the page goes blank"
        assert sum(player["isHost"] for player in state["players"]) == 1
        assert state["currentPlayerName"] in {player["name"] for player in state["players"]}
        own = state["status"] == "Awaiting Exchange" and state["currentPlayerName"] == self.name
        assert ("exchangeCards" in state) == own, "the page goes blank"
        assert state["status"] != "Action Blocked" or state["blockAction"]["event"] == "Block Action"

    @property
    def me(self) -> dict[str, Any]:
        (found,) = (player for player in self.shown["players"] if player["name"] == self.name)
        assert isinstance(found, dict)
        return found

    def buttons(self) -> Iterator[Press]:
        """What can be pressed. Those who are out are offered the same."""
        state = self.shown
        mine = state["currentPlayerName"] == self.name
        action = state.get("currentAction", {}).get("action")
        target = state.get("currentAction", {}).get("targetPlayer")
        match state["status"]:
            case _ if state["isPaused"]:
                return
            case "Pre-Game" if self.me["isHost"]:
                yield "Start Game", {}
            case "Game Over" if self.me["isHost"]:
                yield "New Game", {}
            case "Awaiting Action" if mine:
                yield from self._actions()
            case "Action Selected" if mine:
                if target is None:
                    yield "Confirm Action", {}
            case "Action Selected":
                yield from (("Block Action", {"card": card}) for card in BLOCKS.get(action, ()))
                if action in CLAIMS:
                    yield "Challenge Action", {}
                if target == self.name:
                    yield "Confirm Action", {}
            case "Action Blocked":
                if mine:
                    yield "Accept Block", {}
                if state["blockAction"]["user"] != self.name:
                    yield "Challenge Block", {}
            case "Player Losing Card" if state["playerLosingCard"]["player"] == self.name:
                yield from (("Player Reveal Card", {"card": card}) for card in self._face_down())
            case "Awaiting Exchange" if mine:
                cards = self._face_down()
                for keeping in combinations([*cards, *state["exchangeCards"]], len(cards)):
                    yield "Exchange Cards", {"exchangeKeeping": list(keeping)}

    def _actions(self) -> Iterator[Press]:
        coins = self.me["coins"]
        targeted = [("Steal", 0), ("Assassinate", 3), ("Coup", 7)] if coins < 10 else [("Coup", 7)]
        if coins < 10:
            yield from (("Choose Action", {"action": name}) for name in ("Exchange", "Foreign Aid", "Income", "Tax"))
        for player in self.shown["players"]:
            if player["name"] != self.name and not player["isOut"]:
                for action, fee in targeted:
                    if coins >= fee:
                        yield "Choose Action", {"action": action, "targetPlayer": player["name"]}

    def _face_down(self) -> list[str]:
        return [card["card"] for card in self.me["cards"] if not card["isRevealed"]]


async def open_page(table: Table, name: str) -> list[Said]:
    other = await table.hall.second(name, table.code)
    page = table.players[name] = WebPage(other.socket, name)
    return await page.opens()


@pytest.mark.parametrize("seed", range(6))
async def test_3_8_7_the_page_can_show_all_it_is_told(seed: int, tmp_path: Path) -> None:
    """Two games of four pages, with bad connections, by pressing whatever there is to press."""
    luck = random.Random(seed)
    async with hall(tmp_path) as here:
        table = await here.table(2, ruleset="note" if seed % 3 == 0 else "official")
        for name in NAMES[:4]:
            await open_page(table, name)
        await table.heard()
        ended = red = 0
        while ended < 2:
            told = await happens(here, table, luck)
            for frames in told.values():
                check(frames)
            ended += any(event == "Game Over" for event, _ in next(iter(told.values()), ()))
            red = max(red, *(page.red for page in table.players.values()))
        assert red
        state = table.players["ann"].shown
        assert state["status"] == "Game Over"
        assert all(card["card"] != "HIDDEN_CARD" for player in state["players"] for card in player["cards"])


async def happens(here: Hall, table: Table, luck: random.Random) -> dict[str, list[Said]]:
    """Somebody presses something, or the connection breaks for a while, or time passes."""
    pages: list[WebPage] = [page for page in table.players.values() if list(page.buttons())]
    what = luck.random()
    if what < 0.02:
        name = luck.choice(list(table.players))
        started = table.players[name].shown["status"] != "Pre-Game"
        told = await table.loses(name)
        for frames in told.values():
            check(frames)
        back = await open_page(table, name)
        assert [event for event, _ in back][-1] == "Current State"
        assert ("Player Join Game" in [event for event, _ in back]) == (not started)
        return await table.heard()
    if what < 0.1 or not pages:
        return await table.passes(luck.choice([1_000, 5_000, 60_000]))
    page = luck.choice(pages)
    event, data = luck.choice(list(page.buttons()))
    told = await table.does(page.name, event, **data)
    assert all([said for said, _ in frames].count("Current State") <= 1 for frames in told.values())
    return told


def check(frames: list[Said]) -> None:
    """Whatever happens ends with a state; and what is refused is nothing but an error: it comes after what has happened
    before it, if somebody pressed at the same moment as time ran out for others."""
    events = [event for event, _ in frames if event != "error"]
    assert not events or events[-1] == "Current State"
