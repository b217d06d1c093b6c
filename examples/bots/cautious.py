from croupier.kernel import Bot


class Cautious(Bot):
    """Coup without a lie: takes the income until there is enough for a coup, and lets the others have their way."""

    def choose(self, seat, view, moves, dice):
        by_kind = {getattr(move, "action", type(move).__name__): move for move in moves}
        return by_kind.get("coup") or by_kind.get("income") or by_kind.get("Allow") or dice.choice(moves)
