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
from croupier.kernel.chance import QuickDice
from croupier.tables import entries, replay
from croupier.tables.entries import AnyEntry
from croupier.tables.replay import NoSuchGame, Replay, keep, watch
from croupier.tables.table import AnyGame, Table

GAMES = catalogue().games
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
SEED = bytes(range(32))


class Diary:
    """A table as it is played, its log, and what everybody was shown while it was."""

    def __init__(self, game: AnyGame, seats: int = 3) -> None:
        seats = min(seats, game.seats[-1])
        self.table = Table("t", game)
        self.log: list[Record] = []
        self.seen: dict[int | None, list[tuple[Any, Any, list[str]]]] = {}
        self.places = [*range(seats), None]
        self._at = 1000
        self._dice = QuickDice(7)
        early = SEED if game.deals_early else None
        self.happens(entries.Opened(game.name, "Round", seats, msgspec.to_builtins(game.Options()), "hash", early))
        bot = next(iter(game.bots))
        for seat in range(seats):
            self.happens(entries.Joined(seat, f"Bot {seat}", token=f"token {seat}", bot=bot))

    def happens(self, entry: AnyEntry) -> None:
        self._at += 10
        written = entries.encode(entry)
        events = self.table.apply(entries.decode(written), self._at)
        self.log.append(Record(self.table.seq, self._at, written))
        if not isinstance(entry, entries.Started | entries.Moved | entries.Expired):
            return
        names = [seat.name for seat in self.table.seats.values()]
        for place in self.places:
            seen = [event for each in events if (event := each.seen_by(place)) is not None]
            told = [sentence for event in seen if (sentence := self.table.game.tell(event, names))]
            self.seen.setdefault(place, []).append((plain(seen), plain(self.shown(place)), told))

    def shown(self, place: int | None) -> Any:
        return self.table.game.view(self.table.state, place)

    def play(self, seed: bytes = SEED) -> Diary:
        table, game = self.table, self.table.game
        self.seen = {}
        order = list(table.seats)
        if game.customs.seating == "shuffled":
            Chance(seed).shuffle(order, "seats")
        self.happens(entries.Started(tuple(order), seed))
        while table.result is None:
            awaited = game.awaited(table.state)
            if awaited:
                seat = awaited[0]
                brain = table.seats[seat].brain
                assert brain is not None
                view, moves = game.view(table.state, seat), game.moves(table.state, seat)
                self.happens(entries.Moved(seat, brain.choose(seat, view, moves, self._dice), bot=True))
            else:
                clock = min(game.clocks(table.state), key=lambda clock: clock.due)
                self._at = max(self._at, clock.due)
                self.happens(entries.Expired(clock.name))
        return self

    def watch(self, seat: int | None = None, laid_open: bool = False, number: int = 1) -> list[replay.Step]:
        """All steps, from as many answers as it takes."""
        steps: list[replay.Step] = []
        while True:
            part = self.part(number, seat, laid_open, len(steps))
            assert part.first == len(steps)
            steps += part.steps
            if len(steps) == part.count:
                return steps

    def part(self, number: int = 1, seat: int | None = None, laid_open: bool = False, first: int = 0) -> Replay:
        return watch("t", self.table.game, self.log, number, seat, laid_open, first)


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


@every_game
def test_every_place_sees_what_it_saw(game: AnyGame) -> None:
    diary = Diary(game).play()
    for place in diary.places:
        steps = diary.watch(place)
        assert [(plain(step.events), plain(step.view), step.story) for step in steps] == diary.seen[place]


@every_game
def test_a_game_begins_with_the_deal_and_ends_with_its_result(game: AnyGame) -> None:
    diary = Diary(game).play()
    part = diary.part()
    assert isinstance(part.steps[0].entry, entries.Started)
    assert part.steps[0].entry.seed is None
    assert part.steps[0].entry.pledge == hashlib.sha256(bytes.fromhex(part.about.seed)).hexdigest()
    assert part.about.result == diary.table.result
    assert part.about.hash == diary.table.fingerprint()
    assert [actor.name for actor in part.about.players] == [seat.name for seat in diary.table.lineup]
    assert not diary.watch()[-1].awaited


def test_open_cards_in_palace() -> None:
    diary = Diary(GAMES["palace"]).play()
    deal = plain(diary.watch(1, laid_open=True)[0].view)
    assert deal["open_hands"] == [plain(diary.watch(seat)[0].view)["hand"] for seat in range(3)]
    assert list(map(len, deal["open_face_down"])) == deal["face_down"] == [3, 3, 3]
    assert not {"open_hands", "open_face_down"} & set(plain(diary.watch(1)[0].view))


def test_open_cards_in_coup() -> None:
    for step in Diary(GAMES["coup"]).play().watch(None, laid_open=True):
        assert all(slot["card"] for slots in plain(step.view)["cards"] for slot in slots)


def test_open_cards_in_faraway() -> None:
    diary = Diary(GAMES["faraway"]).play()
    opened, shut = diary.watch(0, laid_open=True)[0], diary.watch(0)[0]
    assert None not in plain(opened.view)["hands"][1]
    assert plain(shut.view)["hands"][1] == [None] * 3


def test_open_cards_in_cambia() -> None:
    diary = Diary(GAMES["cambia"]).play()
    for step in diary.watch(2, laid_open=True):
        view = plain(step.view)
        assert set(view["faces"]) >= {card for player in view["players"] for card in player["hand"]}
    assert all("faces" not in plain(step.view) for step in diary.watch(2))


@every_game
def test_with_open_cards_events_hide_nothing(game: AnyGame) -> None:
    diary = Diary(game).play()
    kept = keep("t", game, diary.log, 1)
    told = [plain(line.events) for line in kept.log if line.events]
    open_events = [plain(step.events) for step in diary.watch(laid_open=True) if step.events]
    assert open_events == told[-len(open_events) :]


def test_a_long_game_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    diary = Diary(GAMES["palace"]).play()
    whole = diary.watch(0)
    monkeypatch.setattr(replay, "AT_ONCE", 7)
    assert len(diary.part().steps) == 7
    assert len(whole) > 14
    assert plain(diary.watch(0)) == plain(whole)
    assert diary.part(first=10**9).steps == []


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
            whole.part(number)
    for seat in (-1, 3):
        with pytest.raises(NoSuchGame, match="no such seat"):
            whole.part(seat=seat)


@every_game
def test_each_game_of_a_table_by_its_number(game: AnyGame) -> None:
    diary = Diary(game).play()
    first = diary.seen
    if game.deals_early:
        diary.happens(entries.Reopened(bytes(32)))
    diary.play(bytes(32))
    assert [plain(step.view) for step in diary.watch(0, number=1)] == [view for _, view, _ in first[0]]
    assert [plain(step.view) for step in diary.watch(0, number=2)] == [view for _, view, _ in diary.seen[0]]
    assert diary.part(2).about.seed == "00" * 32


def test_what_people_say_and_their_secrets_are_not_in_it() -> None:
    game = GAMES["palace"]
    diary = Diary(game)
    diary.happens(entries.Said(0, "Bot 0", "psst"))
    diary.play()
    end = diary.log.pop()
    diary.log.append(Record(end.seq, end.at, entries.encode(entries.Said(1, "Bot 1", "psst"))))
    diary.log.append(Record(end.seq + 1, end.at, end.entry))
    told = json.dumps([plain(keep("t", game, diary.log, 1)), plain(diary.part(laid_open=True))])
    assert "Bot 0" in told
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
