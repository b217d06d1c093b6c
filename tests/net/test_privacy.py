"""All that is kept of somebody, to be taken along; and nothing of it any more, but what others' games need."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from croupier.journal import Script, Statement
from croupier.people import identity
from croupier.people.privacy import SOMEBODY
from tests.client import Client, Json, client
from tests.live import LiveHere, request, server
from tests.me import Device, answered, error
from tests.nodes.several import Shared, nodes
from tests.test_cli import run

NAME = "Annabelle"


@asynccontextmanager
async def house(data: Path, where: str) -> AsyncIterator[tuple[LiveHere, LiveHere]]:
    """Twice the same server, or two nodes."""
    if where == "file":
        async with server(data) as live:
            yield live, live
    else:
        shared = Shared(data)
        (data / "journal.url").write_text(shared.journal)
        async with nodes(data, journal=shared.journal, bus=shared.bus) as (here, there):
            yield here, there


async def play(game: str, ann: Client, ben: Client) -> str:
    """A game of two that Ann leaves, and then both the table."""
    opened = await ann.ask("open", game=game, player=NAME, name=f"{NAME}'s table", avatar="owl")
    table: str = opened["sync"]["table"]["id"]
    await ben.ask("join", table=table, player="Ben")
    await ann.ask("start")
    await ann.ask("leave")
    await ben.hear(lambda message: message.get("result") is not None)
    await ben.ask("leave")
    return table


async def closed(live: LiveHere, table: str) -> Json:
    found = json.loads((await request(live.ports["http"], "GET", f"/api/tables/{table}")).body)
    assert found["table"]["phase"] == "closed"
    return dict(found)


async def replay(live: LiveHere, table: str) -> Json:
    found: Json = json.loads((await request(live.ports["http"], "GET", f"/api/tables/{table}/games/1")).body)
    return found


def in_files(data: Path, marks: list[str]) -> list[tuple[str, str]]:
    return [(file.name, mark) for file in data.iterdir() for mark in marks if mark.encode() in file.read_bytes()]


async def everything(live: LiveHere, table: str) -> str:
    """All that anybody can ask for about a table."""
    path = f"/api/tables/{table}"
    asked = [await request(live.ports["http"], "GET", path + more) for more in ("", "/games/1", "/games/1/record")]
    asked.append(await request(live.ports["http"], "GET", f"/t/{table}/replay", accept="text/html"))
    assert [reply.status for reply in asked] == [200] * 4
    return "".join(reply.body.decode() for reply in asked)


@pytest.mark.parametrize("where", ["file", "nodes"])
async def test_after_deletion_nothing_holds_the_name_the_id_or_the_key(tmp_path: Path, where: str) -> None:
    async with house(tmp_path, where) as (live, other):
        desk, phone, ben = Device(live), Device(other), Device(live)
        await desk.call(NAME, "owl")
        await desk.let_in(phone)
        lost = Device(live)
        await desk.let_in(lost)
        (gone,) = (device["id"] for device in (await lost.me())["devices"] if device["this"])
        await desk.ask("DELETE", f"/devices/{gone}")
        async with desk.comes() as ann, ben.comes() as line:
            tables = [await play(game, ann, line) for game in ("fortress", "coup")]
        before = [await closed(live, table) for table in tables]
        told = [await everything(live, table) + await everything(other, table) for table in tables]
        assert all(NAME in text for text in told)
        exported = await desk.ask("GET", "/export")
        assert exported.headers["content-disposition"] == 'attachment; filename="croupier.json"'
        export = answered(exported)
        assert {game["table"] for game in export["games"]} == set(tables)
        assert export["games"][0]["players"][export["games"][0]["seat"]]["name"] == NAME
        assert export["person"]["name"] == NAME and len(export["person"]["devices"]) == 2
        person = identity.person_of(desk.key)
        secret = [text for each in (desk, phone, lost) for text in (each.key, identity.hashed(each.key))]
        assert not any(text in exported.body.decode() for text in secret)

        assert (await phone.ask("DELETE")).status == 204

        marks = [NAME, person, *secret]
        for table, record in zip(tables, before, strict=True):
            text = await everything(live, table) + await everything(other, table)
            assert not any(mark in text for mark in marks)
            after, replayed = await closed(live, table), await replay(live, table)
            assert after["hash"] == record["hash"] and after["result"] == record["result"]
            assert SOMEBODY in {player["name"] for player in replayed["about"]["players"]}
            assert after["table"]["name"] == f"{SOMEBODY}'s table"
        assert answered(await ben.ask("GET", "/export"))["games"][0]["players"] != []
        assert (await desk.me())["name"] == "" and (await desk.me())["devices"] == []
        assert (await phone.me())["id"] == identity.person_of(phone.key), "it is somebody new"
        if where == "nodes":
            for name in (
                "persons",
                "devices",
                "links",
                "finished",
                "seats",
                "entries",
                "public",
                "tables",
                "snapshots",
            ):
                for row in await live.house.journal.query(f"SELECT * FROM {name}"):
                    texts = [bytes(value).decode() if isinstance(value, bytes) else str(value) for value in row]
                    assert not any(mark in text for mark in marks for text in texts), name
        else:
            assert in_files(tmp_path, marks) == []
    if where == "file":
        with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
            connection.execute("VACUUM")
        assert in_files(tmp_path, marks) == []
        checked = run("check", "--data", str(tmp_path))
    else:
        checked = run("check", "--journal", (tmp_path / "journal.url").read_text())
    assert checked.stdout == "2 tables replayed, no faults\n"


async def test_a_guest_of_cambia_leaves_no_secret_behind(tmp_path: Path) -> None:
    """There the secret of a seat is the key of a person."""
    async with server(tmp_path) as live:
        ann = Device(live)
        joined = b'"token":"' + identity.hashed(ann.key).encode()
        async with ann.comes() as line, client(live.ws("/ws")) as ben:
            table = await play("cambia", line, ben)
            await closed(live, table)
        assert (await ann.ask("DELETE")).status == 204
        async for piece in live.house.journal.logs({table: 0}):
            assert not any(joined in record.entry for record in piece.records)


async def test_who_sits_at_an_open_table_is_told_which(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        ann = Device(live)
        async with ann.comes() as line, client(live.ws("/ws")) as ben:
            opened = await line.ask("open", game="palace", player=NAME, name="Friday")
            await ben.ask("join", table=opened["sync"]["table"]["id"], player="Ben")
            await ann.call(NAME)
            refused = [await ann.ask("DELETE")]
            await line.ask("leave")
            refused.append(await ann.ask("DELETE"))  # the others there still see whom they have met
            for reply in refused:
                assert reply.status == 409
                assert error(reply).startswith("you have sat at a table that is still open, Friday: leave it, ")
            assert (await ann.me())["name"] == NAME
            await ben.ask("leave")
            assert (await ann.ask("DELETE")).status == 204


async def test_an_export_of_many_games_comes_whole(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        ann = Device(live)
        person = identity.person_of(ann.key)

        def many() -> Script[None]:
            for n in range(450):
                players = json.dumps([{"name": "Ben", "place": 1}, {"name": NAME, "place": 2, "person": person}])
                row = (f"t{n // 3}", n % 3, n % 3 + 1, "palace", n, 1, 1, players, None)
                yield Statement("INSERT INTO finished VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", row)
                yield Statement("INSERT INTO seats VALUES ($1, $2) ON CONFLICT DO NOTHING", (person, f"t{n // 3}"))

        await live.house.journal.transact(many())
        games = answered(await ann.ask("GET", "/export"))["games"]
        assert sorted(game["at"] for game in games) == list(range(450))
        assert {game["seat"] for game in games} == {1}
