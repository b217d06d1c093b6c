"""Fortress in a terminal: how the table looks, and what can be done."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from click import style, unstyle

from croupier.games.fortress import moves as mv
from croupier.games.fortress.card_definition import Trigger
from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.costs import price
from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.places import SLOT, Kind, Place
from croupier.games.fortress.stories import PURPOSES
from croupier.games.fortress.view import CardView, RequestView, SideView, StackView, View
from croupier.kernel import ink

COLOURS: dict[Kind, str] = {
    "castle": "cyan", "decree": "yellow", "soldier": "red", "trickster": "magenta", "mage": "blue",
}  # fmt: skip
ROWS = (("soldiers", (0, 1)), ("mages", (2, 3)), ("tricksters", (4, 5)), ("decree", (6,)))
TRIGGERS: dict[Trigger, str] = {
    "on play": "On play: ", "on lvl": "On reaching level {level}: ", "in play": "Use, at level {level}: ",
    "field": "", "special": "", "response": "", "always": "", "by itself": "",
}  # fmt: skip


def show(view: View, names: Sequence[str]) -> str:
    lines: list[str] = []
    for seat in (1, 0) if view.seat == 0 else (0, 1):  # one's own side below, beside the hand
        lines += [*_side(view, seat, view.sides[seat], names[seat]), ""]
    for item in view.stack:
        first, *rest = textwrap.wrap(unstyle(_announced(item, view, names)), ink.WIDTH - 4)
        lines += [f"  {style('▹', fg='yellow')} {first}", *(f"    {line}" for line in rest)]
    if view.stack:
        lines.append("")
    own = None if view.seat is None else view.sides[view.seat]
    if own is not None and own.hand and view.phase in ("mulligan", "main"):
        lines.append("  your hand:")
        for card in own.hand:
            lines += _in_full(card)
    if view.request is not None:
        lines.append(f"  {_asked(view.request, view, names)}")
    return "\n".join(lines).rstrip("\n")


def _side(view: View, seat: int, side: SideView, name: str) -> list[str]:
    head = ink.name(name, seat == view.active and view.phase != "over")
    if not side.brought:
        return [head + ink.quiet("chooses a deck")]
    castle = "a hidden castle"
    if side.castle is not None:
        castle = f"{_named(side.castle)} {style(f'♥ {side.health}', bold=True)}"
    hand = f"hand {side.hand_size}, deck {side.deck}, discard pile {len(side.discard)}"
    lines = [f"{head}{castle}   {ink.quiet(hand)}"]
    for title, slots in ROWS:
        units = [_unit(unit) for slot in slots if (unit := side.field[slot]) is not None]
        if units:
            lines.append(f"{'':14}{ink.quiet(f'{title:<11}')}{ink.flow(units, 25, '   ')}")
    return lines


def _named(card: int) -> str:
    return style(CARDS[card].name, fg=COLOURS[CARDS[card].kind], bold=True)


def _unit(unit: CardView) -> str:
    if unit.card is None:
        return style("▒▒▒▒", fg="blue")
    parts = [_named(unit.card)]
    if unit.points is not None:
        parts.append(str(unit.points))
    if unit.level is not None:
        parts.append(f"level {unit.level}")
    if unit.stunned:
        parts.append("stunned")
    if unit.face_down:
        parts.append("face down")
    return " ".join(parts)


def _in_full(card: int) -> list[str]:
    """A card with its text."""
    printed = CARDS[card]
    facts = [printed.kind if not printed.points else f"{printed.kind} {printed.points}"]
    if cost := price(card):
        facts.append(f"costs {cost}")
    text = text_of(card)
    body = f"{', '.join(facts)}. {text}"
    pad = 22
    wrapped = textwrap.wrap(body, ink.WIDTH - pad - 2)
    first = f"    {_named(card)}{' ' * max(1, pad - 2 - len(printed.name))}{ink.quiet(wrapped[0])}"
    return [first, *(" " * (pad + 2) + ink.quiet(line) for line in wrapped[1:])]


def text_of(card: int) -> str:
    """What is printed on a card."""
    parts = []
    for text in CARDS[card].texts:
        lead = TRIGGERS[text.trigger]
        if text.trigger == "in play" and CARDS[card].kind != "mage":
            lead = "Once a turn: "
        parts.append(lead.format(level=text.level) + text.words)
    return " ".join(parts)


def _announced(item: StackView, view: View, names: Sequence[str]) -> str:
    who = names[item.seat]
    card = "" if item.card is None else CARDS[item.card].name
    match item.kind:
        case "draw":
            return f"{who} is going to draw a card"
        case "play":
            return f"{who} plays {card or 'a trickster, face down'}"
        case "level":
            return f"{who} raises {card} to level {item.level}"
        case "ability":
            return f"{who} uses {card}: {text_of(item.card) if item.card is not None else ''}"
        case "attack":
            target = "" if item.target is None else _at(item.target, view, names)
            return f"{who} attacks {target} with {card}"
        case "trickster":
            return f"{who} answers with {card}: {text_of(item.card) if item.card is not None else ''}"


def _asked(request: RequestView, view: View, names: Sequence[str]) -> str:
    who = "You choose" if request.seat == view.seat else f"{names[request.seat]} chooses"
    card = "" if request.card is None else f" (for {CARDS[request.card].name})"
    if request.seat != view.seat and request.kind != "target":
        return f"{names[request.seat]} has to answer a question"
    match request.kind:
        case "target":
            return f"{who} {PURPOSES[request.purpose] if request.purpose else 'a card'}{card}"
        case "protect":
            lost = "a card" if request.place is None else _at(request.place, view, names)
            return f"Save {lost} from being destroyed?{card}"
        case "last_stand":
            return f"Your castle falls. Keep it standing, with 1 health?{card}"
        case "draw":
            return f"Draw a card?{card}"
        case "level":
            mage = "the mage" if request.place is None else _at(request.place, view, names)
            return f"Raise {mage} to level {request.level} at once?"


def _at(place: Place, view: View, names: Sequence[str]) -> str:
    """A card by its name, or at least by where it lies."""
    side = view.sides[place.seat]
    own = place.seat == view.seat
    whose = "your" if own else f"{names[place.seat]}'s"
    if place.zone == "castle":
        return f"{whose} castle"
    if place.zone == "hand" and side.hand is not None:
        return CARDS[side.hand[place.number - 1]].name
    if place in SLOT and (unit := side.field[SLOT[place]]) is not None:
        if unit.card is None:
            return f"{whose} face-down trickster {place.number}"
        return f"{whose} {_unit(unit)}"
    request = view.request
    if request is not None and place in request.region and request.cards:
        card = request.cards[request.region.index(place)]
        if card is not None:
            return CARDS[card].name
    return f"{whose} {place.zone} {place.number}"


def label(move: mv.AnyMove, view: View, names: Sequence[str]) -> str:
    def at(place: Place) -> str:
        return _at(place, view, names)

    match move:
        case mv.BringDeck(cards):
            known = [deck for deck, listed in STARTERS.items() if listed == cards]
            castle = CARDS[cards[-1]]
            return f"choose a deck › {known[0] if known else 'your own'} — {castle.name}, {castle.health} health"
        case mv.Mulligan():
            return "new hand — but one card fewer"
        case mv.AcceptHand():
            return "keep this hand"
        case mv.ReturnCard(place):
            return f"give back a card › {at(place)}"
        case mv.DrawCard():
            return "draw a card"
        case mv.PlayCard(start, end):
            return f"play › {at(start)}{_entering(start, end, view, names)}"
        case mv.AttackCard(attacker, target):
            return f"attack › with {at(attacker)} › {at(target)}{_odds(attacker, target, view)}"
        case mv.LevelMage(mage):
            return f"level up › {at(mage)}"
        case mv.UseAbility(place, responds_to):
            return f"use › {at(place)}{_text(place, view)}{_to(responds_to, view, names)}"
        case mv.DestroyCard(target, _, responds_to):
            return f"destroy › {at(target)}{_to(responds_to, view, names)}"
        case mv.EndTurn():
            return "end the turn"
        case mv.AllowAction():
            return "let it happen"
        case mv.ActivateTrickster(place, responds_to, more):
            then = (
                " › and keep the other one ready" if more else " › and nothing else" if _has_other(place, view) else ""
            )
            return f"answer › with {at(place)}{_text(place, view)}{_to(responds_to, view, names)}{then}"
        case mv.ChooseCard(None):
            return "none of them"
        case mv.ChooseCard(place, to):
            assert place is not None
            return at(place) + (_text(place, view) if to is None else f" › to {at(to)}")
        case mv.Answer(yes):
            return "yes" if yes else "no"


def _entering(start: Place, end: Place, view: View, names: Sequence[str]) -> str:
    """What it costs; and what it takes the place of, where that has to be said."""
    hand = view.sides[start.seat].hand
    assert hand is not None
    cost = price(hand[start.number - 1])
    why = f" — costs {cost}" if cost else ""
    taken = view.sides[end.seat].field[SLOT[end]]
    return why if taken is None else f"{why} › in place of {_at(end, view, names)}"


def _odds(attacker: Place, target: Place, view: View) -> str:
    ours = view.sides[attacker.seat].field[SLOT[attacker]]
    if target.zone == "castle":
        return "" if ours is None else f" — takes {ours.points} of its health"
    theirs = view.sides[target.seat].field[SLOT[target]]
    if ours is None or theirs is None or ours.points is None or theirs.points is None:
        return ""
    if ours.points == theirs.points:
        return " — both are lost"
    return " — you win" if ours.points > theirs.points else " — you lose"


def _text(place: Place, view: View) -> str:
    """What is printed on the card there, if we may know."""
    request = view.request
    card: int | None = None
    if place in SLOT:
        unit = view.sides[place.seat].field[SLOT[place]]
        card = None if unit is None else unit.card
    elif request is not None and place in request.region and request.cards:
        card = request.cards[request.region.index(place)]
    text = "" if card is None else text_of(card)
    return f" — {text}" if text else ""


def _to(number: int | None, view: View, names: Sequence[str]) -> str:
    if number is None:
        return ""
    return "".join(f" › to: {_announced(item, view, names)}" for item in view.stack if item.number == number)


def _has_other(place: Place, view: View) -> bool:
    """Whether another trickster lies beside this one."""
    others = [view.sides[place.seat].field[slot] for slot in (4, 5) if slot != SLOT[place]]
    return any(unit is not None and unit.face_down for unit in others)
