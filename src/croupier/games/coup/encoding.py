"""Coup in numbers. Characters are counted in the order of ``CHARACTERS``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import get_args

from croupier.games.coup.characters import ACTIONS, CHARACTERS, CLAIMS, TARGETED, Character
from croupier.games.coup.events import Blocked, Challenged, Exchanged, LossReason, Proposed, Revealed, Swapped
from croupier.games.coup.moves import (
    Accept,
    Allow,
    AnyMove,
    Block,
    CallBs,
    Confirm,
    Keep,
    Lose,
    Propose,
    WindowKind,
    Withdraw,
)
from croupier.games.coup.state import View
from croupier.kernel import Encoding, Event, Notes, Section
from croupier.kernel.encoding import Which, turned

KINDS = len(CHARACTERS)
KIND = {character: kind for kind, character in enumerate(CHARACTERS)}
PHASES = ("awaiting_action", "action_window", "block_window", "losing_card", "exchanging")
REASONS = get_args(LossReason)
UNTARGETED = [action for action in ACTIONS if action not in TARGETED]
AIMED = [action for action in ACTIONS if action in TARGETED]
WINDOWS: tuple[WindowKind, ...] = get_args(WindowKind)
RICHEST = 12
"""Nobody has more coins than that: with ten there is nothing to be had but a coup."""
PHASE, ACTION, CHARACTER, REASON = map(Which, (PHASES, ACTIONS, CHARACTERS, REASONS))
OFTEN = 9
HEEDED = {Proposed, Blocked, Challenged, Revealed, Swapped, Exchanged}
"""What is worth a note."""


@lru_cache(1 << 12)
def counted(characters: tuple[Character, ...]) -> bytes:
    return bytes(map(characters.count, CHARACTERS))


@lru_cache(1 << 12)
def on_the_table(revealed: tuple[tuple[Character, ...], ...]) -> bytes:
    """How many cards each has left, and which of theirs are open."""
    return b"".join([bytes([2 - len(cards) for cards in revealed]), *map(counted, revealed)])


class Talk(Notes):
    """What everybody has heard: who has claimed what, and what became of it."""

    claimed: bytearray
    """By seat and character: how often, since a card of theirs was last known to be another."""
    lacks: bytearray
    """What somebody was caught without, likewise."""
    right: bytearray
    """By seat: how often they have called BS, and it was one."""
    wrong: bytearray

    def observe(self, events: Sequence[Event]) -> None:
        for event in events:
            if type(event) not in HEEDED:  # to try all cases takes longer than the move itself
                continue
            match event:
                case Proposed(seat=seat, action=action, block_only=False) if action in CLAIMS:
                    self._claims(seat, CLAIMS[action])
                case Blocked(seat=seat, character=character):
                    self._claims(seat, character)
                case Challenged(seat=seat, accused=accused, character=character, correct=correct):
                    calls = self.right if correct else self.wrong
                    calls[seat] = min(calls[seat] + 1, OFTEN)
                    self.claimed[_place(accused, character)] = 0
                    self.lacks[_place(accused, character)] = correct
                case Revealed(seat=seat, card=character):
                    self.claimed[_place(seat, character)] = 0
                case Swapped(seat=seat):
                    self.lacks[_places(seat)] = bytes(KINDS)
                case Exchanged(seat=seat):
                    self.claimed[_places(seat)] = self.lacks[_places(seat)] = bytes(KINDS)

    def _claims(self, seat: int, character: Character) -> None:
        place = _place(seat, character)
        self.claimed[place] = min(self.claimed[place] + 1, OFTEN)


def _place(seat: int, character: Character) -> int:
    return KINDS * seat + KIND[character]


def _places(seat: int) -> slice:
    return slice(KINDS * seat, KINDS * (seat + 1))


class CoupEncoding(Encoding[View, AnyMove]):
    memory = "shared"
    in_steps = True

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self._spelled = [self._alphabet(seat) for seat in range(seats)]

    def numbers(self) -> Iterable[Section]:
        others = self.seats - 1
        return [
            Section("propose", len(UNTARGETED), f"{', '.join(UNTARGETED)}"),
            *(Section(action, others, f"{action}: whom, from the next seat on") for action in AIMED),
            Section("go_on", 1, "let it pass; or go ahead, if it is your own"),
            Section("call_bs", 1, "you don't have that card"),
            Section("withdraw", 1, "give up your action"),
            Section("block", KINDS, "block as this character"),
            Section("lose", KINDS, "turn this one over"),
            Section(
                "keep", KINDS, "in an exchange, keep this one; a step for each card, in the order of the characters"
            ),
        ]

    def facts(self) -> Iterable[Section]:
        seats = self.seats
        return [
            Section("phase", len(PHASES), ", ".join(PHASES)),
            Section("official", 1, "the ruleset is the official one"),
            Section("hand", KINDS, "your face-down cards, by character", 2),
            Section("pool", KINDS, "in an exchange of yours, all you may choose from, by character", 3),
            Section("coins", seats, "everybody's coins, yours first", RICHEST),
            Section("cards", seats, "everybody's face-down cards, yours first", 2),
            Section("revealed", seats * KINDS, "everybody's open cards, by character", 2),
            Section("current", seats, "whose turn it is"),
            Section("action", len(ACTIONS), f"what is proposed: {', '.join(ACTIONS)}"),
            Section("target", seats, "whom it is aimed at"),
            Section("block_only", 1, "it is proven already, and can only be blocked"),
            Section("blocker", seats, "who blocks it"),
            Section("block_as", KINDS, "and as whom"),
            Section("allowed", seats, "who has let it pass"),
            Section("losing", seats, "who has to lose a card"),
            Section("reason", len(REASONS), f"and why: {', '.join(REASONS)}"),
            Section("claimed", seats * KINDS, "how often everybody has claimed each character lately", OFTEN),
            Section("lacks", seats * KINDS, "what they were caught without, and have drawn no card since"),
            Section("right", seats, "how often they have called BS and were right", OFTEN),
            Section("wrong", seats, "and wrong", OFTEN),
        ]

    def notes(self) -> Talk:
        seats = self.seats
        return Talk(bytearray(seats * KINDS), bytearray(seats * KINDS), bytearray(seats), bytearray(seats))

    def _alphabet(self, seat: int) -> dict[AnyMove, int | tuple[int, ...]]:
        """Whatever this seat may ever say."""
        at = self.starts
        others = [(seat + distance) % self.seats for distance in range(1, self.seats)]
        found: dict[AnyMove, int | tuple[int, ...]] = {
            Propose(action): at["propose"] + n for n, action in enumerate(UNTARGETED)
        }
        for action in AIMED:
            found |= {Propose(action, other): at[action] + n for n, other in enumerate(others)}
        found |= dict.fromkeys((*map(Allow, WINDOWS), *map(Accept, WINDOWS), Confirm()), at["go_on"])
        found |= dict.fromkeys(map(CallBs, WINDOWS), at["call_bs"])
        found[Withdraw()] = at["withdraw"]
        for kind, character in enumerate(CHARACTERS):
            found[Block(character)] = at["block"] + kind
            found[Lose(character)] = at["lose"] + kind
        for count in (1, 2):
            for kept in combinations_with_replacement(CHARACTERS, count):
                found[Keep(kept)] = tuple(at["keep"] + KIND[character] for character in kept)
        return found

    def spell(self, seat: int, view: View, moves: Sequence[AnyMove]) -> Sequence[int | tuple[int, ...]]:
        spelled = self._spelled[seat]
        return [spelled[move] for move in moves]

    def see(self, seat: int, view: View, notes: Talk) -> bytes:
        who, allowed = self.who[seat], view.allowed
        hand = tuple([slot.card for slot in view.cards[seat] if slot.card is not None and not slot.revealed])
        return b"".join(
            (
                PHASE[view.phase],
                b"\1" if view.ruleset == "official" else b"\0",
                counted(hand),
                counted(view.pool or ()),
                bytes(turned(view.coins, seat)),
                on_the_table(turned(view.revealed, seat)),
                who[view.current],
                ACTION[view.action],
                who[view.target],
                b"\1" if view.block_only else b"\0",
                who[view.blocker],
                CHARACTER[view.block_as],
                bytes([each in allowed for each in self.order[seat]]) if allowed else bytes(self.seats),
                who[view.losing],
                REASON[view.reason],
                turned(notes.claimed, seat * KINDS),
                turned(notes.lacks, seat * KINDS),
                turned(notes.right, seat),
                turned(notes.wrong, seat),
            )
        )
