"""What the house decides about requests at a table: each ruling answers with log entries, or is ``Refused``.

A ruling changes nothing by itself. The order of its checks is part of what clients see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.kernel import Chance, Rig
from croupier.tables import keys
from croupier.tables.entries import (
    Absent,
    AnyEntry,
    Back,
    Closed,
    Configured,
    CountdownBegun,
    CountdownStopped,
    Gone,
    HandedOver,
    Joined,
    Kicked,
    Left,
    Opened,
    Readied,
    Reopened,
    Said,
    Sounded,
    Started,
    StoodIn,
    Watched,
)
from croupier.tables.lobby import Lobby
from croupier.tables.notices import Refused
from croupier.tables.table import AnyGame, Seat, Table

BOT_NAMES = (
    "Ada", "Bo", "Cleo", "Dana", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kit", "Lea", "Max",
    "Nia", "Otto", "Pia", "Quin", "Rio", "Sam", "Tess", "Uli", "Vera", "Wim", "Xenia", "Yara", "Zoe",
)  # fmt: skip

MOST_WATCHERS = 255
SOUNDS_WITHIN = 10_000
"""Milliseconds in which a table hears only so many sounds."""

Luck = tuple[bytes, Rig | None]
"""The seed of a game, and how a test has rigged it."""


class Newcomer(NamedTuple):
    """Who takes a seat, as their protocol knows them (see ``Joined``)."""

    name: str
    token: str
    handle: str | None = None
    by_name: bool = False
    user: str | None = None
    until: int | None = None
    avatar: str = ""

    def at(self, seat: int) -> Joined:
        return Joined(
            seat,
            self.name,
            keys.digest(self.token),
            handle=self.handle,
            by_name=self.by_name,
            user=self.user,
            until=self.until,
            avatar=self.avatar,
        )


def opened(
    game: AnyGame,
    name: str,
    seats: int | None,
    options: dict[str, Any],
    password: str,
    host: Newcomer | None,
    luck: Luck,
    *,
    code: str = "",
    keeps: int | None = None,
    rig: Rig | None = None,
    lobby: Lobby | None = None,
) -> list[AnyEntry]:
    """A table, with its host at it; or one that waits for somebody to come."""
    chosen = checked(game, options)
    if seats is None:
        seats = min(game.seats_for(chosen)[-1], 4)
    seats_fit(game, chosen, seats, "bad_seats")
    seed, rig = luck if game.deals_early else (None, rig)
    name = name or (f"{host.name}'s table" if host else f"Table {code}")
    locked = keys.lock(password)
    table = Opened(game.name, name, seats, chosen, locked, seed, rig, code, keeps, lobby or Lobby())
    return [table] if host is None else [table, host.at(0)]


def seats_fit(game: AnyGame, options: Any, seats: int, code: str) -> None:
    """Whether so many can play with these options."""
    possible = game.seats_for(options)
    if seats not in possible:
        limits = {"game": game.title, "fewest": possible[0], "most": possible[-1]}
        raise Refused(code, "with these options {game} is for {fewest} to {most} players", limits)


def checked(game: AnyGame, options: dict[str, Any], base: Any = None) -> Any:
    """The game's options with these changed."""
    known = {field.name for field in msgspec.structs.fields(game.Options)}
    for name in options:
        if name not in known:
            raise Refused("bad_options", f"{game.title} has no option {name!r}")
    try:
        if base is not None:
            options = msgspec.to_builtins(base) | options
        return msgspec.convert(options, game.Options)
    except msgspec.ValidationError as error:
        raise Refused("bad_options", str(error)) from None


def joined(table: Table, newcomer: Newcomer, password: str) -> list[AnyEntry]:
    waiting(table)
    if not keys.unlocks(password, table.password):
        raise Refused("bad_password", "that is not the table's password")
    if table.game.customs.names == "unique" and newcomer.name.casefold() in _names(table):
        raise Refused("name_taken", "somebody at the table has that name already")
    if keys.digest(newcomer.token) in table.by_token:
        raise Refused("seated", "you have a seat at this table already")
    if len(table.seats) >= table.capacity:
        raise Refused("full", "every seat is taken")
    number = table.free_seats()[0]
    found: list[AnyEntry] = [newcomer.at(number)]
    if table.game.customs.host == "present" and table.host is not None and not table.host.present:
        found.append(HandedOver(number))
    return found


def _names(table: Table) -> set[str]:
    return {seat.name.casefold() for seat in table.seats.values()}


