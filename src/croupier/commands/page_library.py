"""Where an author of a game finds the library that pages are built with: ``npm install "$(croupier page-library)"``."""

from __future__ import annotations

import click

from croupier import __version__
from croupier.commands.failing import fail
from croupier.server import PAGE

PACKED = PAGE / f"croupier-table-{__version__}.tgz"
"""As ``npm pack`` leaves it when the page is built: in a wheel it is inside, and nobody has to publish it."""


@click.command()
def page_library() -> None:
    """Print the path of the library for building a game's own page.

    The library is @croupier/table, as a package that npm can install.
    """
    if not PACKED.is_file():
        fail(f"there is no {PACKED}: it is created when the page is built, with make web/dist/index.html")
    click.echo(PACKED)
