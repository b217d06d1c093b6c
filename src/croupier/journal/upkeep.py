"""Care of a journal: who may write it, copies of it while it is in use, and back from a copy."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from croupier.journal import JournalDown
from croupier.journal.schema import MIGRATIONS, lacks

HEAD = 100
"""Bytes at the beginning of a file of SQLite's, that say how long it is; see its file format."""
MAGIC = b"SQLite format 3\0"


@contextmanager
def held(journal: Path) -> Iterator[None]:
    """The journal is ours as long as this lasts. The lock goes with the process, however that ends."""
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        lock = journal.with_suffix(".lock").open("w")
    except (FileExistsError, NotADirectoryError):
        raise JournalDown(f"the journal {journal} can't be opened: {journal.parent} is not a folder") from None
    except OSError as error:
        raise JournalDown(f"the journal {journal} can't be opened: {error.strerror}") from None
    with lock, _folder(journal.parent) as folder:
        try:
            # The folder too: a file of that name can be removed and made again, and then there are two of them.
            for each in (lock.fileno(), folder):
                fcntl.flock(each, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalDown(f"the journal {journal} is in use by another server") from None
        except OSError as error:
            raise JournalDown(f"the journal {journal} can't be locked: {error.strerror}") from None
        yield


@contextmanager
def _folder(path: Path) -> Iterator[int]:
    folder = os.open(path, os.O_RDONLY)
    try:
        yield folder
    finally:
        os.close(folder)


def mend(journal: Path) -> int:
    """Fill up a file that was cut off, with nothing, to the length that it should have. Returns how much was missing.

    SQLite reads not a page of a file that is too short; of this one it reads all but those that are gone.
    """
    try:
        with journal.open("r+b") as file:
            head, size = file.read(HEAD), file.seek(0, os.SEEK_END)
            page = int.from_bytes(head[16:18], "big")
            missing = int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page) - size
            if not head.startswith(MAGIC) or len(head) < HEAD or head[24:28] != head[92:96]:
                return 0
            if not 0 < missing <= size:  # where more is gone than is left, the head may be wrong as well
                return 0
            file.truncate(size + missing)
            return missing
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise JournalDown(f"the journal {journal} can't be opened: {error}") from None


def back_up(journal: Path, copy: Path) -> None:
    """A copy of a journal, in use or not, as it is at one moment. It is whole, or it is not there."""
    if copy.exists():
        raise JournalDown(f"{copy} already exists")
    unfinished = copy.with_name(copy.name + ".part")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(journal)) as source, closing(sqlite3.connect(unfinished)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        sound(unfinished)
        with unfinished.open("rb") as whole:
            os.fsync(whole.fileno())
        unfinished.rename(copy)
    except (OSError, sqlite3.Error) as error:
        raise JournalDown(f"{journal} can't be copied to {copy}: {error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def restore(copy: Path, journal: Path) -> Path | None:
    """Put a copy in the place of the journal. Returns where that is now, if there was one: nothing is thrown away."""
    sound(copy)
    with held(journal):
        aside = None
        if journal.exists():
            aside = journal.with_name(f"{journal.stem}-until-{time.strftime('%Y%m%dT%H%M%S')}{journal.suffix}")
            back_up(journal, aside)
            for part in ("", "-wal", "-shm"):
                journal.with_name(journal.name + part).unlink(missing_ok=True)
        back_up(copy, journal)
        return aside


def sound(path: Path) -> int:
    """The number of its schema. Raises ``JournalDown`` when this is not the whole file of a journal."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            missing = lacks(connection, version)
    except sqlite3.Error as error:
        raise JournalDown(f"{path} is not a journal: {error}") from None
    if verdict != "ok":
        raise JournalDown(f"{path} is damaged: {verdict}")
    if not 0 < version <= len(MIGRATIONS):
        raise JournalDown(f"{path} is not a journal that this Croupier knows")
    if missing is not None:
        raise JournalDown(f"{path} is damaged: it has no {missing}")
    return version
