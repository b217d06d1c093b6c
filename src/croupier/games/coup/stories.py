"""Coup in words: what happened, how the table looks, what can be done."""

from __future__ import annotations

from collections.abc import Sequence

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

WISHES: dict[Action, str] = {
    "income": "takes income",
    "foreign_aid": "wants foreign aid",
    "coup": "stages a coup against {target}",
    "tax": "claims the Duke and wants to tax",
    "assassinate": "claims the Assassin and wants {target} dead",
    "steal": "claims the Captain and wants to steal from {target}",
    "exchange": "claims the Ambassador and wants to exchange cards",
}
DEEDS: dict[Action, str] = {
    "foreign_aid": "gets foreign aid",
    "tax": "taxes",
    "assassinate": "assassinates {target}",
    "steal": "steals from {target}",
    "exchange": "exchanges cards",
}
REASONS = {
    "coup": "after the coup",
    "assassinate": "to the assassin",
    "bs_wrong": "for calling BS wrongly",
    "bs_caught": "for bluffing",
    "kicked": "on leaving the game",
}


def tell(event: AnyEvent, names: Sequence[str]) -> str:
    """An event as a sentence, as far as whoever hears it has been told."""
    match event:
        case Proposed(seat, action, target, _, block_only):
            if block_only:
                return f"{names[seat]}'s claim is proven; {_name(names, target)} may still block."
            return f"{names[seat]} {WISHES[action].format(target=_name(names, target))}."
        case Executed(seat, action, target) if action in DEEDS:
            return f"{names[seat]} {DEEDS[action].format(target=_name(names, target))}."
        case CoinsChanged(coins):
            return " ".join(f"{names[seat]} has {_coins(count)}." for seat, count in coins)
        case Passed("blocked", seat, proposer):
            return f"{names[seat]}'s block stands; {names[proposer]} gets nothing."
        case Passed("withdrawn", seat):
            return f"{names[seat]} gives up the action."
        case Passed():
            return "Nothing comes of the action."
        case Allowed(seat):
            return f"{names[seat]} lets it pass."
        case Blocked(seat, character):
            return f"{names[seat]} blocks as {character.title()}."
        case Challenged(seat, accused, character, _, True):
            return f"{names[seat]} calls BS, and rightly: {names[accused]} has no {character.title()}."
        case Challenged(seat, accused, character):
            return f"{names[seat]} calls BS, but {names[accused]} does have the {character.title()}."
        case Swapped(seat, hand):
            return f"{names[seat]} swaps the {'card' if hand is None else f'card and holds {_list(hand)}'}."
        case Losing(seat, reason, True):
            return f"{names[seat]} has to lose a card {REASONS[reason]}."
        case Revealed(seat, card, _, reason):
            return f"{names[seat]} turns over the {card.title()} {REASONS[reason]}."
        case WentOut(seat):
            return f"{names[seat]} is out."
        case Drew(seat, pool):
            return f"{names[seat]} draws two cards{'' if pool is None else f' and chooses from {_list(pool)}'}."
        case Exchanged(seat, hand):
            return f"{names[seat]} has exchanged{'' if hand is None else f' and holds {_list(hand)}'}."
        case Ended(seat, cards):
            return f"{names[seat]} wins, with {_list(cards)}."
        case Paused(seat):
            return f"{names[seat]} has lost the connection: the game is paused."
        case Resumed():
            return "Everybody is here: the game goes on."
        case Kicked(seat):
            return f"{names[seat]} is out of the game for good."
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
        lines.append(f"  open: {names[view.blocker]} blocks as {view.block_as.title()}")
    elif view.action is not None and view.current is not None:
        wish = WISHES[view.action].format(target=_name(names, view.target))
        lines.append(f"  open: {names[view.current]} {wish}")
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


def _coins(count: int) -> str:
    return "1 coin" if count == 1 else f"{count} coins"


def _list(cards: Sequence[str]) -> str:
    return " and ".join(card.title() for card in cards) if len(cards) < 3 else ", ".join(map(str.title, cards))


def _slot(slot: Slot) -> str:
    if slot.card is None:
        return "▒▒▒"
    return f"({slot.card.title()})" if slot.revealed else slot.card.title()
