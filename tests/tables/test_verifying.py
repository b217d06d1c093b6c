"""Records are checked by playing them again: what is right passes, and whatever somebody changes in one is found."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.games import catalogue
from croupier.kernel import Rig
from croupier.tables import entries
from croupier.tables.records import keep
from croupier.tables.replay import NoSuchGame
from croupier.tables.table import AnyGame
from croupier.tables.verifying import NoRecord, Verified, Wrong, read, verify
from tests import corpus
from tests.diary import Diary, plain
from tests.tables.test_early_deal import EarlyBids

Json = dict[str, Any]
GAMES = catalogue().games
EARLY = "coup"
every_game = pytest.mark.parametrize("name", GAMES)


def kept(diary: Diary, number: int = 1) -> Json:
    found: Json = plain(keep("t", diary.table.game, diary.log, number))
    return found


def checked(record: Json, game: AnyGame | None = None, pledge: str | None = None) -> Verified:
    return verify(read(json.dumps(record).encode()), game or GAMES[record["about"]["game"]], pledge)


def wrong(record: Json, pledge: str | None = None) -> str:
    with pytest.raises(Wrong) as found:
        checked(record, None, pledge)
    return str(found.value)


def lines(record: Json, kind: str) -> list[Json]:
    return [line for line in record["log"] if line["entry"]["entry"] == kind]


# What is right.


@every_game
def test_the_first_game_of_a_table_and_the_next(name: str) -> None:
    diary = Diary(GAMES[name]).play()
    diary.another()
    for number in (1, 2):
        record = kept(diary, number)
        pledge = hashlib.sha256(bytes.fromhex(record["about"]["seed"])).hexdigest()
        found = checked(record, None, pledge)
        assert (found.pledge, found.moves) == (pledge, len(lines(record, "moved")))
        assert found.shuffles
        assert found.places


RECORDED = sorted(corpus.GAMES.glob("*/rules-*/*.jsonl"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_game_that_was_ever_recorded(path: Path) -> None:
    """By every version of the rules and of the log; people leave, bots stand in, servers come back, clocks run out."""
    id, log = corpus.read(path)
    game = GAMES[path.parts[-3]]
    for number in range(1, 100):
        try:
            record = keep(id, game, [line for line, _ in log], number)
        except NoSuchGame:
            return
        verify(read(msgspec.json.encode(record)), game)


def test_what_happens_around_a_game_that_deals_as_people_sit_down() -> None:
    """Somebody rises and the rest is shuffled again; and in the next game fewer sit down than before."""
    game = GAMES[EARLY]
    diary = Diary(game, 4)
    diary.happens(entries.Left(1))
    diary.play()
    diary.happens(entries.Left(2, "gone"))
    diary.another()
    first, second = kept(diary, 1), kept(diary, 2)
    assert [draw["name"] for line in first["log"] for draw in line.get("draws", ())] == ["deck", "reshuffle"]
    assert first["before"] is None
    assert len(second["before"]["seats"]) == 2
    assert checked(first).shuffles == 2
    assert checked(second).shuffles == 1


def test_a_game_from_elsewhere_without_a_line_of_code_for_it() -> None:
    class Elsewhere(EarlyBids):
        name = "elsewhere"

    game = Elsewhere()
    diary = Diary(game).play()
    found = checked(kept(diary), game)
    assert found.numbers >= 12
    assert found.shuffles == 0


# What is not.


def change(record: Json, how: Callable[[Json], object]) -> Json:
    other = copy.deepcopy(record)
    how(other)
    assert other != record
    return other


@every_game
def test_every_byte_of_the_seed_counts(name: str) -> None:
    record = kept(Diary(GAMES[name]).play())
    for place in range(0, 64, 9):
        digit = record["about"]["seed"][place]
        seed = f"{record['about']['seed'][:place]}{'0' if digit != '0' else '1'}{record['about']['seed'][place + 1 :]}"
        other = change(record, lambda record, seed=seed: record["about"].update(seed=seed))  # type: ignore[misc]
        assert wrong(other).startswith("the hash of the seed is ")
        # And who changes the hash as well is found by the deal, or by whoever remembers it.
        pledge = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
        lines(other, "started")[0]["entry"]["pledge"] = pledge
        assert "by the seed" in wrong(other)
    old = lines(record, "started")[0]["entry"]["pledge"]
    assert "you were shown" in wrong(record, pledge)
    assert checked(record, None, f" {old.upper()}\n")


@every_game
def test_every_card_that_was_shuffled_counts(name: str) -> None:
    record = kept(Diary(GAMES[name]).play())
    shuffles = [
        (at, number, draw)
        for at, line in enumerate(record["log"])
        for number, draw in enumerate(line.get("draws", ()))
        if draw["draw"] == "shuffle"
    ]
    for at, number, draw in shuffles:
        for side in ("in", "out"):
            other = copy.deepcopy(record)
            cards = other["log"][at]["draws"][number][side]
            place = next(place for place, card in enumerate(cards) if card != cards[0])
            cards[0], cards[place] = cards[place], cards[0]
            said = wrong(other)
            assert f"the first of what {'came out of' if side == 'out' else 'went into'} the shuffle" in said
            assert f"“{draw['name']}”" in said


@every_game
def test_every_card_that_is_seen_counts(name: str) -> None:
    record = kept(Diary(GAMES[name]).play())
    seen = 0
    for at, line in enumerate(record["log"]):
        for pointer, _, _ in line.get("whence", ()):
            other = copy.deepcopy(record)
            *path, last = pointer.split("/")[1:]
            zone = other["log"][at]["view"]
            for step in path:
                zone = zone[int(step) if isinstance(zone, list) else step]
            zone[int(last) if isinstance(zone, list) else last] = "joker"
            assert "is joker in the record and" in wrong(other)
            seen += 1
    assert seen


def test_a_card_is_named_by_its_place() -> None:
    record = kept(Diary(GAMES["palace"]).play())
    ben = next(player["seat"] for player in record["about"]["players"] if player["name"] == "Ben")
    hand = record["log"][0]["view"]["open_hands"][ben]
    card, hand[2] = hand[2], "Q♣"
    assert wrong(record) == f"the third of Ben's open hands is Q♣ in the record and {card} by the seed"


@every_game
def test_no_move_can_be_left_out_or_come_twice_or_in_another_order(name: str) -> None:
    record = kept(Diary(GAMES[name]).play())
    moves = [at for at, line in enumerate(record["log"]) if line["entry"]["entry"] == "moved"]
    for at in moves[:: max(1, len(moves) // 8)]:
        if at < len(record["log"]) - 1:
            without = change(record, lambda record, at=at: record["log"].pop(at))  # type: ignore[misc]
            assert wrong(without).startswith(f"entry {record['log'][at]['seq']} is missing")
        assert wrong(change(record, lambda record, at=at: record["log"].insert(at, record["log"][at])))  # type: ignore[misc]
    assert wrong(change(record, lambda record: record["log"].pop())) == "the record ends before the game is over"
    assert "goes on" in wrong(change(record, lambda record: record["log"].append(record["log"][-1])))


@every_game
def test_every_event_counts(name: str) -> None:
    record = kept(Diary(GAMES[name]).play())
    for at, line in enumerate(record["log"][-5:], len(record["log"]) - 5):
        if line["events"]:
            assert wrong(change(record, lambda record, at=at: record["log"][at]["events"].pop()))  # type: ignore[misc]


@every_game
def test_how_it_ended_counts(name: str) -> None:
    record = kept(Diary(GAMES[name]).play())
    about = record["about"]
    assert len(about["result"]["placings"]) > 1
    assert wrong(change(record, lambda r: r["about"]["result"]["placings"].reverse())).startswith("the result is ")
    assert wrong(change(record, lambda r: r["about"].update(hash="0" * 64))).startswith(f"the hash is {'0' * 60}")
    assert wrong(change(record, lambda r: r["about"]["players"].reverse()))
    assert wrong(change(record, lambda r: r["about"].update(ended_at=about["ended_at"] + 1)))


def test_the_options_count() -> None:
    record = kept(Diary(GAMES["palace"]).play())
    assert wrong(change(record, lambda r: r["about"]["options"].update(turn_timer=77)))
    assert wrong(change(record, lambda r: r["before"]["options"].update(turn_timer=77)))


def test_what_is_none_of_the_games_business_is_left_out_of_the_log() -> None:
    diary = Diary(GAMES["faraway"])
    diary.happens(entries.Started((0, 1, 2), bytes(32)))
    diary.happens(entries.Silenced(1, True))
    diary.finish()
    record = kept(diary)
    assert record["omitted"] == [6]
    assert [line["seq"] for line in record["log"][:2]] == [5, 7]
    assert checked(record)
    assert wrong(change(record, lambda r: r.update(omitted=[]))) == "entry 6 is missing, and entry 7 is in its place"


def test_who_sits_where_is_drawn_too() -> None:
    record = kept(Diary(GAMES["palace"]).play())
    assert "people have the seats" in wrong(change(record, lambda r: r["log"][0]["entry"]["order"].reverse()))


@every_game
def test_moves_that_are_no_more_what_they_were(name: str) -> None:
    """Another move of the same game, by the same seat, in the place of one."""
    record = kept(Diary(GAMES[name]).play())
    moved = lines(record, "moved")
    one, other = next(
        (one, other)
        for one in moved
        for other in moved
        if one["entry"]["seat"] == other["entry"]["seat"] and one["entry"]["move"] != other["entry"]["move"]
    )
    one["entry"]["move"] = other["entry"]["move"]
    assert wrong(record)


def test_luck_that_a_test_has_fixed_is_no_fair_deal() -> None:
    diary = Diary(GAMES["faraway"])
    diary.happens(entries.Started((0, 1, 2), bytes(32), Rig(shuffle=False)))
    diary.finish()
    record = kept(diary)
    assert record["about"]["rig"] == {"shuffle": False}
    assert record["log"][0]["draws"][0]["rigged"]
    assert "fixed by a test" in wrong(record)
    # And it can't be hidden, nor be smuggled in where nobody looks.
    del record["about"]["rig"]
    assert "by the seed" in wrong(record)
    assert "by the seed" in wrong(change(record, lambda r: r["log"][0]["entry"].update(rig={"shuffle": False})))
    assert "by the seed" in wrong(change(record, lambda r: [draw.pop("rigged") for draw in r["log"][0]["draws"]]))


@every_game
def test_a_game_begins_once(name: str) -> None:
    """Whoever does not like how it goes can't have it dealt again, from the same seed, in the middle of it."""
    record = kept(Diary(GAMES[name]).play())
    first = record["log"][0]["seq"]
    start = next(at for at, line in enumerate(record["log"]) if line["entry"]["entry"] == "started")
    for at in range(start + 1):
        other = copy.deepcopy(record)
        other["log"][start + 3 : start + 3] = copy.deepcopy(other["log"][at : start + 3])
        for number, line in enumerate(other["log"], first):
            line["seq"] = number
        said = wrong(other)
        assert at not in (0, start) or "begins once more" in said


