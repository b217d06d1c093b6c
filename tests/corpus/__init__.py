"""Games that were really played, and what became of them: whatever changes, they have to come out the same again.

    python -m tests.corpus        records games by the rules as they are now

``games/<game>/rules-<n>/`` holds logs of tables, each as it was written, with the hash of the game after every entry.
``journals/`` holds whole journals, as servers of their day left them. A file, once here, never changes and never goes:
somebody's running game, or a replay they have kept, is like it. See CONTRIBUTING.md, *How to change a rule*.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from croupier.journal import Record
from croupier.tables import logbook
from croupier.tables.table import AnyGame, Table

HERE = Path(__file__).parent
GAMES, JOURNALS = HERE / "games", HERE / "journals"


def hashed(game: AnyGame, log: Iterable[Record], id: str) -> Iterator[tuple[Record, str]]:
    """Play a log again: the hash of the game after each entry, empty before the first game."""
    table = Table(id, game)
    for record in log:
        logbook.follow(table, record)
        yield record, table.fingerprint()[:16]


def write(path: Path, game: AnyGame, log: Iterable[Record], id: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"table": id})]
    before = ""
    for record, hash in hashed(game, log, id):
        line: list[Any] = [record.at, json.loads(record.entry)]
        if hash != before:  # most entries but moves leave the game as it is
            line.append(hash)
            before = hash
        lines.append(json.dumps(line, separators=(",", ":"), ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read(path: Path) -> tuple[str, list[tuple[Record, str]]]:
    """The table's id; and its log, with the hashes that were written with it."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    log, hash = [], ""
    for seq, line in enumerate(lines, 1):
        at, entry, *hashes = json.loads(line)
        hash = hashes[0] if hashes else hash
        log.append((Record(seq, at, json.dumps(entry).encode()), hash))
    return json.loads(first)["table"], log
