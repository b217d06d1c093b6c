"""Snapping: getting rid of a card that has the rank of the discard pile's top."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.cambia import debts, stock
from croupier.games.cambia.cards import RANK, is_id
from croupier.games.cambia.events import AnyEvent, GiveOwed, Penalised, SnapFailed, Snapped
from croupier.games.cambia.moves import AnyMove, Snap
from croupier.games.cambia.state import EVERYBODY, Debt, OfferedSnaps, Spot, State, no_card, owner
from croupier.kernel import Illegal


def offers(state: State, seat: int) -> Sequence[AnyMove]:
    """All cards that could be snapped, matching or not: an offer that depended on the face would give it away."""
    locked, hands = state.locked, state.hands
    if locked[seat] or not hands[seat]:  # C45, C48
        return ()
    if not state.rules.allow_opponent_snapping:
        return list(map(Snap, hands[seat]))
    offered = state.offered
    if offered.hands != hands:
        _offer(hands, offered)
    if True in locked:
        return [snap for holder, snaps in enumerate(offered.snaps) if not locked[holder] for snap in snaps]
    return offered.together  # C41


def _offer(hands: list[list[str]], offered: OfferedSnaps) -> None:
    before, snaps = offered.hands, offered.snaps
    together: list[Snap] = []
    for holder, hand in enumerate(hands):
        if before[holder] != hand:
            before[holder] = hand.copy()
            snaps[holder] = list(map(Snap, hand))
        together += snaps[holder]
    offered.together = together


def snap(state: State, seat: int, move: Snap, at: int) -> list[AnyEvent]:
    """C40: compare the card with what is on top now. C50: who comes first is decided by who is heard first."""
    card = move.card
    holder = owner(state, card)
    if holder is None and card not in state.faces and not is_id(card):
        raise no_card()
    if state.locked[seat]:
        raise Illegal("Your hand is locked.", "locked")  # C48
    if holder is not None and state.locked[holder]:
        raise Illegal("That hand is locked.", "locked")  # C48
    if state.debts and debts.owed_by(state, seat):
        raise Illegal("First give the card that you owe.", "give_pending")  # C44
    if holder is not None and holder != seat and not state.hands[seat]:
        raise Illegal("You have no card that you could give for it.", "no_card_to_give")  # C45

    happened: list[AnyEvent] = []
    foreign = holder != seat and not state.rules.allow_opponent_snapping
    if holder is None or foreign or not state.pile:  # C47
        happened.append(SnapFailed(seat, None, None))
        penalise(state, seat, happened)
        return happened
    hand = state.hands[holder]
    idx = hand.index(card)
    face = state.faces[card]
    too_late = state.rules.snap_race and state.snapped  # C49
    if too_late or RANK[face] != RANK[state.faces[state.pile[-1]]]:  # C46
        if not too_late:
            state.seen[card] = EVERYBODY
        happened.append(SnapFailed(seat, Spot(card, holder, idx), None if too_late else face))
        penalise(state, seat, happened)
        return happened
    del hand[idx]  # C42: the others close up
    state.pile.append(card)
    state.seen[card] = EVERYBODY
    state.snapped = True
    happened.append(Snapped(seat, card, face, holder, idx, len(state.pile)))
    if holder != seat:  # C43
        debt = Debt(seat, holder, idx, at + 1000 * state.rules.snap_give_sec)  # C44
        state.debts.append(debt)
        happened.append(GiveOwed(seat, holder, idx, debt.due))
    return happened


def penalise(state: State, seat: int, happened: list[AnyEvent]) -> None:
    """C46: cards from the stockpile, unseen; C55: as many as there are."""
    total = state.rules.penalty_draw_count
    if total > len(state.stock):
        total = min(total, stock.left(state))
    hand = state.hands[seat]
    for count in range(1, total + 1):
        # C51: only the last cards take a closer look.
        card = state.stock.pop() if len(state.stock) > 1 else stock.draw(state, happened)
        assert card is not None
        happened.append(Penalised(seat, card, len(hand), count, total, len(state.stock)))
        hand.append(card)
