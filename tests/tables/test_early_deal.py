"""Tables of games that deal as people sit down, and customs of hosts, queues and those who are thrown out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import laws
from croupier.games import Catalogue
from croupier.kernel import Chance, Customs, Dice, Event, Result
from croupier.tables import aftermath, entries, rulings
from croupier.tables.bots import Bots
from croupier.tables.entries import AnyEntry
from croupier.tables.notices import Refused
from croupier.tables.place import Place
from croupier.tables.rulings import Newcomer
from croupier.tables.seat import Seat
from croupier.tables.settings import Settings
from croupier.tables.table import Table
from croupier.tables.timekeeping import fall_due, next_due
from tests.client import Refusal, client
from tests.live import server
from tests.toys import AnyEvent, Bidden, Bids, Left, Options, State, View

START = 1_000_000_000_000
SETTINGS = Settings()


def luck(number: int) -> rulings.Luck:
    return bytes([number]) * 32, None


class EarlyBids(Bids):
    """The cards are dealt as people sit down, and go when they rise; who is away is noted in the points."""

    customs = Customs(seating="queued", host="present", kicked="onlooker")

    def lobby(self, options: Options, chance: Chance, at: int) -> State:
        return State(0, chance, at, [], [], [], [])

    def sit(self, state: State, seat: int, at: int) -> list[AnyEvent]:
        state.players.append(seat)
        state.hands.append(sorted(1 + state.chance.below(6) for _ in range(4)))
        state.bids.append(None)
        state.points.append(0)
        return [Bidden(seat, state.hands[-1][0])]

    def rise(self, state: State, seat: int, at: int) -> list[AnyEvent]:
        del state.hands[state.players.index(seat)], state.bids[-1], state.points[-1]
        state.players.remove(seat)
        return [Left(seat)]

    def begin(self, state: State, options: Options, order: Sequence[int], at: int) -> State:
        hands = [state.hands[state.players.index(seat)] for seat in order]
        nothing: list[int | None] = [None] * len(order)
        return replace(
            state, seconds=options.seconds, since=at, hands=hands, bids=nothing, players=list(range(len(order)))
        )

    def awaited(self, state: State) -> Sequence[int]:
        return super().awaited(state) if state.seconds else ()

    def result(self, state: State) -> Result | None:
        return super().result(state) if state.seconds else None

    def imagine(self, state: State, seat: int | None, dice: Dice) -> State:
        if state.seconds:
            return super().imagine(state, seat, dice)
        own = None if seat is None else state.players.index(seat)
        return super().imagine(state, own, dice)

    def view(self, state: State, seat: int | None) -> View:
        if state.seconds == 0 and seat is not None:
            return View(tuple(state.hands[state.players.index(seat)]), None, (), (), tuple(state.players))
        return super().view(state, seat)

    def absent(self, state: State, seat: int, at: int) -> list[AnyEvent]:
        state.points[seat] -= 100
        return [Left(seat)]


class Bench:
    """A table whose time the test sets."""

    def __init__(self, people: int, game: Bids | None = None) -> None:
        self.table = Table("t", game or EarlyBids())
        self.now = START
        self.happen(rulings.opened(self.table.game, "", 4, {}, "", Newcomer("P0", "secret 0"), luck(1)))
        for number in range(1, people):
            self.join(f"P{number}")

    def happen(self, found: Iterable[AnyEntry]) -> list[Event]:
        return [event for entry in found for event in self.table.apply(entry, self.now)]

    def join(self, name: str) -> list[Event]:
        return self.happen(rulings.joined(self.table, Newcomer(name, f"secret of {name}"), ""))

    def start(self) -> list[Event]:
        return self.happen(rulings.started(self.table, self.table.host, luck(9)))

    def reopen(self, seed: int = 2) -> list[Event]:
        return self.happen(rulings.reopened(self.table, self.table.host, luck(seed)))

    def seat(self, name: str) -> Seat:
        return next(seat for seat in self.table.seats.values() if seat.name == name)

    def view(self, name: str) -> Any:
        return Place(self.table, self.seat(name)).view()

    @property
    def phase(self) -> str:
        return self.table.summary.phase

    def absent(self, name: str) -> list[AnyEntry]:
        found = list(rulings.absent(self.table, self.seat(name), self.now + 600_000))
        self.happen(found)
        return found

    def play_out(self) -> None:
        game, table = self.table.game, self.table
        while table.phase == "playing":
            seat = game.awaited(table.state)[0]
            self.happen([entries.Moved(seat, game.moves(table.state, seat)[0])])


def code(refusal: pytest.ExceptionInfo[Refused]) -> str:
    return refusal.value.code


def test_cards_are_dealt_as_people_sit_down_and_seen_by_them_alone() -> None:
    bench = Bench(1)
    (dealt,) = bench.join("P1")
    assert isinstance(dealt, Bidden)
    assert dealt.seen_by(0) == Bidden(1, None)
    assert dealt.seen_by(1) == dealt
    assert len(bench.view("P0").hand) == len(bench.view("P1").hand) == 4
    assert Place(bench.table, None).view().hand == ()
    assert Place(bench.table, bench.seat("P0")).moves() == ()
    assert not bench.table.clocks()


class Talkative(EarlyBids):
    """Everybody hears what newcomers get."""

    def sit(self, state: State, seat: int, at: int) -> list[AnyEvent]:
        super().sit(state, seat, at)
        return [Left(state.hands[-1][0])]


def test_a_leak_before_the_game_is_noticed() -> None:
    assert laws.check_lobby(EarlyBids(), Options(), 1) > 30
    with pytest.raises(laws.Broken, match=r"imagined one: events\[0\].seat is"):
        laws.check_lobby(Talkative(), Options(), 1)


def test_a_seat_that_is_given_up_is_told_to_the_rules_and_the_queue_closes_up() -> None:
    bench = Bench(3)
    (gone,) = bench.happen(rulings.left(bench.table, bench.seat("P1"), closes=False))
    assert gone == Left(1)
    bench.join("P3")
    bench.join("P1")
    assert [(number, seat.name) for number, seat in bench.table.seats.items()] == [
        (0, "P0"), (2, "P2"), (3, "P3"), (4, "P1"),
    ]  # fmt: skip
    with pytest.raises(Refused) as refusal:
        bench.join("P5")
    assert code(refusal) == "full"


def test_bots_queue_up_too() -> None:
    bench = Bench(2)
    bench.happen(rulings.left(bench.table, bench.seat("P0"), closes=False))
    bench.happen(rulings.bots_added(bench.table, bench.table.host, None, 2))
    assert list(bench.table.seats) == [1, 2, 3]
    assert len(bench.table.state.hands) == 3


def test_the_game_begins_with_the_hands_that_were_dealt() -> None:
    bench = Bench(3)
    bench.happen(rulings.left(bench.table, bench.seat("P1"), closes=False))
    before = [bench.view(name).hand for name in ("P0", "P2")]
    bench.happen(rulings.configured(bench.table, bench.table.host, {"seconds": 33}))
    bench.start()
    assert [bench.view(name).hand for name in ("P0", "P2")] == before
    assert bench.seat("P2").number == 1
    assert bench.table.state.seconds == 33
    assert bench.table.seed == luck(1)[0]  # not the one that was offered at the start


def test_the_seed_is_pledged_and_hidden() -> None:
    bench = Bench(2)
    (opened, *_) = rulings.opened(EarlyBids(), "", 4, {}, "", Newcomer("P0", "secret"), luck(7))
    assert isinstance(opened, entries.Opened)
    assert opened.seed == luck(7)[0]
    assert opened.public().seed is None
    (started,) = rulings.started(bench.table, bench.table.host, luck(9))
    assert started.public() == entries.Started((0, 1), pledge=sha256(luck(1)[0]).hexdigest())
    assert entries.Reopened(b"secret").public() == entries.Reopened()
    (plain, *_) = rulings.opened(Bids(), "", 4, {}, "", Newcomer("P0", "secret"), luck(7))
    assert isinstance(plain, entries.Opened)
    assert plain.seed is None


def test_a_journal_is_read_back_to_the_same_table() -> None:
    log: list[bytes] = []
    bench = Bench(0)
    apply = bench.table.apply

    def keep(entry: AnyEntry, at: int) -> Sequence[Event]:
        log.append(entries.encode(entry))
        return apply(entry, at)

    bench.table.clear()
    bench.table.apply = keep  # type: ignore[method-assign]
    bench.happen(rulings.opened(bench.table.game, "", 4, {}, "", Newcomer("P0", "secret 0"), luck(1)))
    bench.join("P1")
    bench.start()
    bench.play_out()
    bench.reopen()
    again = Table("t", EarlyBids())
    for line in log:
        again.apply(entries.decode(line), START)
    assert again.fingerprint() == bench.table.fingerprint()
    assert (again.phase, again.games) == ("waiting", 1)


def test_after_a_game_nobody_joins_or_starts_before_it_is_put_away() -> None:
    bench = Bench(2)
    with pytest.raises(Refused) as refusal:
        bench.reopen()
    assert code(refusal) == "not_over"
    bench.start()
    bench.play_out()
    assert bench.phase == "over"
    assert Place(bench.table, bench.seat("P0")).seed() == luck(1)[0].hex()
    with pytest.raises(Refused) as refusal:
        bench.join("P2")
    assert code(refusal) == "started"
    with pytest.raises(Refused) as refusal:
        bench.start()
    assert code(refusal) == "started"
    with pytest.raises(Refused) as refusal:
        rulings.reopened(bench.table, bench.seat("P1"), luck(2))
    assert code(refusal) == "not_host"
    events = bench.reopen()
    assert [type(event) for event in events] == [Bidden, Bidden]
    assert bench.phase == "waiting"
    assert bench.table.result is None
    assert Place(bench.table, bench.seat("P0")).seed() is None
    bench.join("P2")
    bench.start()
    bench.play_out()
    assert bench.table.games == 2


def test_who_was_thrown_out_after_a_game_is_not_thrown_out_again() -> None:
    """The seat stays until the game is put away: a host who repeats it would fill the log with nothing."""
    bench = Bench(2)
    bench.start()
    bench.play_out()
    bench.happen(rulings.kicked(bench.table, bench.table.host, 1))
    assert bench.seat("P1").kicked
    assert rulings.kicked(bench.table, bench.table.host, 1) == []


def test_who_is_away_after_a_game_keeps_the_seat_until_it_is_put_away() -> None:
    bench = Bench(3)
    bench.start()
    bench.play_out()
    bench.absent("P1")
    bench.now += 599_000
    assert list(fall_due(bench.table, Bots(bench.table), SETTINGS, bench.now, None)) == []  # type: ignore[arg-type]
    assert next_due(bench.table, Bots(bench.table), SETTINGS) > bench.now
    assert len(bench.table.summary.players) == 3
    bench.happen([entries.Back(1)])
    bench.absent("P2")
    bench.happen(rulings.left(bench.table, bench.seat("P1"), closes=False))
    assert len(bench.table.summary.players) == 3  # the game that is on the table still has their names
    assert aftermath.after_game(bench.table) == []
    bench.reopen()
    assert [seat.name for seat in bench.table.seats.values()] == ["P0"]
    assert len(bench.table.by_token) == 1
    assert aftermath.after_game(bench.table) == []


def test_who_is_not_there_when_a_game_begins_is_absent_from_it() -> None:
    bench = Bench(3)
    bench.absent("P2")
    assert bench.start() == [Left(2)]
    assert bench.table.state.points == [0, 0, -100]


def test_after_a_restart_everybody_is_absent_from_the_game() -> None:
    bench = Bench(3)
    bench.start()
    bench.absent("P1")
    assert bench.happen([entries.Resumed(START, START)]) == [Left(0), Left(2)]
    assert bench.table.state.points == [-100, -100, -100]
    waiting = Bench(2)
    assert waiting.happen([entries.Resumed(START, START)]) == []


def test_a_host_must_be_there() -> None:
    bench = Bench(3)
    bench.start()
    assert bench.absent("P1") == [entries.Absent(1, START + 600_000)]
    assert bench.absent("P0") == [entries.Absent(0, START + 600_000), entries.HandedOver(2)]
    assert bench.absent("P2") == [entries.Absent(2, START + 600_000)]  # there is nobody else
    found = list(rulings.back(bench.table, bench.seat("P1")))
    assert found == [entries.Back(1), entries.HandedOver(1)]
    bench.happen(found)
    assert list(rulings.back(bench.table, bench.seat("P0"))) == [entries.Back(0)]  # gone is gone


def test_elsewhere_a_host_who_is_away_stays_the_host() -> None:
    bench = Bench(2, Bids())
    assert bench.absent("P0") == [entries.Absent(0, START + 600_000)]
    assert list(rulings.back(bench.table, bench.seat("P0"))) == [entries.Back(0)]


@pytest.mark.parametrize(("game", "gone"), [(EarlyBids(), False), (Bids(), True)])
def test_who_is_thrown_out_may_look_on_where_that_is_the_custom(game: Bids, gone: bool) -> None:
    bench = Bench(3, game)
    bench.start()
    assert bench.happen(rulings.kicked(bench.table, bench.table.host, 1)) == [Left(1)]
    assert bench.seat("P1").kicked is gone
    assert Place(bench.table, bench.seat("P1")).lost is gone
    bench.happen(rulings.left(bench.table, bench.seat("P2"), closes=False))
    assert bench.seat("P2").kicked  # who leaves is gone in any case


def test_who_is_thrown_out_after_the_game_is_gone() -> None:
    bench = Bench(3)
    bench.start()
    bench.play_out()
    bench.happen(rulings.kicked(bench.table, bench.table.host, 1))
    assert Place(bench.table, bench.seat("P1")).lost
    bench.reopen()
    assert [seat.name for seat in bench.table.seats.values()] == ["P0", "P2"]


def test_who_joins_after_a_game_sees_it_as_a_spectator() -> None:
    bench = Bench(2, Bids())
    bench.start()
    bench.play_out()
    bench.happen([entries.Left(0)])
    bench.join("P2")
    assert bench.seat("P2").number == 0
    assert bench.view("P2") == Place(bench.table, None).view()


async def test_over_the_native_protocol(tmp_path: Path) -> None:
    toy = Catalogue({"bids": EarlyBids()}, [])
    async with (
        server(tmp_path, toy, bot_delay=0) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws?views=1")) as bob,
    ):
        opened = await ann.ask("open", game="bids", player="Ann")
        assert len(opened["sync"]["view"]["hand"]) == 4
        joined = await bob.ask("join", table=ann.table, player="Bob")
        hand = joined["sync"]["view"]["hand"]
        fact = await ann.entry("joined")
        assert fact["events"] == [{"event": "bidden", "seat": 1, "card": None}]
        assert "seed" not in fact
        with pytest.raises(Refusal):
            await ann.ask("reopen")
        await ann.ask("start")
        assert (await bob.entry("started"))["view"]["hand"] == hand
        while True:
            view = (await ann.ask("see"))["sync"]
            if view["result"]:
                break
            await ann.ask("play", move=view["moves"][0])
            await bob.ask("play", move=(await bob.ask("see"))["sync"]["moves"][0])
        assert view["table"]["phase"] == "over"
        await ann.ask("reopen")
        again = await bob.entry("reopened")
        assert again["table"]["phase"] == "waiting"
        assert len(again["view"]["hand"]) == 4
        assert again["entry"] == {"entry": "reopened"}
        assert [event["card"] is None for event in again["events"]] == [True, False]
