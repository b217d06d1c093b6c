"""The first game of Coup, in two minutes: income, claims true and false, blocks, lies found out, and a coup."""

from __future__ import annotations

from croupier.games.coup.moves import Allow, Block, CallBs, Lose, Propose
from croupier.kernel import Explain, Lesson, Meanwhile, Rig, Try
from croupier.kernel.lesson import LEARNER

ADA = 1

LESSON = Lesson(
    [
        Explain(
            "You and Ada have two cards each, which only their owner knows, and two coins. Who has lost both cards is "
            "out. In your turn you take one action.",
            ("hand",),
        ),
        Try(
            "The plainest one is income: a coin, and nobody can say a word against it. Take it.",
            Propose("income"),
            ("deed:income",),
        ),
        Meanwhile(ADA, Propose("foreign_aid")),
        Try(
            "Ada wants two coins as foreign aid. Whoever is a Duke may block that, and you hold a Duke: do it.",
            Block("duke"),
            ("claim", "answer:duke"),
        ),
        Meanwhile(ADA, Allow("block")),
        Try(
            "She believed you, and got nothing. The Duke is also good for a tax of three coins. Say that you are one.",
            Propose("tax"),
            ("deed:tax",),
        ),
        Meanwhile(ADA, Allow("action")),
        Meanwhile(ADA, Propose("tax")),
        Try(
            "Now Ada says that she is a Duke. Is she? There are three, and one is yours. If you call BS she has to "
            "show it: whoever is wrong loses a card. Try it.",
            CallBs("action"),
            ("claim", "answer:bs"),
        ),
        Meanwhile(ADA, Lose("ambassador")),
        Try(
            "She lied, and has turned over a card. You may lie, too: steal her coins as a Captain, although you have "
            "none. Maybe she believes it.",
            Propose("steal", ADA),
            ("deed:steal",),
        ),
        Meanwhile(ADA, CallBs("action")),
        Try(
            "She did not, and now you lose a card. The Contessa keeps assassins away, so give up the Duke.",
            Lose("duke"),
            ("card:duke", "decide"),
        ),
        Meanwhile(ADA, Propose("income")),
        Try(
            "You have six coins. With seven there is something that nobody can stop. One more, by income.",
            Propose("income"),
            ("deed:income",),
        ),
        Meanwhile(ADA, Propose("assassinate", LEARNER)),
        Try(
            "Ada pays three coins for an assassin, and you have one card left. But it is the Contessa: block.",
            Block("contessa"),
            ("claim", "answer:contessa"),
        ),
        Meanwhile(ADA, Allow("block")),
        Try(
            "Now the coup. It costs seven coins, claims nothing, and can't be blocked: Ada loses her last card.",
            Propose("coup", ADA),
            ("deed:coup",),
        ),
        Explain(
            "You have won, and you know how to play Coup. With ten coins you would have had to coup. All that is left "
            "to learn is when to lie.",
        ),
    ],
    seats=2,
    bot="honest",
    rig=Rig(orders={"deck": ["duke", "contessa", "assassin", "ambassador"]}),
)
