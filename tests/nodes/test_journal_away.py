"""PostgreSQL is away for a while: people hear that at once, and all goes on by itself when it is back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from croupier.journal import postgres_presence
from tests import services
from tests.client import Client, Json, Refusal, client
from tests.nodes.crowd import facts, play_on, seated
from tests.nodes.several import nodes


async def persist(somebody: Client, kind: str, **fields: object) -> Json:
    """Ask until it is granted; it must be for the journal that it is not."""
    while True:
        try:
            return await somebody.ask(kind, **fields)
        except Refusal as refusal:
            assert refusal.code == "unavailable"
            await asyncio.sleep(0.1)


async def test_a_game_goes_on_after_a_while_without_postgresql(tmp_path: Path) -> None:
    with services.own_postgres() as postgres:
        journal = postgres.create("house")
        async with nodes(tmp_path, 2, journal=journal) as running, seated(running, "palace") as people:
            await people[0].ask("start")
            await asyncio.gather(*(play_on(person, Random(n), 12) for n, person in enumerate(people)))
            await asyncio.to_thread(postgres.stop)
            for person in people:
                moves = (await person.ask("see"))["sync"]["moves"]
                with pytest.raises(Refusal) as refused:
                    await person.ask("configure", options={}) if not moves else await person.ask("play", move=moves[0])
                assert refused.value.code in ("unavailable", "started")
            postgres.start()
            for person in people:
                await persist(person, "see")
            await asyncio.gather(*(play_on(person, Random(n)) for n, person in enumerate(people)))
            assert {told["type"] for person in people for told in person.told} <= {"fact", "resync"}
            for person in people:
                seqs = [fact["seq"] for fact in facts(person)]
                assert seqs == list(range(seqs[0], seqs[-1] + 1))


async def test_who_comes_back_meanwhile_is_not_told_that_their_table_is_gone(tmp_path: Path) -> None:
    with services.own_postgres() as postgres:
        journal = postgres.create("house")
        async with (
            nodes(tmp_path, 2, journal=journal) as running,
            seated(running[:1], "palace", seats=2) as (ann,),
            client(running[1].ws("/ws")) as again,
        ):
            await asyncio.to_thread(postgres.stop)
            with pytest.raises(Refusal) as refused:
                await again.ask("return", table=ann.table, token=ann.token)
            assert refused.value.code == "unavailable"
            postgres.start()
            reply = await persist(again, "return", table=ann.table, token=ann.token)
            assert reply["sync"]["seat"] == 0
            await ann.hear(lambda told: told["type"] == "replaced")


async def test_nobody_is_taken_for_away_because_no_node_could_give_a_sign_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        postgres_presence, "_BEAT", postgres_presence._BEAT.replace(f"{postgres_presence.ALIVE_FOR} s'", "2 s'")
    )
    with services.own_postgres() as postgres:
        journal = postgres.create("house")
        async with nodes(tmp_path, 3, journal=journal) as running, seated(running, "palace") as people:
            await people[0].ask("start")
            await asyncio.to_thread(postgres.stop)
            await asyncio.sleep(4)
            await asyncio.to_thread(postgres.start)
            await asyncio.sleep(4)
            for person in people:
                await persist(person, "see")
                kinds = {told["entry"]["entry"] for told in person.told if told["type"] == "fact"}
                assert not kinds & {"absent", "resumed", "back"}
