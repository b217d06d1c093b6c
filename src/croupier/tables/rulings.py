"""What the house decides about requests at a table: each ruling answers with log entries, or is ``Refused``.

A ruling changes nothing by itself. The order of its checks is part of what clients see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from croupier.kernel import Chance, Dice, Rig
from croupier.tables import hosts, keys, names
from croupier.tables.entries import (
    EDITION,
    Absent,
    AnyEntry,
    Back,
    Benched,
    Closed,
    Configured,
    CountdownStopped,
    Expired,
    Gone,
    HandedOver,
    Joined,
    Kicked,
    Left,
    Opened,
    Readied,
    Reopened,
    Reseated,
    Said,
    Silenced,
    Sounded,
    Started,
    StoodIn,
    Watched,
)
from croupier.tables.intents import Open
from croupier.tables.lobby_options import Lobby
from croupier.tables.notices import Refused
from croupier.tables.seat import Seat
from croupier.tables.soft import SOUND_EVERY, SOUNDS_AT_ONCE, SOUNDS_WITHIN
from croupier.tables.table import AnyGame, Table

BOT_NAMES = (
    "Ada", "Bo", "Cleo", "Dana", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kit", "Lea", "Max",
    "Nia", "Otto", "Pia", "Quin", "Rio", "Sam", "Tess", "Uli", "Vera", "Wim", "Xenia", "Yara", "Zoe",
)  # fmt: skip

MOST_WATCHERS = 255

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
    unhurried: bool = False
    client: str = ""
    can_host: bool = True
    marks_ready: bool = False
    person: str = ""

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
            unhurried=self.unhurried,
            client=self.client,
            can_host=self.can_host,
            marks_ready=self.marks_ready,
            person=self.person,
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
    rules = _newest_rules(game) if game.deals_early else 1
    table = Opened(game.name, name, seats, chosen, locked, seed, rig, code, keeps, lobby or Lobby(), EDITION, rules)
    return [table] if host is None else [table, *_seated(host, 0, ready=lobby is not None and lobby.seekers > 0)]


def _seated(newcomer: Newcomer, seat: int, ready: bool) -> list[AnyEntry]:
    """``ready``: they need not be asked whether they are."""
    joined = newcomer.at(seat)
    return [joined, Readied(seat, True)] if ready and newcomer.marks_ready and newcomer.user is None else [joined]


def taught(game: AnyGame, asked: Open, title: str, host: Newcomer, code: str) -> list[AnyEntry]:
    """A table that teaches its game, with its host and the bots of the lesson at it."""
    lesson = game.lesson
    if lesson is None:
        raise Refused("no_lesson", "there is no lesson of {game}", {"game": game.title})
    if asked.options or asked.seats is not None or asked.password or asked.rig is not None:
        raise Refused("bad_options", "a lesson has its own options, seats and deal, and takes no password")
    luck, options = (lesson.seed, lesson.rig), {**game.usual, **lesson.options}
    lobby = Lobby(listed=False, lesson=True)
    found = opened(game, title, lesson.seats, options, "", host, luck, code=code, rig=lesson.rig, lobby=lobby)
    bots = zip(range(1, lesson.seats), _bot_names(), strict=False)
    return [*found, *(Joined(seat, name, bot=lesson.bot) for seat, name in bots)]


def seats_fit(game: AnyGame, options: Any, seats: int, code: str) -> None:
    """Whether so many can play with these options."""
    possible = game.seats_for(options)
    if seats not in possible:
        limits = {"game": game.title, "fewest": possible[0], "most": possible[-1]}
        if possible.step > 1:
            raise Refused(code, *_listed(game, possible))
        raise Refused(code, "with these options {game} is for {fewest} to {most} players", limits)


def _listed(game: AnyGame, possible: range) -> tuple[str, dict[str, Any]]:
    """For a game that is for two or four, and not for three."""
    numbers = {"game": game.title, "possible": ", ".join(map(str, possible))}
    return "the number of players at {game} has to be one of these: {possible}", numbers


def checked(game: AnyGame, options: dict[str, Any], base: Any = None) -> Any:
    """The game's options with these changed."""
    for name in options:
        if name not in game.Options.__struct_fields__:
            raise Refused("bad_options", f"{game.title} has no option {name!r}")
    try:
        if base is not None:
            options = msgspec.to_builtins(base) | options
        return msgspec.convert(options, game.Options)
    except msgspec.ValidationError as error:
        raise Refused("bad_options", str(error)) from None


