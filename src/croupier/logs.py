"""Logs: one line of JSON for machines, or of text for people; never a card, a token or a password."""

from __future__ import annotations

import logging
import sys
from typing import Literal

import structlog

Format = Literal["text", "json"]


def configure(format: Format) -> None:
    # Tracebacks are written plainly: with local variables, as structlog's own formatter would have them, they would
    # show hands and tokens.
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer()
        if format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([structlog.processors.format_exc_info] if format == "json" else []),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
