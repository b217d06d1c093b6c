"""Frames that we write ourselves, held against those of another implementation; and what is kept for writing others."""

from __future__ import annotations

import tracemalloc
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from msgspec.json import encode
from picows import WSMsgType
from websockets.frames import Frame, Opcode

from croupier.net.websocket import SHORT, header
from tests.client import client
from tests.live import server


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 100_000])
@pytest.mark.parametrize(("kind", "opcode"), [(WSMsgType.TEXT, Opcode.TEXT), (WSMsgType.BINARY, Opcode.BINARY)])
def test_a_frame_is_what_others_make_of_the_same_message(kind: WSMsgType, opcode: Opcode, size: int) -> None:
    message = bytes(size)
    assert header(kind.value, size) + message == Frame(opcode, message).serialize(mask=False)


async def test_a_long_message_makes_a_connection_no_heavier(tmp_path: Path) -> None:
    async with server(tmp_path, message_rate=0) as live, AsyncExitStack() as stack:
        several = [await stack.enter_async_context(client(live.ws("/ws"))) for _ in range(20)]
        await several[0].ask("open", game="palace", player="Ann")  # what the first one needs is nobody's
        stack.callback(tracemalloc.stop)
        tracemalloc.start()
        for each in several[1:]:
            reply = await each.ask("open", game="coup", player="Ann")
            assert SHORT < len(encode(reply)) < 8192
        kept = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/net/websocket.py")])
        assert sum(found.size for found in kept.statistics("filename")) < len(several) * 200
