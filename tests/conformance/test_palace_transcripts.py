"""Whole conversations of Palace's own protocol, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.transcript import Peer, parse, replay, web_socket
from tests.live import server

TRANSCRIPTS = {path.stem: parse(path.read_text()) for path in sorted((Path(__file__).parent / "palace").glob("*.txt"))}


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_transcript(name: str, tmp_path: Path) -> None:
    transcript = TRANSCRIPTS[name]
    async with server(tmp_path, listen=("palace=127.0.0.1:0",), **transcript.settings) as live:

        async def open_peer(where: str) -> Peer:
            return await web_socket(live.own("palace", where), binary=True)

        await replay(transcript, open_peer)


def test_there_are_transcripts_of_every_vintage() -> None:
    assert {"note", "modern", "draft"} <= TRANSCRIPTS.keys()
