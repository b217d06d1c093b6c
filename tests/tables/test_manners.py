"""People who mute and block each other."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.people.opinions import Relations
from croupier.tables import manners
from croupier.tables.visitor import Visitor
from tests import services
from tests.client import Client, Refusal, client
from tests.live import Live, server
from tests.nodes.several import nodes
from tests.operating import ANN, BEN, CLEO, ask, id_of, think, told

KEYS = {"Ann": ANN, "Ben": BEN, "Cleo": CLEO}


@asynccontextmanager
async def people(live: Live, *names: str) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(client(live.ws("/ws"))) for _ in names]
        for one, name in zip(found, names, strict=True):
            await one.ask("identify", key=KEYS[name])
        yield found


def lines(said: Client) -> list[str]:
    return [told["entry"]["text"] for told in said.told if told.get("entry", {}).get("entry") == "said"]


async def refused(somebody: Client, kind: str, **fields: object) -> str:
    with pytest.raises(Refusal) as refusal:
        await somebody.ask(kind, **fields)
    code: str = refusal.value.code
    return code


async def test_who_is_muted_is_not_heard_by_whoever_has_muted_them_and_by_all_others(tmp_path: Path) -> None:
    async with server(tmp_path) as live, people(live, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben")
        await cleo.ask("join", table=table, player="Cleo")
        await ben.ask("say", text="before")
        await think(live, ANN, BEN, "mute", "Ben")
        await ben.ask("say", text="after")
        await cleo.ask("say", text="hello")
        await ann.ask("list")
        await cleo.ask("list")
        assert lines(ann) == ["before", "hello"]
        assert lines(cleo) == ["before", "after", "hello"]
        chat = (await ann.ask("see"))["sync"]["chat"]
        assert [line["text"] for line in chat] == ["hello"], "nor in what was said before"
        assert [line["text"] for line in (await cleo.ask("see"))["sync"]["chat"]] == ["before", "after", "hello"]
        await ask(live, "DELETE", f"/api/me/opinions/{id_of(BEN)}", ANN)
        await ben.ask("say", text="again")
        await ann.ask("list")
        assert lines(ann)[-1] == "again"


async def test_sounds_of_who_is_muted_are_not_told_either(tmp_path: Path) -> None:
    async with server(tmp_path) as live, people(live, "Ann", "Ben") as (ann, ben):
        game = next(game for game in ann.welcome["games"] if game.get("sounds"))
        table = (await ann.ask("open", game=game["name"], player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben")
        await think(live, ANN, BEN, "mute")
        await ben.ask("sound", sound=game["sounds"][0])
        await ann.ask("list")
        heard = [told["entry"]["entry"] for told in ann.told if told["type"] == "fact"]
        assert "sounded" not in heard
        assert "sounded" in [told["entry"]["entry"] for told in ben.told if told["type"] == "fact"]


async def test_of_two_who_are_apart_neither_hears_the_other_not_even_a_spectator(tmp_path: Path) -> None:
    async with server(tmp_path) as live, people(live, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        table = (await cleo.ask("open", game="coup", player="Cleo"))["sync"]["table"]["id"]
        await ann.ask("join", table=table, player="Ann")
        await ben.ask("watch", table=table)
        await think(live, ANN, BEN, "block", "Ben")
        await ben.ask("say", text="from the bench")
        await ann.ask("say", text="from a seat")
        await ann.ask("list")
        await ben.ask("list")
        await cleo.ask("list")
        assert lines(ann) == ["from a seat"]
        assert lines(ben) == ["from the bench"]
        assert lines(cleo) == ["from the bench", "from a seat"]
        said = [told["entry"] for told in cleo.told if told["entry"]["entry"] == "said"]
        assert not any("person" in entry for entry in said), "who looks on is nobody to others"


async def test_whom_a_host_has_blocked_neither_joins_nor_watches_and_is_not_told_who_it_was(tmp_path: Path) -> None:
    async with server(tmp_path) as live, people(live, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await think(live, ANN, BEN, "block", "Ben")
        assert await refused(ben, "join", table=table, player="Ben") == "unwelcome"
        assert await refused(ben, "watch", table=table) == "unwelcome"
        await cleo.ask("join", table=table, player="Cleo")
        await ask(live, "DELETE", f"/api/me/opinions/{id_of(BEN)}", ANN)
        await ben.ask("join", table=table, player="Ben")


async def test_who_is_blocked_is_so_at_another_node_and_after_a_restart(tmp_path: Path) -> None:
    shared: Any = {"journal": services.database(), "bus": services.bus()}
    async with (
        nodes(tmp_path, 2, **shared) as (here, there),
        people(here, "Ann") as (ann,),
        people(there, "Ben") as (ben,),
    ):
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben")
        await ben.ask("say", text="before")
        await ann.hear(lambda told: told.get("entry", {}).get("text") == "before")
        await think(here, ANN, BEN, "block", "Ben")
        (bens,) = [each for each in there.admission.connections if each.person == id_of(BEN)]
        while bens.visitor is None or id_of(ANN) not in bens.visitor.relations.blocked_by:
            await ben.ask("list")
        await ann.ask("say", text="to nobody")
        await ben.ask("say", text="after")
        await ben.ask("leave")
        await ann.entry("left")
        assert await refused(ben, "join", table=table, player="Ben") == "unwelcome"
        await ann.ask("list")
        assert lines(ann) == ["before", "to nobody"]
    async with nodes(tmp_path, 1, **shared) as (again,), people(again, "Ben") as (ben,):
        assert await refused(ben, "watch", table=table) == "unwelcome"


async def test_find_me_a_game_does_not_bring_those_together_who_are_apart(tmp_path: Path) -> None:
    async with server(tmp_path) as live, people(live, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        await think(live, ANN, BEN, "block")
        await ann.ask("seek", game="coup", player="Ann")
        await ben.ask("seek", game="coup", player="Ben")
        await cleo.ask("seek", game="coup", player="Cleo")
        assert ben.table != ann.table and cleo.table in (ann.table, ben.table)


async def test_who_looks_for_a_game_meets_nobody_they_are_apart_from(tmp_path: Path) -> None:
    async with server(tmp_path) as live, people(live, "Ann", "Ben") as (ann, ben):
        id = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=id, player="Ben")
        table = live.house.rooms[id].table.summary
        for apart in (Relations(blocked=frozenset([id_of(BEN)])), Relations(blocked_by=frozenset([id_of(BEN)]))):
            assert not manners.may_meet(Visitor(id_of(CLEO), "", relations=apart), table)
        assert manners.may_meet(Visitor(id_of(CLEO), "", relations=Relations(muted=frozenset([id_of(BEN)]))), table)
        assert manners.may_meet(None, table)


async def test_the_list_is_told_page_by_page_the_latest_first_and_to_nobody_else(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        await think(live, ANN, BEN, "mute", "Ben")
        await think(live, ANN, CLEO, "block", "Cleo \u202e")
        found = await told(live, "/api/me/opinions", ANN)
        assert {(each["person"], each["name"], each["how"]) for each in found["opinions"]} == {
            (id_of(CLEO), "Cleo", "block"),
            (id_of(BEN), "Ben", "mute"),
        }
        assert found["next"] is None
        assert (await told(live, "/api/me/opinions", BEN))["opinions"] == []
        assert (await told(live, "/api/me/opinions?offset=2", ANN))["opinions"] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", id_of(ANN), {"how": "mute"}, 400),
        ("PUT", "somebody", {"how": "mute"}, 400),
        ("PUT", id_of(BEN), {"how": "love"}, 400),
        ("PUT", id_of(BEN), ["mute"], 400),
        ("PUT", id_of(BEN), {"how": "mute", "name": "x" * 20_000}, 413),
        ("DELETE", "x", None, 400),
    ],
)
async def test_what_makes_no_sense_is_answered_in_a_sentence(
    tmp_path: Path, method: str, path: str, body: object, status: int
) -> None:
    async with server(tmp_path) as live:
        reply = await ask(live, method, f"/api/me/opinions/{path}", ANN, body)
        assert reply.status == status and json.loads(reply.body)["error"]


async def test_nobody_thinks_anything_without_saying_who_they_are(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        for method, path in (("GET", ""), ("PUT", f"/{id_of(BEN)}"), ("DELETE", f"/{id_of(BEN)}")):
            reply = await ask(live, method, f"/api/me/opinions{path}", "")
            assert reply.status == 401
