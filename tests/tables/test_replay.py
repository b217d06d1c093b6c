"""Finished games once more: what each place saw, all cards open, and a record that can be played again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from croupier.games import catalogue
from croupier.journal import Record
from croupier.kernel import Chance
from croupier.tables import entries, replay
from croupier.tables.records import keep
from croupier.tables.replay import NoSuchGame, Replay, watch
from croupier.tables.table import AnyGame
from tests.diary import Diary, plain

GAMES = catalogue().games
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def steps_of(diary: Diary, seat: int | None = None, laid_open: bool = False, number: int = 1) -> list[replay.Step]:
    """All of them, from as many answers as it takes."""
    steps: list[replay.Step] = []
    while True:
        part = part_of(diary, number, seat, laid_open, len(steps))
        assert part.first == len(steps)
        steps += part.steps
        if len(steps) == part.count:
            return steps


def part_of(diary: Diary, number: int = 1, seat: int | None = None, laid_open: bool = False, first: int = 0) -> Replay:
    return watch("t", diary.table.game, diary.log, number, seat, laid_open, first)


@every_game
def test_every_place_sees_what_it_saw(game: AnyGame) -> None:
    diary = Diary(game).play()
    for place in diary.places:
        steps = steps_of(diary, place)
        assert [(plain(step.events), plain(step.view), step.story) for step in steps] == diary.seen[place]


@every_game
def test_a_game_begins_with_the_deal_and_ends_with_its_result(game: AnyGame) -> None:
    diary = Diary(game).play()
    part = part_of(diary)
    assert isinstance(part.steps[0].entry, entries.Started)
    assert part.steps[0].entry.seed is None
    assert part.steps[0].entry.pledge == hashlib.sha256(bytes.fromhex(part.about.seed)).hexdigest()
    assert part.about.result == diary.table.result
    assert part.about.hash == diary.table.fingerprint()
    assert [actor.name for actor in part.about.players] == [seat.name for seat in diary.table.lineup]
    assert not steps_of(diary)[-1].awaited


def test_open_cards_in_palace() -> None:
    diary = Diary(GAMES["palace"]).play()
    deal = plain(steps_of(diary, 1, laid_open=True)[0].view)
    assert deal["open_hands"] == [plain(steps_of(diary, seat)[0].view)["hand"] for seat in range(3)]
    assert list(map(len, deal["open_face_down"])) == deal["face_down"] == [3, 3, 3]
    assert not {"open_hands", "open_face_down"} & set(plain(steps_of(diary, 1)[0].view))


def test_open_cards_in_coup() -> None:
    for step in steps_of(Diary(GAMES["coup"]).play(), None, laid_open=True):
        assert all(slot["card"] for slots in plain(step.view)["cards"] for slot in slots)


def test_open_cards_in_faraway() -> None:
    diary = Diary(GAMES["faraway"]).play()
    opened, shut = steps_of(diary, 0, laid_open=True)[0], steps_of(diary, 0)[0]
    assert None not in plain(opened.view)["hands"][1]
    assert plain(shut.view)["hands"][1] == [None] * 3


def test_open_cards_in_cambia() -> None:
    diary = Diary(GAMES["cambia"]).play()
    for step in steps_of(diary, 2, laid_open=True):
        view = plain(step.view)
        assert set(view["faces"]) == {card for player in view["players"] for card in player["hand"]}
        assert view["held"] is None or view["held"]["face"]
    assert all("faces" not in plain(step.view) for step in steps_of(diary, 2))


def test_open_cards_in_fortress() -> None:
    diary = Diary(GAMES["fortress"]).play()
    seen = [[plain(step.view) for step in steps_of(diary, place)] for place in (0, 1)]
    secrets = 0
    for opened, *shut in zip(steps_of(diary, None, laid_open=True), *seen, strict=True):
        view = plain(opened.view)
        # Each side is as its owner saw it; and so is what waits on the stack, and what somebody is asked.
        assert view["sides"] == [shut[0]["sides"][0], shut[1]["sides"][1]]
        assert [item["card"] for item in view["stack"]] == [
            shut[item["seat"]]["stack"][i]["card"] for i, item in enumerate(view["stack"])
        ]
        assert view["request"] is None or view["request"] == shut[view["request"]["seat"]]["request"]
        secrets += view["sides"] != shut[0]["sides"]
    assert secrets


@every_game
def test_with_open_cards_events_hide_nothing(game: AnyGame) -> None:
    diary = Diary(game).play()
    kept = keep("t", game, diary.log, 1)
    told = [plain(line.events) for line in kept.log if line.events]
    open_events = [plain(step.events) for step in steps_of(diary, laid_open=True) if step.events]
    assert open_events == told[-len(open_events) :]


def test_a_long_game_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    diary = Diary(GAMES["palace"]).play()
    whole = steps_of(diary, 0)
    monkeypatch.setattr(replay, "AT_ONCE", 7)
    assert len(part_of(diary).steps) == 7
    assert len(whole) > 14
    assert plain(steps_of(diary, 0)) == plain(whole)
    assert part_of(diary, first=10**9).steps == []


@every_game
def test_only_finished_games(game: AnyGame) -> None:
    diary = Diary(game)
    whole = Diary(game).play()
    for log in (diary.log, whole.log[:-1]):
        with pytest.raises(NoSuchGame, match="not been played to its end"):
            watch("t", game, log, 1, None, True)
        with pytest.raises(NoSuchGame, match="not been played to its end"):
            keep("t", game, log, 1)
    for number in (0, -1, 2):
        with pytest.raises(NoSuchGame):
            part_of(whole, number)
    for seat in (-1, 3):
        with pytest.raises(NoSuchGame, match="no such seat"):
            part_of(whole, seat=seat)


@every_game
def test_each_game_of_a_table_by_its_number(game: AnyGame) -> None:
    diary = Diary(game).play()
    first = diary.seen
    diary.another()
    assert [plain(step.view) for step in steps_of(diary, 0, number=1)] == [view for _, view, _ in first[0]]
    assert [plain(step.view) for step in steps_of(diary, 0, number=2)] == [view for _, view, _ in diary.seen[0]]
    assert part_of(diary, 2).about.seed != part_of(diary, 1).about.seed


def test_what_people_say_and_their_secrets_are_not_in_it() -> None:
    game = GAMES["palace"]
    diary = Diary(game)
    diary.happens(entries.Said(0, "Ann", "psst"))
    diary.play()
    end = diary.log.pop()
    diary.log.append(Record(end.seq, end.at, entries.encode(entries.Said(1, "Ben", "psst"))))
    diary.log.append(Record(end.seq + 1, end.at, end.entry))
    told = json.dumps([plain(keep("t", game, diary.log, 1)), plain(part_of(diary, laid_open=True))])
    assert "Ann" in told
    assert not [secret for secret in ("psst", "token", "password") if secret in told]


@every_game
def test_the_record_is_enough_to_play_the_game_again(game: AnyGame) -> None:
    """As docs/replays.md says how, and with nothing but the record."""
    written = msgspec.json.encode(keep("t", game, Diary(game).play().log, 1))
    kept = json.loads(written)
    about = kept["about"]
    assert about["format"] == 1
    state = again(game, about, kept["log"])
    assert game.fingerprint(state, bytes.fromhex(about["seed"])) == about["hash"]
    assert plain(game.result(state)) == about["result"]


def again(game: AnyGame, about: dict[str, Any], log: Sequence[dict[str, Any]]) -> Any:
    chance = Chance(bytes.fromhex(about["seed"]))
    options = msgspec.convert(about["options"], game.Options)
    state = game.lobby(options, chance, 0)
    for line in log:
        entry, at = line["entry"], line["at"]
        match entry["entry"]:
            case "joined":
                game.sit(state, entry["seat"], at)
            case "started" if game.deals_early:
                state = game.begin(state, options, entry["order"], at)
            case "started":
                if game.customs.seating == "shuffled":
                    chance.shuffle(list(range(len(about["players"]))), "seats")
                state = game.deal(options, len(about["players"]), chance, at)
            case "moved":
                game.play(state, entry["seat"], msgspec.convert(entry["move"], game.Move), at)
            case "expired":
                game.expire(state, entry["clock"], at)
    return state
