"""The cards of Cambia: faces with their values and specials, and ids that tell nothing of them.

A face is written like any card of the pack, ``"10♦"``; the two Jokers are ``"★R"`` and ``"★B"``.

>>> VALUE["K♥"], VALUE["K♠"], VALUE["★B"], VALUE["A♣"], VALUE["Q♦"]
(-1, 13, 0, 1, 12)
>>> SPECIAL["8♣"], SPECIAL.get("6♣")
('peek_self', None)
"""

from __future__ import annotations

import hashlib
import re
from typing import Literal

import msgspec

from croupier.kernel.cards import DECK, rank

Special = Literal["peek_self", "peek_other", "swap_blind", "swap_peek"]
SPECIALS: dict[Special, str] = {
    "peek_self": "look at one of your cards",
    "peek_other": "look at a card of somebody else",
    "swap_blind": "exchange two cards, unseen",
    "swap_peek": "look at two cards, and exchange them or not",
}

JOKERS = ("★R", "★B")
FACES = (*DECK, *JOKERS)

RANK = {face: rank(face) for face in FACES}
"""C4: what has to be equal for a snap."""


def _value(face: str) -> int:
    """C3."""
    if face in ("K♥", "K♦"):
        return -1
    named = {"★": 0, "A": 1, "J": 11, "Q": 12, "K": 13}
    return named[rank(face)] if rank(face) in named else int(rank(face))


def _special(rank: str) -> Special | None:
    """C22."""
    match rank:
        case "7" | "8":
            return "peek_self"
        case "9" | "10":
            return "peek_other"
        case "J" | "Q":
            return "swap_blind"
        case "K":
            return "swap_peek"
    return None


VALUE = {face: _value(face) for face in FACES}
SPECIAL: dict[str, Special] = {face: special for face in FACES if (special := _special(rank(face)))}


def deck(decks: int, jokers: bool) -> list[str]:
    """C2: 54 cards, or 52 without Jokers; several decks for many players."""
    return [*(FACES if jokers else DECK)] * decks


is_id = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").fullmatch
"""Whether something could be the id of a card."""

_VERSION = bytes(0x40 | byte & 0x0F for byte in range(256))
_VARIANT = bytes(0x80 | byte & 0x3F for byte in range(256))


class Ids(msgspec.Struct):
    """C5: a game's supply of random version-4 UUIDs, from a key that is drawn with its luck.

    The next n ids are SHAKE-256(key ‖ number of ids issued before, as 8 bytes, big-endian), 16 bytes for each.
    The supply knows no faces, and an id goes to a place in a shuffled pile: neither tells anything of the other.

    >>> ids = Ids(bytes(32))
    >>> ids.take(2)
    ['49ab483a-584a-4590-a57a-45089223f4dd', '45132596-c87b-47df-bbd8-8fde967ccc33']
    """

    key: bytes
    issued: int = 0

    def take(self, count: int) -> list[str]:
        found = bytearray(hashlib.shake_256(self.key + self.issued.to_bytes(8, "big")).digest(16 * count))
        self.issued += count
        found[6::16] = found[6::16].translate(_VERSION)
        found[8::16] = found[8::16].translate(_VARIANT)
        # All of them at once, since one by one they were a quarter of a deal: in groups of two bytes, of which the
        # first two and the last three belong together; and what is between two ids is a space.
        text = bytearray(found.hex("-", 2), "ascii")
        text[39::40] = b" " * (count - 1)
        del text[34::40], text[29::39], text[4::38]
        return text.decode().split()
