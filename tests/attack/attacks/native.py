"""The native protocol: what one connection may say at once, and then the same on another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

from tests.attack.lines import Refused, Socket
from tests.attack.siege import Siege, attack
from tests.fuzz.sockets import frame

BURST = 190
"""Messages that somebody who has just come may send at once."""
LIST = b'{"type":"list"}'


def said(kind: str, **fields: Any) -> bytes:
    return json.dumps({"type": kind, **fields}).encode()


@attack("native")
async def native_lists(siege: Siege) -> None:
    """The list of 100 tables, 190 times on each connection; then on the next."""
    await siege.coup_tables(100)
    siege.begin()
    await siege.bursts("/ws", [LIST] * BURST)


@attack("native", always=False)
async def native_nonsense(siege: Siege) -> None:
    """What is no JSON, without pause: cut off, and back again."""
    siege.begin()
    await siege.flood("/ws", b"{")


@attack("native", always=False)
async def native_long_messages(siege: Siege) -> None:
    """Requests of 60,000 bytes, without pause."""
    siege.begin()
    await siege.flood("/ws", said("say", text="x" * 60_000), at_once=4)


@attack("native")
async def native_deep_messages(siege: Siege) -> None:
    """Requests with JSON of 30,000 levels, without pause."""
    siege.begin()
    await siege.flood("/ws", b'{"type":"play","move":' + b"[" * 30_000 + b"]" * 30_000 + b"}", at_once=4)


@attack("native", always=False)
async def native_wide_messages(siege: Siege) -> None:
    """Options with 6,000 members, without pause."""
    siege.begin()
    options = {f"{number:06}": 0 for number in range(4500)}
    await siege.flood("/ws", said("open", game="palace", player="Mallory", options=options), at_once=4)


@attack("native", 3)
async def native_followers(siege: Siege) -> None:
    """300 follow the list of tables; at one with 255 seats somebody chats, and spectators come and go."""
    host, table = await siege.seated("palace", seats=255)
    await host.ask("add_bots", count=254)
    host.line.deaf()
    for _ in range(300):
        follower = await siege.websocket("/ws")
        follower.line.deaf()
        await follower.say({"type": "follow"})
    siege.begin()

    async def chat() -> None:
        while True:
            await host.say({"type": "say", "text": "hi"})
            await host.say({"type": "configure", "options": {"turn_timer": 1}})
            await asyncio.sleep(0.05)

    async def look() -> None:
        spectator = await siege.websocket("/ws")
        spectator.line.deaf()
        while True:
            await spectator.say({"type": "watch", "table": table})
            await spectator.say({"type": "leave"})
            await asyncio.sleep(0.05)

    async with asyncio.TaskGroup() as group:
        group.create_task(siege.again(chat))
        group.create_task(siege.again(look, 4))


@attack("native")
async def native_chat(siege: Siege) -> None:
    """Eight spectators who never stop talking, 400 characters at a time."""
    _, table = await siege.seated("palace")
    siege.begin()
    talk = [said("watch", table=table), *[said("say", text="x" * 400)] * (BURST - 1)]
    await siege.bursts("/ws", talk, connections=8)


@attack("native")
async def native_comings_and_goings(siege: Siege) -> None:
    """Looks on at a table and turns away, 95 times on each connection."""
    _, table = await siege.seated("palace")
    siege.begin()
    await siege.bursts("/ws", [said("watch", table=table), said("leave")] * (BURST // 2), connections=8)


@attack("native", 3)
async def native_seats(siege: Siege) -> None:
    """Takes a seat at every table that is listed, and at the next, on three connections."""
    siege.begin()

    async def once() -> None:
        socket = await siege.websocket("/ws")
        for _ in range(10):
            tables = (await _given(socket.ask("list")))["tables"]
            for table in tables:
                if table["phase"] == "waiting":
                    await socket.ask("join", table=table["id"], player="Mallory")
        socket.line.hang_up()

    await siege.again(once, 3)


@attack("native")
async def native_tables(siege: Siege) -> None:
    """Opens a table and leaves it, 95 times on each connection."""
    siege.begin()
    await siege.bursts("/ws", [said("open", game="palace", player="Mallory"), said("leave")] * (BURST // 2))


@attack("native", 3, always=False)
async def native_tables_left_open(siege: Siege) -> None:
    """Opens a table on each connection and hangs up, so that the seat is kept."""
    siege.begin()
    await siege.bursts("/ws", [said("open", game="cambia", player="Mallory")], connections=16)


@attack("native")
async def native_seekers(siege: Siege) -> None:
    """Looks for a game, again and again, 180 times on each connection: every time at another table."""
    siege.begin()
    await siege.bursts("/ws", [said("seek", game=game, player="Mallory") for game in ("coup", "palace")] * (BURST // 2))


@attack("native")
async def native_illegal_moves(siege: Siege) -> None:
    """Moves that can't be made, 180 in each of many games against a bot."""
    siege.begin()
    begin = [said("open", game="coup", player="Mallory", seats=2), said("add_bots"), said("start")]
    await siege.bursts("/ws", [*begin, *[said("play", move={"move": "propose", "action": "coup", "target": 1})] * 180])


