"""The ordinary pack of cards. A card is a short string: its rank and the sign of its suit, such as ``"10♦"``.

>>> rank("10♦"), suit("10♦")
('10', '♦')
>>> sorted(["A♠", "10♦", "2♣", "10♣"], key=ORDER.__getitem__)
['2♣', '10♣', '10♦', 'A♠']
"""

from __future__ import annotations

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