def joined(table: Table, newcomer: Newcomer, password: str, ready: bool = False) -> list[AnyEntry]:
    """``ready``: they have said so already."""
    waiting(table)
    if table.lobby.lesson:
        raise Refused("full", "this table is a lesson, for one person alone")
    unlocked(table, password)
    if table.game.customs.names == "unique" and names.folded(newcomer.name) in _names(table):
        raise Refused("name_taken", "somebody at the table has that name already")
    if keys.digest(newcomer.token) in table.by_token:
        raise Refused("seated", "you have a seat at this table already")
    if len(table.seats) >= table.capacity:
        raise Refused("full", "every seat is taken")
    number = free_seats(table)[0]
    found = _seated(newcomer, number, table.lobby.auto_start and (ready or table.lobby.seekers > 0))
    if hosts.relieves(table) and table.host is not None and not hosts.hosted(table):
        found.append(HandedOver(number))
    return found


def free_seats(table: Table) -> list[int]:
    """The numbers that newcomers get, in this order."""
    count = table.capacity - len(table.seats)
    if table.game.customs.seating == "queued":
        first = max(table.seats, default=-1) + 1
        return list(range(first, first + count))
    return [number for number in range(table.capacity) if number not in table.seats]


def unlocked(table: Table, password: str) -> None:
    if not keys.unlocks(password, table.password):
        raise Refused("bad_password", "that is not the table's password")


def _names(table: Table) -> set[str]:
    return {names.folded(seat.name) for seat in table.seats.values()}


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
    free = (name for name in _bot_names() if names.folded(name) not in taken)
    return [Joined(number, next(free), bot=bot) for number in free_seats(table)[:count]]


def _bot_names() -> Iterator[str]:
    names = [f"BOT {name}" for name in BOT_NAMES]
    yield from names
    yield from _more(names)


def _more(names: Sequence[str]) -> Iterator[str]:
    yield from (f"{name} {turn}" for turn in range(2, 100) for name in names)


def kept_company(table: Table, dice: Dice) -> Joined:
    """A bot of the house sits down, under a name that anybody could have."""
    taken = _names(table)
    free = [name for name in BOT_NAMES if names.folded(name) not in taken]
    name = dice.choice(free) if free else next(name for name in _more(BOT_NAMES) if names.folded(name) not in taken)
    return Joined(free_seats(table)[0], name, bot=next(iter(table.game.bots)), house=True)


def configured(
    table: Table,
    seat: Seat | None,
    options: dict[str, Any],
    auto_start: bool | None = None,
    countdown: int | None = None,
    rated: bool | None = None,
) -> list[AnyEntry]:
    waiting(table)
    host(table, seat)
    if table.gathers_seekers:
        raise Refused("seekers", "people have come here for the usual game: it can be changed after the first one")
    chosen = checked(table.game, options, table.options)
    seats_fit(table.game, chosen, table.capacity, "bad_options")
    asked = {"auto_start": auto_start, "countdown": countdown, "rated": rated}
    changes = {name: value for name, value in asked.items() if value is not None}
    return [Configured(chosen, msgspec.structs.replace(table.lobby, **changes) if changes else None)]


def readied(table: Table, seat: Seat | None, ready: bool) -> list[AnyEntry]:
    waiting(table)
    if seat is None:
        raise Refused("not_seated", "you have no seat at this table")
    return [] if seat.ready == ready else [Readied(seat.number, ready)]


def reseated(table: Table, seat: Seat | None, to: int) -> list[AnyEntry]:
    """Somebody takes another place. Only where it makes a difference: elsewhere seats are the table's affair, and the
    games' own protocols tell nobody of them."""
    waiting(table)
    if seat is None:
        raise Refused("not_seated", "you have no seat at this table")
    if not table.places_chosen:
        raise Refused("no_places", "it makes no difference at this table who sits where")
    if to >= table.capacity:
        raise Refused("no_such_seat", "there is no seat {seat}", {"seat": to})
    other = table.seats.get(to)
    if other is not None and other is not seat and other.bot is None:
        raise Refused("seat_taken", "somebody sits there already")
    return [] if other is seat else [Reseated(seat.number, to)]


