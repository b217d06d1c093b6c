"""Every attack for a moment, beside tables that play on. For longer, and with figures: python -m tests.attack"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from tests.attack.attacks import ATTACKS
from tests.attack.siege import Attack
from tests.attack.stage import ENOUGH_MOVES, Stage, stage

MEMORY = 64 << 20
"""Bytes more than before."""
LINES = 10
"""Of the log."""


class Stages:
    """A server for all attacks in one protocol, each of which has addresses of its own; a new one after a failure."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._open = AsyncExitStack()
        self._protocol = ""
        self._stage: Stage | None = None

    async def of(self, protocol: str) -> Stage:
        if self._stage is None or protocol != self._protocol:
            await self.close()
            self._stage = await self._open.enter_async_context(stage(self._folders.mktemp("attack")))
            self._protocol = protocol
        return self._stage

    async def close(self) -> None:
        self._stage = None
        await self._open.aclose()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stages(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stages]:
    found = Stages(tmp_path_factory)
    yield found
    await found.close()


BY_PROTOCOL = sorted((attack for attack in ATTACKS.values() if attack.always), key=lambda attack: attack.protocol)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("attack", BY_PROTOCOL, ids=lambda attack: attack.name)
async def test_nobody_else_notices(stages: Stages, attack: Attack) -> None:
    here = await stages.of(attack.protocol)
    try:
        outcome = await here.suffer(attack, seconds=0.3, enough=True)
        assert outcome.moves >= ENOUGH_MOVES, "the tables stand still"
        assert not outcome.lost
        assert outcome.newcomers
        assert not outcome.turned_away
        before, most, _ = outcome.memory
        assert most < before + MEMORY
        assert len(outcome.log) <= LINES, outcome.log
    except BaseException:
        await stages.close()
        raise
