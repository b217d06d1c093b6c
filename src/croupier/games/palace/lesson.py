"""The first game of Palace, in two minutes: from the choice of the open cards to the first hidden one."""

from __future__ import annotations

from croupier.games.palace.moves import Choose, Play
from croupier.kernel import Explain, Lesson, Meanwhile, Rig, Try

ADA = 1

_DECK = (
    # Whoever learns: face up, face down (the last is turned over first), in hand. Then Ada, likewise.
    *("3♣", "5♦", "A♣"), *("9♦", "A♦", "6♦"), *("2♣", "5♣", "9♣", "10♦", "J♣", "J♦"),
    *("8♦", "Q♣", "K♣"), *("6♣", "4♦", "3♦"), *("2♦", "4♣", "7♦", "10♣", "Q♦", "K♦"),
)  # fmt: skip

LESSON = Lesson(
    [
        Explain(
            "Get rid of all your cards before Ada does: first your hand, then the three cards that lie open in front "
            "of you, and last the three hidden ones, which nobody knows.",
            ("hand",),
        ),
        Try(
            "Before the game you choose which three lie open. They come last, so keep strong ones: the Two, the Ten "
            "and the Ace. Choose them, then lay them open.",
            Choose(("2♣", "10♦", "A♣")),
            ("card:2♣", "card:10♦", "card:A♣", "bar"),
        ),
        Meanwhile(ADA, Choose(("8♦", "Q♣", "K♣"))),
        Try(
            "You begin. On an empty pile anything goes, and low cards should go first: play the Three.",
            Play(("3♣",)),
            ("card:3♣", "bar"),
        ),
        Meanwhile(ADA, Play(("10♣",))),
        Meanwhile(ADA, Play(("K♦",))),
        Try(
            "A Ten burns the pile, and Ada was to play again: a King. You would need a King or higher, and there is "
            "none in your hand. So you have to take the pile: show any card, say the Nine, and take it.",
            Play(("9♣",)),
            ("pile", "card:9♣", "bar"),
        ),
        Meanwhile(ADA, Play(("7♦",))),
        Try(
            "A Seven turns things round: only a Seven or lower fits on it. Play both of your Fives at once.",
            Play(("5♣", "5♦")),
            ("card:5♣", "card:5♦", "bar"),
        ),
        Try(
            "Two of you play, so there are two cards of each rank. When both lie together on top, the pile burns, and "
            "you play again. Play the Nine.",
            Play(("9♣",)),
            ("card:9♣", "bar"),
        ),
        Meanwhile(ADA, Play(("Q♦",))),
        Try(
            "Cards have to be of the same rank or higher. Your King beats Ada's Queen.",
            Play(("K♦",)),
            ("card:K♦", "bar"),
        ),
        Meanwhile(ADA, Play(("2♦",))),
        Try(
            "A Two fits on everything, and everything fits on a Two. A good moment for your Jacks: both of them, and "
            "the pile burns again.",
            Play(("J♣", "J♦")),
            ("card:J♣", "card:J♦", "bar"),
        ),
        Try(
            "Your hand is empty. From now on you play the open cards. Begin with the Ace.",
            Play(("A♣",)),
            ("card:A♣", "bar"),
        ),
        Meanwhile(ADA, Play(("4♣",))),
        Try(
            "A Four fits on everything and is looked through: it is still the Ace that you have to beat. Your Two does "
            "that.",
            Play(("2♣",)),
            ("pile", "card:2♣", "bar"),
        ),
        Meanwhile(ADA, Play(("8♦",))),
        Try(
            "Now the Ten. It fits on all but a Seven, burns the pile, and you play again.",
            Play(("10♦",)),
            ("card:10♦", "bar"),
        ),
        Try(
            "Only the hidden cards are left. Turn one over: if it fits, it is gone. If not, you take it with the pile.",
            Play(()),
            ("own",),
        ),
        Explain(
            "It did. Now you know how to play Palace. Two hidden cards are left: whoever is the first without any has "
            "won.",
        ),
    ],
    seats=2,
    bot="low-and-steady",
    rig=Rig(orders={"seats": [0, 1], "deck": list(_DECK)}),
)
