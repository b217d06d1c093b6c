"""Who one is, over HTTP: name and picture, and the devices that are the same person. See docs/people.md."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from croupier.journal import Script
from croupier.net.api import Json
from croupier.net.asker import key_of, person_asking
from croupier.net.device_names import device_name
from croupier.people import devices, identity, passkeys, privacy, profile
from croupier.people.devices import Device
from croupier.tables import languages, names
from croupier.tables.house import House
from croupier.tables.intents import Avatar
from croupier.tables.keys import TOO_MANY_GUESSES
from croupier.tables.notices import Refused
from croupier.tables.purses import Purse, Purses

LARGEST = 16 * 1024
"""Bytes of a request's body: far more than any has to say."""
CHANGES, CHANGE_EVERY = 20, 10_000
"""Changes that an address may make at once, and the milliseconds after which it may make another one. What it changes
is written down for people whom anybody can make up."""
TOO_MANY_CHANGES = "too much is changed from your address; wait a moment"
NO_DEVICE = "you have no such device"
NO_CODE = "this code is not good, or no longer: a new one is made on the other device"
TOO_MANY_DEVICES = "you have too many devices already: sign one of them out first"
STILL_OPEN = "you have sat at a table that is still open, {table}: leave it, and delete yourself when it is closed"
PRIVATE = {"Cache-Control": "no-store"}

FORMAT = 1
"""Of an export."""

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class Called(msgspec.Struct, frozen=True):
    name: Annotated[str, Meta(max_length=400)]
    avatar: Avatar = ""
    hidden: bool | None = None


class Label(msgspec.Struct, frozen=True):
    label: Annotated[str, Meta(max_length=400)]


class Code(msgspec.Struct, frozen=True):
    code: Annotated[str, Meta(max_length=40)]


