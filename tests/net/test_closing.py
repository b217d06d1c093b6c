"""The operator closes a table in the midst of a game: clients of the games' own protocols see an orderly end."""

from __future__ import annotations

from pathlib import Path

from croupier.tables.house import House
from tests.games.cambia import wire as cambia
from tests.games.coup import wire as coup
from tests.games.faraway import wire as faraway
from tests.games.fortress import wire as fortress
from tests.games.palace import wire as palace


async def close(house: House) -> None:
    (table,) = house.rooms
    assert await house.oversight.close(table)
    assert not house.rooms


async def test_at_palace(tmp_path: Path) -> None:
    async with palace.hall(tmp_path) as hall:
        matt, ann = await hall.playing()
        await close(hall.house)
        for player in (matt, ann):
            assert await player.hears("LobbyCloseEvent") == "OwnerLeft"


async def test_at_cambia(tmp_path: Path) -> None:
    async with cambia.hall(tmp_path) as hall:
        people = await hall.gather("Ann", "Ben")
        await hall.start(*people)
        await close(hall.house)
        for person in people:
            assert await person.game.closed() is not None
            assert await person.lobby.closed() is not None


async def test_at_coup(tmp_path: Path) -> None:
    async with coup.hall(tmp_path) as hall:
        table = await hall.playing(2)
        await close(hall.house)
        for player in table.players.values():
            assert await player.closed() == (4010, "the table is no more")


async def test_at_coup_in_its_second_version(tmp_path: Path) -> None:
    async with coup.hall(tmp_path) as hall:
        table = await hall.table(version=2)
        for name in ("ann", "bob"):
            await table.second(name)
        await table.heard()
        await close(hall.house)
        for player in table.players.values():
            assert (await player.closed())[1] == "the game is no more"


async def test_at_faraway(tmp_path: Path) -> None:
    async with faraway.hall(tmp_path) as hall:
        players = await hall.playing(2)
        await close(hall.house)
        for player in players:
            assert await player.next() == ["roomNotFound"]


async def test_at_fortress(tmp_path: Path) -> None:
    async with fortress.hall(tmp_path) as hall:
        duel = await hall.duel()
        await close(hall.house)
        for player in (duel.alice, duel.bob):
            await player.closed()