# What is no record.


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"no JSON",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"null",
        b'{"about":{},"log":[]}',
        b"[" * 100_000,
        b'{"table":{"phase":"waiting"}}',
    ],
)
def test_what_is_no_record_is_called_none(written: bytes) -> None:
    with pytest.raises(NoRecord, match="record"):
        read(written)


def test_there_is_nothing_to_check_before_the_end() -> None:
    with pytest.raises(NoRecord, match="only a finished game can be checked"):
        read(b'{"table":{"phase":"playing"},"seq":7}')


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda r: r["about"].update(format=2), "format 2"),
        (lambda r: r["about"].update(seed="zz"), "no seed"),
        (lambda r: r["about"].update(seed="00"), "no seed"),
        (lambda r: r.update(log=[]), "no log"),
        (lambda r: r.pop("before"), "download it once more"),
        (lambda r: r["log"][0]["entry"].update(rules=99), "version 99 of the rules"),
        (lambda r: r["before"].update(options={"turn_timer": "soon"}), "no such options"),
    ],
)
def test_what_can_not_be_checked_here(how: Callable[[Json], object], said: str) -> None:
    record = change(kept(Diary(GAMES["palace"]).play()), how)
    with pytest.raises(NoRecord, match=said):
        checked(record)


@pytest.mark.parametrize(
    "how",
    [
        lambda r: r["before"]["seats"].pop(),
        lambda r: r["before"].update(seats=[]),
        lambda r: r["log"].pop(0),
        lambda r: r["log"][3]["entry"].update(seat=99),
        lambda r: r["log"][3]["entry"].update(seat=-1),
        lambda r: r["log"][3]["entry"].update(move={"move": "fly"}),
        lambda r: r["log"][3]["entry"].update(move=None),
        lambda r: r["log"][3].update(at=-(1 << 60)),
        lambda r: r["log"][3].update(entry={"entry": "started", "order": [0, 0, 0], "pledge": ""}),
        lambda r: r["log"][0]["entry"].update(order=[7, 8, 9]),
        lambda r: r["log"][0].pop("draws"),
        lambda r: r["log"][0].pop("view"),
        lambda r: r["log"][0].pop("whence"),
    ],
)
def test_nonsense_is_found(how: Callable[[Json], object]) -> None:
    assert wrong(change(kept(Diary(GAMES["palace"]).play()), how))
