"""What a player of Cambia may do.

Cards are named loosely, since whether a name is any good is only asked after whether the move is allowed at all: for
an id, any text will do, and what is no id is ``""``; for a position, any number, and what is none is -1.
"""

from __future__ import annotations

import msgspec

from croupier.kernel import Move


class DrawStockpile(Move, frozen=True):
    """Draw the top card of the stockpile; only you will see it."""


class DrawDiscardpile(Move, frozen=True):
    """Draw the top card of the discard pile, where the house rules allow it."""


class Discard(Move, frozen=True):
    """Throw the drawn card away."""

    card: str


class Replace(Move, frozen=True, omit_defaults=True):
    """Put the drawn card in the place of one of your own, which is thrown away. One of id and position suffices."""

    card: str | None = None
    idx: int | None = None


class Named(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A card in somebody's hand."""

    card: str
    owner: int | None = None
    """Whose it is. May be left out; but if it is said, it must be true."""


class UseSpecial(Move, frozen=True, omit_defaults=True):
    """Use the special of the card just thrown, or ``skip`` it.

    ``peek_self`` and ``peek_other`` name one card, ``swap_blind`` and ``swap_peek`` two. After the look of
    ``swap_peek``, ``swap_peek_swap`` exchanges the two; it may name them again.
    """

    special: str
    card1: Named | None = None
    card2: Named | None = None


class CallCambia(Move, frozen=True):
    """Call Cambia instead of drawing."""


class Snap(Move, frozen=True):
    """Snap this card, wherever it is: it goes if its rank is that of the discard pile's top card."""

    card: str


class Give(Move, frozen=True, omit_defaults=True):
    """Give one of your cards for the one you have snapped from another hand. One of id and position suffices."""

    card: str | None = None
    idx: int | None = None


AnyMove = DrawStockpile | DrawDiscardpile | Discard | Replace | UseSpecial | CallCambia | Snap | Give

SKIP = UseSpecial("skip")
SWAP = UseSpecial("swap_peek_swap")
