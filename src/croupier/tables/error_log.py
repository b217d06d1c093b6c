"""Errors that nobody expected: written to the log, with an end to it, and counted for the metrics."""

from __future__ import annotations

import sys
from collections import Counter, deque
from time import monotonic, time
from typing import Any, Literal, get_args

import msgspec
import structlog

log = structlog.get_logger()

Kind = Literal["bot", "dialect", "journal", "request", "server", "story", "table"]
KINDS: tuple[Kind, ...] = get_args(Kind)
seen: Counter[Kind] = Counter()
"""Since the start."""


class Trouble(msgspec.Struct, frozen=True):
    """One of the last, for the operator."""

    at: int
    kind: Kind
    sentence: str
    about: dict[str, str]
    error: str = ""
    """Which kind of error it was, and where; what it says may be about somebody's cards."""


KEPT = 200
latest: deque[Trouble] = deque(maxlen=KEPT)

WINDOW = 60.0
LONGEST = 200
"""Characters of anything that a trouble is about."""
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
        said = {name: str(value)[:LONGEST] for name, value in about.items()}
        latest.append(Trouble(round(time() * 1000), kind, sentence, said, _error()))
        log.error(sentence, exc_info=sys.exc_info()[0] is not None, **about)
    elif times == MOST:
        log.error("that happens again and again: for a minute it is only counted", what=sentence)


def _error() -> str:
    """Of the error that is being handled, if there is one."""
    kind, _, trace = sys.exc_info()
    if kind is None or trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{kind.__name__}, {trace.tb_frame.f_code.co_filename.rpartition('/croupier/')[2]}:{trace.tb_lineno}"
