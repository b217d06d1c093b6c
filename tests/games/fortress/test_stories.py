"""The log of Fortress: cards by name, "you" for who reads it, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.kernel import ENGLISH, Words
from croupier.kernel.words import Reader
from croupier.tables import languages
from tests.games.fortress.bench import ANN, BOB, Table, at, fortress

NAMES = ("Ann", "Bob")
FRENCH = languages.words("fr", fortress)


def told(events: Sequence[ev.AnyEvent], seat: int | None = None, words: Words = ENGLISH) -> list[str]:
    """What somebody reads about it; without a seat, a spectator."""
    names = [Reader(name) if number == seat else name for number, name in enumerate(NAMES)]
    seen = [event.seen_by(seat) for event in events]
    return [line for event in seen if event is not None and (line := fortress.tell(event, names, words))]


def test_an_attack_is_told_by_the_cards_that_fight() -> None:
    table = Table()
    table.put("soldier 2", 11)
    table.put("their soldier 1", 16)
    table.attack("soldier 2", "their soldier 1")
    assert told(table.events) == ["Ann attacks Archer with Squire."]
    assert told(table.events, ANN) == ["You attack Archer with Squire."]
    assert told(table.events, BOB, FRENCH) == ["Ann attaque Archer avec Écuyer."]
    table.allow()
    assert told(table.events) == ["Destroyed: Ann's Squire."]
    assert told(table.events, ANN) == ["Destroyed: your Squire."]
    assert told(table.events, ANN, FRENCH) == ["Destruction\u202f: votre Écuyer."]


def test_an_attack_on_a_castle_says_what_is_left_of_it() -> None:
    table = Table()
    table.put("soldier 1", 11)
    table.attack("soldier 1", "their castle")
    assert told(table.events) == ["Ann attacks the castle with Squire."]
    table.allow()
    assert told(table.events, ANN) == ["Bob's castle is down to 125."]
    assert told(table.events, BOB) == ["Your castle is down to 125."]


def test_a_mage_rises_by_name() -> None:
    table = Table()
    table.put("mage 2", 44)
    table.level("mage 2")
    assert told(table.events, ANN) == ["You raise Attacker to level 2."]
    assert told(table.events, BOB) == ["Ann raises Attacker to level 2."]


def test_an_answer_names_what_it_answers() -> None:
    table = Table()
    table.put("soldier 1", 24)
    table.put("trickster 1", 28)
    table.put("their trickster 1", 33)
    table.attack("soldier 1", "their castle")
    table.activate("their trickster 1")
    assert told(table.events, ANN) == ["Bob answers the attack with Shaman."]
    table.activate("trickster 1")
    assert told(table.events, ANN) == ["You answer Shaman with The Jester's Jester."]
    assert told(table.events, BOB, FRENCH) == ["Ann répond à «\u202fChaman\u202f» avec Le Bouffon du bouffon."]
    table.allow()
    assert "Shaman is cancelled." in told(table.events)
    assert "Bob's castle is down to 135." in told(table.events)


def test_what_is_laid_or_drawn_is_named_to_its_owner_only() -> None:
    table = Table(hand=[33], deck=[11, 16])
    table.play(1, "trickster 1")
    assert told(table.events, ANN) == ["You lay Shaman face down."]
    for seat in (BOB, None):
        assert told(table.events, seat) == ["Ann lays a trickster face down."]
    table.allow()
    assert told(table.events) == [], "it is told once"
    table.state.must_draw = True
    table.act(ANN, mv.DrawCard())
    assert told(table.events) == [], "a draw is told when it is made"
    table.allow()
    assert told(table.events, ANN) == ["You draw Archer."]
    assert told(table.events, BOB) == ["Ann draws a card."]


def test_an_answer_to_a_trickster_that_is_laid_does_not_name_it() -> None:
    table = Table(hand=[33])
    table.put("their trickster 1", 37)
    table.play(1, "trickster 1")
    table.activate("their trickster 1")
    for seat in (ANN, BOB, None):
        assert "Shaman" not in " ".join(told(table.events, seat))
    assert told(table.events, BOB) == ["You answer with Disciple."]


def test_soldiers_change_sides_by_name() -> None:
    event = ev.ChangedSides(((at("soldier 1"), at("their soldier 2")),), (16,))
    assert told([event], BOB) == ["Archer goes over to you."]
    assert told([event], ANN) == ["Archer goes over to Bob."]


@pytest.mark.parametrize(
    ("reason", "to_winner", "to_loser"),
    [
        ("castle", "Bob's castle has fallen: you win.", "Your castle has fallen: Ann wins."),
        ("deck_out", "Bob has nothing left to draw: you win.", "You have nothing left to draw: Ann wins."),
        ("forfeit", "Bob has given up: you win.", "You have given up: Ann wins."),
        ("disconnect", "Bob did not come back in time: you win.", "You did not come back in time: Ann wins."),
        (
            "timeout",
            "Bob's time was up three times in a row: you win.",
            "Your time was up three times in a row: Ann wins.",
        ),
    ],
)
def test_the_end_says_why(reason: ev.Reason, to_winner: str, to_loser: str) -> None:
    end = [ev.Ended(ANN, reason)]
    assert told(end, ANN) == [to_winner]
    assert told(end, BOB) == [to_loser]
    assert "Ann" in told(end, None, FRENCH)[0]
