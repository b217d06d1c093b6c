"""One HTTP connection: uvicorn's, with limits to what it may take of time and memory."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from croupier.net.admission import Admission
from croupier.net.inbox import READ_AT_ONCE, Inbox
from croupier.net.request_turns import TURNS, PendingTurns

logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it warns of every stranger's bad request

LONGEST_HEAD = 65536
"""Bytes of a request before its body."""


class Flow(FlowControl):
    """uvicorn's, but nothing is read while the inbox holds the reading, or from a connection that is closing."""

    held = False

    def hold(self, on: bool) -> None:
        self.held = on
        if on:
            self._transport.pause_reading()
        else:
            self._go_on()

    def resume_reading(self) -> None:
        self.read_paused = False
        self._go_on()

    def _go_on(self) -> None:
        if not (self.held or self.read_paused or self._transport.is_closing()):
            self._transport.resume_reading()


class HttpConnection(HttpToolsProtocol, Inbox):
    """uvicorn's HTTP, but not with any patience: there are people who send a byte a second, never end a header, ask for
    a lot and never read it, or for a thousand things at once."""

    def __init__(self, admission: Admission, **given: Any) -> None:
        HttpToolsProtocol.__init__(self, **given)
        self._admission = admission
        self._seconds = admission.limits.request_seconds
        # uvicorn's five seconds are what many clients keep a connection for, which then ask just when it is closed.
        self.timeout_keep_alive = self._seconds  # type: ignore[assignment]
        self._pending_turns = PendingTurns()
        self._answering: RequestResponseCycle | None = None
        """The request that is being answered; uvicorn only knows the one that was read last."""
        self._stalled = False
        """Whether requests wait in the inbox until those before them are answered."""
        self._request_timer: asyncio.TimerHandle | None = None
        """Runs from the first byte of a request to its last."""
        self._answer_timer: asyncio.TimerHandle | None = None
        """Runs while the answer waits to be read."""
        self._head: int | None = 0
        """Bytes of the request's head so far; None when it is complete."""
        self._upgraded = False
        """Whether it is a WebSocket now. What else came with the request is not heard: nobody may speak before the
        handshake is answered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = self._flow = Flow(transport)
        peer = transport.get_extra_info("peername")
        admission = self._admission
        Inbox.__init__(
            self, admission.house.turns, admission.request_purses.of(admission.address(peer[0] if peer else "", {}))
        )
        self._request_timer = self.loop.call_later(self._seconds, transport.abort)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()  # what was asked may have to wait for its turn, and is answered then
        for start in range(0, len(data), READ_AT_ONCE):
            self.arrived(data[start : start + READ_AT_ONCE], None)

    def arrived(self, data: bytes, _: None) -> None:
        if self.pipeline:
            self._wait(data, None)
        else:
            super().arrived(data, None)

    def _next(self) -> bool:
        # What is asked for next is not even read before all that was asked for is answered: it would be kept in memory.
        self._stalled = bool(self.pipeline)
        return not self._stalled and super()._next()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._stalled and not self.pipeline:
            self._stalled = False
            self._turns.queue(self._purse, self._next, address=self._address_purse)

    def hold(self, on: bool) -> None:
        self._flow.hold(on)

    def take(self, data: bytes, _: None) -> None:
        if self.transport.is_closing() or self._upgraded:
            return
        if self._head is not None:
            self._head += len(data)
            if self._request_timer is None:
                self._request_timer = self.loop.call_later(self._seconds, self.transport.abort)
        super().data_received(data)
        if self._head is not None and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_headers_complete(self) -> None:
        self._head = None
        self.scope["extensions"] = {TURNS: self._pending_turns}  # type: ignore[dict-item]
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        self._head = 0
        self._stop_request_timer()
        super().on_message_complete()

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_answer_timer()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_answer_timer()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._start_answer_timer()  # a connection is not closed before all that was said is taken

    def _start_answer_timer(self) -> None:
        self._stop_answer_timer()
        self._answer_timer = self.loop.call_later(self._seconds, self.transport.abort)

    def _stop_answer_timer(self) -> None:
        if self._answer_timer is not None:
            self._answer_timer.cancel()
            self._answer_timer = None

    def handle_websocket_upgrade(self) -> None:
        self._stop_request_timer()
        self.forget()
        self._upgraded = True
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # they would hold on to each other, and to the connection

    def connection_lost(self, error: Exception | None) -> None:
        self.forget()
        self._pending_turns.close()
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
            self._answering = None
        self._stop_request_timer()
        self._stop_answer_timer()
        self._unset_keepalive_if_required()  # uvicorn forgets it where a connection is reset
        super().connection_lost(error)
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]  # what is not answered any more would hold on to the connection
