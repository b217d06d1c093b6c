"""The contract of a game: the questions that one folder under ``games/`` answers, and nothing else has to know.

A game is one object with no state of its own. What a table needs to remember is in ``State``, a struct that the
game's methods change in place; a table feeds it the journal and gets events back.
"""

from __future__ import annotations

import copy
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, get_args, get_origin

import msgspec

from croupier.kernel.bot import Bot, RandomBot
from croupier.kernel.chance import Chance, Dice
from croupier.kernel.cloning import cloner
from croupier.kernel.declaration import FIVE, check_types
from croupier.kernel.encoding import Encoding
from croupier.kernel.event import Event, Move, snake
from croupier.kernel.forms import Form
from croupier.kernel.hidden import Pool
from croupier.kernel.legacy import Legacy as AnyLegacy
from croupier.kernel.lesson import Lesson
from croupier.kernel.plain import plain_label, plain_show
from croupier.kernel.result import Result, Teams
from croupier.kernel.words import ENGLISH, Words


class Illegal(Exception):
    """A move that the rules refuse. The message is a sentence for the player; ``code`` and ``data`` for programs.

    ``Illegal("that takes {fee} coins", "not_enough_coins", fee=7)``: a sentence names what is in its data.
    """

    code = "illegal"

    def __init__(self, sentence: str, code: str | None = None, **data: Any) -> None:
        super().__init__(ENGLISH.said(sentence, data))
        self.sentence = sentence
        """As it is written, for other languages."""
        if code is not None:
            self.code = code
        self.data = data


class OutOfTurn(Illegal):
    """A move by somebody who is not asked for one."""

    code = "out_of_turn"

    def __init__(self, sentence: str = "it is not your turn") -> None:
        super().__init__(sentence)


class UnknownRules(Exception):
    """A game was begun by rules that are newer than this server."""


class Clock(msgspec.Struct, frozen=True):
    """A wait that ends by itself. ``due`` is a time like every ``at``: milliseconds since 1970."""

    due: int
    seats: tuple[int, ...] = ()
    """Who is being waited for; empty for a phase that belongs to nobody."""
    name: str = "turn"
    """Tells the clocks of one moment apart."""


class Naming(msgspec.Struct, frozen=True):
    """What people may be called at a game's tables, beyond what holds for every name: what its own protocol can say."""

    longest: int = 40
    """Characters."""
    pattern: str = ""
    """A regular expression that means the same to a browser, for the whole name; empty: any will do."""
    hint: str = ""
    """The pattern as a sentence for people."""
    taken: tuple[str, ...] = ()
    """Names that the game's own protocol has for others than people."""


class Customs(msgspec.Struct, frozen=True):
    """How a game's tables treat the people at them. Times are in seconds."""

    seating: Literal["kept", "queued", "arrival", "shuffled"] = "kept"
    """Kept: newcomers take the lowest free seat. Queued: they sit after everybody else. Arrival: people play in the
    order in which they came, whatever their seats. Shuffled: a new game draws a new order."""
    late: Literal["expire", "stand_in"] = "expire"
    """When somebody's clock runs out: the rules decide (``Game.expire``), or a bot takes the seat until they return. A
    clock that has no seats is nobody's, and always ends by ``expire``."""
    away_limit: float = 50.0
    """How long an absent player is waited for where no clock runs."""
    grace: float | None = None
    """How long an absent player keeps the seat in a running game, waited for or not; None: as long as it can go on."""
    absent: Literal["forfeit", "stand_in"] = "forfeit"
    """Who leaves a running game for good, or is thrown out: gives up the seat (``Game.leave``), or a bot plays on."""
    players: Literal["seated", "present"] = "seated"
    """Whether people who are away when a game begins play all the same, or lose their seats then."""
    keep_absent: bool = True
    """Whether people who are away at the end of a game keep their seats for the next one."""
    absent_host: Literal["close", "pass_on"] = "pass_on"
    """What becomes of the table when its host is away at the end of a game."""
    pace: tuple[float, float] = (1.0, 1.0)
    """How long bots think, at least and at most, in multiples of the server's bot delay: longer where people have to
    see what they do, or may be quicker."""
    leisure: tuple[float, float] = (3.0, 15.0)
    """The same where somebody is at the table who follows the game on a page: bots answer as people do, and nobody can
    tell from how long they take what they hold."""
    looks: tuple[str, ...] = ()
    """The clocks, nobody's own, that give people time to look at something. Who plays alone against bots ends them."""
    memory: bool = False
    """Whether remembering is the game: then people are told in words only what everybody saw. A log of what they have
    looked at would remember it for them."""
    host: Literal["stays", "present"] = "stays"
    """Present: a host who loses the connection is succeeded at once by somebody who is there."""
    kicked: Literal["gone", "onlooker"] = "gone"
    """Who is thrown out of a running game loses the seat too, or may come back to it and look on."""
    names: Literal["any", "unique"] = "any"
    """Unique: no two people at a table have the same name, not even in other case or width."""
    naming: Naming = Naming()
    linger: float | None = None
    """How long a table stays as it was at the end of a game, whoever is connected, and then closes unless another has
    begun; None: it waits for players again."""
    idle: float | None = None
    """How long a table at which no game has begun stays open when nothing happens; None: the server's limit."""


