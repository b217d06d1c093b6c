"""A node: ``croupier serve`` with the journal and the bus that it shares with others."""

from __future__ import annotations

import sys
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from services.program import Program

CROUPIER = Path(sys.executable).with_name("croupier")


class Node(Program):
    def __init__(self, folder: Path, port: int, journal: str, bus: str, *settings: str) -> None:
        super().__init__(folder)
        self.name = folder.name
        self.port = port
        self._settings = (
            *("--node", self.name, "--host", "127.0.0.1", "--port", str(port)),
            *("--journal", journal, "--bus", bus, "--trusted-proxy", "127.0.0.1"),
            *settings,
        )

    def command(self) -> Sequence[str | Path]:
        return [CROUPIER, "serve", *self._settings]

    def ready(self) -> bool:
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz") as answer,
        ):
            return bool(answer.status == 200)
        return False
