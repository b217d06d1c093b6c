"""Palace in numbers: what a player would want to know is there."""

from __future__ import annotations

from croupier.games.palace.moves import Choose, Play
from croupier.games.palace.rules import Palace
from croupier.kernel.cards import RANKS
from tests.games.palace.test_rules import cards, dealt, play, table
from tests.rows import encoding_of, row, spelled

palace = Palace()


def ranks(counts: list[int]) -> dict[str, int]:
    return {rank: count for rank, count in zip(RANKS, counts, strict=True) if count}


def test_what_was_picked_up_is_remembered_until_it_is_played() -> None:
    state = table("3c 9d/5c/8c", "6c Kd Ks/5d/8d", "7c/5h/8h", pile="9c")
    notes = encoding_of(palace, state, 0).notes()
    assert notes is not None
    notes.pile = list(cards("9c"))  # type: ignore[attr-defined]
    notes.observe(play(state, 0, "3c"))  # which does not fit
    seen = row(palace, state, 1, notes)
    assert ranks(seen["known"][13:]) == {"3": 1, "9": 1}
    assert seen["hands"] == [1, 3]
    assert ranks(seen["hand"]) == {"6": 1, "K": 2}
    notes.observe(play(state, 1, "6c"))
    notes.observe(play(state, 2, "7c"))
    notes.observe(play(state, 0, "3c"))
    assert ranks(row(palace, state, 1, notes)["known"][13:]) == {"9": 1}


def test_what_burned_is_gone_and_said_to_be() -> None:
    state = table("10c 9d/5c/8c", "6c Kd/5d/8d")
    notes = encoding_of(palace, state, 0).notes()
    assert notes is not None
    notes.observe(play(state, 0, "10c"))
    seen = row(palace, state, 0, notes)
    assert (ranks(seen["burned"]), ranks(seen["pile"]), seen["run"]) == ({"10": 1}, {}, [0])


def test_the_pile_and_what_fits_on_it() -> None:
    state = table("3c/5c/8c", "6c/5d/8d", "6d/5d/8d", pile="2c 7c 4c 7d")
    notes = encoding_of(palace, state, 0).notes()
    seen = row(palace, state, 0, notes)
    assert ranks(seen["pile"]) == {"2": 1, "4": 1, "7": 2}
    assert (ranks(seen["top"]), seen["run"]) == ({"7": 1}, [2])
    assert list(ranks(seen["playable"])) == ["2", "3", "4", "5", "6", "7"]


def test_moves_go_by_rank_and_number() -> None:
    state = table("3c 3d Kd/5c/8c", "6c/5d/8d")
    assert spelled(palace, state, 0) == {
        Play(cards("3c")): ("play", 1),
        Play(cards("3c 3d")): ("play", 13 + 1),
        Play(cards("Kd")): ("play", 11),
    }
    state.hands[0], state.face_up[0] = [], []
    assert spelled(palace, state, 0) == {Play(()): ("flip", 0)}


def test_three_cards_are_chosen_in_three_steps() -> None:
    state = dealt(2)
    for move, steps in spelled(palace, state, 0).items():
        assert isinstance(move, Choose)
        assert [("choose", RANKS.index(card[:-1])) for card in move.cards] == list(steps)
