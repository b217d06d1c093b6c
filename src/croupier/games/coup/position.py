"""Questions about a position of Coup; and how it looks from a seat."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.coup.characters import CHARACTERS, Character
from croupier.games.coup.events import CoinsChanged
from croupier.games.coup.moves import WindowKind
from croupier.games.coup.state import Phase, Slot, State, View

WINDOWS: dict[Phase, WindowKind] = {"action_window": "action", "block_window": "block"}

HIDDEN = Slot(None, False)
BOTH_HIDDEN = HIDDEN, HIDDEN
SHOWN: dict[tuple[Character, bool], Slot] = {
    (character, revealed): Slot(character, revealed) for character in CHARACTERS for revealed in (False, True)
}


def live(state: State, player: int) -> list[int]:
    """The cards that somebody has face down."""
    lost = state.lost[player]
    if not lost:
        return state.hands[player]
    return [card for slot, card in enumerate(state.hands[player]) if slot not in lost]


def faces(state: State, cards: Sequence[int]) -> tuple[Character, ...]:
    return tuple([state.faces[card] for card in cards])


def both(state: State, player: int) -> tuple[Character, Character]:
    """What a hand shows that nothing was lost of."""
    one, other = state.hands[player]
    return state.faces[one], state.faces[other]


def slots(state: State, player: int) -> list[tuple[int, int]]:
    """Somebody's face-down cards, with their slots."""
    lost = state.lost[player]
    return [(slot, card) for slot, card in enumerate(state.hands[player]) if slot not in lost]


def proof(state: State, player: int, claim: Character) -> int | None:
    """U31: the slot of a face-down card of somebody's that is this character."""
    hand, lost = state.hands[player], state.lost[player]
    for slot in (0, 1):
        if state.faces[hand[slot]] == claim and slot not in lost:
            return slot
    return None


def shown(state: State, player: int, open: bool) -> tuple[Slot, Slot]:
    """Somebody's two cards; face down but for the lost ones, unless they are ``open``."""
    lost = state.lost[player]
    one, other = state.hands[player]
    return (
        SHOWN[state.faces[one], 0 in lost] if open or 0 in lost else HIDDEN,
        SHOWN[state.faces[other], 1 in lost] if open or 1 in lost else HIDDEN,
    )


def balance(state: State, seat: int) -> CoinsChanged:
    return CoinsChanged(((seat, state.coins[seat]),))


def window(state: State) -> WindowKind | None:
    """What may be answered now."""
    return WINDOWS.get(state.phase)


def owner(state: State) -> int:
    """Whose action or block it is."""
    return state.current if state.blocker is None else state.blocker


def concerned(state: State) -> int | None:
    """Who else can have it done: the target of an action, the player who is blocked."""
    return state.target if state.blocker is None else state.current


def may_answer(state: State, seat: int, to: WindowKind | None) -> bool:
    """Whether somebody may answer what is open, and means it."""
    return seat in state.responders and (to is None or to == WINDOWS.get(state.phase))


def opens(state: State) -> int:
    """U23: from when on an action or block may be confirmed."""
    return state.since + state.options.min_wait_ms


def others(state: State, first: int) -> list[int]:
    """The living players but this one, in turn order after them."""
    out, seats = state.out, state.seats
    order = seats[first + 1 :] + seats[:first]
    return [seat for seat in order if seat not in out] if out else order


def missing(state: State) -> tuple[int, ...]:
    return tuple([seat for seat, _ in state.away]) if state.away else ()


def next_living(state: State, seat: int) -> int:
    """U5: the next one in turn order who is not out."""
    count = len(state.seats)
    seat = (seat + 1) % count
    while seat in state.out:
        seat = (seat + 1) % count
    return seat


def pick(state: State, pool: Sequence[int], wanted: Sequence[Character]) -> tuple[list[int], list[int]] | None:
    """Cards of the pool that show these faces, and the rest; None when they are not all there (with multiplicity)."""
    rest = list(pool)
    kept = []
    for character in wanted:
        for card in rest:
            if state.faces[card] == character:
                break
        else:
            return None
        rest.remove(card)
        kept.append(card)
    return kept, rest


def seen(state: State, seat: int | None) -> View:
    """All that this seat may know (U10); None: a spectator."""
    options, phase, kind = state.options, state.phase, window(state)
    own = state.seats.index(seat) if seat in state.seats else None  # who has just risen sees what everybody sees
    over = phase == "game_over"
    pool = None
    limit = 0
    if phase == "awaiting_action":
        limit = options.turn_timeout_ms
    elif kind is not None:
        limit = options.response_timeout_ms
    elif phase == "losing_card" or phase == "exchanging":
        limit = options.choice_timeout_ms
        if phase == "exchanging" and own == state.current:
            pool = faces(state, live(state, own) + state.drawn)
    cards: list[tuple[Slot, Slot]] = [BOTH_HIDDEN] * len(state.hands)
    revealed: list[tuple[Character, ...]] = [()] * len(state.hands)
    for player, lost in enumerate(state.lost):
        if lost:
            revealed[player] = faces(state, [state.hands[player][slot] for slot in lost])
        if lost or over or player == own:
            cards[player] = shown(state, player, over or player == own)
    # In the order of its fields: to name so many takes longer than all the rest.
    return View(
        seat,
        phase,
        options.ruleset,
        tuple(state.seats),
        None if phase == "pre_game" else state.current,
        len(state.deck),
        tuple(state.coins),
        tuple(cards),
        tuple(revealed),
        tuple(state.out),
        tuple(state.kicked),
        state.action,
        state.target,
        state.blocker,
        state.block_as,
        state.block_only,
        tuple(state.allowed),
        tuple(state.responders),
        state.confirmed,
        None if kind is None or options.confirm_policy == "all" else opens(state),
        state.since + limit if limit else None,
        state.loser,
        state.reason,
        pool,
        state.paused_at,
        missing(state),
        next_living(state, state.current) if over else None,
    )
