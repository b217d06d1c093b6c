"""Hostile input in every protocol: nothing raises, and the table next to it plays on."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.campaign import attack


async def test_hostile_input_disturbs_nobody(tmp_path: Path) -> None:
    outcome = await attack(tmp_path, inputs=20_000, seed=8)
    assert outcome.inputs >= 20_000
    assert outcome.on_sockets > 100
    assert outcome.control_moves > 10
