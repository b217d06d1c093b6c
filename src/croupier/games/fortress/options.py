"""What the host of a table of Fortress may choose."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.kernel import option


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose. Times are in seconds; 0: no limit, and no grace."""

    mulligan_timeout: Annotated[
        int, option("Time to keep or change the first hand", ge=0, le=3600, unit="s", zero="no limit")
    ] = 60
    response_timeout: Annotated[
        int, option("Time to answer what the other does", ge=0, le=3600, unit="s", zero="no limit")
    ] = 30
    choice_timeout: Annotated[
        int, option("Time to choose what a card asks for", ge=0, le=3600, unit="s", zero="no limit")
    ] = 60
    turn_timeout: Annotated[
        int, option("Time for each thing one does in a turn", ge=0, le=3600, unit="s", zero="no limit")
    ] = 180
    grace: Annotated[
        int,
        option(
            "Time to come back after a lost connection",
            "Who is away longer has lost.",
            ge=0,
            le=3600,
            unit="s",
            zero="none",
        ),
    ] = 30
