"""The ordinary pack of cards. A card is a short string: its rank and the sign of its suit, such as ``"10♦"``.

>>> rank("10♦"), suit("10♦")
('10', '♦')
>>> sorted(["A♠", "10♦", "2♣", "10♣"], key=ORDER.__getitem__)
['2♣', '10♣', '10♦', 'A♠']
>>> [recognised(text) for text in ("T♥", "Qs", "D10", "JK", "Duke")]
['10♥', 'Q♠', '10♦', '★R', None]
"""

from __future__ import annotations

import re

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("♣", "♦", "♥", "♠")

DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
ORDER = {card: i for i, card in enumerate(DECK)}
"""Sorts by rank, then suit."""


RANK = {card: card[:-1] for card in DECK}
"""``rank`` as a table, for those who ask it of every card at every move."""


def rank(card: str) -> str:
    return card[:-1]


def suit(card: str) -> str:
    return card[-1]


_RANK, _SUIT = "(10|[2-9TJQKA])", "([♣♦♥♠♧♢♡♤CDHS])"
_RANK_FIRST = re.compile(f"{_RANK}(?:{_SUIT}|([cdhs]))")
_SUIT_FIRST = re.compile(_SUIT + _RANK)
_SIGNS = dict(zip("♧♢♡♤CDHScdhs", SUITS * 3, strict=True))
_JOKERS = {"JK": "★R", "JOKER": "★R", "🃏": "★R", "★": "★R", "★R": "★R", "★B": "★B", "JKR": "★R", "JKB": "★B"}


def recognised(text: str) -> str | None:
    """A card in any of the usual notations, as it is written here; None for what is none. Jokers are "★R" and "★B"."""
    if joker := _JOKERS.get(text.upper()):
        return joker
    if found := _RANK_FIRST.fullmatch(text):
        value, sign = found[1], found[2] or found[3]
    elif found := _SUIT_FIRST.fullmatch(text):
        sign, value = found[1], found[2]
    else:
        return None
    return ("10" if value == "T" else value) + _SIGNS.get(sign, sign)
