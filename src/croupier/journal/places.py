"""Where a journal is: at a path, or at an address of PostgreSQL's."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from croupier.journal import JournalDown
from croupier.journal.stores import NewFile, SqliteStore, Store, Target
from croupier.journal.upkeep import held


def at_postgres(where: str) -> bool:
    """Otherwise it is a path. Raises ``JournalDown`` for an address of anything else."""
    scheme, is_address, _ = where.partition("://")
    if is_address and scheme not in ("postgresql", "postgres"):
        raise JournalDown(
            f"{scheme}://… is not a journal: a journal is a file, or has an address like postgresql://host/database"
        )
    return bool(is_address)


def open_store(where: str) -> AbstractContextManager[Store]:
    """The journal at a path, or at an address of PostgreSQL's."""
    if at_postgres(where):
        require_asyncpg()
        from croupier.journal.postgres_store import PostgresStore

        return PostgresStore(where)
    return SqliteStore(Path(where))


def require_asyncpg() -> None:
    """Whoever has no nodes need not have it."""
    try:
        import asyncpg  # noqa: F401
    except ImportError:
        raise JournalDown("a journal in PostgreSQL requires more packages: pip install 'croupier[cluster]'") from None


def open_target(where: str) -> AbstractContextManager[Target]:
    if at_postgres(where):
        require_asyncpg()
        from croupier.journal.postgres_store import EmptyPostgres

        return EmptyPostgres(where)
    return NewFile(Path(where))


def at_rest(where: str) -> AbstractContextManager[None]:
    """Nobody writes it; and no server a file, as long as this lasts."""
    if at_postgres(where):
        require_asyncpg()
        from croupier.journal.postgres_store import PostgresStore

        with PostgresStore(where) as store:
            store.require_rest()
        return nullcontext()
    if not Path(where).is_file():
        raise JournalDown(f"there is no journal {where}")
    return held(Path(where))
