"""What an operator does with a journal: ``croupier backup``, ``restore``, ``move-journal``, ``check`` and ``table``."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from croupier.commands.failing import fail
from croupier.commands.games import game_of, known, tried_games
from croupier.journal import Listing, moving, upkeep
from croupier.journal.places import at_postgres, open_store, open_target
from croupier.journal.stores import Store
from croupier.tables.audit import check as audit
from croupier.tables.logbook import Unreadable
from croupier.tables.public import public_record
from croupier.terminal.chronicle import chronicle, moment, replayed
from croupier.terminal.console import colours

ACTING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON need not escape, and a terminal might obey."""

data_folder = click.option("--data", default="data", show_default=True, help="Folder that contains the journal.")


def any_journal(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the journal is that the command is about."""
    address = click.option(
        "--journal",
        envvar="CROUPIER_JOURNAL",
        metavar="URL",
        help="Its address, if it is not in a folder: postgresql://user@host/database.",
    )
    return data_folder(address(command))


@click.command()
@click.argument("copy", type=click.Path(path_type=Path))
@any_journal
def backup(copy: Path, data: str, journal: str | None) -> None:
    """Copy the journal to a file, even while the server is running."""
    place = where(data, journal)
    if at_postgres(place):
        with open_store(place) as store, open_target(str(copy)) as target:
            moving.copy(store, target)
    else:
        upkeep.back_up(Path(place), copy)
    with open_store(str(copy)) as made:
        tables = len(made.tables(live=False))
        click.echo(f"{copy}: {tables} table{'' if tables == 1 else 's'}, {len(made.tables(live=True))} of them open")


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True))
@data_folder
def restore(copy: Path, data: str) -> None:
    """Replace the journal with a backup. The server has to be stopped; the old journal is kept."""
    aside = upkeep.restore(copy, Path(data) / "journal.sqlite")
    click.echo(f"{data} now contains what was in {copy}" + (f"; its previous contents are in {aside}" if aside else ""))


@click.command("move-journal")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move_journal(source: str, target: str) -> None:
    """Copy a journal to a new one: from a file to PostgreSQL, or back. The server has to be stopped.

    Each of the two is the path of a file, or an address like postgresql://user@host/database."""
    logs = moving.move(source, target)
    click.echo(f"{logs} logs copied and compared")


@click.command()
@any_journal
@tried_games
def check(data: str, journal: str | None, tried: Sequence[str]) -> None:
    """Replay every game in the journal, and check that it comes out as it did. The server may be running."""
    tables = faults = 0
    missing = Counter[str]()
    with open_store(where(data, journal)) as store:
        for found in audit(store, known(tried).games):
            if found.missing is not None:
                missing[found.missing] += 1
                continue
            tables += found.table != ""
            if found.fault is not None:
                faults += 1
                click.echo(f"table {found.table}: {found.fault}" if found.table else found.fault)
    for game, count in missing.items():
        were = "table was" if count == 1 else "tables were"
        why = f"the game, {game!r}, is not installed here; name it with --game MODULE:OBJECT, or install it"
        click.echo(f"{count} {were} read and not replayed: {why}")
    click.echo(
        f"{tables} table{'' if tables == 1 else 's'} replayed, {faults or 'no'} fault{'' if faults == 1 else 's'}"
    )
    if faults:
        sys.exit(1)


@click.group()
def table() -> None:
    """Look at tables in the journal, open or closed."""


@table.command("list")
@any_journal
def table_list(data: str, journal: str | None) -> None:
    """List the tables, oldest first."""
    with open_store(where(data, journal)) as store:
        for listing in store.tables(live=False):
            state = "open" if listing.closed_at is None else f"closed {moment(listing.closed_at)}"
            click.echo(f"{listing.id!s:32}  {listing.game!s:10} opened {moment(listing.opened_at)}, {state}")


@table.command("show")
@click.argument("id")
@any_journal
@click.option("--json", "as_json", is_flag=True, help="Print only the public record, as JSON.")
@tried_games
def table_show(id: str, data: str, journal: str | None, as_json: bool, tried: Sequence[str]) -> None:
    """Show what happened at a table, who was there, and its current state. The beginning of its id is enough."""
    with open_store(where(data, journal)) as store:
        found = [listing for listing in store.tables(live=False) if str(listing.id).startswith(id)]
        if len(found) != 1:
            fail(f"there {'is no table' if not found else f'are {len(found)} tables'} {id} in {store}")
        try:
            _show(store, found[0], as_json, tried)
        except Unreadable as error:
            fail(f"table {found[0].id} can't be shown: {error}")


def _show(store: Store, listing: Listing, as_json: bool, tried: Sequence[str]) -> None:
    id, game = listing.id, game_of("this table", listing.game, tried)
    if as_json:
        written = msgspec.json.format(public_record(replayed(id, game, store.log(id)))).decode()
        click.echo(ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", written))
        return
    for line in chronicle(id, game, lambda: store.log(id)):
        click.echo(line, color=colours())


def where(data: str, journal: str | None) -> str:
    if journal is not None:
        return journal
    path = Path(data) / "journal.sqlite"
    if not path.exists():
        fail(f"there is no journal {path}; name its folder with --data")
    return str(path)
