"""Frames that we write ourselves, held against those of another implementation."""

from __future__ import annotations

import pytest
from picows import WSMsgType
from websockets.frames import Frame, Opcode

from croupier.net.websocket import header


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 100_000])
@pytest.mark.parametrize(("kind", "opcode"), [(WSMsgType.TEXT, Opcode.TEXT), (WSMsgType.BINARY, Opcode.BINARY)])
def test_a_frame_is_what_others_make_of_the_same_message(kind: WSMsgType, opcode: Opcode, size: int) -> None:
    message = bytes(size)
    assert header(kind.value, size) + message == Frame(opcode, message).serialize(mask=False)
