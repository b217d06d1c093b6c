"""Somebody with a device, who asks over HTTP and comes by the native protocol."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.client import Client, Json, client
from tests.live import Live, Reply, request

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1"


class Device:
    """``key`` is what a page makes up for itself."""

    def __init__(self, live: Live, agent: str = FIREFOX) -> None:
        self.live = live
        self.key = secrets.token_urlsafe(24)
        self._agent = agent

    async def ask(self, method: str, path: str = "", body: Any = None) -> Reply:
        payload = b"" if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "User-Agent": self._agent}
        return await request(self.live.ports["http"], method, f"/api/me{path}", payload, **headers)

    async def me(self) -> Json:
        return answered(await self.ask("GET"))

    async def call(self, name: str, avatar: str = "") -> Json:
        return answered(await self.ask("PUT", body={"name": name, "avatar": avatar}))

    async def code(self) -> str:
        code: str = answered(await self.ask("POST", "/code"))["code"]
        return code

    async def use(self, code: str) -> Reply:
        return await self.ask("POST", "/devices", {"code": code})

    async def let_in(self, other: Device) -> None:
        assert (await other.use(await self.code())).status == 200

    @asynccontextmanager
    async def comes(self) -> AsyncIterator[Client]:
        async with client(self.live.ws("/ws")) as found:
            await found.ask("identify", key=self.key)
            yield found


def answered(reply: Reply) -> Json:
    assert reply.status == 200, reply.body
    found: Json = json.loads(reply.body)
    return found


def error(reply: Reply) -> str:
    said: str = json.loads(reply.body)["error"]
    return said
