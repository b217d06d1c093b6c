"""A game is played to its end, and shown again, by the rules it began with, whatever the server knows by then."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.games import Catalogue
from croupier.kernel import UnknownRules
from croupier.tables import replay
from tests.client import Client, client
from tests.live import LiveHere, server
from tests.toys import AnyEvent, Bid, Bids, State


class BidsAnew(Bids):
    """A new rule: every card that is bid is a point of its own."""

    rules = 2

    def play(self, state: State, seat: int, move: Bid, at: int) -> list[AnyEvent]:
        events = super().play(state, seat, move, at)
        if self.rules >= 2:
            state.points[seat] += 1
        return events


class EarlyBids(Bids):
    """Deals as people sit down."""

    name = "early"

    def lobby(self, options: Any, chance: Any, at: int) -> State:
        return self.deal(options, 2, chance, at)

    def begin(self, state: State, options: Any, order: Sequence[int], at: int) -> State:
        return state


class EarlyBidsAnew(EarlyBids, BidsAnew):
    pass


def games(*ours: Bids) -> Catalogue:
    return Catalogue({game.name: game for game in ours}, [])


async def play_on(live: LiveHere, people: Sequence[Client], table: str, moves: int) -> None:
    room = live.house.rooms[table]
    for _ in range(moves):
        seat = room.table.awaited()[0]
        (person,) = [person for person in people if person.seat == seat]
        move = room.table.game.moves(room.table.state, seat)[0]
        await person.ask("play", move={"move": "bid", "card": move.card})


async def seated(live: LiveHere, game: str, stack: list[Client]) -> str:
    ann, ben = stack
    table = (await ann.ask("open", game=game, player="Ann", seats=2))["sync"]["table"]["id"]
    await ben.ask("join", table=table, player="Ben")
    return str(table)


@pytest.mark.parametrize("name", ["bids", "early"])
async def test_a_game_goes_on_by_the_rules_it_began_with(tmp_path: Path, name: str) -> None:
    async with (
        server(tmp_path, games(Bids(), EarlyBids())) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as ben,
    ):
        table = await seated(live, name, [ann, ben])
        await ann.ask("start")
        await play_on(live, [ann, ben], table, 3)
        tokens = ann.token, ben.token
    async with (
        server(tmp_path, games(BidsAnew(), EarlyBidsAnew())) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as ben,
    ):
        for person, token in zip((ann, ben), tokens, strict=True):
            await person.ask("return", table=table, token=token)
        room = live.house.rooms[table]
        assert room.table.game.rules == 1
        await play_on(live, [ann, ben], table, 5)
        assert sum(room.table.state.points) == 4, "a point for each trick, and none for a card"

        if name == "early":
            await ann.ask("reopen")
        await ann.ask("start")
        assert room.table.game.rules == 2
        await play_on(live, [ann, ben], table, 8)
        assert sum(room.table.state.points) == 4 + 8
        played = [await again(live, table, number) for number in (1, 2)]
    assert [(about.rules, sum(about.result.scores)) for about in played] == [(1, 4), (2, 12)]


async def again(live: LiveHere, table: str, number: int) -> Any:
    log = [record async for piece in live.house.journal.logs({table: 0}) for record in piece.records]
    return replay.watch(table, live.house.rooms[table].table.game, log, number, None, False).about


async def test_a_server_that_does_not_know_the_rules_leaves_the_table_alone(tmp_path: Path) -> None:
    async with (
        server(tmp_path, games(BidsAnew())) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as ben,
    ):
        table = await seated(live, "bids", [ann, ben])
        await ann.ask("start")
        await play_on(live, [ann, ben], table, 3)
        points = live.house.rooms[table].table.state.points
    async with server(tmp_path, games(Bids())) as live:
        assert live.house.registry.left_alone == {table}
    async with server(tmp_path, games(BidsAnew())) as live:
        assert live.house.rooms[table].table.state.points == points


def test_rules_that_nobody_knows_are_refused_in_a_sentence() -> None:
    assert BidsAnew().by_rules(1).by_rules(2).rules == 2
    with pytest.raises(UnknownRules, match="version 3 of the rules of Bids, and this server knows no later one than 2"):
        BidsAnew().by_rules(3)
