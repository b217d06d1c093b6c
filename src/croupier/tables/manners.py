"""Who may meet whom, where people have said that they would rather not."""

from __future__ import annotations

from croupier.tables.notices import Refused
from croupier.tables.summary import Summary
from croupier.tables.table_state import TableState
from croupier.tables.visitor import Visitor


def may_meet(visitor: Visitor | None, table: Summary) -> bool:
    """Whether nobody at the table has blocked them, or is blocked by them: for whoever looks for them for a table."""
    if visitor is None:
        return True
    return visitor.relations.apart.isdisjoint(player.person for player in table.players)


def welcome(visitor: Visitor | None, table: TableState) -> None:
    """Whether they may come to a table by themselves: its host may have blocked them. It is not said who has."""
    host = table.host
    if visitor is not None and host is not None and host.person in visitor.relations.blocked_by:
        raise Refused("unwelcome", "this table has no place for you; another one will")