@attack("native", always=False)
async def native_options(siege: Siege) -> None:
    """Changes the options of a table, 180 times on each connection."""
    siege.begin()
    begin = [said("open", game="palace", player="Mallory", seats=255)]
    changes = [said("configure", options={"turn_timer": number % 200}) for number in range(180)]
    await siege.bursts("/ws", [*begin, *changes])


@attack("native")
async def native_bots_come_and_go(siege: Siege) -> None:
    """Seats 254 bots, and opens the next table, 60 times on each connection."""
    siege.begin()
    crowd = [said("open", game="palace", player="Mallory", seats=255), said("add_bots", count=254)]
    await siege.bursts("/ws", crowd * 60, connections=2)


@attack("native", 3)
async def native_crowds_listed(siege: Siege) -> None:
    """Twenty tables with 254 bots each wait, and a hundred connections ask for the list of them."""
    crowd = [said("open", game="palace", player="Mallory", seats=255), said("add_bots", count=254)]
    for _ in range(20):
        socket = await siege.websocket("/ws")
        socket.line.deaf()
        await socket.line.push(b"".join(frame(each) for each in crowd))
    siege.begin()
    await siege.bursts("/ws", [said("follow"), *[LIST] * 10], connections=100)


@attack("native")
async def native_bots_play(siege: Siege) -> None:
    """Games with 254 bots, 38 on each connection: the person goes on to the next, and hangs up in the end."""
    siege.begin()
    crowd = [said("open", game="palace", player="Mallory", seats=255), said("add_bots", count=254), said("start")]
    await siege.bursts("/ws", crowd * 38, connections=1)


@attack("native")
async def native_bots_play_on(siege: Siege) -> None:
    """Twenty games with 254 bots each, and their people stay."""
    siege.begin()
    crowd = [said("open", game="palace", player="Mallory", seats=255), said("add_bots", count=254), said("start")]
    await _stay(siege, crowd, 20)


@attack("native")
async def native_quick_games(siege: Siege) -> None:
    """Forty people who play one game after the other against a bot, as fast as they are let."""
    siege.begin()

    async def once() -> None:
        socket, _ = await siege.seated("palace", seats=2)
        await socket.say({"type": "add_bots"})
        await socket.say({"type": "start"})
        while True:
            told = await socket.json()
            if "result" in told:
                await socket.say({"type": "start"})
            elif told.get("moves"):
                await socket.say({"type": "play", "move": told["moves"][0]})

    await siege.again(once, 40)


@attack("native", always=False)
async def native_syncs(siege: Siege) -> None:
    """Asks for everything anew, 180 times on each connection, at a table of 255."""
    siege.begin()
    begin = [said("open", game="palace", player="Mallory", seats=255), said("add_bots", count=254), said("start")]
    await siege.bursts("/ws", [*begin, *[said("see")] * 180], connections=2)


@attack("native")
async def native_right_passwords(siege: Siege) -> None:
    """The right password of a table that is full, 190 times on each connection."""
    host, table = await siege.seated("palace", seats=2, password="sesame")
    host.line.deaf()
    other = await siege.websocket("/ws")
    await other.ask("join", table=table, player="Malory", password="sesame")
    other.line.deaf()
    siege.begin()
    await siege.bursts("/ws", [said("join", table=table, player="Eve", password="sesame")] * BURST)


@attack("native", 250)
async def native_wrong_passwords(siege: Siege) -> None:
    """Wrong passwords, ten from each of 250 addresses."""
    host, table = await siege.seated("palace", seats=2, password="sesame")
    host.line.deaf()
    siege.begin()
    guesses = [said("join", table=table, player="Eve", password=f"open {number}") for number in range(10)]
    await siege.bursts("/ws", guesses, connections=8)


@attack("native")
async def native_new_passwords(siege: Siege) -> None:
    """Opens tables with a password, 190 on each connection."""
    siege.begin()
    await siege.bursts("/ws", [said("open", game="palace", player="Mallory", password="sesame")] * BURST)


@attack("native", always=False)
async def native_tokens(siege: Siege) -> None:
    """Tokens that are none, 190 on each connection."""
    _, table = await siege.seated("palace")
    siege.begin()
    await siege.bursts("/ws", [said("return", table=table, token="0" * 32)] * BURST)


@attack("native")
async def native_returns(siege: Siege) -> None:
    """Twenty connections that take the same seat from each other."""
    host = await siege.websocket("/ws")
    opened = await _given(host.ask("open", game="palace", player="Mallory", seats=255))
    await host.ask("add_bots", count=254)
    host.line.deaf()
    back = said("return", table=opened["sync"]["table"]["id"], token=opened["token"])
    siege.begin()
    await siege.bursts("/ws", [back] * BURST, connections=20)


async def _given(asked: Any) -> Any:
    """What was asked for, or there is nothing more to do on this connection."""
    told = await asked
    if "error" in told:
        raise Refused(told["error"]["code"])
    return told


async def _stay(siege: Siege, messages: Iterable[bytes], connections: int) -> None:
    """Say this once on each connection, and listen."""
    block = b"".join(frame(each) for each in messages)

    async def once() -> None:
        socket: Socket = await siege.websocket("/ws")
        socket.line.deaf()
        await socket.line.push(block)
        await socket.line.lost.wait()

    await siege.again(once, connections)
