"""The first game of Fortress, in two minutes: a soldier, a trap, an answer, and a castle that falls."""

from __future__ import annotations

from croupier.games.fortress.decks import SIZE, STARTERS
from croupier.games.fortress.moves import (
    AcceptHand,
    ActivateTrickster,
    AllowAction,
    AttackCard,
    BringDeck,
    ChooseCard,
    DrawCard,
    EndTurn,
    PlayCard,
)
from croupier.games.fortress.places import CASTLE, DECK, FIELD, HAND
from croupier.kernel import Explain, Lesson, Meanwhile, Rig, Try

ME, ADA = 0, 1
MINE, ADAS = STARTERS["Assault"], STARTERS["Discipline"]
CANNONMEN = 18
SOLDIER, ANOTHER, TRAP = 0, 1, 4
"""Slots."""


def _rest(deck: tuple[int, ...], drawn: tuple[int, ...]) -> list[int]:
    rest = list(deck[:SIZE])
    for card in drawn:
        rest.remove(card)
    return rest


_MY_CARDS = (10, 29, 24, 33, 42, 12, 11, 23, 36)
"""In the order in which they are drawn: the top of a deck is its end."""
_ADAS_CARDS = (20, 45, 33, 28, 30, 13, 10)
_MY_DECK, _ADAS_DECK = _rest(MINE, _MY_CARDS), _rest(ADAS, _ADAS_CARDS)

SILENT_ALLOW = Try("", AllowAction())
"""There is no answer, and the page allows it by itself."""

LESSON = Lesson(
    [
        Try(
            "Each of you has a castle, and a deck of 50 cards to bring the other one down. Play with Assault, a deck "
            "to begin with.",
            BringDeck(MINE),
            ("bring",),
        ),
        Meanwhile(ADA, BringDeck(ADAS)),
        Try("You could exchange your first cards. These are good: keep them.", AcceptHand(), ("accept",)),
        Meanwhile(ADA, AcceptHand()),
        Try(
            "You begin. You may play one soldier a turn: the Pawn Warrior. His 10 points are his attack and his "
            "defence, and you draw two cards for him.",
            PlayCard(HAND[ME][0], FIELD[ME][SOLDIER]),
            ("hand:1", "acts"),
        ),
        Meanwhile(ADA, AllowAction()),
        Try(
            "Tricksters wait face down. Reinforcements destroys a card that attacks you: lay it.",
            PlayCard(HAND[ME][0], FIELD[ME][TRAP]),
            ("hand:1", "acts"),
        ),
        Meanwhile(ADA, AllowAction()),
        Try("Nobody attacks in the very first turn. End it.", EndTurn(), ("end",)),
        Meanwhile(ADA, DrawCard()),
        SILENT_ALLOW,
        Meanwhile(ADA, PlayCard(HAND[ADA][0], FIELD[ADA][SOLDIER])),
        SILENT_ALLOW,
        Meanwhile(ADA, AttackCard(FIELD[ADA][SOLDIER], FIELD[ME][SOLDIER])),
        Try(
            "Ada's 15 points attack your 10: your Pawn would fall. But almost everything can be answered, and the "
            "last answer happens first. Choose your trickster, and use it.",
            ActivateTrickster(FIELD[ME][TRAP]),
            ("trickster:1", "acts"),
        ),
        Meanwhile(ADA, AllowAction()),
        Try(
            "Her soldier is gone before he could strike, and you get one from your deck: take the Cannonmen.",
            ChooseCard(DECK[ME][_MY_DECK.index(CANNONMEN)]),
            ("choice",),
        ),
        Meanwhile(ADA, EndTurn()),
        Try("From the second turn on, each begins with a card. Draw it.", DrawCard(), ("draw",)),
        Meanwhile(ADA, AllowAction()),
        Try(
            "No soldier stands in front of Ada's castle: attack it with the Pawn. It loses 10 of its 50.",
            AttackCard(FIELD[ME][SOLDIER], CASTLE[ADA]),
            ("soldier:1", "rival:castle"),
        ),
        Meanwhile(ADA, AllowAction()),
        Try(
            "The Cannonmen take 20 more as they come. They cost you a soldier, and the Pawn has attacked already. "
            "Play them.",
            PlayCard(HAND[ME][6], FIELD[ME][ANOTHER]),
            ("hand:7", "acts"),
        ),
        Try("Pay with the Pawn.", ChooseCard(FIELD[ME][SOLDIER]), ("acts",)),
        Meanwhile(ADA, AllowAction()),
        Try(
            "They have 25 points, and the castle has 20 left. Attack!",
            AttackCard(FIELD[ME][ANOTHER], CASTLE[ADA]),
            ("soldier:2", "rival:castle"),
        ),
        Meanwhile(ADA, AllowAction()),
        Explain(
            "The castle has fallen. There is more to find: mages grow by levels, decrees stay for some turns, and "
            "every card says what it does.",
        ),
    ],
    seats=2,
    bot="warden",
    rig=Rig(
        orders={
            "first": [ME, ADA],
            "deck 0": [*_MY_DECK, *reversed(_MY_CARDS)],
            "deck 1": [*_ADAS_DECK, *reversed(_ADAS_CARDS)],
        }
    ),
)
