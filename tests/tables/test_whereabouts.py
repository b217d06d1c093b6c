"""Who is at which node, where what one of them has heard of is late."""

from __future__ import annotations

from croupier.journal import Attending
from croupier.tables.whereabouts import Whereabouts

ANN = ("ann's secret", "playing")


def at(node: str | None, since: int) -> Attending:
    return Attending("t", *ANN, node, since, 0)


def test_who_is_at_a_node_that_was_given_up_too_soon_is_there_again() -> None:
    here = Whereabouts("t", "here")
    assert here.update([ANN], [ANN], 0, 10, {}) == [at("here", 10)]
    assert here.hear([at(None, 20)]) == []
    assert here.update([ANN], [], 0, 30, {}) == [at("here", 20)]
    assert here.hear([at(None, 20)]) == []
    assert here.update([ANN], [], 0, 40, {}) == [], "which the others know by now"


def test_who_is_at_another_node_since_then_stays_there() -> None:
    here, there = Whereabouts("t", "here"), Whereabouts("t", "there")
    here.update([ANN], [ANN], 0, 10, {})
    here.hear([at(None, 20)])
    (claim,) = here.update([ANN], [], 0, 30, {})
    there.update([ANN], [ANN], 0, 25, {})
    assert there.hear([claim]) == []
    assert here.hear([at("there", 25)]) == [ANN]


def test_who_has_come_anew_meanwhile_is_there() -> None:
    here = Whereabouts("t", "here")
    here.update([ANN], [ANN], 0, 10, {})
    here.hear([at(None, 20)])
    assert here.update([ANN], [ANN], 0, 30, {}) == [at("here", 30)]


def test_who_has_gone_meanwhile_is_gone() -> None:
    here = Whereabouts("t", "here")
    here.update([ANN], [ANN], 0, 10, {})
    here.hear([at(None, 20)])
    assert here.update([], [], 0, 30, {}) == [at(None, 30)._replace(until=30)]
