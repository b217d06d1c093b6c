"""The law of secrecy: nobody can tell the real state from one they imagine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.kernel import Chance, Dice, Event, Game, Illegal
from croupier.kernel.chance import QuickDice
from croupier.laws import aliasing
from croupier.laws.differences import difference, in_json
from croupier.laws.looking import Encoder, Shown, heard, shown, surprises, who
from croupier.laws.steps import AnyGame, Conserved, Moved, Step, encode
from croupier.laws.walking import Walk

REMEDIES = {
    "view": "`view` may show only what this seat may know. If it may know this, `imagine` has to leave it as it is.",
    "private": "`private` may tell only what `view` shows to this seat.",
    "recall": "`recall` may tell only what this seat has been shown, and `imagine` has to leave that as it is.",
    "moves": "What `moves` offers to a seat, and in which order, may only depend on what this seat may know.",
    "forms": "What `forms` offers to a seat may only depend on what this seat may know.",
    "awaited": "Everybody sees who is awaited: `awaited` may not depend on anything hidden.",
    "clocks": "Everybody sees the clocks: neither their number nor when they are due may depend on anything hidden.",
    "result": "Everybody sees the result: before the end, `result` may not depend on anything hidden.",
}
AFTERWARDS = (
    "If the step turns something over that nobody could know, the event that says so is `reveals = True`: then another "
    "state is imagined, until the same comes up. Otherwise `view`, `moves` and `clocks` may show only what this seat "
    "may know, and `imagine` has to leave alone what it has seen."
)
EVENTS = (
    "`seen_by` has to hide it from this seat. If the event turns something over that nobody could know, it is "
    "`reveals = True`; if the seat knows it already, `imagine` has to leave it as it is."
)
ANOTHER_MOVE = (
    "The table looks as if another move had been made: a hidden choice, which `seen_by` has to hide. If everybody may "
    "hear of it and draw conclusions, as when somebody asks for a rank that they must hold, the event is "
    "`reveals = True`; if it is meant to tell something that no view keeps, it is `fleeting = True`."
)
TOLD = (
    "`seen_by` has to hide it from this seat. If the seat may know it, `hidden` leaves it out, or names it among the "
    "`known` ones; if the event is meant to tell something that no view keeps, it is `fleeting = True`."
)


class Compared(NamedTuple):
    """How often something could be compared."""

    positions: int
    steps: int


def check_secrecy(
    game: AnyGame,
    seats: int,
    options: Any,
    seed: int,
    *,
    encoders: Sequence[Encoder] = (),
    conserved: Conserved | None = None,
    tries: int = 40,
    limit: int = 1000,
) -> Compared:
    """Nobody can tell the real state from one they imagine: not by what they are shown, not by what happens next.

    In every position each seat, and a spectator, imagines another state.

    * They are shown the same in both: view, moves, who is awaited, clocks, result, and what the encoders make of it.
    * The same step looks the same in both, and so does the table afterwards. Where the step is impossible in the
      imagined state or turns over something else (an event that ``reveals``), another state is imagined.
    * A different move of somebody else that leads to a table that looks the same has looked the same, so that a hidden
      choice stays hidden. Events that are ``fleeting`` are let off: they tell something that no view keeps.
    * What somebody was told last is not among what they can't see (``hidden``): that an event ``reveals`` something is
      no reason to show it to everybody.
    * ``imagine`` is a copy, forgets what the seat may not know, and the luck to come with it.

    Returns how many positions and how many steps were compared.

    >>> from croupier.games.palace import game
    >>> check_secrecy(game, 3, game.Options(), seed=1, limit=20)
    Compared(positions=80, steps=78)
    """
    walk = Walk(game, seats, options, seed, limit)
    observation = _Observation(walk, encoders, conserved, tries)
    with walk.blamed():
        for state, step in walk:
            observation.look(state, step)
        observation.conclude()
    return Compared(observation.positions, observation.steps)


class _Observation:
    """One game, seen by everybody at once."""

    def __init__(self, walk: Walk, encoders: Sequence[Encoder], conserved: Conserved | None, tries: int) -> None:
        self.walk = walk
        self.game = walk.game
        self.encoders = encoders
        self.conserved = conserved
        self.tries = tries
        self.dice: Dice = QuickDice(walk.seed)
        self.positions = self.steps = 0
        self.state: Any = None
        self.before = b""
        """What the state is, and has to be when everybody has imagined what they like."""
        self.hides = False
        """Whether some seat is shown what another is not."""
        self.forgets = False
        """Whether anything but the luck to come has ever been imagined as something else."""

    def look(self, state: Any, step: Step | None) -> None:
        self.state, self.before = state, encode(state)
        after = self.game.clone(state)
        events = step.take(self.game, after) if step else ()
        if not self.hides:
            views = [msgspec.to_builtins(self.game.view(state, seat)) for seat in range(self.walk.seats)]
            self.hides = any(_tells_more(view, views[0], seat) for seat, view in enumerate(views))
        for observer in (None, *range(self.walk.seats)):
            self._look_as(observer, state)
            if step is not None:
                self._step_as(observer, state, step, after, events)
                self._remember_as(observer, after, events)
        if encode(state) != self.before:
            raise self._not_a_copy()

    def conclude(self) -> None:
        if self.hides and not self.forgets and self.walk.taken > 3:
            raise self._lazy("nothing but what is real has been imagined by anybody in a whole game")

    def _imagine(self, state: Any, observer: int | None) -> Any:
        imagined = self.game.imagine(state, observer, self.dice)
        if self.conserved:
            self.conserved(imagined)
        return imagined

    def _look_as(self, observer: int | None, state: Any) -> None:
        imagined = self._imagine(state, observer)
        if imagined is state:
            raise self.walk.broken(
                f"what {who(observer)} imagines is the real state itself.",
                "`imagine` returns a copy, self.clone(state) to begin with, that forgets what the seat may not know.",
            )
        if self.walk.taken == 0:
            self._check_luck(state, imagined, observer)
        if not self.forgets:
            self.forgets = _without_luck(encode(imagined)) != _without_luck(self.before)
        real, other = (shown(self.game, world, observer, self.encoders) for world in (state, imagined))
        self._compare(real, other, observer)
        self.positions += 1

    def _step_as(self, observer: int | None, state: Any, step: Step, after: Any, events: Sequence[Event]) -> None:
        game, then = self.game, shown(self.game, after, observer, self.encoders)
        own = isinstance(step, Moved) and step.seat == observer
        for _ in range(self.tries):
            imagined = self._imagine(state, observer)
            try:
                imagined_events = step.take(game, imagined)
            except Illegal as illegal:
                if own:
                    raise self._own_move_refused(observer, illegal) from illegal
                continue
            if surprises(events, observer) == surprises(imagined_events, observer):
                self._compare_events(events, imagined_events, observer, EVENTS)
                self._compare(then, shown(game, imagined, observer, self.encoders), observer, afterwards=True)
                self.steps += 1
                break
        if isinstance(step, Moved) and not own:
            self._other_move_as(observer, state, step, then, events)

    def _other_move_as(
        self, observer: int | None, state: Any, step: Moved, then: Shown, events: Sequence[Event]
    ) -> None:
        game, imagined = self.game, self._imagine(state, observer)
        moves = game.candidates(imagined, step.seat, self.dice)
        if not moves:
            return
        other = game.play(imagined, step.seat, self.dice.choice(moves), step.at)
        if shown(game, imagined, observer, self.encoders) != then:
            return
        if surprises(events, observer) == surprises(other, observer):
            told, else_told = ([event for event in some if not event.fleeting] for some in (events, other))
            self._compare_events(told, else_told, observer, ANOTHER_MOVE)

    def _remember_as(self, observer: int | None, after: Any, events: Sequence[Event]) -> None:
        """Only the last event: what was told before may have been shuffled since. Only cards that are text, since a
        number can mean anything. And not at the end, when hands are shown that no view has."""
        last = [event for event in events[-1:] if event.reveals and not event.fleeting]
        if not last or type(self.game).hidden is Game.hidden or self.game.result(after):
            return
        unseen = Counter(card for pool in self.game.hidden(after, observer) for card in pool.cards())
        for event in heard(last, observer):
            told = msgspec.to_builtins(event)
            for card in _texts(told):
                if unseen[card] == 1:
                    raise self.walk.broken(
                        f"event {told['event']} tells {who(observer)} of {card}, which `hidden` says it can't see.",
                        TOLD,
                    )

    def _compare(self, real: Shown, imagined: Shown, observer: int | None, afterwards: bool = False) -> None:
        for what, truth in real.items():
            if truth != imagined[what]:
                found = in_json(what, truth, imagined[what])
                remedy = AFTERWARDS if afterwards else REMEDIES.get(what, REMEDIES["view"])
                raise self._told_apart(observer, f"{'after the step, ' if afterwards else ''}{found}.", remedy)

    def _compare_events(
        self, real: Sequence[Event], imagined: Sequence[Event], observer: int | None, remedy: str
    ) -> None:
        here, there = ([msgspec.to_builtins(event) for event in heard(some, observer)] for some in (real, imagined))
        kinds = [[event["event"] for event in some] for some in (here, there)]
        if kinds[0] != kinds[1]:
            said = [", ".join(some) or "nothing" for some in kinds]
            found = f"what it hears of the step is {said[0]} in the real state and {said[1]} in the imagined one."
            raise self._told_apart(observer, found, remedy)
        for one, other in zip(here, there, strict=True):
            if leak := difference(f"event {one['event']}", one, other):
                raise self._told_apart(observer, f"{leak}.", remedy)

    def _told_apart(self, observer: int | None, found: str, remedy: str) -> Exception:
        if encode(self.state) != self.before:
            return self._not_a_copy()
        return self.walk.broken(f"{who(observer)} can tell the real state from an imagined one: {found}", remedy)

    def _own_move_refused(self, observer: int | None, illegal: Illegal) -> Exception:
        return self.walk.broken(
            f"a move that {who(observer)} can make is refused in a state that {who(observer)} imagines: “{illegal}”",
            "`imagine` leaves a seat all that it knows it has; and what may be done may only depend on what it knows.",
        )

    def _not_a_copy(self) -> Exception:
        imagined = self.game.imagine(self.state, 0, self.dice)
        shared = aliasing.shared("state", self.state, imagined)
        return self.walk.broken(
            "what is done to an imagined state happens in the real one"
            + (f": {shared} is the same object in both." if shared else "."),
            "`imagine` returns a copy of its own, down to the last list: self.clone(state), to begin with.",
        )

    def _check_luck(self, state: Any, imagined: Any, observer: int | None) -> None:
        seeds = {chance.seed for chance in aliasing.found(state, Chance)}
        if any(chance.seed in seeds for chance in aliasing.found(imagined, Chance)):
            raise self._lazy(f"{who(observer)} imagines the luck to come as it will really be: the seed is the same")

    def _lazy(self, what: str) -> Exception:
        return self.walk.broken(
            f"{what}.",
            "`imagine` forgets what the seat may not know: it draws the cards of others and the rest of the deck anew "
            "from `dice`, and gives the copy another `Chance`. Otherwise any leak would look harmless, and bots that "
            "search would play with open cards. If nothing is hidden, let all views be the same.",
        )


def _texts(value: Any) -> Iterator[str]:
    """All that is in there."""
    match value:
        case str():
            yield value
        case dict():
            yield from _texts(list(value.values()))
        case list() | tuple():
            for each in value:
                yield from _texts(each)


def _tells_more(view: Any, other: Any, seat: int) -> bool:
    """Whether the view of a seat is not that of seat 0, apart from saying whose it is."""
    match view, other:
        case dict(), dict():
            return view.keys() != other.keys() or any(_tells_more(view[key], other[key], seat) for key in view)
        case list() | tuple(), list() | tuple():
            return len(view) != len(other) or any(map(_tells_more, view, other, [seat] * len(view)))
    return bool(view != other) and (view, other) != (seat, 0)


def _without_luck(state: bytes) -> Any:
    return _forget(msgspec.json.decode(state))


def _forget(value: Any) -> Any:
    match value:
        case {"seed": _, "blocks": _, **_rest}:
            return None
        case dict():
            return {key: _forget(each) for key, each in value.items()}
        case list():
            return [_forget(each) for each in value]
    return value
