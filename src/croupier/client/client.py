"""A client of one server: its games, its open tables, and the ways to one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Self

from croupier.client.connection import Connection, Pause, address, dial
from croupier.client.protocol import GameInfo, Reply, Summary, Welcome
from croupier.client.refusals import Lost, Refused, wait_out
from croupier.client.table import Table
from croupier.client.vocabulary import AnyGame, installed


class Client:
    """``async with Client("http://localhost:8080") as client``. An address may have a path, and any of the schemes
    http, https, ws and wss. Raises ``ConnectionError`` if there is no server.

    ``known``: the games whose views, moves and events are to be structs; all that are installed here, unless you say
    otherwise.
    """

    def __init__(self, server: str, known: Mapping[str, AnyGame] | None = None) -> None:
        self._server = server
        self._known = known
        self._lobby: Connection | None = None
        self._tables: set[Table] = set()
        self._asking = asyncio.Lock()
        self._key: str | None = None
        """Who we have said that we are."""
        self.games: dict[str, GameInfo] = {}
        """What can be played there, by name."""

    async def __aenter__(self) -> Self:
        self._lobby = await dial(address(self._server), self._hear)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Hang up everywhere. Seats are kept for a while: see ``Table.close``."""
        await asyncio.gather(*(table.close() for table in self._tables))
        if self._lobby is not None:
            await self._lobby.close()

    async def identify(self, key: str) -> str:
        """Say who you are, for the seats that you take from now on: whoever has the key is that person. Returns their
        id, for everybody to know."""
        person = (await self._ask("identify", key=key)).person
        assert person is not None
        self._key = key
        return person

    async def tables(self, game: str | None = None) -> Sequence[Summary]:
        """The tables that strangers are shown: all of them, or those of one game."""
        found = (await self._ask("list", game=game)).tables
        assert found is not None
        return found

    async def find(self, table: str) -> Summary | None:
        """A table by its id or, while it is open, its code; also one that is in no list."""
        found = (await self._ask("list", table=table)).tables
        return next(iter(found or ()), None)

    async def open(
        self,
        game: str,
        *,
        player: str,
        name: str = "",
        seats: int | None = None,
        options: Any = None,
        password: str = "",
        listed: bool = True,
        rated: bool | None = None,
        auto_start: bool = False,
        countdown: int = 10,
        avatar: str = "",
        lesson: bool = False,
    ) -> Table:
        """Open a table, and sit down at it as its host. ``lesson``: learn the game there, alone with bots.

        If the connection is lost before the answer is there, a table may have been opened or not, and ``Lost`` is
        raised. Nobody can come back to such a table. It closes by itself after a while.
        """
        return await self._arrive(
            "open",
            game=game,
            player=player,
            name=name,
            seats=seats,
            options=options or {},
            password=password,
            listed=listed,
            rated=rated,
            auto_start=auto_start,
            countdown=countdown,
            avatar=avatar,
            lesson=lesson,
        )

    async def join(self, table: str, *, player: str, password: str = "", avatar: str = "") -> Table:
        """Take a seat at a table that has not started, by its id or its code.

        Raises ``Lost`` as ``open`` does: a seat may have been taken that nobody can come back to.
        """
        return await self._arrive("join", table=table, player=player, password=password, avatar=avatar)

    async def seek(self, game: str, *, player: str, name: str = "", avatar: str = "") -> Table:
        """Find a game: take a seat where others wait for players, or at a new table where others are sent to who look
        for the same game (``name`` is for that). It begins by itself, as soon as there are enough.

        Raises ``Lost`` as ``open`` does.
        """
        return await self._arrive("seek", game=game, player=player, name=name, avatar=avatar)

    async def watch(self, table: str, *, password: str = "") -> Table:
        """Look on."""
        return await self._arrive("watch", table=table, password=password)

    async def resume(self, table: str, token: str, *, avatar: str | None = None) -> Table:
        """Come back to a seat."""
        return await self._arrive("return", table=table, token=token, avatar=avatar)

    async def _arrive(self, kind: str, **request: Any) -> Table:
        table = Table(address(self._server, views=1), self._game, kind, request, self._key)
        self._tables = {each for each in self._tables if not each.gone} | {table}
        return await table.arrive()

    def _game(self, name: str) -> AnyGame | None:
        return (installed() if self._known is None else self._known).get(name)

    async def _ask(self, kind: str, **request: Any) -> Reply:
        """Something that does no harm if it is asked twice."""
        pause = Pause()
        async with self._asking:
            while True:
                try:
                    if self._lobby is None or self._lobby.lost:
                        self._lobby = await dial(address(self._server), self._hear)
                    return await self._lobby.ask(kind, **request)
                except Refused as refusal:
                    await wait_out(refusal)
                except (ConnectionError, Lost):
                    await pause.take()

    def _hear(self, message: object) -> None:
        if isinstance(message, Welcome):
            self.games = {game.name: game for game in message.games}
