"""What a game is. Pure: no I/O, no wall clock, no global randomness."""

from croupier.kernel.bot import Bot, RandomBot
from croupier.kernel.chance import Chance, Dice, Rig
from croupier.kernel.event import Event, Move
from croupier.kernel.forms import Form, NumberIn, OneOf, SomeOf
from croupier.kernel.game import Clock, Customs, Game, Illegal, Naming, OutOfTurn, UnknownRules
from croupier.kernel.hidden import Pool
from croupier.kernel.legacy import Legacy
from croupier.kernel.options import option
from croupier.kernel.result import Result
from croupier.kernel.words import ENGLISH, Words

__all__ = [
    "ENGLISH",
    "Bot",
    "Chance",
    "Clock",
    "Customs",
    "Dice",
    "Event",
    "Form",
    "Game",
    "Illegal",
    "Legacy",
    "Move",
    "Naming",
    "NumberIn",
    "OneOf",
    "OutOfTurn",
    "Pool",
    "RandomBot",
    "Result",
    "Rig",
    "SomeOf",
    "UnknownRules",
    "Words",
    "option",
]
