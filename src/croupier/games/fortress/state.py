"""The whole table, secrets included; and what is still to be done, as data, so that a choice can wait for days.

Actions that can be answered wait on the **stack**. When it resolves, what each of them sets in motion is put on the
**agenda**, whose last task is done first. A task that needs somebody's choice puts itself back and opens a
**request**; the answer is written into it, and it goes on from there.

Nothing here refers back to what holds it, so most of it is not the garbage collector's business (``gc=False``).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.games.fortress.cards import ANY_ID
from croupier.games.fortress.events import ItemKind, Purpose, Reason, RequestKind
from croupier.games.fortress.options import Options
from croupier.games.fortress.places import Place
from croupier.kernel import Chance

Phase = Literal["decks", "mulligan", "main", "window", "choice", "over"]


class Unit(msgspec.Struct, gc=False):
    """A card on the field."""

    card: int
    owner: int
    """Whose deck it came from; who controls it is told by the side it is on."""
    serial: int
    """Tells it from another card in the same place, and from itself when it comes back."""
    entered: int
    """In which turn."""
    level: int = 0
    """T56: of mages."""
    face_down: bool = False
    change: int = 0
    """What was added to its points, or taken away."""
    stunned: bool = False
    attacks: int = 0
    """T43: made this turn."""
    extra: int = 0
    """Attacks granted for this turn."""
    may_attack: bool = False
    """This turn, whatever its level."""
    levelled: bool = False
    """T57: this turn."""
    used: bool = False
    """T61: the ability of which there is one use in each turn."""
    spent: bool = False
    """T83: the ability of which there is one use in all."""
    held_by: int = 0
    """The serial of the mage that took it from its owner."""
    doomed: int = 0
    """Of a decree: the serial of the card that goes with it."""
    turns: int = 0
    """T93: of a decree: how many turns it has seen the end of."""
    clue: int = ANY_ID
    """Of a face-down card: what it can be as far as the enemy knows, as a set of cards."""


class Side(msgspec.Struct):
    """What belongs to one player. T5: places in hand, deck and discard pile are counted without gaps."""

    castle: int
    health: int
    deck: list[int]
    """T4: the bottom comes first."""
    hand: list[int] = []
    clues: list[int] = []
    """Of each card in hand: what it can be as far as the enemy knows, as a set of cards."""
    fewer: list[int] = []
    """Of each card in hand: how many cost cards fewer it needs (T36)."""
    discard: list[int] = []
    field: list[Unit | None] = msgspec.field(default_factory=lambda: [None] * 7)
    lacks: int = 0
    """Cards that everybody knows not to be in the deck any more, as a set; a deck only shrinks (T111)."""
    dealt: int = 0
    """T15: the size of the last deal."""
    accepted: bool = False
    played: list[Literal["soldier", "mage"]] = []
    """T26: what was played from hand this turn."""
    discount: int = 0
    """T36: for the next card with a cost this turn."""
    protected: bool = False
    """T82: for the rest of this turn."""
    offered: bool = False
    """T98: the castle's offer of this turn has been made."""
    saved: bool = False
    """T102: the castle's last stand is over."""


class Item(msgspec.Struct, gc=False):
    """An action or a response on the stack."""

    number: int
    seat: int
    kind: ItemKind
    place: Place | None = None
    """The card that acts; of a play, where it comes from."""
    card: int = -1
    serial: int = 0
    target: Place | None = None
    """Of an attack; of a play, where it goes."""
    target_serial: int = 0
    text: int = -1
    """The text that takes effect with it; -1: none."""
    level: int = 0
    """That a mage is to reach."""
    responds_to: int = 0
    cancelled: bool = False
    void: bool = False
    """T51"""
    named: Place | None = None
    """D27: what is to be destroyed."""


class Task(msgspec.Struct, tag=True, kw_only=True, gc=False):
    """Something to be done. The fields are where an answer is written."""

    asked: bool = False
    """An answer has come."""
    choice: Place | None = None
    to: Place | None = None
    yes: bool = False


