"""A seat: somebody at a table, a person or a bot, and all that the table knows of them."""

from __future__ import annotations

from typing import Literal, Self

import msgspec

from croupier.tables import keys
from croupier.tables.entries import Joined
from croupier.tables.summary import Player


class Seat(msgspec.Struct, eq=False):
    """Somebody at the table. The number changes when a game begins; the seat stays the same object."""

    number: int
    name: str
    token: str | None
    """SHA-256 of the secret; None for bots."""
    bot: str | None
    handle: str = ""
    """What they are called by protocols that have no names."""
    bound: bool = False
    """Whether that was the name of their connection. Before the first game, the seat then goes with it."""
    avatar: str = ""
    unhurried: bool = False
    """Whether they play in their own time where everybody else is a bot."""
    house: bool = False
    """A bot that the house has sent."""
    client: str = ""
    """What their protocol wants to remember of the program they use."""
    can_host: bool = True
    """Whether their protocol can let them know that they have become the host."""
    by_name: bool = False
    """Whether the name is enough to come back."""
    automatic_since: int = 0
    """The number of the entry with which code began to make this seat's moves."""
    missed: bool = False
    """Whether the game knows that they are not there."""
    user: str = ""
    """Who it is, for everybody to know."""
    marks_ready: Literal["never", "asked", "always"] = "never"
    """When they say themselves that they are ready: where the table begins by itself, or, in some protocols, always."""
    ready: bool = True
    stood_in: bool = False
    kicked: bool = False
    dealt_in: bool = False
    """Whether the game that is on the table knows this seat."""
    move_keys: tuple[str, ...] = ()
    """Of the last moves, where the client has named them."""
    silent: bool = False
    """Whether the host has silenced them."""
    person: str = ""
    """Who it is beyond this table, if they have said so."""
    expelled: bool = False
    """Whether the host has thrown them out of a game that they were playing."""

    # Presence: who is connected, and by what. A log need not say it, and nothing that is made of one depends on it.

    away_since: int | None = None
    keeps_until: int = 0
    """Until when somebody who is away keeps the table alive."""
    dialect: str = ""
    """Of the connection it has, or had last."""

    @classmethod
    def of(cls, entry: Joined, table: str, seq: int) -> Self:
        """Somebody who sits down, after entry ``seq`` of the table's log."""
        return cls(
            entry.seat,
            entry.name,
            entry.token,
            entry.bot,
            entry.handle or keys.handle_of(table, entry.token or entry.name),
            bound=entry.handle is not None,
            by_name=entry.by_name,
            avatar=entry.avatar,
            unhurried=entry.unhurried,
            client=entry.client,
            can_host=entry.can_host,
            house=entry.house,
            user=entry.user or keys.derived_id(f"{table} {seq}"),
            person=entry.person,
            marks_ready="always" if entry.user is not None else "asked" if entry.marks_ready else "never",
        )

    @property
    def automatic(self) -> bool:
        """Whether code makes this seat's moves."""
        return self.bot is not None or self.stood_in

    @property
    def human(self) -> bool:
        """Whether somebody may sit here, now or later."""
        return self.bot is None and not self.kicked

    @property
    def present(self) -> bool:
        return self.away_since is None

    def player(self) -> Player:
        """As everybody may know them."""
        return Player(
            seat=self.number,
            name=self.name,
            bot=self.bot,
            away=not self.present,
            stood_in=self.stood_in,
            handle=self.handle,
            user=self.user,
            ready=self.ready,
            avatar=self.avatar,
            silent=self.silent,
            gone=self.kicked,
            house=self.house,
            can_host=self.can_host,
            person=self.person,
        )

    def go_away(self, at: int, until: int) -> None:
        """They are not there any more, and keep the table alive for so long."""
        self.away_since, self.keeps_until = at, until

    def takes_part(self) -> bool:
        """Whether the seat is there for another game: a bot, or a person who is at the table."""
        return self.bot is not None or (self.present and not self.kicked)
