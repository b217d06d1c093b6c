"""The golden conversations G1 to G10 of Fortress' own protocol, over TCP and, for the first question, UDP."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.conformance.transcript import LinePeer, Peer, parse, replay, same_json
from tests.games.fortress.wire import asked
from tests.live import server

TRANSCRIPTS = {
    path.stem: parse(path.read_text()) for path in sorted((Path(__file__).parent / "fortress").glob("*.txt"))
}
NONSENSE = b"BARRIER"


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_c70_transcript(name: str, tmp_path: Path) -> None:
    transcript = TRANSCRIPTS[name]
    ports = ("fortress=127.0.0.1:0", "fortress-lan=127.0.0.1:0")
    async with server(tmp_path, listen=ports, synchronous="OFF", **transcript.settings) as live:

        async def open_peer(where: str) -> Peer:
            streams = await asyncio.open_connection("127.0.0.1", live.ports["fortress"], limit=1 << 20)
            return LinePeer(*streams, nonsense=b'{"COMMAND":"%s"}' % NONSENSE, echo=NONSENSE)

        async def ask(method: str, path: str, body: bytes) -> tuple[int, bytes]:
            assert method == "UDP"
            return 0, await asked(live.ports[path], body)

        await replay(transcript, open_peer, ask=ask, compare=same_json)


def test_there_is_a_transcript_of_everything() -> None:
    assert {"g01-08", "g09", "g10a", "g10b"} == TRANSCRIPTS.keys()
