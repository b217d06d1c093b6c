"""The laws that every game keeps, checked on random games.

A broken law raises AssertionError, saying in which position, for whom and how. Every check plays one random game from
a seed and returns how often it could compare something, so that a test can see that it tested anything at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from click import unstyle

from croupier.kernel import Chance, Event, Game, Illegal, Move
from croupier.kernel.chance import QuickDice
from croupier.kernel.ink import WIDTH

AnyGame = Game[Any, Any, Any, Any, Any]

Encoder = Callable[[AnyGame, Any, int | None], bytes]
"""What else a seat (None: a spectator) is shown of a state, such as the messages of a wire protocol."""

Conserved = Callable[[Any], None]
"""Raises AssertionError for a state that has lost or invented something."""

START = 1_700_000_000_000

encode = msgspec.json.Encoder(order="deterministic").encode


class Moved(msgspec.Struct, frozen=True):
    """A step of a game: somebody makes a move."""

    at: int
    seat: int
    move: Move

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.play(state, self.seat, self.move, self.at)


class Expired(msgspec.Struct, frozen=True):
    """A step of a game: a clock has run out."""

    at: int
    clock: str

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.expire(state, self.clock, self.at)


class Left(msgspec.Struct, frozen=True):
    """A step of a game: somebody has gone for good."""

    at: int
    seat: int

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.leave(state, [self.seat], self.at)


class Absent(msgspec.Struct, frozen=True):
    """A step of a game: somebody has lost the connection."""

    at: int
    seat: int

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.absent(state, self.seat, self.at)


class Back(msgspec.Struct, frozen=True):
    """A step of a game: somebody has come back."""

    at: int
    seat: int

    def take(self, game: AnyGame, state: Any) -> Sequence[Event]:
        return game.back(state, self.seat, self.at)


Step = Moved | Expired | Left | Absent | Back


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


def seeds(games: int) -> range:
    """Of so many random games; of twenty times as many with ``CROUPIER_LONG=1``, for which no test run has the time."""
    return range(20 * games if os.environ.get("CROUPIER_LONG") else games)


def seed_bytes(seed: int) -> bytes:
    return seed.to_bytes(32, "big")


def deal(game: AnyGame, seats: int, options: Any, seed: int) -> Any:
    return game.deal(options, seats, Chance(seed_bytes(seed)), START)


def walk(game: AnyGame, seats: int, options: Any, seed: int, limit: int = 1000) -> Iterator[tuple[Any, Step | None]]:
    """A random game: every state on the way, with the step that is about to be taken; None when it is over.

    The state is the same object all the time: copy it to keep it or to change it. The game is left off after so many
    steps. Clocks run out and people come and go where the game leaves it to its rules what then happens.
    """
    dice = QuickDice(seed)
    state = deal(game, seats, options, seed)
    here, away = list(range(seats)), list[int]()
    at = START
    for _ in range(limit):
        step = _next_step(game, state, here, away, at, dice)
        yield state, step
        match step:
            case None:
                return
            case Left(_, seat):
                (here if seat in here else away).remove(seat)
            case Absent(_, seat):
                here.remove(seat)
                away.append(seat)
            case Back(_, seat):
                away.remove(seat)
                here.append(seat)
        step.take(game, state)
        at = step.at


def _next_step(
    game: AnyGame, state: Any, here: Sequence[int], away: Sequence[int], at: int, dice: QuickDice
) -> Step | None:
    if game.result(state) is not None:
        return None
    clock = min(game.clocks(state), key=lambda clock: clock.due, default=None)
    movers = [seat for seat in here if game.moves(state, seat) or game.forms(state, seat)]
    stuck = not movers
    if clock and game.customs.late == "expire" and dice.below(2 if stuck else 20) == 0:
        return Expired(max(at, clock.due), clock.name)
    if game.customs.absent == "forfeit" and (here or away) and dice.below(10 if stuck else 50) == 0:
        return Left(at, dice.choice([*here, *away]))
    if away and (stuck or dice.below(5) == 0):
        return Back(at + dice.below(5000), dice.choice(away))
    if clock and game.customs.late == "expire" and stuck:
        return Expired(max(at, clock.due), clock.name)
    if here and type(game).absent is not Game.absent and dice.below(30) == 0:
        return Absent(at, dice.choice(here))
    assert movers, f"nobody can move and no clock runs in {state}"
    at += dice.below(2000)
    if clock:
        at = min(at, clock.due)
    seat = dice.choice(movers)
    return Moved(at, seat, dice.choice(game.candidates(state, seat, dice)))


def check_secrecy(
    game: AnyGame,
    seats: int,
    options: Any,
    seed: int,
    *,
    encoders: Sequence[Encoder] = (),
    conserved: Conserved | None = None,
    fleeting: tuple[type[Event], ...] = (),
    tries: int = 40,
    limit: int = 1000,
) -> tuple[int, int]:
    """Nobody can tell the real state from one they imagine: not by what they are shown, not by what happens next.

    In every position each seat, and a spectator, imagines another state.

    * They are shown the same in both: view, moves, who is awaited, clocks, result, and what the encoders make of it.
    * The same step looks the same in both, and so does the table afterwards. Where the step is impossible in the
      imagined state or turns over something else (an event that ``reveals``), another state is imagined.
    * A different move of somebody else that leads to a table that looks the same has looked the same, so that a hidden
      choice stays hidden. Events in ``fleeting`` are let off: they tell something that no view keeps.

    Returns how many positions and how many steps were compared.
    """
    dice = QuickDice(seed)
    positions = steps = 0

    def imagine(state: Any, observer: int | None) -> Any:
        imagined = game.imagine(state, observer, dice)
        if conserved:
            conserved(imagined)
        return imagined

    for state, step in walk(game, seats, options, seed, limit):
        before = encode(state)
        after = game.clone(state)
        events = step.take(game, after) if step else ()
        for observer in (None, *range(seats)):
            where = f"{game.name}, seed {seed}, {step}, as seat {observer} sees it"
            if positions <= seats:
                different = any(encode(imagine(state, observer)) != before for _ in range(20))
                assert different, f"{where}: nothing but the real state is ever imagined"
            now = _shown(game, state, observer, encoders)
            _compare(now, _shown(game, imagine(state, observer), observer, encoders), where)
            positions += 1
            if step is None:
                continue

            then = _shown(game, after, observer, encoders)
            own = isinstance(step, Moved) and step.seat == observer
            for _ in range(tries):
                imagined = imagine(state, observer)
                try:
                    imagined_events = step.take(game, imagined)
                except Illegal as illegal:
                    assert not own, f"{where}: refused in an imagined state: {illegal}"
                    continue
                if _surprises(events, observer) == _surprises(imagined_events, observer):
                    _compare(_seen(events, observer), _seen(imagined_events, observer), where)
                    _compare(then, _shown(game, imagined, observer, encoders), f"{where}, afterwards")
                    steps += 1
                    break

            if isinstance(step, Moved) and not own:
                imagined = imagine(state, observer)
                moves = game.candidates(imagined, step.seat, dice)
                imagined_events = game.play(imagined, step.seat, dice.choice(moves), step.at) if moves else ()
                same_table = _shown(game, imagined, observer, encoders) == then
                if moves and same_table and _surprises(events, observer) == _surprises(imagined_events, observer):
                    real, fancy = (_seen(kind, observer, but=fleeting) for kind in (events, imagined_events))
                    _compare(real, fancy, f"{where}, and another move")
        assert encode(state) == before, (
            f"{game.name}, seed {seed}: what is done to an imagined state happens in the real one"
        )
    return positions, steps


def check_lobby(game: AnyGame, options: Any, seed: int, *, conserved: Conserved | None = None, steps: int = 40) -> int:
    """In a game that deals as people sit down: nobody learns what others get, or what was put back.

    Returns how many positions were compared.
    """
    dice = QuickDice(seed)
    state = game.lobby(options, Chance(seed_bytes(seed)), START)
    assert state is not None
    seated: list[int] = []
    positions = number = 0
    for _ in range(steps):
        rises = seated and (len(seated) == game.seats[-1] or dice.below(3) == 0)
        seat = dice.choice(seated) if rises else number
        after = game.clone(state)
        events = game.rise(after, seat, START) if rises else game.sit(after, seat, START)
        if conserved:
            conserved(after)
        assert not game.awaited(after) and not game.clocks(after) and game.result(after) is None
        for observer in (None, *(other for other in seated if other != seat)):
            where = f"{game.name}, seed {seed}, {seated}, as seat {observer} sees it"
            imagined = game.imagine(state, observer, dice)
            _compare(_shown(game, state, observer, ()), _shown(game, imagined, observer, ()), where)
            imagined_events = game.rise(imagined, seat, START) if rises else game.sit(imagined, seat, START)
            _compare(_seen(events, observer), _seen(imagined_events, observer), where)
            _compare(_shown(game, after, observer, ()), _shown(game, imagined, observer, ()), f"{where}, afterwards")
            positions += 1
        if rises:
            seated.remove(seat)
        else:
            seated.append(seat)
            number += 1
        state = after
    return positions


def _shown(game: AnyGame, state: Any, seat: int | None, encoders: Sequence[Encoder]) -> dict[str, bytes]:
    shown = {
        "the view": encode(game.view(state, seat)),
        "what can be recalled": encode(game.recall(state, seat)),
        "a move": b"" if seat is None else encode(game.moves(state, seat)),
        "a form": b"" if seat is None else encode(game.forms(state, seat)),
        "who is awaited": encode(game.awaited(state)),
        "a clock": encode(game.clocks(state)),
        "the result": encode(game.result(state)),
    }
    for number, encoder in enumerate(encoders):
        shown[f"encoder {number}"] = encoder(game, state, seat)
    return shown


def _seen(events: Sequence[Event], seat: int | None, but: tuple[type[Event], ...] = ()) -> dict[str, bytes]:
    seen = [event.seen_by(seat) for event in events if not isinstance(event, but)]
    return {"an event": encode([event for event in seen if event is not None])}


def _surprises(events: Sequence[Event], seat: int | None) -> dict[str, bytes]:
    return _seen([event for event in events if event.reveals], seat)


def _compare(real: dict[str, bytes], imagined: dict[str, bytes], where: str) -> None:
    for what, truth in real.items():
        fancy = imagined[what]
        assert truth == fancy, f"{where}: {what} gives something away\n    real: {truth!r}\nimagined: {fancy!r}"


def check_liveness(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 1000, sample: int = 6) -> int:
    """A game never hangs, and takes every move it offers. Returns how many moves were tried."""
    dice = QuickDice(seed)
    tried = 0
    for state, step in walk(game, seats, options, seed, limit):
        where = f"{game.name}, seed {seed}: {state}"
        awaited = game.awaited(state)
        if (result := game.result(state)) is not None:
            teams = game.teams(options, seats)
            assert (result.teams or ()) == teams and not result.splits, (
                f"the result is not by team in {where}: {result}"
            )
            assert not awaited, f"somebody is awaited although the game is over in {where}"
            assert not game.clocks(state), f"a clock runs although the game is over in {where}"
            assert not any(game.moves(state, seat) or game.forms(state, seat) for seat in range(seats)), (
                f"the game goes on after its end in {where}"
            )
            continue
        paused = isinstance(step, Back | Left)  # for somebody to come back, or to be given up
        assert awaited or paused or game.clocks(state), f"nobody is awaited and no clock runs in {where}"
        for seat in awaited:
            can = game.moves(state, seat) or game.forms(state, seat)
            assert can, f"seat {seat} is awaited and has no move in {where}"
        for seat in range(seats):
            moves = list(game.moves(state, seat))
            assert len(set(moves)) == len(moves), f"seat {seat} has a move twice in {where}"
            if game.has_forms:
                moves = list(game.candidates(state, seat, dice))
                for move in moves:
                    assert game.offers(state, seat, move), f"a form is filled in and does not fit: {move} in {where}"
            dice.shuffle(moves, "sample")
            for move in moves[:sample]:
                game.play(game.clone(state), seat, move, START)
                tried += 1
    return tried


def check_refusals(game: AnyGame, seats: int, options: Any, seed: int, *, limit: int = 1000, sample: int = 3) -> int:
    """A refused move changes nothing, and is never offered. Returns how many were refused."""
    dice = QuickDice(seed)
    refused = 0
    heard: list[Move] = []
    for state, step in walk(game, seats, options, seed, limit):
        before = encode(state)
        for seat in range(seats):
            for move in (dice.choice(heard) for _ in range(sample if heard else 0)):
                attempt = game.clone(state)
                try:
                    game.play(attempt, seat, move, START)
                except Illegal as illegal:
                    where = f"{game.name}, seed {seed}, {move} of seat {seat} in {state}"
                    assert encode(attempt) == before, f"a refusal has changed the state: {where}"
                    assert not game.offers(state, seat, move), f"refused although offered: {where}"
                    assert str(illegal) and illegal.code, f"refused without a reason: {where}"
                    refused += 1
        if isinstance(step, Moved):
            heard.append(step.move)
    return refused


def check_replay(
    game: AnyGame, seats: int, options: Any, seed: int, *, conserved: Conserved | None = None, limit: int = 1000
) -> int:
    """The same steps, read back from a journal, lead to the same states. Returns how many steps the game had."""
    replayed = deal(game, seats, msgspec.json.decode(encode(options), type=game.Options), seed)
    secret = seed_bytes(seed)
    names = [f"player {seat}" for seat in range(seats)]
    steps = 0
    for state, step in walk(game, seats, options, seed, limit):
        where = f"{game.name}, seed {seed}, after {steps} steps"
        assert game.fingerprint(state, secret) == game.fingerprint(replayed, secret), f"{where}: a replay went astray"
        if conserved:
            conserved(state)
        for seat in (None, *range(seats)):
            view = game.view(state, seat)
            assert msgspec.json.decode(encode(view), type=game.View) == view, f"{where}: a view can't be read back"
            shown = unstyle(game.show(view, names))
            assert shown
            wide = [line for line in shown.splitlines() if len(line) > WIDTH]
            assert wide == [], f"{where}: does not fit a terminal"
            for move in () if seat is None else game.candidates(state, seat, QuickDice(seed), each=1):
                assert game.label(move, view, names), f"{where}: a move has no words"
        if step is None:
            break
        if isinstance(step, Moved):
            journaled = msgspec.json.decode(encode(step.move), type=game.Move)
            assert journaled == step.move, f"{where}: a move can't be read back"
            step = Moved(step.at, step.seat, journaled)
        for event in step.take(game, replayed):
            assert msgspec.json.decode(encode(event), type=game.Event) == event, f"{where}: an event can't be read back"
            for seat in (None, *range(seats)):
                if (seen := event.seen_by(seat)) is not None:
                    assert isinstance(game.tell(seen, names), str)
        steps += 1
    return steps
