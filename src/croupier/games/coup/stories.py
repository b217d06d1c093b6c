"""Coup in words, for the log of a table and for a terminal: what has happened."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.coup.characters import Action, Character
from croupier.games.coup.events import (
    Allowed,
    AnyEvent,
    Blocked,
    Challenged,
    CoinsChanged,
    Dealt,
    Drew,
    Ended,
    Exchanged,
    Executed,
    Kicked,
    Losing,
    Passed,
    Paused,
    Proposed,
    Resumed,
    Revealed,
    Rose,
    Swapped,
    Turn,
    WentOut,
)
from croupier.kernel import ENGLISH, Words

CHARACTERS: dict[Character, str] = {
    "duke": "Duke",
    "ambassador": "Ambassador",
    "assassin": "Assassin",
    "contessa": "Contessa",
    "captain": "Captain",
}
WISHES: dict[Action, str] = {
    "income": "{name} [take|takes] income: 1 coin.",
    "foreign_aid": "{name} [want|wants] foreign aid.",
    "coup": "{name} [stage|stages] a coup against {target}.",
    "tax": "{name} [claim|claims] Duke to take tax.",
    "assassinate": "{name} [claim|claims] Assassin to assassinate {target}.",
    "steal": "{name} [claim|claims] Captain to steal from {target}.",
    "exchange": "{name} [claim|claims] Ambassador to exchange cards.",
}
DEEDS: dict[Action, str] = {
    "foreign_aid": "{name} [get|gets] foreign aid: 2 coins.",
    "tax": "{name} [take|takes] tax: 3 coins.",
    "assassinate": "{name} [assassinate|assassinates] {target}.",
    "steal": "{name} [steal|steals] from {target}.",
}
"""Income and coup are told as wishes, which nobody can stop, and an exchange as it goes on."""
VERDICTS: dict[bool, str] = {
    True: "{name} [call|calls] BS, and rightly: {accused} [accused:have|has] no {card}.",
    False: "{name} [call|calls] BS, but {accused} [accused:do|does] have the {card}.",
}
"""When BS was called rightly, and when it was not."""


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    """An event as a sentence, as far as whoever hears it has been told.

    Not everything is: coins are there to be counted, and why somebody loses a card was told just before.
    """
    who = _name(names, getattr(event, "seat", None))
    match event:
        case Proposed(_, _, target, _, True):
            return words(
                "{name} [were|was] telling the truth; {target} may still block.", name=who, target=_name(names, target)
            )
        case Proposed(_, action, target):
            return words(WISHES[action], name=who, target=_name(names, target))
        case Executed(_, action, target) if action in DEEDS:
            return words(DEEDS[action], name=who, target=_name(names, target))
        case Passed("blocked"):
            return words("[Your|{name}'s] block stands.", name=who)
        case Passed("withdrawn"):
            return words("{name} [give|gives] up the action.", name=who)
        case Passed():
            return words("Nothing comes of the action.")
        case Allowed():
            return words("{name} [let|lets] it pass.", name=who)
        case Blocked(_, character):
            return words("{name} [block|blocks] as {card}.", name=who, card=words(CHARACTERS[character]))
        case Challenged(_, accused, character, _, correct):
            return words(VERDICTS[correct], name=who, accused=names[accused], card=words(CHARACTERS[character]))
        case Swapped(_, hand) if hand is not None:
            return words("{name} [swap|swaps] the card and [hold|holds] {cards}.", name=who, cards=_list(hand, words))
        case Swapped():
            return words("{name} [swap|swaps] the card.", name=who)
        case Revealed(_, card, _, "kicked"):
            return words("{name} [turn|turns] over the {card}.", name=who, card=words(CHARACTERS[card]))
        case Revealed(_, card):
            return words("{name} [lose|loses] the {card}.", name=who, card=words(CHARACTERS[card]))
        case WentOut():
            return words("{name} [are|is] out.", name=who)
        case Drew(_, pool) if pool is not None:
            return words(
                "{name} [draw|draws] two cards and [choose|chooses] from {cards}.", name=who, cards=_list(pool, words)
            )
        case Drew():
            return words("{name} [draw|draws] two cards.", name=who)
        case Exchanged(_, hand) if hand is not None:
            return words("{name} [keep|keeps] {cards}.", name=who, cards=_list(hand, words))
        case Exchanged():
            return words("{name} [have|has] exchanged cards.", name=who)
        case Ended(_, cards):
            return words("{name} [win|wins], with {cards}.", name=who, cards=_list(cards, words))
        case Paused():
            return words("{name} [have|has] lost the connection: the game is paused.", name=who)
        case Resumed():
            return words("Everybody is here: the game goes on.")
        case Kicked():
            return words("{name} [leave|leaves] the game.", name=who)
        case Dealt() | Rose() | Turn() | Losing() | Executed() | CoinsChanged():
            return ""


def _name(names: Sequence[str], seat: int | None) -> str:
    return "" if seat is None else names[seat]


def _coins(count: int, words: Words = ENGLISH) -> str:
    return words.some(count, "{count} coin", "{count} coins")


def _list(cards: Sequence[Character], words: Words = ENGLISH) -> str:
    separator = words(" and ") if len(cards) < 3 else ", "
    return separator.join(words(CHARACTERS[card]) for card in cards)
