"""Keeps a service for a run of tests that several processes share: ``python -m services.keeper postgres FOLDER LEASE``.

Prints one line when it can be used. The run holds a lock on the file LEASE; when that is free, because the run is over
or was killed, the service is stopped and its folder removed; by the last one, all that the run had.
"""

from __future__ import annotations

import fcntl
import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from services.postgres import Postgres
from services.redis import Redis

SERVICES: dict[str, Callable[[Path], AbstractContextManager[Any]]] = {
    "postgres": lambda folder: Postgres(folder, fsync=False),
    "redis": Redis,
}


def main(service: str, folder: Path, lease: Path) -> None:
    with lease.open() as held, SERVICES[service](folder):
        print("ready", flush=True)
        fcntl.flock(held, fcntl.LOCK_SH)
    shutil.rmtree(folder)
    folder.with_suffix(".started").unlink(missing_ok=True)
    if not list(lease.parent.glob("*.started")):
        shutil.rmtree(lease.parent, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
