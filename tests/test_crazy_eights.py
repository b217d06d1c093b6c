"""The game of the examples keeps the laws of the house, is there in French, and is played in a terminal."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Self

import croupier_crazy_eights
import pytest
from croupier_crazy_eights import game
from croupier_crazy_eights.rules import AnyEvent, CrazyEightsGame
from croupier_crazy_eights.state import Drew, Options, State

from croupier import laws
from croupier.kernel.cards import DECK
from croupier.kernel.layout import layout
from tests.seeds import seeds
from tests.terminal.person import COLUMNS, at_terminal
from tests.test_words import texts

FOLDER = Path(croupier_crazy_eights.__file__).parent


def no_card_is_lost(state: State) -> None:
    cards = [*state.stock, *state.pile, *(card for hand in state.hands for card in hand)]
    assert Counter(cards) == Counter(DECK)


@pytest.mark.parametrize("seats", [2, 3, 7])
@pytest.mark.parametrize("options", [Options(), Options(target=0, turn=0), Options(target=500, turn=600)])
def test_the_laws(seats: int, options: Options) -> None:
    compared = Counter[str]()
    for seed in seeds(3):
        positions, steps = laws.check_secrecy(game, seats, options, seed, conserved=no_card_is_lost, limit=60)
        compared += Counter(positions=positions, steps=steps)
        compared["offers"] += laws.check_liveness(game, seats, options, seed)
        compared["refusals"] += laws.check_refusals(game, seats, options, seed)
        compared["replayed"] += laws.check_replay(game, seats, options, seed, conserved=no_card_is_lost)
    assert min(compared[what] for what in ("positions", "steps", "offers", "refusals", "replayed")) > 30


def test_it_is_there_in_french() -> None:
    known = texts("fr", FOLDER)
    titles = {field.title for field in layout(game.View) if field.kind not in ("hand", "turn")}
    assert titles - known.keys() == set()
    laws.check_translations(game)
    assert (FOLDER / "rules.md").read_text().count("\n## ") == (FOLDER / "rules.fr.md").read_text().count("\n## ")


def test_a_whole_game_in_a_terminal() -> None:
    program = f"""if True:
        import sys
        sys.path.insert(0, {str(FOLDER.parent)!r})
        from croupier.terminal.console import Console
        from croupier.terminal.play import play
        from croupier_crazy_eights import game
        play(game, "Ann", [game.bots["thrifty"]] * 2, Console(0))
    """
    with at_terminal(program=program) as person:
        assert re.search(r"^  your hand  ( +(\d+|[JQKA])[♣♦♥♠]){5}", person.read(), re.MULTILINE)
        seen = person.play_out(random.Random(3))
        assert re.search(r"^. Ada +▒▒▒▒ × \d", seen, re.MULTILINE)
        assert re.search(r"^  stock +▒▒▒▒ × \d+$", seen, re.MULTILINE)
        assert "Your move: play" in seen
        assert [line for line in seen.splitlines() if len(line) >= COLUMNS] == []
        assert not re.search(r"[{}\"_]", seen), "nothing of what programs say"


class Loose(Drew, frozen=True, tag="drew"):
    """Everybody is told which card it was."""

    def seen_by(self, seat: int | None) -> Self:
        return self


class Gossip(CrazyEightsGame):
    def _draw(self, state: State, seat: int) -> list[AnyEvent]:
        return [
            Loose(event.seat, event.card) if isinstance(event, Drew) else event for event in super()._draw(state, seat)
        ]


def test_an_event_that_reveals_a_card_must_not_do_so_to_everybody() -> None:
    with pytest.raises(laws.Broken, match=r"event drew tells .+ of .+, which `hidden` says"):
        laws.check(Gossip(), games=10)
