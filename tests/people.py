"""People at a table as they are: they come, play, leave, are sent away, lose the line, come back and play again.

Their connections are like the page's: with views, and in words.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

from tests.client import Client, Json, Refusal, client
from tests.live import Live

PEOPLE = ("Anneliese", "Bartholomew", "Cassiopeia", "Demosthenes")
"""Long enough that none of them is a word of a sentence by chance."""
COMING = ("join",) * 6 + ("leave", "drop", "say", "watch")
HOSTING = ("add_bots", "start", "start", "reopen") * 3 + ("kick", "hand_over", "leave", "drop", "say")
PLAYING = ("play",) * 40 + ("leave", "drop", "kick") * 2 + ("say", "join", "hand_over", "reopen", "proceed")


class Somebody:
    """A person with a page, and what they know of the table."""

    live: Live
    """The server that they go to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._line = AsyncExitStack()
        self.page: Client | None = None
        self.token = ""
        self.seq: int | None = None
        self.seat: int | None = None
        self.moves: list[Json] = []
        self.summary: Json = {}
        self.stories: list[str] = []

    @property
    def possible(self) -> tuple[str, ...]:
        """What makes sense as far as they know, and some that does not."""
        if self.summary.get("phase") == "playing":
            return PLAYING
        return HOSTING if self.seq is not None and self.summary.get("host") == self.seat else COMING

    async def connect(self) -> Client:
        if self.page is None:
            self.page = await self._line.enter_async_context(client(self.live.ws("/ws?views=1")))
        return self.page

    async def drop(self) -> None:
        """The line is lost."""
        await self._line.aclose()
        self._line = AsyncExitStack()
        self.page = self.seq = None

    async def ask(self, kind: str, **fields: Any) -> str:
        """Returns the code of the refusal, if it is one."""
        page = await self.connect()
        try:
            reply = await page.ask(kind, **fields)
        except Refusal as refusal:
            assert refusal.code not in ("internal", "unavailable"), (kind, fields, str(refusal))
            return str(refusal.code)
        finally:
            self._listen(page)
        if sync := reply.get("sync"):
            self.seq, self.seat, self.moves, self.summary = sync["seq"], sync["seat"], sync["moves"], sync["table"]
        if kind == "leave":
            self.token, self.seq = "", None
        self.token = reply.get("token", self.token)
        return ""

    def _listen(self, page: Client) -> None:
        for told in page.told:
            assert told["type"] in ("fact", "replaced"), told
            if told["type"] == "replaced" or self.seq is None or told["seq"] < self.seq:
                continue
            if told.get("soft"):
                assert told["seq"] == self.seq, "something was not told"
                self.summary = told.get("table", self.summary)
                continue
            if told["seq"] == self.seq:
                continue
            assert told["seq"] == self.seq + 1, "something was not told"
            self.seq = told["seq"]
            self.moves = told.get("moves", [])
            self.summary = told.get("table", self.summary)
            self.seat = told.get("seat", self.seat)
            self.stories += told.get("story", [])
        page.told.clear()


async def walk(
    people: list[Somebody], rng: random.Random, steps: int, done: set[str], table: str = "", **opening: Any
) -> tuple[set[str], str]:
    """What people do at one table, and at the next when that is closed. Returns the bots they have met, and the table
    they are at in the end."""
    table = table or await opened(people[0], **opening)
    bots: set[str] = set()
    for _ in range(steps):
        somebody = rng.choice(people)
        if somebody.token and somebody.seq is None:
            if await somebody.ask("return", table=table, token=somebody.token) in ("no_such_seat", "kicked"):
                somebody.token = ""
            continue
        await somebody.ask("list", game="none")  # and hear what has happened meanwhile
        action = rng.choice(somebody.possible)
        refusal = await act(action, somebody, table, rng)
        if not refusal:
            done.add(action)
        bots |= {player["name"] for player in somebody.summary.get("players", ()) if player.get("bot")}
        if refusal == "no_such_table" or somebody.summary.get("phase") == "closed":
            for person in people:
                await person.drop()
                person.token, person.summary = "", {}
            table = await opened(rng.choice(people), **opening)
    return bots, table


async def opened(host: Somebody, bots: int = 0, **opening: Any) -> str:
    assert not await host.ask("open", player=host.name, **opening)
    table: str = host.summary["id"]
    if bots:
        assert not await host.ask("add_bots", count=bots)
    return table


async def act(action: str, somebody: Somebody, table: str, rng: random.Random) -> str:
    """One thing that somebody does; what the server refuses is no fault."""
    seated = bool(somebody.token) and somebody.seq is not None
    if action == "drop":
        await somebody.drop()
        return ""
    if action == "join":
        return "seated" if seated else await somebody.ask("join", table=table, player=somebody.name)
    if action == "watch":
        return "seated" if seated else await somebody.ask("watch", table=table)
    if somebody.seq is None:
        return "elsewhere"
    if action == "play":
        if somebody.moves:
            return await somebody.ask("play", move=rng.choice(somebody.moves))
        await asyncio.sleep(0.003)  # a while, by the server's clock
        return "waiting"
    if action in ("kick", "hand_over"):
        players = [player["seat"] for player in somebody.summary["players"] if player["seat"] != somebody.seat]
        return await somebody.ask(action, seat=rng.choice(players)) if players else "alone"
    if action == "say":
        return await somebody.ask("say", text="Hm.")
    return await somebody.ask(action)
