"""Whether the file that is written is still the one at its path.

SQLite never looks: somebody who removes, replaces or cuts off the file of a running server takes all that is written
afterwards, and every commit is reported as good. So it is looked at, once for each group of appends.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, NamedTuple

HEAD = 100
LASTING = 24
"""Bytes of the head that no commit and no checkpoint changes: what kind of file it is, and how it is written."""

Kind = Literal["away", "overwritten", "cut", "astray"]
Identity = tuple[int, int]


class Harm(NamedTuple):
    """What has become of the files."""

    kind: Kind
    """``away``: the journal itself is not at its path; nothing is lost if it comes back. ``overwritten``: it is, and is
    not what it was. ``cut``: the write-ahead log is shorter than it was. ``astray``: the write-ahead log, or its index,
    is not at its path; SQLite still has it open, and all that is in it."""
    what: str

    def __str__(self) -> str:
        return f"{self.what} while the server runs: nothing is written any more, and moves are refused; {self._remedy}"

    @property
    def _remedy(self) -> str:
        if self.kind == "away":
            return "put it back as it was, or stop the server, restore a copy (croupier restore) and start again"
        return "stop the server, see what is left (croupier check), restore a copy if need be, and start again"


class Watch:
    def __init__(self, path: Path) -> None:
        self._main, self._log, self._index = str(path), f"{path}-wal", f"{path}-shm"
        self._open: list[int] = []

    def begin(self) -> None:
        """These are the files: SQLite has just opened them."""
        # SQLite's locks on a file are gone as soon as anybody in this process closes it: these are closed after SQLite
        # has (``end``), and in between nothing else is opened.
        self._open += [os.open(name, os.O_RDONLY) for name in (self._main, self._log)]
        main, log = map(os.fstat, self._open)
        self._identity, self._size = _identity(main), main.st_size
        self._log_identity, self._log_size = _identity(log), log.st_size
        self._index_identity = _identity(Path(self._index).stat())
        self._head = os.pread(self._open[0], HEAD, 0)

    def end(self) -> None:
        """SQLite has closed them."""
        while self._open:
            os.close(self._open.pop())

    def wrote(self) -> Harm | None:
        """Look after a commit, which makes the files longer and never shorter. (With only as many calls as it takes:
        this is on the way of every move.)"""
        main, log = _stat(self._main), _stat(self._log)
        if main is None or _identity(main) != self._identity:
            return self._away(main)
        if main.st_size < self._size:
            return self._overwritten()
        if log is None or _identity(log) != self._log_identity:
            return self._astray(self._log)
        if log.st_size < self._log_size:
            return self._cut()
        if main.st_size != self._size or log.st_size != self._log_size:
            self._size, self._log_size = main.st_size, log.st_size
        return None

    def look(self) -> Harm | None:
        """Look between two commits: nothing changes then."""
        harm = self.wrote()
        if harm is not None and harm.kind != "astray":
            return harm
        head = os.pread(self._open[0], HEAD, 0)
        if head[:LASTING] != self._head[:LASTING]:
            return self._overwritten()
        if os.fstat(self._open[1]).st_size < self._log_size:
            return self._cut()
        index = _stat(self._index)
        return harm if index is not None and _identity(index) == self._index_identity else self._astray(self._index)

    def missing(self) -> Harm | None:
        """Whether what somebody has just read was in these files. (For any thread.)"""
        main, log = _stat(self._main), _stat(self._log)
        if main is None or _identity(main) != self._identity:
            return self._away(main)
        return self._astray(self._log) if log is None or _identity(log) != self._log_identity else None

    def shorter(self) -> None:
        """The write-ahead log may be as short as it is: what was in it is where it belongs."""
        self._log_size = Path(self._log).stat().st_size

    def _away(self, found: os.stat_result | None) -> Harm:
        how = "is gone" if found is None else "is another file than the one that was opened"
        return Harm("away", f"the journal {self._main} {how}")

    def _overwritten(self) -> Harm:
        return Harm("overwritten", f"the journal {self._main} has been cut off or overwritten")

    def _cut(self) -> Harm:
        return Harm("cut", f"{self._log}, which holds what was written last, has been cut off")

    def _astray(self, name: str) -> Harm:
        return Harm("astray", f"{name} has been removed or replaced")


def _stat(name: str) -> os.stat_result | None:
    try:
        return os.stat(name)  # noqa: PTH116 - a path would be made for nothing, with every move
    except OSError:
        return None


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino
