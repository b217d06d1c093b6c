"""What is in the box, for pages that show it: every card in words, what a deck may be made of, and decks to begin with.

Nothing here is a secret, nor part of a game. It goes to the web client with its types.
"""

from __future__ import annotations

import msgspec

from croupier.games.fortress.card_definition import Part, Trigger
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.decks import ALLOWED, SIZE, STARTERS
from croupier.games.fortress.places import Kind


class Paragraph(msgspec.Struct, frozen=True):
    """One of a card's texts."""

    trigger: Trigger
    words: str
    level: int
    """The level a mage has to have for it."""


class PrintedCard(msgspec.Struct, frozen=True):
    """What can be read on a card."""

    id: int
    name: str
    kind: Kind
    points: int
    health: int
    """Of castles."""
    cost: tuple[Part, ...]
    toll: int
    """Castle health that is part of the cost."""
    lasts: int
    """Of decrees: how many turns."""
    copies: int
    """How many of it may be in a deck, beside the castle."""
    texts: tuple[Paragraph, ...]


class StarterDeck(msgspec.Struct, frozen=True):
    name: str
    cards: tuple[int, ...]
    """The castle comes last."""


class Box(msgspec.Struct, frozen=True):
    cards: tuple[PrintedCard, ...]
    """By number."""
    deck_size: int
    """Without the castle."""
    starters: tuple[StarterDeck, ...]


BOX = Box(
    cards=tuple(
        PrintedCard(
            id=card.id,
            name=card.name,
            kind=card.kind,
            points=card.points,
            health=card.health,
            cost=card.cost,
            toll=card.toll,
            lasts=card.lasts,
            copies=ALLOWED[card.id],
            texts=tuple(Paragraph(text.trigger, text.words, text.level) for text in card.texts),
        )
        for card in CARDS
    ),
    deck_size=SIZE,
    starters=tuple(StarterDeck(name, cards) for name, cards in STARTERS.items()),
)
