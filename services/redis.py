"""A Redis of one's own, that keeps nothing on the disk."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from services.processes import LOOPBACK, free_port
from services.program import Program


class Redis(Program):
    name = "Redis"

    def __init__(self, folder: Path, port: int | None = None, address: str = LOOPBACK) -> None:
        """``address``: of this machine, where it listens."""
        super().__init__(folder)
        self.address = address
        kept = self.folder / "port"
        if not kept.exists():
            kept.write_text(str(port or free_port()))
        self.port = int(kept.read_text())
        """The same one when it is started again, and for whoever else looks into the folder."""

    @property
    def url(self) -> str:
        return f"redis://{self.address}:{self.port}"

    def command(self) -> Sequence[str | Path]:
        settings = {
            "bind": self.address,
            "protected-mode": "no",  # it would listen to nobody who comes from another host
            "port": str(self.port),
            "dir": str(self.folder),
            "pidfile": str(self.folder / "pid"),
            "save": "",
            "appendonly": "no",
        }
        return ["redis-server", *(word for name, value in settings.items() for word in (f"--{name}", value))]

    def ready(self) -> bool:
        with suppress(OSError):
            return self.wrote_pid(self.folder / "pid") and self.run("PING") == "+PONG"
        return False

    def run(self, command: str) -> str:
        """The first line that it answers."""
        with socket.create_connection((self.address, self.port)) as connection, connection.makefile("rwb") as lines:
            lines.write(command.encode() + b"\r\n")
            lines.flush()
            return lines.readline().decode().rstrip()
