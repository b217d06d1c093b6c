"""Where npm finds what comes with Croupier for JavaScript: ``npm install "$(croupier client-library)"``."""

from __future__ import annotations

import click

from croupier import __version__
from croupier.commands.failing import fail
from croupier.server import PAGE


def show(name: str) -> None:
    """As ``npm pack`` leaves it when the page is built: in a wheel it is inside, and nobody has to publish it."""
    packed = PAGE / f"croupier-{name}-{__version__}.tgz"
    if not packed.is_file():
        fail(f"there is no {packed}: it is created when the page is built, with make web/dist/index.html")
    click.echo(packed)


@click.command()
def page_library() -> None:
    """Print the path of the library for building a game's own page.

    The library is @croupier/table, as a package that npm can install.
    """
    show("table")


@click.command()
def client_library() -> None:
    """Print the path of the client for JavaScript and TypeScript.

    The library is @croupier/client, as a package that npm can install.
    """
    show("client")
