"""What a protocol promises is kept, however much is asked at once: everything is answered, and in order."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.attack.lines import BINARY, answer, connect, request, websocket
from tests.attack.stage import PORTS
from tests.fuzz.sockets import frame
from tests.games.fortress.wire import ALICE, BOB
from tests.live import LiveProcess, process


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveProcess]:
    async with process(tmp_path, *PORTS) as found:
        yield found


async def test_three_thousand_lists_at_once(live: LiveProcess) -> None:
    """Palace's clients are promised no limit. Between them is asked for lobbies that are not there."""
    palace = await websocket(live.ports["http"], "/palace")
    missing = [json.dumps({"SpectateLobby": f"{number:x}"}).encode() for number in range(1, 31)]
    for question in missing:
        palace.line.write(frame(b'"ListLobbies"', BINARY) * 100 + frame(question, BINARY))
    told = [next(iter(await palace.json())) for _ in range(3030)]
    assert told == [*["ListLobbiesResponse"] * 100, "SpectateLobbyResponse"] * 30


async def test_a_thousand_states_at_once(live: LiveProcess) -> None:
    """Fortress' clients are promised no limit either."""
    alice, bob = await connect(live.ports["fortress"]), await connect(live.ports["fortress"])
    for name, deck, line in (("alice", ALICE, alice), ("bob", BOB, bob)):
        join = {"COMMAND": "JOIN_GAME", "USERNAME": name, "DECK_DATA": deck}
        await line.push(json.dumps(join).encode() + b"\n")
        await line.until(b"\n")
    await alice.until(b"MULLIGAN_OFFER")
    await alice.until(b"\n")
    for _ in range(10):
        alice.write(b'{"COMMAND":"GET_STATE"}\n' * 100 + b'{"COMMAND":"RETURN_CARD","START_POS":"MY_HAND_50"}\n')
    told = [json.loads(await alice.until(b"\n")) for _ in range(1010)]
    assert [message["COMMAND"] == "GAME_STATE" for message in told] == [*[True] * 100, False] * 10


async def test_a_thousand_events_at_once(live: LiveProcess) -> None:
    """Faraway's clients may send two thousand in a second; each asks for an answer under its own number."""
    faraway = await websocket(live.ports["http"], "/socket.io/?EIO=4&transport=websocket")
    faraway.line.write(frame(b"40") + b"".join(frame(b'42%d["updateAck"]' % number) for number in range(1000)))
    assert await _acknowledged([(await faraway.message()) for _ in range(1005)]) == list(range(1000))


async def test_a_thousand_events_in_one_request(live: LiveProcess) -> None:
    """The same by polling."""
    line = await connect(live.ports["http"])
    path = "/socket.io/?EIO=4&transport=polling"
    await line.push(request("GET", path))
    path += "&sid=" + json.loads((await answer(line)).body[1:])["sid"]
    body = b"\x1e".join([b"40", *(b'42%d["updateAck"]' % number for number in range(1000))])
    await line.push(request("POST", path, body))
    assert (await answer(line)).status == 200
    packets: list[bytes] = []
    while len(packets) < 1004:
        await line.push(request("GET", path))
        packets += (await answer(line)).body.split(b"\x1e")
    assert await _acknowledged(packets) == list(range(1000))


async def _acknowledged(packets: list[bytes]) -> list[int]:
    return [int(packet[2 : packet.index(b"[")]) for packet in packets if packet.startswith(b"43")]


async def test_requests_that_do_not_wait_for_answers(live: LiveProcess) -> None:
    line = await connect(live.ports["http"])
    line.write((request("GET", "/healthz") + request("GET", "/api/tables")) * 200)
    assert [(await answer(line)).body for _ in range(400)] == [b"ok\n", b"[]"] * 200


async def test_who_forges_addresses_is_one_all_the_same(tmp_path: Path) -> None:
    """A header says nothing about somebody who comes from anywhere but a proxy that was named."""
    async with process(tmp_path, "--max-tables-per-address", "3") as live:
        line = await connect(live.ports["http"])
        for number in range(6):
            forged = {"X_Forwarded_For": f"192.0.2.{number}", "Forwarded": f"for=192.0.2.{number}"}
            await line.push(request("POST", "/coup/v1/game", **forged))
        assert [(await answer(line)).status for _ in range(6)] == [200] * 3 + [503] * 3


async def test_tables_can_be_opened_from_elsewhere_while_one_address_has_all_of_its_own(tmp_path: Path) -> None:
    async with process(tmp_path, "--max-tables-per-address", "3") as live:
        for source, statuses in (("127.0.0.2", [200] * 3 + [503]), ("127.0.0.3", [200] * 3 + [503])):
            line = await connect(live.ports["http"], source)
            line.write(request("POST", "/coup/v1/game") * 4)
            assert [(await answer(line)).status for _ in range(4)] == statuses


async def test_who_asks_for_files_and_hangs_up_leaves_no_trace(tmp_path: Path) -> None:
    """In the log, that is."""
    log = tmp_path / "log"
    async with process(tmp_path / "data", log=log) as live:
        line = await connect(live.ports["http"])
        await line.push(request("GET", "/"))
        files = re.findall(r"/assets/[\w.-]+", (await answer(line)).body.decode())
        assert files, "the page is not built"
        for _ in range(20):
            hasty = await connect(live.ports["http"])
            await hasty.push(b"".join(request("GET", file) for file in files) * 20)
            await asyncio.sleep(0.02)
            hasty.hang_up()
        await line.push(request("GET", "/healthz"))
        assert (await answer(line)).status == 200
    assert log.read_text() == ""
