"""The law that ids are secrets too: who knew a card before a shuffle can't follow it through.

An id that people are shown, and that survives a shuffle, tells where a known card went. No state that anybody imagines
for a single moment shows that, since in each of them the id looks harmless. So here whatever goes through a shuffle is
marked, as one would mark the backs of cards, and looked for in what people are shown afterwards.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from croupier.kernel import Chance, Dice
from croupier.kernel.chance import QuickDice
from croupier.laws.aliasing import parts
from croupier.laws.broken import Broken
from croupier.laws.looking import heard, who
from croupier.laws.steps import START, AnyGame
from croupier.laws.walking import Walk, seed_bytes

WORLDS = 6
"""How many states somebody imagines who is asked what they know."""


class MarkedNumber(int):
    """The id of a card that went through a shuffle."""


class MarkedText(str):
    """The same, where ids are texts."""

    __slots__ = ()


class MarkingChance(Chance):
    """Marks what is shuffled: ids, or cards with a field ``id``."""

    shuffled: set[Any] = msgspec.field(default_factory=set)
    """The ids that went through a shuffle, since somebody has last looked."""

    def shuffle(self, items: MutableSequence[Any], what: str) -> None:
        super().shuffle(items, what)
        items[:] = [_marked(item) for item in items]
        self.shuffled |= {getattr(item, "id", item) for item in items}


class MarkedWalk(Walk):
    """A game with marked cards."""

    def __init__(self, game: AnyGame, seats: int, options: Any, seed: int, limit: int) -> None:
        super().__init__(game, seats, options, seed, limit)
        self.chance = MarkingChance(seed_bytes(seed))

    def deal(self) -> Any:
        return self.game.deal(self.options, self.seats, self.chance, START)


def check_shuffles(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 1000) -> int:
    """Nobody can follow a card through a shuffle by its id. Returns how many shuffles there were after the deal.

    Ids are numbers or texts, in lists that are shuffled or in fields ``id`` of what is shuffled; and the state says
    in a dict, a list of texts or a struct which cards they are. Others are not found.

    >>> from croupier.games.cambia import game
    >>> check_shuffles(game, 2, game.Options(), seed=0)
    1
    """
    walk = MarkedWalk(game, seats, options, seed, limit)
    try:
        with walk.blamed():
            return _check(walk)
    except Broken as broken:
        if "Marked" in broken.what:  # a game that copies its state by way of JSON, which can't write marked ids
            return 0
        raise


def _check(walk: MarkedWalk) -> int:
    game, chance = walk.game, walk.chance
    observers: list[int | None] = [None, *range(walk.seats)]
    dice = QuickDice(walk.seed)
    before: Any = None
    known: dict[int | None, set[Any]] = {}
    shuffles = 0
    for state, _ in walk:
        if chance.shuffled and before is not None:
            shuffles += 1
            known = {observer: _known(game, before, observer, chance.shuffled, dice)[0] for observer in observers}
        chance.shuffled = set()
        for observer, cards in known.items():
            seen = cards & _marks([game.view(state, observer), *heard(walk.events, observer)])
            unknown = _known(game, state, observer, seen, dice)[1] if seen else ()
            for card in unknown:
                raise walk.broken(
                    f"{who(observer)} knew which card {card!r} is, then it was shuffled; now {who(observer)} is shown "
                    f"{card!r} again, and should not know which card it is.",
                    "Ids are secrets too: give all cards new ones with every shuffle, by their places in the shuffled "
                    "deck, or show no ids of cards that lie face down.",
                )
        before = deepcopy(state)
    return shuffles


def _marked(item: Any) -> Any:
    if isinstance(item, str):
        return MarkedText(item)
    if isinstance(item, int) and not isinstance(item, bool):
        return MarkedNumber(item)
    if isinstance(item, msgspec.Struct) and isinstance(id := getattr(item, "id", None), int | str):
        return msgspec.structs.replace(item, id=_marked(id))
    return item


def _marks(shown: Sequence[Any]) -> set[Any]:
    """The marked ids among what is shown."""
    return {part for one in shown for _, part in parts("", one) if isinstance(part, MarkedNumber | MarkedText)}


def _known(game: AnyGame, state: Any, observer: int | None, cards: set[Any], dice: Dice) -> tuple[set[Any], set[Any]]:
    """The ids of cards that somebody knows, the same ones in all they imagine; and those of cards they don't know."""
    truth = _about(state, cards)
    worlds = [_about(game.imagine(state, observer, dice), cards) for _ in range(WORLDS)]
    known = {card for card in truth if all(world.get(card) == truth[card] for world in worlds)}
    return known, truth.keys() - known


def _about(state: Any, cards: set[Any]) -> dict[Any, list[Any]]:
    """What a state says about the cards of some ids."""
    numbers = [card for card in cards if isinstance(card, int)]
    found: dict[Any, list[Any]] = {}
    for _, part in parts("state", state):
        if isinstance(part, dict):
            for card in cards & part.keys():
                found.setdefault(card, []).append(part[card])
        elif isinstance(part, list) and part and isinstance(part[0], str):
            for number in numbers:
                if 0 <= number < len(part):
                    found.setdefault(number, []).append(part[number])
        elif isinstance(part, msgspec.Struct) and (id := getattr(part, "id", None)) in cards:
            found.setdefault(id, []).append(part)
    return found
