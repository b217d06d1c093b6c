"""The messages of Cambia's own protocol, as JSON: how they are read, and what cards and people look like in them.

See docs/protocols/cambia.md. The numbers D1, D2, … are its decisions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import msgspec

from croupier.games.cambia.cards import RANK, VALUE
from croupier.games.cambia.dialect.ids import read
from croupier.games.cambia.moves import Named
from croupier.tables.dialect import Hangup

Json = dict[str, Any]

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode

LONGEST = 32768
DEEPEST = 32
TOO_BIG = 1009

LONG_RANKS = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King", "★": "Joker"}
LONG_SUITS = {"♥": "Hearts", "♦": "Diamonds", "♣": "Clubs", "♠": "Spades", "R": "Joker", "B": "Joker"}
SHORT_RANKS = {"10": "T", "★": "O"}
SHORT_SUITS = {"♥": "H", "♦": "D", "♣": "C", "♠": "S", "R": "R", "B": "B"}

Faces = Mapping[str, Json]
"""How the faces of cards are written."""

LONG: Faces = {
    face: {"rank": LONG_RANKS.get(rank, rank), "suit": LONG_SUITS[face[-1]], "value": VALUE[face]}
    for face, rank in RANK.items()
}
SHORT: Faces = {
    face: {"rank": SHORT_RANKS.get(rank, rank), "suit": SHORT_SUITS[face[-1]], "value": VALUE[face]}
    for face, rank in RANK.items()
}


class Misunderstood(Exception):
    """A message that makes no sense."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def decode(message: bytes) -> Json:
    """Any message of a client. Raises ``Misunderstood``, and ``Hangup`` for one that is too long."""
    if len(message) > LONGEST:
        raise Hangup(TOO_BIG, "the message is too long")
    try:
        found = _decode(message)
        if message.count(b"{") + message.count(b"[") > DEEPEST and _depth(message) > DEEPEST:
            raise ValueError("too deep")
    except (ValueError, RecursionError, msgspec.DecodeError):
        raise Misunderstood("bad_json", "That is not JSON.") from None
    if not isinstance(found, dict):
        raise Misunderstood("bad_message", "A message is an object.")
    kind = found.get("type")
    if not isinstance(kind, str) or not kind:
        raise Misunderstood("bad_message", "A message has a type.")
    return found


def _depth(message: bytes) -> int:
    brackets = _STRING.sub(b"", message)
    return max(accumulate((sign in b"[{") - (sign in b"]}") for sign in brackets), default=0)


def whole(value: Any) -> int | None:
    """A whole number, however it is written; None when it is something else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 53:
        return None
    return value


# Cards that clients name


def card_id(card: Any) -> str:
    """The id of a named card, ``""`` when there is none."""
    return (read(card.get("id")) or "") if isinstance(card, dict) else ""


def own_card(card: Any) -> tuple[str | None, int | None]:
    """A card named by id, position, or both; what is no id is ``""``, what is no position -1."""
    if card is None:
        return None, None
    if not isinstance(card, dict):
        return "", None
    id, idx = card.get("id"), card.get("idx")
    position = None if idx is None else whole(idx)
    return None if id is None else read(id) or "", -1 if idx is not None and position is None else position


def named(card: Any, seats: Mapping[str, int]) -> Named | None:
    """A card in anybody's hand; an owner whom nobody knows is at seat -1."""
    if card is None:
        return None
    owner = card.get("user") if isinstance(card, dict) else None
    user = owner.get("id") if isinstance(owner, dict) else None
    return Named(card_id(card), None if user is None else seats.get(read(user) or "", -1))


def echoed(card: Any) -> Json | None:
    """A card as the client named it, as far as it can be said again."""
    if not isinstance(card, dict):
        return None
    found: Json = {}
    if isinstance(card.get("id"), str):
        found["id"] = card["id"]
    if (idx := whole(card.get("idx"))) is not None:
        found["idx"] = idx
    if isinstance(user := card.get("user"), dict) and isinstance(user.get("id"), str):
        found["user"] = {"id": user["id"]}
    return found


# To the client

PONG = {"type": "pong"}


def error(code: str, sentence: str, action: Any = None) -> Json:
    told: Json = {"type": "error", "code": code, "message": sentence}
    return told if action is None else {**told, "action": action}


def user(id: str) -> Json:
    return {"id": id}