def started(table: Table, seat: Seat | None, luck: Luck, anybody: bool = False) -> list[AnyEntry]:
    """``anybody``: in their protocol, it does not take the host to begin."""
    waiting(table)
    if not (anybody and seat is not None):
        host(table, seat)
    return launched(table, luck)


def launched(table: Table, luck: Luck) -> list[AnyEntry]:
    """The game begins."""
    possible = table.game.seats_for(table.options)
    # Where a table lingers, whoever has gone since the last game still has a seat there.
    takes_presence = table.game.customs.players == "present" or table.lingers or table.gathers_seekers
    gone = [seat for seat in table.seats.values() if takes_presence and not seat.takes_part()]
    order = [number for number, seat in table.seats.items() if seat not in gone]
    if len(order) not in possible:  # there can't be too many, since the table has no more seats
        if possible.step > 1:
            raise Refused("too_few", *_listed(table.game, possible))
        needed = {"game": table.game.title, "fewest": possible[0]}
        raise Refused("too_few", "{game} takes at least {fewest} players", needed)
    found = [entry for seat in gone for entry in left(table, seat, closes=False, why="gone")]
    seed, rig = luck
    if table.gathering:  # the luck of this game was drawn when the first card was dealt
        found.append(Started(tuple(order), table.seed, rules=table.game.rules))
    else:
        if table.game.customs.seating == "shuffled":
            Chance(seed, rig=rig).shuffle(order, "seats")
        found.append(Started(tuple(order), seed, rig, rules=_newest_rules(table.game)))
    if table.game.heeds_absence:
        seats = [table.seats[number] for number in order]
        found += [Absent(n, seat.keeps_until) for n, seat in enumerate(seats) if seat.human and not seat.present]
    return found


def _newest_rules(game: AnyGame) -> int:
    """Those of the next game; the last one at the table may have begun before they were changed."""
    return type(game).rules


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
    return [*(Left(number, "gone") for number in gone), Reopened(*luck, _newest_rules(table.game))]


def kicked(table: Table, seat: Seat | None, target: int) -> list[AnyEntry]:
    host(table, seat)
    other = table.seats.get(target)
    if other is None:
        raise Refused("no_such_seat", "nobody has seat {seat}", {"seat": target})
    if other is table.host:
        raise Refused("host", "the host can't be thrown out")
    if other.kicked:  # the seat stays as long as the game is on the table, finished or not
        return []
    if table.phase != "playing":
        return [Left(target, "kicked")]
    if other.bot is not None and not other.house:
        raise Refused("bot_playing", "a bot can't be thrown out of a running game")
    return [Kicked(target)] if table.game.customs.absent == "stand_in" else [Left(target, "kicked")]


def watched(table: Table, password: str) -> Watched:
    if table.lobby.lesson:
        raise Refused("bench_closed", "this table is a lesson, for one person alone")
    if table.lobby.private:
        unlocked(table, password)
    if table.bench.closed:
        raise Refused("bench_closed", "the host lets nobody look on just now")
    if table.soft.watchers >= MOST_WATCHERS:
        raise Refused("bench_full", "there are too many spectators already")
    return Watched()


def said(table: Table, seat: Seat | None, text: str, person: str = "") -> Said | None:
    """None: there is nothing to be read in it."""
    heard(table, seat)
    text = names.line(text)
    if not text:
        return None
    return Said(None, "", text, person) if seat is None else Said(seat.number, seat.name, text, seat.person)


