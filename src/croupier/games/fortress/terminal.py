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
from croupier.games.fortress.stories import PURPOSES, name, spot
from croupier.games.fortress.view import CardView, RequestView, SideView, StackView, View
from croupier.kernel import ENGLISH, Words, ink

COLOURS: dict[Kind, str] = {
    "castle": "cyan", "decree": "yellow", "soldier": "red", "trickster": "magenta", "mage": "blue",
}  # fmt: skip
ROWS = (("soldiers", (0, 1)), ("mages", (2, 3)), ("tricksters", (4, 5)), ("decree", (6,)))
LEADS: dict[Trigger, str] = {
    "on play": "On play: {text}",
    "on lvl": "On reaching level {level}: {text}",
    "in play": "Use, at level {level}: {text}",
}


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


def _named(card: int, words: Words = ENGLISH) -> str:
    return style(words.said(CARDS[card].name), fg=COLOURS[CARDS[card].kind], bold=True)


def _unit(unit: CardView, words: Words = ENGLISH) -> str:
    if unit.card is None:
        return style("▒▒▒▒", fg="blue")
    parts = [_named(unit.card, words)]
    if unit.points is not None:
        parts.append(str(unit.points))
    if unit.level is not None:
        parts.append(words("level {level}", level=unit.level))
    if unit.stunned:
        parts.append(words("stunned"))
    if unit.face_down:
        parts.append(words("face down"))
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


def text_of(card: int, words: Words = ENGLISH) -> str:
    """What is printed on a card."""
    parts = []
    for text in CARDS[card].texts:
        said = words.said(text.words)
        if text.trigger == "in play" and CARDS[card].kind != "mage":
            said = words("Once a turn: {text}", text=said)
        elif text.trigger in LEADS:
            said = words(LEADS[text.trigger], level=text.level, text=said)
        parts.append(said)
    return " ".join(parts)


