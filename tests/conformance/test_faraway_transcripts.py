"""Whole conversations of Faraway's own protocol, with the clients of Socket.IO that people use."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.transcript import Peer, parse, replay
from tests.live import server
from tests.socketio_clients import Client, node_client, python_client

TRANSCRIPTS = {path.stem: parse(path.read_text()) for path in sorted((Path(__file__).parent / "faraway").glob("*.txt"))}
WEBSOCKET = "javascript, websocket"
KINDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "python": (python_client, {}),
    "python, polling": (python_client, {"transports": ["polling"]}),
    "javascript": (node_client, {}),
    WEBSOCKET: (node_client, {"transports": ["websocket"]}),
}


def written(told: Any) -> str:
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


class SocketIOPeer:
    """Says and hears events as lists, and acknowledgements as what they say, after the word ACK."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def send(self, message: bytes, text: bool) -> None:
        line = message.decode()
        if line.startswith("ACK "):
            await self._client.ask(*json.loads(line[4:]))
        else:
            await self._client.emit(*json.loads(line))

    async def receive(self) -> bytes:
        name, *payload = await self._client.next()
        return f"ACK {written(payload[0])}".encode() if name == "ack" else written([name, *payload]).encode()

    async def close(self) -> None:
        await self._client.tear()

    async def closed(self) -> int:
        raise NotImplementedError

    async def rest(self) -> bytes | None:
        # The answer to a new question comes last.
        await self._client.emit("getRooms")
        async with asyncio.timeout(10):
            name, *payload = await self._client.next()
        return None if name == "rooms" else written([name, *payload]).encode()


@pytest.mark.parametrize(
    ("name", "kind"),
    [*((name, kind) for name in TRANSCRIPTS for kind in KINDS if kind != WEBSOCKET), ("resume", WEBSOCKET)],
)
async def test_transcript(name: str, kind: str, tmp_path: Path) -> None:
    connect, options = KINDS[kind]
    transcript = TRANSCRIPTS[name]
    async with server(tmp_path, **transcript.settings) as live, AsyncExitStack() as goodbye:

        async def open_peer(where: str) -> Peer:
            auth = None if where == "/" else json.loads(where)
            more = options if connect is python_client else {**options, "reconnection": False}
            return SocketIOPeer(await goodbye.enter_async_context(connect(live.http, auth=auth, **more)))

        await replay(transcript, open_peer)


def test_there_is_a_transcript_of_everything() -> None:
    assert {"lobby", "rounds", "end", "rejections", "resume"} == TRANSCRIPTS.keys()
