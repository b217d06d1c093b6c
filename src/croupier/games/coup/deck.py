"""The deck of Coup: shuffled, and shuffled again when a card goes back into it.

The numbers U1, U2, … are the rules as the game's page under ``docs/`` counts them.
"""

from __future__ import annotations

from croupier.games.coup.characters import DECK, Character
from croupier.games.coup.state import Clue, State
from croupier.kernel import Chance


def shuffled_deck(chance: Chance) -> list[Character]:
    """U2: three of each, shuffled."""
    cards = list(DECK)
    chance.shuffle(cards, "deck")
    return cards


def reshuffle(state: State) -> None:
    """What the cards of the deck show is shuffled, which is the same as to shuffle the cards."""
    faces = state.faces
    stock = [faces[card] for card in state.deck]
    state.chance.shuffle(stock, "reshuffle")
    for place, card in enumerate(state.deck):
        faces[card] = stock[place]


def put_back(state: State) -> None:
    """U63: an exchange that can't be finished. The cards go to the bottom of the deck; who drew them has seen them."""
    state.deck += state.drawn
    state.clues += [Clue([state.faces[card]], [card], state.current) for card in state.drawn]
    state.drawn = []
