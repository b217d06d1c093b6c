"""Who sees what: the view of a seat, what it could remember, and what it could imagine."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from croupier.games.cambia.cards import RANK
from croupier.games.cambia.state import SPECTATOR, Card, Choice, Held, Player, State, View, spot
from croupier.kernel import Chance, Dice


def view(state: State, seat: int | None) -> View:
    """The table as it looks now. Memory is the game: hands show their backs, whatever was seen of them before."""
    playing = state.phase == "playing"
    faces = state.faces
    shown: tuple[Card, ...] = ()
    if seat is not None and state.phase == "pregame":
        shown = tuple(Card(card, faces[card]) for card in state.hands[seat][: state.rules.initial_view_count])  # C12
    held = None
    if state.held is not None and playing:
        open_to_you = seat == state.current or state.source == "discardpile"
        held = Held(state.current, state.held, faces[state.held] if open_to_you else None, state.source)  # C16, C17
    players = [
        Player(tuple(hand), since is not None, forfeited)
        for hand, since, forfeited in zip(state.hands, state.away, state.forfeited, strict=True)
    ]
    # In the order of its fields: to name so many takes longer than all the rest.
    return View(
        seat,
        state.rules,
        state.phase,
        state.round,
        tuple(players),
        state.current if playing else None,
        state.turn,
        state.step,
        state.due if playing else None,
        len(state.stock),
        len(state.pile),
        Card(state.pile[-1], faces[state.pile[-1]]) if state.pile else None,
        held,
        _choice(state, seat) if playing else None,
        tuple(state.debts),
        state.snapped,
        state.caller,
        shown,
        state.outcome,
        state.match,
    )


def lay_open(state: State, seat: int | None) -> View:
    """The table with every hand turned over. Nobody in the game ever sees it so."""
    seen = view(state, seat)
    held = seen.held and msgspec.structs.replace(seen.held, face=state.faces[seen.held.id])
    faces = {card: state.faces[card] for hand in state.hands for card in hand}
    return msgspec.structs.replace(seen, held=held, faces=faces)


def _choice(state: State, seat: int | None) -> Choice | None:
    if state.special is None or state.thrown is None:
        return None
    faces: tuple[str, ...] = ()
    if seat == state.current:
        faces = tuple(face for looked_at in state.revealed if (face := state.faces.get(looked_at.id)))
    return Choice(
        seat=state.current,
        special=state.special,
        card=state.thrown.id,
        rank=RANK[state.thrown.face],
        step="decide" if state.revealed else "choose",
        cards=tuple(spot(state, looked_at.id) for looked_at in state.revealed),
        faces=faces,
    )


def recall(state: State, seat: int | None) -> dict[str, str]:
    """The faces that this seat has been shown of cards that lie in hands now, by id."""
    bit = 1 << (SPECTATOR if seat is None else seat)
    return {card: state.faces[card] for hand in state.hands for card in hand if state.seen.get(card, 0) & bit}


def imagine(state: State, seat: int | None, dice: Dice) -> State:
    """The same table with other faces on the cards that this seat has not been shown.

    An id tells nothing of a face, so that every card keeps its id and its place. But whoever counts along knows what
    was in a pile that was reshuffled: those faces are on cards with new ids, and all others are not. So faces change
    places among the cards that got their ids in the same shuffle.
    """
    bit = 1 << (SPECTATOR if seat is None else seat)
    open_hands = state.outcome is not None
    known = {card for hand in state.hands for card in hand} if open_hands else ()
    faces = state.faces.copy()
    unknown: dict[int, list[str]] = defaultdict(list)
    for card in faces:
        if not state.seen.get(card, 0) & bit and card not in known:
            unknown[state.epochs.get(card, 0)].append(card)
    # One card of each shuffle came from the one before: it could be any that was unknown then.
    came: dict[int, str] = {}
    for epoch, left in enumerate(state.leftovers, start=1):
        if left in unknown[epoch]:
            other = dice.choice([left, *unknown[epoch - 1]])
            faces[left], faces[other] = faces[other], faces[left]
            came[epoch] = faces[left]
    for cards in unknown.values():
        values = [faces[card] for card in cards]
        dice.shuffle(values, "unknown")
        faces.update(zip(cards, values, strict=True))
    # Which one it is goes with the face: who imagines further must not take one for it that was in the pile.
    leftovers = state.leftovers.copy()
    for epoch, face in came.items():
        leftovers[epoch - 1] = next((card for card in unknown[epoch] if faces[card] == face), "")
    return msgspec.structs.replace(
        state,
        chance=Chance(bytes(dice.below(256) for _ in range(32))),
        ids=msgspec.structs.replace(state.ids),
        faces=faces,
        seen=state.seen.copy(),
        stock=state.stock.copy(),
        hands=[hand.copy() for hand in state.hands],
        pile=state.pile.copy(),
        away=state.away.copy(),
        forfeited=state.forfeited.copy(),
        locked=state.locked.copy(),
        missed=state.missed.copy(),
        missing=state.missing.copy(),
        debts=state.debts.copy(),
        epochs=state.epochs.copy(),
        leftovers=leftovers,
    )
