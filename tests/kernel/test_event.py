"""Moves and events: how they are written, and that they hide nothing unless they say so."""

from __future__ import annotations

from typing import Self

import msgspec
import pytest

from croupier.kernel import Event, Move
from croupier.kernel.event import snake


class DrawCard(Move, frozen=True):
    count: int = 1


class Pass(Move, frozen=True):
    pass


class DrewCard(Event, frozen=True):
    seat: int
    card: str | None

    def seen_by(self, seat: int | None) -> Self | None:
        return self if seat == self.seat else msgspec.structs.replace(self, card=None)


class TurnedOver(Event, frozen=True):
    reveals = True
    card: str


@pytest.mark.parametrize(
    ("name", "written"), [("Play", "play"), ("PickedUp", "picked_up"), ("toys.WentOut", "went_out"), ("A1B", "a1_b")]
)
def test_names_in_json(name: str, written: str) -> None:
    assert snake(name) == written


def test_the_kind_is_written_first() -> None:
    assert msgspec.json.encode(DrawCard(2)) == b'{"move":"draw_card","count":2}'
    assert msgspec.json.encode(TurnedOver("5♣")).decode() == '{"event":"turned_over","card":"5♣"}'
    assert msgspec.json.decode(b'{"event":"turned_over","card":"K"}', type=DrewCard | TurnedOver) == TurnedOver("K")


@pytest.mark.parametrize("bad", [b"{}", b'{"move":"fly"}', b'{"move":"draw_card","count":"2"}', b"[]", b"7"])
def test_decoding_is_validation(bad: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(bad, type=DrawCard | Pass)


def test_an_event_redacts_itself() -> None:
    drew = DrewCard(1, "5♣")
    assert drew.seen_by(1) is drew
    assert drew.seen_by(0) == drew.seen_by(None) == DrewCard(1, None)
    turned = TurnedOver("5♣")
    assert turned.seen_by(0) is turned.seen_by(None) is turned  # the same object: encoded once for everybody


def test_surprises_are_declared() -> None:
    assert (DrewCard.reveals, TurnedOver.reveals) == (False, True)


def test_moves_and_events_are_values() -> None:
    assert DrawCard(2) == DrawCard(2)
    assert len({DrawCard(2), DrawCard(2), DrawCard(3)}) == 2
    with pytest.raises(AttributeError):
        DrawCard(2).count = 3  # type: ignore[misc]
