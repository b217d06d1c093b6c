"""Passkeys over HTTP: made by one device, and a way in for another. See docs/people.md."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.net import origins
from croupier.net.asker import person_asking
from croupier.net.me_api import NO_DEVICE, PRIVATE, TOO_MANY_DEVICES, MeApi, address_of, device_of, read
from croupier.people import devices, passkeys, profile
from croupier.people.passkeys import Challenges, Site
from croupier.tables.house import House
from croupier.tables.keys import TOO_MANY_GUESSES

NOT_HERE = "there are no passkeys on this server"
ELSEWHERE = "passkeys are for pages of this server"
WRONG = "this passkey is not known here, or it took too long; try again"
TOO_MANY = "you have too many passkeys already: remove one of them first"
SIGN_IN = "sign in"


class Answer(msgspec.Struct, frozen=True):
    credential: dict[str, Any]


class PasskeysApi:
    def __init__(self, house: House, me: MeApi) -> None:
        self._house = house
        self._me = me

    def routes(self) -> list[Route]:
        return [
            Route("/api/me/passkeys/options", self._to_make, methods=["POST"]),
            Route("/api/me/passkeys", self._add, methods=["POST"]),
            Route("/api/me/passkeys/{passkey}", self._remove, methods=["DELETE"]),
            Route("/api/me/sign-in/options", self._to_sign_in, methods=["POST"]),
            Route("/api/me/sign-in", self._sign_in, methods=["POST"]),
        ]

    @property
    def _challenges(self) -> Challenges:
        return Challenges(self._house.secret)

    async def _to_make(self, request: Request) -> Response:
        site, person = _site(request), await person_asking(self._house.journal, request)
        called = await profile.known(self._house.journal, person)
        challenge = self._challenges.new(f"make {person}", self._house.now())
        known = await passkeys.listed(self._house.journal, person)
        return _json(passkeys.to_make(site, person, "" if called is None else called.name, challenge, known))

    async def _add(self, request: Request) -> Response:
        site, person = _site(request), await person_asking(self._house.journal, request)
        given, now = await read(request, Answer), self._house.now()
        try:
            challenge = self._challenges.answered(given.credential, f"make {person}", now)
            passkey = passkeys.made(site, given.credential, challenge)
            key, label = self._me.key(request), device_of(request)
            await self._me.write(request, passkeys.add(person, passkey, challenge, key, label, now))
        except passkeys.Wrong:
            raise HTTPException(400, WRONG) from None
        except passkeys.TooMany:
            raise HTTPException(409, TOO_MANY) from None
        return await self._me.about(request, person)

    async def _remove(self, request: Request) -> Response:
        person = await person_asking(self._house.journal, request)
        if not await self._house.journal.transact(passkeys.remove(person, request.path_params["passkey"])):
            raise HTTPException(404, NO_DEVICE)
        return await self._me.about(request, person)

    async def _to_sign_in(self, request: Request) -> Response:
        site = _site(request)
        await person_asking(self._house.journal, request)
        return _json(passkeys.to_sign_in(site, self._challenges.new(SIGN_IN, self._house.now())))

    async def _sign_in(self, request: Request) -> Response:
        """This device is whoever the passkey belongs to, from now on."""
        site = _site(request)
        await person_asking(self._house.journal, request)
        house, address, given = self._house, address_of(request), await read(request, Answer)
        if not house.may_guess(address):
            raise HTTPException(429, TOO_MANY_GUESSES)
        key, now = self._me.key(request), house.now()
        try:
            challenge = self._challenges.answered(given.credential, SIGN_IN, now)
            passkey = await passkeys.used(house.journal, site, given.credential, challenge)
            await self._me.write(request, passkeys.sign_in(passkey, challenge, key, device_of(request), now))
        except passkeys.Wrong:
            house.guessed(address)
            raise HTTPException(400, WRONG) from None
        except devices.TooMany:
            raise HTTPException(409, TOO_MANY_DEVICES) from None
        house.persons.sign_out(key)  # connections that are somebody else by it
        return await self._me.about(request, await person_asking(house.journal, request))


def _site(request: Request) -> Site:
    """A passkey belongs to the name that the browser knows this server by. No page of anybody else gets at it."""
    if not passkeys.offered():
        raise HTTPException(404, NOT_HERE)
    origin = request.headers.get("origin")
    host = None if origin is None else urlsplit(origin).hostname
    if origin is None or host is None or not origins.own(request.headers, request.url.scheme == "https"):
        raise HTTPException(403, ELSEWHERE)
    return Site(host, origin)


def _json(written: str) -> Response:
    return Response(written, media_type="application/json", headers=PRIVATE)
