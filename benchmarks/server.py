"""How fast a server is: 4-seat tables of Palace in closed loop over real sockets, the journal on and fsynced.

Every seat is a WebSocket of its own that moves as soon as it is told that it may. The server runs in a process of
its own; what it costs is its CPU time, which does not depend on who saturates first.

    python -m benchmarks.server                 all of it
    python -m benchmarks.server --tables 50     one size
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tests.live import process

SEATS = 4
decode = msgspec.json.decode
encode = msgspec.json.encode


class Load:
    """What all seats of all tables have done so far."""

    def __init__(self) -> None:
        self.moves = 0
        self.latencies: list[float] = []


class Seat(WSListener):
    """One player. Subclasses know a protocol."""

    kind = WSMsgType.TEXT

    def __init__(self, load: Load, table: Table) -> None:
        self.load = load
        self.table = table
        self.sent_at = 0.0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.table.arrived(self)

    def send(self, message: Any) -> None:
        self.transport.send(self.kind, encode(message))

    def moved(self) -> None:
        """A move of this seat's was acknowledged."""
        self.load.moves += 1
        self.load.latencies.append(time.perf_counter() - self.sent_at)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == self.kind:
            self.told(decode(frame.get_payload_as_bytes()))

    def told(self, message: Any) -> None:
        raise NotImplementedError


class Table:
    """Four seats: the first opens the table, the others join, and the first starts, again and again."""

    def __init__(self) -> None:
        self.seats: list[Seat] = []
        self.connected = 0
        self.started = asyncio.get_running_loop().create_future()

    def arrived(self, seat: Seat) -> None:
        self.connected += 1
        if self.connected == SEATS:
            self.begin()

    def begin(self) -> None:
        raise NotImplementedError


class NativeSeat(Seat):
    """Any move that is offered."""

    def told(self, message: Any) -> None:
        match message["type"]:
            case "reply":
                if self.sent_at:
                    self.moved()
                    self.sent_at = 0.0
                elif "token" in message:
                    self.table.seated(self, message["sync"]["table"]["id"])  # type: ignore[attr-defined]
            case "fact":
                if moves := message.get("moves"):
                    # Any move would do, but games that end soon are like those that people play.
                    self.sent_at = time.perf_counter()
                    self.send({"type": "play", "move": moves[hash(message["at"]) % len(moves)]})
                elif "result" in message and self is self.table.seats[0]:
                    self.send({"type": "start"})


class NativeTable(Table):
    def begin(self) -> None:
        self.taken = 0
        self.seats[0].send({"type": "open", "game": "palace", "player": "P0"})

    def seated(self, seat: Seat, id: str) -> None:
        self.taken += 1
        if self.taken < SEATS:
            self.seats[self.taken].send({"type": "join", "table": id, "player": f"P{self.taken}"})
        else:
            self.seats[0].send({"type": "start"})
            self.started.set_result(None)


RANKS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")


class PalaceSeat(Seat):
    """Keeps the dealt face-up cards, then plays the first card of its zone: the hand is known from its events."""

    kind = WSMsgType.BINARY

    def told(self, message: Any) -> None:
        ((name, content),) = message.items()
        match name:
            case "NewLobbyResponse" | "JoinLobbyResponse":
                self.id = content["Ok"]["player_id"]
                self.table.seated(self, content["Ok"].get("lobby_id"))  # type: ignore[attr-defined]
            case "GameStartedEvent":
                self.hand, self.turn = content["hand"], content["turn_number"]
            case "HandEvent":
                self.hand = content
            case "PublicGameStateEvent":
                if content["active_player"] == self.turn and content["cur_phase"] != "Complete":
                    self.act(content)
            case "ChooseFaceupResponse" | "MakePlayResponse":
                self.moved()
            case "GameCompleteEvent" if self is self.table.seats[0]:
                self.send({"StartGame": {"lobby_id": self.table.id, "player_id": self.id}})  # type: ignore[attr-defined]

    def act(self, state: Any) -> None:
        own = {"lobby_id": self.table.id, "player_id": self.id}  # type: ignore[attr-defined]
        self.sent_at = time.perf_counter()
        face_up = state["face_up_three"][self.turn]
        if state["cur_phase"] == "Setup":
            one, two, three = face_up
            self.send({"ChooseFaceup": {**own, "card_one": one, "card_two": two, "card_three": three}})
        else:
            zone = self.hand or face_up
            top = state["top_card"]
            fitting = [card for card in zone if top is None or RANKS.index(card["value"]) >= RANKS.index(top["value"])]
            self.send({"MakePlay": {**own, "cards": (fitting or zone)[:1]}})


