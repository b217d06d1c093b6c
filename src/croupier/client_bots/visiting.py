"""Where a bot plays: at a table of its own, at a given one, or wherever somebody waits for players."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from croupier.client import Happening, Lost, Refused, TooLate
from croupier.client.blocking import Client, Table
from croupier.client.entries import Synced
from croupier.client.protocol import Summary
from croupier.client_bots.outcomes import Outcome
from croupier.client_bots.playing import Player
from croupier.foreign_bots.failing import BotFailed

OVERTAKEN = ("full", "no_such_table", "not_host", "not_over", "started", "too_few")
"""Codes of what the host is refused because somebody has just come or gone."""

Told = Callable[[str], None]
"""A line for people."""


class Wish(NamedTuple):
    """What somebody wants a bot to do."""

    game: str
    player: str
    """What it is called."""
    table: str | None = None
    """Where to play; None: anywhere."""
    password: str = ""
    seats: int | None = None
    """Of a table of its own."""
    bots: int | None = None
    """Opponents from the server, at a table of its own."""
    bot: str | None = None
    """Of which kind."""
    games: int | None = None
    """How many; None: no end to it."""


def visit(client: Client, wish: Wish, player: Player, over: Callable[[Outcome], None], told: Told) -> None:
    """Play on, at one table after the other, until it is enough. ``over`` is called after each game."""
    left = wish.games
    avoided: set[str] = set()
    while left is None or left > 0:
        try:
            table = sit_down(client, wish, avoided)
        except Lost:
            told("The connection was lost while the bot sat down: it tries again.")
            continue
        told(f"At {table.summary.name}, {table.code}.")
        try:
            for happening in table:
                if isinstance(happening.entry, Synced) and happening.entry.missed:
                    told("The connection was lost, and is back.")
                _answer(table, player, happening)
                if happening.result is not None and happening.seat is not None:
                    over(Outcome.of(table, happening))
                    left = None if left is None else left - 1
                if left == 0:
                    break
                if not table.unread:
                    tend(table, wish)
        finally:
            if table.connected:
                table.leave()
        if left != 0:
            told(f"It is over at {table.code}: {table.gone}.")
            if wish.table is not None:
                break
        avoided.add(table.id)


def _answer(table: Table, player: Player, happening: Happening) -> None:
    move = player.answer(table, happening)
    if move is None:
        return
    try:
        table.play(move)
    except (TooLate, Lost):
        pass  # somebody was faster, or has our seat: what has happened is read next
    except Refused as refusal:
        raise BotFailed(f"the server refuses the move: {refusal}") from None


def sit_down(client: Client, wish: Wish, avoided: set[str]) -> Table:
    """Where somebody waits, if that is wanted; otherwise at a new table, where somebody may come."""
    if wish.table is not None:
        return client.join(wish.table, player=wish.player, password=wish.password)
    if wish.bots is None:
        found = _seek(client, wish, avoided) or _join_others(client, wish, avoided)
        if found is not None:
            return found
    seats = wish.bots + 1 if wish.seats is None and wish.bots is not None else wish.seats
    own = client.open(wish.game, player=wish.player, seats=seats, password=wish.password)
    # Two that have opened a table at the same moment would wait for each other.
    if wish.bots is None and (table := _join_others(client, wish, avoided, own.summary)) is not None:
        own.leave()
        return table
    return own


def _seek(client: Client, wish: Wish, avoided: set[str]) -> Table | None:
    """Where the server sends us; None where it does not do that, or sends us back to where we come from."""
    if wish.seats is not None or wish.password:
        return None
    try:
        table = client.seek(wish.game, player=wish.player)
    except Refused as refusal:
        if refusal.code == "bad_request":  # by a server of an older release
            return None
        raise
    if table.id in avoided:
        table.leave()
        return None
    return table


def _join_others(client: Client, wish: Wish, avoided: set[str], own: Summary | None = None) -> Table | None:
    """At the oldest table that waits for players; where there is one of our own, only at an older one."""
    for table in sorted(client.tables(wish.game), key=_age):
        if own is not None and _age(table) >= _age(own):
            break
        free = table.phase == "waiting" and not table.locked and len(table.players) < table.seats
        if free and table.id not in avoided:
            try:
                return client.join(table.id, player=wish.player)
            except Refused:
                avoided.add(table.id)  # somebody was faster, or has our name
    return None


def _age(table: Summary) -> tuple[int, str]:
    return table.opened_at, table.id


def tend(table: Table, wish: Wish) -> None:
    """See to it that a game begins, as far as that is up to us."""
    if table.playing or table.player is None:
        return
    try:
        if table.hosting and table.summary.phase == "over":
            table.reopen()
        if not table.player.ready and table.summary.phase == "waiting":
            table.ready()
        if not table.hosting:
            return
        players, seats = table.summary.players, table.summary.seats
        wanted = (wish.bots or 0) - sum(player.bot is not None for player in players)
        if wanted > 0 and len(players) < seats:
            table.add_bots(min(wanted, seats - len(players)), wish.bot)
        if len(table.summary.players) == seats and not any(player.away for player in table.summary.players):
            table.start()
    except Refused as refusal:
        if refusal.code not in OVERTAKEN:
            raise
