"""The registry: every table that is open here, by what it is found, and what addresses hold of them."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.tables import keys
from croupier.tables.index import Index
from croupier.tables.notices import Refused
from croupier.tables.purses import Holdings, Purses
from croupier.tables.room import Room
from croupier.tables.summary import Summary
from croupier.tables.table import AnyGame
from croupier.tables.timekeeping import Settings
from croupier.tables.turns import bots_purse


class Stale(Refused):
    """A table has to be read from the journal before anything can be decided at it."""

    def __init__(self, room: Room) -> None:
        super().__init__("unavailable", "the table can't go on just now; try again in a moment")
        self.room = room


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
        self.seats = Holdings(settings.max_seats_per_address)
        """Those at tables that wait for players."""
        self.kept = Holdings(settings.max_kept_seats_per_address)
        """Of these, the seats of those who have lost their connection."""
        self.bots = Holdings(settings.max_bots_per_address)
        """By the address from which their tables were opened."""
        self._opened = Holdings(settings.max_tables_per_address)
        """The tables, by the address they were opened from."""
        self._payers = Purses(lambda address: bots_purse())
        """What they use of the event loop, by the same."""

    def find(self, id: str, game: str | None) -> Room:
        """The room with this id or code, for a protocol of that game or of all. Raises ``Refused``."""
        room = self.rooms.get(id) or self._with_code(id, game)
        if id in self.left_alone:
            raise Refused("unavailable", "the table can't be read any more; it is kept as it is")
        if room is None or game not in (None, room.table.game.name):
            raise Refused("no_such_table", "there is no such table, or it is closed")
        if room.stale:
            raise Stale(room)
        return room

    def _with_code(self, code: str, game: str | None) -> Room | None:
        games = self._games if game is None else (game,)
        return next((room for name in games if (room := self.by_code.get((name, code))) is not None), None)

    def new_code(self) -> str:
        """One that no open table has, whatever is played there: people say it without naming the game."""
        while self._with_code(code := keys.new_code(), None) is not None:
            pass
        return code

    @property
    def full(self) -> bool:
        return len(self.rooms) >= self._settings.max_tables

    def check_new_table(self, address: str) -> None:
        if self.full:
            raise Refused("house_full", "there are too many tables already; try again later")
        if self._opened.full(address):
            raise Refused("house_full", "too many tables have been opened from your address; try again later")

    def check_new_bots(self, room: Room, count: int) -> None:
        if room.opener is not None and self.bots.full(room.opener, count):
            raise Refused(
                "house_full", "too many bots are at tables that were opened from your address; try again later"
            )

    def check_new_seat(self, address: str) -> None:
        if self.seats.full(address):
            raise Refused("house_full", "too many seats are held from your address; try again later")

    def add(self, room: Room, address: str) -> None:
        """A table was opened from this address."""
        self.rooms[room.table.id] = room
        room.opener = address
        room.payer = self._payers.of(address)
        self._opened.enter(room, (address,))

    def update(self, room: Room) -> None:
        """Who is at the room's table has changed, or its code, or whether it is there at all."""
        table = room.table
        here = self.rooms.get(table.id) is room
        self.by_code.enter(room, {(table.game.name, table.code)} if here and table.code else set())
        self.by_token.enter(room, set(table.by_token) if here else set())
        room.holders = {token: address for token, address in room.holders.items() if token in table.by_token}
        count = sum(seat.bot is not None for seat in table.seats.values()) if here else 0
        self.bots.enter(room, {} if room.opener is None or not count else {room.opener: count})
        held = room.holders if here and table.phase == "waiting" else {}
        self.seats.enter(room, held.values())
        self.kept.enter(room, [address for token, address in held.items() if not table.by_token[token].present])

    def remove(self, room: Room) -> None:
        """There is no such table any more."""
        self.rooms.pop(room.table.id, None)
        self._opened.enter(room, ())
        self.update(room)

    def summaries(self, game: str | None = None) -> list[Summary]:
        return [room.table.summary for room in self.rooms.values() if game is None or room.table.game.name == game]

    def listed(self, game: str | None = None) -> list[Summary]:
        """The tables that strangers are shown."""
        return [summary for summary in self.summaries(game) if summary.lobby.listed]
