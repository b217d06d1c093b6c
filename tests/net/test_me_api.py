"""Who one is: a name and a picture on the server, and devices that are the same person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.journal import Script
from croupier.people import devices, identity
from croupier.tables.persons import SIGNED_OUT
from tests.client import Json, Refusal, client
from tests.clock import ManualTime
from tests.live import request, server
from tests.me import PHONE, Device, answered, error


async def test_who_has_said_nothing_is_somebody_and_nothing_is_written_down(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        me = await Device(live).me()
        nothing: Json = {
            "name": "",
            "avatar": "",
            "made_at": None,
            "hidden": False,
            "devices": [],
            "passkeys": [],
            "tables": [],
        }
        assert me == {"id": me["id"], **nothing}
        for table in ("persons", "devices", "links"):
            assert await live.house.journal.query(f"SELECT * FROM {table}") == []


async def test_without_a_key_nobody_is_told_anything(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        reply = await request(live.ports["http"], "GET", "/api/me?language=fr")
        assert (reply.status, error(reply)) == (401, "dites qui vous êtes")


async def test_a_name_and_a_picture_stay_with_the_person(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        ann = Device(live)
        assert (await ann.call("  Ann  O’Neil ", "owl"))["name"] == "Ann O’Neil"
        await ann.ask("PUT", body={"name": "Annie", "avatar": "fox", "hidden": True})
        me = await ann.call("Annie", "owl")
        assert (me["name"], me["avatar"], me["hidden"]) == ("Annie", "owl", True)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"name": " "}, "a name can't be empty"),
        ({"name": "x" * 41}, "a name has up to 40 characters here"),
        ({"name": "Ann", "avatar": "<b>"}, "Expected `str` matching regex '^[a-z-]*$' - at `$.avatar`"),
        ({}, "Object missing required field `name`"),
        ({"name": "x" * 20_000}, "that is too much"),
    ],
)
async def test_what_can_not_be_a_name_is_refused_in_a_sentence(tmp_path: Path, body: object, sentence: str) -> None:
    async with server(tmp_path) as live:
        reply = await Device(live).ask("PUT", body=body)
        assert reply.status in (400, 413) and error(reply) == sentence


async def test_two_devices_are_one_person(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        desk, phone = Device(live), Device(live, PHONE)
        await desk.call("Ann", "owl")
        code = await desk.code()
        assert len(code) == devices.LENGTH and set(code) <= set(devices.LETTERS)
        me = answered(await phone.use(f" {code[:4].lower()}-{code[4:]} "))
        assert me["id"] == identity.person_of(desk.key)
        assert (me["name"], me["avatar"]) == ("Ann", "owl")
        assert [(d["label"], d["this"]) for d in me["devices"]] == [("Firefox, Linux", False), ("Safari, iPhone", True)]
        await phone.call("Annie")
        assert (await desk.me())["name"] == "Annie"
        async with phone.comes() as line:
            opened = await line.ask("open", game="palace", player="Annie")
            assert opened["sync"]["table"]["players"][0]["person"] == me["id"]
        written = json.dumps([await desk.me(), me])
        for key in (desk.key, phone.key):
            assert key not in written and identity.hashed(key) not in written


async def test_a_code_is_good_once_and_for_ten_minutes(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live:
        desk, phone, other = Device(live), Device(live), Device(live)
        code = await desk.code()
        assert (await phone.use(code)).status == 200
        again = await other.use(code)
        assert (again.status, error(again)) == (
            404,
            "this code is not good, or no longer: a new one is made on the other device",
        )
        late, latest = await desk.code(), await desk.code()
        assert (await other.use(late)).status == 404, "only the last one is good"
        await time.to_pass(devices.LASTS / 1000)
        assert (await other.use(latest)).status == 404
        await desk.code()
        assert len(await live.house.journal.query("SELECT * FROM links")) == 1
        assert code not in str(await live.house.journal.query("SELECT * FROM links"))


async def test_whoever_guesses_codes_has_to_wait(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        desk, thief = Device(live), Device(live)
        code = await desk.code()
        tried = [(await thief.use(f"AAAAAAA{letter}")).status for letter in "ABCDEFGHJKLM"]
        assert tried == [404] * 10 + [429] * 2
        assert (await thief.use(code)).status == 429, "whatever the next one is"
        assert (await desk.me())["devices"][1:] == []


async def test_what_is_written_for_strangers_has_a_price(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        asked = [(await Device(live).ask("PUT", body={"name": "Ann"})).status for _ in range(24)]
        assert asked == [200] * 20 + [429] * 4
        assert (await Device(live).ask("POST", "/code")).status == 429
        assert await live.house.journal.query("SELECT count(*) FROM persons") == [(20,)]


async def test_a_person_has_no_more_devices_than_can_be_looked_through(tmp_path: Path) -> None:
    def many(person: str) -> Script[None]:
        for n in range(devices.MOST - 1):
            yield from devices.enter(person, f"{n}", "", 1)

    async with server(tmp_path) as live:
        desk = Device(live)
        code = await desk.code()
        await live.house.journal.transact(many(identity.person_of(desk.key)))
        reply = await Device(live).use(code)
        assert (reply.status, error(reply)) == (
            409,
            "you have too many devices already: sign one of them out first",
        )


@pytest.mark.parametrize("lost", ["the first", "another"])
async def test_a_lost_device_is_signed_out_by_any_other(tmp_path: Path, lost: str) -> None:
    async with server(tmp_path) as live:
        desk, phone = Device(live), Device(live, PHONE)
        await desk.let_in(phone)
        gone, left = (desk, phone) if lost == "the first" else (phone, desk)
        (id,) = (device["id"] for device in (await left.me())["devices"] if not device["this"])
        async with gone.comes() as line, left.comes() as stays:
            assert (await left.ask("DELETE", f"/devices/{id}")).status == 204
            with pytest.raises(ConnectionClosed) as closed:
                await line.ask("list")
            assert closed.value.rcvd is not None and closed.value.rcvd.code == SIGNED_OUT
            assert (await stays.ask("list"))["type"] == "reply"
        reply = await gone.ask("GET")
        assert (reply.status, error(reply)) == (401, "this device was signed out by its owner")
        async with client(live.ws("/ws")) as line:
            with pytest.raises(Refusal, match="signed out"):
                await line.ask("identify", key=gone.key)
        assert (await gone.use(await left.code())).status == 401, "it takes a new key"
        assert [device["this"] for device in (await left.me())["devices"]] == [True]


async def test_devices_are_called_as_their_owner_says_and_seen_by_the_day(tmp_path: Path) -> None:
    time = ManualTime()
    async with server(tmp_path, time=time) as live:
        desk, phone = Device(live), Device(live, PHONE)
        await desk.let_in(phone)
        mine = (await desk.me())["devices"][1]
        me = answered(await desk.ask("PUT", f"/devices/{mine['id']}", {"label": "Ann’s phone"}))
        assert me["devices"][1] == mine | {"label": "Ann’s phone"}
        assert mine["seen_at"] % devices.DAY == 0
        await time.to_pass(3 * devices.DAY / 1000)
        await phone.me()
        assert (await desk.me())["devices"][1]["seen_at"] == mine["seen_at"] + 3 * devices.DAY


async def test_nobody_gets_at_the_devices_of_others(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        ann, eve = Device(live), Device(live)
        await ann.code()
        (device,) = (await ann.me())["devices"]
        for method, body in (("DELETE", None), ("PUT", {"label": "Eve's"})):
            reply = await eve.ask(method, f"/devices/{device['id']}", body)
            assert (reply.status, error(reply)) == (404, "you have no such device")
        assert (await ann.me())["devices"] == [device]


async def test_on_another_device_people_come_back_to_their_seats_without_a_token(tmp_path: Path) -> None:
    async with server(tmp_path) as live:
        desk, phone, eve = Device(live), Device(live), Device(live)
        await desk.let_in(phone)
        async with desk.comes() as line, phone.comes() as other, eve.comes() as stranger:
            opened = await line.ask("open", game="palace", player="Ann", listed=False)
            table = opened["sync"]["table"]["id"]
            assert (await phone.me())["tables"] == [table] and (await eve.me())["tables"] == []
            seen = await other.ask("see", table=table)
            assert seen["sync"]["seat"] == opened["sync"]["seat"]
            back = await other.ask("return", table=table)
            assert back["sync"]["seat"] == opened["sync"]["seat"] and "token" not in back
            assert (await line.hear())["type"] == "replaced"
            await other.ask("configure", auto_start=True)
            with pytest.raises(Refusal) as refusal:
                await stranger.ask("return", table=table)
            assert refusal.value.code == "no_such_seat"
            await other.ask("leave")
        assert (await desk.me())["tables"] == []


async def test_a_seat_is_not_anybodys_who_has_not_said_who_they_are(tmp_path: Path) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        opened = await ann.ask("open", game="palace", player="Ann")
        with pytest.raises(Refusal, match="you have no seat at this table"):
            await ben.ask("return", table=opened["sync"]["table"]["id"])
