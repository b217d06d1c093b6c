"""What is kept of others with a report."""

from __future__ import annotations

from croupier.journal import Journal
from croupier.people import privacy, reports
from croupier.people.reports import Heard, Report
from tests.journal.conftest import any_journal, journals

__all__ = ["any_journal", "journals"]

ANN, BEN = Heard("Ann", "you cheat", 1), Heard("Ben", "no", 2)


async def test_what_somebody_has_said_is_forgotten_with_them_at_their_tables_alone(any_journal: Journal) -> None:
    for table in ("here", "there"):
        about = Report(table, 3, "reporter", "ann", "Ann", table, "coup", 1, "she shouts", (ANN, BEN))
        await any_journal.transact(reports.file(about))
    await any_journal.transact(privacy.leave_table("ann", "once", "here", {"Ann"}, {}, None))
    await any_journal.transact(privacy.forget("ann"))
    kept = {report.table: report for report in await reports.listed(any_journal, False, 0, 10)}
    assert (kept["here"].said, kept["there"].said) == ((BEN,), (ANN, BEN)), "another Ann, as far as anybody knows"
    assert {(report.person, report.name) for report in kept.values()} == {("", privacy.SOMEBODY)}
