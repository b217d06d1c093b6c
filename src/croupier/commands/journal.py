"""What an operator does with a journal: ``croupier backup``, ``restore``, ``check`` and ``table``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import msgspec

from croupier.commands.failing import fail
from croupier.commands.games import find_game
from croupier.games import catalogue
from croupier.journal import upkeep
from croupier.journal.reading import list_tables, read_log
from croupier.tables.audit import check as audit
from croupier.tables.logbook import Unreadable
from croupier.tables.public import public_record
from croupier.terminal.chronicle import chronicle, moment, replayed
from croupier.terminal.console import colours

ACTING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What JSON need not escape, and a terminal might obey."""

data_folder = click.option("--data", default="data", show_default=True, help="Folder of the journal.")


@click.command()
@click.argument("copy", type=click.Path(path_type=Path))
@data_folder
def backup(copy: Path, data: str) -> None:
    """Copy the journal to a file, also while the server runs."""
    upkeep.back_up(_journal(data), copy)
    click.echo(f"{copy}: {len(list_tables(copy, live=False))} tables, {len(list_tables(copy, live=True))} of them open")


@click.command()
@click.argument("copy", type=click.Path(path_type=Path, exists=True))
@data_folder
def restore(copy: Path, data: str) -> None:
    """Put a backup in the place of the journal. The server has to be stopped; the old journal is kept aside."""
    aside = upkeep.restore(copy, Path(data) / "journal.sqlite")
    click.echo(f"{data} holds what was in {copy}" + (f"; what it held before is in {aside}" if aside else ""))


@click.command()
@data_folder
def check(data: str) -> None:
    """Play every game of the journal again, and see whether it comes out as it did. The server may run."""
    tables = faults = 0
    for table, fault in audit(_journal(data), catalogue().games):
        tables += table != ""
        if fault is not None:
            faults += 1
            click.echo(f"table {fault.table}: {fault.what}" if fault.table else fault.what)
    click.echo(f"{tables} tables replayed, {faults or 'no'} fault{'' if faults == 1 else 's'}")
    if faults:
        sys.exit(1)


@click.group()
def table() -> None:
    """Look at tables in the journal, open or closed."""


@table.command("list")
@data_folder
def table_list(data: str) -> None:
    """List the tables, oldest first."""
    for listing in list_tables(_journal(data), live=False):
        state = "open" if listing.closed_at is None else f"closed {moment(listing.closed_at)}"
        click.echo(f"{listing.id!s:32}  {listing.game!s:10} opened {moment(listing.opened_at)}, {state}")


@table.command("show")
@click.argument("id")
@data_folder
@click.option("--json", "as_json", is_flag=True, help="The public record as JSON, and nothing else.")
def table_show(id: str, data: str, as_json: bool) -> None:
    """Tell what happened at a table, who was there, and how things stand. The beginning of its id is enough."""
    journal = _journal(data)
    found = [listing for listing in list_tables(journal, live=False) if str(listing.id).startswith(id)]
    if len(found) != 1:
        fail(f"there {'is no table' if not found else f'are {len(found)} tables'} {id} in {journal}")
    id, game = found[0].id, find_game(found[0].game)
    try:
        if as_json:
            written = msgspec.json.format(public_record(replayed(id, game, read_log(journal, id)))).decode()
            click.echo(ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", written))
            return
        for line in chronicle(id, game, lambda: read_log(journal, id)):
            click.echo(line, color=colours())
    except Unreadable as error:
        fail(f"table {id} can't be told: {error}")


def _journal(data: str) -> Path:
    path = Path(data) / "journal.sqlite"
    if not path.exists():
        fail(f"there is no journal {path}; --data names the folder that it is in")
    return path
