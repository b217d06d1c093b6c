"""Sentences that speak to whoever reads them."""

from __future__ import annotations

from croupier.kernel.words import ENGLISH, Reader, Words

FRENCH = Words(
    "fr",
    {
        "you": "vous",
        "{name} [steal|steals] from {target}.": "{name} [target:vous vole|[volez|vole] {target}].",
    },
    lambda count: count < 2,
)
ANN, BOB, ME = "ann", "Bob", Reader("Cy")


def test_a_sentence_is_the_same_for_those_whom_it_is_not_about() -> None:
    assert ENGLISH("{name} [steal|steals] from {target}.", name=ANN, target=BOB) == "ann steals from Bob."


def test_the_reader_is_spoken_to() -> None:
    sentence = "{name} [steal|steals] from {target}."
    assert ENGLISH(sentence, name=ME, target=BOB) == "You steal from Bob."
    assert ENGLISH(sentence, name=BOB, target=ME) == "Bob steals from you."


def test_alternatives_may_be_about_somebody_else_and_at_the_beginning() -> None:
    sentence = "[target:Your|{target}'s] card goes to {name}."
    assert ENGLISH(sentence, name=BOB, target=ME) == "Your card goes to Bob."
    assert ENGLISH(sentence, name=ME, target=BOB) == "Bob's card goes to you."
    assert ENGLISH(sentence, name=ANN, target=BOB) == "Bob's card goes to ann."


def test_they_nest_as_other_languages_need_it() -> None:
    sentence = "{name} [steal|steals] from {target}."
    assert FRENCH(sentence, name=ME, target=BOB) == "Vous volez Bob."
    assert FRENCH(sentence, name=BOB, target=ME) == "Bob vous vole."
    assert FRENCH(sentence, name=ANN, target=BOB) == "ann vole Bob."


def test_a_sentence_without_alternatives_names_the_reader_like_everybody_else() -> None:
    assert ENGLISH("{name} passes.", name=ME) == "Cy passes."


def test_a_name_is_never_taken_for_a_sentence() -> None:
    odd = "[a|b] {name}"
    assert ENGLISH("{name} [pass|passes].", name=odd) == "[a|b] {name} passes."
