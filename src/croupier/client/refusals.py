"""What can become of a request that is not granted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

PASSING = ("too_fast", "unavailable")
"""Codes of refusals after which nothing has happened, and the same may be granted a moment later."""
MOMENT = 1.1
"""Seconds. A server says once a second that somebody is too fast."""


class Refused(Exception):
    """The server said no: ``code`` is for programs, the message for people, and ``data`` what it names."""

    def __init__(self, code: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data or {}


class TooLate(Refused):
    """The game had gone on before the move arrived. It was not made, and what is offered now is something else."""


class Lost(Exception):
    """The connection was lost before the answer came: whether it was done, nobody knows."""


async def wait_out(refusal: Refused) -> None:
    """Wait for what passes by itself; anything else is raised."""
    if refusal.code not in PASSING:
        raise refusal
    await asyncio.sleep(refusal.data.get("retry_ms", 1000 * MOMENT) / 1000)
