"""``croupier verify``: whether the deal of a finished game is what its seed says, and everything after it too."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import click
import msgspec

from croupier.commands.failing import fail
from croupier.commands.games import game_of, tried_games
from croupier.tables.names import harmless
from croupier.tables.records import GameRecord
from croupier.tables.replay import NEVER_PLAYED
from croupier.tables.table import AnyGame
from croupier.tables.verifying import NoRecord, Verified, Wrong, read
from croupier.tables.verifying import verify as check

PATIENCE = 60
"""Seconds that a server may take: it plays games again one at a time."""
TABLE = re.compile(r"(?P<before>.*)/(?:t|api/tables)/(?P<table>[^/]+)(?:/replay|/games/(?P<game>\d+)(?:/record)?)?/?")
"""The paths of a replay, of its steps, and of a record."""


@click.command()
@click.argument("record")
@click.option("--pledge", metavar="HASH", help="The hash you were shown when the game began.")
@tried_games
def verify(record: str, pledge: str | None, tried: Sequence[str]) -> None:
    """Check the deal of a finished game, from its record or the address of its replay.

    RECORD is a file, - for standard input, or an address. The game is replayed here, by the rules of this version:
    its seed has to be the one whose hash was shown at the start, and the deal, every later shuffle, every event and the
    result have to follow from it. The exit code is 0 if they do, 1 if they don't, and 2 if RECORD is not the
    record of a finished game."""
    try:
        kept = read(_fetched(record) if re.match("https?://", record) else _file(record))
        game = game_of("this record", kept.about.game, tried)
        found = check(kept, game, pledge)
    except NoRecord as error:
        fail(str(error))
    except Wrong as error:
        click.echo(f"This record is not right: {harmless(str(error))}.")
        sys.exit(1)
    for line in _summary(kept, game, found, pledge is not None):
        click.echo(harmless(line))


def _file(path: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        fail(f"{path} can't be read: {error.strerror}")


def _fetched(address: str) -> bytes:
    """The record at an address: its own, or that of the page that shows the game."""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    match = TABLE.fullmatch(parts.path)
    if match is None:
        fail(f"{address} is neither a replay nor a record")
    api = parts._replace(path=f"{match['before']}/api/tables/{match['table']}", query="", fragment="").geturl()
    number = match["game"] or parse_qs(parts.query).get("game", ["0"])[0]
    if number == "0":
        number = str(_games(_asked(api)))
    if number == "0":
        fail("no game at this table is finished yet, and only a finished game can be checked")
    return _asked(f"{api}/games/{number}/record")


def _games(table: bytes) -> int:
    try:
        return int(msgspec.json.decode(table)["table"]["games"])
    except (msgspec.DecodeError, LookupError, TypeError, ValueError):
        fail("the answer does not come from a Croupier server")


def _asked(address: str) -> bytes:
    try:
        with urlopen(Request(address, headers={"Accept": "application/json"}), timeout=PATIENCE) as response:
            answer: bytes = response.read()
            return answer
    except HTTPError as error:
        reason = _reason(error)
        if reason == NEVER_PLAYED:
            fail(f"{reason}: only a finished game can be checked")
        fail(f"{address}: {reason}")
    except (URLError, HTTPException, OSError, ValueError) as error:
        fail(f"{address} can't be reached: {getattr(error, 'reason', error)}")


def _reason(error: HTTPError) -> str:
    try:
        return str(msgspec.json.decode(error.read())["error"])
    except (msgspec.DecodeError, LookupError, TypeError, OSError):
        return f"the answer is {error.code} {error.reason}"


def _summary(record: GameRecord, game: AnyGame, found: Verified, seen: bool) -> Iterator[str]:
    about = record.about
    names = [player.name for player in about.players]
    shown = "that you were shown" if seen else "that the record says was shown"
    drawn = [_count(found.shuffles, "shuffle"), *([_count(found.numbers, "number")] if found.numbers else [])]
    yield f"All is right with game {about.number} of “{about.name}” ({game.title}: {', '.join(names)})."
    yield f"Its seed has the hash {shown} at the start, {found.pledge}."
    yield (
        f"Played again by the rules (version {about.rules}), {' and '.join(drawn)} come out as the seed says; so do "
        f"{_count(found.moves, 'move')}, the result and the final state."
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
