"""What the host of a table of Coup may choose."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.kernel import option


class Options(msgspec.Struct, frozen=True):
    """What is chosen when a table is opened. Times are in milliseconds."""

    ruleset: Annotated[
        Literal["note", "official"],
        option(
            "After a wrong call of BS",
            "Who was wrong loses a card either way.",
            labels={"note": "the turn is over", "official": "the action goes on, as in the printed game"},
        ),
    ] = "note"
    confirm_policy: Annotated[
        Literal["wait", "all"],
        option(
            "An action goes ahead",
            labels={"wait": "when its player says so", "all": "when everybody lets it pass"},
        ),
    ] = "wait"
    min_wait_ms: Annotated[
        int,
        option("At the earliest after", ge=0, le=60_000, unit="ms", zero="no time", when={"confirm_policy": "wait"}),
    ] = 5_000
    response_timeout_ms: Annotated[
        int,
        option(
            "Time to answer",
            "Then an action or a block goes ahead by itself.",
            ge=0,
            le=600_000,
            unit="ms",
            zero="no limit",
            least=1_000,
        ),
    ] = 60_000
    choice_timeout_ms: Annotated[
        int, option("Time to choose cards", ge=0, le=600_000, unit="ms", zero="no limit", least=1_000)
    ] = 60_000
    turn_timeout_ms: Annotated[
        int, option("Time for a turn", ge=0, le=600_000, unit="ms", zero="no limit", least=1_000)
    ] = 120_000
    auto_kick_ms: Annotated[
        int,
        option(
            "Who has lost the connection is out after",
            ge=0,
            le=3_600_000,
            unit="ms",
            zero="never: the host decides",
            least=10_000,
        ),
    ] = 300_000
    require_token: Annotated[bool, option("Names are not enough", hidden=True)] = False
    """Whether coming back takes the seat's secret in protocols that go by name."""
    sounds: Annotated[
        bool, option("Sounds for everybody", "Players can let the whole table hear applause, a drum roll and the like.")
    ] = True

    def __post_init__(self) -> None:
        for name, least in (
            ("response_timeout_ms", 1_000), ("choice_timeout_ms", 1_000), ("turn_timeout_ms", 1_000),
            ("auto_kick_ms", 10_000),
        ):  # fmt: skip
            if 0 < getattr(self, name) < least:
                raise ValueError(f"{name} is 0 or at least {least}")
        if 0 < self.response_timeout_ms < self.min_wait_ms:
            raise ValueError("response_timeout_ms is 0 or at least min_wait_ms")
