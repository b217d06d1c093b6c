"""The teacher over HTTP: what a master would have done in a finished game. See docs/analysis.md.

The worker that plays logs again turns a game into problems, and processes of their own solve those, two at a time, when
the processors have nothing better to do: nobody's game waits for it. They are not those in which bots think, or a bot
would wait for somebody's curiosity.

An answer takes up to a minute, and so it comes in lines, each with how far it is. It is worked out once for all who
ask, and only as long as somebody does. An address has one under way at a time, and only so many in an hour; what has
been found out is kept, and free.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from croupier.analysis.brief import Brief
from croupier.analysis.problems import Dealt, Judgement
from croupier.analysis.report import Analysis, report
from croupier.kernel import Budget
from croupier.net.asgi import disconnection
from croupier.net.job_queue import RETRY_AFTER
from croupier.net.replays import Replays, known_language
from croupier.net.thinking import ThinkingPool
from croupier.net.worker import Job
from croupier.tables import error_log, languages
from croupier.tables.purses import Purse, Purses
from croupier.tables.thoughts import Answer, Question

TIME = 60.0
"""Seconds of processors for one game, however long it was."""
LONGEST = 1.0
"""For one decision."""
AT_ONCE, EACH = 10, 120_000
"""Games that an address may have analysed, and milliseconds until another one comes in."""
KEPT = 256
"""Games of which it is kept what was found out."""
TRIES = 3
"""Of a problem; who has little of a processor may be interrupted."""
TOO_MANY = "too many ask for such things just now; try again in a moment"
FAILED = "something went wrong on the server"

_decode = msgspec.msgpack.Decoder(Brief).decode
_encode = msgspec.json.Encoder().encode

Subject = tuple[str, int, int]
"""A table, a game of it, and a seat."""
Findings = tuple[Dealt, list[Judgement]]


class AnalysisLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of an answer: how far it is, or what has come of it."""

    done: int = 0
    of: int = 0
    analysis: Analysis | None = None
    error: str = ""
    """Why nothing has come of it, in a sentence."""


class AnalysisQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a request."""

    seat: int
    language: str = "en"


def budget(pieces: int) -> Budget:
    """For each piece of a game."""
    return Budget(seconds=min(LONGEST, TIME / pieces))


class Study:
    """A game that is being thought about."""

    def __init__(self, brief: Brief, subject: Subject, address: str, analysts: ThinkingPool) -> None:
        self.address = address
        self.listeners = 0
        self.pieces = brief.pieces
        self.findings: Findings | None = None
        self.failed = False
        self._solved: dict[int, Any] = {}
        self.subject = subject
        self._analysts = analysts
        self._asked: set[Question] = set()
        self._next = 0
        self._budget = budget(len(self.pieces))
        self.news = asyncio.Event()
        """Set when there is more to tell than when it was made."""

    @property
    def done(self) -> int:
        return len(self._solved)

    @property
    def over(self) -> bool:
        return self.failed or self.findings is not None

    def begin(self) -> None:
        """Have thought about as much as can be at a time, and no more: so others have their turn in between."""
        while not self.over and self._next < len(self.pieces) and len(self._asked) < self._analysts.size:
            self._ask(self._next, 1)
            self._next += 1

    def cancel(self) -> None:
        """Nobody waits for it, or nothing will come of it."""
        self.failed = self.findings is None
        for question in list(self._asked):
            self._analysts.cancel(question)

    def _ask(self, number: int, attempt: int) -> None:
        table, _, seat = self.subject
        seconds, nodes = self._budget
        allowed = Budget(seconds and seconds / attempt, nodes)
        question = Question(table, seat, self.address, allowed, self.pieces[number])
        self._asked.add(question)
        if not self._analysts.ask(question, partial(self._answered, question, number, attempt)):
            self._asked.discard(question)
            self._give_up()

    def _answered(self, question: Question, number: int, attempt: int, answer: Answer) -> None:
        self._asked.discard(question)
        if self.over:
            return
        if answer.outcome == "found":
            self._solved[number] = msgspec.convert(answer.solved, Judgement if number else Dealt)
        elif answer.outcome == "failed" or attempt == TRIES:
            error_log.report("server", "a game could not be analysed", table=self.subject[0], trace=answer.what)
            self._give_up()
            return
        else:
            self._ask(number, attempt + 1)
        if self.done == len(self.pieces):
            self.findings = self._solved[0], [self._solved[each] for each in range(1, self.done)]
        self._tell()
        self.begin()

    def _give_up(self) -> None:
        self.cancel()
        self._tell()

    def _tell(self) -> None:
        self.news.set()
        self.news = asyncio.Event()


class Analyses:
    def __init__(self, replays: Replays, analysts: ThinkingPool | None, now: Callable[[], int]) -> None:
        self._replays = replays
        self._analysts = analysts
        self._now = now
        self._purses = Purses(lambda address: Purse(EACH, AT_ONCE))
        self._studies: dict[Subject, Study] = {}
        self._found: OrderedDict[Subject, Findings] = OrderedDict()
        """The latest last."""

    def routes(self) -> list[Route]:
        return [Route("/api/tables/{table}/games/{number:int}/analysis", self._analyse)]

    async def _analyse(self, request: Request) -> Response:
        try:
            asked = msgspec.convert(dict(request.query_params), AnalysisQuery, strict=False)
        except msgspec.ValidationError as error:
            raise HTTPException(400, str(error)) from None
        replays, language = self._replays, known_language(asked.language)
        table, number = request.path_params["table"], replays.number(request)
        job = Job("analyse", table, await replays.game(table), number, asked.seat, language=language)
        brief = _decode((await replays.run(request, job)).body)
        subject = (table, number, asked.seat)
        if subject in self._found:
            return Lines(_only(_told(brief, self._found[subject], language)), lambda: None)
        study = self._join(subject, brief, request.client.host if request.client else "")
        study.listeners += 1
        return Lines(self._lines(study, brief, language), partial(self._leave, study))

    def _join(self, subject: Subject, brief: Brief, address: str) -> Study:
        """A study that somebody has begun, or a new one."""
        study = self._studies.get(subject)
        if study is not None and not study.over:
            return study
        if self._analysts is None:
            raise HTTPException(503, "games are not analysed on this server")
        busy = any(study.address == address for study in self._studies.values() if not study.over)
        if busy or not self._purses.of(address).pay(1, self._now()):
            raise HTTPException(503, TOO_MANY, {"Retry-After": str(RETRY_AFTER)})
        study = self._studies[subject] = Study(brief, subject, address, self._analysts)
        study.begin()
        return study

    def _leave(self, study: Study) -> None:
        """Somebody does not wait for it any more."""
        study.listeners -= 1
        if not study.listeners:
            study.cancel()
            if self._studies.get(study.subject) is study:
                del self._studies[study.subject]

    async def _lines(self, study: Study, brief: Brief, language: str) -> AsyncGenerator[AnalysisLine, None]:
        while not study.over:
            news = study.news
            yield AnalysisLine(study.done, len(study.pieces))
            await news.wait()
        if study.findings is None:
            yield AnalysisLine(error=languages.words(language).said(FAILED))
            return
        self._keep(study.subject, study.findings)
        yield _told(brief, study.findings, language)

    def _keep(self, subject: Subject, findings: Findings) -> None:
        self._found[subject] = findings
        while len(self._found) > KEPT:
            self._found.popitem(last=False)


def _told(brief: Brief, findings: Findings, language: str) -> AnalysisLine:
    dealt, judgements = findings
    return AnalysisLine(analysis=report(brief, dealt, judgements, language))


async def _only(line: AnalysisLine) -> AsyncGenerator[AnalysisLine, None]:
    yield line


class Lines(Response):
    """An answer that comes line by line, as long as somebody waits for it."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncGenerator[AnalysisLine, None], leave: Callable[[], None]) -> None:
        """``leave`` is called when nobody waits any more."""
        self.status_code = 200
        self.background = None
        self._lines = lines
        self._leave = leave
        # Proxies are to pass on each line as it comes, and nobody is to keep how far it was.
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answering = asyncio.ensure_future(self._answer(send))
        left = asyncio.ensure_future(disconnection(receive))
        try:
            await asyncio.wait((answering, left), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave()
            left.cancel()
            answering.cancel()
            await asyncio.wait((answering,))
        if not answering.cancelled():
            answering.result()

    async def _answer(self, send: Send) -> None:
        lines = self._lines
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for line in lines:
                await send({"type": "http.response.body", "body": _encode(line) + b"\n", "more_body": True})
            await send({"type": "http.response.body"})
        finally:
            await lines.aclose()
