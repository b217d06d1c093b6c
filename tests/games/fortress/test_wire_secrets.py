"""Nothing that the game's own protocol says gives anything away.

The names c24, d37, … are checklist lines and decisions of docs/protocols/fortress.md.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, cast

import pytest

from croupier.games.fortress.decks import STARTERS
from croupier.games.fortress.dialect.commands import Command
from croupier.games.fortress.dialect.connection import FortressDialect
from croupier.games.fortress.dialect.reference import ReferenceDialect
from croupier.games.fortress.moves import BringDeck
from croupier.games.fortress.options import Options
from croupier.games.fortress.rules import Fortress
from croupier.games.fortress.state import State
from croupier.kernel import Chance
from croupier.laws import START, AnyGame, check_secrecy
from croupier.tables import intents
from croupier.tables.endpoint import HouseQueries
from croupier.tables.entries import Moved
from croupier.tables.notices import Fact, Reply
from croupier.tables.place import Place
from croupier.tables.seat import Seat
from croupier.tables.table import Table
from tests.games.fortress.test_laws import AnyDecks
from tests.games.fortress.wire import Json, hall, spoken


def placed(game: AnyGame, state: Any, seat: int) -> Place:
    table = Table("t", game)
    table.options, table.state, table.phase, table.at, table.capacity = state.options, state, "playing", START, 2
    table.seats = {number: Seat(number, f"P{number}", None, None) for number in range(2)}
    for somebody in table.seats.values():
        somebody.dealt_in = True
    table.host = table.seats[0]
    return Place(table, table.seats[seat])


def shown(game: AnyGame, state: Any, seat: int | None) -> bytes:
    """All that the protocol can say about a state, on both ports. It has no spectators."""
    if seat is None:
        return b""
    place = placed(game, state, seat)
    told: list[Any] = []
    for dialect in (FortressDialect(cast(HouseQueries, None), ""), ReferenceDialect(cast(HouseQueries, None), "")):
        told += dialect.on_reply(Reply(intents.Return(table="t", token="x"), START, place=place, token="x"))
        told += dialect.on_reply(Reply(intents.See(), START, place=place, context=Command("GET_STATE", {})))
        told += dialect.on_resync(place)
    assert len(told) >= 4
    return b"\n".join(told)


@pytest.mark.parametrize("seed", [1, 2])
def test_c24_neither_port_tells_the_real_state_from_an_imagined_one(seed: int) -> None:
    positions, _ = check_secrecy(AnyDecks(), 2, Options(), seed, encoders=[shown], limit=80)
    assert positions > 60


def test_the_secrecy_test_would_notice() -> None:
    def blabs(game: AnyGame, state: Any, seat: int | None) -> bytes:
        return shown(game, state, 0)

    with pytest.raises(AssertionError, match="can tell the real state from an imagined one"):
        check_secrecy(AnyDecks(), 2, Options(), 1, encoders=[blabs], limit=40)


def test_a_fact_is_told_from_what_the_seat_may_see_alone() -> None:
    """A dialect is handed redacted events; without their cards there are none to tell."""
    game = Fortress()
    state = game.deal(Options(), 2, Chance(bytes(32)), START)
    for seat, deck in enumerate(list(STARTERS.values())[:2]):
        events = game.play(state, seat, BringDeck(deck), START)
    for seat in range(2):
        place = placed(game, state, seat)
        seen = tuple(view for event in events if (view := event.seen_by(seat)) is not None)
        dialect = FortressDialect(cast(HouseQueries, None), "")
        told = b"\n".join(dialect.on_fact(Fact(place, 1, START, Moved(1), seen, False, {})))  # type: ignore[arg-type]
        theirs = [json.loads(line) for line in told.splitlines()]
        hidden = [drawn["card"] for message in theirs for drawn in message.get("DRAWN_CARDS", ())]
        assert hidden == [-1] * 6


class Witness:
    """Whether everything that a client is told of the enemy's cards is for everybody to see."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def check(self, message: Json, state: State) -> None:
        command = message["COMMAND"]
        enemy = state.sides[1 - self.seat]
        if command == "DRAW_CARD_RESP":
            for drawn in message["DRAWN_CARDS"]:
                assert (drawn["card"] == -1) == drawn["cardPos"].startswith("THEIR_")
        if command == "PLAY_CARD_RESP":
            hidden = message["PLAYER_ID"] != self.seat and "TRICKSTER" in message["END_POS"]
            assert (message["CARD_ID"] == -1) == hidden
        if command == "SHUFFLE_DECK":
            assert set(message["DECK"].values()) <= {-1}  # d37
        if command == "GAME_STATE":
            for place, card in message["CARDS"].items():
                if place.startswith("THEIR_HAND"):
                    assert card == {"CARD_ID": -1}
                if place.startswith("THEIR_TRICKSTER"):
                    unit = enemy.field[4 + int(place[-1]) - 1]
                    assert unit is not None and (card["CARD_ID"] == -1) == unit.face_down
            assert not any("_DECK_" in place for place in message["CARDS"])


@pytest.mark.parametrize("seed", range(3))
async def test_c24_d37_d46_a_whole_game_and_every_line_of_it(seed: int, tmp_path: Path) -> None:
    luck = random.Random(seed)
    decks = [list(deck) for deck in STARTERS.values()]
    async with hall(tmp_path, test_no_shuffle=False, test_first=None, test_seed=f"{seed + 50:064x}") as here:
        players = (await here.enter(), await here.enter())
        await players[0].joins(decks[0])
        await players[1].joins(decks[1], "bob")
        table = here.tables[0]
        witnesses, lines = (Witness(0), Witness(1)), 0
        for _ in range(1500):
            for player, witness in zip(players, witnesses, strict=True):
                for message in [*await player.rest(), await player.state()]:
                    witness.check(message, table.state)
                    lines += 1
            if table.state.winner is not None:
                break
            seat = luck.choice(table.game.awaited(table.state))
            moves = table.game.moves(table.state, seat)
            move = moves[0] if table.state.phase == "mulligan" else luck.choice(moves)
            await players[seat].raw(json.dumps(spoken(move, seat, table.state)).encode() + b"\n")
        assert table.state.winner is not None and lines > 100
        tokens = [player.token.partition("-")[2].encode() for player in players]
        assert tokens[1] not in players[0].bytes and tokens[0] not in players[1].bytes
