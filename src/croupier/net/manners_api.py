"""Manners over HTTP: whom somebody mutes or blocks, and what they report to the operator. See docs/people.md."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from croupier.net import json_body
from croupier.net.api import Json
from croupier.net.asker import person_asking
from croupier.people import opinions, reports
from croupier.people.opinions import How
from croupier.people.reports import Heard, Report
from croupier.tables import keys, names
from croupier.tables.house import House
from croupier.tables.node_messages import Renewed
from croupier.tables.place import Place
from croupier.tables.purses import Purse, Purses
from croupier.tables.room import Room

PAGE = 100
"""Opinions that are told at once."""
CHANGES, CHANGE_EVERY = 30, 10_000
"""Opinions that a person, or an address, may change at once, and milliseconds until they may change another one."""
REPORTS, REPORT_EVERY = 5, 720_000
"""The same for reports: five in an hour."""
LINES = 20
"""Of the chat, that go with a report."""
LONGEST_NAME = 60

_PERSON = re.compile("[0-9a-f]{32}")
PRIVATE = {"Cache-Control": "no-store"}


class Opinion(msgspec.Struct, frozen=True):
    how: How
    name: Annotated[str, Meta(max_length=400)] = ""
    """What they are called, to be found again in the list."""


class Complaint(msgspec.Struct, frozen=True):
    table: Annotated[str, Meta(max_length=40)]
    why: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: int | None = None
    """Of whom it is, at a table where one is; else a name, and the person if they are one."""
    name: Annotated[str, Meta(max_length=400)] = ""
    person: Annotated[str, Meta(max_length=32)] = ""


class Manners:
    def __init__(self, house: House, operated: bool) -> None:
        """``operated``: whether there is an operator who reads reports."""
        self._house = house
        self._operated = operated
        self._changes = Purses(lambda who: Purse(CHANGE_EVERY, CHANGES))
        self._reports = Purses(lambda who: Purse(REPORT_EVERY, REPORTS))

    def routes(self) -> list[Route]:
        return [
            Route("/api/me/opinions", self._list),
            Route("/api/me/opinions/{person}", self._think, methods=["PUT"]),
            Route("/api/me/opinions/{person}", self._forget, methods=["DELETE"]),
            Route("/api/me/reports", self._report, methods=["POST"]),
        ]

    async def _list(self, request: Request) -> Response:
        person, offset = await person_asking(self._house.journal, request), json_body.offset(request)
        found = await opinions.listed(self._house.journal, person, offset, PAGE + 1)
        more = offset + PAGE if len(found) > PAGE else None
        return Json({"opinions": found[:PAGE], "next": more, "reports": self._operated}, headers=PRIVATE)

    async def _think(self, request: Request) -> Response:
        person, other = await person_asking(self._house.journal, request), _other(request)
        if person == other:
            raise HTTPException(400, "that is you")
        opinion = await json_body.read(request, Opinion)
        self._pay(self._changes, request, person)
        name = names.line(opinion.name)[:LONGEST_NAME]
        try:
            script = opinions.think(person, other, opinion.how, name, self._house.now())
            await self._house.journal.transact(script)
        except opinions.TooMany:
            raise HTTPException(409, "your list is full: take somebody off it first") from None
        await self._house.persons.renewed(Renewed([person, other]))
        return Response(status_code=204)

    async def _forget(self, request: Request) -> Response:
        person, other = await person_asking(self._house.journal, request), _other(request)
        self._pay(self._changes, request, person)
        await self._house.journal.transact(opinions.think_nothing(person, other))
        await self._house.persons.renewed(Renewed([person, other]))
        return Response(status_code=204)

    async def _report(self, request: Request) -> Response:
        person = await person_asking(self._house.journal, request)
        if not self._operated:
            raise HTTPException(404, "nobody reads reports on this server")
        complaint = await json_body.read(request, Complaint)
        report = await self._reported(person, complaint)
        if report.person == person:
            raise HTTPException(400, "that is you")
        self._pay(self._reports, request, person)
        try:
            await self._house.journal.transact(reports.file(report))
        except reports.TooMany:
            raise HTTPException(429, "too many reports are waiting to be read; try again later") from None
        return Response(status_code=204)

    async def _reported(self, reporter: str, complaint: Complaint) -> Report:
        """What the operator needs to know of it, as far as the reporter knows it."""
        why, name = names.line(complaint.why), names.line(complaint.name)[:LONGEST_NAME]
        if not why:
            raise HTTPException(400, "say what was wrong")
        house, person, seat = self._house, complaint.person, None
        said: tuple[Heard, ...] = ()
        await house.fetch((complaint.table,))
        room = house.rooms.get(complaint.table)
        place = None if room is None else _place(room, reporter)
        if room is None or place is None:
            opened = await house.opening(complaint.table)
            if opened is None:
                raise HTTPException(404, "there is no such table")
            game, number = opened.game, 0
        else:
            table = room.table
            game, number = table.game.name, table.games + (table.phase == "playing")
            seat = None if complaint.seat is None else table.seats.get(complaint.seat)
            unheard = next((s.dialect.unheard for s in room.sessions if s.person == reporter), frozenset())
            lines = place.lines(unheard - {seat.person if seat is not None else person})
            said = tuple(Heard(line.name, line.text, line.at) for line in lines[-LINES:])
        if seat is not None:
            name, person = seat.name, seat.person
        elif not name or (person and not _PERSON.fullmatch(person)):
            raise HTTPException(400, "say whom you mean")
        return Report(keys.new_id(), house.now(), reporter, person, name, complaint.table, game, number, why, said)

    def _pay(self, purses: Purses, request: Request, person: str) -> None:
        """A person costs nothing to become, so that the address pays, too."""
        address, now = request.client.host if request.client else "", self._house.now()
        both = purses.of(f"address {address}"), purses.of(f"person {person}")
        if not all(purse.holds(1, now) for purse in both):
            raise HTTPException(429, "that is enough for now; try again later")
        for purse in both:
            purse.charge(1, now)


def _other(request: Request) -> str:
    person: str = request.path_params["person"]
    if not _PERSON.fullmatch(person):
        raise HTTPException(400, "that is not the id of a person")
    return person


def _place(room: Room, person: str) -> Place | None:
    """Where somebody is at a table, and what they see from there."""
    here = next((session.place for session in room.sessions if session.person == person), None)
    if here is not None:
        return here
    seat = next((seat for seat in room.table.seats.values() if seat.person == person), None)
    return None if seat is None else Place(room.table, seat)
