"""A table: the fold of its log. ``apply`` is the only way anything about a table changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.kernel import Chance, Event, Legacy, Rig
from croupier.tables import entries, inheritance
from croupier.tables.course import Course
from croupier.tables.entries import AnyEntry
from croupier.tables.lobby_options import Lobby
from croupier.tables.seat import Seat
from croupier.tables.table_state import AnyGame, TableState

__all__ = ["AnyGame", "Table"]

KEYS_KEPT = 16
"""Moves of one seat that are known by their keys: far more than a client has under way."""

_ENDINGS = (entries.Moved, entries.Expired, entries.Left, entries.Gone)
"""All that could end a game in logs of the first edition."""

LINE_GRACE = 10_000
"""Milliseconds that whoever is awaited has at least, after a line was lost."""


class Table(TableState):
    def apply(self, entry: AnyEntry, at: int) -> Sequence[Event]:
        """Let the next entry of the log happen. Returns the game's events; raises ``Illegal`` and changes nothing."""
        events: Sequence[Event] = ()
        if type(entry) is entries.Moved:
            events = self._moved(entry, at)
        else:
            players, events = self._players, self._changed(entry, at)
            self._forget()
            if type(entry) is entries.Joined and players is not None:
                newest = next(reversed(self.seats.values()))
                if newest.number == entry.seat:  # the others are as they were: 254 bots come one after the other
                    self._players = (*players, newest.player())
        if self.phase == "playing" and (self.edition > 1 or isinstance(entry, _ENDINGS)):
            self.result = self.game.result(self.state)
            if self.result is not None:
                self._over(at)
        self.seq += 1
        self.at = at
        self.mentioned = False
        self._clocks = self._awaited = None
        return events

    def mention(self, entry: entries.Soft, at: int) -> None:
        """Something goes on around the table that is not for its log."""
        user = person = ""
        match entry:
            case entries.Absent():
                self.seats[entry.seat].go_away(at, entry.until)
                self._forget()
            case entries.Back():
                self.seats[entry.seat].away_since = None
                self._forget()
            case entries.Watched() | entries.Unwatched():
                self._summary = None
            case _ if entry.seat is not None:
                seat = self.seats[entry.seat]
                user, person = seat.user, seat.person
        self.mentioned = True
        self._clocks = self._awaited = None
        self.soft.happened(entry, at, user, person)

    def _moved(self, entry: entries.Moved, at: int) -> Sequence[Event]:
        move = entry.move
        if type(move) is dict:  # from the journal
            move = self.game.understand(move)
        events = self.game.play(self.state, entry.seat, move, at)
        self.acted_at, self.step = at, self.step + 1
        if self.course is not None:
            self.course.follow(entry.seat, move)
        if entry.key is not None:
            seat = self.seats[entry.seat]
            seat.move_keys = (*seat.move_keys[1 - KEYS_KEPT :], entry.key)
        return events

    def _went_on(self, events: Sequence[Event], at: int) -> Sequence[Event]:
        self.acted_at = at
        self.step += 1
        return events

    def _over(self, at: int) -> None:
        self.phase = "over" if self.game.deals_early else "waiting"
        self.games += 1
        self.over_at = at
        self.legacy = self.game.legacy(self.state)
        self.ended_by = self.seq + 1
        self.deserted = frozenset(number for number, seat in enumerate(self.lineup) if self._gone(seat))
        for seat in self.seats.values():
            seat.ready = self._ready_unasked(seat)
            if self.edition < 3 and seat.human and seat.present:
                seat.stood_in = False
        self._forget()

    def _gone(self, seat: Seat) -> bool:
        """Whether somebody who began the game does not play it any more."""
        return seat.bot is None and (seat.stood_in or seat.kicked or seat not in self.cast)

    def _forget(self) -> None:
        """What was worked out about who is here."""
        self._summary = self._players = self._calm = self._people = None
        people = [seat for seat in self.cast if seat.human] if self.phase == "playing" else ()
        self.soloist = people[0] if len(people) == 1 else None

    def _changed(self, entry: AnyEntry, at: int) -> Sequence[Event]:
        """Everything that can happen at a table but a move."""
        match entry:
            case entries.Opened():
                self._opened(entry, at)
            case entries.Configured():
                self._configured(self._options(entry.options))
                self._arrange(entry.lobby or self.lobby)
            case entries.Joined():
                return self._joined(entry, at)
            case entries.Left():
                return self._left(entry, at)
            case entries.Reseated():
                self._reseated(entry)
            case entries.Gone():
                return self._gave_up(entry.who, at)
            case entries.Kicked() | entries.StoodIn():
                self._stand_in(entry, at)
            case entries.Absent():
                return self._absent(entry, at)
            case entries.Back():
                return self._back(entry, at)
            case entries.HandedOver():
                self.host = self.seats[entry.seat]
            case entries.Readied():
                self.seats[entry.seat].ready = entry.ready
            case entries.CountdownBegun():
                self.starts_at = entry.until
            case entries.CountdownStopped():
                self.starts_at = None
            case entries.Started():
                return self._started(entry, at)
            case entries.Reopened():
                return self._reopened(entry, at)
            case entries.Expired():
                self._time_up(entry)
                if self.course is not None and entry.by is not None:
                    self.course.follow(entry.by, None)
                return self._went_on(self.game.expire(self.state, entry.clock, at), at)
            case entries.Benched():
                self.bench = msgspec.structs.replace(self.bench, closed=not entry.open)
            case entries.Silenced(None, silent):
                self.bench = msgspec.structs.replace(self.bench, silent=silent)
            case entries.Silenced(int(number), silent):
                self.seats[number].silent = silent
            case entries.Recognised():
                self.seats[entry.seat].client = entry.client
            case entries.Resumed():
                return self._resumed(entry, at)
            case entries.Closed():
                self.phase = "closed"
        return ()

    def _configured(self, options: Any) -> None:
        if options != self.options:
            self.legacy = None  # points by other rules do not add up
        self.options = options

    def _arrange(self, lobby: Lobby) -> None:
        """How people come together from now on. Who is asked now has not said yet that they are ready."""
        changes, self.lobby = lobby.auto_start != self.lobby.auto_start, lobby
        for seat in self.seats.values():
            if changes and seat.marks_ready == "asked":
                seat.ready = self._ready_unasked(seat)

    def _ready_unasked(self, seat: Seat) -> bool:
        """Whether somebody counts as ready who has not said so."""
        return seat.marks_ready == "never" or (seat.marks_ready == "asked" and not self.lobby.auto_start)

    def _opened(self, entry: entries.Opened, at: int) -> None:
        self.name, self.capacity, self.password = entry.name, entry.seats, entry.password
        self.code, self.rig, self.lobby = entry.code, entry.rig, entry.lobby
        self.options = self._options(entry.options)
        self.keeps, self.edition = entry.keeps, entry.edition
        self.opened_at = self.acted_at = self.emptied_at = at
        if entry.seed is not None:
            self._gather(entry.seed, entry.rig, entry.rules, at)

    def _reopened(self, entry: entries.Reopened, at: int) -> Sequence[Event]:
        assert entry.seed is not None
        self.result, self.phase, self.deserted = None, "waiting", frozenset()
        self._gather(entry.seed, entry.rig, entry.rules, at)
        return [event for seat in self.seats.values() for event in self._sit(seat, at)]

    def _stand_in(self, entry: entries.Kicked | entries.StoodIn, at: int) -> None:
        """A bot plays this seat from now on."""
        seat = self.seats[entry.seat]
        seat.expelled = isinstance(entry, entries.Kicked) and not seat.stood_in
        seat.stood_in = True
        seat.automatic_since = self.seq + 1
        if isinstance(entry, entries.Kicked):
            seat.kicked = True
            return
        self.late = (entry.seat,) if entry.why == "late" else ()
        if entry.why == "left":
            seat.go_away(at, at)

    def _absent(self, entry: entries.Absent, at: int) -> Sequence[Event]:
        seat = self.seats[entry.seat]
        seat.go_away(at, entry.until)
        if self.phase != "playing":
            return ()
        self.step += 1
        return self._missed([seat], at)

    def _back(self, entry: entries.Back, at: int) -> Sequence[Event]:
        seat = self.seats[entry.seat]
        seat.away_since = None
        seat.stood_in = seat.missed = False
        if entry.handle is not None:
            seat.handle, seat.bound = entry.handle, True
        if entry.avatar is not None:
            seat.avatar = entry.avatar
        if self.state is not None:
            self.step += 1
        if self.phase != "playing":
            return ()
        self._excuse(seat, at)
        return self.game.back(self.state, entry.seat, at)

    def _resumed(self, entry: entries.Resumed, at: int) -> Sequence[Event]:
        self.edition = max(self.edition, entry.edition)
        self.grace_until = entry.until
        self.starts_at = None
        people = [seat for seat in self.seats.values() if seat.human and entry.concerns(seat.number)]
        lost = [seat for seat in people if (seat.present if self.edition < 3 else not seat.missed)]
        for seat in people:
            seat.go_away(at, entry.absent_until)
        if self.phase == "playing":
            self.game.resume(self.state, at)
        return self._missed(lost, at)

    def _options(self, options: Any) -> Any:
        return msgspec.convert(options, self.game.Options) if type(options) is dict else options

    def _gather(self, seed: bytes, rig: Rig | None, rules: int, at: int) -> None:
        """A game that deals as people sit down is about to."""
        self.game = self.game.by_rules(rules)
        self.seed = seed
        self.state = self.game.lobby(self.options, self.chance(seed, rig=rig), at)

    def _sit(self, seat: Seat, at: int) -> Sequence[Event]:
        seat.dealt_in = True
        return self.game.sit(self.state, seat.number, at)

    def _missed(self, seats: Sequence[Seat], at: int) -> Sequence[Event]:
        """What it means in the game that these are not there."""
        if self.phase != "playing":
            return ()
        for seat in seats:
            seat.missed = True
        return [event for seat in seats for event in self.game.absent(self.state, seat.number, at)]

    def _joined(self, entry: entries.Joined, at: int) -> Sequence[Event]:
        seat = Seat.of(entry, self.id, self.seq)
        seat.ready = self._ready_unasked(seat)
        if entry.until is not None:
            seat.go_away(at, entry.until)
        self.seats[entry.seat] = seat
        self.names += [""] * (entry.seat + 1 - len(self.names))
        self.names[entry.seat] = entry.name
        if self.game.customs.seating != "arrival":
            self.seats = dict(sorted(self.seats.items()))
        if entry.token is not None:
            self.by_token[entry.token] = seat
            if self.host is None:
                self.host = seat
        return self._sit(seat, at) if self.gathering else ()

    def _reseated(self, entry: entries.Reseated) -> None:
        moving = [(self.seats.pop(entry.seat), entry.to)]
        if entry.to in self.seats:
            moving.append((self.seats.pop(entry.to), entry.seat))
        for seat, number in moving:
            seat.number, seat.dealt_in = number, False  # the last game is seen from a place that they don't have now
            self.seats[number] = seat
        self.seats = dict(sorted(self.seats.items()))
        self.names = [self.seats[n].name if n in self.seats else "" for n in range(max(self.seats) + 1)]

    def _left(self, entry: entries.Left, at: int) -> Sequence[Event]:
        number = entry.seat
        seat = self.seats[number]
        if self.phase == "playing":
            seat.expelled = entry.why == "kicked" and not seat.missed
            onlooker = entry.why == "kicked" and self.game.customs.kicked == "onlooker"
            return self._gave_up((number,), at, onlooker)
        if self.phase == "over" and entry.why != "gone":
            seat.kicked = True
            return ()
        del self.seats[number]
        self.emptied_at = seat.away_since = at
        if seat.token is not None:
            del self.by_token[seat.token]
        if seat is self.host:
            self.host = None
        return self.game.rise(self.state, entry.seat, at) if self.gathering else ()

    def _gave_up(self, numbers: Sequence[int], at: int, onlooker: bool = False) -> Sequence[Event]:
        # The seats stay as long as the game is on the table: their numbers mean something to the rules.
        for number in numbers:
            seat = self.seats[number]
            seat.kicked = not onlooker
            if seat in self.cast:
                self.cast.remove(seat)
        return self._went_on(self.game.leave(self.state, numbers, at), at)

    def _time_up(self, entry: entries.Expired) -> None:
        """Take note of who is late. Where several are, the rules may act for one after the other at the same clock."""
        clock = next((clock for clock in self.game.clocks(self.state) if clock.name == entry.clock), None)
        again = clock is not None and (clock.name, clock.due) == self._ran_out
        self.late = () if clock is None or again or entry.by is not None else clock.seats
        self._ran_out = None if clock is None else (clock.name, clock.due)

    def _excuse(self, seat: Seat, at: int) -> None:
        """The time that a line has taken is not the player's."""
        due = self.excusable(seat)
        if due is not None:
            self.excused = due
            self.grace_until = max(self.grace_until, at + LINE_GRACE)

    def _started(self, entry: entries.Started, at: int) -> Sequence[Event]:
        assert entry.seed is not None
        seats = [self.seats[number] for number in entry.order]
        self.deserted = frozenset()
        self.inherited, self.legacy = self._passed_on(seats), None
        if self.gathering:
            self.state = self.game.begin(self.state, self.options, entry.order, at)
        else:
            self.game = self.game.by_rules(entry.rules)
            chance = self.chance(entry.seed, rig=entry.rig)
            if self.game.customs.seating == "shuffled":
                chance.shuffle(list(self.seats), "seats")  # the draw that made entry.order: the deal comes after it
            self.state = self._dealt(len(seats), chance, at)
        for number, seat in enumerate(seats):
            seat.number = number
            seat.dealt_in = True
            seat.missed = seat.expelled = False
            seat.automatic_since = self.seq + 1
        self.seats = dict(enumerate(seats))
        self.names = [seat.name for seat in seats]
        self.cast, self.lineup = seats, tuple(seats)
        lesson = self.game.lesson if self.lobby.lesson else None
        self.course = None if lesson is None else Course(lesson)
        self.step += 1
        self.phase = "playing"
        self.seed = entry.seed
        self.result = self.starts_at = None
        self.acted_at = at
        if self.edition > 2:  # who is not there is told of next
            self.grace_until = 0
            return ()
        if all(seat.present for seat in seats):
            self.grace_until = 0  # nobody has to come back first
        return self._missed([seat for seat in seats if not seat.present], at)

    def _passed_on(self, seats: Sequence[Seat]) -> Legacy | None:
        teams = self.game.teams(self.options, len(seats))
        return inheritance.inherited(self.legacy, self.lineup, seats, teams)

    def _dealt(self, seats: int, chance: Chance, at: int) -> Any:
        if self.inherited is None:
            return self.game.deal(self.options, seats, chance, at)
        return self.game.deal_next(self.options, seats, chance, at, self.inherited)
