"""A program that runs in a folder of its own until it is stopped, or until we are gone."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from services.processes import CanNotStart, die_with_parent

_SOON = 0.02


class Program:
    """Started by ``with`` or ``start``. What it has to say is in ``log``, in its folder."""

    name: str
    """For people."""
    ends_at: signal.Signals = signal.SIGTERM
    """The signal that lets it finish what it is doing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def command(self) -> Sequence[str | Path]:
        raise NotImplementedError

    def ready(self) -> bool:
        """Whether somebody who comes now is served."""
        raise NotImplementedError

    def wrote_pid(self, file: Path) -> bool:
        """Whether this is the file of the process that runs now: whatever else may have its port, it is another."""
        return file.exists() and file.read_text().strip() == str(self.pid)

    def start(self) -> None:
        with self.log.open("ab") as log:
            before = log.tell()
            try:
                self._process = subprocess.Popen(
                    self.command(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    # Ctrl-C at the terminal is for us: we end it when its turn has come.
                    process_group=0,
                    preexec_fn=die_with_parent(self.ends_at),
                )
            except FileNotFoundError:
                raise CanNotStart(f"{self.name} is not installed; scripts/install-services does it") from None
        try:
            while not self.ready():
                if not self.running:
                    words = " / ".join(self.log.read_bytes()[before:].decode(errors="replace").splitlines()[-3:])
                    raise CanNotStart(f"{self.name} does not start in {self.folder}: {words}")
                time.sleep(_SOON)
        except BaseException:
            self.stop()  # somebody may have lost patience
            raise

    def stop(self) -> None:
        """Let it finish, and wait for that."""
        self._end(self.ends_at)

    def kill(self) -> None:
        """At once, without a chance to do anything about it."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.send_signal(signal.SIGCONT)
            process.wait()