class PalaceTable(Table):
    def begin(self) -> None:
        self.taken = 0
        self.id = ""
        new = {"max_players": SEATS, "password": "", "lobby_name": "bench", "player_name": "P0"}
        self.seats[0].send({"NewLobby": new})

    def seated(self, seat: Seat, id: str | None) -> None:
        self.id = id or self.id
        self.taken += 1
        if self.taken < SEATS:
            join = {"lobby_id": self.id, "player_name": f"P{self.taken}", "password": ""}
            self.seats[self.taken].send({"JoinLobby": join})
        else:
            first = self.seats[0]
            first.send({"StartGame": {"lobby_id": self.id, "player_id": first.id}})  # type: ignore[attr-defined]
            self.started.set_result(None)


PROTOCOLS: dict[str, tuple[str, Callable[[], Table], Callable[[Load, Table], Seat]]] = {
    "native": ("/ws", NativeTable, NativeSeat),
    "palace": ("/palace", PalaceTable, PalaceSeat),
}


def cpu_seconds(pid: int) -> float:
    """What a process has used so far, in user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(protocol: str, tables: int, seconds: float, synchronous: str) -> dict[str, float]:
    path, make_table, make_seat = PROTOCOLS[protocol]
    with tempfile.TemporaryDirectory() as folder:
        flags = ("--synchronous", synchronous, "--message-rate", "0")
        async with process(Path(folder), *flags) as live:
            load = Load()
            found = [make_table() for _ in range(tables)]
            for table in found:
                table.seats = [make_seat(load, table) for _ in range(SEATS)]
                for seat in table.seats:
                    await ws_connect(lambda seat=seat: seat, live.ws(path))
            await asyncio.gather(*(table.started for table in found))
            await asyncio.sleep(1)  # until everything is warm
            load.latencies.clear()
            moves, cpu, begin = load.moves, cpu_seconds(live.pid), time.perf_counter()
            await asyncio.sleep(seconds)
            moves, cpu, took = load.moves - moves, cpu_seconds(live.pid) - cpu, time.perf_counter() - begin
    latencies = sorted(load.latencies)
    return {
        "moves/s": moves / took,
        "cpu µs/move": 1e6 * cpu / moves,
        "p50 ms": 1e3 * statistics.median(latencies),
        "p99 ms": 1e3 * latencies[int(0.99 * len(latencies))],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 50])
    parser.add_argument("--protocols", nargs="*", default=list(PROTOCOLS))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--synchronous", default="FULL")
    options = parser.parse_args()
    print(f"median of {options.repeat} runs of {options.seconds:g} s, synchronous={options.synchronous}")
    print(f"{'protocol':10} {'tables':>6} {'moves/s':>10} {'cpu µs/move':>12} {'p50 ms':>8} {'p99 ms':>8}")
    for protocol in options.protocols:
        for tables in options.tables:
            runs = [
                asyncio.run(measure(protocol, tables, options.seconds, options.synchronous))
                for _ in range(options.repeat)
            ]
            middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            print(
                f"{protocol:10} {tables:6} {middle['moves/s']:10,.0f} {middle['cpu µs/move']:12.1f} "
                f"{middle['p50 ms']:8.2f} {middle['p99 ms']:8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
