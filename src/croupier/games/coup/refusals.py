"""Refusals that several moves of Coup share. The codes are those of the game's own protocol in small letters."""

from __future__ import annotations

from croupier.kernel import Illegal


def wrong_phase() -> Illegal:
    return Illegal("that is not possible now", "wrong_phase")


def out_of_it() -> Illegal:
    return Illegal("you are out of the game", "you_are_out")


def already_responded() -> Illegal:
    return Illegal("you have allowed it already", "already_responded")  # U22, D33