class MeApi:
    def __init__(self, house: House) -> None:
        self._house = house
        self._purses = Purses(lambda address: Purse(CHANGE_EVERY, CHANGES))

    def routes(self) -> list[Route]:
        return [
            Route("/api/me", self._me),
            Route("/api/me", self._change, methods=["PUT"]),
            Route("/api/me", self._forget, methods=["DELETE"]),
            Route("/api/me/export", self._export),
            Route("/api/me/code", self._offer, methods=["POST"]),
            Route("/api/me/devices", self._add_this, methods=["POST"]),
            Route("/api/me/devices/{device}", self._rename, methods=["PUT"]),
            Route("/api/me/devices/{device}", self._sign_out, methods=["DELETE"]),
        ]

    async def _me(self, request: Request) -> Response:
        person = await person_asking(self._house.journal, request)
        await devices.note_visit(self._house.journal, self.key(request), self._house.now())
        return await self.about(request, person)

    async def about(self, request: Request, person: str) -> Response:
        """What they may know of themselves."""
        journal, key = self._house.journal, self.key(request)
        called = await profile.known(journal, person)
        about = {
            "id": person,
            "name": "" if called is None else called.name,
            "avatar": "" if called is None else called.avatar,
            "made_at": None if called is None else called.made_at,
            "hidden": called is not None and called.hidden,
            "devices": [_shown(device, key) for device in await devices.listed(journal, person)],
            "tables": await profile.open_tables(journal, person),
        }
        if passkeys.offered():
            about["passkeys"] = [passkey._asdict() for passkey in await passkeys.listed(journal, person)]
        return Json(about, headers=PRIVATE)

    async def _change(self, request: Request) -> Response:
        person, called = await person_asking(self._house.journal, request), await read(request, Called)
        try:
            name = names.of_anybody(called.name)
        except Refused as refusal:
            raise _problem(request, 400, refusal.sentence, refusal.data) from None
        await self.write(request, profile.change(person, name, called.avatar, called.hidden, self._house.now()))
        return await self.about(request, person)

    async def _export(self, request: Request) -> Response:
        """All that is kept of them, in one file."""
        person = await person_asking(self._house.journal, request)
        self._charge(request)
        headers = {**PRIVATE, "Content-Disposition": 'attachment; filename="croupier.json"'}
        return StreamingResponse(self._exported(person), media_type="application/json", headers=headers)

    async def _exported(self, person: str) -> AsyncIterator[bytes]:
        journal = self._house.journal
        called = await profile.known(journal, person)
        own = [_shown(device, "") for device in await devices.listed(journal, person)]
        for device in own:
            del device["this"]
        about = {"id": person, **({} if called is None else called._asdict()), "devices": own}
        head = _encode({"format": FORMAT, "person": about, **await privacy.kept(journal, person)})
        yield head[:-1] + b',"games":['
        separator = b"\n"
        async for game in privacy.games(journal, person):
            yield separator + _encode(game)
            separator = b",\n"
        yield b"]}\n"

    async def _forget(self, request: Request) -> Response:
        """Nothing of them is kept from now on."""
        person = await person_asking(self._house.journal, request)
        self._charge(request)
        for id, closed_at in await privacy.sat_at(self._house.journal, person):
            if closed_at is None:
                table = self._house.look(id) or await self._house.opening(id)
                named = {"table": id if table is None else table.name}
                raise _problem(request, 409, STILL_OPEN, named)
        await self._house.persons.forget(person)
        self._house.persons.sign_out(self.key(request))
        return Response(status_code=204)

    async def _offer(self, request: Request) -> Response:
        """A code for another device."""
        person = await person_asking(self._house.journal, request)
        code, now = devices.new_code(), self._house.now()
        hashed = devices.hashed_code(code, self._house.secret)
        await self.write(request, devices.offer(person, self.key(request), device_of(request), hashed, now))
        return Json({"code": code, "until": now + devices.LASTS}, headers=PRIVATE)

    async def _add_this(self, request: Request) -> Response:
        """This device is whoever has made the code, from now on."""
        await person_asking(self._house.journal, request)
        address, given = address_of(request), await read(request, Code)
        if not self._house.may_guess(address):
            raise HTTPException(429, TOO_MANY_GUESSES)
        key, hashed = self.key(request), devices.hashed_code(given.code, self._house.secret)
        try:
            person = await self.write(request, devices.accept(hashed, key, device_of(request), self._house.now()))
        except devices.NoSuchCode:
            self._house.guessed(address)
            raise HTTPException(404, NO_CODE) from None
        except devices.TooMany:
            raise HTTPException(409, TOO_MANY_DEVICES) from None
        self._house.persons.sign_out(key)  # connections that are somebody else by it
        return await self.about(request, person)

    async def _rename(self, request: Request) -> Response:
        person, device = await person_asking(self._house.journal, request), request.path_params["device"]
        try:
            label = names.of_anybody((await read(request, Label)).label)
        except Refused as refusal:
            raise _problem(request, 400, refusal.sentence, refusal.data) from None
        if not await self.write(request, devices.rename(person, device, label)):
            raise HTTPException(404, NO_DEVICE)
        return await self.about(request, person)

    async def _sign_out(self, request: Request) -> Response:
        person = await person_asking(self._house.journal, request)
        key = await self._house.journal.transact(devices.sign_out(person, request.path_params["device"]))
        if key is None:
            raise HTTPException(404, NO_DEVICE)
        self._house.persons.sign_out(key)
        return Response(status_code=204)

    async def write(self, request: Request, script: Script[T]) -> T:
        """Change something that is written down, which has its price."""
        self._charge(request)
        return await self._house.journal.transact(script)

    def _charge(self, request: Request) -> None:
        if not self._purses.of(address_of(request)).pay(1, self._house.now()):
            raise HTTPException(429, TOO_MANY_CHANGES)

    @staticmethod
    def key(request: Request) -> str:
        """The hash of the key that was shown."""
        return identity.hashed(key_of(request) or "")


def _shown(device: Device, key: str) -> dict[str, Any]:
    return {
        "id": device.id,
        "label": device.label,
        "made_at": device.made_at,
        "seen_at": device.seen_at,
        "this": device.key == key,
    }


def device_of(request: Request) -> str:
    return device_name(request.headers.get("user-agent", ""))


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def _problem(request: Request, status: int, sentence: str, data: Mapping[str, Any]) -> HTTPException:
    words = languages.words(request.query_params.get("language", "en"))
    return HTTPException(status, words.said(sentence, data))


async def read(request: Request, kind: type[T]) -> T:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise HTTPException(413, "that is too much")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise HTTPException(400, str(error)) from None
