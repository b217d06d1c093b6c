"""From the deck to the first turn; and from one round of a match to the next."""

from __future__ import annotations

from croupier.games.cambia import ending, turns
from croupier.games.cambia.cards import Ids, deck
from croupier.games.cambia.events import AnyEvent, Began, Dealt, FirstLook, RoundStarted
from croupier.games.cambia.options import Options, in_force
from croupier.games.cambia.state import EVERYBODY, Card, Match, State
from croupier.kernel import Chance

GATHERING = 10
"""T1: seconds that a game waits for everybody to be there."""


def new(options: Options, seats: int, chance: Chance, at: int) -> State:
    ids = Ids(b"".join(chance.below(1 << 32).to_bytes(4, "big") for _ in range(8)))
    order = list(range(seats))
    chance.shuffle(order, "first")
    state = State(
        rules=in_force(options),
        chance=chance,
        ids=ids,
        since=at,
        first=order[0],  # C11
        faces={},
        seen={},
        stock=[],
        hands=[],
        pile=[],
        away=[None] * seats,
        forfeited=[False] * seats,
        locked=[False] * seats,
        missed=[0] * seats,
        missing=[False] * seats,
        players=seats,
        match=Match(totals=(0,) * seats, missed=(0,) * seats) if options.circuit else None,
    )
    gather(state, at)
    return state


def gather(state: State, at: int) -> None:
    """A shuffled deck on the table, and nothing dealt. T1: people may still be on their way."""
    seats = len(state.away)
    rules = state.rules
    state.forfeited = [state.match is not None and seat not in ending.left_in(state.match) for seat in range(seats)]
    state.locked = state.forfeited.copy()
    state.players = state.forfeited.count(False)
    cards = deck(rules.num_decks or (1 if state.players <= 6 else 2), rules.use_jokers)  # C2
    state.chance.shuffle(cards, "deck")  # C8
    ids = state.ids.take(len(cards))
    state.faces = dict(zip(ids, cards, strict=True))
    state.seen, state.epochs, state.leftovers = {}, {}, []
    state.stock = ids[::-1]
    state.hands = [[] for _ in range(seats)]
    state.pile, state.debts = [], []
    state.held = state.caller = state.outcome = None
    turns.close_choice(state)
    state.missed = [0] * seats
    state.missing = [False] * seats
    state.snapped = state.whole = False
    state.step = "start"
    state.turn = 0
    state.phase = "gathering"
    state.since = at


def deal(state: State, at: int, happened: list[AnyEvent]) -> None:
    """Everybody is there, or has been waited for."""
    rules, stock, hands = state.rules, state.stock, state.hands
    for _ in range(rules.cards_per_player):  # C9
        for hand, forfeited in zip(hands, state.forfeited, strict=True):
            if not forfeited:
                hand.append(stock.pop())
    if rules.initial_discard:  # C10
        state.pile.append(stock.pop())
        state.seen[state.pile[0]] = EVERYBODY
    for seat, since in enumerate(state.away):
        if since is not None:
            state.away[seat] = at  # T1: who is missing now counts as disconnected, from now on
            state.missing[seat] = state.match is not None  # C67
    state.phase = "pregame"
    state.since = at
    top = Card(state.pile[0], state.faces[state.pile[0]]) if state.pile else None
    happened.append(Dealt(state.round, tuple(map(tuple, hands)), top, len(stock), len(state.pile)))
    for seat, hand in enumerate(hands):
        if state.forfeited[seat]:
            continue
        shown = hand[: rules.initial_view_count]  # C12
        for card in shown:
            state.seen[card] = 1 << seat
        happened.append(FirstLook(seat, tuple(Card(card, state.faces[card]) for card in shown)))
    if rules.pre_game_sec == 0:
        start(state, at, happened)


def start(state: State, at: int, happened: list[AnyEvent]) -> None:
    """C12: the first look is over, and turn 0 begins."""
    state.phase = "playing"
    state.since = at
    seat = state.first
    while state.forfeited[seat]:
        seat = (seat + 1) % len(state.hands)
    happened.append(Began())
    turns.begin(state, seat, at, happened)


def next_round(state: State, at: int, happened: list[AnyEvent]) -> None:
    """C62: a new deal for those who are still in the match."""
    assert state.match is not None
    seats = len(state.hands)
    left = ending.left_in(state.match)
    state.round += 1
    seat = (state.first + 1) % seats  # C11
    while seat not in left:
        seat = (seat + 1) % seats
    state.first = seat
    gather(state, at)
    happened.append(RoundStarted(state.round, ending.rounds(state), (seat - 1) % seats))
