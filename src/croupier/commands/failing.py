"""How a command says that something is wrong: one sentence, and exit code 2."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from croupier.config import BadConfig
from croupier.journal import JournalDown
from croupier.plugins import BadPlugin
from croupier.tables.names import harmless

EXPECTED = (BadConfig, BadPlugin, JournalDown, click.ClickException)
"""Errors that are a sentence for people already."""


def fail(sentence: str) -> NoReturn:
    click.echo(f"croupier: {harmless(sentence)}", err=True)
    sys.exit(2)


def explain(error: Exception) -> NoReturn:
    """End the command with what the error says; one that nobody has expected goes on."""
    if not isinstance(error, EXPECTED):
        raise error
    fail(error.format_message() if isinstance(error, click.ClickException) else str(error))
