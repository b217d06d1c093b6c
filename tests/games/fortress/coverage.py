"""Random games with random decks, and which texts of which cards have come up in them.

``python -m tests.games.fortress.coverage 10000`` plays so many and prints the table; the tests play fewer.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from croupier import laws
from croupier.games.fortress import Fortress, resolution
from croupier.games.fortress import effects as fx
from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS, KIND, SHIELDS_MAGES, STEADFAST_SOLDIERS, TAUNTS, WOULD_BE_DESTROYED
from croupier.games.fortress.decks import ALLOWED
from croupier.games.fortress.options import Options
from croupier.games.fortress.places import MAGES, SLOT, SOLDIERS
from croupier.games.fortress.position import POINTS, controls, points
from croupier.games.fortress.state import Pay, Perform, State, Unit
from croupier.kernel import Chance
from croupier.kernel.chance import QuickDice

fortress = Fortress()
CASTLES = [card.id for card in CARDS if card.kind == "castle"]
TEXTS = {(card.id, number) for card in CARDS for number in range(len(card.texts))}

Used = Counter[tuple[int, int]]
"""By card and number of the text."""


def random_deck(dice: QuickDice) -> tuple[int, ...]:
    stock = [card for card, copies in enumerate(ALLOWED) for _ in range(copies)]
    dice.shuffle(stock, "deck")
    return (*stock[:50], dice.choice(CASTLES))


def held(state: State, seat: int) -> Iterator[int]:
    """All cards of a player but the castle, wherever they are."""
    side = state.sides[seat]
    yield from (*side.deck, *side.hand, *side.discard)
    yield from (unit.card for each in state.sides for unit in each.field if unit is not None and unit.owner == seat)
    yield from (
        task.card for task in state.agenda if isinstance(task, Pay) and task.seat == seat and task.start.zone == "deck"
    )


def conserved(state: State) -> None:
    """50 cards each, and no more copies than a deck may have."""
    for seat, side in enumerate(state.sides):
        cards = Counter(held(state, seat))
        assert cards.total() == (0 if side.castle < 0 else 50)
        assert all(count <= ALLOWED[card] for card, count in cards.items())


def play(seed: int, used: Used) -> State:
    """One game of two who do anything; every card of both decks is accounted for."""
    dice = QuickDice(seed)
    state = fortress.deal(Options(), 2, Chance(laws.seed_bytes(seed)), 0)
    decks = [random_deck(dice) for _ in range(2)]
    for seat, deck in enumerate(decks):
        fortress.play(state, seat, mv.BringDeck(deck), 0)
    while awaited := fortress.awaited(state):
        seat = awaited[0]
        move = dice.choice(fortress.moves(state, seat))
        if isinstance(move, mv.AttackCard):
            _note_attack(state, seat, move, used)
        elif isinstance(move, mv.EndTurn) and len(state.sides[seat].hand) > 10:
            used[state.sides[seat].castle, 0] += state.sides[seat].castle == 2
        asked = state.request
        fortress.play(state, seat, move, 0)
        if asked is not None and asked.kind == "protect" and move == mv.Answer(True):
            used[asked.card, WOULD_BE_DESTROYED[asked.card]] += 1
    for seat, deck in enumerate(decks):
        assert sorted(held(state, seat)) == sorted(deck[:50]), f"cards were lost or invented in game {seed}"
    return state


def _note_attack(state: State, seat: int, move: mv.AttackCard, used: Used) -> None:
    """Texts that are always on and make a difference to this attack."""
    own, enemy = state.sides[seat], state.sides[1 - seat]
    attacker = own.field[SLOT[move.attacker]]
    aim = SLOT.get(move.target)
    defender = None if aim is None else enemy.field[aim]
    assert attacker is not None
    guarded = any(enemy.field[slot] is not None for slot in SOLDIERS)
    used[10, 1] += defender is not None and defender.card in TAUNTS
    used[24, 0] += defender is None and guarded
    used[25, 1] += 0 < attacker.level < 3 and not attacker.may_attack
    used[27, 1] += controls(enemy, SHIELDS_MAGES) and any(enemy.field[slot] is not None for slot in MAGES)
    for whose, unit in ((seat, attacker), (1 - seat, defender)):
        if unit is not None:
            castles = state.sides[whose].castle, state.sides[1 - whose].castle
            used[5, 0] += castles[0] == 5 and unit.level > 0
            used[1, 0] += castles[1] == 1 and _uncapped(unit, castles[0]) > points(state, whose, unit)


def _uncapped(unit: Unit, castle: int) -> int:
    return POINTS[unit.card] + unit.change + 5 * (castle == 5 and unit.level > 0)


def run(games: int, first: int = 0) -> tuple[Used, Counter[str], int]:
    """Texts used, reasons for the end, and the longest game's turns."""
    used: Used = Counter()
    reasons: Counter[str] = Counter()
    longest = 0
    perform = resolution.TASKS[Perform]

    def noted(state: State, task: Any, out: list[ev.AnyEvent]) -> None:
        if task.step == 0 and not task.asked:
            used[task.card, task.text] += 1
            step = CARDS[task.card].texts[task.text].effects[0]
            castle = state.sides[1 - task.seat].castle
            if isinstance(step, fx.Stun) and castle in STEADFAST_SOLDIERS:
                used[castle, 0] += 1
        perform(state, task, out)

    resolution.TASKS[Perform] = noted
    try:
        for seed in range(first, first + games):
            state = play(seed, used)
            assert state.winner is not None and state.reason is not None
            reasons[state.reason] += 1
            longest = max(longest, state.turn)
    finally:
        resolution.TASKS[Perform] = perform
    return used, reasons, longest


def table(used: Used) -> Sequence[str]:
    """Coverage by card: how often each of its texts came up."""
    return [
        f"{card.id:3} {KIND[card.id]:9} {card.name:22}"
        + "  ".join(f"{text.trigger}: {used[card.id, number]}" for number, text in enumerate(card.texts))
        for card in CARDS
    ]


if __name__ == "__main__":
    texts, ends, turns = run(int(sys.argv[1]))
    print("\n".join(table(texts)))  # noqa: T201
    print(f"{dict(ends)}, at most {turns} turns; never used: {sorted(TEXTS - set(+texts)) or 'nothing'}")  # noqa: T201
