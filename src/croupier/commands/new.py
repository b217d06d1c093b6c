"""``croupier new``: a package with a small game that works, to begin with."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

import croupier
from croupier.commands.failing import fail
from croupier.games import catalogue

NAME = re.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MODULE, CLASS, TITLE, GAME = "croupier_sample", "SampleGame", "Sample", "sample"
"""What is called otherwise in a new package; the longer ones first, since the others are in them."""


@click.command()
@click.argument("name")
@click.option("--into", default=".", show_default=True, type=click.Path(path_type=Path), help="Folder to create it in.")
def new(name: str, into: Path) -> None:
    """Create a package for your own game, with a small working game in it."""
    if not NAME.fullmatch(name):
        fail(f"{name!r} is not a valid game name: use lowercase letters, digits and dashes, as in 'crazy-eights'")
    if name in catalogue().games:
        fail(f"there is a game {name!r} already: it is built in")
    folder = into / f"croupier-{name}"
    if folder.exists():
        fail(f"{folder} already exists")
    words = name.split("-")
    names = {
        MODULE: f"croupier_{'_'.join(words)}",
        CLASS: "".join(map(str.capitalize, words)) + "Game",  # so that it is never that of something else in there
        TITLE: " ".join(map(str.capitalize, words)),
        GAME: name,
    }
    try:
        _copy(files(croupier) / "template", folder, names)
    except OSError as error:
        fail(f"{folder} can't be written: {error.strerror}")
    click.echo(f"{folder} contains a small working game. Turn it into yours:")
    click.echo(f"  cd {folder} && croupier play {name} --game {names[MODULE]}")


def _copy(source: Traversable, target: Path, names: dict[str, str]) -> None:
    if source.is_file():
        target.write_text(_renamed(source.read_text(encoding="utf-8"), names), encoding="utf-8")
        return
    target.mkdir(parents=True)
    for each in source.iterdir():
        if not each.name.startswith((".", "__pycache__")):
            _copy(each, target / _renamed(each.name, names), names)


def _renamed(text: str, names: dict[str, str]) -> str:
    for old, now in names.items():
        text = text.replace(old, now)
    return text
