"""What the texts of cards are made of: small steps, whom they concern, and how much of it there is.

All of it is data. A card (``catalogue.py``) is a list of steps; what each does is in ``effect_handlers.py``.
"Enemy" and "own" are meant from the side of whoever controls the card.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.games.fortress.places import DECREE, FIGHTERS, MAGES, SOLDIERS, TRICKSTERS, Kind


class Region(msgspec.Struct, frozen=True):
    """Cards on the field that a step may choose from (T66). Tricksters only while they lie face down (T67)."""

    words: str
    own: tuple[int, ...] = ()
    """Slots on the own side."""
    enemy: tuple[int, ...] = ()
    spares_source: bool = True
    """Whether the card that has the text is left out."""
    spares_attacker: bool = False


_CARDS = (*FIGHTERS, *TRICKSTERS)

ENEMY_SOLDIER = Region("an enemy soldier", enemy=SOLDIERS)
ENEMY_MAGE = Region("an enemy mage", enemy=MAGES)
ENEMY_TRICKSTER = Region("an enemy trickster", enemy=TRICKSTERS)
ENEMY_FIGHTER = Region("an enemy soldier or mage", enemy=FIGHTERS)
ENEMY_CARD = Region("an enemy card", enemy=(*_CARDS, DECREE))
OTHER_ATTACKER = Region("another soldier or mage of the attacker's side", enemy=FIGHTERS, spares_attacker=True)
ALLY_SOLDIER = Region("a soldier of yours", own=SOLDIERS)
ALLY_FIGHTER = Region("a soldier or mage of yours", own=FIGHTERS, spares_source=False)
ALLY_CARD = Region("another card of yours", own=_CARDS)
ANY_FIGHTER = Region("a soldier or mage", own=FIGHTERS, enemy=FIGHTERS)
ANY_MAGE = Region("another mage", own=MAGES, enemy=MAGES)
ANY_TRICKSTER = Region("a trickster", own=TRICKSTERS, enemy=TRICKSTERS)
ANY_CARD = Region("another card", own=_CARDS, enemy=(*_CARDS, DECREE))

ALL = 99
"""As a count: every card of the region, without a choice (T68)."""
FULL = 999
"""As an amount: up to the printed value."""


class IfAlly(msgspec.Struct, frozen=True):
    """One amount while you control that card, another one otherwise."""

    card: int
    then: int
    otherwise: int


class Levels(msgspec.Struct, frozen=True):
    """As much as the levels of all enemy mages add up to."""


class PerEnemyMage(msgspec.Struct, frozen=True):
    """So much for each enemy mage."""

    amount: int


Amount = int | IfAlly | Levels | PerEnemyMage


class Effect(msgspec.Struct, frozen=True, tag=True):
    """One step of a text."""


class Draw(Effect, frozen=True):
    """T73: from the top of the deck."""

    count: Amount = 1


class Add(Effect, frozen=True):
    """T71: search the deck for a card and take it to hand."""

    kind: Kind | Literal["attacker's", "victim's"] | None = None
    """None: any. The attacker's, the victim's: of the same kind as that card."""
    card: int | None = None
    """Just this card."""
    count: int = 1
    optional: bool = False
    fewer: int = 0
    """The added card needs so many cost cards fewer (T36)."""


class LookAtTop(Effect, frozen=True):
    """Look at the top cards of the deck and take some of them to hand."""

    count: int
    take: int


class OfferCopy(Effect, frozen=True):
    """The opponent may search for one of the cards that were just taken."""


class Muster(Effect, frozen=True):
    """T74: play a card from hand or deck; always optional (T65)."""

    kinds: tuple[Kind, ...]
    zones: tuple[Literal["hand", "deck"], ...] = ("deck",)
    silent: bool = True
    """Its On play is cancelled."""
    free: bool = False
    """Only cards without a printed cost (D51)."""
    level_to: int = 0
    """The mage may be levelled at once as far as this (T60)."""
    bonus: int = 0
    """Points that it gains."""


class Destroy(Effect, frozen=True):
    """T81: so many chosen cards, together (T69)."""

    region: Region
    count: Amount = 1
    look: bool = False
    """The chooser sees what lies face down."""


class DestroySelf(Effect, frozen=True):
    """A card destroying itself: nothing saves it (T84)."""


class DestroyAttacker(Effect, frozen=True):
    """The card that makes the attack which is answered."""


class DestroyAbilitySource(Effect, frozen=True):
    """The card that uses the ability which is answered."""


class Stun(Effect, frozen=True):
    """T77"""

    region: Region
    count: int = 1


class Discard(Effect, frozen=True):
    """T76: from hand."""

    whose: Literal["own", "enemy"] = "own"
    count: int = 1
    at_random: bool = False


class Damage(Effect, frozen=True):
    """A castle loses health."""

    amount: int
    castle: Literal["own", "enemy"] = "enemy"


class Heal(Effect, frozen=True):
    """T75: the own castle, never above the printed value."""

    amount: Amount


class ChangePoints(Effect, frozen=True):
    """For as long as the card is on the field."""

    region: Region | None
    """None: the card itself."""
    by: Amount


class OfferLevels(Effect, frozen=True):
    """T60: this mage may be levelled at once as far as this."""

    to: int


class Cancel(Effect, frozen=True):
    """What is answered comes to nothing."""


class ExtraAttack(Effect, frozen=True):
    """T43: one more attack this turn."""

    region: Region


class MayAttack(Effect, frozen=True):
    """T43: this mage may attack this turn, whatever its level."""


class CheaperNext(Effect, frozen=True):
    """T36: the next card with a cost this turn needs one cost card fewer."""


class ProtectAll(Effect, frozen=True):
    """T82: for the rest of the turn."""


class SaveFromDestruction(Effect, frozen=True):
    """T83: it is not destroyed."""


class TakeControl(Effect, frozen=True):
    """An enemy soldier comes over for as long as this card is on the field (D60)."""


class SwapSoldiers(Effect, frozen=True):
    """Both players choose a soldier of theirs, and the two change sides (D59)."""


class Redirect(Effect, frozen=True):
    """The attack that is answered hits another card."""

    region: Region


class StealDraws(Effect, frozen=True):
    """Carry out what the cancelled ability would have drawn or added, with the own deck (D82)."""


class OfferDraw(Effect, frozen=True):
    """An optional draw (T107: not from an empty deck)."""


class Doom(Effect, frozen=True):
    """The card that this decree has chosen or played goes when the decree expires."""

    or_perish: bool = False
    """Without such a card the decree goes at once."""


AnyEffect = (
    Draw
    | Add
    | LookAtTop
    | OfferCopy
    | Muster
    | Destroy
    | DestroySelf
    | DestroyAttacker
    | DestroyAbilitySource
    | Stun
    | Discard
    | Damage
    | Heal
    | ChangePoints
    | OfferLevels
    | Cancel
    | ExtraAttack
    | MayAttack
    | CheaperNext
    | ProtectAll
    | SaveFromDestruction
    | TakeControl
    | SwapSoldiers
    | Redirect
    | StealDraws
    | OfferDraw
    | Doom
)

Feature = Literal[
    "taunts", "reaches castle", "frees mages", "shields mages",
    "caps points", "steadfast soldiers", "no hand limit", "mages +5",
]  # fmt: skip
"""What is always on: T47, T46, T43, T48 with T68; of castles T41, T78, T100, T103."""

Answers = Literal["any", "trickster", "attack", "soldier attack", "ability", "in play or on lvl", "draw or add"]
"""T87: what a response may answer."""

Occasion = Literal["soldier lost", "castle falls", "turn draw", "battle won", "would be destroyed"]
"""When a text happens by itself."""
