"""Who is at a table by way of which node, as one of them knows it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from croupier.journal import Attending

Key = tuple[str, str]
"""The hash of a seat's secret, and what its connection is good for (``Dialect.attends``)."""

WATCHERS = "watchers"
"""In the place of a secret: how many look on at a node."""


def kind_of(attends: Collection[str]) -> str:
    return " ".join(sorted(attends))


class Whereabouts:
    def __init__(self, table: str, node: str) -> None:
        self._table = table
        self._node = node
        self.mine: dict[Key, int] = {}
        """Those who are at this node, and since when."""
        self.elsewhere: dict[Key, Attending] = {}
        """Those who are at others, or were last seen there."""
        self._stayed: set[Key] = set()
        """Those who are here though others have given this node up, and do not know better yet."""
        self._watchers = 0

    def update(
        self, here: Iterable[Key], visited: Collection[Key], watchers: int, at: int, away: Mapping[str, tuple[int, int]]
    ) -> list[Attending]:
        """These are here now: what has changed. ``visited``: by whom it was, since the last time; some may have gone
        before anybody was told. ``away``: since when those are who have gone, and until when their seats are kept."""
        keys = set(here)
        stayed, self._stayed = self._stayed & keys, set()
        again = stayed.intersection(visited)
        came, went = keys - self.mine.keys() | again, (self.mine.keys() | visited) - keys
        rows = [Attending(self._table, *key, self._node, at, 0) for key in came]
        rows += [Attending(self._table, *key, self._node, self.mine[key], 0) for key in stayed - again]
        for key in went:
            self.mine.pop(key, None)
            if key not in self.elsewhere:  # or they are just at another node now
                rows.append(Attending(self._table, *key, None, *away.get(key[0], (at, at))))
        for key in came:
            self.mine[key] = at
            self.elsewhere.pop(key, None)
        if watchers != self._watchers:
            self._watchers = watchers
            rows.append(Attending(self._table, WATCHERS, self._node, self._node, at, watchers))
        return rows

    def hear(self, rows: Iterable[Attending]) -> list[Key]:
        """Others say who is there. Returns those of ours who are at another node now."""
        displaced = []
        for row in rows:
            key = row.token, row.kind
            known = self.elsewhere.get(key)
            if row.node == self._node or (known is not None and known.since > row.since):
                continue
            if key in self.mine:
                if self.mine[key] >= row.since:
                    continue
                if row.node is None:
                    # Others have given this node up too soon: they are told again who is here. But not as if they had
                    # come just now: by now they may be at another node.
                    self.mine[key] = row.since
                    self._stayed.add(key)
                    continue
                displaced.append(key)
            self.elsewhere[key] = row
        return displaced

    def forget(self, token: str) -> None:
        """Where somebody was who is somewhere else now."""
        self.elsewhere = {key: row for key, row in self.elsewhere.items() if key[0] != token or row.node is not None}

    def last_seen(self, token: str) -> Attending | None:
        """Where somebody was last, who is not here."""
        rows = [row for (secret, _), row in self.elsewhere.items() if secret == token]
        return max(rows, key=lambda row: (row.node is not None, row.since), default=None)

    def attended(self, token: str, kind: str, alive: Collection[str]) -> bool:
        """Whether somebody is at the table by way of another node, in what it does now."""
        rows = self.elsewhere.values()
        return any(row.token == token and kind in row.kind and row.node in alive for row in rows)

    def watchers(self, alive: Collection[str]) -> int:
        """How many look on elsewhere."""
        rows = self.elsewhere.values()
        return sum(row.until for row in rows if row.token == WATCHERS and row.node in alive)

    def nodes(self, alive: Collection[str]) -> set[str]:
        """The other nodes that have people at the table."""
        return {row.node for row in self.elsewhere.values() if row.node is not None and row.node in alive}

    def orphaned(self, alive: Collection[str]) -> list[Attending]:
        """Those whose node is gone."""
        return [row for row in self.elsewhere.values() if row.node is not None and row.node not in alive]
