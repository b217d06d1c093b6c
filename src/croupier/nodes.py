"""How a server becomes one of several nodes: by the journal they share, and the bus they speak on."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

from croupier.bus import Bus
from croupier.bus.silent import SilentBus
from croupier.config import BadConfig, Config
from croupier.journal import SharedJournal
from croupier.journal.places import require_asyncpg
from croupier.tables import keys
from croupier.tables.cluster import Cluster


async def join(config: Config, news: Callable[[str | None], None]) -> tuple[SharedJournal, Cluster]:
    """The journal, and this node among the others."""
    require_asyncpg()
    from croupier.journal.postgres import PostgresJournal

    # Another one each time it is started: whoever was at it before it was killed is not there any more.
    name = f"{config.node or f'{socket.gethostname()}-{os.getpid()}'}-{keys.new_id()[:4]}"
    journal = await PostgresJournal.open(config.journal, news=news)
    cluster = Cluster(name, journal)
    # Houses that share a Redis are told apart by what only those know who share a journal.
    house = keys.digest((await journal.secret()).hex())[:16]
    cluster.bus = await _bus(config, cluster, name, house)
    return journal, cluster


async def _bus(config: Config, cluster: Cluster, name: str, house: str) -> Bus:
    if not config.bus:
        return SilentBus()
    try:
        from croupier.bus.redis import RedisBus
    except ImportError:
        raise BadConfig("a bus requires more packages: pip install 'croupier[cluster]'") from None
    return await RedisBus.open(config.bus, name, cluster.gap, house)
