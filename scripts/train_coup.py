"""Work out what positions of a Coup duel are worth: the table that the cardinal thinks with.

    python scripts/train_coup.py            writes src/croupier/games/coup/duel/worth.bin, in a minute or two

Bots that know the game play thousands of duels, with a random move now and then so that they get about, and a
logistic regression learns who wins: by coins, and by what each hand is worth with them and against the other. The worth
of a turn could be worked out by solving the turns after it, too; that was tried, and taught the cardinal to hoard
Contessas: what it has to know is what wins against players who lie and doubt as players do. With the same seed, the
same table comes out.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

from croupier.games.coup.bot import Believer, Honest, living, strongest, wish
from croupier.games.coup.characters import CHARACTERS, Character
from croupier.games.coup.duel.hands import HANDS, number_of
from croupier.games.coup.duel.worth import LEVELS, PLACE, PURSE
from croupier.games.coup.moves import AnyMove
from croupier.games.coup.options import Options
from croupier.games.coup.rules import Coup
from croupier.games.coup.state import View
from croupier.kernel import Bot, Chance, Dice
from croupier.kernel.chance import QuickDice

Array = Any
RANDOM = 80
"""Of a thousand moves, so many are random."""
LONGEST = 600
RIDGE = 3.0
"""How much evidence a weight needs."""
coup = Coup()


class Brazen(Believer):
    """Taxes whatever it has, until it is caught."""

    def _propose(
        self, seat: int, view: View, moves: Sequence[AnyMove], hand: Sequence[Character], dice: Dice
    ) -> AnyMove:
        others = strongest(view, living(view, seat))
        wishes = [wish(moves, "coup", other) for other in others]
        if "assassin" in hand:
            least = 0.75 if view.ruleset == "official" else 0.35
            chances = {other: self.chance_of(seat, view, other, "contessa") for other in others}
            targets = [other for other in sorted(others, key=chances.__getitem__) if chances[other] < least]
            wishes += [wish(moves, "assassinate", other) for other in targets]
        if "duke" in hand or "duke" not in self.burnt:
            wishes.append(wish(moves, "tax"))
        found = next((found for found in wishes if found is not None), None)
        return found or super()._propose(seat, view, moves, hand, dice)


LEAGUE: tuple[type[Bot], ...] = (*[Believer] * 6, *[Brazen] * 2, Honest)


def played(ruleset: str, games: int, seed: int) -> Array:
    """Every turn: cards and coins of both, their hands, and whether who was to move has won."""
    options = Options(ruleset=ruleset, confirm_policy="all")  # type: ignore[arg-type]
    dice = QuickDice(seed)
    rows: list[tuple[int, ...]] = []
    for number in range(games):
        luck = Chance(hashlib.sha256(f"{seed} {ruleset} {number}".encode()).digest())
        state = coup.deal(options, 2, luck, 0)
        bots = [dice.choice(LEAGUE)() for _ in range(2)]
        turns = []
        for _ in range(LONGEST):
            awaited = coup.awaited(state)
            if not awaited:
                break
            seat = awaited[0]
            if state.phase == "awaiting_action":
                turns.append((seat, *told(state, seat)))
            moves = coup.moves(state, seat)
            move = bots[seat].choose(seat, coup.view(state, seat), moves, dice)
            if len(moves) > 1 and dice.below(1000) < RANDOM:
                move = dice.choice(moves)
            events = coup.play(state, seat, move, 0)  # type: ignore[arg-type]
            for place, bot in enumerate(bots):
                bot.observe(place, [seen for event in events if (seen := event.seen_by(place)) is not None])
        result = coup.result(state)
        if result is not None:
            (winner,) = result.placings[0]
            rows += [(*turn, seat == winner) for seat, *turn in turns]
    return np.array(rows, dtype=np.int8)


def told(state: Any, seat: int) -> tuple[int, ...]:
    other = 1 - seat
    hands = [
        number_of([state.faces[card] for slot, card in enumerate(hand) if slot not in lost])
        for hand, lost in zip(state.hands, state.lost, strict=True)
    ]
    lives = [2 - len(state.lost[player]) for player in (seat, other)]
    purses = [min(PURSE - 1, state.coins[player]) for player in (seat, other)]
    return (*lives, *purses, hands[seat], hands[other])


COUNTS = {
    held: np.array([[hand.count(character) for character in CHARACTERS] for hand in HANDS[held]], dtype=np.float32)
    for held in (1, 2)
}


def features(lives: tuple[int, int], purses: Array, others: Array, own: Array, hands: Array) -> Array:
    """What the regression looks at: coins, what they can buy, who is there with them, and who is there against whom."""
    size = len(purses)

    def each(values: Array, count: int) -> Array:
        return (values[:, None] == np.arange(count)).astype(np.float32)

    def both(one: Array, other: Array) -> Array:
        return (one[:, :, None] * other[:, None, :]).reshape(size, -1)

    mine, theirs = np.minimum(COUNTS[lives[0]][own], 1), np.minimum(COUNTS[lives[1]][hands], 1)
    twins = [(COUNTS[held][number] > 1).any(1, keepdims=True) for held, number in zip(lives, (own, hands), strict=True)]
    buys, bought = (each((coins >= 3).astype(int) + (coins >= 7), 3) for coins in (purses, others))
    parts = [
        np.ones((size, 1)), each(purses, PURSE), each(others, PURSE), both(buys, bought),
        (purses * others)[:, None] / 30, ((purses - others) / 5)[:, None],
        both(mine, buys), both(mine, bought), both(theirs, buys), both(theirs, bought), *twins, both(mine, theirs),
    ]  # fmt: skip
    return np.concatenate([part.astype(np.float32) for part in parts], axis=1)


def fitted(seen: Array, won: Array) -> Array:
    """Weights of a logistic regression, by Newton's method."""
    weights = np.zeros(seen.shape[1])
    for _ in range(8):
        chances = 1 / (1 + np.exp(-(seen @ weights)))
        curve = (seen * (chances * (1 - chances) + 1e-4)[:, None]).T @ seen + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curve, seen.T @ (won - chances) - RIDGE * weights)
    return weights


def table(rows: Array, lives: tuple[int, int]) -> bytes:
    """The chances of who is to move, by coins and hands of both, a byte each."""
    level = rows[(rows[:, 0] == lives[0]) & (rows[:, 1] == lives[1])].astype(int)
    weights = fitted(features(lives, *level[:, 2:6].T), level[:, 6].astype(float))
    sizes = (PURSE, PURSE, len(HANDS[lives[0]]), len(HANDS[lives[1]]))
    every = np.stack([axis.ravel() for axis in np.indices(sizes)])
    chances = 1 / (1 + np.exp(-(features(lives, *every) @ weights)))
    if lives[1] == 1:
        chances[every[0] >= 7] = 1.0  # a coup, and it is over
    found: bytes = np.rint(255 * chances).astype(np.uint8).tobytes()
    return found


@click.command(help=__doc__)
@click.option("--games", default=12_000, help="Of each ruleset.")
@click.option("--seed", default=5)
def train(games: int, seed: int) -> None:
    parts = []
    for ruleset in ("note", "official"):
        rows = played(ruleset, games, seed)
        click.echo(f"{ruleset}: {len(rows)} turns")
        parts += [table(rows, lives) for lives in LEVELS]
    packed = zlib.compress(b"".join(parts), 9)
    PLACE.write_bytes(packed)
    click.echo(f"{PLACE}: {len(packed)} bytes")


if __name__ == "__main__":
    train()
