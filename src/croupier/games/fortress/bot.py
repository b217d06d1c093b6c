"""The players of Fortress that are made of code."""

from __future__ import annotations

from collections.abc import Sequence

# The rules name their bots; what a view and a move look like comes without them.
from croupier.games.fortress import moves as mv
from croupier.games.fortress.cards import CARDS, KIND
from croupier.games.fortress.events import Purpose
from croupier.games.fortress.places import SLOT, Place
from croupier.games.fortress.view import CardView, SideView, StackView, View
from croupier.kernel import Bot, Dice

COST_CARD = 11
"""What a card that has to be paid with is worth, in points."""
MAGE = 8
"""What a mage is worth beside its points: it will grow."""
TRICKSTER = 9
COMFORTABLE = 8
"""With so few cards left in the deck, no draw that can be avoided."""

BONUS = {"mage": MAGE, "trickster": TRICKSTER, "decree": TRICKSTER}
NET = tuple(card.points + BONUS.get(card.kind, 0) - COST_CARD * len(card.cost) for card in CARDS)
"""What playing a card gains."""

# Tricksters by what they are for.
VOIDING = (38, 41, 36, 33, 37, 30, 31, 39)
"""Answers to an attack that hurts: any trickster voids it, the first of these best."""
ABILITY_STOPPERS = (32, 34, 35)
SACRIFICES = (20, 46, 50, 58)
"""In play abilities that cost the card itself."""
KILLERS = (42, 44, 46, 48, 50)
"""In play abilities that destroy enemy cards."""


class Warden(Bot):
    """Develops, keeps soldiers before the castle, attacks what it beats, and answers when it pays."""

    name = "warden"
    about = "Keeps soldiers in front of its castle, attacks when it wins the exchange, and answers with tricksters."
    strength = "strong"
    worth = 37.8

    def choose(self, seat: int, view: View, moves: Sequence[mv.AnyMove], dice: Dice) -> mv.AnyMove:
        if len(moves) == 1:
            return moves[0]
        table = Sight(seat, view)
        if view.phase == "decks":
            return dice.choice(moves)
        if view.phase == "mulligan":
            return first_hand(table.own)
        if view.phase == "window":
            return response(table, moves)
        if view.phase == "choice":
            return choice(table, moves)
        return action(table, moves)


class Sight:
    """A view with short ways to what a player looks at."""

    def __init__(self, seat: int, view: View) -> None:
        self.seat = seat
        self.view = view
        self.own: SideView = view.sides[seat]
        self.enemy: SideView = view.sides[1 - seat]

    def at(self, place: Place) -> CardView:
        card = self.view.sides[place.seat].field[SLOT[place]]
        assert card is not None
        return card

    def soldiers(self, side: SideView) -> list[CardView]:
        return [card for card in side.field[:2] if card is not None]

    def cards(self, side: SideView) -> list[CardView]:
        return [card for card in side.field if card is not None]


def strength(card: CardView) -> int:
    """How much there is to lose: points and levels, and something for what lies face down."""
    if card.points is None:
        return TRICKSTER
    return card.points + 5 * (card.level or 0)


def first_hand(own: SideView) -> mv.AnyMove:
    """Keep a hand with a soldier that costs nothing; look for one twice."""
    assert own.hand is not None
    ready = any(KIND[card] == "soldier" and not CARDS[card].cost for card in own.hand)
    return mv.AcceptHand() if ready or own.dealt <= 4 else mv.Mulligan()


# The own turn


def action(table: Sight, moves: Sequence[mv.AnyMove]) -> mv.AnyMove:
    """The first good thing to do: levels, cards, abilities, attacks."""
    for move in moves:
        if type(move) is mv.DrawCard or type(move) is mv.LevelMage:
            return move
    plays = [(worth(table, move), move) for move in moves if type(move) is mv.PlayCard]
    if plays:
        gain, play = max(plays, key=lambda pair: pair[0])
        if gain > 0:
            return play
    for move in moves:
        if type(move) is mv.UseAbility and useful(table, move.place):
            return move
    attacks = [(merit(table, move), move) for move in moves if type(move) is mv.AttackCard]
    if attacks:
        gain, attack = max(attacks, key=lambda pair: pair[0])
        if gain > 0:
            return attack
    return mv.EndTurn()


def worth(table: Sight, move: mv.PlayCard) -> float:
    """What a card gains; a little more in an empty slot than in one that its cost frees."""
    own = table.own
    assert own.hand is not None
    card = own.hand[move.start.number - 1]
    gain: float = NET[card]
    if KIND[card] == "soldier" and not table.soldiers(own):
        gain += 15  # an open castle is how games are lost
    if CARDS[card].toll and own.health < 60:
        gain -= 20
    if card == 18 and table.enemy.health <= 20:
        gain += 100
    return gain - 0.5 * (own.field[SLOT[move.end]] is not None)


