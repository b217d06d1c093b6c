"""Random games: how the laws come to thousands of positions.

People make moves they are offered, think for a while, lose the connection, come back and leave, alone or together;
clocks run out; the server goes away. All of it follows from a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import msgspec

from croupier.kernel import Chance, Event, Game, Illegal
from croupier.kernel.chance import QuickDice
from croupier.laws.broken import Broken, Position, blame
from croupier.laws.steps import START, Absent, AnyGame, Back, Expired, Left, Moved, Resumed, Step


def seed_bytes(seed: int) -> bytes:
    return seed.to_bytes(32, "big")


def deal(game: AnyGame, seats: int, options: Any, seed: int) -> Any:
    return game.deal(options, seats, Chance(seed_bytes(seed)), START)


class Walk:
    """A random game: every state on the way, with the step that is about to be taken; None when it is over.

    The state is the same object all the time: copy it to keep it or to change it. The game is left off after so many
    steps. Clocks run out and people leave where the game leaves it to its rules what then happens.
    """

    def __init__(self, game: AnyGame, seats: int, options: Any, seed: int, limit: int = 1000) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.limit = limit
        self.taken = 0
        """How many steps lie behind."""
        self.step: Step | None = None
        """What happens next."""
        self.events: Sequence[Event] = ()
        """What has happened in the last step."""
        self.here = list(range(seats))
        self.away: list[int] = []
        self.at = START
        """When the last step was taken."""
        self._dice = QuickDice(seed)

    def position(self) -> Position:
        """Where it has come to."""
        return Position(self.game, self.seats, self.options, self.seed, self.taken, self.step)

    def broken(self, what: str, remedy: str) -> Broken:
        return Broken(f"{self.game.title}: {what}", remedy, self.position())

    def blamed(self) -> AbstractContextManager[None]:
        """What the game's own code raises in here is said as a broken law."""
        return blame(self.game, self.position)

    def deal(self) -> Any:
        return deal(self.game, self.seats, self.options, self.seed)

    def __iter__(self) -> Iterator[tuple[Any, Step | None]]:
        state = self.deal()
        while self.taken < self.limit:
            self.step = step = self._choose(state)
            yield state, step
            if step is None:
                return
            self._note(step)
            self._take(state, step)
            self.step = None
            self.taken += 1

    def _take(self, state: Any, step: Step) -> None:
        try:
            self.events = step.take(self.game, state)
        except Illegal as illegal:
            if isinstance(step, Moved):
                raise refused(self, step, illegal) from illegal
            raise

    def _note(self, step: Step) -> None:
        self.at = step.at
        match step:
            case Left(_, seats):
                self.here = [seat for seat in self.here if seat not in seats]
                self.away = [seat for seat in self.away if seat not in seats]
            case Absent(_, seat):
                self.here.remove(seat)
                self.away.append(seat)
            case Back(_, seat):
                self.away.remove(seat)
                self.here.append(seat)

    def _choose(self, state: Any) -> Step | None:
        game, here, away, at, dice = self.game, self.here, self.away, self.at, self._dice
        if game.result(state) is not None:
            return None
        clocks = sorted(game.clocks(state), key=lambda clock: clock.due)
        ending = next((clock for clock in clocks if game.customs.late == "expire" or not clock.seats), None)
        movers = [seat for seat in here if game.moves(state, seat) or game.forms(state, seat)]
        stuck = not movers
        if ending and dice.below(2 if stuck else 20) == 0:
            return Expired(max(at, ending.due), ending.name)
        if game.customs.absent == "forfeit" and (here or away) and dice.below(10 if stuck else 50) == 0:
            return Left(at, self._leavers())
        if away and (stuck or dice.below(5) == 0):
            return Back(at + dice.below(5000), dice.choice(away))
        if ending and stuck:
            return Expired(max(at, ending.due), ending.name)
        if here and type(game).absent is not Game.absent and dice.below(30) == 0:
            return Absent(at, dice.choice(here))
        if type(game).resume is not Game.resume and dice.below(60) == 0:
            return Resumed(at + dice.below(100_000))
        if not movers:
            raise self._hang(state)
        at += dice.below(2000)
        if clocks:
            at = min(at, clocks[0].due)
        seat = dice.choice(movers)
        return Moved(at, seat, dice.choice(game.candidates(state, seat, dice)))

    def _leavers(self) -> tuple[int, ...]:
        there = [*self.here, *self.away]
        first = self._dice.choice(there)
        second = self._dice.choice(there) if self._dice.below(4) == 0 else first
        return tuple(sorted({first, second}))

    def _hang(self, state: Any) -> Broken:
        late = self.game.customs.late
        clocks = self.game.clocks(state)
        if clocks and late != "expire":
            what = f"nobody has a move, and the clock {clocks[0].name!r} can't end it since customs.late is {late!r}."
        elif self.here:
            what = "it hangs: nobody has a move, no clock runs, and there is no result."
        else:
            what = "it hangs: everybody has left, and there is no result."
        return self.broken(
            what,
            "Every state has a move for somebody, a clock that ends it, or a `result`, whoever has left or is away.",
        )


def refused(walk: Walk, step: Moved, illegal: Illegal) -> Broken:
    """``play`` has refused what ``moves`` has offered."""
    return walk.broken(
        f"a move that `moves` offers to seat {step.seat} is refused by `play`: “{illegal}”",
        "`moves` and `play` have to agree: offer only what is legal, or allow it.",
    )


def position(game: AnyGame, seats: int, options: Any, *, seed: int, step: int) -> Any:
    """The state of a random game after so many steps, as a broken law names it."""
    walk = Walk(game, seats, options, seed, step + 1)
    for state, _ in walk:
        if walk.taken == step:
            return state
    raise ValueError(f"that game is over after {walk.taken} steps")


def extremes(game: AnyGame) -> list[Any]:
    """The game's own options; then with each one at its least, at its most and at each of its values, where it makes a
    difference; and all at their least, and at their most."""
    schema = msgspec.json.schema_components([game.Options])[1][game.Options.__name__]["properties"]
    values = {name: _values(option) for name, option in schema.items()}
    ways: list[dict[str, Any]] = [{}]
    for name, option in schema.items():
        ways += [option.get("x-when", {}) | {name: value} for value in values[name]]
    ways += [{name: some[end] for name, some in values.items() if some} for end in (0, -1)]
    found = []
    for way in ways:
        try:
            options = msgspec.convert(way, game.Options)
        except msgspec.ValidationError:  # not with one another
            continue
        if options not in found:
            found.append(options)
    return found


def _values(option: dict[str, Any]) -> list[Any]:
    if option.get("type") == "boolean":
        return [False, True]
    bounds = [option[key] for key in ("minimum", "x-least", "maximum") if key in option]
    return list(option.get("enum", bounds))
