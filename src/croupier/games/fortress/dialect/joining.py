"""Which table somebody is led to who says no more than JOIN_GAME: one server has many games, and a client knows of one.

See the part on joining in docs/protocols/fortress.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from croupier.games.fortress import decks
from croupier.games.fortress.dialect.commands import integer
from croupier.games.fortress.rules import Fortress
from croupier.tables import intents, names
from croupier.tables.endpoint import HouseQueries
from croupier.tables.keys import TOO_MANY_GUESSES
from croupier.tables.notices import Refused
from croupier.tables.summary import Summary

FORTRESS = Fortress()
GAME = FORTRESS.name
UNNAMED = "Unnamed game"
MOST_TRIED = 20
"""Tables with a password at which somebody's is tried: it takes a moment each."""
BAD_PASSWORD = "BAD_PASSWORD"
MALFORMED = "Received malformed JOIN_GAME command"
JOINED = "join_game"
"""The kind of table that JOIN_GAME opens. There may be only so many of them."""


class NotJoined(Exception):
    """Why somebody can't come in: a code for programs and a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class WrongPassword(NotJoined):
    def __init__(self) -> None:
        super().__init__(BAD_PASSWORD, "Incorrect game password provided.")


class Admission(NamedTuple):
    """Somebody may come in: with which request, and which deck."""

    wish: intents.Open | intents.Join | intents.Return
    deck: tuple[int, ...] = ()
    """Empty for somebody who comes back."""
    alone: bool = False
    """Against a bot."""


def waiting(house: HouseQueries) -> list[Summary]:
    """The tables where somebody waits for an opponent, the oldest first."""
    return [
        table
        for table in house.summaries(GAME)
        if table.phase == "waiting"
        and table.lobby.listed
        and len(table.players) < table.seats
        and any(player.bot is None and not player.away for player in table.players)
    ]


def has_room(house: HouseQueries) -> bool:
    """Whether JOIN_GAME may open another table (D75). One that everybody has left after the game is in nobody's way."""
    taken = [
        table
        for table in house.summaries(GAME)
        if table.lobby.kind == JOINED
        and (table.phase == "playing" or any(player.bot is None and not player.away for player in table.players))
    ]
    return len(taken) < house.standing(GAME).count


def admitted(fields: Mapping[str, Any], house: HouseQueries, address: str) -> Admission:
    """Where somebody is to go who says this. Raises ``NotJoined``; the order of the checks is the protocol's."""
    try:
        return _admitted(fields, house, address)
    except WrongPassword:
        house.guessed(address)
        raise


def _admitted(fields: Mapping[str, Any], house: HouseQueries, address: str) -> Admission:
    name, deck, token = fields.get("USERNAME"), fields.get("DECK_DATA"), fields.get("TOKEN")
    if not isinstance(name, str) or not isinstance(token, str | None):
        raise NotJoined("MALFORMED", MALFORMED)
    if not isinstance(deck, list) and (token is None or deck is not None):
        raise NotJoined("MALFORMED", MALFORMED)
    name = name.strip()
    if name:  # D72
        try:
            names.of_person(name, FORTRESS)
        except Refused as refusal:  # also of what looks like a bot, for which there is no code
            raise NotJoined("BAD_USERNAME", str(refusal)) from None
    given = fields.get("PASSWORD")
    password = given if isinstance(given, str) else ""
    standing = house.standing(GAME)
    if token is not None:
        if standing.password:
            _may_guess(house, address)
            if password != standing.password:
                raise WrongPassword()
        return Admission(_return(token, house))
    room = has_room(house)
    alone = room and fields.get("VS_AI") is True  # D75: not from somebody who comes second
    table = _table(house, password, standing.password, alone, address)
    if table is None:
        if not room:
            raise NotJoined("GAME_FULL", "two are playing already")
        title = standing.name or UNNAMED
        wish: intents.Open | intents.Join = intents.OpenAs(
            game=GAME,
            player=name or "Player 0",
            name=title,
            password=standing.password,
            kind=JOINED,
        )
    else:
        taken = {player.seat for player in table.players}
        seat = min(seat for seat in range(table.seats) if seat not in taken)
        wish = intents.Join(table=table.id, player=name or f"Player {seat}", password=password if table.locked else "")
    return Admission(wish, _deck(deck), alone)


def _may_guess(house: HouseQueries, address: str) -> None:
    if not house.may_guess(address):
        raise NotJoined(BAD_PASSWORD, TOO_MANY_GUESSES)


def _table(house: HouseQueries, password: str, standing: str, alone: bool, address: str) -> Summary | None:
    """The oldest table where somebody waits and this password will do; None: a new one is opened.

    Where no password is needed, it is not looked at (D42).
    """
    tables = waiting(house)
    locked = [table for table in tables if table.locked][:MOST_TRIED] if password else []
    if locked or standing:
        _may_guess(house, address)
    fits = next((table for table in locked if house.unlocks(table.id, password, address)), None)
    if standing:
        if fits is None and password != standing:
            raise WrongPassword()
    elif locked and fits is None:
        raise WrongPassword()
    if alone:
        return None
    return fits or next((table for table in tables if not table.locked), None)


def _deck(given: Any) -> tuple[int, ...]:
    """D44"""
    cards = [integer(card) for card in given]
    known = [card for card in cards if card is not None]
    reason = "a deck is a list of card ids" if len(known) < len(cards) else decks.refusal(known)
    if reason is not None:
        raise NotJoined("BAD_DECK", reason)
    return tuple(known)


def token(table: str, secret: str) -> str:
    """What somebody can come back with, whatever becomes of the connection, and of the server."""
    return f"{table}-{secret}"


def _return(given: str, house: HouseQueries) -> intents.Return:
    table, _, secret = given.partition("-")
    found = house.look(table)
    if found is None or found.game != GAME or found.phase != "playing":
        raise NotJoined("BAD_TOKEN", "there is no seat in a game that this could be for")
    return intents.Return(table=table, token=secret)
