"""The first game of Cambia, in two minutes: from the first look to the call."""

from __future__ import annotations

from croupier.games.cambia import rounds
from croupier.games.cambia.moves import CallCambia, Discard, DrawStockpile, Named, Replace, Snap, UseSpecial
from croupier.games.cambia.options import Options
from croupier.kernel import Chance, Explain, Lesson, Meanwhile, Rig, Try

ADA = 1
SEED = bytes(32)

_FACES = (
    # One after the other, beginning with whoever learns; then the first card of the discard pile.
    *("2♥", "6♣", "Q♠", "9♦", "K♠", "J♥", "4♣", "5♠", "7♣"),
    # What is drawn.
    *("A♣", "2♠", "8♠", "3♠", "3♦", "6♦", "5♥"),
)
_RIG = Rig(orders={"first": [0, 1], "deck": list(_FACES)})

_ids = rounds.new(Options(), 2, Chance(SEED, rig=_RIG), 0).stock[::-1]
CARD = dict(zip(_FACES, _ids, strict=False))
"""The ids of the cards, by face: with the same luck they are always the same."""


def at(face: str) -> str:
    return f"card:{CARD[face]}"


LESSON = Lesson(
    [
        Try(
            "Four cards lie in front of you, and the lower their sum, the better. You see two of them, just once: a "
            "Two and a Queen, which counts 12. Remember where they lie, and go on.",
            None,
            (at("2♥"), at("Q♠"), "turn"),
        ),
        Try("In your turn you draw a card from the stockpile.", DrawStockpile(), ("stock",)),
        Try(
            "An Ace counts only 1. Put it in the place of the Queen, your second card.",
            Replace(CARD["Q♠"]),
            ("held", at("Q♠")),
        ),
        Meanwhile(ADA, DrawStockpile()),
        Meanwhile(ADA, Discard(CARD["2♠"])),
        Try(
            "Ada has thrown a Two, and your first card is a Two as well. Snap it: anybody may, at any time, and you "
            "have one card fewer. A wrong snap would cost you two cards.",
            Snap(CARD["2♥"]),
            ("discard", "snap", at("2♥")),
        ),
        Try("Your turn. Draw again.", DrawStockpile(), ("stock",)),
        Try(
            "Some cards let you do something if you throw them right after drawing them. With an Eight you look at a "
            "card of your own. Throw it away.",
            Discard(CARD["8♠"]),
            ("held", "turn"),
        ),
        Try(
            "You don't know the two cards on the right. Look at the one in the middle.",
            UseSpecial("peek_self", Named(CARD["K♠"])),
            (at("K♠"),),
        ),
        Meanwhile(ADA, DrawStockpile()),
        Meanwhile(ADA, Replace(CARD["J♥"])),
        Try("A black King, the worst card there is: 13. (A red one counts −1.) Draw.", DrawStockpile(), ("stock",)),
        Try("A Three: away with the King.", Replace(CARD["K♠"]), ("held", at("K♠"))),
        Meanwhile(ADA, DrawStockpile()),
        Meanwhile(ADA, Replace(CARD["9♦"])),
        Try(
            "You have an Ace, a Three and a card that you don't know. That should do: instead of drawing, call "
            "Cambia. Ada has one more turn, then all cards are turned over.",
            CallCambia(),
            ("turn", "turn"),
        ),
        Meanwhile(ADA, DrawStockpile()),
        Meanwhile(ADA, Discard(CARD["5♥"])),
        Explain(
            "The lowest sum wins: 8 against Ada's 20. The other cards to remember: 9 and 10 look at a card of "
            "somebody else, Jack and Queen swap two cards, a King looks at two and may swap them.",
        ),
    ],
    seats=2,
    bot="magpie",
    rig=_RIG,
    seed=SEED,
)
