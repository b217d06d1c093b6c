"""Coup in numbers: who has claimed what, and what became of it."""

from __future__ import annotations

from croupier.games.coup.characters import CHARACTERS
from croupier.games.coup.moves import Allow, Block, CallBs, Keep, Lose, Propose
from croupier.games.coup.rules import Coup
from croupier.kernel import Notes
from tests.games.coup.bench import ANN, BOB, CY, Table
from tests.rows import encoding_of, row, spelled

coup = Coup()


def notes_of(table: Table) -> Notes:
    notes = encoding_of(coup, table.state, ANN).notes()
    assert notes is not None
    return notes


def characters(counts: list[int]) -> dict[str, int]:
    return {character: count for character, count in zip(CHARACTERS, counts, strict=True) if count}


def by_seat(numbers: list[int]) -> list[dict[str, int]]:
    return [characters(numbers[at : at + 5]) for at in range(0, len(numbers), 5)]


def test_claims_are_remembered_and_bluffs_more_so() -> None:
    table = Table(confirm_policy="all")
    notes = notes_of(table)
    notes.observe(table.propose(ANN, "tax"))
    seen = row(coup, table.state, BOB, notes)
    assert by_seat(seen["claimed"]) == [{}, {}, {"duke": 1}]
    assert seen["current"] == [0, 0, 1]
    assert seen["action"][3] == 1
    notes.observe(table.act(BOB, Allow("action")))
    assert row(coup, table.state, CY, notes)["allowed"] == [0, 0, 1]
    notes.observe(table.act(CY, Allow("action")))
    notes.observe(table.propose(BOB, "tax"))  # who has no duke
    notes.observe(table.act(CY, CallBs("action")))
    seen = row(coup, table.state, ANN, notes)
    assert by_seat(seen["lacks"]) == [{}, {"duke": 1}, {}]
    assert by_seat(seen["claimed"]) == [{"duke": 1}, {}, {}]
    assert (seen["right"], seen["wrong"]) == ([0, 0, 1], [0, 0, 0])
    assert seen["losing"] == [0, 1, 0]


def test_a_card_that_was_proved_is_another_one_now() -> None:
    table = Table(confirm_policy="all")
    notes = notes_of(table)
    notes.observe(table.propose(ANN, "tax"))
    notes.observe(table.act(CY, CallBs("action")))
    seen = row(coup, table.state, BOB, notes)
    assert by_seat(seen["claimed"]) == [{}, {}, {}]
    assert (seen["right"], seen["wrong"]) == ([0, 0, 0], [0, 1, 0])


def test_only_the_own_cards_are_there() -> None:
    table = Table()
    seen = row(coup, table.state, CY, notes_of(table))
    assert characters(seen["hand"]) == {"ambassador": 1, "duke": 1}
    assert (seen["coins"], seen["cards"]) == ([2, 2, 2], [2, 2, 2])
    assert not any(seen["revealed"])


def test_whom_it_is_about_is_told_from_the_own_seat_on() -> None:
    table = Table(confirm_policy="all")
    table.income(ANN)
    assert spelled(coup, table.state, BOB)[Propose("steal", CY)] == ("steal", 0)
    assert spelled(coup, table.state, BOB)[Propose("steal", ANN)] == ("steal", 1)
    table.propose(BOB, "steal", CY)
    assert spelled(coup, table.state, CY) == {
        Allow("action"): ("go_on", 0),
        CallBs("action"): ("call_bs", 0),
        Block("captain"): ("block", CHARACTERS.index("captain")),
        Block("ambassador"): ("block", CHARACTERS.index("ambassador")),
    }


def test_cards_to_keep_are_said_one_by_one() -> None:
    table = Table(confirm_policy="all")
    table.propose(ANN, "exchange")
    table.act(BOB, Allow("action"))
    table.act(CY, Allow("action"))
    assert spelled(coup, table.state, ANN)[Keep(("duke", "captain"))] == (
        ("keep", CHARACTERS.index("duke")),
        ("keep", CHARACTERS.index("captain")),
    )
    seen = row(coup, table.state, ANN, notes_of(table))
    assert sum(seen["pool"]) == 4
    assert sum(row(coup, table.state, BOB, notes_of(table))["pool"]) == 0


def test_a_card_to_lose_is_its_character() -> None:
    table = Table(confirm_policy="all")
    table.propose(ANN, "tax")
    table.act(CY, CallBs("action"))
    assert spelled(coup, table.state, CY)[Lose("duke")] == ("lose", 0)
