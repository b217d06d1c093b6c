"""One search for all games, over the kernel's contract: what a seat can't see is imagined, and games are played on.

A search is asked with a world that its seat can't tell apart from the real one, and imagines others from it:

1. **Worlds.** Every turn of the search deals anew what is hidden (``Guide.imagine``), as the seat believes it.
2. **The race.** Each move that is still in the race is tried in the same world, with the same luck to come: moves are
   told apart by what they change, not by who was dealt the better world. The worse half drops out again and again
   (sequential halving), so that most of the time goes to the choice between the best.
3. **The tree.** After the first move, the seat's own further choices are made by an information-set tree: what worked
   before in situations that look the same *to the seat*, whatever world they were in. Others play as the game's guide
   thinks they do, and so does the seat once it leaves the tree.
4. **The cut.** Where a playout to the end says too little or takes too long, the guide says what the position is worth.
5. **The answer** is the best move on average; but one that is no better than what the guide would have played, as
   far as so few worlds can tell, is not preferred to it.
"""

from croupier.bots.search.guide import AnyGame, Guide
from croupier.bots.search.meter import Meter
from croupier.bots.search.player import Master
from croupier.bots.search.playout import goes_on
from croupier.bots.search.race import Finding, Race
from croupier.bots.search.tree import Edge

__all__ = ["AnyGame", "Edge", "Finding", "Guide", "Master", "Meter", "Race", "goes_on"]
