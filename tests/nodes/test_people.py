"""People at several nodes: who they are, where they sit, and whom they sign out is the same at each of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.tables.persons import SIGNED_OUT
from tests.client import Refusal, client
from tests.me import Device
from tests.nodes.several import nodes


async def test_two_devices_at_two_nodes_are_one_person_with_one_seat(tmp_path: Path) -> None:
    async with nodes(tmp_path) as (here, there):
        desk, phone = Device(here), Device(there)
        await desk.call("Ann", "owl")
        await desk.let_in(phone)
        assert (await phone.me())["name"] == "Ann"
        async with desk.comes() as line, phone.comes() as other:
            opened = await line.ask("open", game="palace", player="Ann")
            table = opened["sync"]["table"]["id"]
            assert (await phone.me())["tables"] == [table]
            back = await other.ask("return", table=table)
            assert back["sync"]["seat"] == opened["sync"]["seat"]
            assert (await line.hear())["type"] == "replaced"
            (host,) = (await other.ask("see"))["sync"]["table"]["players"]
            assert host["person"] == (await desk.me())["id"] and "away" not in host


async def test_who_is_signed_out_at_one_node_is_nobody_at_another(tmp_path: Path) -> None:
    async with nodes(tmp_path) as (here, there):
        desk, phone = Device(here), Device(there)
        await desk.let_in(phone)
        (mine,) = (device["id"] for device in (await phone.me())["devices"] if device["this"])
        async with phone.comes() as line:
            assert (await desk.ask("DELETE", f"/devices/{mine}")).status == 204
            with pytest.raises(ConnectionClosed) as closed:
                await line.hear()
            assert closed.value.rcvd is not None and closed.value.rcvd.code == SIGNED_OUT
        assert (await phone.ask("GET")).status == 401
        async with client(there.ws("/ws")) as line:
            with pytest.raises(Refusal, match="signed out"):
                await line.ask("identify", key=phone.key)
