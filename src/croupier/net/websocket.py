"""One WebSocket, after its handshake: picows' frames, and what we count of them."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from croupier.net.admission import Admission
from croupier.net.inbox import Inbox
from croupier.net.slow_readers import UNCOUNTED, Outbox
from croupier.tables.dialect import Message

BINARY, TEXT, CONTINUATION = WSMsgType.BINARY, WSMsgType.TEXT, WSMsgType.CONTINUATION
PING, CLOSE = WSMsgType.PING, WSMsgType.CLOSE
SHORT = 1000
"""Bytes of a message that fits into what picows writes from, for every connection. It makes that larger for a longer
one, for good."""
HEADER = bytearray(14)
"""Room for the longest header of a frame, where picows writes it in front of a message that is not its own."""
READ_OF_A_LONG_MESSAGE = 4096
"""Bytes that are read at once in the midst of one, where no other message can be among them."""
TOO_BIG = 1009
LINGER = 1.0
"""Seconds that a client has to answer our close frame."""


class WebSocket(Outbox, Inbox):
    """One WebSocket: whole messages out of picows' frames, and an outbox that has an end."""

    handshake: Mapping[str, str] = {}
    """Headers of the answer to the request for it."""
    _longest = 0
    """Bytes of the longest that has come to its end: picows keeps as much memory for the next."""
    _waiting_size = 0
    """Bytes of long messages that wait for their turn."""
    _closing: WSTransport | None = None
    """Where our close frame is sent, and theirs is waited for."""
    _fragments: list[bytes] | None = None
    """Of a message that has begun and not ended."""
    _fragments_size = 0
    _fragments_text = False

    def __init__(self, admission: Admission, address: str, binary: bool, message_size: int) -> None:
        Outbox.__init__(self, admission.unread)
        Inbox.__init__(self, admission.house.turns, admission.purses.of(address))
        self._kind = BINARY if binary else TEXT
        self._opcode: int = self._kind.value  # which is a Python function's, every time
        self._message_size = message_size
        self._unfinished = admission.unfinished
        self._arriving = 0
        """Bytes of a message that has not come to its end, or after our close frame."""
        self._transport: WSTransport | None = None

    # What those who use it add

    def opened(self) -> None:
        """The connection stands."""
        raise NotImplementedError

    def received(self, message: Message, text: bool) -> None:
        raise NotImplementedError

    def ended(self) -> None:
        """The connection is gone, whoever ended it. Said once."""
        raise NotImplementedError

    def write(self, message: Message) -> None:
        if self._transport is not None:
            if len(message) <= SHORT:
                self._transport.send(self._kind, message)
            else:
                self._transport.send_reuse_external_bytearray(self._kind, HEADER + message, len(HEADER))
            if self._slow:
                self._count()

    def write_all(self, messages: Sequence[Message]) -> None:
        """Several in one call of the system, which is the dearest part of a message. picows has no word for it, so
        they are framed here: without a mask, as servers do."""
        if self._transport is not None:
            frames: list[bytes] = []
            for message in messages:
                frames += (header(self._opcode, len(message)), message)
            self._transport.underlying_transport.write(b"".join(frames))
            if self._slow:
                self._count()

    def shut(self, code: int, reason: str = "") -> None:
        """Close it with a code."""
        transport = self._transport
        self.forget()
        if transport is not None:
            if self._held:
                self.hold(False)  # or their close frame would not be read
            self._gone()
            said = reason.encode()[:123].decode(errors="ignore").encode()  # as much as fits, in whole characters
            transport.send_close(code, said)  # type: ignore[arg-type]
            self._closing, self._arriving = transport, 0
            asyncio.get_running_loop().call_later(LINGER, transport.disconnect)

    # The inbox's side

    def take(self, message: Any, kind: WSMsgType) -> None:
        transport = self._transport
        if kind in (BINARY, TEXT):
            self.received(message, kind == TEXT)
        elif transport is not None and kind == PING:
            transport.send_pong(message)
        elif transport is not None:
            transport.send_close(message)
            transport.disconnect()
            self._gone()

    def _wait(self, message: Any, kind: WSMsgType) -> None:
        super()._wait(message, kind)
        if kind in (BINARY, TEXT) and len(message) > UNCOUNTED:
            self._hold()
            self._waiting_size += len(message)
            self._count_unfinished()

    def forget(self) -> None:
        super().forget()
        self._taken()

    def hold(self, on: bool) -> None:
        if not on:
            self._taken()
        if self._transport is not None:
            plain = self._transport.underlying_transport
            plain.pause_reading() if on else plain.resume_reading()

    def _taken(self) -> None:
        if self._waiting_size:
            self._waiting_size = 0
            self._count_unfinished()

    def _count_unfinished(self) -> None:
        """What is in memory of it, here and in picows."""
        size = self._waiting_size
        if self._transport is not None:
            size += max(self._arriving, self._longest)
        if size > UNCOUNTED:
            self._unfinished.update(self, size)
        else:
            self._unfinished.remove(self)

    # picows' side

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        for about in (transport.request, transport.response):
            about.headers.clear()  # two kilobytes that picows keeps, and nobody asks for again
        transport.underlying_transport.set_write_buffer_limits(high=UNCOUNTED)
        self.opened()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if self._transport is None:
            if frame.msg_type == CLOSE:  # the answer to ours
                transport.disconnect()
            return
        if self._arriving:
            self._longest = max(self._longest, self._arriving)
            self._arriving = 0
        kind = frame.msg_type
        if frame.fin and kind in (BINARY, TEXT) and self._fragments is None:
            self.arrived(frame.get_payload_as_bytes(), kind)
        elif kind == CLOSE:
            # A close frame without a code is answered with an ordinary one: there is no code that says "none".
            self.arrived(frame.get_close_code() if frame.payload_size else WSCloseCode.OK, CLOSE)
        elif kind == PING:
            self.arrived(frame.get_payload_as_bytes(), PING)
        elif kind in (BINARY, TEXT, CONTINUATION):
            self._fragment(frame, kind)

    def _fragment(self, frame: WSFrame, kind: WSMsgType) -> None:
        if (kind == CONTINUATION) != (self._fragments is not None):
            self.shut(1002, "fragments out of order")
            return
        fragments = self._fragments
        if fragments is None:
            fragments = self._fragments = []
            self._fragments_text, self._fragments_size = kind == TEXT, 0
        fragments.append(frame.get_payload_as_bytes())
        self._fragments_size += frame.payload_size
        if self._fragments_size > self._message_size or len(fragments) > 4096:
            self.shut(TOO_BIG, "the message is too long")
        elif frame.fin:
            message, self._fragments = b"".join(fragments), None
            self.arrived(message, TEXT if self._fragments_text else BINARY)

    @property
    def in_a_long_message(self) -> bool:
        """Whether nothing of what was read last had an end."""
        return self._arriving > READ_OF_A_LONG_MESSAGE

    def arriving(self, size: int) -> None:
        """More has come of a message that may have no end."""
        self._arriving += size
        if self._arriving <= UNCOUNTED:
            return
        if self._transport is not None:
            self._count_unfinished()
        elif self._closing is not None:  # who goes on sending after our close frame does not read it
            self._closing.disconnect(graceful=False)
            self._closing = None

    # The backlog's side

    def unread_size(self) -> int | None:
        if self._transport is None:
            return None
        size: int = self._transport.underlying_transport.get_write_buffer_size()
        return size

    def cut_off(self) -> None:
        self._waiting_size = self._arriving = self._longest = 0
        self.forget()
        if self._transport is not None:
            self._transport.disconnect(graceful=False)
            self._gone()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._gone()

    def _gone(self) -> None:
        if self._transport is not None:
            self._transport = None
            self._unread.remove(self)
            self._count_unfinished()
            self.after_all(self._end)

    def _end(self) -> None:
        self.forget()
        self.ended()


class FrameListener(WSListener):
    """What picows calls, and nothing else. With each call Cython asks an object that has a dictionary for it, to see
    what is overridden, and from then on Python finds every attribute of it the slow way. Those of a connection are read
    some fifty times for a move."""

    __slots__ = ("_socket",)

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._socket.on_ws_connected(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self._socket.on_ws_frame(transport, frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._socket.on_ws_disconnected(transport)

    def pause_writing(self) -> None:
        self._socket.pause_writing()

    def resume_writing(self) -> None:
        self._socket.resume_writing()


def header(opcode: int, size: int) -> bytes:
    """What comes before a whole message in one frame (RFC 6455, 5.2)."""
    first = 0x80 | opcode
    if size < 126:
        return bytes((first, size))
    return struct.pack("!BBH", first, 126, size) if size < 0x10000 else struct.pack("!BBQ", first, 127, size)
