"""Whole games over TCP: a client that knows no rule can follow them, and what two clients are told is the same."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.state import Pay
from tests.games.fortress.wire import BOB, Json, hall, spoken

DECKS = [list(deck) for deck in STARTERS.values()]


class Follower:
    """What a client knows that believes what it is told, and knows no rule."""

    def __init__(self) -> None:
        self.cards: dict[str, Json] = {}
        self.decks = {"MY": 50, "THEIR": 50}
        self.castles: list[int] = [-1, -1]
        self.health = [0, 0]
        self.turn = 0
        self.current: int | None = None
        self.over: Json | None = None
        self.joined: Json = {}

    def hear(self, message: Json) -> None:
        told = getattr(self, f"_{message['COMMAND'].lower()}", None)
        if told is not None and message.get("SUCCESS", True):
            told(message)

    def _join_game_resp(self, message: Json) -> None:
        self.joined = message

    def _side(self, player: int) -> str:
        return "MY" if player == self.joined["PLAYER_ID"] else "THEIR"

    def _clear(self, side: str) -> None:
        self.cards = {where: card for where, card in self.cards.items() if not where.startswith(f"{side}_HAND")}

    def _game_start(self, message: Json) -> None:
        self._clear("MY")
        self.cards |= {where: {"CARD_ID": card} for where, card in message["DECK"].items()}
        self.decks["MY"] = message["DECK_SIZE"]

    def _draw_card_resp(self, message: Json) -> None:
        side = self._side(message["USER_ID"])
        if message["CLEAR_FLAG"]:
            self._clear(side)
            self.decks[side] = 50
        for drawn in message["DRAWN_CARDS"]:
            assert drawn["cardPos"] not in self.cards
            assert drawn["oldPos"].startswith(f"{side}_DECK_")
            assert int(drawn["oldPos"].rpartition("_")[2]) <= self.decks[side]
            self.cards[drawn["cardPos"]] = {"CARD_ID": drawn["card"]}
            self.decks[side] -= 1

    def _spawn_castles(self, message: Json) -> None:
        self.castles = [message["MY_CASTLE"], message["THEIR_CASTLE"]]

    def _castle_damage(self, message: Json) -> None:
        self.health = [message["MY_HEALTH"], message["THEIR_HEALTH"]]

    def _turn_start(self, message: Json) -> None:
        self.turn, self.current = message["TURN"], message["PLAYER_ID"]

    def _play_card_resp(self, message: Json) -> None:
        if message["PENDING"]:
            assert message["START_POS"] in self.cards
            return
        start, end = message["START_POS"], message["END_POS"]
        if "_DECK_" in start:
            self.decks[start.partition("_")[0]] -= 1
        else:
            del self.cards[start]
        assert end not in self.cards
        down = "TRICKSTER" in end
        self.cards[end] = {name: message[name] for name in ("CARD_ID", "POINTS", "LEVEL")}
        self.cards[end] |= {"STUNNED": False, "FACE_DOWN": down}

    def _activate_trickster_resp(self, message: Json) -> None:
        self.cards[message["TARGET"]] |= {"CARD_ID": message["CARD_ID"], "FACE_DOWN": False}

    def _destroy_card_resp(self, message: Json) -> None:
        if message["PENDING"]:
            self.cards[message["SOURCE_POS"]] |= {"CARD_ID": message["SOURCE_ID"], "FACE_DOWN": False}
            return
        graves, ids = message["GRAVE_LOCATIONS"], message["CARD_IDS"]
        for place, grave, card in zip(message["CARD_LOCATIONS"], graves, ids, strict=True):
            assert self.cards.pop(place)["CARD_ID"] in (card, -1)
            self.cards[grave] = {"CARD_ID": card}

    def _move_card(self, message: Json) -> None:
        moves = message["CARD_MOVEMENTS"]
        assert moves
        taken = [self.cards.pop(start) for start, _ in moves]
        for (_, end), card in zip(moves, taken, strict=True):
            if "_DECK_" in end:
                self.decks[end.partition("_")[0]] += 1
                continue
            assert end not in self.cards
            self.cards[end] = {"CARD_ID": message["CARDS"][end]} if end in message["CARDS"] else card

    def _card_update(self, message: Json) -> None:
        news = {name: message[name] for name in ("CARD_ID", "POINTS", "LEVEL", "STUNNED")}
        self.cards[message["CARD_POS"]] |= news

    def _shuffle_deck(self, message: Json) -> None:
        assert self.decks[self._side(message["PLAYER_ID"])] == message["DECK_SIZE"] == len(message["DECK"])
        assert set(message["DECK"].values()) <= {-1}

    def _game_end(self, message: Json) -> None:
        assert self.over is None
        self.over = message

    def agrees(self, state: Json, being_played: bool) -> None:
        """GAME_STATE says the same. A card that is being paid for has left the deck, and is not on the field yet."""
        shown = {where: {**card} for where, card in state["CARDS"].items()}
        for card in shown.values():
            card.pop("ATTACKS_LEFT", None)
        assert shown == self.cards
        if not being_played:
            assert [state["MY_DECK_SIZE"], state["THEIR_DECK_SIZE"]] == [self.decks["MY"], self.decks["THEIR"]]
        assert [state["MY_CASTLE"], state["THEIR_CASTLE"]] == self.castles
        assert [state["MY_HEALTH"], state["THEIR_HEALTH"]] == self.health
        assert (state["TURN"], state["CURRENT_PLAYER_ID"]) == (self.turn, self.current)


def inverted(told: Any) -> Any:
    """The same, as the other player sees it."""
    if isinstance(told, dict):
        return {inverted(name): inverted(value) for name, value in told.items()}
    if isinstance(told, list):
        return [inverted(value) for value in told]
    if isinstance(told, str) and told.startswith("MY_"):
        return f"THEIR_{told[3:]}"
    return f"MY_{told[6:]}" if isinstance(told, str) and told.startswith("THEIR_") else told


EVER_SAID = {
    "JOIN_GAME_RESP", "PLAYER_JOINED", "GAME_INIT", "GAME_START", "MULLIGAN_OFFER", "SPAWN_CASTLES", "TURN_START",
    "DRAW_CARD_RESP", "DRAW_CARD_OFFER", "SHUFFLE_DECK", "PLAY_CARD_RESP", "ATTACK_CARD_RESP", "CASTLE_ATTACK",
    "CASTLE_DAMAGE", "LEVEL_MAGE", "LEVEL_MAGE_RESP", "USE_ABILITY_RESP", "DESTROY_CARD_RESP",
    "ACTIVATE_TRICKSTER_RESP", "TARGET_CARD", "DIAG_OFFER", "MOVE_CARD", "CARD_UPDATE", "GAME_END", "DIAG_RESP",
}  # fmt: skip
"""D69: nothing else, in a game in which nobody is lost and nothing is refused."""
PRIVATE = {"JOIN_GAME_RESP", "PLAYER_JOINED", "GAME_START", "MULLIGAN_OFFER", "TARGET_CARD", "DIAG_OFFER"}
PRIVATE |= {"DRAW_CARD_OFFER", "LEVEL_MAGE", "GAME_STATE", "ERROR", "DIAG_RESP"}


def public(told: list[Json]) -> list[Json]:
    """What both were told, but for cards that only one of them may see, and deals, which each sees of the other."""
    found = [message for message in told if message["COMMAND"] not in PRIVATE and not message.get("CLEAR_FLAG")]
    return json.loads(json.dumps(found), object_hook=_hidden)  # type: ignore[no-any-return]


def _hidden(message: Json) -> Json:
    hides = "card" in message or "TRICKSTER" in message.get("END_POS", "")
    return {name: -1 if hides and name in ("card", "CARD_ID") else value for name, value in message.items()}


@pytest.mark.parametrize("seed", range(12))
async def test_c34_c64_d69_everything_can_be_followed_and_both_are_told_the_same(seed: int, tmp_path: Path) -> None:
    luck = random.Random(seed)
    usual = {"test_no_shuffle": False, "test_first": None, "test_seed": f"{seed:064x}"}
    async with hall(tmp_path, **usual) as here:
        players = (await here.enter(), await here.enter())
        await players[0].joins(DECKS[seed % 3], "ann")
        await players[1].joins(DECKS[seed // 3 % 3], "bob")
        table = here.tables[-1]
        followers = (Follower(), Follower())
        for number, follower in enumerate(followers):
            follower.joined = {"PLAYER_ID": number}
        heard: tuple[list[Json], list[Json]] = ([], [])
        mulligans = 0
        for _ in range(1500):
            for player, follower, told in zip(players, followers, heard, strict=True):
                for message in await player.rest():
                    told.append(message)
                    follower.hear(message)
            if followers[0].over:
                break
            state = table.state
            for player, follower in zip(players, followers, strict=True):
                follower.agrees(await player.state(), any(isinstance(task, Pay) for task in state.agenda))
            seat = luck.choice(table.game.awaited(state))
            moves = table.game.moves(state, seat)
            mulligans += state.phase == "mulligan"
            move = moves[0] if mulligans > 6 and state.phase == "mulligan" else luck.choice(moves)
            await players[seat].raw(json.dumps(spoken(move, seat, state)).encode() + b"\n")
            assert all(message["COMMAND"] != "ERROR" for message in heard[seat])
        assert followers[0].over == followers[1].over
        assert followers[0].over is not None and followers[0].over["WINNER_ID"] == table.state.winner
        assert public(heard[0]) == inverted(public(heard[1]))
        assert {message["COMMAND"] for told in heard for message in told} <= EVER_SAID


async def test_c69_a_bot_plays_a_whole_game_and_is_called_ai(tmp_path: Path) -> None:
    luck = random.Random(4)
    async with hall(tmp_path, bot_delay=0, test_seed="05" * 32, test_no_shuffle=False) as here:
        ann = await here.enter()
        told = await ann.joins(BOB, "ann", VS_AI=True)
        assert told["PLAYER_LIST"] == {}
        assert await ann.hears("PLAYER_JOINED") == {"COMMAND": "PLAYER_JOINED", "USERNAME": "AI", "PLAYER_ID": 1}
        assert (await ann.hears("GAME_INIT"))["PLAYER_LIST"] == {"0": "ann", "1": "AI"}
        table = here.tables[0]
        for _ in range(1500):
            told_now = await ann.rest()
            if any(message["COMMAND"] == "GAME_END" for message in told_now):
                break
            assert not any(message["COMMAND"] == "ERROR" for message in told_now)
            if 0 in table.game.awaited(table.state) and table.state.phase != "decks":
                move = luck.choice(table.game.moves(table.state, 0)[:8])
                await ann.raw(json.dumps(spoken(move, 0, table.state)).encode() + b"\n")
            else:
                await here.time.to_pass(0.2)
        else:
            raise AssertionError("the game does not end")
        assert table.state.reason in ("castle", "deck_out")
