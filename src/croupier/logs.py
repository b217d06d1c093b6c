"""Logs: one line of JSON for machines, or of text for people; never a card, a token or a password."""

from __future__ import annotations

import logging
import sqlite3
import sys
import traceback
from types import TracebackType
from typing import Any, Literal

import structlog

from croupier.journal import Conflict, JournalDown
from croupier.tables.logbook import Unreadable
from croupier.tables.names import harmless

Format = Literal["text", "json"]
HARMLESS = (OSError, sqlite3.Error, JournalDown, Conflict, Unreadable)
"""Errors that speak of files and sockets, and never of what somebody holds."""


def configure(format: Format) -> None:
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer()
        if format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=lambda out, error: out.writelines([trace(error)])
        )
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([structlog.processors.ExceptionRenderer(trace)] if format == "json" else [_printable]),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _printable(logger: Any, method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    """What people have written does nothing to the terminal of whoever reads the log. (JSON escapes it anyway.)"""
    return {key: harmless(said) if isinstance(said, str) else said for key, said in event.items()}


def trace(exc_info: tuple[type[BaseException], BaseException, TracebackType | None]) -> str:
    """Where an error comes from. What it says is left out, and so are the values of variables: ``'A♠' is not in
    list`` tells somebody's hand."""
    lines: list[str] = []
    error: BaseException | None = exc_info[1]
    while error is not None:
        said = f": {error}" if isinstance(error, HARMLESS) else ""
        lines[:0] = [*traceback.format_tb(error.__traceback__), f"{type(error).__name__}{said}\n"]
        error = error.__cause__ or error.__context__
    return "".join(lines).rstrip()
