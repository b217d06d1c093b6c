"""A table as it stands: all that its log has made of it, and what can be asked of that. ``Table`` changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from croupier.kernel import Chance, Clock, Game, Legacy, Result, Rig
from croupier.kernel.result import Teams
from croupier.tables import inheritance
from croupier.tables.course import Course
from croupier.tables.lobby_options import Lobby
from croupier.tables.seat import Seat
from croupier.tables.soft import Soft
from croupier.tables.summary import Attended, BenchState, Player, Summary

AnyGame = Game[Any, Any, Any, Any, Any]


class TableState:
    def __init__(self, id: str, game: AnyGame, chance: type[Chance] = Chance) -> None:
        self.id = id
        self.game = game
        self.chance = chance
        self.soft = Soft()
        self.clear()

    def clear(self) -> None:
        """Back to before the first entry."""
        self.seq = 0
        self.at = 0
        self.edition = 1
        self.name = ""
        self.code = ""
        self.rig: Rig | None = None
        self.opened_at = 0
        self.keeps: int | None = None
        self.emptied_at = 0
        """When somebody last rose, before or after a game."""
        self.capacity = 0
        self.password: str | None = None
        self.options: Any = None
        self.lobby = Lobby()
        self.starts_at: int | None = None
        """When the countdown is over, if there is one."""
        self.phase: Literal["waiting", "playing", "over", "closed"] = "waiting"
        self.seats: dict[int, Seat] = {}
        """By number: in ascending order, or in that of their arrival, as is the custom."""
        self.names: list[str] = []
        """By number, also of those who have just gone: they are still talked about."""
        self.by_token: dict[str, Seat] = {}
        self.host: Seat | None = None
        self.bench = BenchState()
        self.games = 0
        self.cast: list[Seat] = []
        """Who is in the game, or was at the end of the last one."""
        self.step = 0
        """How often the game has changed, or who is there to play it, since the first one began."""
        self.state: Any = None
        """Of the game that runs, or ran last, or is being dealt as people sit down."""
        self.seed = b""
        self.result: Result | None = None
        self.course: Course | None = None
        """How far the game has come in the lesson that it is."""
        self.lineup: Sequence[Seat] = ()
        """Who plays, or played last, by number then."""
        self.legacy: Legacy | None = None
        """What the last game passes on to the next, by the numbers that people had in it."""
        self.inherited: Legacy | None = None
        """What was passed on to the game that is on the table, by the numbers in it."""
        self.over_at: int | None = None
        self.deserted: frozenset[int] = frozenset()
        """Whose people were not there any more when the last game ended, by number in it."""
        self.ended_by = 0
        """The number of the entry that ended the last game."""
        self.mentioned = False  # whether the last thing that happened is not in the log
        self.acted_at = 0
        """When the game last went on."""
        self.grace_until = 0
        """No clock runs out before: the server was away, or somebody's line was."""
        self.late: Sequence[int] = ()
        """Whose time the last clock was that ran out."""
        self._ran_out: tuple[str, int] | None = None
        self.excused = 0
        """The clock, by when it was due, that has waited for somebody's line already."""
        self._clocks: Sequence[Clock] | None = None
        """Asked for by everybody who is told of an entry: they are what it left."""
        self._awaited: Sequence[int] | None = None
        self._summary: Summary | None = None
        self._players: tuple[Player, ...] | None = None
        self._calm: bool | None = None
        self._people: list[Seat] | None = None
        self.soloist: Seat | None = None
        """The one person in a game of bots; None where there are others, be it somebody who has left and may come
        back. Asked for by everybody who is told of a move."""

    @property
    def calm(self) -> bool:
        """Whether a game is played by people who are all there: then nothing falls due but its clocks."""
        if self._calm is None:
            self._calm = all(seat.human and seat.present and not seat.stood_in for seat in self.seats.values())
        return self._calm and self.phase == "playing"

    def excusable(self, seat: Seat) -> int | None:
        """The clock, by when it is due, that waits a little for somebody's line: once, so that nobody gains by it."""
        if not seat.unhurried or self.phase != "playing":
            return None
        mine = (clock.due for clock in self.game.clocks(self.state) if seat.number in clock.seats)
        return next((due for due in mine if due > self.excused), None)

    @property
    def summary(self) -> Summary:
        if self._summary is None:
            if self._players is None:
                self._players = tuple([seat.player() for seat in self.seats.values()])
            players = self._players
            seated = {player.seat: player for player in players}
            if self.legacy is not None:
                players = inheritance.with_scores(players, [*self.seats.values()], self.legacy, self.lineup)
            self._summary = Summary(
                id=self.id,
                code=self.code,
                game=self.game.name,
                name=self.name,
                seats=self.capacity,
                players=players,
                cast=tuple([self._as_cast(seat, seated) for seat in self.cast]),
                host=None if self.host is None else self.host.number,
                phase=self.phase,
                locked=self.password is not None,
                watchers=self.soft.watchers,
                options=self.options,
                games=self.games,
                opened_at=self.opened_at,
                over_at=self.over_at,
                lobby=self.lobby,
                starts_at=UNSET if self.starts_at is None else self.starts_at,
                quiet=UNSET if self.options is None or self.game.sounds(self.options) else True,
                teams=self._teams() or UNSET,
                bench=UNSET if self.bench == BenchState() else self.bench,
            )
        return self._summary

    def _as_cast(self, seat: Seat, seated: Mapping[int, Player]) -> Player:
        """Somebody who played last, by the number they had then: they may sit elsewhere now."""
        player = seated[seat.number] if self.seats.get(seat.number) is seat else seat.player()
        if not self.game.has_teams or seat not in self.lineup:
            return player
        return msgspec.structs.replace(player, seat=self.lineup.index(seat))

    def _teams(self) -> Teams:
        """Who plays with whom, or would if everybody came."""
        if not self.game.has_teams or self.options is None:
            return ()
        return self.game.teams(self.options, len(self.lineup) if self.phase == "playing" else self.capacity)

    @property
    def places_chosen(self) -> bool:
        """Whether it is for people to say where they sit."""
        kept = self.game.customs.seating == "kept" and not self.game.deals_early
        return kept and self._teams() != ()

    @property
    def people(self) -> list[Seat]:
        """Who may still play: not those who have left their seats to a bot."""
        if self._people is None:
            self._people = [s for s in self.seats.values() if s.human and (s.present or not s.stood_in)]
        return self._people

    @property
    def alone(self) -> Seat | None:
        """The one person at a table of bots, who need not hurry: their absence ends it, no clock does."""
        if self.phase != "playing":
            return None
        people = self.people
        return people[0] if len(people) == 1 and people[0].unhurried else None

    def look(self) -> str | None:
        """The clock that is held for somebody who plays alone and looks at something."""
        if self.alone is None:
            return None
        looks = self.game.customs.looks
        return next((clock.name for clock in self.game.clocks(self.state) if clock.name in looks), None)

    def clocks(self) -> Sequence[Clock]:
        """The game's clocks, none of them due before a returning server has given people time to come back."""
        if self._clocks is None:
            clocks = self.game.clocks(self.state) if self.phase == "playing" else ()
            if clocks and not self._calm and self.alone is not None:  # bots need no clock
                looks = self.game.customs.looks
                clocks = [clock for clock in clocks if not clock.seats and clock.name not in looks]
            if self.grace_until and (self.grace_until > self.at or any(c.due < self.grace_until for c in clocks)):
                clocks = [msgspec.structs.replace(clock, due=max(clock.due, self.grace_until)) for clock in clocks]
            self._clocks = clocks
        return self._clocks

    def awaited(self) -> Sequence[int]:
        """The seats that the game can't go on without."""
        if self._awaited is None:
            self._awaited = self.game.awaited(self.state) if self.phase == "playing" else ()
            if not self._awaited and self.alone is not None and self.look() is not None:
                self._awaited = (self.alone.number,)
        return self._awaited

    def fingerprint(self) -> str:
        """The game's state as a hash; empty before the first game."""
        return "" if self.state is None else self.game.fingerprint(self.state, self.seed)

    @property
    def attended(self) -> Attended:
        """What kind of connection somebody needs to be at the table now."""
        return "playing" if self.phase == "playing" else "waiting"

    @property
    def lingers(self) -> bool:
        """Whether a game is over here, and the table stays as it was."""
        return self.result is not None and self.game.customs.linger is not None

    @property
    def gathers_seekers(self) -> bool:
        """Whether people who look for a game wait here for their first one."""
        return self.lobby.seekers > 0 and self.phase == "waiting" and self.games == 0

    @property
    def gathering(self) -> bool:
        """Whether people are being dealt in as they sit down."""
        return self.phase == "waiting" and self.game.deals_early
