"""What Croupier is measured beside. Peers are installed outside the project, and are missing where that fails."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

FOLDER = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "croupier-peers"
HERE = Path(__file__).parent


class Peer(NamedTuple):
    """Something else of the kind, in a folder of its own."""

    name: str
    """As people call it."""
    packages: tuple[str, ...]
    """Exact versions, so that figures of different days can be compared."""
    node: bool = False


RLCARD = Peer("RLCard", ("rlcard==1.2.0",))
# Its environments of RLCard's games, which add the mask.
PETTINGZOO = Peer("PettingZoo", ("pettingzoo[classic]==1.27.0", "rlcard==1.2.0"))
OPEN_SPIEL = Peer("OpenSpiel", ("open_spiel==2.0.2",))
SOCKETIO = Peer(
    "python-socketio",
    ("python-socketio==5.18.1", "uvicorn==0.54.0", "uvloop==0.23.0", "httptools==0.9.0", "websockets==17.4"),
)
WS = Peer("ws", ("ws@8.22.2",), node=True)
BOARDGAME = Peer("boardgame.io", ("boardgame.io@0.50.2",), node=True)
# Its newest line that runs on Node 20: those after 0.16 ask for 22.
COLYSEUS = Peer(
    "Colyseus",
    ("@colyseus/core@0.16.26", "@colyseus/ws-transport@0.16.5", "@colyseus/schema@3.0.76", "express@4.22.3"),
    node=True,
)
COLYSEUS_NODES = COLYSEUS._replace(
    name="Colyseus with Redis",
    packages=(
        "@colyseus/redis-presence@0.16.4",
        "@colyseus/redis-driver@0.16.1",
        "colyseus.js@0.16.22",
        *COLYSEUS.packages,
    ),
)


class Missing(Exception):
    """A peer can't be installed here; the message says why."""


@cache
def folder(peer: Peer) -> Path:
    """Where it is installed, which happens at the first call. Raises ``Missing``."""
    place = FOLDER / peer.packages[0].lstrip("@").replace("/", "-").replace("[", "-").replace("]", "").replace(
        "==", "-"
    ).replace("@", "-")
    if not (place / "ready").exists():
        print(f"installing {peer.name} into {place} …", flush=True)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        if peer.node:
            (place / "package.json").write_text('{"private": true}')
            _run("npm", "install", "--no-audit", "--no-fund", "--silent", *peer.packages, cwd=place)
        else:
            _run(sys.executable, "-m", "venv", str(place))
            _run(str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", *peer.packages)
        (place / "ready").touch()
    return place


def _run(*command: str, cwd: Path | None = None) -> None:
    try:
        subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)
    except OSError as error:
        raise Missing(f"{command[0]}: {error.strerror}") from None
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout or str(error)).strip().splitlines()
        raise Missing(said[-1]) from None


def python(peer: Peer) -> Path:
    """The interpreter that has it."""
    return folder(peer) / "bin" / "python"


class Running(NamedTuple):
    pid: int
    host: str
    """With its port."""
    lines: int = 0
    """Another port, for lines over TCP."""


def server(source: str, peer: Peer | None) -> list[str]:
    """How to start the small game in this file on that framework; without one, in our own environment."""
    if peer is None:
        return [sys.executable, str(HERE / source)]
    if not peer.node:
        return [str(python(peer)), str(HERE / source)]
    # Node looks for packages above the file that asks for them.
    copied = shutil.copy(HERE / source, folder(peer) / source)
    return ["node", str(copied)]


@asynccontextmanager
async def started(command: Sequence[str]) -> AsyncIterator[Running]:
    """A peer's server, which says its port on its first line of JSON."""
    quiet = {**os.environ, "NODE_ENV": "production"}
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=quiet)
    try:
        assert child.stdout is not None
        while line := await child.stdout.readline():
            if line.startswith(b'{"port":'):
                yield Running(child.pid, f"127.0.0.1:{msgspec.json.decode(line)['port']}")
                return
        raise Missing("its server did not start")
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
