"""Fortress keeps the laws of the house, in games that people leave and in games played to their end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier import laws
from croupier.games.fortress import Fortress
from croupier.games.fortress import events as ev
from croupier.games.fortress.events import AnyEvent
from croupier.games.fortress.options import Options
from croupier.games.fortress.state import State
from croupier.kernel import Chance, Customs, Game
from croupier.kernel.chance import QuickDice
from tests.games.fortress.coverage import conserved, random_deck
from tests.seeds import seeds


class Undisturbed(Fortress):
    """Nobody leaves and no clock runs out: games come to their end."""

    customs = Customs(late="stand_in", absent="stand_in")
    absent = Game.absent


class AnyDecks(Undisturbed):
    """The players have brought random decks already, so that all cards come up."""

    def deal(self, options: Options, seats: int, chance: Chance, at: int) -> State:
        state = super().deal(options, seats, chance, at)
        dice = QuickDice(chance.seed[-1])
        for seat in range(seats):
            out: list[AnyEvent] = []
            self._bring(state, seat, random_deck(dice), at, out)
        return state


GAMES = [(Fortress(), 20), (Undisturbed(), 3), (AnyDecks(), 3)]
games = pytest.mark.parametrize(("game", "count"), GAMES, ids=["disturbed", "starters", "random decks"])


@games
def test_nobody_can_tell_the_real_state_from_an_imagined_one(game: laws.AnyGame, count: int) -> None:
    counts = [laws.check_secrecy(game, 2, Options(), seed, conserved=conserved, limit=400) for seed in seeds(count)]
    positions, steps = map(sum, zip(*counts, strict=True))
    assert positions > 900
    assert steps > positions / 2


@games
def test_a_game_never_hangs_and_takes_what_it_offers(game: laws.AnyGame, count: int) -> None:
    assert sum(laws.check_liveness(game, 2, Options(), seed, limit=400, sample=3) for seed in seeds(count)) > 700


@games
def test_a_refused_move_changes_nothing(game: laws.AnyGame, count: int) -> None:
    assert sum(laws.check_refusals(game, 2, Options(), seed, limit=400, sample=2) for seed in seeds(count)) > 700


@games
def test_a_replay_leads_to_the_same_state(game: laws.AnyGame, count: int) -> None:
    assert sum(laws.check_replay(game, 2, Options(), seed, conserved=conserved) for seed in seeds(count)) > 400


def test_no_event_shows_anybody_a_card_that_is_not_theirs_to_see() -> None:
    """Apart from the laws, which let an event off that reveals something: what is hidden of each kind of event."""
    game = AnyDecks()
    hidden: dict[str, int] = {}
    for seed in range(6):
        for state, step in laws.Walk(game, 2, Options(), seed, 400):
            if step is None:
                continue
            events: Any = step.take(game, msgspec.json.decode(msgspec.json.encode(state), type=State))
            for event in events:
                for seat in (None, 0, 1):
                    seen = event.seen_by(seat)
                    if seen is event:
                        continue
                    assert seat != event.seat
                    kind = type(event).__name__
                    hidden[kind] = hidden.get(kind, 0) + 1
                    if isinstance(event, ev.Drew | ev.Dealt):
                        assert seen.cards is None
                    elif isinstance(event, ev.Laid | ev.LayDeclared):
                        assert seen.card is None
                    else:
                        assert isinstance(event, ev.Asked)
                        assert (seen.region, seen.cards, seen.optional) == ((), (), False)
    assert set(hidden) == {"Drew", "Dealt", "Laid", "LayDeclared", "Asked"}


class TalkativeFortress(AnyDecks):
    """The enemy's face-down tricksters can be read from the back."""

    def view(self, state: State, seat: int | None) -> Any:
        view = super().view(state, seat)
        cards = [unit.card for side in state.sides for unit in side.field if unit is not None and unit.face_down]
        return msgspec.structs.replace(view, closes=sum(cards))


def test_a_leak_is_noticed() -> None:
    with pytest.raises(laws.Broken, match=r"imagined one: (after the step, )?view.closes is"):
        for seed in range(5):
            laws.check_secrecy(TalkativeFortress(), 2, Options(), seed, limit=200)
