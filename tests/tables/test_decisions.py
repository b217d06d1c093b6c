"""What somebody asks for at a table, as entries: no connection, no clock, no journal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from croupier.kernel import Clock, Customs
from croupier.tables import decisions, entries, intents, rulings
from croupier.tables.entries import AnyEntry, Moved, Readied, Recognised
from croupier.tables.notices import Refused
from croupier.tables.rulings import Newcomer
from croupier.tables.table import Table
from tests.happening import happen
from tests.toys import Bid, Bids, State

NOW = 1_000_000
LUCK = (bytes(32), None)


def table_of(*people: str, game: Bids | None = None, playing: bool = False) -> Table:
    """The first of them is the host."""
    table = Table("t", game or Bids())
    first, *others = (Newcomer(name, name.lower(), client="old") for name in people)
    happen(table, rulings.opened(table.game, "", 3, {}, "", first, LUCK), NOW)
    for newcomer in others:
        happen(table, rulings.joined(table, newcomer, ""), NOW)
    if playing:
        happen(table, rulings.started(table, table.host, LUCK), NOW)
    return table


def decide(table: Table, seat: int | None, request: intents.Act) -> list[AnyEntry]:
    return decisions.decide(table, None if seat is None else table.seats[seat], request, LUCK)


def refused(table: Table, seat: int | None, request: intents.Act) -> str:
    with pytest.raises(Refused) as refusal:
        decide(table, seat, request)
    return refusal.value.code


def bid(table: Table, seat: int, **more: Any) -> intents.Play:
    """The lowest card of this seat, as a client says it."""
    return intents.Play(move={"type": "bid", "card": table.state.hands[seat][0]}, **more)


def test_nothing_happens_because_somebody_looks() -> None:
    assert decide(table_of("Ann"), 0, intents.See()) == []


def test_who_is_ready_or_not() -> None:
    table = table_of("Ann", "Ben")
    assert decide(table, 1, intents.Ready(ready=False)) == [Readied(1, False)]
    assert decide(table, 1, intents.Ready(ready=True)) == [], "that is known"
    assert refused(table, None, intents.Ready(ready=True)) == "not_seated"


def test_the_program_somebody_uses_is_written_down_when_it_is_another() -> None:
    table = table_of("Ann", "Ben")
    assert decide(table, 1, intents.Recognise(client="new")) == [Recognised(1, "new")]
    assert decide(table, 1, intents.Recognise(client="old")) == []
    assert decide(table, None, intents.Recognise(client="new")) == [], "of those who look on, nothing is"


def test_who_plays_alone_has_seen_enough() -> None:
    class Showing(Bids):
        customs = Customs(looks=("look",))

        def clocks(self, state: State) -> Sequence[Clock]:
            return [Clock(NOW + 5_000, (), "look")]

    table = Table("t", Showing())
    ann = Newcomer("Ann", "a", unhurried=True)
    happen(table, rulings.opened(table.game, "", 2, {}, "", ann, LUCK), NOW)
    happen(table, rulings.bots_added(table, table.host, None, 1), NOW)
    happen(table, rulings.started(table, table.host, LUCK), NOW)
    assert decide(table, 0, intents.Proceed()) == [entries.Expired("look", by=0)]
    assert refused(table, 1, intents.Proceed()) == "nothing_to_end"


def test_a_move_as_a_client_says_it_and_as_a_dialect_does() -> None:
    table = table_of("Ann", "Ben", playing=True)
    card = table.state.hands[1][0]
    assert decide(table, 1, bid(table, 1)) == [Moved(1, Bid(card))]
    assert decide(table, 1, bid(table, 1, key="k")) == [Moved(1, Bid(card), key="k")]
    assert decide(table, 1, intents.Play(move=Bid(card))) == [Moved(1, Bid(card))]
    assert refused(table, 1, intents.Play(move={"type": "fold"})) == "bad_move"


def test_a_move_that_was_made_already_is_not_made_again() -> None:
    table = table_of("Ann", "Ben", playing=True)
    request = bid(table, 1, key="k")
    happen(table, decide(table, 1, request), NOW)
    assert decide(table, 1, request) == []
    happen(table, rulings.left(table, table.seats[0], closes=False), NOW)
    assert decide(table, 1, request) == [], "only the reply was lost, and then the game was over"
    assert refused(table, 1, bid(table, 1, key="another")) == "not_started"


def test_who_can_not_move() -> None:
    class StoodInFor(Bids):
        customs = Customs(absent="stand_in")

    table = table_of("Ann", "Ben", "Cleo", game=StoodInFor(), playing=True)
    assert refused(table, None, bid(table, 0)) == "not_seated"
    happen(table, rulings.left(table, table.seats[1], closes=False), NOW)
    assert refused(table, 1, bid(table, 1)) == "stood_in"
    happen(table, rulings.kicked(table, table.host, 2), NOW)
    assert refused(table, 2, bid(table, 2)) == "not_seated", "a bot plays here, too; but they won't take it back"


def test_what_nobody_has_heard_of() -> None:
    assert refused(table_of("Ann"), 0, intents.Act()) == "unknown"
