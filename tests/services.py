"""Real services for tests: one of each for the whole run, whichever processes it has, started by the first who asks."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO

from services.postgres import Postgres
from services.processes import LOOPBACK
from services.redis import Redis

FOLDER = "CROUPIER_TEST_SERVICES"
"""The environment's word for the folder of this run."""

_ROOT = Path(__file__).parent.parent
_numbers = count(1)


def hold() -> IO[str]:
    """Called once in a run, by the process that outlives its others: as long as the file is open, services stay."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-services-"))
    folder.chmod(0o711)  # a service may run as somebody else
    os.environ[FOLDER] = str(folder)
    lease = (folder / "lease").open("w")
    fcntl.flock(lease, fcntl.LOCK_EX)
    return lease


def release(lease: IO[str]) -> None:
    """The run is over."""
    run = Path(lease.name).parent
    started = list(run.glob("*.started"))
    lease.close()
    if not started:
        shutil.rmtree(run)


def folder(name: str) -> Path:
    """A new folder that a service can be started in. (Those of pytest are closed to whom it may run as.)"""
    return Path(os.environ[FOLDER]) / f"{name}-{os.getpid()}-{next(_numbers)}"


def shared(service: str) -> Path:
    """The folder in which the service runs."""
    run = Path(os.environ[FOLDER])
    started, where = run / f"{service}.started", run / service
    with (run / f"{service}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not started.exists():
            keeper = subprocess.Popen(
                [sys.executable, "-m", "services.keeper", service, str(where), str(run / "lease")],
                stdout=subprocess.PIPE,
                cwd=_ROOT,
                start_new_session=True,  # Ctrl-C is for the run; it has to stop what it keeps
            )
            assert keeper.stdout is not None
            with keeper.stdout as said:
                assert said.readline() == b"ready\n"
            keeper.returncode = 0  # nobody waits for it
            started.touch()
    return where


def database() -> str:
    """The address of a fresh database."""
    return Postgres(shared("postgres")).create(f"test_{os.getpid()}_{next(_numbers)}")


def bus() -> str:
    """The address of a Redis that others use, too: a house needs a prefix of its own."""
    return Redis(shared("redis")).url


@contextmanager
def own_postgres(address: str = LOOPBACK) -> Iterator[Postgres]:
    """One that a test may stop and kill, and reach at this address of the machine."""
    where = folder("postgres")
    try:
        with Postgres(where, fsync=False, address=address) as postgres:
            yield postgres
    finally:
        shutil.rmtree(where)
