"""Whole conversations of all protocols, byte for byte, with each person of a table at another node."""

from __future__ import annotations

import pytest

from tests import live
from tests.conformance.test_cambia_transcripts import test_transcript as test_cambia
from tests.conformance.test_coup_transcripts import test_transcript as test_coup
from tests.conformance.test_faraway_transcripts import test_transcript as test_faraway
from tests.conformance.test_fortress_transcripts import test_c70_transcript as test_fortress
from tests.conformance.test_palace_transcripts import test_transcript as test_palace

__all__ = ["test_cambia", "test_coup", "test_faraway", "test_fortress", "test_palace"]


@pytest.fixture(autouse=True)
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "NODES", 2)