def bots_added(table: Table, seat: Seat | None, bot: str | None, count: int) -> list[AnyEntry]:
    host(table, seat)
    if len(table.seats) + count > table.capacity:
        raise Refused("full", "there are not enough free seats")
    waiting(table)
    kinds = table.game.bots
    bot = bot or next(iter(kinds))
    if bot not in kinds:
        raise Refused("no_such_bot", f"there is no bot {bot!r}; there is {', '.join(kinds)}")
    taken = _names(table)
    found: list[AnyEntry] = []
    for number in table.free_seats()[:count]:
        name = next(name for name in _bot_names() if name.casefold() not in taken)
        taken.add(name.casefold())
        found.append(Joined(number, name, bot=bot))
    return found


def _bot_names() -> Any:
    yield from (f"BOT {name}" for name in BOT_NAMES)
    yield from (f"BOT {name} {turn}" for turn in range(2, 100) for name in BOT_NAMES)


def configured(table: Table, seat: Seat | None, options: dict[str, Any], lobby: Lobby | None = None) -> list[AnyEntry]:
    waiting(table)
    host(table, seat)
    chosen = checked(table.game, options, table.options)
    seats_fit(table.game, chosen, table.capacity, "bad_options")
    return [Configured(chosen, lobby)]


def readied(table: Table, seat: Seat | None, ready: bool) -> list[AnyEntry]:
    waiting(table)
    if seat is None:
        raise Refused("not_seated", "you have no seat at this table")
    return [] if seat.ready == ready else [Readied(seat.number, ready)]


def countdown(table: Table, entry: AnyEntry, now: int) -> list[AnyEntry]:
    """Whether, after this, a countdown begins or ends."""
    if table.phase != "waiting":
        return []
    if table.starts_at is not None:
        match entry:
            case Joined(until=None) | Back() | Left() | Absent() | Readied(ready=False):
                return [CountdownStopped()]
        return []
    if isinstance(entry, Readied) and entry.ready and table.lobby.auto_start:
        there = [seat for seat in table.seats.values() if seat.takes_part()]
        if len(there) >= table.game.seats_for(table.options)[0] and all(seat.ready for seat in there):
            return [CountdownBegun(table.lobby.countdown, now + 1000 * table.lobby.countdown)]
    return []


def started(table: Table, seat: Seat | None, luck: Luck, anybody: bool = False) -> list[AnyEntry]:
    """``anybody``: in their protocol, it does not take the host to begin."""
    waiting(table)
    if not (anybody and seat is not None):
        host(table, seat)
    return launched(table, luck)


def launched(table: Table, luck: Luck) -> list[AnyEntry]:
    """The game begins."""
    fewest = table.game.seats_for(table.options)[0]
    gone = [seat for seat in table.seats.values() if table.game.customs.players == "present" and not seat.takes_part()]
    order = [number for number, seat in table.seats.items() if seat not in gone]
    if len(order) < fewest:
        needed = {"game": table.game.title, "fewest": fewest}
        raise Refused("too_few", "{game} takes at least {fewest} players", needed)
    found = [entry for seat in gone for entry in left(table, seat, closes=False)]
    if table.gathering:  # the luck of this game was drawn when the first card was dealt
        return [*found, Started(tuple(order), table.seed)]
    seed, rig = luck
    if table.game.customs.seating == "shuffled":
        Chance(seed, rig=rig).shuffle(order, "seats")
    return [*found, Started(tuple(order), seed, rig)]


def counted_down(table: Table, luck: Luck) -> list[AnyEntry]:
    """The countdown is over."""
    try:
        return launched(table, luck)
    except Refused:
        return [CountdownStopped()]


def reopened(table: Table, seat: Seat | None, luck: Luck) -> list[AnyEntry]:
    """Another game of those who are there; who is not there has no seat in it."""
    if table.phase != "over":
        raise Refused("not_over", "there is no finished game to put away")
    host(table, seat)
    gone = [other.number for other in table.seats.values() if not other.takes_part()]
    return [*(Left(number, "gone") for number in gone), Reopened(*luck)]


def kicked(table: Table, seat: Seat | None, target: int) -> list[AnyEntry]:
    host(table, seat)
    other = table.seats.get(target)
    if other is None:
        raise Refused("no_such_seat", "nobody has seat {seat}", {"seat": target})
    if other is table.host:
        raise Refused("host", "the host can't be thrown out")
    if table.phase != "playing":
        return [Left(target, "kicked")]
    if other.bot is not None:
        raise Refused("bot_playing", "a bot can't be thrown out of a running game")
    if other.kicked:
        return []
    return [Kicked(target)] if table.game.customs.absent == "stand_in" else [Left(target, "kicked")]


