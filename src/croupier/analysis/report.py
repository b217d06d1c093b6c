"""What has been found out about a game: each decision, the chances over the game, and what decided it, in words.

What the seat has done and what has happened to it are told apart. A decision costs what a better one would have been
worth more, by all that the seat could know. Whatever else its chances have become, between one decision and the next,
is the cards that came and what others did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from croupier.analysis.brief import Brief, Choice
from croupier.analysis.problems import Dealt, Judgement
from croupier.kernel import Words
from croupier.tables import languages

Verdict = Literal["best", "fine", "slip", "mistake", "blunder"]
"""Fine: as good as the best, as far as can be told."""
SURE = 2.0
"""Standard errors from which on a difference is one."""
SLIP, MISTAKE, BLUNDER = 0.02, 0.06, 0.15
"""What a decision costs at least, to be called so."""
MOMENTS = 3
SENTENCES = 3
"""Of what has happened, at a moment."""

_EXPLAINED = re.compile(r" — .*?(?= › |$)")


class Decision(msgspec.Struct, frozen=True):
    step: int
    """Of the replay."""
    made: str
    """What the seat did, in words …"""
    best: str
    """… and what the search would have done."""
    chance: float
    """What the best is worth."""
    error: float
    cost: float
    """How much less the move was worth that was made; 0 where that is not clear."""
    cost_error: float
    verdict: Verdict
    told: str
    """In a sentence."""


class Moment(msgspec.Struct, frozen=True):
    """Where much was won or lost."""

    step: int
    what: Literal["decision", "events"]
    """Whether it was the seat's own doing."""
    change: float
    """Of its chances."""
    told: list[str]


class Account(msgspec.Struct, frozen=True):
    """Where the result comes from: what any deal is worth, and what was added to that. The four are its sum."""

    average: float
    """What a deal is worth on average, at this seat."""
    deal: float
    """How much better this one was."""
    deal_error: float
    decisions: float
    """What they have cost: nothing, or less than nothing."""
    rest: float
    """The cards that came later, what others did, and how wrong the three above are."""
    result: float


class Analysis(msgspec.Struct, frozen=True):
    """What the teacher has to say about a game."""

    seat: int
    name: str
    points: float
    """0: all numbers are chances of winning. Otherwise they are shares of so many points, which the seat will earn."""
    decisions: list[Decision]
    moments: list[Moment]
    """In the order of the game."""
    account: Account
    told: list[str]
    """All in all, in sentences."""


class _Swing(msgspec.Struct, frozen=True):
    """What has become of the chances between two decisions."""

    first: int
    """Steps in which something happened …"""
    last: int
    before: float
    after: float
    error: float


def report(brief: Brief, dealt: Dealt, judgements: Sequence[Judgement], language: str = "en") -> Analysis:
    """``judgements``: of all choices, in their order."""
    words = languages.words(language)
    teller = Teller(brief, words)
    decisions = [
        _decision(choice, judgement, teller) for choice, judgement in zip(brief.choices, judgements, strict=True)
    ]
    costs = -sum(decision.cost for decision in decisions)
    better = dealt.chance - dealt.average
    account = Account(
        average=dealt.average,
        deal=better,
        deal_error=(dealt.error**2 + dealt.average_error**2) ** 0.5,
        decisions=costs,
        rest=brief.gain - dealt.average - better - costs,
        result=brief.gain,
    )
    return Analysis(
        seat=brief.seat,
        name=brief.name,
        points=brief.points,
        decisions=decisions,
        moments=_moments(brief, decisions, judgements, teller),
        account=account,
        told=teller.all_in_all(decisions, account),
    )


def verdict(judgement: Judgement, same: bool) -> Verdict:
    """``same``: the move that was made is the best one, or cannot be told from it."""
    if same:
        return "best"
    cost = judgement.cost
    if cost < max(SLIP, SURE * judgement.cost_error):
        return "fine"
    return "slip" if cost < MISTAKE else "mistake" if cost < BLUNDER else "blunder"


def _decision(choice: Choice, judgement: Judgement, teller: Teller) -> Decision:
    made, best = choice.labels[choice.made], choice.labels[judgement.best]
    found = verdict(judgement, made == best)
    cost = judgement.cost if found in ("slip", "mistake", "blunder") else 0.0
    return Decision(
        choice.step, short(made), short(best), judgement.chance, judgement.error, cost, judgement.cost_error, found,
        teller.decision(found, short(made), short(best), cost),
    )  # fmt: skip


def short(label: str) -> str:
    """A move without what explains it.

    >>> short("assassinate — for 3 coins, a Contessa can block it › Ben — has 8 coins")
    'assassinate › Ben'
    """
    return _EXPLAINED.sub("", label)


