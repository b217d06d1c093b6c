"""A client of the native protocol, for bots and other programs.

    async with Client("http://localhost:8080") as client:
        table = await client.open("palace", player="Ann", seats=2)
        await table.add_bots(1)
        await table.start()
        async for happening in table:
            if table.awaited:
                await table.play(table.moves[0])
            if happening.result:
                break

A table comes back by itself when its connection is lost or the server is restarted, and no move is lost or made twice.
``croupier.client.blocking`` is the same without ``async`` and ``await``. docs/client.md has the rest.
"""

from croupier.client.client import Client
from croupier.client.place import Happening, Place
from croupier.client.refusals import Lost, Refused, TooLate
from croupier.client.table import Table

__all__ = ["Client", "Happening", "Lost", "Place", "Refused", "Table", "TooLate"]
