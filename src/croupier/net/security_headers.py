"""Headers of answers that tell browsers what not to let anybody do with them."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = {
    "default-src": "'none'",
    # The page consists of files: what a stranger might smuggle into it, a name or a line of chat, is never run.
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",  # small drawings come inside the page, which shows them without a network too
    "font-src": "'self'",
    "media-src": "'self'",
    "connect-src": "'self'",  # WebSockets to the same host and port among them
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",  # forms are read by the page, and sent nowhere
    "frame-ancestors": "'none'",
}
"""Where a page may take things from, and who may show it."""

NO_GUESSING = (b"x-content-type-options", b"nosniff")
"""An answer is what it says it is."""

HEADERS = [
    NO_GUESSING,
    (b"content-security-policy", "; ".join(f"{name} {what}" for name, what in POLICY.items()).encode()),
    (b"referrer-policy", b"no-referrer"),  # a table's address is an invitation
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]

ALONE = (b"cross-origin-opener-policy", b"same-origin")
"""No page that opens this one, or is opened by it, gets hold of it. Over http browsers don't do it, and complain."""


class SecurityHeaders:
    """An application whose answers have them. Those below a protocol's own path are as the protocol has them, but
    nothing is guessed about them either."""

    def __init__(self, app: ASGIApp, protocols: Iterable[str]) -> None:
        self._app = app
        self._protocols = tuple(f"{path}/" for path in protocols)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [NO_GUESSING] if f"{scope['path']}/".startswith(self._protocols) else HEADERS
        if headers is HEADERS and scope["scheme"] == "https":
            headers = [*HEADERS, ALONE]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await self._app(scope, receive, with_headers)