def useful(table: Sight, place: Place) -> bool:
    """Whether an ability has something to work on; cards that give themselves up wait for two enemy cards."""
    card = table.at(place).card
    prey = table.cards(table.enemy)
    if card == 9:
        spare = [strength(unit) for unit in table.cards(table.own) if unit.card != 9]
        return bool(spare and prey) and max(map(strength, prey)) > min(spare)
    if card in SACRIFICES:
        return card in KILLERS and len(prey) >= 2
    if card in KILLERS:
        return bool(prey)
    if card in (14, 45):
        castle = table.own.castle
        return castle is not None and table.own.health < CARDS[castle].health
    return table.own.deck > COMFORTABLE


def merit(table: Sight, move: mv.AttackCard) -> int:
    """The castle whenever it is open; else the strongest that loses; equals only among soldiers."""
    attacker = table.at(move.attacker)
    assert attacker.points is not None
    if move.target.zone == "castle":
        return 1000 if attacker.points else 0
    defender = table.at(move.target)
    assert defender.points is not None
    if attacker.points > defender.points:
        return 100 * (move.target.zone == "soldier") + strength(defender)
    if attacker.points == defender.points and move.attacker.zone == move.target.zone == "soldier":
        return strength(defender) if len(table.soldiers(table.own)) > 1 else 0
    return 0


# Answers


def response(table: Sight, moves: Sequence[mv.AnyMove]) -> mv.AnyMove:
    """Answer what hurts with the card that is made for it; else allow."""
    best: tuple[int, mv.AnyMove] = (0, mv.AllowAction())
    for move in moves:
        if type(move) is mv.UseAbility:
            return move  # Seeker and Knight cancel for nothing
        if type(move) is mv.ActivateTrickster and not move.more:
            card = table.at(move.place).card
            assert card is not None
            best = max(best, (point(table, card, answered(table, move.responds_to)), move), key=lambda pair: pair[0])
    return best[1]


def answered(table: Sight, number: int | None) -> StackView:
    for item in reversed(table.view.stack):
        if item.seat != table.seat and number in (None, item.number):
            return item
    raise AssertionError("an answer to nothing")


def point(table: Sight, card: int, item: StackView) -> int:
    """How much there is in activating this trickster now; 0 keeps it."""
    if item.kind == "trickster":
        return 50 if card == 28 else 0
    if item.kind == "attack" and hurts(table, item):
        if card == 29:
            return 100
        if card == 40:
            return 90 if any(unit is not None for unit in table.enemy.field[:4]) else 0
        if card == 38 and len(table.cards(table.own)) < 2:
            return 0
        if card in (33, 37) and table.own.deck <= COMFORTABLE:
            return 0
        return 80 - VOIDING.index(card) if card in VOIDING else 0
    if item.kind in ("play", "level", "ability"):
        if card in ABILITY_STOPPERS:
            return 60 - ABILITY_STOPPERS.index(card)
        if card == 30 and any(unit is not None and (unit.level or 0) >= 2 for unit in table.enemy.field[2:4]):
            return 40
        if card == 31 and sum(unit is not None and unit.face_down for unit in table.enemy.field[4:6]) == 2:
            return 30
    return 0


def hurts(table: Sight, item: StackView) -> bool:
    """An attack on the castle, or on a card that would not win."""
    assert item.place is not None and item.target is not None
    attacker = table.at(item.place)
    assert attacker.points is not None
    if item.target.zone == "castle":
        return attacker.points >= 10 or table.own.health <= attacker.points
    defender = table.at(item.target)
    assert defender.points is not None
    return attacker.points >= defender.points


# Choices


def choice(table: Sight, moves: Sequence[mv.AnyMove]) -> mv.AnyMove:
    request = table.view.request
    assert request is not None
    if request.kind == "draw":
        return mv.Answer(table.own.deck > COMFORTABLE)
    if request.kind == "protect":
        assert request.place is not None
        return mv.Answer(strength(table.at(request.place)) >= 10)
    if request.kind != "target":
        return mv.Answer(True)
    assert request.purpose is not None
    if request.purpose == "cost" and request.optional:
        return mv.ChooseCard(None)
    ranked = [
        (rank(table, request.purpose, place, card), place)
        for place, card in zip(request.region, request.cards, strict=True)
    ]
    gain, place = max(ranked, key=lambda pair: pair[0])
    if request.optional and gain <= 0 and request.purpose == "play":
        return mv.ChooseCard(None)
    return mv.ChooseCard(place)


def rank(table: Sight, purpose: Purpose, place: Place, card: int | None) -> float:
    """How glad one would be about this choice."""
    own = place.seat == table.seat
    if place.zone in ("hand", "deck"):
        assert card is not None
        if purpose in ("discard", "hand_limit"):
            return NET[card] * (-1 if own else 1)
        return NET[card] + (15 if KIND[card] == "soldier" and not table.soldiers(table.own) else 0)
    value = strength(table.at(place))
    if purpose in ("points", "extra_attack", "redirect", "take"):
        return value
    return -value if own else value
