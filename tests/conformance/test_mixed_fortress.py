"""One table of Fortress, two protocols: a native client and one of the game's own play to the end, the same game."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client as NativeClient
from tests.client import Json, Refusal, client
from tests.games.fortress.wire import ALICE, BOB, Client
from tests.live import server

SOLDIERS, MAGES, TRICKSTERS = range(10, 28), range(42, 59), range(28, 42)


class FortressClient:
    """Plays by the game's own protocol: looks at the state whenever something has happened, and tries its ideas."""

    def __init__(self, line: Client) -> None:
        self.line = line
        self.end: Json | None = None
        self.names: Json = {}
        self.state: Json = {}
        self._turn = 0
        self._ideas: Iterator[Json] = iter(())
        self._looks = False

    @classmethod
    async def arrive(cls, port: int, deck: list[int], name: str) -> FortressClient:
        found = cls(Client(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)))
        await found.line.joins(deck, name)
        return found

    async def play(self) -> Json:
        while self.end is None:
            try:
                async with asyncio.timeout(1):
                    message = await self.line.next()
            except TimeoutError:
                # What the opponent was asked may be answered without anything to tell.
                await self.line.send("GET_STATE")
                continue
            match message["COMMAND"]:
                case "GAME_END":
                    self.end = message
                case "GAME_INIT":
                    self.names = message["PLAYER_LIST"]
                case "GAME_STATE":
                    self._looks = False
                    self.state = message
                    await self.act(message)
                case "PLAYER_JOINED" | "PLAYER_LEFT":
                    pass
                case _ if not self._looks:
                    self._looks = True
                    await self.line.send("GET_STATE")
        return self.end

    async def act(self, state: Json) -> None:
        seat = self.line.seat
        request = state["REQUEST"]
        if state["PHASE"] == "MULLIGAN":
            await self.line.send("GAME_START_ACCEPT")
        elif request is not None:
            await self.answer(request)
        elif state["RESPONDER_ID"] == seat:
            await self.line.send("ALLOW_ACTION")
        elif state["PHASE"] == "MAIN" and state["CURRENT_PLAYER_ID"] == seat:
            if state["TURN"] != self._turn:
                self._turn, self._ideas = state["TURN"], ideas(state)
            await self.line.send(**next(self._ideas))

    async def answer(self, request: Json) -> None:
        match request["COMMAND"]:
            case "TARGET_CARD":
                await self.line.send("TARGET_CARD_RESP", CARD_POS=request["VALID_REGION"][0])
            case "DIAG_OFFER":
                await self.line.send("DIAG_RESP", BOOL=True)
            case "DRAW_CARD_OFFER":
                await self.line.send("DRAW_CARD_OFFER_IGNORE")
            case "LEVEL_MAGE":
                await self.line.send("LEVEL_MAGE_RESP", TARGET=request["TARGET"], OPT=True)


def ideas(state: Json) -> Iterator[Json]:
    """What could be done this turn; what is not allowed is refused, and the next one is tried."""
    if state["MUST_DRAW"]:
        yield {"command": "DRAW_CARD"}
    for row, kind in ((SOLDIERS, "SOLDIER"), (MAGES, "MAGE"), (TRICKSTERS, "TRICKSTER")):
        hand = [(place, card["CARD_ID"]) for place, card in state["CARDS"].items() if place.startswith("MY_HAND_")]
        for place, card in hand:
            if card in row:
                for slot in (1, 2):
                    played = {"START_POS": place, "END_POS": f"MY_{kind}_{slot}", "CARD_ID": card}
                    yield {"command": "PLAY_CARD", **played}
    for attacker in ("MY_SOLDIER_1", "MY_SOLDIER_2", "MY_MAGE_1", "MY_MAGE_2"):
        for target in ("THEIR_CASTLE", "THEIR_SOLDIER_1", "THEIR_SOLDIER_2", "THEIR_MAGE_1"):
            yield {"command": "ATTACK_CARD", "ATTACKER": attacker, "TARGET": target}
    while True:
        yield {"command": "TURN_END"}


async def play_native(player: NativeClient, sync: Json | None = None) -> Json:
    """With the first moves that are offered, which end a turn soon. Bringing the deck of alice."""
    moves = (sync or {}).get("moves", [])
    while True:
        if moves:
            move = moves[min(1, len(moves) - 1)]
            if move["move"] == "bring_deck":
                move = {"move": "bring_deck", "cards": ALICE}
            elif any(other["move"] == "accept_hand" for other in moves):
                move = {"move": "accept_hand"}
            with suppress(Refusal):
                await player.ask("play", move=move)
        fact = await player.hear(lambda message: message["type"] == "fact")
        if "result" in fact:
            return fact
        moves = fact.get("moves", [])


def assert_the_same_end(fact: Json, old: FortressClient, final: Json) -> None:
    """Both were told the same end, each in its own words."""
    assert old.end is not None and final["PHASE"] == "OVER"
    assert fact["result"]["placings"][0] == [old.end["WINNER_ID"]]
    assert {str(player["seat"]): player["name"] for player in fact["table"]["cast"]} == old.names
    view = fact["view"]
    mine, theirs = view["sides"][old.line.seat], view["sides"][1 - old.line.seat]
    for side, prefix in ((mine, "MY"), (theirs, "THEIR")):
        assert (side["health"], side["deck"]) == (final[f"{prefix}_HEALTH"], final[f"{prefix}_DECK_SIZE"])
        cards = {place: card["CARD_ID"] for place, card in final["CARDS"].items() if place.startswith(f"{prefix}_")}
        assert [card for place, card in cards.items() if "DISCARD" in place] == side["discard"]
        assert sum("HAND" in place for place in cards) == side["hand_size"]
    assert view["turn"] == final["TURN"]


@pytest.mark.parametrize("opens", ["native", "own"])
async def test_a_native_client_and_one_of_the_games_own_protocol_play_to_the_end(tmp_path: Path, opens: str) -> None:
    usual: Any = {"listen": ("fortress=127.0.0.1:0",), "synchronous": "OFF", "test_seed": "07" * 32}
    async with server(tmp_path, **usual) as live, client(live.ws("/ws?views=1")) as ann:
        port, sync = live.ports["fortress"], None
        if opens == "native":
            await ann.ask("open", game="fortress", player="Ann")
            old = await FortressClient.arrive(port, BOB, "Old client")
        else:
            old = await FortressClient.arrive(port, BOB, "Old client")
            (table,) = live.house.summaries("fortress")
            sync = (await ann.ask("join", table=table.id, player="Ann"))["sync"]
        async with asyncio.timeout(60):
            fact, _ = await asyncio.gather(play_native(ann, sync), old.play())
        assert_the_same_end(fact, old, await old.line.state())
        old.line.writer.transport.abort()


async def test_a_seat_taken_by_one_protocol_can_be_returned_to_by_another(tmp_path: Path) -> None:
    """What is a token there is a table and a token here."""
    async with server(tmp_path, listen=("fortress=127.0.0.1:0",)) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="fortress", player="Ann")
        old = await FortressClient.arrive(live.ports["fortress"], BOB, "Old client")
        await ann.ask("play", move={"move": "bring_deck", "cards": ALICE})
        start = await old.line.until("GAME_START")
        old.line.writer.close()
        await ann.entry("absent")
        table, _, token = old.line.token.partition("-")
        async with client(live.ws("/ws")) as browser:
            reply = await browser.ask("return", table=table, token=token)
            assert reply["sync"]["seat"] == 1
            assert reply["sync"]["view"]["sides"][1]["hand"] == list(start["DECK"].values())
