"""A Caddy of one's own, by the configuration in ``examples``."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from services.program import Program


class Caddy(Program):
    name = "Caddy"

    def __init__(self, folder: Path, port: int, configuration: str) -> None:
        super().__init__(folder)
        self.port = port
        (self.folder / "Caddyfile").write_text(configuration)

    def command(self) -> Sequence[str | Path]:
        # What it would keep in the home of whoever runs it, certificates and a copy of its settings, is kept here.
        homes = [f"{name}={self.folder}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")]
        return ["env", *homes, "caddy", "run", "--config", self.folder / "Caddyfile", "--adapter", "caddyfile"]

    def ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False
