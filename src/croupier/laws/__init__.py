"""The laws that every game keeps, checked on random games. For the tests of a game, wherever it comes from::

    from croupier import laws
    from yours import Yours

    def test_it_keeps_the_laws() -> None:
        laws.check(Yours())

``croupier check-game yours:Yours`` is the same as a command. A broken law raises ``Broken``, which says where, for whom
and how, and what to do about it.

Each law is a function of its own, too, for those who want to look at one more closely: it plays one random game from a
seed, and returns how often it could compare something, so that a test can see that it tested anything at all.
"""

from croupier.laws.bots import check_bots
from croupier.laws.broken import Broken, Position
from croupier.laws.checking import check, plan
from croupier.laws.encodings import check_encoding
from croupier.laws.introduction import check_introduction
from croupier.laws.lessons import check_lesson
from croupier.laws.liveness import check_liveness
from croupier.laws.lobby import check_lobby
from croupier.laws.looking import Encoder
from croupier.laws.processes import check_processes
from croupier.laws.purity import check_purity
from croupier.laws.refusals import check_refusals
from croupier.laws.replay import check_replay
from croupier.laws.reporting import Report
from croupier.laws.secrecy import check_secrecy
from croupier.laws.shuffles import check_shuffles
from croupier.laws.steps import START, Absent, AnyGame, Back, Conserved, Expired, Left, Moved, Resumed, Step, encode
from croupier.laws.terminal import check_terminal
from croupier.laws.translations import check_translations
from croupier.laws.walking import Walk, deal, extremes, position, seed_bytes

__all__ = [
    "START",
    "Absent",
    "AnyGame",
    "Back",
    "Broken",
    "Conserved",
    "Encoder",
    "Expired",
    "Left",
    "Moved",
    "Position",
    "Report",
    "Resumed",
    "Step",
    "Walk",
    "check",
    "check_bots",
    "check_encoding",
    "check_introduction",
    "check_lesson",
    "check_liveness",
    "check_lobby",
    "check_processes",
    "check_purity",
    "check_refusals",
    "check_replay",
    "check_secrecy",
    "check_shuffles",
    "check_terminal",
    "check_translations",
    "deal",
    "encode",
    "extremes",
    "plan",
    "position",
    "seed_bytes",
]
