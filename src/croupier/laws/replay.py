"""The law of replay: the same seed and the same steps, read back from a journal, lead to the same states."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.kernel import Clock, Event, Result
from croupier.laws.broken import TYPES, Broken
from croupier.laws.differences import in_json
from croupier.laws.steps import AnyGame, Conserved, Moved, Step, encode
from croupier.laws.walking import Walk, deal, seed_bytes

TWICE = "at first", "in a replay"
NOT_DATA = (
    "A game follows from its seed and its moves alone. Luck comes from `chance`, time is `at`; the game object and its "
    "module keep nothing: copy a list before you shuffle or change it (`list(DECK)`)."
)


def check_replay(
    game: AnyGame, seats: int, options: Any, seed: int, *, conserved: Conserved | None = None, limit: int = 1000
) -> int:
    """The same steps lead to the same states, and all there is to it survives a trip through JSON.

    Returns how many steps the game had.

    >>> from croupier.games.palace import game
    >>> check_replay(game, 3, game.Options(), seed=1, limit=20)
    20
    """
    walk = Walk(game, seats, options, seed, limit)
    secret = seed_bytes(seed)
    with walk.blamed():
        start = encode(deal(game, seats, options, seed))
        replayed = deal(game, seats, _read_back(walk, "options", options, game.Options), seed)
        for state, step in walk:
            if game.fingerprint(state, secret) != game.fingerprint(replayed, secret):
                raise _astray(walk, encode(state), encode(replayed))
            if conserved:
                conserved(state)
            _check_trips(walk, state)
            if step is None:
                break
            for event in _replay(walk, step, replayed):
                _read_back(walk, f"event {type(event).__name__}", event, game.Event)
        again = encode(deal(game, seats, options, seed))
        if again != start:
            found = in_json("state", start, again, ("at first", "after a game"))
            raise Broken(f"{game.title}: the same seed is dealt differently after a game: {found}.", NOT_DATA)
    return walk.taken


def _astray(walk: Walk, first: bytes, second: bytes) -> Exception:
    found = in_json("state", first, second, TWICE)
    what = "the same steps have" if walk.taken else "the same seed has"
    return walk.broken(f"{what} led to another state: {found}.", NOT_DATA)


def _replay(walk: Walk, step: Step, replayed: Any) -> list[Event]:
    if isinstance(step, Moved):
        step = Moved(step.at, step.seat, _read_back(walk, "move", step.move, walk.game.Move))
    return list(step.take(walk.game, replayed))


def _check_trips(walk: Walk, state: Any) -> None:
    game = walk.game
    _read_back(walk, "state", state, game.State)
    for seat in (None, *range(walk.seats)):
        _read_back(walk, "view", game.view(state, seat), game.View)
    for clock in game.clocks(state):
        _read_back(walk, "clock", clock, Clock)
    _read_back(walk, "result", game.result(state), Result | None)


def _read_back(walk: Walk, name: str, value: Any, kind: Any) -> Any:
    """What comes out of JSON, as a client or a journal reads it."""
    written = encode(value)
    try:
        read = msgspec.json.decode(written, type=kind)
    except msgspec.ValidationError as error:
        raise walk.broken(f"{name} can't be read back from JSON: {error}.", TYPES) from error
    again = encode(read)
    if again != written:
        worlds = ("as it is", "as it is read back")
        found = in_json(name, written, again, worlds)
        raise walk.broken(f"{name} is not the same when it is read back from JSON: {found}.", TYPES)
    return read
