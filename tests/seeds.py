"""How many random games a test plays."""

from __future__ import annotations

import os


def seeds(games: int) -> range:
    """Of so many random games; of twenty times as many with ``CROUPIER_LONG=1``, for which no test run has the time."""
    return range(20 * games if os.environ.get("CROUPIER_LONG") else games)
