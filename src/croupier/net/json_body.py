"""What programs send along with a request, as JSON."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

T = TypeVar("T")

LARGEST = 16 * 1024
"""Bytes: far more than any of them has to say."""


async def read(request: Request, kind: type[T]) -> T:
    """Raises ``HTTPException``."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise HTTPException(413, "that is too much")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, str(error)) from None


def offset(request: Request) -> int:
    """Where a page begins of something that is told page by page. Raises ``HTTPException``."""
    given = request.query_params.get("offset", "0")
    if not given.isascii() or not given.isdecimal() or len(given) > 9:
        raise HTTPException(400, "the offset is not a number")
    return int(given)
