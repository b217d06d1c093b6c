"""A PostgreSQL of one's own, in a folder."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from services.processes import LOOPBACK, CanNotStart, die_with_parent, free_port, owner

USER = "croupier"
_SOON = 0.02


class Postgres:
    """Started by ``with`` or ``start``, in a thread that stays: it ends with that one. The folder, with all that is in
    it, stays when it is stopped."""

    def __init__(
        self,
        folder: Path,
        *,
        fsync: bool = True,
        port: int | None = None,
        replica_of: Postgres | None = None,
        address: str = LOOPBACK,
    ) -> None:
        """``address``: of this machine, where it listens."""
        self.address = address
        self.folder = folder.absolute()
        self._data = self.folder / "data"
        self._fsync = fsync
        self._process: subprocess.Popen[bytes] | None = None
        self._prepare()
        self._password: str = self._kept("password", replica_of._password if replica_of else secrets.token_hex(16))
        self.port = int(self._kept("port", str(port or free_port())))
        if not self._data.exists():
            self._initialise(replica_of)

    def __enter__(self) -> Postgres:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}:{self._password}@{self.address}:{self.port}/{database}"

    def create(self, database: str) -> str:
        """An empty database. Returns its address."""
        self.run(f'CREATE DATABASE "{database}"')
        return self.url(database)

    def run(self, sql: str, database: str = "postgres") -> str:
        """What psql prints, without any decoration."""
        command = [_binary("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-c", sql]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CanNotStart(f"PostgreSQL refuses {sql!r}: {done.stderr.strip()}")
        return done.stdout.strip()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_binary("postgres"), "-D", str(self._data), *self._settings()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                process_group=0,  # Ctrl-C at the terminal is for us: we end it when its turn has come
                preexec_fn=die_with_parent(signal.SIGQUIT),
                **owner("postgres", "nobody"),
            )
        while not self._ready():
            if self._process.poll() is not None:
                self._process = None
                raise CanNotStart(f"PostgreSQL does not start in {self.folder}: {self._last_words()}")
            time.sleep(_SOON)

    def stop(self, hard: bool = False) -> None:
        """Fast, and in order: whoever is connected is cut off. ``hard``: as if by ``kill -9``, all of it at once."""
        process, self._process = self._process, None
        if process is None:
            return
        if hard:
            children = _children(process.pid)
            for pid in (process.pid, *children):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
            while any(map(_alive, children)):  # they hold its shared memory
                time.sleep(_SOON)
        else:
            process.send_signal(signal.SIGINT)
            process.wait()

    def _prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if owned := owner("postgres", "nobody"):
            os.chown(self.folder, owned["user"], owned["group"])

    def _kept(self, name: str, value: str) -> str:
        """What was there the first time."""
        file = self.folder / name
        if not file.exists():
            file.touch(0o600)
            file.write_text(value)
            if owned := owner("postgres", "nobody"):
                os.chown(file, owned["user"], owned["group"])
        return file.read_text()

    def _initialise(self, replica_of: Postgres | None) -> None:
        if replica_of is None:
            command = [_binary("initdb"), "-D", str(self._data), "-U", USER, "-A", "scram-sha-256", "-E", "UTF8"]
            command += ["--locale=C", "--no-sync", f"--pwfile={self.folder / 'password'}"]
        else:
            command = [_binary("pg_basebackup"), "-D", str(self._data), "-d", replica_of.url(), "-c", "fast"]
            command += ["--write-recovery-conf", "--no-sync"]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd="/", check=False, **owner("postgres", "nobody")
        )
        if done.returncode:
            raise CanNotStart(f"PostgreSQL can't be set up in {self.folder}: {done.stderr.strip()}")
        if replica_of is None:
            with (self._data / "pg_hba.conf").open("a") as admitted:
                admitted.write("host all all samenet scram-sha-256\n")  # whoever is in a network of its address

    def _settings(self) -> list[str]:
        settings = {
            "listen_addresses": self.address,
            "port": self.port,
            "unix_socket_directories": "",
            "fsync": "on" if self._fsync else "off",
            "max_connections": 300,
        }
        return [f"--{name}={value}" for name, value in settings.items()]

    def _ready(self) -> bool:
        """PostgreSQL writes its number and its state, in lines of their own, into a file."""
        with suppress(FileNotFoundError):
            lines = (self._data / "postmaster.pid").read_text().split("\n")
            return lines[0] == str(self.pid) and len(lines) > 7 and lines[7].strip() in ("ready", "standby")
        return False

    def _last_words(self) -> str:
        return " / ".join((self.folder / "log").read_text(errors="replace").splitlines()[-3:])


def _binary(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[4]))
    if not found:
        raise CanNotStart("PostgreSQL is not installed; scripts/install-services does it")
    return str(found[-1])


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
