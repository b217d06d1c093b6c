"""Coup at a table: sitting down and rising, hosts, kicks, new games; and a thousand games with bad connections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from croupier import laws
from croupier.games.coup.events import AnyEvent, Dealt, Kicked, Paused, Resumed, Rose, Turn
from croupier.games.coup.moves import CallBs, Propose
from croupier.games.coup.rules import Coup
from croupier.kernel import Rig
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, rulings
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.notices import Refused
from croupier.tables.place import Place
from croupier.tables.rulings import Newcomer
from croupier.tables.seat import Seat
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from croupier.tables.timekeeping import fall_due
from tests.games.coup.bench import INJECTED, START, cards
from tests.happening import happen

SETTINGS = Settings()
LUCK: rulings.Luck = (laws.seed_bytes(1), Rig(orders={"deck": list(INJECTED)}, shuffle=False))


class House:
    """A table with its people, and a clock that the test sets."""

    def __init__(self, people: int, luck: rulings.Luck = LUCK, **options: Any) -> None:
        self.table = Table("t", Coup())
        self.bots = Bots(self.table)
        self.now = START
        self.dice = QuickDice(1)
        self.happen(rulings.opened(self.table.game, "", 6, options, "", Newcomer("ann", "secret ann"), luck))
        for name in ("bob", "cy", "dee", "eve", "fay")[: people - 1]:
            self.join(name)

    def happen(self, found: Iterable[AnyEntry]) -> list[AnyEvent]:
        told = happen(self.table, found, self.now, self.bots, self.dice)
        return [event for _, events in told for event in events]  # type: ignore[misc]

    def join(self, name: str) -> list[AnyEvent]:
        return self.happen(rulings.joined(self.table, Newcomer(name, f"secret {name}"), ""))

    def rise(self, name: str) -> list[AnyEvent]:
        return self.happen(rulings.left(self.table, self.seat(name), closes=False))

    def start(self) -> list[AnyEvent]:
        return self.happen(rulings.started(self.table, self.table.host, LUCK))

    def move(self, name: str, move: Any) -> list[AnyEvent]:
        return self.happen([entries.Moved(self.seat(name).number, move)])

    def absent(self, name: str) -> list[AnyEvent]:
        return self.happen(rulings.absent(self.table, self.seat(name), self.now + 600_000))

    def back(self, name: str) -> list[AnyEvent]:
        return self.happen(rulings.back(self.table, self.seat(name)))

    def kick(self, host: str, name: str) -> list[AnyEvent]:
        return self.happen(rulings.kicked(self.table, self.seat(host), self.seat(name).number))

    def seat(self, name: str) -> Seat:
        return next(seat for seat in self.table.seats.values() if seat.name == name)

    def view(self, name: str | None) -> Any:
        return Place(self.table, None if name is None else self.seat(name)).view()

    def hand(self, name: str) -> tuple[str, ...]:
        view = self.view(name)
        return tuple(slot.card for slot in view.cards[view.seats.index(self.seat(name).number)])

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.table.seats.values()]

    @property
    def host(self) -> str | None:
        return self.table.host.name if self.table.host else None

    @property
    def phase(self) -> str:
        return self.table.phase


def test_u4_hands_are_seen_before_the_start() -> None:
    """c2, D57: by their owners."""
    house = House(3)
    assert [house.hand(name) for name in ("ann", "bob", "cy")] == [INJECTED[0:2], INJECTED[2:4], INJECTED[4:6]]
    assert house.view("bob").cards[0][0].card is None
    assert house.view(None).deck == 9
    assert house.join("dee") == [Dealt(3, cards("contessa captain"), 2, 7)]
    assert house.view("ann").phase == "pre_game"
    assert Place(house.table, house.seat("ann")).moves() == ()


def test_u5_join_order_is_turn_order() -> None:
    """c6, D11: who leaves and comes again is last."""
    house = House(3)
    house.rise("bob")
    house.join("dee")
    house.join("bob")
    assert house.names == ["ann", "cy", "dee", "bob"]
    hands = {name: house.hand(name) for name in house.names}
    house.start()
    assert [house.seat(name).number for name in ("ann", "cy", "dee", "bob")] == [0, 1, 2, 3]
    assert {name: house.hand(name) for name in house.names} == hands
    assert house.view("bob").current == 0


def test_u6_the_first_to_join_is_host() -> None:
    """c10: and only the host starts; with two or more (U11)."""
    house = House(1)
    assert house.host == "ann"
    with pytest.raises(Refused) as refusal:
        house.start()
    assert refusal.value.code == "too_few"
    house.join("bob")
    with pytest.raises(Refused) as refusal:
        rulings.started(house.table, house.seat("bob"), LUCK)
    assert refusal.value.code == "not_host"
    house.rise("ann")
    assert house.host == "bob"


def test_u6_a_host_who_is_gone_is_replaced() -> None:
    """c75, D52, B15: by the lowest seat that is there, and for good."""
    house = House(3)
    house.start()
    house.absent("bob")
    house.absent("ann")
    assert house.host == "cy"
    house.back("ann")
    assert house.host == "cy"
    house.absent("cy")
    assert house.host == "ann"
    house.absent("ann")
    assert house.host == "ann"  # nobody is there
    house.back("bob")
    assert house.host == "bob"


def test_u7_rising_before_the_start() -> None:
    """c13."""
    house = House(3)
    assert house.rise("bob") == [Rose(1, 11)]
    assert house.names == ["ann", "cy"]
    assert house.view("cy").seats == (0, 2)
    assert house.hand("cy") == INJECTED[4:6]
    assert house.view(None).coins == (2, 2)


def test_u8_nobody_joins_after_the_start() -> None:
    """c12."""
    house = House(2)
    house.start()
    with pytest.raises(Refused) as refusal:
        house.join("cy")
    assert refusal.value.code == "started"
    house.kick("ann", "bob")
    with pytest.raises(Refused) as refusal:
        house.join("cy")
    assert refusal.value.code == "started"


@pytest.mark.parametrize("name", ["ann", "ANN"])
def test_c8_a_name_is_taken_in_any_case(name: str) -> None:
    """D44."""
    house = House(2)
    with pytest.raises(Refused) as refusal:
        house.join(name)
    assert refusal.value.code == "name_taken"


def test_c7_the_seventh_finds_no_seat() -> None:
    house = House(6)
    before = house.table.fingerprint()
    with pytest.raises(Refused) as refusal:
        house.join("gus")
    assert refusal.value.code == "full"
    assert house.table.fingerprint() == before


def test_u60_a_lost_connection_pauses_and_a_return_resumes() -> None:
    """c70, D55."""
    house = House(3)
    house.start()
    assert house.absent("cy") == [Paused(2, (2,))]
    assert house.view("ann").missing == (2,)
    house.now += 9000
    assert house.back("cy") == [Resumed()]


def test_u60_who_is_away_when_the_game_starts_is_missed() -> None:
    house = House(3)
    house.absent("cy")
    assert house.start() == [Paused(2, (2,))]
    assert house.table.clocks()[0].name == "away 2"


def test_u60_after_a_restart_the_game_is_paused_until_all_are_back() -> None:
    house = House(2)
    house.start()
    house.move("ann", Propose("tax"))
    house.now += 2000
    told = house.happen([entries.Resumed(house.now + 15_000, house.now + 120_000)])
    assert told == [Paused(0, (0,)), Paused(1, (0, 1))]
    house.now += 60_000
    assert house.back("bob") == []
    assert house.host == "bob"
    assert house.back("ann") == [Resumed()]
    assert house.view("ann").opens == house.now + 3000


def test_u62_who_was_kicked_may_come_back_and_look_on() -> None:
    """D50: the seat, with its open cards, is still theirs; going again pauses nothing."""
    house = House(3)
    house.start()
    house.absent("bob")
    assert Kicked(1) in house.kick("ann", "bob")
    assert house.back("bob") == []
    assert [slot.revealed for slot in house.view("bob").cards[1]] == [True, True]
    assert house.absent("bob") == []
    assert house.view("ann").paused_since is None
    assert house.kick("ann", "bob") == []


def test_u62_leaving_of_one_s_own_will_is_like_a_kick() -> None:
    house = House(3)
    house.start()
    told = house.happen(rulings.left(house.table, house.seat("ann"), closes=False))
    assert told[0] == Kicked(0)
    assert Turn(1) in told
    assert house.host == "bob"
    assert house.seat("ann").kicked  # and there is no coming back


def test_u70_a_new_game_of_those_who_are_there() -> None:
    """c89, B1, B2, D59: fresh cards, two coins, the same host, and others may join."""
    house = House(4)
    house.start()
    with pytest.raises(Refused) as refusal:
        rulings.reopened(house.table, house.table.host, LUCK)
    assert refusal.value.code == "not_over"
    house.absent("bob")
    house.kick("ann", "bob")
    house.back("bob")
    house.absent("cy")
    house.kick("ann", "cy")
    house.kick("ann", "dee")
    assert house.phase == "over"
    assert len(house.table.summary.players) == 4  # the players stay in the list while the game is on the table
    with pytest.raises(Refused) as refusal:
        rulings.reopened(house.table, house.seat("bob"), LUCK)
    assert refusal.value.code == "not_host"
    told = house.happen(rulings.reopened(house.table, house.table.host, (laws.seed_bytes(2), None)))
    assert [type(event) for event in told] == [Dealt] * 3
    assert house.names == ["ann", "bob", "dee"]  # Cy was not there
    view = house.view("dee")
    assert (view.phase, view.coins, view.deck, view.out, view.kicked) == ("pre_game", (2, 2, 2), 9, (), ())
    assert house.host == "ann"
    house.join("gus")
    house.start()
    assert house.view("gus").current == 0
    assert house.seat("dee").number == 2


def test_u70_the_seat_s_luck_is_new_every_time() -> None:
    house = House(2)
    hands = set()
    for number in range(2, 12):
        house.start()
        house.kick("ann", "bob")
        house.happen(rulings.reopened(house.table, house.table.host, (laws.seed_bytes(number), None)))
        hands.add(house.hand("ann") + house.hand("bob"))
    assert len(hands) > 5


# A thousand games with bad connections


def check_table(house: House) -> None:
    """The table can go on, by itself or by somebody who is there; and it has a host who is there, if anybody is."""
    table, game = house.table, house.table.game
    present = [seat for seat in table.seats.values() if seat.human and seat.present]
    if present:
        assert table.host in present
    if table.phase != "playing":
        return
    view = game.view(table.state, None)
    missing = {seat.number for seat in table.seats.values() if not seat.present and seat.number not in view.out}
    assert set(view.missing) == missing
    assert (view.paused_since is not None) == bool(missing)
    if not missing:
        awaited = game.awaited(table.state)
        assert awaited or table.clocks()
        assert all(game.moves(table.state, seat) for seat in awaited)


def disturb(house: House, dice: QuickDice) -> None:
    """One thing happens: a move, or somebody comes, goes, is kicked or leaves; or time passes."""
    table = house.table
    game = table.game
    house.now += dice.below(3000)
    seats = list(table.seats.values())
    match dice.below(20):
        case 0:
            here = [seat for seat in seats if seat.human and seat.present]
            if here:
                house.absent(dice.choice(here).name)
        case 1 | 2 | 3:
            away = [seat for seat in seats if seat.human and not seat.present]
            if away:
                house.back(dice.choice(away).name)
        case 4 if dice.below(4) == 0 and table.host is not None and table.host.present:
            others = [seat for seat in seats if seat is not table.host and not seat.present]
            if others:
                house.kick(table.host.name, dice.choice(others).name)
        case 5 if dice.below(20) == 0:
            here = [seat for seat in seats if seat.human and seat.present]
            if len(here) > 1:
                house.rise(dice.choice(here).name)
        case 6:
            house.now += dice.below(200_000)
            house.happen(fall_due(table, house.bots, SETTINGS, house.now, dice))
        case _:
            movers = [
                seat for seat in seats if seat.present and not seat.kicked and game.moves(table.state, seat.number)
            ]
            if movers:
                seat = dice.choice(movers)
                house.move(seat.name, dice.choice(game.moves(table.state, seat.number)))


def bring_to_an_end(house: House, dice: QuickDice, way: int) -> None:
    """However it stands, the game ends: all return and play; or the host kicks who is missing; or time passes."""
    table, game = house.table, house.table.game
    for _ in range(3000):
        if table.phase != "playing":
            return
        away = [seat for seat in table.seats.values() if seat.human and not seat.present]
        view = game.view(table.state, None)
        missed = [seat for seat in away if seat.number in view.missing]
        host = table.host
        if way == 0 and away:
            house.back(dice.choice(away).name)
        elif way == 1 and missed and host is not None and host.present:
            house.kick(host.name, dice.choice(missed).name)
        elif way == 1 and missed:
            house.back(missed[0].name)
        else:
            awaited = game.awaited(table.state)
            if awaited and way < 2:
                seat = awaited[0]
                house.happen([entries.Moved(seat, dice.choice(game.moves(table.state, seat)))])
            else:
                due = min(clock.due for clock in table.clocks())
                house.now = max(house.now, due)
                house.happen(fall_due(table, house.bots, SETTINGS, house.now, dice))
        check_table(house)


@pytest.mark.parametrize("batch", range(10))
def test_a_thousand_games_with_bad_connections_never_get_stuck(batch: int) -> None:
    ends = set()
    for number in range(100):
        seed = 100 * batch + number
        dice = QuickDice(seed)
        way = seed % 3
        options = {
            "ruleset": "official" if seed % 2 else "note",
            "confirm_policy": "all" if seed % 5 == 0 else "wait",
            "auto_kick_ms": 300_000 if way == 2 or seed % 7 else 0,
        }
        house = House(2 + seed % 5, (laws.seed_bytes(seed), None), **options)
        house.start()
        for _ in range(dice.below(80)):
            if house.phase != "playing":
                break
            disturb(house, dice)
            check_table(house)
        bring_to_an_end(house, dice, way)
        assert house.phase in ("over", "closed"), f"stuck: seed {seed}"
        ends.add(house.phase)
    assert "over" in ends


def test_a_stale_answer_after_a_pause_is_judged_by_what_is_open_then() -> None:
    house = House(3)
    house.start()
    house.move("ann", Propose("tax"))
    house.absent("cy")
    house.back("cy")
    assert house.move("cy", CallBs("action"))
