"""Whatever happens in the writer's thread, everybody is told what became of theirs, and it begins again."""

from __future__ import annotations

import asyncio
import re
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.journal import Append, JournalDown, committing, sqlite
from croupier.journal.sqlite import SqliteJournal
from tests.client import Refusal, client
from tests.journal.settled import Settled
from tests.journal.test_watch import ready, until_ready
from tests.live import process


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


async def test_an_error_that_nobody_thought_of(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str | None] = []
    journal = SqliteJournal(path, news=told.append)
    real, broken = committing.commit, True

    def commit(connection: Any, appends: Sequence[Append], last: dict[str, int]) -> Any:
        if broken:
            connection.execute("BEGIN")  # and it is left open
            raise RuntimeError("nobody thought of this")
        return real(connection, appends, last)

    monkeypatch.setattr(sqlite, "commit", commit)
    for _ in range(3):
        failing = Settled("t", range(1, 2), opens="palace")
        journal.append(failing)
        outcome = await failing.outcome
        assert isinstance(outcome, JournalDown)
        assert journal.fault == str(outcome) == "the journal can't be written: RuntimeError: nobody thought of this"
    broken = False
    good = Settled("t", range(1, 2), opens="palace")
    journal.append(good)
    assert await good.outcome is None
    assert journal.fault is None
    await asyncio.sleep(0)
    assert told == ["the journal can't be written: RuntimeError: nobody thought of this", None]
    await journal.close()


BROKEN = """
import pathlib
from croupier.journal import committing

def execute(*about):
    if pathlib.Path({switch!r}).exists():
        raise {error}
    return real(*about)

real, committing._execute = committing._execute, execute
"""


@pytest.mark.parametrize("error", ["OverflowError('too large')", "OSError(5, 'Input/output error')", "MemoryError()"])
async def test_requests_are_answered_and_readiness_tells_the_truth(tmp_path: Path, error: str) -> None:
    switch, log = tmp_path / "switch", tmp_path / "log"
    sabotage = BROKEN.format(switch=str(switch), error=error)
    async with process(tmp_path, sabotage=sabotage, log=log) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=4)
        switch.touch()
        for _ in range(2):
            with pytest.raises(Refusal) as refused:
                await ann.ask("add_bots")
            assert refused.value.code == "unavailable"
        switch.unlink()
        assert await until_ready(live, 200) == "ready\n"
        # The table was read again after the first of them, and if that was quick, after the second too.
        for refused_again in (True, False):
            await ann.hear(lambda message: message["type"] == "resync")
            try:
                await ann.ask("add_bots")
                break
            except Refusal as again:
                assert refused_again and again.code == "unavailable"
    assert re.search(r"the journal refused entries.*the journal can't be written", log.read_text())


async def test_a_full_disk_is_told_by_readiness_until_there_is_room_again(tmp_path: Path) -> None:
    """Also if nobody tries to move in the meantime: a balancer has sent them elsewhere."""

    async with process(tmp_path) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann", seats=4)
        _, most = resource.prlimit(live.pid, resource.RLIMIT_FSIZE)
        full = (tmp_path / "journal.sqlite-wal").stat().st_size
        resource.prlimit(live.pid, resource.RLIMIT_FSIZE, (full, most))
        with pytest.raises(Refusal):
            await ann.ask("add_bots")
        assert (await ready(live))[0] == 503
        resource.prlimit(live.pid, resource.RLIMIT_FSIZE, (most, most))
        assert await until_ready(live, 200) == "ready\n"
