"""HTTP requests and responses, as the games' own protocols are given them and give them back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class HttpRequest(NamedTuple):
    """A request without a WebSocket, for protocols that have such."""

    method: str
    path: str
    """Below the endpoint's own, percent-encoded."""
    query: Mapping[str, str]
    body: bytes
    headers: Mapping[str, str]
    """Their names in small letters. Cookies are among them only if no page of another site has made the request."""
    secure: bool = False
    """Whether it came over https."""


class HttpResponse(NamedTuple):
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}
    after: str = ""
    """Another request, as ``GET /path``: if the same client makes it at the same time, its answer goes first."""


def cookie(headers: Mapping[str, str], name: str) -> str | None:
    """The value of a cookie among the headers of a request."""
    for part in headers.get("cookie", "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return None
