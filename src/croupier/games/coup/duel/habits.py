"""How people speak in Coup, by and large: they believe too much, and block with what they do not have."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.coup.duel.solving import Habits, Path
from croupier.games.coup.duel.tree import Said

DOUBT: dict[Said, float] = {"tax": 0.03, "exchange": 0.02, "steal": 0.05, "assassinate": 0.2}
"""How often a claim is called by who has nothing else to say to it."""
LIE: dict[Said, float] = {"foreign_aid": 0.5, "steal": 0.75, "assassinate": 0.95}
"""How often somebody blocks without having what it takes."""
TRUST = 0.85
"""How often a block is believed."""


class Trusting(Habits):
    """Answers to actions and blocks; what somebody proposes is anybody's guess."""

    def __init__(self, share: float) -> None:
        self.share = share

    def says(self, path: Path, said: Sequence[Said], hand: tuple[str, ...]) -> Sequence[float] | None:
        if not path:
            return None
        if said == ("allow", "bs") and path[-1] not in DOUBT:
            return TRUST, 1 - TRUST
        action = path[0]
        fitting = [word for word in said if word in hand]
        blocks = [word for word in said if word not in ("allow", "bs")]
        if fitting:
            return [float(word == fitting[0]) for word in said]
        doubt = DOUBT[action] if "bs" in said else 0.0
        lie = (1 - doubt) * LIE.get(action, 0.0) if blocks else 0.0
        rest = {"allow": 1 - doubt - lie, "bs": doubt}
        return [rest[word] if word in rest else lie / len(blocks) for word in said]
