"""The laws of the house, for the games that are there; and the harness itself: it must notice every kind of leak."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import laws
from croupier.games import catalogue, faraway
from croupier.games.cambia import Cambia
from croupier.games.cambia import state as cambia_state
from croupier.games.cambia.options import Options as HouseRules
from croupier.games.coup import Coup
from croupier.games.coup.characters import CLAIMS, DECK
from croupier.games.coup.options import Options as CoupOptions
from croupier.games.coup.state import State as CoupState
from croupier.games.faraway.options import Options as FarawayOptions
from croupier.games.palace import Palace
from croupier.games.palace.moves import AnyMove, Play
from croupier.games.palace.options import Options
from croupier.games.palace.rules import deck
from croupier.games.palace.state import State, View
from croupier.kernel import ENGLISH, Clock, Encoding, RandomBot
from croupier.laws.translations import languages
from tests import broken_encodings, card_ids, toys
from tests.broken_games import FOUND, OpenGame
from tests.games.cambia.positions import conserved as cambia_cards
from tests.games.faraway.positions import no_card_is_lost
from tests.games.fortress.coverage import conserved as fortress_cards
from tests.seeds import seeds


def palace_cards(state: State) -> None:
    """P26: no card is lost or invented."""
    dealt = [*chain(*state.hands, *state.face_up, *state.face_down), *state.pile, *state.cleared]
    assert Counter(dealt + state.undealt) == Counter(deck(len(state.hands)))
    assert len(dealt) == 12 * len(state.hands)
    for hand, known in zip(state.hands, state.known, strict=True):
        assert Counter(known) <= Counter(hand)


def coup_cards(state: CoupState) -> None:
    """U49: all 15 cards are accounted for, three of each; and no debts (U9)."""
    assert sorted([*state.deck, *chain(*state.hands), *state.drawn]) == list(range(15))
    assert Counter(state.faces) == Counter(DECK)
    assert all(len(hand) == 2 for hand in state.hands)
    assert all(0 <= coins <= 12 for coins in state.coins)
    for clue in state.clues:
        faces = Counter(state.faces[card] for card in clue.cards)
        assert Counter(clue.characters) <= faces, f"a false memory: {clue}"
    for lack in state.lacks:
        assert lack.character not in {state.faces[card] for card in lack.cards}, f"a false memory: {lack}"


CASES: list[tuple[laws.AnyGame, int, Any, laws.Conserved | None, int]] = [
    (Palace(), 2, Options(), palace_cards, 10),
    (Palace(), 3, Options(turn_timer=0), palace_cards, 3),
    (Palace(), 4, Options(turn_timer=255), palace_cards, 2),
    (Palace(), 6, Options(), palace_cards, 2),
    (Coup(), 2, CoupOptions(), coup_cards, 20),
    (Coup(), 2, CoupOptions(ruleset="official", auto_kick_ms=0), coup_cards, 20),
    (Coup(), 3, CoupOptions(response_timeout_ms=0, choice_timeout_ms=0, turn_timeout_ms=0), coup_cards, 10),
    (Coup(), 3, CoupOptions(ruleset="official", confirm_policy="all"), coup_cards, 12),
    (Coup(), 4, CoupOptions(ruleset="official", min_wait_ms=0), coup_cards, 6),
    (Coup(), 5, CoupOptions(confirm_policy="all", auto_kick_ms=0), coup_cards, 4),
    (Coup(), 6, CoupOptions(), coup_cards, 4),
    (Coup(), 6, CoupOptions(ruleset="official"), coup_cards, 4),
    (faraway.game, 2, FarawayOptions(), no_card_is_lost, 8),
    (faraway.game, 2, FarawayOptions(solo=True, tie_break="published"), no_card_is_lost, 8),
    (faraway.game, 3, FarawayOptions(action_timeout=0), no_card_is_lost, 6),
    (faraway.game, 3, FarawayOptions(open_information=True), no_card_is_lost, 6),
    (faraway.game, 4, FarawayOptions(card_set="full"), no_card_is_lost, 4),
    (faraway.game, 5, FarawayOptions(action_timeout=5), no_card_is_lost, 3),
    (faraway.game, 6, FarawayOptions(), no_card_is_lost, 3),
    (faraway.game, 7, FarawayOptions(card_set="full"), no_card_is_lost, 2),
    (Cambia(), 2, HouseRules(), cambia_cards, 15),
    (Cambia(), 2, HouseRules(circuit=True, rounds=3, round_pause_sec=0), cambia_cards, 5),
    (Cambia(), 3, HouseRules(allow_draw_from_discard_pile=True, allow_replace_abilities=True), cambia_cards, 8),
    (Cambia(), 3, HouseRules(turn_timer_sec=0, snap_race=True, auto_kick_turn_count=1), cambia_cards, 8),
    (Cambia(), 4, HouseRules(circuit=True, circuit_mode="elimination", target_score=60), cambia_cards, 6),
    # Reshuffles early and often.
    (Cambia(), 4, HouseRules(cards_per_player=6, initial_view_count=6, penalty_draw_count=6), cambia_cards, 12),
    (Cambia(), 5, HouseRules(lock_caller_hand=False, use_jokers=False, max_game_turns=40), cambia_cards, 7),
    (Cambia(), 6, HouseRules(allow_opponent_snapping=False, forfeit_on_disconnect=False), cambia_cards, 8),
    (toys.Bids(), 2, toys.Options(), None, 40),
    (toys.Bids(), 3, toys.Options(), None, 40),
    (toys.Bids(), 4, toys.Options(seconds=60), None, 40),
    (toys.Looking(), 3, toys.Options(), None, 40),
]
SECRECY: dict[str, dict[str, Any]] = {
    "cambia": {
        # Most steps turn over a card that is hardly ever the same one in another imagination.
        "tries": 8,
    }
}
cases = pytest.mark.parametrize(
    ("game", "seats", "options", "conserved", "games"), CASES, ids=lambda value: getattr(value, "name", None)
)


@cases
def test_nobody_can_tell_the_real_state_from_an_imagined_one(
    game: laws.AnyGame, seats: int, options: Any, conserved: laws.Conserved | None, games: int
) -> None:
    settings = SECRECY.get(game.name, {})
    counts = [laws.check_secrecy(game, seats, options, seed, conserved=conserved, **settings) for seed in seeds(games)]
    positions, steps = map(sum, zip(*counts, strict=True))
    assert positions > 700
    assert steps > positions / (3 if settings else 2)


@cases
def test_a_game_never_hangs_and_takes_what_it_offers(
    game: laws.AnyGame, seats: int, options: Any, conserved: laws.Conserved | None, games: int
) -> None:
    assert sum(laws.check_liveness(game, seats, options, seed) for seed in seeds(games)) > 700


@cases
def test_a_refused_move_changes_nothing(
    game: laws.AnyGame, seats: int, options: Any, conserved: laws.Conserved | None, games: int
) -> None:
    sample = max(3, 16 // seats)
    assert sum(laws.check_refusals(game, seats, options, seed, sample=sample) for seed in seeds(games)) > 700


@cases
def test_a_replay_leads_to_the_same_state(
    game: laws.AnyGame, seats: int, options: Any, conserved: laws.Conserved | None, games: int
) -> None:
    assert sum(laws.check_replay(game, seats, options, seed, conserved=conserved) for seed in seeds(games)) > 150


@cases
def test_everything_can_be_said(
    game: laws.AnyGame, seats: int, options: Any, conserved: laws.Conserved | None, games: int
) -> None:
    assert sum(laws.check_terminal(game, seats, options, seed, limit=40) for seed in seeds(games)) > 700


@cases
def test_numbers_say_what_they_say_they_do_and_no_more_than_was_seen(
    game: laws.AnyGame, seats: int, options: Any, conserved: laws.Conserved | None, games: int
) -> None:
    observations = sum(laws.check_encoding(game, seats, options, seed, limit=60) for seed in seeds(2))
    assert observations == 0 if game.encoding is None else observations > 40


@pytest.mark.parametrize("seed", range(5))
def test_nobody_can_tell_what_others_are_dealt_as_they_sit_down(seed: int) -> None:
    assert laws.check_lobby(Coup(), CoupOptions(), seed, conserved=coup_cards) > 100


CARDS: dict[str, laws.Conserved] = {
    "cambia": cambia_cards,
    "coup": coup_cards,
    "faraway": no_card_is_lost,
    "fortress": fortress_cards,
    "palace": palace_cards,
}


every_game = pytest.mark.parametrize("game", list(catalogue().games.values()), ids=lambda game: game.name)


@every_game
def test_a_game_never_hangs_with_its_options_at_their_extremes(game: laws.AnyGame) -> None:
    tables = laws.plan(game)
    assert sum(laws.check_liveness(game, *table, seed, limit=100, sample=2) for seed, table in enumerate(tables)) > 700


@every_game
def test_a_game_keeps_the_laws(game: laws.AnyGame) -> None:
    report = laws.check(game, games=4, limit=40, conserved=CARDS[game.name])
    assert report.games == 4
    assert min(report.positions, report.alike, report.moves, report.refusals, report.steps, report.texts) > 50
    assert report.processes > 10
    assert report.notes() == []


@pytest.mark.parametrize(
    ("leaky", "what", "remedy"),
    [
        (toys.LeakyView(), r"view.has_bid\[\d\] is true in the real state and false in the imagined one", "`view` may"),
        (toys.LeakyMoves(), "moves comes in another order", "`moves`"),
        (toys.LeakyClock(), r"clocks\[0\].due is \d+ in the real state and \d+ in", "Everybody sees the clocks"),
        (toys.LeakyEvent(), r"event bidden.card is \d in the real state and \d in the imagined", "`seen_by`"),
        (toys.LeakySilence(), "what it hears of the step is bidden in the real state and nothing in the", "`seen_by`"),
        (toys.LazyImagination(), "imagines the luck to come as it will really be", "`imagine` forgets"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, toys.Bids) else "",
)
def test_a_leak_is_noticed(leaky: toys.Bids, what: str, remedy: str) -> None:
    with pytest.raises(laws.Broken, match=what) as broken:
        for seed in range(10):
            laws.check_secrecy(leaky, 3, toys.Options(), seed)
    assert remedy in broken.value.remedy


class Crowded(toys.Bids):
    """Nobody has thought of an eighth player."""

    name, title, seats = "crowded", "Crowded", range(2, 9)

    def view(self, state: toys.State, seat: int | None) -> toys.View:
        if len(state.hands) > 7:
            raise LookupError("there are seven places around the table")
        return super().view(state, seat)


def test_a_mistake_that_only_a_large_table_shows_is_found() -> None:
    assert [size for size, _ in laws.plan(Crowded())].count(8) == 1
    with pytest.raises(laws.Broken, match="there are seven places around the table"):
        laws.check(Crowded())


@pytest.mark.parametrize(("game", "what", "remedy"), FOUND, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_law_is_named(game: type[toys.Bids], what: str, remedy: str) -> None:
    with pytest.raises(laws.Broken) as broken:
        laws.check(game(), games=20)
    assert what in str(broken.value)
    assert remedy in broken.value.remedy


def numbered(encoding: type[Encoding[Any, Any]]) -> laws.AnyGame:
    """Bids in these numbers."""
    kind: type[toys.Bids] = type("NumberedBids", (toys.Bids,), {"encoding": encoding})
    return kind()


def test_numbers_that_are_right_keep_the_law() -> None:
    game = numbered(broken_encodings.Numbers)
    assert sum(laws.check_encoding(game, 3, toys.Options(), seed) for seed in range(10)) > 100


@pytest.mark.parametrize(
    ("encoding", "what", "remedy"), broken_encodings.FOUND, ids=lambda value: getattr(value, "__name__", "")
)
def test_numbers_that_are_wrong_are_found(encoding: type[Encoding[Any, Any]], what: str, remedy: str) -> None:
    with pytest.raises(laws.Broken) as broken:
        for seed in range(20):
            laws.check_encoding(numbered(encoding), 3, toys.Options(), seed)
    assert what in str(broken.value)
    assert remedy in broken.value.remedy


def test_numbers_that_tell_a_secret_are_found() -> None:
    with pytest.raises(laws.Broken, match="can tell the real state from an imagined one: what it observes is not the"):
        for seed in range(20):
            laws.check_encoding(broken_encodings.Leaking(), 3, toys.Options(), seed)


def test_a_broken_law_says_how_to_get_there() -> None:
    with pytest.raises(laws.Broken) as broken:
        laws.check(toys.LeakyView(), games=20, seed=3)
    where, game = broken.value.position, toys.LeakyView()
    assert where is not None
    state = eval(where.again, {"laws": laws, "game": game})
    assert isinstance(state, toys.State)
    walk = laws.Walk(game, where.seats, where.options, where.seed)
    assert next((found, step) for found, step in walk if walk.taken == where.step) == (state, where.next)
    with pytest.raises(laws.Broken) as again:
        laws.check(game, games=1, seed=where.seed)
    assert str(again.value) == str(broken.value)


def test_ids_that_survive_a_shuffle_are_noticed() -> None:
    assert laws.check(card_ids.FreshIds(), games=6).positions > 500
    assert laws.check_shuffles(card_ids.FreshIds(), 3, card_ids.Options(), 1) == 5
    with pytest.raises(laws.Broken, match=r"knew which card 'c\d+' is, then it was shuffled"):
        laws.check(card_ids.LastingIds(), games=6)


def package(folder: Path, name: str, french: dict[str, str], rules: str = "") -> laws.AnyGame:
    """A game in a package of its own, with what it says in French."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()
    (folder / name / "fr.json").write_text(json.dumps(french))
    (folder / name / "rules.py").write_text(f"from tests.toys import *\n\nclass Mine(Bids):\n    {rules or 'pass'}\n")
    game: laws.AnyGame = import_module(f"{name}.rules").Mine()
    return game


