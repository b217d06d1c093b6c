"""The board: the list of tables as strangers are shown it, and those who follow it.

It shows what is in the journal, and is kept as it is sent. Changes are gathered for a moment and told together, so
that a table at which much happens costs its followers no more than one at which little does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from croupier.tables import error_log
from croupier.tables.notices import Listed
from croupier.tables.session import Session
from croupier.tables.summary import Summary
from croupier.tables.turns import Turns, share_of_the_loop

GATHERED = 0.25
"""Seconds in which changes are gathered before they are told."""

_encode = msgspec.json.Encoder().encode


class LobbyQuery(msgspec.Struct, frozen=True):
    """Which tables somebody wants to see."""

    game: str | None = None
    phase: Literal["waiting", "playing", "over"] | None = None
    free: bool = False
    """Only those with a free seat."""
    after: str | None = None
    """The last one of the page before."""
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100

    def fits(self, table: Summary) -> bool:
        right = self.game in (None, table.game) and self.phase in (None, table.phase)
        return right and (free_seats(table) > 0 or not self.free)


def free_seats(table: Summary) -> int:
    return table.seats - len(table.players) if table.phase == "waiting" else 0


def _order(table: Summary) -> tuple[bool, int, str]:
    return free_seats(table) > 0, table.opened_at, table.id


class Board:
    def __init__(self, turns: Turns, tell: Callable[[Session, Sequence[Listed]], None]) -> None:
        self.followers: dict[Session, None] = {}
        self._turns = turns
        self._tell = tell
        self.shown: dict[str, Summary] = {}
        """By table id, oldest first."""
        self._rows: dict[str, bytes] = {}
        """As they are sent, if they have been since they changed."""
        self._lists: dict[str | None, bytes] = {}
        """The same of the whole list, and by game."""
        self._news: dict[str, tuple[Summary | None, Summary]] = {}
        """What is still to be told: how followers know a table, and how it is."""
        self._telling = False
        self._purse = share_of_the_loop(0.05, burst=0.01)

    def change(self, summary: Summary) -> None:
        """A table is new, has changed, or is closed."""
        id, before = summary.id, self.shown.get(summary.id)
        if not summary.lobby.listed or summary == before:
            return
        if summary.phase == "closed":
            self.shown.pop(id, None)
        else:
            self.shown[id] = summary
        self._rows.pop(id, None)
        self._lists.clear()
        if self.followers:
            self._news[id] = (self._news[id][0] if id in self._news else before, summary)
            self._announce()

    def limit(self, most: int) -> None:
        """Keep in mind only so many: those that somebody would rather see."""
        if len(self.shown) > most + most // 4:
            for summary in sorted(self.shown.values(), key=_order)[:-most]:
                del self.shown[summary.id]
                self._rows.pop(summary.id, None)

    def remove(self, id: str) -> None:
        """A table is closed, as another node has let know."""
        known = self.shown.get(id)
        if known is not None:
            self.change(msgspec.structs.replace(known, phase="closed"))

    def follow(self, session: Session) -> None:
        self.followers[session] = None
        # Who has just come knows the list as it is: nothing that was to be told is old news by becoming what it was.
        self._news = {id: (None, now) for id, (_, now) in self._news.items()}

    def encoded(self, game: str | None = None) -> bytes:
        """All tables, or those of a game, as JSON."""
        known = self._lists.get(game)
        if known is None:
            shown = [summary for summary in self.shown.values() if game is None or summary.game == game]
            known = b"[" + b",".join([self._row(summary) for summary in shown]) + b"]"
            if shown:  # who asks for games that there are not is not remembered
                self._lists[game] = known
        return known

    def page(self, query: LobbyQuery) -> list[bytes]:
        """Some of them: those that wait for players and have a free seat first, and of these the newest."""
        found = [each for each in self.shown.values() if query.fits(each)]
        found.sort(key=_order, reverse=True)
        last = None if query.after is None else self.shown.get(query.after)
        if last is not None:
            found = [each for each in found if _order(each) < _order(last)]
        return [self._row(summary) for summary in found[: query.limit]]

    def _row(self, summary: Summary) -> bytes:
        row = self._rows.get(summary.id)
        if row is None:
            row = self._rows[summary.id] = _encode(summary)
        return row

    def _announce(self) -> None:
        if not self._telling:
            self._telling = True
            asyncio.get_running_loop().call_later(GATHERED, self._tell_all)

    def _tell_all(self) -> None:
        news = [Listed(now) for before, now in self._news.values() if now != before]
        self._news.clear()
        left = list(self.followers) if news else []

        def tell_next() -> bool:
            if left:
                self._tell_one(left.pop(), news)
            if not left:
                self._telling = False
                if self._news:
                    self._announce()
            return bool(left)

        self._turns.queue(self._purse, tell_next)

    def _tell_one(self, follower: Session, news: Sequence[Listed]) -> None:
        if follower in self.followers:  # still
            try:
                self._tell(follower, news)
            except Exception:
                error_log.report("dialect", "the list of tables can't be told", dialect=follower.dialect.name)
