"""A game in the terminal: one person and some bots, no server."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from click import style

from croupier.kernel import Bot, Chance, Form, Move, Result
from croupier.kernel.chance import QuickDice
from croupier.kernel.ink import quiet
from croupier.kernel.words import Reader
from croupier.tables.names import harmless
from croupier.tables.rulings import BOT_NAMES
from croupier.tables.table import AnyGame
from croupier.terminal import rulebook
from croupier.terminal.choosing import Question, Unclear
from croupier.terminal.chronicle import placings
from croupier.terminal.console import Console
from croupier.terminal.filling import Filling, spoken

HELP = """\
Type the key in front of what you want and press Enter. The beginning of its name will do as well, and so will several
keys one after the other: "s a" for what you would find under s, and then under a.

  Enter    where there is only one thing to do, do it; in the middle of a choice, begin it again;
           otherwise, see the table once more
  r        the rules of the game; with a word after it, what they say about that: r king
  q        quit
  ?        this help"""


class Quit(Exception):
    """The person has had enough."""


def play(game: AnyGame, person: str, bots: Sequence[type[Bot]], console: Console) -> None:
    """Play until the person has had enough."""
    console.headline(game.title)
    console.explain(game.about)
    console.say(quiet("Type the key of what you want to do. ? is for help, r for the rules, q to quit."))
    sitting = None
    while True:
        sitting = Sitting(game, person, bots, console, sitting)
        sitting.play()
        if not console.agrees("\nPlay again?", True):
            return


class Sitting:
    """One game."""

    def __init__(
        self,
        game: AnyGame,
        person: str,
        bots: Sequence[type[Bot]],
        console: Console,
        before: Sitting | None = None,
    ) -> None:
        """``before``: the last one, which may have something to pass on. Then everybody stays where they sat."""
        self.game = game
        self.console = console
        self.dice = QuickDice()
        self.players: list[Bot | None] = [bot() for bot in bots]
        self.names = _names(person, len(bots))
        legacy = None if before is None else game.legacy(before.state)
        self.own: int = self.dice.below(len(self.names)) if before is None or legacy is None else before.own
        self.players.insert(self.own, None)
        self.names.insert(self.own, Reader(harmless(person)))
        self.at = 0
        options, seats, chance = game.Options(**game.usual), len(self.players), Chance(secrets.token_bytes(32))
        self.state: Any
        if legacy is None:
            self.state = game.deal(options, seats, chance, self.at)
        else:
            self.state = game.deal_next(options, seats, chance, self.at, legacy)
        self.log: list[str] = []
        """What the person was told since the last answer."""
        self.unasked = 0
        """How often others have moved since then."""
        self.turn: Sequence[int] = ()
        """Who was awaited when the person was last given a chance to step in."""

    def play(self) -> None:
        """Play it to its end."""
        game = self.game
        while (result := game.result(self.state)) is None:
            awaited = game.awaited(self.state)
            if not awaited:
                self._let_time_pass()
                continue
            interjection = self._interjection(awaited)
            if interjection is not None:
                seat, move = interjection
            else:
                seat = self.dice.choice(awaited)
                move = self._person() if seat == self.own else self._bot(seat)
            self._happened(game.play(self.state, seat, move, self.at), by=seat)
        self._end(result)

    def _let_time_pass(self) -> None:
        """Everybody has had their say, and nobody wants to sit and watch a clock, unless there is something to see."""
        clock = min(self.game.clocks(self.state), key=lambda clock: clock.due)
        if clock.name in self.game.customs.looks:
            self._show()
            while self._command_or_line("\nEnter to go on: ", fresh=True) is None:
                pass
            self._answered()
        self.at = max(self.at, clock.due)
        self._happened(self.game.expire(self.state, clock.name, self.at))

    def _interjection(self, awaited: Sequence[int]) -> tuple[int, Move] | None:
        """What somebody does who is not asked: the person first, between one turn and the next."""
        game, state, own = self.game, self.state, self.own
        if awaited != self.turn and own not in awaited:
            self.turn = awaited
            asides = [move for move in game.moves(state, own) if isinstance(move, game.asides)]
            if asides and (move := self._person(asides)) is not None:
                return own, move
        self.turn = awaited
        if own in awaited:  # it is theirs to be quick, or not
            return None
        for seat, bot in enumerate(self.players):
            if bot is not None and seat not in awaited and (moves := game.candidates(state, seat, self.dice)):
                found = bot.interject(seat, game.view(state, seat), moves, self.dice)
                if found is not None:
                    return seat, found
        return None

    def _bot(self, seat: int) -> Move:
        bot, state = self.players[seat], self.state
        assert bot is not None
        moves = self.game.candidates(state, seat, self.dice)
        return bot.choose(seat, self.game.view(state, seat), moves, self.dice)

    def _happened(self, events: Sequence[Any], by: int | None = None) -> None:
        for seat, bot in enumerate(self.players):
            if bot is not None:
                bot.observe(seat, [seen for event in events if (seen := event.seen_by(seat)) is not None])
        if by != self.own:
            self.unasked += 1
            if self.unasked == 4 * len(self.players):  # such as somebody who is out
                self.console.tell("You have nothing to do for a while: here is the rest, quickly.")
        for event in events:
            seen = event.seen_by(self.own)
            if seen is not None and (sentence := self.game.tell(seen, self.names)):
                self.log.append(sentence)
                self.console.tell(sentence, hurry=self.unasked >= 4 * len(self.players))

    def _show(self) -> None:
        view = self.game.view(self.state, self.own)
        if self.game.customs.memory:
            # Remembering is the game: what was seen before is not to be read again.
            self.console.clear()
            for sentence in self.log if self.console.live else ():
                self.console.say(f"  {sentence}")
        self.console.headline(self.game.title)
        self.console.say(self.game.show(view, self.names))

    def _person(self, asides: Sequence[Move] = ()) -> Any:
        """Which move the person makes; where it is an aside, None for none."""
        game, optional = self.game, bool(asides)
        view, moves = game.view(self.state, self.own), asides or game.moves(self.state, self.own)
        forms = () if optional else game.forms(self.state, self.own)
        if len(moves) == 1 and isinstance(moves[0], game.obvious) and not optional and not forms:
            self.unasked = 0
            return moves[0]
        offers: list[tuple[str, Any]] = [(game.label(move, view, self.names), move) for move in moves]
        offers += [(spoken(form.move), form) for form in forms]
        while True:
            self._show()
            only_form = len(offers) == 1 and bool(forms)
            chosen = forms[0] if only_form else self._choice(Question.about(offers), optional)
            if isinstance(chosen, Form):
                chosen = self._filled(chosen)
            if chosen is not None or optional:
                return chosen

    def _filled(self, form: Form) -> Any:
        """The move that the person makes of a form; None to begin again."""
        filling = Filling(form, self.names)
        while (filled := filling.filled) is None:
            self.console.say(style(f"\nYour move: {filling.topic}", bold=True))
            if filling.choices:
                self.console.menu(filling.choices)
            line = self._command_or_line("› ")
            if line == "":
                return None
            try:
                filling = filling if line is None else filling.answered(line)
            except Unclear as unclear:
                self.console.say(str(unclear))
        self._answered()
        return self.game.understand(filled)

    def _choice(self, whole: Question, optional: bool) -> Any:
        """Which of the offers the person wants."""
        console, question = self.console, whole
        self._offer(question, optional)
        while True:
            line = self._command_or_line("› ", fresh=optional)
            if line is None:
                self._offer(question, optional)
            elif line:
                try:
                    question = question.answered(line)
                except Unclear as unclear:
                    console.say(str(unclear))
                    continue
                if question.move is None:
                    self._offer(question, optional)
                    continue
                break
            elif question is not whole:
                question = whole
                self._offer(question, optional)
            elif optional or question.move is not None:
                break
            else:
                self._show()
                self._offer(question, optional)
        self._answered()
        return question.move if line or not optional else None

    def _offer(self, question: Question, optional: bool) -> None:
        topic = " › ".join(question.topic)
        if optional:
            self.console.say(f"\n{style('Enter to go on', bold=True)}, or {topic or 'choose'}:")
        elif question.move is not None:
            self.console.say(quiet("\nYour move. Enter to do it:"))
        else:
            self.console.say(style(f"\nYour move{': ' + topic if topic else ''}", bold=True))
        self.console.menu(question.choices)

    def _command_or_line(self, prompt: str, fresh: bool = False) -> str | None:
        """What the person types; None when it was a command, which is done."""
        console = self.console
        line = console.ask(prompt, fresh)
        word, _, rest = line.partition(" ")
        match word.lower():
            case "?" | "help":
                console.say(HELP)
            case "r" | "rules":
                text = rulebook.page(self.game)
                if rest:
                    about = rulebook.about(text, rest.strip(), console.width)
                    console.say(about or f"The rules say nothing about “{rest.strip()}”.")
                else:
                    console.page(rulebook.pretty(text, console.width))
            case "q" | "quit":
                if console.agrees("Quit this game?", False):
                    raise Quit
            case _:
                return line
        return None

    def _answered(self) -> None:
        self.log.clear()
        self.unasked = 0
        if self.game.customs.memory:
            self.console.clear()

    def _end(self, result: Result) -> None:
        console = self.console
        console.headline("The end")
        console.say(self.game.show(self.game.lay_open(self.state, self.own), self.names))
        best = result.placings[0]
        console.say()
        for seats, line in zip(result.placings, placings(result, self.names), strict=True):
            console.say(style(line, bold=self.own in seats))
        if self.own in best:
            alone = len(result.sides[0]) == 1
            console.say(style("\nYou have won!" if alone else "\nYou share the first place!", fg="green"))


def _names(person: str, count: int) -> list[str]:
    """Of the bots; nobody has the person's."""
    known = [name for name in BOT_NAMES if name.lower() != person.lower()]
    return [known[n % len(known)] + (f" {n // len(known) + 1}" if n >= len(known) else "") for n in range(count)]
