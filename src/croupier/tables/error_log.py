"""Errors that nobody expected: written to the log, with an end to it, and counted for the metrics."""

from __future__ import annotations

import sys
from collections import Counter
from time import monotonic
from typing import Any, Literal, get_args

import structlog

log = structlog.get_logger()

Kind = Literal["bot", "dialect", "journal", "request", "server", "story", "table"]
KINDS: tuple[Kind, ...] = get_args(Kind)
seen: Counter[Kind] = Counter()
"""Since the start."""

WINDOW = 60.0
MOST = 10
"""Lines about the same thing in so many seconds: whoever finds a fault must not be able to fill the disk with it."""
_told: dict[str, tuple[float, int]] = {}
"""By sentence: since when it is counted, and how often it was to be said since."""


def report(kind: Kind, sentence: str, **about: Any) -> None:
    """Say it once, with the error that is being handled, if there is one."""
    seen[kind] += 1
    now = monotonic()
    since, times = _told.get(sentence, (now, 0))
    if now - since > WINDOW:
        since, times = now, 0
    _told[sentence] = since, times + 1
    if times < MOST:
        log.error(sentence, exc_info=sys.exc_info()[0] is not None, **about)
    elif times == MOST:
        log.error("that happens again and again: for a minute it is only counted", what=sentence)
