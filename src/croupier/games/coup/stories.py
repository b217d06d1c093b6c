"""Coup in words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from croupier.games.coup.vocabulary import (
    Accept,
    Action,
    Allow,
    Allowed,
    AnyEvent,
    AnyMove,
    Block,
    Blocked,
    CallBs,
    Challenged,
    Character,
    CoinsChanged,
    Confirm,
    Dealt,
    Drew,
    Ended,
    Exchanged,
    Executed,
    Keep,
    Kicked,
    Lose,
    Losing,
    LossReason,
    Passed,
    Paused,
    Propose,
    Proposed,
    Resumed,
    Revealed,
    Rose,
    Slot,
    Swapped,
    Turn,
    View,
    WentOut,
    Withdraw,
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
    "income": "{name} takes income.",
    "foreign_aid": "{name} wants foreign aid.",
    "coup": "{name} stages a coup against {target}.",
    "tax": "{name} claims the Duke and wants to tax.",
    "assassinate": "{name} claims the Assassin and wants {target} dead.",
    "steal": "{name} claims the Captain and wants to steal from {target}.",
    "exchange": "{name} claims the Ambassador and wants to exchange cards.",
}
DEEDS: dict[Action, str] = {
    "foreign_aid": "{name} gets foreign aid.",
    "tax": "{name} taxes.",
    "assassinate": "{name} assassinates {target}.",
    "steal": "{name} steals from {target}.",
    "exchange": "{name} exchanges cards.",
}
DEMANDS: dict[LossReason, str] = {
    "coup": "{name} has to lose a card after the coup.",
    "assassinate": "{name} has to lose a card to the assassin.",
    "bs_wrong": "{name} has to lose a card for calling BS wrongly.",
    "bs_caught": "{name} has to lose a card for bluffing.",
}
LOSSES: dict[LossReason | Literal["kicked"], str] = {
    "coup": "{name} turns over the {card} after the coup.",
    "assassinate": "{name} turns over the {card} to the assassin.",
    "bs_wrong": "{name} turns over the {card} for calling BS wrongly.",
    "bs_caught": "{name} turns over the {card} for bluffing.",
    "kicked": "{name} turns over the {card} on leaving the game.",
}


def tell(event: AnyEvent, names: Sequence[str], words: Words) -> str:
    """An event as a sentence, as far as whoever hears it has been told."""
    who = _name(names, getattr(event, "seat", None))
    match event:
        case Proposed(_, _, target, _, True):
            return words("{name}'s claim is proven; {target} may still block.", name=who, target=_name(names, target))
        case Proposed(_, action, target):
            return words(WISHES[action], name=who, target=_name(names, target))
        case Executed(_, action, target) if action in DEEDS:
            return words(DEEDS[action], name=who, target=_name(names, target))
        case CoinsChanged(purses):
            return " ".join(
                words("{name} has {coins}.", name=names[seat], coins=_coins(count, words)) for seat, count in purses
            )
        case Passed("blocked", _, proposer):
            return words("{name}'s block stands; {target} gets nothing.", name=who, target=_name(names, proposer))
        case Passed("withdrawn"):
            return words("{name} gives up the action.", name=who)
        case Passed():
            return words("Nothing comes of the action.")
        case Allowed():
            return words("{name} lets it pass.", name=who)
        case Blocked(_, character):
            return words("{name} blocks as {card}.", name=who, card=words(CHARACTERS[character]))
        case Challenged(_, accused, character, _, True):
            return words(
                "{name} calls BS, and rightly: {accused} has no {card}.",
                name=who,
                accused=names[accused],
                card=words(CHARACTERS[character]),
            )
        case Challenged(_, accused, character):
            return words(
                "{name} calls BS, but {accused} does have the {card}.",
                name=who,
                accused=names[accused],
                card=words(CHARACTERS[character]),
            )
        case Swapped(_, hand) if hand is not None:
            return words("{name} swaps the card and holds {cards}.", name=who, cards=_list(hand, words))
        case Swapped():
            return words("{name} swaps the card.", name=who)
        case Losing(_, reason, True):
            return words(DEMANDS[reason], name=who)
        case Revealed(_, card, _, reason):
            return words(LOSSES[reason], name=who, card=words(CHARACTERS[card]))
        case WentOut():
            return words("{name} is out.", name=who)
        case Drew(_, pool) if pool is not None:
            return words("{name} draws two cards and chooses from {cards}.", name=who, cards=_list(pool, words))
        case Drew():
            return words("{name} draws two cards.", name=who)
        case Exchanged(_, hand) if hand is not None:
            return words("{name} has exchanged and holds {cards}.", name=who, cards=_list(hand, words))
        case Exchanged():
            return words("{name} has exchanged.", name=who)
        case Ended(_, cards):
            return words("{name} wins, with {cards}.", name=who, cards=_list(cards, words))
        case Paused():
            return words("{name} has lost the connection: the game is paused.", name=who)
        case Resumed():
            return words("Everybody is here: the game goes on.")
        case Kicked():
            return words("{name} is out of the game for good.", name=who)
        case Dealt() | Rose() | Turn() | Losing() | Executed():
            return ""


def show(view: View, names: Sequence[str]) -> str:
    """A view as lines of text, for a terminal."""
    lines = []
    for player, (name, cards) in enumerate(zip(names, view.cards, strict=False)):
        turn = "▸" if player == view.current and view.winner is None else " "
        notes = [_coins(view.coins[player])]
        if player in view.out:
            notes = ["kicked" if player in view.kicked else "out"]
        if player == view.winner:
            notes.append("wins")
        if player in view.missing:
            notes.append("missing")
        if player in view.responders:
            notes.append("may answer")
        if player == view.losing:
            notes.append("has to lose a card")
        lines.append(f"{turn} {player} {name}: {' '.join(map(_slot, cards))}; {', '.join(notes)}")
    if view.pool is not None:
        lines.append(f"  to choose from: {_list(view.pool)}")
    if view.blocker is not None and view.block_as is not None:
        lines.append(f"  open: {names[view.blocker]} blocks as {CHARACTERS[view.block_as]}")
    elif view.action is not None and view.current is not None:
        wish = ENGLISH(WISHES[view.action], name=names[view.current], target=_name(names, view.target))
        lines.append(f"  open: {wish.removesuffix('.')}")
    lines.append(f"  deck: {view.deck}{'; the game is paused' if view.paused_since is not None else ''}")
    return "\n".join(lines)


def label(move: AnyMove) -> str:
    """A move in a few words."""
    match move:
        case Propose(action, None):
            return action.replace("_", " ")
        case Propose(action, target):
            return f"{action} {target}"
        case Allow():
            return "allow"
        case Accept():
            return "accept"
        case CallBs():
            return "call BS"
        case Block(character):
            return f"block as {character}"
        case Confirm():
            return "go ahead"
        case Withdraw():
            return "withdraw"
        case Lose(card):
            return f"lose {card}"
        case Keep(cards):
            return f"keep {' '.join(cards)}"


def _name(names: Sequence[str], seat: int | None) -> str:
    return "" if seat is None else names[seat]


def _coins(count: int, words: Words = ENGLISH) -> str:
    return words.some(count, "{count} coin", "{count} coins")


def _list(cards: Sequence[Character], words: Words = ENGLISH) -> str:
    separator = words(" and ") if len(cards) < 3 else ", "
    return separator.join(words(CHARACTERS[card]) for card in cards)


def _slot(slot: Slot) -> str:
    if slot.card is None:
        return "▒▒▒"
    return f"({CHARACTERS[slot.card]})" if slot.revealed else CHARACTERS[slot.card]
