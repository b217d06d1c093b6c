"""What has gone wrong in this process: written to the log, and counted for the metrics."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, Literal, get_args

import structlog

log = structlog.get_logger()

Kind = Literal["bot", "dialect", "journal", "request", "server", "table"]
KINDS: tuple[Kind, ...] = get_args(Kind)
seen: Counter[Kind] = Counter()
"""Since the start."""


def report(kind: Kind, sentence: str, **about: Any) -> None:
    """Say it once, with the error that is being handled, if there is one."""
    seen[kind] += 1
    log.error(sentence, exc_info=sys.exc_info()[0] is not None, **about)
