"""The registry: every table that is open here, and by what it is found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from croupier.journal import ANY_GAME
from croupier.tables import keys
from croupier.tables.address_limits import AddressLimits
from croupier.tables.directory import code_name
from croupier.tables.index import Index
from croupier.tables.notices import Refused
from croupier.tables.recovery import Stale, Unknown
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from croupier.tables.sleeper import Sleeper
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame


class Registry:
    def __init__(self, games: Mapping[str, AnyGame], settings: Settings) -> None:
        self._games = games
        self._settings = settings
        self.rooms: dict[str, Room] = {}
        """By table id."""
        self.sleepers: dict[str, Sleeper] = {}
        """The same of tables that are still to be read, oldest first."""
        self._asleep: dict[str, str] = {}
        """Their ids by their names."""
        self.by_code: Index[tuple[str, str], Room] = Index()
        """By game and short code."""
        self.by_token: Index[str, Room] = Index()
        """Where somebody has a seat, by the hash of their secret."""
        self.left_alone: set[str] = set()
        """Open tables whose logs make no sense any more; they stay in the journal as they are."""
        self.without_game: dict[str, str] = {}
        """By id and by code, the games of open tables that are not installed here; they go on when it is."""
        self.limits = AddressLimits(settings)

    def find(self, id: str, game: str | None) -> Room:
        """The room with this id or code, for a protocol of that game or of all. Raises ``Refused``."""
        room = self.rooms.get(id) or self._with_code(id, game)
        if id in self.left_alone:
            raise Refused("unavailable", "the table can't be read any more; it is kept as it is")
        if room is None and id in self.without_game:
            named = {"game": self.without_game[id]}
            raise Refused("unavailable", "the game of this table, {game}, is not installed here; it is kept", named)
        if room is None:
            raise Unknown(
                id, *(code_name(name, id) for name in ((*self._games, ANY_GAME) if game is None else (game,)))
            )
        if game not in (None, room.table.game.name):
            raise Refused("no_such_table", "there is no such table, or it is closed")
        if room.stale:
            raise Stale(room)
        return room

    def _with_code(self, code: str, game: str | None) -> Room | None:
        games = self._games if game is None else (game,)
        return next((room for name in games if (room := self.by_code.get((name, code))) is not None), None)

    def new_code(self) -> str:
        """One that no open table has, whatever is played there: people say it without naming the game."""
        while True:
            code = keys.new_code()
            if code not in self.without_game and not any(self.has_code(game, code) for game in self._games):
                return code

    def has_code(self, game: str, code: str) -> bool:
        """Whether a table of this game has that code."""
        return (game, code) in self.by_code or code_name(game, code) in self._asleep

    def put_to_sleep(self, sleeper: Sleeper) -> None:
        """There is this table, and it will be read when somebody comes or there is time."""
        id = sleeper.summary.id
        self.sleepers[id] = sleeper
        self._asleep |= dict.fromkeys(sleeper.names, id)

    def asleep(self, names: Iterable[str]) -> list[str]:
        """Those that have these ids or names."""
        found = (self._asleep.get(name, name) for name in names)
        return [id for id in found if id in self.sleepers]

    def wake(self, id: str) -> None:
        """It has been read."""
        for name in self.sleepers.pop(id).names:
            if self._asleep.get(name) == id:
                del self._asleep[name]

    @property
    def count(self) -> int:
        return len(self.rooms) + len(self.sleepers)

    @property
    def full(self) -> bool:
        return self.count >= self._settings.max_tables

    def check_new_table(self, address: str) -> None:
        if self.full:
            raise Refused("house_full", "there are too many tables already; try again later")
        self.limits.check_new_table(address)

    def add(self, room: Room, address: str) -> None:
        """A table was opened from this address."""
        self.rooms[room.table.id] = room
        self.limits.add(room, address)

    def update(self, room: Room) -> None:
        """Who is at the room's table has changed, or its code, or whether it is there at all."""
        table = room.table
        here = self.rooms.get(table.id) is room
        self.by_code.enter(room, {(table.game.name, table.code)} if here and table.code else set())
        self.by_token.enter(room, set(table.by_token) if here else set())
        self.limits.update(room, here)

    def remove(self, room: Room) -> None:
        """There is no such table any more."""
        self.rooms.pop(room.table.id, None)
        self.update(room)

    def summaries(self, game: str | None = None) -> list[Summary]:
        """Oldest first."""
        found = [room.table.summary for room in self.rooms.values() if game is None or room.table.game.name == game]
        found += [each.summary for each in self.sleepers.values() if game in (None, each.summary.game)]
        return sorted(found, key=attrgetter("opened_at"))
