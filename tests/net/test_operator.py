"""The operator: what they see, and what they can do about it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from croupier.people import identity
from tests import services
from tests.client import PATIENCE, Client, Refusal, client
from tests.live import Live, process, request, server
from tests.nodes.several import nodes
from tests.operating import ANN, BEN, TOKEN, ask, ban, id_of, told

ENDPOINTS = [
    ("GET", ""),
    ("GET", "/tables"),
    ("DELETE", "/tables/x"),
    ("GET", "/people"),
    ("GET", "/troubles"),
    ("GET", "/reports"),
    ("PUT", "/reports/x"),
    ("GET", "/bans"),
    ("POST", "/bans"),
    ("DELETE", "/bans/address/192.0.2.7"),
]


def operated(data: Path, **settings: Any) -> Any:
    return server(data, operator_token=TOKEN, **settings)


async def closed(somebody: Client) -> tuple[int, str]:
    """How the connection ended, whatever was said before."""
    with pytest.raises(ConnectionClosed) as end:
        async with asyncio.timeout(PATIENCE):
            while True:
                await somebody.socket.recv()
    assert end.value.rcvd is not None
    return end.value.rcvd.code, end.value.rcvd.reason


async def reports(live: Live, key: str, **about: Any) -> int:
    return (await ask(live, "POST", "/api/me/reports", key, {"why": "rude", **about})).status


# Who is let in.


async def test_nothing_is_answered_without_the_token(tmp_path: Path) -> None:
    shown = ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \u00e9")
    async with operated(tmp_path, trusted_proxy=("127.0.0.1",)) as live:
        for n, (method, path) in enumerate(ENDPOINTS):
            for m, header in enumerate(shown):
                headers = {"X-Forwarded-For": f"192.0.{n}.{m}"} | ({"Authorization": header} if header else {})
                reply = await request(live.ports["http"], method, f"/api/operator{path}", b"{}", **headers)
                assert reply.status == 401 and json.loads(reply.body).keys() == {"error"}, (method, path, header)


async def test_where_there_is_no_token_there_is_no_operator(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        for _, path in ENDPOINTS:
            for key in ("", TOKEN):
                reply = await ask(live, "GET", f"/api/operator{path}", key)
                assert reply.status in (404, 405), path
        assert (await request(live.ports["http"], "GET", "/operator")).status == 404
        assert await reports(live, ANN, table="x", name="Ben") == 404


async def test_guesses_are_priced_and_then_the_right_token_is_not_looked_at_either(tmp_path: Path) -> None:
    async with operated(tmp_path) as live:
        codes = [(await ask(live, "GET", "/api/operator", "wrong")).status for _ in range(7)]
        assert codes == [401] * 5 + [429] * 2
        assert (await ask(live, "GET", "/api/operator", TOKEN)).status == 429


@pytest.mark.parametrize("token", ["x" * 15])
async def test_a_token_that_could_be_guessed_is_none_and_is_not_said_again(tmp_path: Path, token: str) -> None:
    told = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "croupier.cli", "serve"),
        *("--data", str(tmp_path), "--operator-token", token),
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await told.communicate()
    assert told.returncode == 2
    assert b"at least 16 characters" in errors and token.encode() not in errors


# What they see.


async def test_the_overview_says_how_the_server_is(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="coup", player="Ann")
        found = await told(live, "/api/operator")
        assert found["tables"] == [{"game": "coup", "phase": "waiting", "count": 1}]
        assert found["connections"] == 1 and found["open_tables"] == 1 and found["entries"] >= 2
        assert found["journal"] == "" and found["memory"] > 0 and found["late_ms"] >= 0


async def test_tables_say_who_sits_there_and_from_where_and_no_secret(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("identify", key=ANN)
        opened = await ann.ask(
            "open", game="palace", player="Ann", name="Among us", password="the word", listed=False, seats=3
        )
        await ben.ask("join", table=opened["sync"]["table"]["id"], player="Ben", password="the word")
        await ann.ask("start")
        (row,) = (await told(live, "/api/operator/tables"))["tables"]
        assert {player["name"]: player["address"] for player in row["players"]} == dict.fromkeys(
            ("Ann", "Ben"), live.host
        )
        assert row["locked"] and row["opener"] == live.host and row["phase"] == "playing"
        everything = ""
        for path in ("", "/tables", "/people", "/troubles", "/reports", "/bans"):
            everything += json.dumps(await told(live, f"/api/operator{path}"))
        table = live.house.rooms[row["id"]].table
        secrets = [ann.token, ben.token, ANN, identity.hashed(ANN), TOKEN, "the word", str(table.password)]
        secrets += [seat.token for seat in table.seats.values() if seat.token]
        assert not [secret for secret in secrets if secret in everything]
        assert '"view"' not in everything and '"hand"' not in everything and '"seed"' not in everything


@pytest.mark.parametrize("several", [False, True])
async def test_tables_are_found_by_what_is_known_of_them(tmp_path: Path, several: bool) -> None:
    shared = {"journal": services.database()} if several else {}
    async with operated(tmp_path, **shared) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("open", game="coup", player="Ann", name="First")
        await ben.ask("open", game="palace", player="Ben", name="Second", listed=False)
        for query, names in (
            ("", ["Second", "First"]),
            ("?game=coup", ["First"]),
            ("?search=BEN", ["Second"]),
            ("?phase=playing", []),
            ("?offset=1", ["First"]),
        ):
            found = (await told(live, f"/api/operator/tables{query}"))["tables"]
            assert [row["name"] for row in found] == names, query


async def test_long_lists_come_in_pages(tmp_path: Path) -> None:
    async with operated(tmp_path) as live:
        for n in range(60):
            await ban(live, "address", f"192.0.2.{n}")
        first = await told(live, "/api/operator/bans")
        second = await told(live, f"/api/operator/bans?offset={first['next']}")
        assert (len(first["bans"]), len(second["bans"]), second["next"]) == (50, 10, None)
        reply = await ask(live, "GET", "/api/operator/tables?offset=many", TOKEN)
        assert reply.status == 400


async def test_people_are_listed_with_where_they_are(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")):
        await ann.ask("identify", key=ANN)
        await ann.ask("open", game="coup", player="Ann", name="Ann's")
        found = await told(live, "/api/operator/people")
        assert found["total"] == 2
        assert [row["name"] for row in found["people"]] == ["Ann", ""]
        (known,) = (await told(live, f"/api/operator/people?search={id_of(ANN)}"))["people"]
        assert known["name"] == "Ann" and known["table"]["name"] == "Ann's" and known["address"] == live.host


async def test_troubles_of_late_are_told(tmp_path: Path) -> None:
    async with operated(tmp_path) as live:
        async with client(live.ws("/ws")) as ann:
            opened = await ann.ask("open", game="coup", player="Ann")
            room = live.house.rooms[opened["sync"]["table"]["id"]]
            room.table.game = None  # as if something of ours had failed
            with pytest.raises((Refusal, ConnectionClosed)):
                await ann.ask("add_bots", count=1)
        latest = (await told(live, "/api/operator/troubles"))["troubles"][:5]
        assert any(each["error"].startswith("AttributeError, ") for each in latest), latest


# Reports.


async def test_a_report_tells_the_operator_what_they_need_and_is_done_when_they_say_so(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("identify", key=ANN)
        await ben.ask("identify", key=BEN)
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben")
        await ben.ask("say", text="something rude")
        seat = ben.seat
        assert await reports(live, ANN, table=table, seat=seat, why="  He is\nrude ") == 204
        assert (await told(live, "/api/operator"))["reports"] == 1
        (report,) = (await told(live, "/api/operator/reports"))["reports"]
        assert (report["reporter"], report["person"], report["name"]) == (id_of(ANN), id_of(BEN), "Ben")
        assert (report["table"], report["game"], report["number"]) == (table, "coup", 0)
        assert [line["text"] for line in report["said"]] == ["something rude"]
        path = f"/api/operator/reports/{report['id']}"
        assert (await ask(live, "PUT", path, TOKEN, {"done": True})).status == 204
        assert (await told(live, "/api/operator/reports"))["reports"] == []
        assert len((await told(live, "/api/operator/reports?done=1"))["reports"]) == 1
        assert (await ask(live, "PUT", "/api/operator/reports/x", TOKEN, {"done": True})).status == 404


async def test_who_was_never_there_reports_by_name_and_learns_nothing_that_was_said(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann:
        table = (await ann.ask("open", game="coup", player="Ann", listed=False))["sync"]["table"]["id"]
        await ann.ask("say", text="among us")
        assert await reports(live, BEN, table=table, seat=0) == 400, "whose seats they don't see"
        assert await reports(live, BEN, table=table, name="Ann") == 204
        (report,) = (await told(live, "/api/operator/reports"))["reports"]
        assert report["said"] == [] and report["name"] == "Ann"


@pytest.mark.parametrize(
    ("about", "status"),
    [
        ({"table": "nowhere", "name": "Ben"}, 404),
        ({"table": "nowhere", "name": "Ben", "why": ""}, 400),
        ({"table": "nowhere", "name": "Ben", "why": "x" * 501}, 400),
        ({"table": "nowhere", "name": "Ben", "why": " \n "}, 400),
        ({"name": "Ben"}, 400),
    ],
)
async def test_reports_that_make_no_sense_are_refused(tmp_path: Path, about: Any, status: int) -> None:
    async with operated(tmp_path) as live:
        assert await reports(live, ANN, **about) == status


async def test_who_reports_all_the_time_has_to_wait_and_so_has_their_address(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann:
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        codes = [await reports(live, f"{n} is a key that I have made up", table=table, name="Ann") for n in range(8)]
        assert codes == [204] * 5 + [429] * 3, "to be somebody else does not help"


async def test_who_changes_their_mind_all_the_time_has_to_wait(tmp_path: Path) -> None:
    async with operated(tmp_path) as live:
        codes = set()
        for n in range(40):
            path = f"/api/me/opinions/{n:032x}"
            codes.add((await ask(live, "PUT", path, f"{n} is a key that I have made up", {"how": "block"})).status)
        assert codes == {204, 429}
        ((rows,),) = await live.house.journal.query("SELECT COUNT(*) FROM opinions")
        assert rows == 30


# Bans.


async def test_a_banned_person_is_out_at_once_has_left_and_does_not_come_back(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ben.ask("identify", key=BEN)
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben")
        await ban(live, "person", id_of(BEN), why="rude")
        assert await closed(ben) == (1008, "you have been banned from this server")
        assert (await ann.entry("left"))["entry"]["seat"] == ben.seat
        async with client(live.ws("/ws")) as again:
            with pytest.raises(Refusal) as refusal:
                await again.ask("identify", key=BEN)
            assert refusal.value.code == "banned"
    async with operated(tmp_path) as live, client(live.ws("/ws")) as again:
        with pytest.raises(Refusal):
            await again.ask("identify", key=BEN)
        assert (await ask(live, "DELETE", f"/api/operator/bans/person/{id_of(BEN)}", TOKEN)).status == 204
        await again.ask("identify", key=BEN)


async def test_a_banned_person_does_not_come_back_to_a_seat_by_its_secret(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann:
        async with client(live.ws("/ws")) as ben:
            await ben.ask("identify", key=BEN)
            table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
            await ben.ask("join", table=table, player="Ben")
        await ban(live, "person", id_of(BEN))
        async with client(live.ws("/ws")) as again:
            with pytest.raises(Refusal) as refusal:
                await again.ask("return", table=table, token=ben.token)
            assert refusal.value.code == "banned"


def forwarded(address: str) -> Any:
    return {"X-Forwarded-For": address}


def elsewhere(live: Live, address: str) -> Any:
    """From an address that a proxy speaks for."""
    return client(live.ws("/ws"), additional_headers=forwarded(address))


async def from_address(live: Live, address: str, path: str = "/api/tables") -> int:
    return (await request(live.ports["http"], "GET", path, **forwarded(address))).status


@pytest.mark.parametrize(
    ("banned", "out", "within"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
        ("192.0.2.0/28", "192.0.2.15", "192.0.2.16"),
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", "2001:db8:1:3::5"),
        ("2001:db8::/32", "2001:db8:9:9::1", "2001:db9::1"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.8"),
    ],
)
async def test_a_banned_address_is_out_at_once_by_every_way_in(
    tmp_path: Path, banned: str, out: str, within: str
) -> None:
    async with operated(tmp_path, trusted_proxy=("127.0.0.1",)) as live, client(live.ws("/ws")) as host:
        async with elsewhere(live, out) as ben, elsewhere(live, within) as cleo:
            table = (await host.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
            await ben.ask("join", table=table, player="Ben")
            await ban(live, "address", banned)
            assert (await closed(ben))[0] == 1008
            await host.entry("left")
            await cleo.ask("list")
        with pytest.raises(InvalidStatus) as rejected:
            async with elsewhere(live, out):
                pass
        assert rejected.value.response.status_code == 403
        reply = await request(live.ports["http"], "GET", "/", **forwarded(out))
        assert reply.status == 403 and reply.body == b"You have been banned from this server.\n"
        assert await from_address(live, within) == 200
        ((row,)) = (await told(live, "/api/operator/bans"))["bans"]
        path = f"/api/operator/bans/address/{row['value']}"
        assert (await ask(live, "DELETE", path, TOKEN)).status == 204
        assert await from_address(live, out) == 200


async def test_a_ban_ends_when_it_was_to_end(tmp_path: Path) -> None:
    async with operated(tmp_path, trusted_proxy=("127.0.0.1",)) as live:
        await ban(live, "address", "192.0.2.7", hours=1)
        assert await from_address(live, "192.0.2.7") == 403
        now = live.house.now()
        assert live.house.persons.bans.of_address("192.0.2.7", now + 3_599_000)
        assert not live.house.persons.bans.of_address("192.0.2.7", now + 3_601_000)


async def test_nobody_is_banned_by_mistake(tmp_path: Path) -> None:
    async with operated(tmp_path, trusted_proxy=("10.0.0.0/8",)) as live:
        for value, word in (("10.1.2.3", "proxy"), ("0.0.0.0/0", "proxy"), ("127.0.0.1", "own"), ("me", "not an")):
            reply = await ask(live, "POST", "/api/operator/bans", TOKEN, {"what": "address", "value": value})
            assert reply.status == 400 and word in json.loads(reply.body)["error"]
        reply = await ask(live, "POST", "/api/operator/bans", TOKEN, {"what": "person", "value": "Ben"})
        assert reply.status == 400
        assert (await ask(live, "DELETE", "/api/operator/bans/person/x", TOKEN)).status == 404


async def test_bans_hold_at_other_nodes_at_once_and_after_a_restart(tmp_path: Path) -> None:
    shared: Any = {"journal": services.database(), "operator_token": TOKEN, "trusted_proxy": ("127.0.0.1",)}
    async with nodes(tmp_path, 2, **shared) as (here, there):
        async with client(there.ws("/ws")) as ben, elsewhere(there, "192.0.2.7") as cleo:
            await ben.ask("identify", key=BEN)
            await ban(here, "person", id_of(BEN))
            assert (await closed(ben))[0] == 1008
            await ban(here, "address", "192.0.2.7")
            assert (await closed(cleo))[0] == 1008
        assert await from_address(there, "192.0.2.7") == 403
    async with nodes(tmp_path, 1, **shared) as (again,):
        assert await from_address(again, "192.0.2.7") == 403


async def test_without_a_bus_bans_are_found_in_the_journal(tmp_path: Path) -> None:
    shared: Any = {"journal": services.database(), "bus": "", "operator_token": TOKEN}
    async with nodes(tmp_path, 2, **shared) as (here, there), client(there.ws("/ws")) as ben:
        await ben.ask("identify", key=BEN)
        await ban(here, "person", id_of(BEN))
        assert (await closed(ben))[0] == 1008


# Closing a table.


async def close(live: Live, table: str) -> int:
    return (await ask(live, "DELETE", f"/api/operator/tables/{table}", TOKEN)).status


async def test_a_table_is_closed_and_those_who_are_there_are_told_plainly(tmp_path: Path) -> None:
    async with operated(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        table = (await ann.ask("open", game="coup", player="Ann"))["sync"]["table"]["id"]
        await ben.ask("join", table=table, player="Ben")
        await ann.ask("start")
        assert await close(live, table) == 204
        for somebody in (ann, ben):
            assert (await somebody.entry("closed"))["entry"] == {
                "entry": "closed", "why": "abandoned", "operator": True
            }  # fmt: skip
        assert await close(live, table) == 404
        with pytest.raises(Refusal) as refusal:
            await ben.ask("return", table=table, token=ben.token)
        assert refusal.value.code == "no_such_table"


async def test_a_table_is_closed_by_whatever_node(tmp_path: Path) -> None:
    async with nodes(tmp_path, 2, operator_token=TOKEN) as (here, there), client(there.ws("/ws")) as ann:
        table = (await ann.ask("open", game="coup", player="Ann", listed=False))["sync"]["table"]["id"]
        await ann.ask("add_bots", count=2)
        await ann.ask("start")
        assert await close(here, table) == 204
        assert (await ann.entry("closed"))["entry"]["operator"] is True


async def test_the_token_is_nowhere_in_what_the_server_writes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with process(tmp_path, "--operator-token", TOKEN, log=log) as live:
        assert (await ask(live, "GET", "/api/operator", TOKEN)).status == 200
        assert (await ask(live, "GET", "/api/operator", "another one, which is wrong")).status == 401
        await live.terminate()
    assert TOKEN not in log.read_text() and "which is wrong" not in log.read_text()
