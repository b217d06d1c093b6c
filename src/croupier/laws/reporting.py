"""What has been checked, in words."""

from __future__ import annotations

import msgspec


class Report(msgspec.Struct):
    """What has been checked. Small numbers mean that little has been proved."""

    title: str
    games: int = 0
    seats: tuple[int, ...] = ()
    """How many played: each size of table once, the smallest first."""
    options: int = 0
    """How many sets of options."""
    steps: int = 0
    """How many steps were taken, and came out the same when they were taken again."""
    positions: int = 0
    """How often somebody was shown a position and a second one that they imagined."""
    alike: int = 0
    """How many steps could be compared in two such positions: the others reveal something new, or are impossible."""
    moves: int = 0
    """How many moves were offered and accepted."""
    refusals: int = 0
    """How many moves were refused, and changed nothing."""
    processes: int = 0
    """How many positions came out the same in two processes."""
    texts: int = 0
    """How many views, moves and events were put into words, and how many sentences looked up in other languages."""

    observations: int = 0
    """How many observations in numbers were looked at, of games that have an encoding."""

    def __str__(self) -> str:
        sizes = list(self.seats)
        gapless = len(sizes) > 1 and sizes == list(range(sizes[0], sizes[-1] + 1))
        players = f"{sizes[0]} to {sizes[-1]}" if gapless else " or ".join(map(str, sizes))
        laws = {
            "secrecy": f"{self.positions:,} positions and {self.alike:,} steps looked no different from imagined ones",
            "liveness": f"{self.moves:,} offered moves were accepted, and no game was stuck",
            "refusals": f"{self.refusals:,} illegal moves were refused, and changed nothing",
            "replay": f"{self.steps:,} steps led to the same state again, and {self.processes:,} in another process",
            "words": f"{self.texts:,} texts could be said, and fitted",
        }
        if self.observations:
            laws["numbers"] = f"{self.observations:,} observations were as declared, and told no more than was seen"
        return "\n".join(
            [
                f"{self.title} keeps the laws: {some(self.games, 'game')} of {players} players, "
                f"{some(self.options, 'set')} of options.",
                *(f"  {law + ':':10} {said}" for law, said in laws.items()),
                *(f"But {note}" for note in self.notes()),
            ]
        )

    def notes(self) -> list[str]:
        """What makes the proof a weak one."""
        found = []
        if self.alike < self.positions / 10:
            found.append(
                "few steps could be compared: most events are `reveals`, which is for what nobody could know before, "
                "or the moves of others are impossible in what people imagine."
            )
        if not self.processes:
            found.append("another process can't import its class, so that nobody has looked for sets of strings.")
        return found


def some(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
