"""People at several nodes who play as fast as they can, and keep what they are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

from tests.client import Client, Json, Refusal, client
from tests.live import Live

OUTDATED = {"not_your_turn", "illegal", "not_started", "not_over", "started"}


def facts(somebody: Client) -> list[Json]:
    """What they were told that is in the log."""
    return [told for told in somebody.told if told["type"] == "fact" and not told.get("soft")]


@asynccontextmanager
async def seated(nodes: Sequence[Live], game: str, **opened: object) -> AsyncIterator[list[Client]]:
    """One at each node, all at the same table."""
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(client(node.ws("/ws"))) for node in nodes]
        host, *others = people
        await host.ask("open", game=game, player="P0", **{"seats": len(people), **opened})
        for number, guest in enumerate(others, 1):
            await guest.ask("join", table=host.table, player=f"P{number}")
            await host.entry("joined")
        yield people


async def play_on(somebody: Client, dice: Random, until: int = 1 << 30) -> None:
    """Whatever is offered, as soon as it is, until the game is over or this entry has been heard. Who comes too late
    has to hear something better than that the table is unavailable."""
    moves = (await somebody.ask("see"))["sync"]["moves"]
    while True:
        if moves:
            try:
                await somebody.ask("play", move=dice.choice(moves))
            except Refusal as refusal:
                assert refusal.code not in ("unavailable", "internal"), refusal
        told = await somebody.hear(lambda told: told["type"] == "fact" and not told.get("soft"))
        while somebody.behind and "result" not in told:
            told = await somebody.hear()
        if "result" in told or told["seq"] >= until:
            return
        moves = told.get("moves", [])


async def agree(people: Sequence[Client]) -> int:
    """All have heard the same, entry by entry, since they came; and nothing but that. Returns the last entry's seq."""
    latest: int = max([(await somebody.ask("see"))["sync"]["seq"] for somebody in people])
    heard: dict[int, str] = {}
    for somebody in people:
        while facts(somebody)[-1]["seq"] < latest:
            somebody.told.append(await somebody._receive())
        assert {told["type"] for told in somebody.told} == {"fact"}
        seqs = [fact["seq"] for fact in facts(somebody)]
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
        for fact in facts(somebody):
            what = str((fact["at"], fact["entry"]))
            assert heard.setdefault(fact["seq"], what) == what
    return latest
