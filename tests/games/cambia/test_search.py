"""The chronicler: what it makes of what others do, and positions that a rule gets wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from croupier.arena.playing import Contest
from croupier.games.cambia.beliefs import UNKNOWN, Beliefs
from croupier.games.cambia.bot import LOW_ENOUGH, Elephant
from croupier.games.cambia.cards import RANK, VALUE
from croupier.games.cambia.events import Dealt
from croupier.games.cambia.moves import AnyMove, CallCambia, Discard, DrawStockpile, Named, Replace, Snap, UseSpecial
from croupier.games.cambia.search import CambiaGuide, Chronicler
from croupier.games.cambia.state import Card, State
from croupier.kernel import Bot, Budget, Event, Move
from croupier.kernel.chance import QuickDice
from croupier.laws import seed_bytes
from tests.games.cambia.positions import cambia, play, table

NODES = 200


def chronicler(state: State, known: str) -> Chronicler:
    """In seat 0, which has seen the deal and these cards."""
    player = Chronicler()
    player.observe(0, [Dealt(1, tuple(map(tuple, state.hands)), None, len(state.stock), len(state.pile))])
    remind(player.rule, state, known)
    return player


def remind(player: Elephant, state: State, known: str) -> None:
    for card in known.split():
        state.seen[card] = state.seen.get(card, 0) | 1
        player.faces[card] = state.faces[card]


def elephant(state: State, known: str) -> Elephant:
    player = Elephant()
    remind(player, state, known)
    return player


def searched(player: Chronicler, state: State, nodes: int = NODES, seed: int = 1) -> Move:
    moves = cambia.moves(state, 0)
    move = player.search(cambia, state, 0, moves, QuickDice(seed), Budget(nodes=nodes))
    assert move in moves
    return move


def at_once(player: Bot, state: State) -> Move:
    return player.choose(0, cambia.view(state, 0), cambia.moves(state, 0), QuickDice(1))


def followed(player: Chronicler, state: State, seat: int, *moves: AnyMove) -> None:
    for move in moves:
        events = cambia.play(state, seat, move, 0)
        player.observe(0, [seen for event in events if (seen := event.seen_by(0)) is not None])


def test_who_is_known_to_be_high_is_called_upon() -> None:
    """Eight is much, but nobody gets down to it from 35 in a turn. To wait only gives them time."""
    state = table("4s 4d", "Qd Qh Jc")
    known = "a0 a1 b0 b1 b2"
    assert at_once(elephant(state, known), state) == DrawStockpile()
    assert searched(chronicler(state, known), state) == CallCambia()


LAST_TURN = ("9c", "R", "B", "Kh")


@pytest.mark.parametrize("hidden", range(len(LAST_TURN)))
def test_in_the_last_turn_only_less_than_the_caller_counts(hidden: int) -> None:
    """The caller has four. With a Four in place of the card that was never seen, seven is certain, and lost; three and
    that card may be less. It makes no difference what it is in the world that was given to the search."""
    unseen = list(LAST_TURN)
    mine = unseen.pop(hidden)
    state = table(f"3s {mine}", "4h", stock=f"4d {' '.join(unseen)} 9d", current=1)
    known = "a0 b0 s0"
    play(state, 1, CallCambia())
    play(state, 0, DrawStockpile())
    assert at_once(elephant(state, known), state) == Replace("a1")
    for seed in range(3):
        assert searched(chronicler(state, known), state, seed=seed) == Discard("s0")


def test_what_somebody_has_chosen_to_keep_is_taken_from_them() -> None:
    """They put the drawn card in the place of one that they threw: that is the one to have for a Queen."""
    state = table("9c Qc", "8d 9d 10d", stock="3h Js 8c Jd 10s 9h Qh 2s 4s", current=1)
    player = chronicler(state, "a0 a1")
    followed(player, state, 1, DrawStockpile(), Replace("b1"))
    followed(player, state, 0, DrawStockpile(), Discard("s1"))
    rule = elephant(state, "a0 a1")
    assert at_once(rule, state) == UseSpecial("swap_blind", Named("a1"), Named("b0"))
    assert searched(player, state, nodes=0) == UseSpecial("swap_blind", Named("a1"), Named("s0"))
    found = [[VALUE[world.faces[card]] for card in ("s0", "b0", "b2")] for world in worlds(player, state)]
    kept, *others = (sum(values) / len(values) for values in zip(*found, strict=True))
    assert kept < min(others) - 3


def test_a_card_is_thrown_for_the_one_that_it_takes_along() -> None:
    """Eight for Nine is a point less; but thrown, the Eight takes the other Eight along."""
    state = table("8c 9c", "5h 5d 6d", stock="8d 2c 3c 4h 7d Jc Qd 10s 9s")
    play(state, 0, DrawStockpile())
    known = "a0 a1 s0"
    assert at_once(elephant(state, known), state) == Replace("a1")
    player = chronicler(state, known)
    assert searched(player, state) == Discard("s0")
    throw_events = cambia.play(state, 0, Discard("s0"), 0)
    player.observe(0, [seen for event in throw_events if (seen := event.seen_by(0)) is not None])
    assert searched(player, state) == Snap("a0")


def test_a_snap_is_not_thought_about() -> None:
    state = table("8c 9c", "5h 5d 6d", pile="8h")
    player = chronicler(state, "a0")
    assert searched(player, state, nodes=0) == Snap("a0")
    state.current = 1
    assert player.interject(0, cambia.view(state, 0), cambia.moves(state, 0), QuickDice(1)) == Snap("a0")


def test_beliefs_go_with_the_card() -> None:
    """What somebody has kept is low, and is as low when somebody else has it."""
    state = table("9c Qc", "8d 9d", stock="3h Js 8c Jd", current=1)
    player = chronicler(state, "a0 a1")
    beliefs = player.rule.beliefs
    followed(player, state, 1, DrawStockpile(), Replace("b1"))
    assert beliefs.limits == {"s0": 6}
    assert beliefs.value("s0", 1) < beliefs.value("b0", 1)
    followed(player, state, 0, DrawStockpile(), Discard("s1"))
    followed(player, state, 0, UseSpecial("swap_blind", Named("a1"), Named("s0")))
    assert beliefs.limits == {"s0": 6}
    assert beliefs.value("s0", 0) < beliefs.value("b0", 1)
    assert beliefs.hands == state.hands == [["a0", "s0"], ["b0", "a1"]]


class Witness(Elephant):
    """Counts how often what it believes of others is true."""

    def __init__(self) -> None:
        super().__init__()
        self.beliefs = Beliefs()
        self.contest: Contest
        self.true: Counter[str] = Counter()
        self.false: Counter[str] = Counter()

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        super().observe(seat, events)
        self.beliefs.follow(events)
        faces, beliefs = self.contest.state.faces, self.beliefs
        for card in faces:
            value = VALUE[faces[card]]
            self.count("limit", card in beliefs.limits, value <= beliefs.limits.get(card, 13))
            self.count("floor", card in beliefs.floors, value >= beliefs.floors.get(card, -1))
            unlike = beliefs.unlike.get(card, frozenset())
            self.count("unlike", bool(unlike), value <= 0 or RANK[faces[card]] not in unlike)
        for lower, higher in beliefs.pairs:
            if lower in faces and higher in faces:
                self.count("pair", True, VALUE[faces[lower]] <= VALUE[faces[higher]])
        for known, unknown, called in beliefs.sums.values():
            if all(card in faces for card in known):
                low = sum(VALUE[faces[card]] for card in known) + UNKNOWN * unknown <= LOW_ENOUGH
                self.count(f"sum {called}", True, low is called)

    def count(self, what: str, believed: bool, true: bool) -> None:
        if believed:
            (self.true if true else self.false)[what] += 1


@pytest.mark.parametrize("seats", [2, 4])
def test_of_elephants_what_is_believed_is_true(seats: int) -> None:
    true: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for seed in range(15):
        bots = [Witness() for _ in range(seats)]
        contest = Contest(cambia, cambia.Options(), seed_bytes(seed), bots)
        for bot in bots:
            bot.contest, bot.true, bot.false = contest, true, false
        contest.play()
    for what in ("limit", "floor", "unlike", "pair", "sum True", "sum False"):
        assert true[what] > 20
        assert false[what] < 0.05 * true[what], what


def worlds(player: Chronicler, state: State, count: int = 200) -> list[State]:
    guide, dice = CambiaGuide(cambia, 0, player), QuickDice(1)
    return [guide.imagine(state, dice) for _ in range(count)]


def test_in_all_worlds_there_are_the_same_cards_and_what_was_seen_is_the_same() -> None:
    state = table("9c Qc", "8d 9d", stock="3h Js 8c Jd 2d 5s", current=1)
    player = chronicler(state, "a0 a1")
    followed(player, state, 1, DrawStockpile(), Replace("b1"))
    seen = [card for card in state.faces if state.seen.get(card, 0) & 1]
    for world in worlds(player, state):
        assert sorted(world.faces.values()) == sorted(state.faces.values())
        assert [world.faces[card] for card in seen] == [state.faces[card] for card in seen]
        assert (world.hands, world.stock, world.pile) == (state.hands, state.stock, state.pile)


def test_who_has_called_has_little_and_who_has_not_has_more() -> None:
    for called in (True, False):
        state = table("9c Qc", "Ac 3d", stock="10d 4h Jd 6s 2h 8c 7d Kc 5d As", current=1)
        player = chronicler(state, "a0 a1")
        player.rule.beliefs.knowers.update(b0=2, b1=2)
        moves: list[AnyMove] = [CallCambia()] if called else [DrawStockpile(), Discard("s0")]
        followed(player, state, 1, *moves)
        sums = [sum(VALUE[world.faces[card]] for card in world.hands[1]) for world in worlds(player, state)]
        as_believed = sum((sum_ <= LOW_ENOUGH) is called for sum_ in sums)
        assert as_believed > 0.75 * len(sums)


def test_what_was_not_snapped_does_not_match() -> None:
    """They have looked at a card when a Ten lay there, and it is still there."""
    state = table("9c Qc", "10s 3d", stock="4h Jd 6s 2h 10c 10d", pile="10h", current=1)
    player = chronicler(state, "a0 a1")
    player.observe(0, [Dealt(1, tuple(map(tuple, state.hands)), Card("p0", "10♥"), len(state.stock), 1)])
    before = sum(RANK[world.faces["b0"]] == "10" for world in worlds(player, state))
    player.rule.beliefs.knowers["b0"] = 2
    followed(player, state, 1, DrawStockpile())
    after = sum(RANK[world.faces["b0"]] == "10" for world in worlds(player, state))
    assert after < before / 4


def test_a_new_round_is_a_new_deal() -> None:
    state = table("9c Qc", "8d 9d", stock="3h Js 8c Jd", current=1)
    player = chronicler(state, "a0 a1")
    followed(player, state, 1, DrawStockpile(), Replace("b1"))
    player.observe(0, [Dealt(2, (("x",), ("y",)), None, 5, 0)])
    beliefs = player.rule.beliefs
    assert (beliefs.hands, beliefs.limits, beliefs.knowers) == ([["x"], ["y"]], {}, {})


def test_who_comes_late_has_no_beliefs() -> None:
    state = table("9c Qc", "8d 9d", stock="3h Js 8c Jd", current=1)
    player = Chronicler()
    followed(player, state, 1, DrawStockpile(), Replace("b1"))
    assert player.rule.beliefs.limits == {}


def test_of_a_match_the_round_is_what_is_thought_about() -> None:
    state = table("4s 4d", "Qd Qh Jc", circuit=True, rounds=2)
    player = chronicler(state, "a0 a1 b0 b1 b2")
    race = player.race(cambia, state, 0, cambia.moves(state, 0), QuickDice(1))
    race.run(Budget(nodes=20))
    assert isinstance(race.guide, CambiaGuide)
    assert race.guide.ended is not None
    assert len(race.findings()) >= 2
    assert all(finding.mean > 0.5 for finding in race.findings())


def test_a_game_that_is_over_is_worth_what_it_has_come_to() -> None:
    for seat, won in ((0, True), (1, False)):
        state = table("Ac 2c", "Qd Qh", stock="4c 5c 6c")
        play(state, 0, CallCambia())
        play(state, 1, DrawStockpile())
        play(state, 1, Discard("s0"))
        result = cambia.result(state)
        assert result is not None
        assert (CambiaGuide(cambia, seat, Chronicler()).gain(result, state) > 0.5) is won
