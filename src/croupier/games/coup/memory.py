"""What everybody can know of hidden cards, and what else could then be true.

A card keeps its number wherever it goes, so what is known of it goes with it. When somebody rearranges cards out of
sight, those who don't see it know less exactly where a card is: their clues widen to all that were rearranged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.games.coup.characters import Character
from croupier.games.coup.position import live
from croupier.games.coup.state import Clue, Lack, State
from croupier.kernel import Dice

TRIES = 20
"""Deals that are tried before imagination goes from the real one step by step."""
STEPS = 60


def proved(state: State, player: int, character: Character) -> None:
    """Everybody has learned that one of a player's cards is this character."""
    _note(state.clues, Clue([character], list(live(state, player))))


def caught(state: State, player: int, character: Character) -> None:
    """Everybody has learned that none of a player's cards is this character."""
    state.lacks.append(Lack(character, list(live(state, player))))


def shuffled(state: State, returned: Sequence[Character] = ()) -> None:
    """The deck has been shuffled, and all know that these characters are in it."""
    _rearranged(state, state.deck, None)
    if returned:
        _note(state.clues, Clue(list(returned), list(state.deck)))


def exchanged(state: State, player: int, kept: list[int], returned: list[int]) -> None:
    """A player has chosen cards, and put back the rest. Nobody else has seen any of it."""
    _rearranged(state, kept + returned, player)
    for card in returned:
        _note(state.clues, Clue([state.faces[card]], [card], player))


def _rearranged(state: State, cards: Sequence[int], by: int | None) -> None:
    if not state.clues and not state.lacks:
        return
    moved = set(cards)
    if state.clues:
        state.clues = _widened(state.clues, moved, by)
    gone = False
    for lack in state.lacks:
        if not moved.isdisjoint(lack.cards):
            lack.cards = [card for card in lack.cards if card not in moved]
            gone = gone or not lack.cards
    if gone:
        state.lacks = [lack for lack in state.lacks if lack.cards]


def _widened(known: Iterable[Clue], moved: set[int], by: int | None) -> list[Clue]:
    clues: list[Clue] = []
    inside: dict[int | None, Clue] = {}
    everywhere = sorted(moved)
    for clue in known:
        if moved.isdisjoint(clue.cards):
            clues.append(clue)
            continue
        if by is not None:
            if clue.seat == by:
                _note(clues, clue)
                continue
            if clue.seat is None:
                _note(clues, Clue(clue.characters, clue.cards, by))  # who did it knows what all knew, and where it went
        whole = inside.get(clue.seat)
        if not moved.issuperset(clue.cards):
            _note(clues, Clue(clue.characters, sorted(moved.union(clue.cards)), clue.seat))
        elif whole is None:
            inside[clue.seat] = clue
        elif set(whole.cards).isdisjoint(clue.cards):
            # Two clues about different cards that are mixed now: both characters are there.
            inside[clue.seat] = Clue(whole.characters + clue.characters, whole.cards + clue.cards, clue.seat)
        else:
            _note(clues, Clue(clue.characters, everywhere, clue.seat))
    for clue in inside.values():
        _note(clues, Clue(clue.characters, everywhere, clue.seat))
    return clues


def _note(clues: list[Clue], clue: Clue) -> None:
    if clue not in clues:
        clues.append(clue)


def imagined(state: State, player: int | None, dice: Dice) -> list[Character]:
    """Other faces of the cards, such that this player (None: a spectator) has been shown nothing to the contrary."""
    seen = {hand[slot] for hand, lost in zip(state.hands, state.lost, strict=True) for slot in lost}
    if player is not None:
        seen.update(state.hands[player])
        if state.phase == "exchanging" and player == state.current:
            seen.update(state.drawn)
    if state.phase == "game_over":
        seen.update(card for hand in state.hands for card in hand)
    clues = [clue for clue in state.clues if clue.seat is None or clue.seat == player]
    hidden = [card for card in range(len(state.faces)) if card not in seen]
    for _ in range(TRIES):
        faces = _dealt(state.faces, hidden, clues, dice)
        if faces is not None and _fits(faces, clues, state.lacks):
            return faces
    # The clues leave little room: exchange two cards again and again, as long as that contradicts nothing.
    faces = state.faces.copy()
    for _ in range(STEPS if hidden else 0):
        one, other = dice.choice(hidden), dice.choice(hidden)
        faces[one], faces[other] = faces[other], faces[one]
        if not _fits(faces, clues, state.lacks):
            faces[one], faces[other] = faces[other], faces[one]
    return faces


def remembered(clues: Iterable[Clue], player: int | None, faces: Sequence[Character], dice: Dice) -> list[Clue]:
    """What everybody would know if these were the faces: what others alone know would be something else."""
    found = []
    for clue in clues:
        if clue.seat is not None and clue.seat != player:
            there = [faces[card] for card in clue.cards]
            dice.shuffle(there, "what somebody else has seen")
            clue = Clue(there[: len(clue.characters)], clue.cards, clue.seat)
        found.append(clue)
    return found


def _dealt(
    real: Sequence[Character], hidden: Sequence[int], clues: Sequence[Clue], dice: Dice
) -> list[Character] | None:
    """Deal the hidden cards anew: first what the clues ask for, then the rest. None when that does not come out."""
    unknown = set(hidden)
    stock = [real[card] for card in hidden]
    faces: list[Character | None] = [None if card in unknown else face for card, face in enumerate(real)]
    for clue in clues:
        free = [card for card in clue.cards if faces[card] is None]
        for character in _missing(faces, clue):
            if not free or character not in stock:
                return None
            card = dice.choice(free)
            free.remove(card)
            stock.remove(character)
            faces[card] = character
    dice.shuffle(stock, "hidden")
    rest = iter(stock)
    return [next(rest) if face is None else face for face in faces]


def _missing(faces: Sequence[Character | None], clue: Clue) -> list[Character]:
    """What a clue says is there, and is not."""
    there = [faces[card] for card in clue.cards]
    missing = []
    for character in clue.characters:
        if character in there:
            there.remove(character)
        else:
            missing.append(character)
    return missing


def _fits(faces: Sequence[Character], clues: Iterable[Clue], lacks: Iterable[Lack]) -> bool:
    return not any(faces[card] == lack.character for lack in lacks for card in lack.cards) and not any(
        _missing(faces, clue) for clue in clues
    )
