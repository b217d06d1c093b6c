"""What the host of a table of Palace may choose."""

from __future__ import annotations

from typing import Annotated

import msgspec

from croupier.kernel import option


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose."""

    turn_timer: Annotated[
        int,
        option(
            "Time for a turn",
            "Who takes longer has a bot in their place, until they take it back.",
            ge=0,
            le=255,
            unit="s",
            zero="no limit",
        ),
    ] = 50
