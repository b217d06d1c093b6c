"""What the host of a table of Faraway may choose."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from croupier.games.faraway.cards import CardSet
from croupier.kernel import option


class Options(msgspec.Struct, frozen=True):
    """What the host of a table may choose."""

    card_set: Annotated[
        CardSet, option("Cards", labels={"base": "Base game", "full": "With the expansion People from Below"})
    ] = "base"
    action_timeout: Annotated[
        int,
        option(
            "Time for a choice",
            "Then the lowest region is played for whoever is late, or the first card taken.",
            ge=0,
            le=3600,
            unit="s",
            zero="no limit",
        ),
    ] = 90
    tie_break: Annotated[
        Literal["shared", "published"],
        option("Equal scores", labels={"shared": "Share the place", "published": "The lowest region in a row decides"}),
    ] = "shared"
    open_information: Annotated[bool, option("Open cards", "Everybody sees all hands, offers and choices at once.")] = (
        False
    )
    solo: Annotated[
        bool, option("Playing alone", "One player is enough; and whoever is left by the others plays on to the end.")
    ] = False
