"""What a game says about those who have played it."""

from __future__ import annotations

import itertools

import pytest

from croupier.people import ratings
from croupier.people.played import Participant
from croupier.people.ratings import Outcome, Rating


def person(name: str, place: int, **more: object) -> Participant:
    return Participant(name.capitalize(), place, person=name, **more)  # type: ignore[arg-type]


ANN, BEN, CLEO = person("ann", 1), person("ben", 2), person("cleo", 3)
STRONG, WEAK = Participant("Bot", 2, bot="strong", worth=40.0), Participant("Bot", 2, bot="weak", worth=10.0)


def gains(*players: Participant) -> dict[str, float]:
    return {person: rating.mu - Rating().mu for person, rating in ratings.rated(players, {}).items()}


def test_who_wins_gains_and_who_loses_loses() -> None:
    found = gains(ANN, BEN, CLEO)
    assert found["ann"] > found["ben"] > found["cleo"]
    assert found["ann"] > 0 > found["cleo"]
    equal = gains(ANN, person("ben", 1))
    assert equal["ann"] == equal["ben"] == pytest.approx(0)


def test_to_leave_costs_what_it_costs_to_lose() -> None:
    lost, left = gains(ANN, BEN), gains(person("ann", 2), person("ben", 1, left=True))
    assert left == lost
    three = (ANN, person("ben", 3), person("cleo", 2))
    ahead = (person("ann", 2), person("ben", 1, left=True), person("cleo", 3))
    assert gains(*ahead) == gains(*three)
    assert ratings.outcomes(ahead)["ben"] == Outcome(3, 1, -1)


def test_who_leaves_their_partner_loses_alone() -> None:
    pair, others = {"team": 0}, {"team": 1}
    game = [person("ann", 1, **pair), person("ben", 2, **others), person("cleo", 1, **pair, left=True), STRONG]
    found = gains(*game[:3])
    assert found["ann"] > 0 > found["cleo"] and found["cleo"] < found["ben"]
    outcomes = ratings.outcomes(game[:3])
    assert (outcomes["ann"].won, outcomes["ben"].won, outcomes["cleo"].won) == (1, -1, -1)
    assert len({outcome.side for outcome in outcomes.values()}) == 3


def test_partners_share_a_place_and_what_it_brings() -> None:
    game = [
        person(name, place, team=team) for name, place, team in [("a", 1, 0), ("b", 2, 1), ("c", 1, 0), ("d", 2, 1)]
    ]
    found = gains(*game)
    assert found["a"] == found["c"] > 0 > found["b"] == found["d"]
    outcomes = ratings.outcomes(game)
    assert outcomes["a"].won == outcomes["c"].won == 1 and outcomes["a"].side == outcomes["c"].side
    assert outcomes["b"] == Outcome(2, outcomes["d"].side, -1)


def test_bots_are_worth_what_was_measured_and_guests_nothing() -> None:
    alone = gains(ANN, BEN)
    assert gains(ANN, BEN, Participant("Guest", 3), Participant("Bot", 3, bot="new")) == alone
    over = {
        name: gains(person("ann", 1), bot, person("ben", 3))["ann"] for name, bot in {"s": STRONG, "w": WEAK}.items()
    }
    assert over["s"] > over["w"], "it is more to have beaten a strong bot"
    assert set(gains(ANN, BEN, STRONG)) == {"ann", "ben"}


@pytest.mark.parametrize(
    ("players", "counts"),
    [
        ((ANN, BEN), True),
        ((ANN, STRONG), False),
        ((ANN, Participant("Guest", 2)), False),
        ((ANN, person("ben", 2, expelled=True)), False),
        ((ANN, BEN, person("cleo", 3, expelled=True)), True),
        ((ANN, BEN, person("ann", 3)), False),
        ((person("ann", 1, team=0), person("ben", 1, team=0), Participant("Guest", 2)), False),
        ((person("ann", 1, team=0), person("ben", 1, team=0), STRONG), True),
        ((), False),
    ],
    ids=[
        "two",
        "a bot",
        "a guest",
        "thrown out",
        "a third thrown out",
        "twice",
        "partners",
        "partners and a bot",
        "nobody",
    ],
)
def test_a_game_counts_between_at_least_two_persons(players: tuple[Participant, ...], counts: bool) -> None:
    assert ratings.counts(players) == counts


def test_whom_the_host_throws_out_has_neither_won_nor_lost() -> None:
    game = (ANN, BEN, person("cleo", 3, expelled=True))
    assert gains(*game) == gains(ANN, BEN)
    assert ratings.outcomes(game)["cleo"] == Outcome(None, 2, None)


def test_where_several_are_first_nobody_has_won() -> None:
    outcomes = ratings.outcomes((ANN, person("ben", 1), person("cleo", 2)))
    assert [outcomes[name].won for name in ("ann", "ben", "cleo")] == [0, 0, -1]
    assert outcomes["cleo"].place == 3


def test_always_the_same_victim_brings_less_and_less_and_makes_nobody_sure() -> None:
    known: dict[str, Rating] = {}
    gained: list[float] = []
    for _ in range(100):
        before = known.get("ann", Rating())
        known = ratings.rated((ANN, BEN), known)
        gained.append(known["ann"].mu - before.mu)
    assert all(later < earlier for earlier, later in itertools.pairwise(gained))
    assert ratings.gain_shown(gained[0]) > 100 and ratings.gain_shown(gained[29]) <= 6
    assert ratings.gain_shown(gained[99]) <= 1

    even: dict[str, Rating] = {}
    games = 0
    while even.get("ann", Rating()).provisional:
        even = ratings.rated((ANN, BEN) if games % 2 else (person("ann", 2), person("ben", 1)), even)
        games += 1
    assert 10 <= games <= 15, "who meets their match is known sooner"
    victim: dict[str, Rating] = {}
    for _ in range(2 * games):
        victim = ratings.rated((ANN, BEN), victim)
    assert victim["ann"].provisional
