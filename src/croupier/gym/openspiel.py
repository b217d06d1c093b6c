"""Games as games of OpenSpiel, for its algorithms.

>>> game = load_game("coup", players=3)
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 1024)
>>> state.apply_action(7)
>>> state.current_player(), state.legal_actions()
(0, [0, 1, 2, 3, 8, 9])

All luck of a game is in one chance node at its beginning, which chooses one of so many deals: what follows from its
number, follows from it every time. A step is what it is in ``croupier.gym``, and so is an observation; its numbers are
divided by the most that each can be. An information state is a text, with all that a seat was ever shown, asked and has
said; as a tensor it would have no size.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

import msgspec
import numpy as np
import pyspiel

from croupier.gym.episode import NOBODY, Episode, Said
from croupier.gym.rewards import rewards
from croupier.gym.setup import AnyGame, Setup, find, set_up
from croupier.kernel import Chance, Event

DEALS = 1024
MAX_STEPS = 10_000
"""After so many a game is over, and nobody gets anything."""

_encode = msgspec.json.Encoder(order="deterministic").encode
_registered: dict[str, AnyGame] = {}


def load_game(
    game: str | AnyGame,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    deals: int = DEALS,
    max_steps: int = MAX_STEPS,
) -> pyspiel.Game:
    """A game by its name, by ``MODULE:OBJECT``, or itself, with the game's own options. OpenSpiel knows it from then
    on: ``pyspiel.load_game("croupier_coup(players=3,ruleset=official)")``."""
    found = find(game) if isinstance(game, str) else game
    setup = set_up(found, players, options)
    terms = {"players": setup.encoding.seats, "deals": deals, "max_steps": max_steps}
    return pyspiel.load_game(register(found), {**(options or {}), **terms})


def register(game: AnyGame) -> str:
    """Let OpenSpiel know the game; returns the name by which it does."""
    name = f"croupier_{game.name.replace('-', '_')}"
    if type(_registered.setdefault(name, game)) is not type(game):
        raise ValueError(f"OpenSpiel knows another game as {name}")
    if name not in pyspiel.registered_names():
        usual = msgspec.to_builtins(game.Options(**game.usual))
        kind = pyspiel.GameType(
            short_name=name,
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=game.seats[-1],
            min_num_players=game.seats[0],
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={
                **{name: value for name, value in usual.items() if isinstance(value, int | str)},
                "players": game.seats_for(game.Options(**game.usual))[0],
                "deals": DEALS,
                "max_steps": MAX_STEPS,
            },
        )
        pyspiel.register_game(kind, Maker(kind, game))
    return name


class Maker:
    """What makes a game when OpenSpiel asks for it by its name."""

    def __init__(self, kind: pyspiel.GameType, game: AnyGame) -> None:
        self._kind = kind
        self._game = game
        self._itself = self  # OpenSpiel lets go of it when Python is no more, and nothing may be freed then

    def __call__(self, given: dict[str, Any]) -> CardGame:
        return CardGame(self._kind, self._game, given)


class CardGame(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, kind: pyspiel.GameType, game: AnyGame, given: dict[str, Any]) -> None:
        options = {name: value for name, value in given.items() if name in game.Options.__struct_fields__}
        self.setup = set_up(game, given["players"], options)
        self.max_steps: int = given["max_steps"]
        deals = given["deals"]
        self.outcomes = [(deal, 1 / deals) for deal in range(deals)]
        encoding = self.setup.encoding
        information = pyspiel.GameInfo(
            num_distinct_actions=encoding.action_count,
            max_chance_outcomes=deals,
            num_players=encoding.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_steps,
        )
        super().__init__(kind, information, given)

    def new_initial_state(self) -> TableState:
        return TableState(self)

    def make_py_observer(self, kind: pyspiel.IIGObservationType | None = None, params: Any = None) -> Observer:
        return Observer(self.setup, kind is not None and kind.perfect_recall)


class Table:
    """All that a state holds. It is copied as a whole, and written down as what was chosen in which game."""

    def __init__(self, game: CardGame) -> None:
        self.name = str(game)
        self.setup = game.setup
        self.max_steps = game.max_steps
        self.outcomes = game.outcomes
        self.chosen: list[int] = []
        """First the deal, then what everybody has said."""
        self.episode: Episode | None = None

    def choose(self, number: int) -> None:
        if self.episode is None:
            self.episode = Episode(self.setup, seed(number), log=[])
        else:
            self.episode.say(number)
        self.chosen.append(number)

    @property
    def is_over(self) -> bool:
        return self.episode is not None and (self.episode.seat == NOBODY or len(self.chosen) > self.max_steps)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = copy.copy(self)
        twin.chosen = self.chosen.copy()
        twin.episode = copy.deepcopy(self.episode)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _played_again, (self.name, self.chosen)


def _played_again(name: str, chosen: list[int]) -> Table:
    table = Table(pyspiel.load_game(name))
    for number in chosen:
        table.choose(number)
    return table


class TableState(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self.table = Table(game)

    def current_player(self) -> int:
        if self.table.episode is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.is_over else self.table.episode.seat

    def is_terminal(self) -> bool:
        return self.table.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.table.outcomes

    def returns(self) -> list[float]:
        if self.table.episode is None or self.table.episode.result is None:
            return [0.0] * self.table.setup.encoding.seats
        return rewards(self.table.episode.result)

    def _legal_actions(self, player: int) -> list[int]:
        assert self.table.episode is not None
        return sorted(self.table.episode.choices)

    def _apply_action(self, action: int) -> None:
        self.table.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        for section in self.table.setup.encoding.actions:
            if action < section.size:
                return f"{section.name} {action}" if section.size > 1 else section.name
            action -= section.size
        raise IndexError(action)

    def __str__(self) -> str:
        return " ".join(map(str, self.table.chosen))


class Observer:
    """What a seat sees now; with perfect recall, all it has ever seen."""

    def __init__(self, setup: Setup, perfect_recall: bool) -> None:
        self._setup = setup
        self._perfect_recall = perfect_recall
        self._most = np.array(
            [section.most for section in setup.encoding.observation for _ in range(section.size)], np.float32
        )
        self.tensor = None if perfect_recall else np.zeros(setup.encoding.observation_size, np.float32)
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        at = 0
        for section in () if self.tensor is None else setup.encoding.observation:
            assert self.tensor is not None
            self.dict[section.name] = self.tensor[at : at + section.size]
            at += section.size

    def set_from(self, state: TableState, player: int) -> None:
        episode = state.table.episode
        if self.tensor is not None:
            self.tensor[:] = 0 if episode is None else np.frombuffer(episode.observe(player), np.uint8) / self._most

    def string_from(self, state: TableState, player: int) -> str:
        if state.table.episode is None:
            return ""
        recalled = _recalled(state.table, player) if self._perfect_recall else _seen(state.table.episode, player)
        return "\n".join(recalled)


def seed(deal: int) -> bytes:
    return deal.to_bytes(32, "big")


def _seen(episode: Episode, player: int) -> list[str]:
    view = _encode(episode.setup.game.view(episode.state, player)).decode()
    return [view, *_asked(episode, player)]


def _asked(episode: Episode, player: int) -> list[str]:
    """That somebody is asked, and what, tells them something as well."""
    return [f"{episode.said} {sorted(episode.choices)}"] if episode.seat == player else []


def _recalled(table: Table, player: int) -> list[str]:
    episode, setup = table.episode, table.setup
    assert episode is not None and episode.log is not None
    first = setup.game.deal(setup.options, setup.encoding.seats, Chance(seed(table.chosen[0])), 0)
    found = [_encode(setup.game.view(first, player)).decode()]
    for entry in episode.log:
        match entry:
            case Said(seat, number):
                if seat == player:
                    found.append(str(number))
            case Event() if (heard := entry.seen_by(player)) is not None:
                found.append(_encode(heard).decode())
    return [*found, *_asked(episode, player)]