class Perform(Task, gc=False):
    """Carry out a text, from this step on."""

    seat: int
    """Who controls it, and makes its choices (T63)."""
    card: int
    text: int
    place: Place
    """Where the card lies; follows it to the discard pile."""
    serial: int
    """0: a castle."""
    item: int = 0
    """The number of the item it answers."""
    in_response: bool = False
    named: Place | None = None
    """D27"""
    about: int = -1
    """The card that attacks, or was destroyed."""
    step: int = 0
    done: int = 0
    """How often the step has been done already."""
    picked: list[Place] = []
    """What has been chosen for it."""
    memory: list[int] = []
    """What a later step needs to know: serials or cards."""
    asker: int = -1
    """The card that asks for choices, if it is not the one whose text it is (D82)."""
    stolen_from: int | None = None
    """D82: only draws and adds are carried out, and amounts are as they would have been for this seat."""


class Pay(Task, gc=False):
    """Pay for a card, then declare it; or put it on the field, if it is played by an effect."""

    seat: int
    card: int
    start: Place
    slot: int
    """-1: the lowest free one."""
    skips: int
    """T36: how many cost cards may be left out."""
    must: int
    """One of these slots has to be freed (T29), as a set; 0: none has to."""
    mustered: bool = False
    """Played by an effect. From the deck, it has been taken out of it already."""
    silent: bool = False
    bonus: int = 0
    level_to: int = 0
    shuffles: bool = False
    """The deck was searched for it."""
    dooms: int = 0
    """The serial of the decree that it goes with."""
    part: int = 0
    """The part of the cost that is to be chosen next."""
    paid: bool = False
    slots: list[int] = []
    """What has been chosen."""


class Target(msgspec.Struct, gc=False):
    """A card in a place: not any other that might be there later."""

    seat: int
    slot: int
    serial: int


class Demolish(Task, gc=False):
    """Destroy these cards together (T81)."""

    victims: list[Target]
    in_response: bool = False
    final: bool = False
    """T84: nothing saves them."""
    next: int = 0
    """The one whose turn it is to be saved."""
    saved: list[int] = []
    """Their serials."""


class Hurt(Task, gc=False):
    """A castle loses health."""

    seat: int
    amount: int
    source: Place


class Ascend(Task, gc=False):
    """T60: a mage may be levelled at once, one level after the other."""

    seat: int
    slot: int
    serial: int
    level: int
    """As far as this."""
    agreed: bool = False


class Spoils(Task, gc=False):
    """T55: what a victorious attacker gets, if its victim is really gone."""

    seat: int
    place: Place
    card: int
    serial: int
    victim: Target
    about: int


class Retire(Task, gc=False):
    """T88: a used trickster goes to the discard pile."""

    seat: int
    slot: int


class FinishTurn(Task, gc=False):
    """T24, from this stage on."""

    stage: int = 0


AnyTask = Perform | Pay | Demolish | Hurt | Ascend | Spoils | Retire | FinishTurn


class Request(msgspec.Struct, gc=False):
    """What somebody is asked. The task that asks is the last one of the agenda."""

    number: int
    seat: int
    kind: RequestKind
    source: Place
    card: int
    """The one that asks."""
    purpose: Purpose | None = None
    optional: bool = False
    region: list[Place] = []
    look: bool = False
    """The chooser sees what is hidden there."""
    place: Place | None = None
    level: int | None = None


class State(msgspec.Struct):
    """The whole table."""

    options: Options
    chance: Chance
    sides: list[Side]
    waits: list[int]
    """By seat: since when a deck, or word about the first hand, is waited for."""
    phase: Phase = "decks"
    turn: int = 0
    active: int = 0
    must_draw: bool = False
    stack: list[Item] = []
    holder: int | None = None
    """T105: who may answer."""
    kept: bool = False
    """D23: the holder may let the window go without the stack resolving."""
    agenda: list[AnyTask] = []
    request: Request | None = None
    ending: bool = False
    """Time was up before the draw: the turn ends after it."""
    actions: int = 0
    requests: int = 0
    serials: int = 0
    since: int = 0
    """When the wait for the move that is due began."""
    strikes: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """By seat: how often in a row time was up."""
    away: list[int | None] = msgspec.field(default_factory=lambda: [None, None])
    """By seat: since when somebody is missing."""
    winner: int | None = None
    reason: Reason | None = None
