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
SHOWS = {
    "g01-08": "c15 c19 c23 c24 c29 c30 c34 c35 c36 c44 c53 c54 c56 c59 c60 c65 d6 d9 d22 d26 d27 d28 d34 d35 d37",
    "g09": "c40 c41 d24",
    "g10a": "c61 d41 d43",
    "g10b": "c61 c62",
}
"""Which lines of the checklist and which decisions of docs/protocols/fortress.md can be seen in each."""


@pytest.mark.parametrize("name", TRANSCRIPTS, ids=lambda name: f"{name}: {SHOWS[name]}")
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
    assert SHOWS.keys() == TRANSCRIPTS.keys()
