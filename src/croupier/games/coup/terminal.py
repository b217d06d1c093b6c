"""Coup in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from click import style

from croupier.games.coup.characters import CLAIMS, Action, Character
from croupier.games.coup.moves import Accept, Allow, AnyMove, Block, CallBs, Confirm, Keep, Lose, Propose, Withdraw
from croupier.games.coup.state import Slot, View
from croupier.games.coup.stories import CHARACTERS
from croupier.kernel import Words, ink

COLOURS = {"duke": "magenta", "ambassador": "green", "assassin": "black", "contessa": "red", "captain": "blue"}
WIDE = max(map(len, CHARACTERS.values())) + 2
ACTIONS: dict[Action, str] = {
    "income": "income — 1 coin, and nobody can stop it",
    "foreign_aid": "foreign aid — 2 coins; a Duke can block it",
    "tax": "tax — 3 coins, as Duke{bluff}",
    "exchange": "exchange — draw two cards and keep the best, as Ambassador{bluff}",
    "steal": "steal — up to 2 coins, as Captain; a Captain or Ambassador can block it{bluff}",
    "assassinate": "assassinate — for 3 coins somebody loses a card, as Assassin; a Contessa can block it{bluff}",
    "coup": "coup — for 7 coins somebody loses a card, and nobody can stop it",
}
OPEN: dict[Action, str] = {
    "income": "{who} takes income",
    "foreign_aid": "{who} wants foreign aid",
    "tax": "{who} claims the Duke, to take 3 coins",
    "exchange": "{who} claims the Ambassador, to exchange cards",
    "steal": "{who} claims the Captain, to steal from {target}",
    "assassinate": "{who} claims the Assassin, to kill a card of {target}",
    "coup": "{who} stages a coup against {target}",
}


def show(view: View, names: Sequence[str]) -> str:
    lines = []
    for player, (name, cards) in enumerate(zip(names, view.cards, strict=False)):
        busy = view.current if view.losing is None else view.losing
        head = ink.name(name, player == busy and view.winner is None)
        notes = []
        if player in view.out:
            notes.append("thrown out" if player in view.kicked else "out")
        if player == view.winner:
            notes.append("wins")
        if player in view.missing:
            notes.append("missing")
        if player == view.losing:
            notes.append("has to lose a card")
        elif player in view.responders:
            notes.append("may answer")
        coins = view.coins[player]
        purse = f"{style('●' * min(coins, 12), fg='yellow')}{' ' * (13 - min(coins, 12))}{coins:>2}"
        lines.append(head + ink.flow([" ".join(map(_slot, cards)), purse, *map(ink.quiet, notes)]))
    if view.pool is not None:
        lines.append(f"\n  to choose from: {' '.join(map(_card, view.pool))}")
    if view.action is not None and view.current is not None and view.losing is None and view.pool is None:
        target = "" if view.target is None else names[view.target]
        lines.append("\n  " + OPEN[view.action].format(who=names[view.current], target=target))
        if view.blocker is not None and view.block_as is not None:
            lines.append(f"  {names[view.blocker]} blocks it, claiming the {CHARACTERS[view.block_as]}")
    if view.paused_since is not None:
        lines.append("\n  The game is paused.")
    return "\n".join(lines)


def _slot(slot: Slot) -> str:
    if slot.card is None:
        return style("▒" * WIDE, fg="blue")
    if slot.revealed:
        return style(f"({CHARACTERS[slot.card]})".center(WIDE), dim=True, strikethrough=True)
    return _card(slot.card)


def _card(card: Character) -> str:
    return style(CHARACTERS[card].center(WIDE), fg=COLOURS[card], bg="bright_white", bold=True)


def label(move: AnyMove, view: View, names: Sequence[str], words: Words) -> str:
    match move:
        case Propose(action, target):
            bluff = "" if _true(CLAIMS.get(action), view) else f"; {words('you would be bluffing')}"
            text = words(ACTIONS[action], bluff=bluff)
            if target is None:
                return text
            purse = words.some(view.coins[target], "has {count} coin", "has {count} coins")
            return f"{text} › {names[target]} — {purse}"
        case Allow() | Accept():
            return words("let it pass — nothing against it")
        case CallBs():
            return words("call BS — if they do have the card, you lose one")
        case Block(character):
            bluff = "" if _true(character, view) else f" — {words('you would be bluffing')}"
            return f"{words('block')} › {words('as {card}', card=words(CHARACTERS[character]))}{bluff}"
        case Confirm():
            return words("go ahead — as soon as nobody objects any more")
        case Withdraw():
            return words("withdraw — you give your action up, and what it cost")
        case Lose(card):
            return f"{words('lose')} › {words(CHARACTERS[card])}"
        case Keep(cards):
            return f"{words('keep')} › {' + '.join(words(CHARACTERS[card]) for card in cards)}"


def _true(character: Character | None, view: View) -> bool:
    """Whether somebody who claims this has it; None claims nothing."""
    assert view.seat is not None
    return character is None or Slot(character, False) in view.cards[view.seat]
