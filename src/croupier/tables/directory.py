"""How a table is found and shown where nobody has it in memory: by other nodes, and by a server that just started."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.journal import Directory
from croupier.tables.board import free_seats
from croupier.tables.summary import Player, Summary
from croupier.tables.table import AnyGame, Table

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Summary).decode


def code_name(game: str, code: str) -> str:
    """What a table is called in the journal, by its code."""
    return f"{game}/{code}"


def token_name(secret: str) -> str:
    """And by the hash of a seat's secret."""
    return f"token/{secret}"


def of(table: Table, aliases: Iterable[str] = ()) -> Directory:
    """``aliases``: by what protocols find it besides."""
    summary = table.summary
    names = [token_name(token) for token in table.by_token] + [*aliases]
    if table.code:
        names.append(code_name(table.game.name, table.code))
    return Directory(tuple(names), table.phase, summary.lobby.listed, free_seats(summary), _encode(summary))


def unattended(written: bytes, game: AnyGame) -> Summary:
    """A table as it was written down, when nobody is connected to it. Raises ``msgspec.ValidationError`` and the like
    for what is none."""
    summary = _decode(written)
    return msgspec.structs.replace(
        summary,
        players=tuple(map(_away, summary.players)),
        cast=tuple(map(_away, summary.cast)),
        watchers=0,
        options=msgspec.convert(summary.options, game.Options),
    )


def _away(player: Player) -> Player:
    return player if player.bot is not None or player.away else msgspec.structs.replace(player, away=True)
