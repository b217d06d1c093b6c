"""The registry: every table that is open here, and by what it is found."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.journal import ANY_GAME
from croupier.tables import keys
from croupier.tables.address_limits import AddressLimits
from croupier.tables.index import Index
from croupier.tables.notices import Refused
from croupier.tables.recovery import Stale, Unknown
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame


def code_name(game: str, code: str) -> str:
    """What a table is called in a journal that several nodes share, by its code."""
    return f"{game}/{code}"


def token_name(secret: str) -> str:
    """And by the hash of a seat's secret."""
    return f"token/{secret}"


class Registry:
    def __init__(self, games: Mapping[str, AnyGame], settings: Settings) -> None:
        self._games = games
        self._settings = settings
        self.rooms: dict[str, Room] = {}
        """By table id, oldest first."""
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
        while self._with_code(code := keys.new_code(), None) is not None or code in self.without_game:
            pass
        return code

    @property
    def full(self) -> bool:
        return len(self.rooms) >= self._settings.max_tables

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
        return [room.table.summary for room in self.rooms.values() if game is None or room.table.game.name == game]