def watched(table: Table) -> list[AnyEntry]:
    if table.watchers >= MOST_WATCHERS:
        raise Refused("bench_full", "there are too many spectators already")
    return [Watched()]


def said(seat: Seat | None, text: str) -> list[AnyEntry]:
    return [Said(None, "", text) if seat is None else Said(seat.number, seat.name, text)]


def sounded(table: Table, seat: Seat | None, sound: str, at: int) -> list[AnyEntry]:
    if seat is None:
        raise Refused("not_seated", "you have no seat at this table")
    customs, known = table.game.customs, table.game.sounds(table.options)
    if not known:
        raise Refused("no_sounds", "there are no sounds at this table")
    if sound not in known:
        raise Refused("no_such_sound", "there is no such sound")
    free = 0 if seat.sounded_at is None else seat.sounded_at + round(customs.sound_every * 1000)
    if len(table.sounds) == customs.sounds_at_once:
        free = max(free, table.sounds[0] + SOUNDS_WITHIN)
    if free > at:
        raise Refused("too_fast", "not so fast, others want to hear something too", {"retry_ms": free - at})
    return [Sounded(seat.number, sound)]


def handed_over(table: Table, seat: Seat | None, target: int) -> list[AnyEntry]:
    host(table, seat)
    other = table.seats.get(target)
    if other is None or not other.human:
        raise Refused("no_such_seat", "nobody is at seat {seat}", {"seat": target})
    return [HandedOver(target)]


def left(table: Table, seat: Seat, closes: bool) -> list[AnyEntry]:
    """Somebody gives up a seat. ``closes``: in their protocol, a table that waits for players ends with its host."""
    if table.phase == "playing":
        if table.game.customs.absent == "forfeit":
            return [Left(seat.number), *succession(table, seat)]
        standing_in: list[AnyEntry] = [] if seat.stood_in else [StoodIn(seat.number, "left")]
        return [*standing_in, *succession(table, seat)]
    if seat is table.host and closes:
        return [Closed("host left")]
    found = succession(table, seat)
    if seat is table.host and not found and not table.keeps:
        return [Closed("host left")]
    return [Left(seat.number), *found]


def gave_up(table: Table, seats: Sequence[Seat]) -> list[AnyEntry]:
    """These have been away for too long, and all at once."""
    return [Gone(tuple(seat.number for seat in seats)), *succession(table, *seats)]


def succession(table: Table, *gone: Seat) -> list[AnyEntry]:
    """Another host, if it was the host who is gone: somebody who is there before somebody who is not."""
    if table.host not in gone:
        return []
    heirs = [seat for seat in table.seats.values() if seat.human and seat not in gone and seat.bot is None]
    heirs.sort(key=lambda seat: not seat.present)
    return [HandedOver(heirs[0].number)] if heirs else []


def absent(table: Table, seat: Seat, until: int) -> list[AnyEntry]:
    """Somebody's connection is gone."""
    found: list[AnyEntry] = [Absent(seat.number, until)]
    if seat is table.host and table.game.customs.host == "present":
        heirs = [other for other in table.seats.values() if other.human and other.present and other is not seat]
        found += [HandedOver(heir.number) for heir in heirs[:1]]
    return found


def back(table: Table, seat: Seat, handle: str | None = None, avatar: str | None = None) -> list[AnyEntry]:
    """Somebody has come back."""
    found: list[AnyEntry] = [Back(seat.number, handle, avatar)]
    host = table.host
    if table.game.customs.host == "present" and seat is not host and not (host and host.human and host.present):
        found.append(HandedOver(seat.number))
    return found


def after_game(table: Table) -> list[AnyEntry]:
    """Who stays for another game."""
    if table.phase == "over":  # who stays is seen when the table is reopened
        return []
    customs = table.game.customs
    host = table.host
    if customs.absent_host == "close" and (host is None or not host.takes_part()):
        return [Closed("host left")]
    gone = [seat for seat in table.seats.values() if seat.kicked or not (customs.keep_absent or seat.takes_part())]
    found: list[AnyEntry] = [Left(seat.number, "gone") for seat in gone]
    if host is not None and host in gone:
        stay: Sequence[Seat] = [seat for seat in table.seats.values() if seat.human and seat not in gone]
        found += [HandedOver(stay[0].number)] if stay else [Closed("host left")]
    return found


def waiting(table: Table) -> None:
    if table.phase != "waiting":
        raise Refused("started", "the game has started")


def host(table: Table, seat: Seat | None) -> None:
    if seat is None or seat is not table.host:
        raise Refused("not_host", "only the host can do that")
