"""A whole game, told: from its log or from its record, in words, and with sums that come out."""

from __future__ import annotations

import pickle
from functools import cache

import msgspec
import pytest

from croupier.analysis.brief import Brief, Choice, again, prepare
from croupier.analysis.problems import Dealt, Judgement
from croupier.analysis.report import Analysis, report
from croupier.games import catalogue
from croupier.kernel import Budget
from croupier.tables.records import keep
from croupier.tables.replay import Again, NoSuchGame
from croupier.tables.table import AnyGame
from tests.diary import Diary

GAMES = catalogue().games
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
EVEN = Dealt(0.5, 0.01, 0.5, 0.01)


@cache
def diary_of(name: str) -> Diary:
    return Diary(GAMES[name], 2, shown=False).play()


@every_game
def test_a_log_and_a_record_make_the_same_problems(game: AnyGame) -> None:
    log = diary_of(game.name).log
    from_log = prepare(Again("t", game, log, 1), 0)
    from_record = prepare(again(keep("t", game, log, 1), game), 0)
    assert from_log == from_record
    assert from_log.choices


@every_game
def test_a_decision_is_told_of_where_the_move_was_made(game: AnyGame) -> None:
    """What the seat did then is the move that the log has at this step."""
    found = prepare(Again("t", game, diary_of(game.name).log, 1), 1)
    moves = [
        getattr(now.entry, "move", None) if getattr(now.entry, "seat", None) == 1 else None
        for now in Again("t", game, diary_of(game.name).log, 1)
        if now.is_step
    ]
    for choice in found.choices:
        problem = pickle.loads(choice.problem)
        assert problem.moves[choice.made] == game.understand(moves[choice.step])
        assert len(choice.labels) == len(problem.moves)


def test_nobody_sat_there() -> None:
    with pytest.raises(NoSuchGame):
        prepare(Again("t", GAMES["palace"], diary_of("palace").log, 1), 2)


def test_a_whole_game() -> None:
    game = GAMES["palace"]
    brief = prepare(Again("t", game, diary_of("palace").log, 1), 0)
    dealt, *judgements = (pickle.loads(piece).solved(GAMES, Budget(nodes=24)) for piece in brief.pieces)
    found = report(brief, dealt, judgements)
    assert [decision.step for decision in found.decisions] == [choice.step for choice in brief.choices]
    check_sum(found)
    assert len(found.moments) <= 3
    assert found == report(brief, dealt, judgements)


def check_sum(found: Analysis) -> None:
    account = found.account
    parts = account.average + account.deal + account.decisions + account.rest
    assert parts == pytest.approx(account.result)


def a_brief(points: float = 0.0) -> Brief:
    """Three decisions of Ann, at the steps 1, 4 and 6, in a game of eight steps which she has lost."""
    choices = [Choice(step, ["low — the safe way", "high › Ben — at once"], 0, b"") for step in (1, 4, 6)]
    stories = [[f"Story {step}."] for step in range(8)]
    return Brief(0, "Ann", points, choices, b"", stories, 0.0)


JUDGEMENTS = [
    Judgement(1, 0.6, 0.01, 0.3, 0.02, 100),
    Judgement(0, 0.7, 0.01, 0.0, 0.0, 100),
    Judgement(1, 0.2, 0.01, 0.05, 0.04, 100),
]


def test_verdicts_and_moments() -> None:
    found = report(a_brief(), EVEN, JUDGEMENTS)
    assert [decision.verdict for decision in found.decisions] == ["blunder", "best", "fine"]
    assert [decision.cost for decision in found.decisions] == [0.3, 0.0, 0.0]
    check_sum(found)
    assert [(moment.step, moment.what) for moment in found.moments] == [(1, "decision"), (3, "events"), (5, "events")]
    assert [round(moment.change, 6) for moment in found.moments] == [-0.3, 0.4, -0.5]
    assert found.moments[1].told == [
        "Cards and the others took Ann from 30% to 70%.", "Story 1.", "Story 2.", "Story 3.",
    ]  # fmt: skip
    assert found.decisions[0].told == "Ann chose “low”; “high › Ben” would have been better by 30%."


@pytest.mark.parametrize(
    ("cost", "error", "verdict"),
    [
        (0.3, 0.1, "blunder"), (0.3, 0.2, "fine"), (0.08, 0.01, "mistake"), (0.03, 0.01, "slip"), (0.01, 0.001, "fine"),
        (-0.2, 0.01, "fine"),
    ],
)  # fmt: skip
def test_a_cost_counts_where_it_is_larger_than_its_error(cost: float, error: float, verdict: str) -> None:
    judgements = [msgspec.structs.replace(JUDGEMENTS[0], cost=cost, cost_error=error), *JUDGEMENTS[1:]]
    assert report(a_brief(), EVEN, judgements).decisions[0].verdict == verdict


def test_what_cannot_be_told_from_the_best_is_the_best() -> None:
    """Moves of the same words make no difference to people."""
    brief = a_brief()
    same = msgspec.structs.replace(brief.choices[0], labels=["a Seven", "a Seven"])
    brief = msgspec.structs.replace(brief, choices=[same, *brief.choices[1:]])
    assert report(brief, EVEN, JUDGEMENTS).decisions[0].verdict == "best"


def test_points_are_told_where_points_are_counted() -> None:
    found = report(a_brief(points=150.0), Dealt(0.6, 0.01, 0.5, 0.01), JUDGEMENTS)
    assert "better by 45.0 points" in found.decisions[0].told
    assert "This one was better by 15.0 points." in found.told


def test_in_french() -> None:
    found = report(a_brief(points=150.0), Dealt(0.4, 0.01, 0.5, 0.01), JUDGEMENTS, "fr")
    assert found.decisions[0].told == "Ann a choisi «@low@»@; «@high › Ben@» aurait valu 45,0 points de plus.".replace(
        "@", "\u202f"
    )
    assert "Celle-ci valait 15,0 points de moins." in found.told


def test_the_luck_of_a_deal_is_told_only_where_it_is_clear() -> None:
    unclear = report(a_brief(), Dealt(0.55, 0.05, 0.5, 0.05), JUDGEMENTS)
    assert "This one was neither good nor bad, as far as can be told." in unclear.told
