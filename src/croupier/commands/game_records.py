"""Where commands find the record of a game: in a file, or at a server."""

from __future__ import annotations

import re
import sys
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import msgspec

from croupier.commands.failing import fail
from croupier.tables.replay import NEVER_PLAYED

PATIENCE = 60
"""Seconds that a server may take: it plays games again one at a time."""
TABLE = re.compile(r"(?P<before>.*)/(?:t|api/tables)/(?P<table>[^/]+)(?:/replay|/games/(?P<game>\d+)(?:/record)?)?/?")
"""The paths of a replay, of its steps, and of a record."""


def given(record: str) -> bytes:
    """What is in a file (- for standard input), or at an address."""
    return _fetched(record) if re.match("https?://", record) else _file(record)


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