FRENCH = {
    toys.Bids.about: "La carte la plus haute gagne.",
    "Seconds for a bid": "Secondes par mise",
    RandomBot.about: "Joue n'importe quel coup.",
    # What is in a view, as the page of any game calls it.
    "Hand": "Main",
    "Bid": "Mise",
    "Has bid": "A misé",
    "Points": "Points",
    "Players": "Joueurs",
}
SAYS = 'def tell(self, event, names, words=ENGLISH): return words("{name} plays.", name=names[event.seat])'
REFUSES = """def play(self, state, seat, move, at): raise Illegal(self._why_not(move))

    def _why_not(self, move): return "that is no bid" if move.card < 1 else "you have bid that"
"""


@pytest.mark.parametrize(
    ("name", "french", "rules", "what"),
    [
        ("said", FRENCH | {"{name} plays.": "{name} joue."}, SAYS, ""),
        ("missing", FRENCH, SAYS, "fr.json has no translation of “{name} plays.”"),
        ("refused", FRENCH, REFUSES, "fr.json has no translation of “that is no bid”, and 1 more"),
        (
            "untitled",
            {text: said for text, said in FRENCH.items() if text != "Has bid"},
            "",
            "no translation of “Has bid”",
        ),
        ("idle", FRENCH | {"you pass": "tu passes"}, "", "fr.json translates “you pass”, which is never said"),
        ("unnamed", FRENCH | {"{name} plays.": "{nom} joue."}, SAYS, "does not name the same things: “{nom} joue.”"),
        ("empty", FRENCH | {"{name} plays.": " "}, SAYS, "says nothing for “{name} plays.”"),
        ("glued", FRENCH, SAYS.replace('"{name} plays."', '"{name}" + " plays."'), "nobody can look up"),
    ],
)
def test_what_is_not_translated_is_noticed(
    name: str, french: dict[str, str], rules: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    game = package(tmp_path, f"spoken_{name}", french, rules)
    if not what:
        assert laws.check_translations(game) == 9
        return
    with pytest.raises(laws.Broken) as broken:
        laws.check_translations(game)
    assert what in broken.value.what


LABEL = "def label(self, move, view, names, words=ENGLISH): return {}"


@pytest.mark.parametrize(
    ("name", "label", "word"),
    [
        ("asked", "words('bid') + f' › {move.card}'", ""),
        ("english", "f'bid › {move.card}'", "bid"),
        ("half", "words('bid') + f' › card {move.card}'", "card"),
        ("unsaid", "words('bid {card}', card='Duke')", "Duke"),
    ],
)
def test_a_label_that_is_the_same_in_every_language_is_noticed(
    name: str, label: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    game = package(tmp_path, f"labelled_{name}", FRENCH | {"bid": "miser"}, LABEL.format(label))
    spoken = [ENGLISH, *languages(game)]
    table = (game, 2, game.Options(), 1)
    assert laws.check_terminal(*table, languages=[ENGLISH])
    if not word:
        assert laws.check_terminal(*table, languages=spoken)
        return
    with pytest.raises(laws.Broken, match=f"says “{word}” in every language"):
        laws.check_terminal(*table, languages=spoken)


def test_a_game_that_hides_nothing_need_not_imagine_anything() -> None:
    laws.check(OpenGame(), games=5)


class PeepingPalace(Palace):
    """The offer to turn a card over says which it will be."""

    def moves(self, state: State, seat: int) -> Sequence[AnyMove]:
        moves = super().moves(state, seat)
        return [Play((state.face_down[seat][-1],))] if moves == (Play(()),) else moves


class MarkedPalace(Palace):
    """A spectator sees on the backs of the cards which seat has an Ace."""

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        order = tuple(owner for owner, hand in enumerate(state.hands) if "A♠" in hand)
        return replace(view, order=order) if seat is None else view


@pytest.mark.parametrize("leaky", [PeepingPalace(), MarkedPalace()], ids=lambda value: type(value).__name__)
def test_a_leak_of_palace_is_noticed(leaky: Palace) -> None:
    with pytest.raises(laws.Broken, match="can tell the real state from an imagined one"):
        laws.check_secrecy(leaky, 4, Options(), 1)


class NervousCoup(Coup):
    """There is a little more time to answer a bluff."""

    def clocks(self, state: CoupState) -> Sequence[Clock]:
        claim = CLAIMS.get(state.action) if state.action else None
        honest = claim in [state.faces[card] for card in state.hands[state.current]]
        return [replace(clock, due=clock.due + (claim is not None and not honest)) for clock in super().clocks(state)]


def test_a_leak_of_coup_is_noticed() -> None:
    with pytest.raises(laws.Broken, match=r"clocks\[0\]\.due is"):
        for seed in range(10):
            laws.check_secrecy(NervousCoup(), 4, CoupOptions(), seed)


class TalkativeCambia(Cambia):
    """The offer of a snap is only made when it would succeed."""

    def moves(self, state: cambia_state.State, seat: int) -> Sequence[Any]:
        top = state.faces[state.pile[-1]][:-1] if state.pile else ""
        return [m for m in super().moves(state, seat) if state.faces.get(getattr(m, "card", ""), top)[:-1] == top]


class RemindingCambia(Cambia):
    """Everybody is reminded of cards that they have never been shown."""

    def recall(self, state: cambia_state.State, seat: int | None) -> dict[str, str]:
        return {card: state.faces[card] for hand in state.hands for card in hand}


class StackedCambia(Cambia):
    """The stockpile's next card can be read off its back."""

    def view(self, state: cambia_state.State, seat: int | None) -> cambia_state.View:
        special = bool(state.stock) and state.faces[state.stock[-1]][0] in "789JQK"
        return replace(super().view(state, seat), snapped=special)


@pytest.mark.parametrize(
    "leaky", [TalkativeCambia(), RemindingCambia(), StackedCambia()], ids=lambda value: type(value).__name__
)
def test_a_leak_of_cambia_is_noticed(leaky: Cambia) -> None:
    with pytest.raises(laws.Broken, match="can tell the real state from an imagined one"):
        for seed in range(10):
            laws.check_secrecy(leaky, 3, HouseRules(), seed, **SECRECY["cambia"])


def test_a_leak_of_a_wire_protocol_is_noticed() -> None:
    def talkative(game: laws.AnyGame, state: Any, seat: int | None) -> bytes:
        return str(sum(map(sum, state.hands))).encode()

    def discreet(game: laws.AnyGame, state: Any, seat: int | None) -> bytes:
        return laws.encode(game.view(state, seat))

    laws.check_secrecy(toys.Bids(), 3, toys.Options(), 1, encoders=[discreet])
    with pytest.raises(laws.Broken, match=r"encoder 1 is \d+ in the real state"):
        laws.check_secrecy(toys.Bids(), 3, toys.Options(), 1, encoders=[discreet, talkative])


def test_a_whole_game_takes_less_than_a_hundred_lines_of_code() -> None:
    game = Path(toys.__file__).read_text().split("# Leaks")[0]
    assert len([line for line in game.splitlines() if line.strip()]) < 100
