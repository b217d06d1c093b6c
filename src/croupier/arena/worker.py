"""A process that plays games, one after the other: ``python -m croupier.arena.worker``.

It reads a tournament and then fixtures from its standard input, a line each, and writes the results to its output. In a
few bytes of memory that it shares with whoever started it (``watch.py``) stands whose bot it is asking and since when:
so somebody else can tell who has crashed it, or keeps it waiting for ever.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import Any

import msgspec

from croupier import plugins
from croupier.arena.contenders import Contender, contenders
from croupier.arena.playing import Contest, GameFailed, Lost, told
from croupier.arena.results import Played, first_share
from croupier.arena.tournament import AnyGame, Fixture, Tournament
from croupier.arena.watch import Watch
from croupier.foreign_bots.failing import BotFailed
from croupier.kernel import Bot
from croupier.kernel.result import Teams


class Answer(msgspec.Struct, frozen=True):
    """What a worker says of a fixture."""

    played: Played | None = None
    failure: str = ""
    """Why it can't be played, which is the game's own fault, or ours."""


class Player:
    """Plays the games of a tournament."""

    def __init__(self, tournament: Tournament, watch: Watch) -> None:
        self.tournament = tournament
        self._watch = watch
        self._game = find_game(tournament)
        self._options = msgspec.convert(tournament.options, self._game.Options)
        self._contenders = contenders(tournament, self._game)

    def play(self, fixture: Fixture) -> Played:
        """Raises ``GameFailed``."""
        tournament, lineup = self.tournament, self.tournament.lineup(fixture)
        contest = None
        try:
            bots = [self._bot(self._contenders[number], seat) for seat, number in enumerate(lineup)]
            seed = tournament.deal_seed(fixture.deal)
            contest = Contest(self._game, self._options, seed, bots, tournament.budget, self._watch.asking)
            result = contest.play()
        except Lost as lost:
            self._contenders[lineup[lost.seat]].drop(lost.seat)
            return _with_spent(forfeited(tournament, fixture, lineup[lost.seat], lost.why), contest, lineup)
        except Exception as error:
            why = str(error) if isinstance(error, GameFailed) else told(error)
            failed = f"{self._game.title} itself failed in deal {fixture.deal} of seed {tournament.seed}: {why}"
            raise GameFailed(failed) from error
        if result is None:
            everybody = (tuple(range(tournament.seats)),)
            return _with_spent(_played(tournament, fixture, everybody, unfinished=True), contest, lineup)
        return _with_spent(_played(tournament, fixture, result.placings, scores=result.scores), contest, lineup)

    def _bot(self, contender: Contender, seat: int) -> Bot:
        self._watch.asking(seat)
        try:
            return contender.bot(seat)
        except BotFailed as failure:
            raise Lost(seat, str(failure)) from None
        except (Exception, SystemExit) as error:
            raise Lost(seat, told(error)) from None
        finally:
            self._watch.asking(None)


def find_game(tournament: Tournament) -> AnyGame:
    return plugins.catalogue(tournament.tried).games[tournament.game]


def forfeited(tournament: Tournament, fixture: Fixture, failed: int, why: str) -> Played:
    """A game that a bot has lost because it failed: all its seats are last."""
    lineup = tournament.lineup(fixture)
    others = tuple(seat for seat, number in enumerate(lineup) if number != failed)
    those = tuple(seat for seat, number in enumerate(lineup) if number == failed)
    won = 0.0 if failed == fixture.pairing[0] else 1.0
    played = _played(tournament, fixture, (others, those), failed=failed, why=why)
    return msgspec.structs.replace(played, won=won)


def _played(tournament: Tournament, fixture: Fixture, placings: Teams, **more: Any) -> Played:
    won = first_share(tournament.sides, fixture.side, placings)
    return Played(fixture.deal, fixture.pairing, fixture.side, won, placings, (0, 0), (0.0, 0.0), **more)


def _with_spent(played: Played, contest: Contest | None, lineup: tuple[int, ...]) -> Played:
    if contest is None:
        return played
    of_first = [number == played.pairing[0] for number in lineup]
    moves, seconds = ([0, 0], [0.0, 0.0])
    for first, spent in zip(of_first, contest.spent, strict=True):
        moves[not first] += spent.moves
        seconds[not first] += spent.seconds
    thought = round(seconds[0], 6), round(seconds[1], 6)
    return msgspec.structs.replace(played, moves=(moves[0], moves[1]), seconds=thought)


def _read(lines: queue.SimpleQueue[bytes]) -> None:
    """Nobody plays on for nobody: when whoever started us is gone, so are we, in the middle of whatever it is."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints is for people
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=[lines], daemon=True).start()
    watch = Watch(int(sys.argv[1]))
    player = Player(msgspec.json.decode(lines.get(), type=Tournament), watch)
    while True:
        fixture = msgspec.json.decode(lines.get(), type=Fixture)
        try:
            answer = Answer(player.play(fixture))
        except GameFailed as failure:
            answer = Answer(failure=str(failure))
        out.write(msgspec.json.encode(answer) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
