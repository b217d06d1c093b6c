"""Guests: known again by what they show, and by nothing else."""

from __future__ import annotations

import base64

import pytest

from croupier.games.cambia.dialect.guests import Guests


def test_a_token_tells_who_somebody_is() -> None:
    guests = Guests(bytes(32))
    ann, other = guests.new("Ann"), guests.new("Ann")
    assert guests.known(ann.token) == ann
    assert ann.id != other.id


def test_another_server_does_not_know_it() -> None:
    assert Guests(b"x" * 32).known(Guests(bytes(32)).new("Ann").token) is None


@pytest.mark.parametrize(
    "spoil", [lambda t: "", lambda t: t[:-1], lambda t: t + "0", lambda t: "." + t, lambda t: "é."]
)
def test_spoiled_tokens(spoil: object) -> None:
    guests = Guests(bytes(32))
    assert callable(spoil)
    assert guests.known(spoil(guests.new("Ann").token)) is None


def test_nobody_can_change_their_name_on_it() -> None:
    guests = Guests(bytes(32))
    content, signature = guests.new("Ann").token.split(".")
    forged = base64.urlsafe_b64encode(base64.urlsafe_b64decode(content).replace(b"Ann", b"Bob")).decode()
    assert guests.known(f"{forged}.{signature}") is None