def _swings(brief: Brief, decisions: Sequence[Decision], judgements: Sequence[Judgement]) -> list[_Swing]:
    """After each decision up to the next one, or to the end."""
    found = []
    for number, (decision, judgement) in enumerate(zip(decisions, judgements, strict=True)):
        before = judgement.chance - judgement.cost
        error = judgement.error**2 + judgement.cost_error**2
        if number + 1 < len(decisions):
            later = judgements[number + 1]
            last, after = decisions[number + 1].step - 1, later.chance
            error += later.error**2
        else:
            last, after = len(brief.stories) - 1, brief.gain
        found.append(_Swing(decision.step, last, before, after, error**0.5))
    return found


def _moments(
    brief: Brief, decisions: Sequence[Decision], judgements: Sequence[Judgement], teller: Teller
) -> list[Moment]:
    found = [
        Moment(decision.step, "decision", -decision.cost, [decision.told]) for decision in decisions if decision.cost
    ]
    for swing in _swings(brief, decisions, judgements):
        change = swing.after - swing.before
        if abs(change) >= max(SLIP, SURE * swing.error):
            found.append(Moment(swing.last, "events", change, teller.swing(swing)))
    found.sort(key=lambda moment: -abs(moment.change))
    return sorted(found[:MOMENTS], key=lambda moment: moment.step)


class Teller:
    """Says it in words."""

    def __init__(self, brief: Brief, words: Words) -> None:
        self._brief = brief
        self._words = words

    def amount(self, share: float, signed: bool = False) -> str:
        """What something is worth.

        >>> from croupier.kernel import ENGLISH
        >>> brief = Brief(0, "Ada", 0.0, [], b"", [], 1.0)
        >>> Teller(brief, ENGLISH).amount(0.456), Teller(brief, ENGLISH).amount(0.02, signed=True)
        ('46%', '+2%')
        >>> Teller(Brief(0, "Ada", 150.0, [], b"", [], 1.0), ENGLISH).amount(-0.02, signed=True)
        '−3.0 points'
        """
        points = self._brief.points
        number = share * (points or 100)
        size = f"{abs(number):.1f}" if points else f"{abs(number):.0f}"
        sign = ("−" if number < 0 else "+") if signed else "−" if number < 0 else ""
        return self._words("{number} points" if points else "{number}%", number=sign + self._decimal(size))

    def _decimal(self, number: str) -> str:
        return number.replace(".", ",") if self._words.language == "fr" else number

    def decision(self, found: Verdict, made: str, best: str, cost: float) -> str:
        words, name = self._words, self._brief.name
        match found:
            case "best":
                return words("{name} chose “{move}”, as the search would have done.", name=name, move=made)
            case "fine":
                return words(
                    "{name} chose “{move}”; “{best}” may be as good.", name=name, move=made, best=best
                )  # fmt: skip
        return words(
            "{name} chose “{move}”; “{best}” would have been better by {cost}.",
            name=name, move=made, best=best, cost=self.amount(cost),
        )  # fmt: skip

    def swing(self, swing: _Swing) -> list[str]:
        happened = [sentence for story in self._brief.stories[swing.first : swing.last + 1] for sentence in story]
        first = self._words(
            "Cards and the others took {name} from {before} to {after}.",
            name=self._brief.name, before=self.amount(swing.before), after=self.amount(swing.after),
        )  # fmt: skip
        return [first, *happened[-SENTENCES:]]

    def all_in_all(self, decisions: Sequence[Decision], account: Account) -> list[str]:
        words, name, amount = self._words, self._brief.name, self.amount
        count = len(decisions)
        same = sum(decision.verdict == "best" for decision in decisions)
        fine = sum(decision.verdict == "fine" for decision in decisions)
        told = [
            words(
                "Decisions of {name}: {count}. As the search would have made them: {same}; as good, as far as can be "
                "told: {fine}; worse: {worse}.",
                name=name, count=count, same=same, fine=fine, worse=count - same - fine,
            ),
            words("A deal is worth {average} on average at this seat.", average=amount(account.average)),
        ]  # fmt: skip
        if abs(account.deal) < max(SLIP, SURE * account.deal_error):
            told.append(words("This one was neither good nor bad, as far as can be told."))
        elif account.deal > 0:
            told.append(words("This one was better by {more}.", more=amount(account.deal)))
        else:
            told.append(words("This one was worse by {less}.", less=amount(-account.deal)))
        told.append(words("The decisions have cost {cost}.", cost=amount(-account.decisions)))
        told.append(
            words("What came after the deal, cards and the others, made {rest}.", rest=amount(account.rest, True))
        )
        return told
