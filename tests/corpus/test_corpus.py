"""What was recorded comes out the same again: tables go on and replays show what happened, whatever has changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from croupier.games import catalogue
from croupier.journal.reading import list_tables, read_log
from croupier.journal.sqlite import SqliteJournal
from croupier.journal.stores import SqliteStore
from croupier.laws import extremes
from croupier.tables import audit, entries
from croupier.tables.house import House
from croupier.tables.logbook import Unreadable
from croupier.tables.settings import Settings
from tests import corpus

GAMES = catalogue().games
RECORDED = sorted(corpus.GAMES.glob("*/rules-*/*.jsonl"))

CHANGED = """{game} does not come out as it was recorded:
entry {seq} of {path}: {entry}

People are playing games like this one right now, and have kept replays of others. If an outcome has changed on purpose,
the rules need a new version, and games that began by the old one an old path: raise `rules` of the game, write
`if self.rules < {next}:` beside the new rule, and record games by it (python -m tests.corpus). If only the form of the
state has changed, it must still be hashed as before. See CONTRIBUTING.md, "How to change a rule"."""


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_recorded_game_comes_out_the_same(path: Path) -> None:
    game = GAMES[path.parts[-3]]
    table, log = corpus.read(path)
    again = corpus.hashed(game, (record for record, _ in log), table)
    for record, then in log:
        try:
            _, now = next(again)
        except Unreadable as error:
            now = str(error)
        if now != then:
            what = {"entry": record.entry.decode(), "next": type(game).rules + 1}
            pytest.fail(CHANGED.format(game=game.title, seq=record.seq, path=path.name, **what), pytrace=False)


@pytest.mark.parametrize("name", GAMES)
def test_games_of_all_kinds_are_recorded_by_the_rules_of_today(name: str) -> None:
    game, wanted = GAMES[name], extremes(GAMES[name])
    logs = [corpus.read(path)[1] for path in RECORDED if path.parts[-3:-1] == (name, f"rules-{type(game).rules}")]
    assert logs, f"record games by the rules of today: python -m tests.corpus ({game.title})"
    found = [[entries.decode(record.entry) for record, _ in log] for log in logs]
    happened = {type(entry) for log in found for entry in log}
    assert {entries.Moved, entries.Left, entries.Resumed} <= happened
    options, seats = [], set()
    for first, *log in found:
        assert isinstance(first, entries.Opened)
        options.append(msgspec.convert(first.options, game.Options))
        seats |= {len(entry.order) for entry in log if isinstance(entry, entries.Started)}
    assert all(each in options for each in wanted)
    assert min(seats) <= game.seats[0]  # some are played alone
    assert max(seats) >= min(game.seats[-1], 5)


@pytest.mark.parametrize("path", sorted(corpus.JOURNALS.glob("*.sqlite")), ids=lambda path: path.stem)
async def test_a_journal_of_an_earlier_server_goes_on(path: Path, tmp_path: Path) -> None:
    journal = tmp_path / path.name
    shutil.copy(path, journal)
    assert [found for found in audit.check(SqliteStore(journal), GAMES) if found.fault or found.missing] == []
    for listing in list_tables(journal, live=True):
        *_, (_, now) = corpus.hashed(GAMES[listing.game], read_log(journal, listing.id), listing.id)
        assert now == _hashes(path)[listing.id]
    house = House(GAMES, SqliteJournal(journal), Settings())
    await house.open()
    assert not house.registry.left_alone
    assert sum(room.table.phase == "playing" for room in house.rooms.values()) >= 3
    await house.close()


def _hashes(path: Path) -> dict[str, str]:
    hashes: dict[str, str] = json.loads(path.with_suffix(".json").read_text())
    return hashes
