"""How much one address may have: tables, seats, and bots."""

from __future__ import annotations

from croupier.tables.notices import Refused
from croupier.tables.purses import Holdings, Purses
from croupier.tables.room import Room
from croupier.tables.settings import Settings
from croupier.tables.turns import bots_purse


class AddressLimits:
    def __init__(self, settings: Settings) -> None:
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

    def check_new_table(self, address: str) -> None:
        if self._opened.full(address):
            raise Refused("house_full", "too many tables have been opened from your address; try again later")

    def check_new_bots(self, opener: str | None, count: int) -> None:
        if opener is not None and self.bots.full(opener, count):
            raise Refused(
                "house_full", "too many bots are at tables that were opened from your address; try again later"
            )

    def check_new_seat(self, address: str) -> None:
        if self.seats.full(address):
            raise Refused("house_full", "too many seats are held from your address; try again later")

    def add(self, room: Room, address: str) -> None:
        """A table was opened from this address."""
        room.opener = address
        room.payer = self._payers.of(address)
        self._opened.enter(room, (address,))

    def update(self, room: Room, here: bool) -> None:
        """Who is at the room's table has changed, or whether it is there at all."""
        table = room.table
        room.holders = {token: address for token, address in room.holders.items() if token in table.by_token}
        count = sum(seat.bot is not None for seat in table.seats.values()) if here else 0
        self.bots.enter(room, {} if room.opener is None or not count else {room.opener: count})
        held = room.holders if here and table.phase == "waiting" else {}
        self.seats.enter(room, held.values())
        self.kept.enter(room, [address for token, address in held.items() if not table.by_token[token].present])
        if not here:
            self._opened.enter(room, ())