def _announced(item: StackView, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
    who = names[item.seat]
    card = "" if item.card is None else words.said(CARDS[item.card].name)
    text = "" if item.card is None else text_of(item.card, words)
    match item.kind:
        case "draw":
            return words("{name} is going to draw a card", name=who)
        case "play":
            return words("{name} plays {card}", name=who, card=card or words("a trickster, face down"))
        case "level":
            return words("{name} raises {card} to level {level}", name=who, card=card, level=item.level)
        case "ability":
            return words("{name} uses {card}: {text}", name=who, card=card, text=text)
        case "attack":
            target = "" if item.target is None else _at(item.target, view, names, words)
            return words("{name} attacks {target} with {card}", name=who, card=card, target=target)
        case "trickster":
            return words("{name} answers with {card}: {text}", name=who, card=card, text=text)


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


def _at(place: Place, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
    """A card by its name, or at least by where it lies."""
    side, owner = view.sides[place.seat], names[place.seat]
    own = place.seat == view.seat
    if place.zone == "castle":
        return words("your castle") if own else words("{owner}'s castle", owner=owner)
    if place.zone == "hand" and side.hand is not None:
        return name(side.hand[place.number - 1], words)
    if place in SLOT and (unit := side.field[SLOT[place]]) is not None:
        if unit.card is None:
            return words("{owner}'s face-down trickster {number}", owner=owner, number=place.number)
        card = _unit(unit, words)
        return words("your {card}", card=card) if own else words("{owner}'s {card}", owner=owner, card=card)
    request = view.request
    if request is not None and place in request.region and request.cards:
        card_there = request.cards[request.region.index(place)]
        if card_there is not None:
            return name(card_there, words)
    spot_there = spot(place, words)
    return words("your {place}", place=spot_there) if own else words("{owner}'s {place}", owner=owner, place=spot_there)


def label(move: mv.AnyMove, view: View, names: Sequence[str], words: Words) -> str:
    def at(place: Place) -> str:
        return _at(place, view, names, words)

    def text(place: Place) -> str:
        return _text(place, view, words)

    def to(number: int | None) -> str:
        return _to(number, view, names, words)

    match move:
        case mv.BringDeck(cards):
            known = [words.said(deck) for deck, listed in STARTERS.items() if listed == cards]
            castle = CARDS[cards[-1]]
            about = words("{castle}, {health} health", castle=name(castle.id, words), health=castle.health)
            return f"{words('choose a deck')} › {known[0] if known else words('your own')} — {about}"
        case mv.Mulligan():
            return words("new hand — but one card fewer")
        case mv.AcceptHand():
            return words("keep this hand")
        case mv.ReturnCard(place):
            return f"{words('give back a card')} › {at(place)}"
        case mv.DrawCard():
            return words("draw a card")
        case mv.PlayCard(start, end):
            return f"{words('play')} › {at(start)}{_entering(start, end, view, names, words)}"
        case mv.AttackCard(attacker, target):
            by = words("with {card}", card=at(attacker))
            return f"{words('attack')} › {by} › {at(target)}{_odds(attacker, target, view, words)}"
        case mv.LevelMage(mage):
            return f"{words('level up')} › {at(mage)}"
        case mv.UseAbility(place, responds_to):
            return f"{words('use')} › {at(place)}{text(place)}{to(responds_to)}"
        case mv.DestroyCard(target, _, responds_to):
            return f"{words('destroy')} › {at(target)}{to(responds_to)}"
        case mv.EndTurn():
            return words("end the turn")
        case mv.AllowAction():
            return words("let it happen")
        case mv.ActivateTrickster(place, responds_to, more):
            by = words("with {card}", card=at(place))
            return f"{words('answer')} › {by}{text(place)}{to(responds_to)}{_then(place, more, view, words)}"
        case mv.ChooseCard(None):
            return words("none of them")
        case mv.ChooseCard(place, end):
            assert place is not None
            return at(place) + (text(place) if end is None else f" › {words('to {place}', place=at(end))}")
        case mv.Answer(yes):
            return words("yes") if yes else words("no")


def _entering(start: Place, end: Place, view: View, names: Sequence[str], words: Words) -> str:
    """What it costs; and what it takes the place of, where that has to be said."""
    hand = view.sides[start.seat].hand
    assert hand is not None
    cost = price(hand[start.number - 1], words)
    why = f" — {words('costs {price}', price=cost)}" if cost else ""
    taken = view.sides[end.seat].field[SLOT[end]]
    return why if taken is None else f"{why} › {words('in place of {card}', card=_at(end, view, names, words))}"


def _odds(attacker: Place, target: Place, view: View, words: Words) -> str:
    ours = view.sides[attacker.seat].field[SLOT[attacker]]
    if target.zone == "castle":
        return "" if ours is None else f" — {words('takes {points} of its health', points=ours.points)}"
    theirs = view.sides[target.seat].field[SLOT[target]]
    if ours is None or theirs is None or ours.points is None or theirs.points is None:
        return ""
    if ours.points == theirs.points:
        return f" — {words('both are lost')}"
    return f" — {words('you win') if ours.points > theirs.points else words('you lose')}"


def _text(place: Place, view: View, words: Words) -> str:
    """What is printed on the card there, if we may know."""
    request = view.request
    card: int | None = None
    if place in SLOT:
        unit = view.sides[place.seat].field[SLOT[place]]
        card = None if unit is None else unit.card
    elif request is not None and place in request.region and request.cards:
        card = request.cards[request.region.index(place)]
    text = "" if card is None else text_of(card, words)
    return f" — {text}" if text else ""


def _to(number: int | None, view: View, names: Sequence[str], words: Words) -> str:
    """What is answered."""
    answered = [_announced(item, view, names, words) for item in view.stack if item.number == number]
    return "".join(f" › {words('to: {answered}', answered=each)}" for each in answered)


def _then(place: Place, more: bool, view: View, words: Words) -> str:
    """What becomes of another trickster that lies beside this one."""
    if more:
        return f" › {words('and keep the other one ready')}"
    others = [view.sides[place.seat].field[slot] for slot in (4, 5) if slot != SLOT[place]]
    alone = not any(unit is not None and unit.face_down for unit in others)
    return "" if alone else f" › {words('and nothing else')}"
