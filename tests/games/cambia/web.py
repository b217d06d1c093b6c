"""The web client of Cambia's reference, for tests: one socket for lobby and game, and what it sends on it."""

from __future__ import annotations

from typing import Any

from tests.games.cambia.wire import ANN, BEN, Hall, Json, Person, Socket, stacked


class Web:
    """The web client of one person."""

    def __init__(self, person: Person, socket: Socket) -> None:
        self.person = person
        self.socket = socket
        self.seq: int | None = None

    async def send(self, kind: str, body: Any = None, **members: Any) -> None:
        await self.socket.send(kind, last_seq=0, **({} if body is None else {"body": body}), **members)

    async def next(self) -> tuple[str, Json]:
        frame = await self.socket.next()
        assert frame.keys() == {"seq", "type", "payload"}
        # After a newer tab had the seat, it goes on with a higher number.
        goes_on = self.seq is None or frame["seq"] == self.seq + 1
        assert goes_on or (frame["type"] == "lobby_state" and frame["seq"] > (self.seq or 0))
        self.seq = frame["seq"]
        return frame["type"], frame["payload"]

    async def hears(self, *kinds: str) -> Json:
        payload: Json = {}
        for kind in kinds:
            found, payload = await self.next()
            assert found == kind, f"instead of {kind}: {found} {payload}"
            if kind.startswith(("player_", "private_", "game_")) and kind not in ("game_started", "game_results"):
                assert payload["type"] == kind
        return payload

    async def until(self, kind: str) -> Json:
        while True:
            found, payload = await self.next()
            if found == kind:
                return payload

    async def rest(self) -> list[tuple[str, Json]]:
        await self.send("ping")
        found = []
        while (told := await self.next())[0] != "pong":
            found.append(told)
        return found


async def enter(here: Hall, person: Person) -> Web:
    return Web(person, await here.socket(f"/ws/{here.lobby}", person, "cambia"))


async def lobby(here: Hall, **settings: Any) -> tuple[Web, Web]:
    people = [await here.guest(name) for name in ("Ann", "Ben")]
    given = {"settings": {"countdownSec": 0}} | settings
    here.lobby = (await here.ask("POST", "/lobby/create", people[0], given)).json["id"]
    ann, ben = [await enter(here, person) for person in people]
    await ann.until("lobby_update")
    for web in (ann, ben):
        await web.rest()
    return ann, ben


async def game(here: Hall, *draws: str, circuit: Json | None = None, **rules: Any) -> tuple[Web, Web]:
    here.stack(stacked((ANN, BEN), "10♥", *draws))
    ann, ben = await lobby(here, houseRules=rules, circuit=circuit or {})
    await play(here, ann, ben)
    return ann, ben


async def play(here: Hall, *webs: Web) -> None:
    """All are ready, and have had their first look: it is the first player's turn."""
    for web in webs:
        await web.send("ready")
    for web in webs:
        await web.until("private_initial_cards")
    await here.time.to_pass(10)
    for web in webs:
        assert (await web.until("game_player_turn"))["turn"] == 0


async def hand(web: Web, seat: int) -> list[str]:
    await web.send("request_sync")
    state = (await web.until("private_sync_state"))["state"]
    return [card["id"] for card in state["players"][seat]["revealedHand"]]


async def throw(web: Web, other: Web) -> None:
    await web.send("action_draw_stockpile")
    card = (await web.hears("private_draw_stockpile"))["card"]["id"]
    await web.hears("player_draw_stockpile")
    await web.send("action_discard", card={"id": card})
    await web.hears("player_discard")
    await other.hears("player_draw_stockpile", "player_discard")


async def chooses(web: Web) -> Json:
    """They have thrown a card whose special is theirs to use. The client shows until when by the sync."""
    return await web.hears("player_special_choice", "private_sync_state", "player_special_choice")


async def finish(ann: Web, ben: Web) -> None:
    """Ann calls, Ben throws a card that can do nothing, and both have heard the result."""
    await ann.send("action_cambia")
    await ann.until("player_cambia")
    await ben.until("game_player_turn")
    await ben.send("action_draw_stockpile")
    card = (await ben.until("private_draw_stockpile"))["card"]["id"]
    await ben.send("action_discard", card={"id": card})
    for web in (ann, ben):
        await web.until("game_end")


def ready(state: Json) -> list[bool]:
    return [user["is_ready"] for user in state["lobby_status"]["users"]]


async def throw_any(tab: Web) -> None:
    """Draw, throw it away, and use no special."""
    await tab.send("action_draw_stockpile")
    card = (await tab.until("private_draw_stockpile"))["card"]["id"]
    await tab.send("action_discard", card={"id": card})
    await tab.until("player_discard")
    await tab.send("action_special", special="skip")
