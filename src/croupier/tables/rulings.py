"""What the house decides about requests at a table: each ruling answers with log entries, or is ``Refused``.

A ruling changes nothing by itself. The order of its checks is part of what clients see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    HandedOver,
    Joined,
    Kicked,
    Left,
    Opened,
    Readied,
    Reopened,
    Said,
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

Luck = tuple[bytes, Rig | None]
"""The seed of a game, and how a test has rigged it."""


def opened(
    game: AnyGame,
    name: str,
    seats: int | None,
    options: dict[str, Any],
    password: str,
    player: str,
    token: str,
    luck: Luck,
    user: str | None = None,
    until: int | None = None,
    lobby: Lobby | None = None,
) -> list[AnyEntry]:
    most = game.seats[-1]
    if seats is None:
        seats = min(most, 4)
    if seats not in game.seats:
        raise Refused("bad_seats", f"{game.title} is for {game.seats[0]} to {most} players")
    return [
        Opened(
            game.name,
            name or f"{player}'s table",
            seats,
            checked(game, options),
            keys.lock(password),
            luck[0] if game.deals_early else None,
            luck[1] if game.deals_early else None,
            lobby or Lobby(),
        ),
        Joined(0, player, token=keys.digest(token), user=user, until=until),
    ]


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


def joined(
    table: Table, player: str, password: str, token: str, user: str | None = None, until: int | None = None
) -> list[AnyEntry]:
    waiting(table)
    if not keys.unlocks(password, table.password):
        raise Refused("bad_password", "that is not the table's password")
    if len(table.seats) >= table.capacity:
        raise Refused("full", "every seat is taken")
    return [Joined(table.free_seats()[0], player, token=keys.digest(token), user=user, until=until)]


def bots_added(table: Table, seat: Seat | None, bot: str | None, count: int) -> list[AnyEntry]:
    host(table, seat)
    if len(table.seats) + count > table.capacity:
        raise Refused("full", "there are not enough free seats")
    waiting(table)
    kinds = table.game.bots
    bot = bot or next(iter(kinds))
    if bot not in kinds:
        raise Refused("no_such_bot", f"there is no bot {bot!r}; there is {', '.join(kinds)}")
    taken = {other.name for other in table.seats.values()}
    found: list[AnyEntry] = []
    for number in table.free_seats()[:count]:
        name = next(name for name in _bot_names() if name not in taken)
        taken.add(name)
        found.append(Joined(number, name, bot=bot))
    return found


def _bot_names() -> Any:
    yield from (f"BOT {name}" for name in BOT_NAMES)
    yield from (f"BOT {name} {turn}" for turn in range(2, 100) for name in BOT_NAMES)


def configured(table: Table, seat: Seat | None, options: dict[str, Any], lobby: Lobby | None = None) -> list[AnyEntry]:
    waiting(table)
    host(table, seat)
    return [Configured(checked(table.game, options, table.options), lobby)]


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
        if len(there) >= table.game.seats[0] and all(seat.ready for seat in there):
            return [CountdownBegun(table.lobby.countdown, now + 1000 * table.lobby.countdown)]
    return []


def started(table: Table, seat: Seat | None, luck: Luck) -> list[AnyEntry]:
    waiting(table)
    host(table, seat)
    return launched(table, luck)


def launched(table: Table, luck: Luck) -> list[AnyEntry]:
    """The game begins."""
    fewest = table.game.seats[0]
    gone = [seat for seat in table.seats.values() if table.game.customs.players == "present" and not seat.takes_part()]
    order = [number for number, seat in table.seats.items() if seat not in gone]
    if len(order) < fewest:
        raise Refused("too_few", f"{table.game.title} takes at least {fewest} players")
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
        raise Refused("no_such_seat", f"nobody has seat {target}")
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


def handed_over(table: Table, seat: Seat | None, target: int) -> list[AnyEntry]:
    host(table, seat)
    other = table.seats.get(target)
    if other is None or not other.human:
        raise Refused("no_such_seat", f"nobody is at seat {target}")
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
    if seat is table.host and not found:
        return [Closed("host left")]
    return [Left(seat.number), *found]


def succession(table: Table, gone: Seat) -> list[AnyEntry]:
    """Another host, if it was the host who is gone: somebody who is there before somebody who is not."""
    if gone is not table.host:
        return []
    heirs = [seat for seat in table.seats.values() if seat.human and seat is not gone and seat.bot is None]
    heirs.sort(key=lambda seat: not seat.present)
    return [HandedOver(heirs[0].number)] if heirs else []


def absent(table: Table, seat: Seat, until: int) -> list[AnyEntry]:
    """Somebody's connection is gone."""
    found: list[AnyEntry] = [Absent(seat.number, until)]
    if seat is table.host and table.game.customs.host == "present":
        heirs = [other for other in table.seats.values() if other.human and other.present and other is not seat]
        found += [HandedOver(heir.number) for heir in heirs[:1]]
    return found


def back(table: Table, seat: Seat) -> list[AnyEntry]:
    """Somebody has come back."""
    found: list[AnyEntry] = [Back(seat.number)]
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
