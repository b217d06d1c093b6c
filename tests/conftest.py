from __future__ import annotations

import os

import pytest
from hypothesis import settings

from croupier import logs
from tests import services

# Nothing is timed in a test, not even by hypothesis: a busy machine is no bug. And the same run finds the same things.
settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")

# As a server writes it; structlog's own way would spend a second on every traceback.
logs.configure("text")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for a browser, a server or a clock, and somebody can go on."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # not one of xdist's workers, but the one that starts them
        lease = services.hold()
        config.add_cleanup(lambda: services.release(lease))
