"""What all services need to be started: somebody to run as, a port, and an end."""

from __future__ import annotations

import ctypes
import os
import pwd
import random
import signal
import socket
from collections.abc import Callable
from typing import TypedDict

LOOPBACK = "127.0.0.1"
_PR_SET_PDEATHSIG = 1
_BELOW_EPHEMERAL = range(12_000, 32_000)
"""Ports that no system gives to whoever asks for any: who is stopped finds its own free when it is started again."""


class CanNotStart(Exception):
    """The program is not installed, or does not start here."""


class Owner(TypedDict, total=False):
    """For ``subprocess``."""

    user: int
    group: int
    extra_groups: list[int]


def owner(*names: str) -> Owner:
    """Whom a service runs as: the first of these users that there is, where we are root; otherwise whoever we are."""
    if os.getuid() != 0:
        return {}
    known = {user.pw_name: user for user in pwd.getpwall()}
    user = next(known[name] for name in names if name in known)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def free_port(count: int = 1) -> int:
    """The first of so many in a row."""
    while True:
        port = random.choice(_BELOW_EPHEMERAL)
        if all(map(is_free, range(port, port + count))):
            return port


def is_free(port: int) -> bool:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # whoever had it last is not in the way
        try:
            taken.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def die_with_parent(number: signal.Signals) -> Callable[[], None]:
    """For the new process, before it becomes the program: it is sent this signal when its parent is gone."""
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, int(number))
