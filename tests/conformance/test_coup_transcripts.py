"""Whole conversations of Coup's own protocol in both versions, byte for byte, by a clock that stands still."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clock import ManualTime
from tests.conformance.transcript import Peer, parse, replay, web_socket
from tests.live import request, server

TRANSCRIPTS = {path.stem: parse(path.read_text()) for path in sorted((Path(__file__).parent / "coup").glob("*.txt"))}


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_transcript(name: str, tmp_path: Path) -> None:
    transcript, clock = TRANSCRIPTS[name], ManualTime()
    settings = {"listen": ("coup=127.0.0.1:0",), "synchronous": "OFF", **transcript.settings}
    async with server(tmp_path, time=clock, **settings) as live:

        async def open_peer(where: str) -> Peer:
            return await web_socket(live.own("coup", where), binary=False)

        async def ask(method: str, path: str, body: bytes) -> tuple[int, bytes]:
            answer = await request(live.ports["coup"], method, path, body)
            return answer.status, answer.body

        await replay(transcript, open_peer, clock.to_pass, ask)


def test_there_is_every_transcript() -> None:
    wanted = {"t1", "t2", "t2o", "t3", "t3b", "t4", "t4b", "t4o", "t5", "t6", "t7", "t7b", "t8", "t9", "t10", "t11"}
    assert wanted | {"sounds"} == TRANSCRIPTS.keys()
