"""Nothing that either version of Coup's own protocol says gives anything away.

The names c76, c77, … are the lines of the checklist in docs/protocols/coup-v1.md.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from croupier.games.coup.characters import CHARACTERS
from croupier.games.coup.dialect.v1 import V1
from croupier.games.coup.dialect.v2 import V2
from croupier.games.coup.options import Options
from croupier.games.coup.rules import Coup
from croupier.games.coup.state import State
from croupier.laws import START, AnyGame, check_secrecy
from croupier.tables import entries, intents
from croupier.tables.dialect import Dialect
from croupier.tables.notices import Fact, Reply
from croupier.tables.place import Place
from croupier.tables.seat import Seat
from croupier.tables.table import Table
from tests.games.coup.wire import Hall, Said, hall
from tests.games.coup.wire import Table as WireTable


def shown(game: AnyGame, state: Any, seat: int | None) -> bytes:
    """All that the protocol can say about a state, in both versions. It has no spectators."""
    if seat is None:
        return b""
    table = Table("t", game)
    table.options, table.state, table.phase, table.at, table.capacity = state.options, state, "playing", START, 6
    table.seats = {number: Seat(number, f"P{number}", None, None) for number in range(len(state.hands))}
    for somebody in table.seats.values():
        somebody.dealt_in = True
    table.host = table.seats[0]
    place = Place(table, table.seats[seat])
    told: list[Any] = []
    both: tuple[Dialect, Dialect] = (V1("t", None, None), V2("P0", "t", True))
    for dialect in both:
        told += dialect.on_fact(Fact(place, 1, START, entries.Back(seat), (), True, {}))
        told += dialect.on_concluded()
        told += dialect.on_reply(Reply(intents.Join(table="t", player="P"), START, place=place, token="x"))
        told += dialect.on_reply(Reply(intents.See(), START, place=place))
        for entry in (entries.Started((), bytes(32)).public(), entries.Reopened()):
            told += dialect.on_fact(Fact(place, 1, START, entry, (), False, {}))
    assert len(told) > 8
    return b"\n".join(told)


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("ruleset", ["note", "official"])
def test_c76_c78_no_version_tells_the_real_state_from_an_imagined_one(seats: int, ruleset: Any) -> None:
    game = Coup()
    positions, _ = check_secrecy(game, seats, Options(ruleset=ruleset), seats, encoders=[shown], limit=60)
    assert positions > 30


def test_the_secrecy_test_would_notice() -> None:
    def blabs(game: AnyGame, state: Any, seat: int | None) -> bytes:
        return shown(game, state, 0)

    with pytest.raises(AssertionError, match="can tell the real state from an imagined one"):
        check_secrecy(Coup(), 3, Options(), 1, encoders=[blabs], limit=20)


async def test_c76_c77_c81_a_whole_game_and_every_byte_of_it(tmp_path: Path) -> None:
    """Two of each version play by chance to the end; nobody is sent a face-down card of somebody else."""
    async with hall(tmp_path, test_orders={}, test_seed="17" * 32) as here:
        table = await here.table(2)
        await table.first("ann")
        await table.second("bob")
        await table.first("cy")
        await table.second("dee")
        await play(here, table, random.Random(5))


async def play(here: Hall, table: WireTable, luck: random.Random) -> None:
    """Whoever may makes a move; after each it is looked at what everybody is told."""
    await table.heard()
    await table.does("ann", "START_GAME")
    room = here.house.registry.by_code["coup", table.code]
    seats = {name: number for number, name in enumerate(table.players)}
    sessions = {session.place.seat: session for session in room.sessions if session.place is not None}
    for _ in range(500):
        state = table.game
        if room.table.phase == "over":
            break
        moves = [(seat, move) for seat in seats.values() for move in room.table.game.moves(state, seat)]
        if moves:
            seat, move = luck.choice(moves)
            here.house.perform(sessions[seat], intents.Play(move=move))
        told = await table.passes(luck.choice([0, 0, 5_000]) if moves else 60_000)
        if room.table.phase == "playing":
            for name, seat in seats.items():
                check(state, seat, told[name], table.players[name].state)
    assert table.players["ann"].state["phase"] == "GAME_OVER"
    assert table.players["bob"].state["status"] == "Game Over"
    same(table)


def check(state: State, own: int, told: list[Said], shown: Any) -> None:
    """Of what is face down somebody is told their own cards, and nothing else."""
    faces, lost = state.faces, state.lost
    revealed = sorted(faces[state.hands[seat][slot]] for seat, slots in enumerate(lost) for slot in slots)
    live = [faces[card] for slot, card in enumerate(state.hands[own]) if slot not in lost[own]]
    for event, data in told:
        match event:
            case "YOUR_HAND":
                mine = data["cards"]
            case "PLAYER_LOSE_CARD":
                assert data["cards"] == [card.upper() for card in live]
            case "EXCHANGE_OPTIONS":
                assert data["cards"] == [card.upper() for card in live + [faces[card] for card in state.drawn]]
            case "revealCards":
                assert data["card"].lower() in revealed
            case "Player Reveal Card":
                assert data["data"]["card"].lower() in revealed
            case "EXCHANGE_DONE" | "Exchange Cards":
                assert not any(character in json.dumps(data).lower() for character in CHARACTERS)  # c79
    if any(event == "YOUR_HAND" for event, _ in told):
        assert mine == [card.upper() for card in live]
    assert shown["deckCount"] == len(state.deck)  # c77
    if "you" in shown:
        assert shown["you"]["cards"] == [card.upper() for card in live]
        everybody = [card.lower() for player in shown["players"] for card in player["publicCards"]]
        assert sorted(everybody) == revealed
    else:
        for seat, player in enumerate(shown["players"]):
            for slot, card in enumerate(player["cards"]):
                hidden = seat != own and slot not in lost[seat]
                assert card["card"] == ("HIDDEN_CARD" if hidden else faces[state.hands[seat][slot]].capitalize())


def same(table: WireTable) -> None:
    """c90: both versions show the same end."""
    first, second = table.players["ann"].state, table.players["bob"].state
    for one, other in zip(first["players"], second["players"], strict=True):
        revealed = [card["card"].upper() for card in other["cards"] if card["isRevealed"]]
        assert sorted(one["publicCards"]) == sorted(revealed)
        assert (one["playerName"], one["coins"], one["isOut"]) == (other["name"], other["coins"], other["isOut"])
