"""The first game of Faraway, in a little more than two minutes: eight regions, and the way back."""

from __future__ import annotations

from croupier.games.faraway.moves import Choose, Play, Take
from croupier.kernel import Explain, Lesson, Meanwhile, Rig, Try

ADA = 1

_REGIONS = (
    *(51, 64, 57),  # whoever learns
    *(45, 53, 39),  # Ada
    # The shops.
    *(40, 46, 24), *(38, 21, 56), *(37, 32, 19), *(34, 3, 66), *(31, 9, 48), *(29, 1, 61), *(28, 2, 54),
)  # fmt: skip
_SANCTUARIES = (11, 12, 29, 28, 23, 41)


def region(card: int) -> str:
    return f"region:{card}"


def sanctuary(card: int) -> str:
    return f"sanctuary:{card}"


LESSON = Lesson(
    [
        Explain(
            "You lay eight regions from left to right. Then you walk back: the last one scores first, and each region "
            "sees only itself and what lies to its right.",
            ("journey",),
        ),
        Try(
            "So what needs a lot comes first. Region 51 is worth 14 points if four stones are in sight. Lay it: you "
            "will find stones later.",
            Play(51),
            (region(51), "bar"),
        ),
        Meanwhile(ADA, Play(45)),
        Meanwhile(ADA, Take(40)),
        Try(
            "Everybody lays a card at the same time, and then takes one from the shop, the lowest number first: Ada "
            "with her 45. The 46 has 10 points for two stones and a chimera, and a clue. Take it.",
            Take(46),
            (region(46), "bar"),
        ),
        Try("Lay it at once, before the wonders that it needs.", Play(46), (region(46), "bar")),
        Meanwhile(ADA, Play(40)),
        Meanwhile(ADA, Take(38)),
        Try("Take the 21: two stones, and it has 8 points.", Take(21), (region(21), "bar")),
        Try("Lay the 21. It is a low number, so this time you come first in the shop.", Play(21), (region(21), "bar")),
        Meanwhile(ADA, Play(38)),
        Try("The 32 brings a stone and a chimera itself.", Take(32), (region(32), "bar")),
        Meanwhile(ADA, Take(37)),
        Try(
            "Lay it. 32 is higher than your last number, and whoever goes on to a higher one finds a sanctuary.",
            Play(32),
            (region(32), "bar"),
        ),
        Meanwhile(ADA, Play(37)),
        Try(
            "There is one to choose from, and another for the clue of your 46. A sanctuary is in sight all the way. "
            "Keep the stone.",
            Choose(11),
            (sanctuary(11), "bar"),
        ),
        Try("The low numbers bring wonders or plain points. Take the 3.", Take(3), (region(3), "bar")),
        Meanwhile(ADA, Take(34)),
        Try("Lay the 3: four points for nothing.", Play(3), (region(3), "bar")),
        Meanwhile(ADA, Play(34)),
        Try("Take the 9.", Take(9), (region(9), "bar")),
        Meanwhile(ADA, Take(31)),
        Try("Lay it: 9 is higher than 3, so there is a sanctuary again.", Play(9), (region(9), "bar")),
        Meanwhile(ADA, Play(31)),
        Try(
            "You are about to find stones. Keep the one with two points for each of them.",
            Choose(29),
            (sanctuary(29), "bar"),
        ),
        Try("Take the 1, with a stone and a chimera.", Take(1), (region(1), "bar")),
        Meanwhile(ADA, Take(29)),
        Try("Lay it.", Play(1), (region(1), "bar")),
        Meanwhile(ADA, Play(29)),
        Try("And the 2, with two stones.", Take(2), (region(2), "bar")),
        Meanwhile(ADA, Take(28)),
        Try("The last region. It scores first, and all others see its stones: lay the 2.", Play(2), (region(2), "bar")),
        Meanwhile(ADA, Play(28)),
        Try("And a last sanctuary, for going up: five points.", Choose(23), (sanctuary(23), "bar")),
        Explain(
            "This is the way back: the 2 first, and the 51 last, with all its stones in sight. In the other order "
            "these cards would hardly have scored.",
        ),
    ],
    seats=2,
    bot="rising",
    rig=Rig(orders={"regions": list(_REGIONS), "sanctuaries": list(_SANCTUARIES)}),
)
