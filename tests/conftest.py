from __future__ import annotations

from hypothesis import settings

# Nothing is timed in a test, not even by hypothesis: a busy machine is no bug. And the same run finds the same things.
settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")
