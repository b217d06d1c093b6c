"""Requests that come together, where the order of their answers matters.

There are clients that ask two things at once, on two connections, and take what they hear last for the truth. HTTP
knows no order between connections; so an answer may wait for another one of the same client (``HttpResponse.after``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from weakref import WeakValueDictionary

BROWSER_PATIENCE, PATIENCE = 0.3, 0.05
"""Seconds in which the other request is on its way, if there is one: it may need a connection of its own first. A
program that is no browser is hardly ever such a client, and not kept for long."""
HEARD = 0.05
"""Seconds until what was said on one connection is surely heard before what is said on another."""


class AnswerOrder:
    def __init__(self) -> None:
        self._waiting: WeakValueDictionary[tuple[str, str, str], asyncio.Event] = WeakValueDictionary()
        """Until that is answered, or nobody waits for it any more."""

    async def wait_for(self, request: str, address: str, headers: Mapping[str, str]) -> None:
        """Wait until the same client has got its answer to this request. It may be here in a moment, or never."""
        browser = "origin" in headers or "sec-fetch-mode" in headers
        answered = self._waiting.setdefault(_key(request, address, headers), asyncio.Event())
        try:
            await asyncio.wait_for(answered.wait(), BROWSER_PATIENCE if browser else PATIENCE)
            await asyncio.sleep(HEARD)
        except TimeoutError:
            pass

    def answered(self, request: str, address: str, headers: Mapping[str, str]) -> None:
        if self._waiting and (waiting := self._waiting.pop(_key(request, address, headers), None)) is not None:
            waiting.set()


def _key(request: str, address: str, headers: Mapping[str, str]) -> tuple[str, str, str]:
    """Somebody without a name is known by where they are and what they use."""
    return request, address, headers.get("user-agent", "")
