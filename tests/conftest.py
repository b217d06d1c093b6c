from __future__ import annotations

from hypothesis import settings

from croupier import logs

# Nothing is timed in a test, not even by hypothesis: a busy machine is no bug. And the same run finds the same things.
settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")

# As a server writes it; structlog's own way would spend a second on every traceback.
logs.configure("text")