def sounded(table: Table, seat: Seat | None, sound: str, at: int) -> Sounded:
    if seat is None:
        raise Refused("not_seated", "you have no seat at this table")
    known = table.game.sounds(table.options)
    if not known:
        raise Refused("no_sounds", "there are no sounds at this table")
    if sound not in known:
        raise Refused("no_such_sound", "there is no such sound")
    heard(table, seat)
    last, sounds = table.soft.sounded.get(seat.user), table.soft.sounds
    free = 0 if last is None else last + SOUND_EVERY
    if len(sounds) == SOUNDS_AT_ONCE:
        free = max(free, sounds[0] + SOUNDS_WITHIN)
    if free > at:
        raise Refused("too_fast", "not so fast, others want to hear something too", {"retry_ms": free - at})
    return Sounded(seat.number, sound)


def benched(table: Table, seat: Seat | None, open: bool) -> list[AnyEntry]:
    host(table, seat)
    return [] if table.bench.closed != open else [Benched(open)]


def silenced(table: Table, seat: Seat | None, target: int | None, silent: bool) -> list[AnyEntry]:
    host(table, seat)
    if target is None:
        return [] if table.bench.silent == silent else [Silenced(None, silent)]
    other = table.seats.get(target)
    if other is None or not other.human:
        raise Refused("no_such_seat", "nobody is at seat {seat}", {"seat": target})
    if other is table.host and silent:
        raise Refused("host", "the host can't be silenced")
    return [] if other.silent == silent else [Silenced(target, silent)]


def heard(table: Table, seat: Seat | None) -> None:
    """Whether somebody may be heard at the table."""
    if table.bench.silent if seat is None else seat.silent:
        raise Refused("silenced", "the host has silenced you")


def handed_over(table: Table, seat: Seat | None, target: int) -> list[AnyEntry]:
    host(table, seat)
    other = table.seats.get(target)
    if other is None or not other.human:
        raise Refused("no_such_seat", "nobody is at seat {seat}", {"seat": target})
    return [HandedOver(target)]


def left(table: Table, seat: Seat, closes: bool, why: Literal["left", "gone"] = "left") -> list[AnyEntry]:
    """Somebody gives up a seat. ``closes``: in their protocol, a table that waits for players ends with its host."""
    heir = hosts.heir(table, seat) if seat is table.host else None
    found: list[AnyEntry] = [] if heir is None else [HandedOver(heir.number)]
    if table.phase == "playing":
        if table.game.customs.absent == "forfeit":
            return [Left(seat.number)]  # the rules decide what becomes of the game, and then who is the host
        return found if seat.stood_in else [StoodIn(seat.number, "left"), *found]
    if seat is table.host and (closes or not (found or table.keeps)):
        return [Closed("host left")]
    return [Left(seat.number, why), *found]


def gave_up(table: Table, seats: Sequence[Seat]) -> list[AnyEntry]:
    """These have been away for too long, and all at once."""
    return [Gone(tuple(seat.number for seat in seats))]


def absent(table: Table, seat: Seat, until: int) -> list[AnyEntry]:
    """Somebody's connection is gone."""
    relief = hosts.relief(table) if seat is table.host and hosts.relieves(table) else None
    return [Absent(seat.number, until), *([] if relief is None else [HandedOver(relief.number)])]


def back(table: Table, seat: Seat, handle: str | None = None, avatar: str | None = None) -> list[AnyEntry]:
    """Somebody has come back."""
    relieves = hosts.relieves(table) and seat is not table.host and hosts.may_host(table, seat)
    found = [HandedOver(seat.number)] if relieves and not hosts.hosted(table) else []
    return [Back(seat.number, handle, avatar), *found]


def proceeded(table: Table, seat: Seat | None) -> list[AnyEntry]:
    """Who plays alone has seen enough of what a clock would let everybody look at."""
    look = table.look()
    if seat is None or seat is not table.alone or look is None:
        raise Refused("nothing_to_end", "the game does not wait for you to go on")
    return [Expired(look, by=seat.number)]


def arranged(table: Table) -> None:
    """Whether people may change anything about the table, such as who plays there, and by which options."""
    if table.lobby.lesson:
        raise Refused("lesson", "a lesson stays as it is: open a table of your own")


def waiting(table: Table) -> None:
    if table.phase != "waiting":
        raise Refused("started", "the game has started")


def host(table: Table, seat: Seat | None) -> None:
    if seat is None or seat is not table.host:
        raise Refused("not_host", "only the host can do that")