SOUNDS = ("applause", "crickets", "drumroll", "gasp", "sadTrombone")
"""By their names; what they sound like is the clients' affair."""

StateT = TypeVar("StateT", bound=msgspec.Struct)
ViewT = TypeVar("ViewT", bound=msgspec.Struct)
OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
MoveT = TypeVar("MoveT", bound=Move)
EventT = TypeVar("EventT", bound=Event)


class Game(ABC, Generic[StateT, ViewT, OptionsT, MoveT, EventT]):
    """One game's law. ``at`` is the time of the table, in milliseconds; the rules know no other clock.

    The five types are structs; moves and events usually are unions of several:
    ``class Palace(Game[State, View, Options, Choose | Play, Chose | Played | Burned])``.
    """

    name: ClassVar[str]
    """As in URLs and on the command line."""
    title: ClassVar[str]
    """As people call it."""
    about: ClassVar[str]
    """One sentence for somebody who chooses what to play."""
    seats: ClassVar[range]
    """How many can play; ``seats_for`` says more where it depends on the options."""
    State: ClassVar[Any]
    """This and the next four: the types above, filled in from the class's own parameters."""
    View: ClassVar[Any]
    Options: ClassVar[Any]
    Move: ClassVar[Any]
    Event: ClassVar[Any]
    Legacy: ClassVar[type[AnyLegacy]] = AnyLegacy
    """What ``legacy`` answers, where a game has more to pass on than the kernel's struct has room for."""
    rules: int = 1
    """The version of its rules. A change that changes any outcome raises it, and the old rule stays beside the new one
    (``if self.rules < 2``): a game is played to its end, and shown again, by the rules it began with."""
    customs: ClassVar[Customs] = Customs()
    usual: ClassVar[Mapping[str, Any]] = {}
    """Options of tables that are opened by the native protocol, where something else suits its people better than what
    the game's own protocol takes for granted."""
    obvious: ClassVar[tuple[type[Move], ...]] = ()
    """Moves that nobody has to be asked about who can do nothing else."""
    asides: ClassVar[tuple[type[Move], ...]] = (Move,)
    """Moves out of turn that people are reminded of: all of them, unless the game knows better."""
    bots: Mapping[str, type[Bot]] = {"random": RandomBot}
    """By name, the one to use when nobody asks for another first. (A server may have more of them, from elsewhere.)"""
    lesson: ClassVar[Lesson | None] = None
    """A first game that explains itself, for somebody who has never played it."""
    encoding: ClassVar[type[Encoding[Any, Any]] | None] = None
    """Its moves and views in numbers, for agents that learn. A game that has none gets one made of its types, which
    knows nothing about it (``croupier.gym``)."""

    has_forms: ClassVar[bool] = False
    """Whether it answers ``forms``: every connection at a table would ask with every move."""
    has_teams: ClassVar[bool] = False
    """Whether it answers ``teams``."""

    def __init_subclass__(cls) -> None:
        cls.has_forms = cls.forms is not Game.forms
        cls.has_teams = cls.teams is not Game.teams
        for base in cls.__dict__.get("__orig_bases__", ()):
            if get_origin(base) is Game:
                cls.State, cls.View, cls.Options, cls.Move, cls.Event = get_args(base)
                check_types(cls.__name__, get_args(base))
        if not hasattr(cls, "State"):
            raise TypeError(f"{cls.__name__} has to name its five types: class {cls.__name__}({FIVE})")
        if cls.legacy is not Game.legacy and cls.lobby is not Game.lobby:
            raise TypeError(f"{cls.__name__} deals as people sit down (lobby): such a game can't take over a legacy")

    def __class_getitem__(cls, types: Any) -> Any:
        if cls is Game and (not isinstance(types, tuple) or len(types) != 5):
            raise TypeError(f"a game has five types, in this order: {FIVE}")
        return super().__class_getitem__(types)  # type: ignore[misc]

    def by_rules(self, version: int) -> Self:
        """The game by this version of its rules."""
        if version == self.rules:
            return self
        if not 1 <= version <= type(self).rules:
            raise UnknownRules(
                f"it is played by version {version} of the rules of {self.title}, and this server knows no later one "
                f"than {type(self).rules}"
            )
        game = copy.copy(self)
        game.rules = version
        return game

    @cached_property
    def _read_move(self) -> Callable[[bytes], MoveT]:
        return msgspec.json.Decoder(self.Move).decode

    @cached_property
    def _read_moves(self) -> Callable[[bytes], list[MoveT]]:
        return msgspec.json.Decoder(list[self.Move]).decode  # type: ignore[name-defined]

    def understand(self, plain: Any) -> MoveT:
        """A move out of what JSON is made of. Raises ``msgspec.ValidationError``.

        By way of JSON, since ``msgspec.convert`` would study the whole union again for each move, which takes ten
        times as long; a decoder does it once.
        """
        return self._read_move(msgspec.json.encode(plain))

    @abstractmethod
    def deal(self, options: OptionsT, seats: int, chance: Chance, at: int) -> StateT:
        """A new game. A state that needs luck later on keeps ``chance``, and draws from nothing else."""

    def legacy(self, state: StateT) -> AnyLegacy | None:
        """What this game, which is over, passes on to the next one at the table, such as the scores of a match. None:
        nothing, and the next is dealt like the first.

        It is a rule: what is passed on now and was not before takes a new version of the rules.
        """
        return None

    def deal_next(self, options: OptionsT, seats: int, chance: Chance, at: int, legacy: Any) -> StateT:
        """Another game at a table where the last one has passed this on: the game's ``Legacy``, by the seats of the new
        one.

        As many play as before, with the same options. Whoever has stayed has what was theirs, and whoever has come
        takes the place of somebody who has gone. (Otherwise it would be another match, and it is just ``deal``.)
        """
        return self.deal(options, seats, chance, at)

    @abstractmethod
    def awaited(self, state: StateT) -> Sequence[int]:
        """The seats the game can't go on without. (Others may have moves too: a snap, an interruption.)"""

    @abstractmethod
    def moves(self, state: StateT, seat: int) -> Sequence[MoveT]:
        """What this seat may do now: one move for everything that makes a difference, none when it can only wait.

        ``play`` may accept further ways to say the same, such as the same cards in another order.
        """

    def forms(self, state: StateT, seat: int) -> Sequence[Form]:
        """What else this seat may do now, where it would be too much to list (``croupier.kernel.forms``). Most games
        have none. Of what is described here, ``moves`` lists nothing."""
        return ()

    def candidates(self, state: StateT, seat: int, dice: Dice, each: int = 8) -> Sequence[MoveT]:
        """Moves for somebody to choose from who can't fill in forms: all that are listed, and of every form so many
        ways to fill it in."""
        moves, forms = self.moves(state, seat), self.forms(state, seat)
        if not forms:
            return moves
        return [*moves, *(self.understand(form.filled(dice)) for form in forms for _ in range(each))]

    def every_move(self, state: StateT, seat: int) -> Sequence[MoveT]:
        """All that this seat may do now: what is listed, and every form filled in in every way there is."""
        moves, forms = self.moves(state, seat), self.forms(state, seat) if self.has_forms else ()
        if not forms:
            return moves
        return [*moves, *self._read_moves(msgspec.json.encode([way for form in forms for way in form.ways()]))]

    def offers(self, state: StateT, seat: int, move: MoveT) -> bool:
        """Whether this seat may make this move: it is listed, or a way to fill in a form."""
        return move in self.moves(state, seat) or any(form.fits(move) for form in self.forms(state, seat))

    @abstractmethod
    def play(self, state: StateT, seat: int, move: MoveT, at: int) -> Sequence[EventT]:
        """Make a move: change the state, and return what happened; an empty list where there is nothing to tell.

        Raises ``Illegal``, and then has changed nothing: check first, change afterwards.
        """

    @abstractmethod
    def clocks(self, state: StateT) -> Sequence[Clock]:
        """Every wait that time will end. A clock stays the same until the wait is over: its ``due`` is worked out from
        when the wait began, which is in the state, and never from now."""

    @abstractmethod
    def view(self, state: StateT, seat: int | None) -> ViewT:
        """All that this seat (None: a spectator) may know, enough to draw the table from nothing: put in what is to be
        seen, rather than take out what is not."""

    def lay_open(self, state: StateT, seat: int | None) -> ViewT:
        """This seat's view with all cards open, as far as a view has room for them: for replays of what is over.

        No place at a running table is ever shown it. A game without an answer shows what the seat may know.
        """
        return self.view(state, seat)

    def private(self, state: StateT, seat: int) -> Any:
        """What this seat sees and a spectator does not, for protocols that tell everybody the whole table after each
        move: all the rest is the same for all of them, and views would be made only to find this.

        It is in the seat's view. None: there is nothing of the kind, or the game has no answer.
        """
        return None

    def recall(self, state: StateT, seat: int | None) -> Any:
        """What this seat has been shown and the view keeps no more, for protocols that remind their clients.

        Only games of memory have an answer. ``imagine`` respects it, like everything a seat has ever seen.
        """
        return None

    def clone(self, state: StateT) -> StateT:
        """A copy that shares nothing with the state: what happens to one does not happen to the other.

        Right for every state whose fields hold just what their types say, and in which nothing is there twice as one
        and the same object. A game with another kind of state has an answer of its own.
        """
        copied: StateT = cloner(type(state))(state)
        return copied

    def hidden(self, state: StateT, seat: int | None) -> Sequence[Pool]:
        """The lists in the state whose cards this seat (None: a spectator) can't see, in pools of those that might lie
        in each other's places: ``[Pool([state.deck, *others_hands])]``. It is all that ``imagine`` needs to know in
        games where nobody remembers anything that is not on the table."""
        raise NotImplementedError(
            f"{self.name} can't imagine other cards: write hidden(state, seat), which names the lists of the state "
            "that a seat can't see; or, where that is not enough, imagine(state, seat, dice)"
        )

    def imagine(self, state: StateT, seat: int | None, dice: Dice) -> StateT:
        """Another full state, a copy, that this seat could not tell apart from the real one.

        Unless the game has an answer of its own: the same with all cards exchanged that are ``hidden``, and with other
        luck in every field that is a ``Chance``.
        """
        imagined = self.clone(state)
        for pool in self.hidden(imagined, seat):
            pool.mix(dice)
        for name in imagined.__struct_fields__:
            if isinstance(getattr(imagined, name), Chance):
                setattr(imagined, name, Chance(bytes([dice.below(256) for _ in range(32)])))
        return imagined

    @abstractmethod
    def result(self, state: StateT) -> Result | None:
        """Placings and scores, when it is over."""

    def expire(self, state: StateT, clock: str, at: int) -> Sequence[EventT]:
        """What happens when the clock of this name runs out."""
        raise NotImplementedError(
            f"{self.name} has a clock but no answer to its end: write expire(state, clock, at), or let a bot make the "
            'move, with customs = Customs(late="stand_in")'
        )

    def leave(self, state: StateT, seats: Sequence[int], at: int) -> Sequence[EventT]:
        """What happens when these seats are gone for good, together. Presence is the table's affair otherwise."""
        raise NotImplementedError(
            f"nobody can leave a game of {self.name}: write leave(state, seats, at), or let a bot play on, with "
            'customs = Customs(absent="stand_in")'
        )

    def lobby(self, options: OptionsT, chance: Chance, at: int) -> StateT | None:
        """For games that deal as people sit down: a state to wait in, with nobody there. In most games, None.

        People then ``sit`` down and ``rise``, everybody sees the state, and ``begin`` takes the place of ``deal``.
        """
        return None

    def sit(self, state: StateT, seat: int, at: int) -> Sequence[EventT]:
        """Before the game: somebody takes a seat. The numbers of those who sit may have gaps."""
        return ()

    def rise(self, state: StateT, seat: int, at: int) -> Sequence[EventT]:
        """Before the game: somebody gives up a seat."""
        return ()

    def begin(self, state: StateT, options: OptionsT, order: Sequence[int], at: int) -> StateT:
        """The game begins for those who have sat down: who sat at ``order[i]`` is now seat i."""
        raise NotImplementedError(f"{self.name} deals before the game but can't begin: write begin beside lobby")

    @property
    def deals_early(self) -> bool:
        """Whether it is one of the games with a lobby."""
        return type(self).lobby is not Game.lobby

    def seats_for(self, options: OptionsT) -> range:
        """How many can play with these options."""
        return self.seats

    def teams(self, options: OptionsT, seats: int) -> Teams:
        """Which seats play together, when so many play with these options: ``((0, 2), (1, 3))``. Empty: everybody for
        themselves. At tables with teams people choose their places before the start, and the result names the teams
        (``Result.by_score`` does), none of which is ever split."""
        return ()

    @property
    def heeds_absence(self) -> bool:
        """Whether it matters to the game who is there while it is played. Then it is in the log, as moves are."""
        return type(self).absent is not Game.absent or type(self).back is not Game.back

    def absent(self, state: StateT, seat: int, at: int) -> Sequence[EventT]:
        """What happens in the game when somebody loses the connection. In most games, nothing."""
        return ()

    def back(self, state: StateT, seat: int, at: int) -> Sequence[EventT]:
        """What happens in the game when somebody comes back."""
        return ()

    def done(self, state: StateT, seat: int) -> bool:
        """Whether this seat has nothing more to do in the game and can only watch, as somebody who is out."""
        return False

    def sounds(self, options: OptionsT) -> Sequence[str]:
        """The sounds that people may make for all at the table to hear; none of them, and there is no board."""
        return SOUNDS

    def resume(self, state: StateT, at: int) -> None:
        """The server was away until now, and everybody's connection is lost. Here waits can be made to begin again;
        otherwise they go on, and none ends before people had a moment to come back."""

    def tell(self, event: EventT, names: Sequence[str], words: Words = ENGLISH) -> str:
        """An event as a sentence for the log of a table; empty when there is nothing to say."""
        what = snake(type(event).__name__).replace("_", " ")
        seat = getattr(event, "seat", None)
        return f"{names[seat]}: {what}." if isinstance(seat, int) else f"{what.capitalize()}."

    def show(self, view: ViewT, names: Sequence[str]) -> str:
        """A view as lines of text for a terminal, 80 columns wide. They may be coloured, as ``click.style`` does it;
        ``click.unstyle`` takes the colours out. Without an answer, it is drawn by what its fields are (``shown``)."""
        return plain_show(view, names)

    def label(self, move: MoveT, view: ViewT, names: Sequence[str], words: Words = ENGLISH) -> str:
        """A move in a few words. Moves of a position that make no difference to people may have the same.

        People say a move step by step where the label has steps, ``"steal › Ada"``; the things of one step can be named
        in any order, ``"keep › Duke + Captain"``; and what comes after a dash explains it, ``"tax — 3 coins"``.
        """
        return plain_label(move, names, words)

    def fingerprint(self, state: StateT, seed: bytes) -> str:
        """A hash of the whole state: equal after a replay, and telling nothing to those who don't know the seed."""
        return hashlib.sha256(seed + msgspec.json.encode(state, order="deterministic")).hexdigest()
