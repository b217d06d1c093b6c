"""Tables of Faraway for tests: dealt, rigged, or laid out by hand; and the game that everybody can play by heart."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain

from croupier import laws
from croupier.games.faraway.cards import REGION_DECKS, SANCTUARY_DECKS, CardSet
from croupier.games.faraway.events import AnyEvent
from croupier.games.faraway.moves import AnyMove, Choose, Play, Take
from croupier.games.faraway.options import Options
from croupier.games.faraway.rules import Faraway
from croupier.games.faraway.state import Phase, State
from croupier.kernel import Chance, Rig

faraway = Faraway()

QUIET = Options(action_timeout=0)
FULL = Options(card_set="full")
OPEN = Options(open_information=True)
PUBLISHED = Options(tie_break="published")
SOLO = Options(solo=True)


def dealt(seats: int, seed: int = 0, options: Options = QUIET) -> State:
    return faraway.deal(options, seats, Chance(laws.seed_bytes(seed)), 0)


def seeded(seed: int, card_set: CardSet = "base") -> Rig:
    """F5: the decks as CPython's own generator shuffles them, one after the other."""
    generator = random.Random(seed)
    regions, sanctuaries = list(REGION_DECKS[card_set]), list(SANCTUARY_DECKS[card_set])
    generator.shuffle(regions)
    generator.shuffle(sanctuaries)
    return Rig(orders={"regions": regions, "sanctuaries": sanctuaries})


def rigged(seats: int, seed: int = 1, options: Options = QUIET) -> State:
    return faraway.deal(options, seats, Chance(bytes(32), rig=seeded(seed, options.card_set)), 0)


GAME = """
    A:P19  B:P60  A:H3  B:H43
    A:P20  B:P43  A:S17  A:H67  B:H66
    A:P24  B:P66  A:S20  B:S43  A:H5  B:H11
    A:P67  B:P23  A:S4  B:H34  A:H6
    A:P3  B:P34  B:S13  A:H44  B:H10
    A:P5  B:P13  A:S22  A:H30  B:H22
    A:P6  B:P22  A:S29  B:S36  A:H27  B:H8
    A:P27  B:P11  A:S41
"""
GOLDEN = GAME.split()
"""A whole game of two with the decks of seed 1: 39 actions."""

KINDS: dict[str, type[Play] | type[Choose] | type[Take]] = {"P": Play, "S": Choose, "H": Take}


def act(state: State, *actions: str, at: int = 0) -> list[AnyEvent]:
    """Actions written like ``A:P19`` (player A plays 19), ``B:S4`` (sanctuary), ``A:H3`` (shop)."""
    events: list[AnyEvent] = []
    for action in actions:
        seat, move = read(action)
        events += faraway.play(state, seat, move, at)
    return events


def read(action: str) -> tuple[int, AnyMove]:
    return ord(action[0]) - ord("A"), KINDS[action[2]](int(action[3:]))


def golden(updates: int) -> State:
    """The golden game as it was after so many updates; the first one is the deal."""
    state = rigged(2)
    act(state, *GOLDEN[: updates - 1])
    return state


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def table(
    *players: str,
    phase: Phase = "play",
    shop: str = "",
    options: Options = QUIET,
    sanctuary_deck: Sequence[int] | None = None,
    region_deck: Sequence[int] | None = None,
) -> State:
    """A position at the beginning of a phase, a player written as ``"row / hand / sanctuaries"``.

    Whatever is nowhere else lies in the decks, ascending.
    """
    zones = [[numbers(zone) for zone in f"{player}//".split("/")[:3]] for player in players]
    rows, hands, kept = ([list(zone[i]) for zone in zones] for i in range(3))
    on_sale = numbers(shop)
    laid = {*chain(*rows, *hands), *on_sale}
    if region_deck is None:
        region_deck = [card for card in REGION_DECKS[options.card_set] if card not in laid]
    if sanctuary_deck is None:
        sanctuary_deck = [card for card in SANCTUARY_DECKS[options.card_set] if card not in chain(*kept)]
    seats = list(range(len(players)))
    order = sorted(seats, key=lambda seat: rows[seat][-1:])
    return State(
        options=options,
        since=0,
        region_deck=list(region_deck),
        sanctuary_deck=list(sanctuary_deck),
        dealt=[tuple(hand[:3]) for hand in hands],
        hands=hands,
        rows=rows,
        sanctuaries=kept,
        offers=[[] for _ in seats],
        seen=[list(cards) for cards in kept],
        shop=on_sale,
        players=seats,
        waiting=order if phase == "shop" else list(seats),
        shop_order=order if phase == "shop" else [],
        phase=phase,
        turn=len(rows[0]) - (phase != "play"),
    )


def no_card_is_lost(state: State) -> None:
    """Every card of the set is somewhere, exactly once."""
    regions = [*state.region_deck, *state.shop, *state.discarded, *chain(*state.hands, *state.rows)]
    sanctuaries = [*state.sanctuary_deck, *chain(*state.offers, *state.sanctuaries)]
    assert sorted(regions) == list(REGION_DECKS[state.options.card_set])
    assert sorted(sanctuaries) == list(SANCTUARY_DECKS[state.options.card_set])
