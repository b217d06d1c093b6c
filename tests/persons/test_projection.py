"""Games that are over count once, in one order, and come to the same numbers whenever they are worked out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from croupier.journal import Journal, Row, Script, Statement
from croupier.journal.sqlite import SqliteJournal
from croupier.people import played, privacy, projection
from croupier.people.played import Participant
from tests.journal.conftest import Journals, any_journal, journals

__all__ = ["any_journal", "journals"]

PEOPLE = [f"person {n}" for n in range(12)]
INSERT = "INSERT INTO finished (table_id, seq, number, game, at, rated, shown, players) VALUES "


def over(rows: Sequence[Row]) -> Script[None]:
    for row in rows:
        yield Statement(f"{INSERT} ($1, $2, $3, $4, $5, $6, $7, $8)", row)


def game(dice: random.Random, number: int, people: Iterable[str]) -> Row:
    players = [Participant(person, 1 + dice.randrange(4), person, left=dice.random() < 0.1) for person in people]
    players.append(Participant("Bot", 2, bot="b", worth=31.25))
    about = (1, dice.choice(["palace", "coup"]), 1000 + number // 3, dice.randrange(5) > 0, dice.randrange(2))
    return (
        f"t{number % 7}",
        number,
        about[0],
        about[1],
        about[2],
        int(about[3]),
        about[4],
        played.encode(players).decode(),
    )


def games(count: int) -> list[Row]:
    dice = random.Random(3)
    found = [game(dice, number, dice.sample(PEOPLE, dice.randrange(1, 6))) for number in range(count)]
    return sorted(found, key=lambda row: (row[4], row[0], row[1]))


async def everything(journal: Journal) -> list[list[Row]]:
    return [
        await journal.query("SELECT game, person, mu, sigma, games, at FROM ratings ORDER BY game, person"),
        await journal.query(
            "SELECT person, at, table_id, seq, game, place, side, won, shown, gain FROM played "
            "ORDER BY person, at, table_id, seq"
        ),
        await journal.query("SELECT rank, table_id, seq FROM finished ORDER BY rank"),
    ]


async def test_worked_out_anew_all_is_as_it_was(any_journal: Journal, tmp_path: Path) -> None:
    rows = games(300)
    for start in range(0, 300, 20):  # as they come, a few at a time
        await any_journal.transact(over(rows[start : start + 20]))
        await projection.catch_up(any_journal)
    kept = await everything(any_journal)
    assert len(kept[0]) == 2 * len(PEOPLE) and [rank for rank, *_ in kept[2]] == list(range(1, 301))
    assert await projection.rebuild(any_journal) == 300
    assert await everything(any_journal) == kept

    # And in another journal, of the other kind perhaps.
    file = SqliteJournal(tmp_path / "other.sqlite")
    for row in rows:
        await file.transact(over([row]))
        await projection.catch_up(file)
    assert await everything(file) == kept, "to the last bit"
    await file.close()


async def test_when_somebody_is_forgotten_the_ratings_of_the_others_stay_what_they_follow_from(
    any_journal: Journal,
) -> None:
    await any_journal.transact(over(games(300)))
    await projection.catch_up(any_journal)
    ratings, history, ranks = await everything(any_journal)

    def forget(person: str) -> Script[None]:
        for table in sorted({table for _, table, _ in ranks}):
            yield from privacy.leave_table(person, "somebody once", table, (), {}, None)
        yield from privacy.forget(person)

    await any_journal.transact(forget(PEOPLE[0]))
    await projection.rebuild(any_journal)
    assert await everything(any_journal) == [
        [row for row in ratings if row[1] != PEOPLE[0]],
        [row for row in history if row[0] != PEOPLE[0]],
        ranks,
    ]
    players = await any_journal.query("SELECT players FROM finished")
    assert not any(PEOPLE[0] in row[0] for row in players) and any("somebody once" in row[0] for row in players)
    assert not any(each.formerly for row in players for each in played.participants(row[0])), "nobody is told"


async def test_several_nodes_at_once_count_each_game_once(journals: Journals) -> None:
    ours, theirs = await journals.open(), await journals.open()
    await ours.transact(over(games(120)))
    await asyncio.gather(*(projection.catch_up(journal) for journal in (ours, theirs) * 3))
    together = await everything(ours)
    assert [rank for rank, *_ in together[2]] == list(range(1, 121))
    await projection.rebuild(ours)
    assert await everything(theirs) == together


async def test_what_makes_no_sense_counts_for_nobody_and_stops_nobody(any_journal: Journal) -> None:
    rows = games(2)
    await any_journal.transact(over([("bad", 1, 1, "palace", 1, 1, 1, "no JSON"), *rows]))
    await projection.catch_up(any_journal)
    _, history, ranks = await everything(any_journal)
    assert ranks[0] == (1, "bad", 1) and len(ranks) == 3
    assert all(row[2] != "bad" for row in history)
