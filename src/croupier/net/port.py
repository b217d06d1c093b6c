"""A port that is open."""

from __future__ import annotations

import asyncio


class Port:
    def __init__(self, server: asyncio.Server) -> None:
        self._server = server

    @property
    def number(self) -> int:
        """The one asked for, or the free one that was found."""
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Nobody else comes in."""
        self._server.close()

    async def drain(self) -> None:
        """Let those who wait for an answer have it, and hang up."""
