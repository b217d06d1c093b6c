"""Who plays the games: the processes of a Ray cluster, on many machines.

An actor of Ray has a worker beside it, as the one on this machine would be (``crew.py``): so it is the same there when
a bot crashes or keeps it waiting, and games come out the same.
"""

from __future__ import annotations

import logging
import socket
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlsplit

import ray
from ray.exceptions import RayError

from croupier.arena.crew import CrewFailed, Worker
from croupier.arena.results import Played
from croupier.arena.tournament import Fixture, Tournament

LOCAL_SIZE = 2
"""Of a Ray that is started here, unless it is said otherwise."""


class _Seat:
    """The far end."""

    def __init__(self, tournament: Tournament, patience: float) -> None:
        self._worker = Worker(tournament, patience)

    def play(self, fixture: Fixture) -> Played | str:
        """How it ended; or why it can't be played, which is no news to Ray's own log."""
        try:
            return self._worker.play(fixture)
        except CrewFailed as failure:
            return str(failure)


class RayCrew:
    def __init__(self, tournament: Tournament, patience: float, size: int | None, address: str) -> None:
        """Raises ``ConnectionError`` if there is no Ray at this address."""
        sizes: dict[str, Any] = (
            {"num_cpus": size or LOCAL_SIZE, "include_dashboard": False} if address == "local" else {}
        )
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **sizes)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        self.size = size or int(resources.get("CPU", 1))
        self.ahead = 4 * self.size
        seat = ray.remote(num_cpus=1)(_Seat)
        self._actors: list[Any] = [seat.remote(tournament, patience) for _ in range(self.size)]
        self._loads = [0] * self.size

    def submit(self, fixture: Fixture) -> Future[Played]:
        number = min(range(self.size), key=lambda one: self._loads[one])
        self._loads[number] += 1
        answer: Future[Played] = Future()

        def done(future: Future[Played | str]) -> None:
            self._loads[number] -= 1
            if not answer.set_running_or_notify_cancel():
                return
            error = future.exception()
            if isinstance(error, RayError):
                answer.set_exception(CrewFailed(f"Ray failed: {' '.join(str(error).split())}"))
            elif error is not None:
                answer.set_exception(error)
            elif isinstance(said := future.result(), str):
                answer.set_exception(CrewFailed(said))
            else:
                answer.set_result(said)

        self._actors[number].play.remote(fixture).future().add_done_callback(done)
        return answer

    def close(self) -> None:
        for actor in self._actors:
            ray.kill(actor)
        ray.shutdown()


def _knock(address: str) -> None:
    """Ray would go on trying for a quarter of an hour, and end the process then."""
    where = urlsplit(address if "://" in address else f"ray://{address}")
    try:
        port = where.port
    except ValueError:
        raise ConnectionError("the port is no number") from None
    if where.hostname is None or port is None:
        return  # a word that Ray understands, such as auto
    try:
        socket.create_connection((where.hostname, port), 5.0).close()
    except OSError as error:
        raise ConnectionError(error.strerror or "no answer") from None
