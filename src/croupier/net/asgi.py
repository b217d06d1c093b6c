"""What ASGI leaves to its applications."""

from __future__ import annotations

from starlette.types import Receive


async def disconnection(receive: Receive) -> None:
    """Return when whoever has asked does not wait for the answer any more."""
    while (await receive())["type"] != "http.disconnect":
        pass
