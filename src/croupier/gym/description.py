"""What the numbers of a game mean, for whoever trains an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.gym.setup import Setup
from croupier.kernel import Section


def described(setup: Setup) -> str:
    """Tables of the moves and of the observation, in Markdown."""
    encoding = setup.encoding
    return "\n".join(
        [
            f"{encoding.action_count} actions:",
            "",
            "| numbers | action | |",
            "|---|---|---|",
            *_rows(encoding.actions, False),
            "",
            f"{encoding.observation_size} numbers of an observation:",
            "",
            "| numbers | up to | what | |",
            "|---|---|---|---|",
            *_rows(encoding.observation, True),
            "",
        ]
    )


def _rows(sections: Sequence[Section], limits: bool) -> Iterator[str]:
    first = 0
    for section in sections:
        last = first + section.size - 1
        numbers = f"{first} – {last}" if section.size > 1 else f"{first}"
        most = f" {section.most} |" if limits else ""
        yield f"| {numbers} |{most} `{section.name}` | {section.meaning} |"
        first = last + 1
