"""Transcripts: conversations with a server as text files, replayed byte for byte over real connections.

    ! test_clock_speed = 20                     settings of the server, as TOML
    # Matt opens a lobby                        for people
    A ++ /?dialect=note                         connection A is opened at this path; without this line, at /
    A -> {"NewLobby":{"player_name":"Matt"}}    A sends this
    A <- {"Ok":{"player_id":"<matt>"}}          A receives exactly this; <matt> is what stands there
    A -> {"StartGame":{"player_id":"<matt>"}}   and here what stood there
    A,B <- {"age":<#>,"name":"<...>"}           both receive it; <#> is any number, <...> anything
    A -> TEXT "ListLobbies"                     sent as a text message by a peer that usually sends binary ones
    A xx                                        A closes the connection
    A xx 1003                                   the server closes it, with this code
    @ POST /game {"name":"Matt"}                a request by HTTP, with this body
    @ 200 {"code":"<code>"}                     and its answer
    ~ 1500                                      so many milliseconds pass, where the clock is set by hand

Every connection receives in order; the order between different connections is free.

Where a protocol leaves the order of members free, messages are compared as JSON (``same_json``): a string ``<matt>`` is
an alias, ``"<...>"`` stands for any value, in a list for any values, and as the name of a member for any members more
that have such a value.
"""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 10.0

_LINE = re.compile(r"(?P<who>\w+(?:,\w+)*) (?P<sign>->|<-|\+\+|xx)(?: (?P<what>.*))?")
_ASIDE = re.compile(r"(?P<sign>[@~]) (?P<what>.+)")
_ALIAS = re.compile(r"<(\w+|#|\.\.\.)>")

GAP = "<...>"
ANYTHING = {"#": r"\d+", "...": r".+"}


class Peer(Protocol):
    """One connection, as a client has it."""

    async def send(self, message: bytes, text: bool) -> None: ...
    async def receive(self) -> bytes: ...
    async def close(self) -> None: ...
    async def closed(self) -> int:
        """The code with which the server has closed the connection."""

    async def rest(self) -> bytes | None:
        """What the server has said and nobody has heard."""


Compare = Callable[[str, str, dict[str, str]], None]
"""Insists that what was received is what was expected, and learns aliases."""


class Step(NamedTuple):
    number: int
    who: list[str]
    sign: str
    what: str


class Transcript(NamedTuple):
    settings: dict[str, Any]
    steps: list[Step]


def parse(text: str) -> Transcript:
    settings, steps = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("! "):
            settings.append(line[2:])
        elif line and not line.startswith("#"):
            found = _LINE.fullmatch(line) or _ASIDE.fullmatch(line)
            assert found, f"line {number} is not understood: {line}"
            who = found["who"].split(",") if found.re is _LINE else []
            steps.append(Step(number, who, found["sign"], found["what"] or ""))
    return Transcript(tomllib.loads("\n".join(settings)), steps)


async def replay(
    transcript: Transcript,
    open_peer: Callable[[str], Awaitable[Peer]],
    pass_time: Callable[[float], Awaitable[None]] | None = None,
    ask: Callable[[str, str, bytes], Awaitable[tuple[int, bytes]]] | None = None,
    peers: dict[str, Peer] | None = None,
    known: dict[str, str] | None = None,
    compare: Compare | None = None,
) -> None:
    """Say what the transcript says, and insist on the answers. Some may be connected and some known already."""
    peers = {} if peers is None else peers
    known = {} if known is None else known
    answer = ""
    for step in transcript.steps:
        what = _ALIAS.sub(lambda found: known.get(found[1], found[0]), step.what)
        if step.sign == "~":
            assert pass_time is not None
            await pass_time(int(step.what) / 1000)
        elif step.sign == "@" and step.what[0].isdigit():
            _compare(step.what, answer, known)
        elif step.sign == "@":
            assert ask is not None
            method, path, *body = what.split(" ", 2)
            status, told = await ask(method, path, "".join(body).encode())
            answer = f"{status} {told.decode()}"
        for who in step.who:
            if step.sign == "++":
                peers[who] = await open_peer(what)
                continue
            if who not in peers:
                peers[who] = await open_peer("/")
            try:
                async with asyncio.timeout(PATIENCE):
                    await _take(step, peers[who], known, compare or _compare)
            except Exception as error:
                raise AssertionError(f"line {step.number}: {who} {step.sign} {step.what}\n{error!r}") from error
    for who, peer in peers.items():
        rest = await peer.rest()
        assert rest is None, f"at the end {who} is told something more: {rest!r}"
    for peer in peers.values():
        await peer.close()


async def _take(step: Step, peer: Peer, known: dict[str, str], compare: Compare) -> None:
    match step.sign:
        case "->":
            text = step.what.startswith("TEXT ")
            message = _filled_in(step.what.removeprefix("TEXT "), known)
            await peer.send(message.encode(), text)
        case "<-":
            compare(step.what, (await peer.receive()).decode(), known)
        case _ if step.what:
            assert await peer.closed() == int(step.what)
        case _:
            await peer.close()


def _filled_in(text: str, known: dict[str, str]) -> str:
    return _ALIAS.sub(lambda found: known[found[1]], text)


def _compare(expected: str, received: str, known: dict[str, str]) -> None:
    """The same text, but for aliases: those not known yet are learned."""
    new: list[str] = []

    def pattern(alias: re.Match[str]) -> str:
        name = alias[1]
        if name in ANYTHING:
            return ANYTHING[name]
        if name in known:
            return re.escape(known[name])
        new.append(name)
        return r'([^"]+)'

    parts = re.split(r"(<(?:\w+|#|\.\.\.)>)", expected)
    regex = "".join(_ALIAS.sub(pattern, part) if _ALIAS.fullmatch(part) else re.escape(part) for part in parts)
    found = re.fullmatch(regex, received)
    assert found, f"received instead:\n{received}"
    known.update(zip(new, found.groups(), strict=True))


def same_json(expected: str, received: str, known: dict[str, str]) -> None:
    """The same value, but for aliases and gaps."""
    assert _same(json.loads(expected), json.loads(received), known), f"received instead:\n{received}"


def _same(expected: Any, received: Any, known: dict[str, str]) -> bool:
    if expected == GAP:
        return True
    if isinstance(expected, str) and isinstance(received, str) and (alias := _ALIAS.fullmatch(expected)):
        return known.setdefault(alias[1], received) == received
    if isinstance(expected, list) and GAP in expected and isinstance(received, list):
        before, after = expected.index(GAP), len(expected) - expected.index(GAP) - 1
        kept = received[:before] + received[len(received) - after :]
        return len(received) > before + after and _same([*expected[:before], *expected[before + 1 :]], kept, known)
    if isinstance(expected, list) and isinstance(received, list):
        return len(expected) == len(received) and all(map(_same, expected, received, [known] * len(expected)))
    if isinstance(expected, dict) and isinstance(received, dict):
        more = received.keys() - expected.keys()
        if not (expected.keys() - {GAP} <= received.keys() and bool(more) == (GAP in expected)):
            return False
        return all(_same(expected.get(name, expected.get(GAP)), received[name], known) for name in received)
    return type(expected) is type(received) and bool(expected == received)


class LinePeer:
    """A peer whose messages are lines over TCP, which has no codes: the server closes with 0."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nonsense: bytes, echo: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._nonsense = nonsense
        """Something that is answered at once, and changes nothing."""
        self._echo = echo
        """What the answer is known by."""

    async def send(self, message: bytes, text: bool) -> None:
        self._writer.write(message + b"\n")
        await self._writer.drain()

    async def receive(self) -> bytes:
        line = await self._reader.readline()
        assert line.endswith(b"\n"), "the server has closed the connection"
        return line[:-1]

    async def close(self) -> None:
        self._writer.close()

    async def closed(self) -> int:
        line = await self._reader.readline()
        assert not line, f"received instead: {line!r}"
        return 0

    async def rest(self) -> bytes | None:
        self._writer.write(self._nonsense + b"\n")
        async with asyncio.timeout(PATIENCE):
            line = (await self._reader.readline()).strip()
        return None if not line or self._echo in line else line


class WebSocketPeer:
    """A peer whose messages are binary, or text, unless a line says otherwise."""

    def __init__(self, socket: ClientConnection, binary: bool) -> None:
        self._socket = socket
        self._binary = binary

    async def send(self, message: bytes, text: bool) -> None:
        await self._socket.send(message, text=text or not self._binary)

    async def receive(self) -> bytes:
        message = await self._socket.recv()
        assert isinstance(message, bytes) == self._binary, f"wrong kind of message: {message!r}"
        return message if isinstance(message, bytes) else message.encode()

    async def close(self) -> None:
        await self._socket.close()

    async def closed(self) -> int:
        try:
            raise AssertionError(f"received instead: {await self._socket.recv()!r}")
        except ConnectionClosed:
            assert self._socket.close_code is not None
            return self._socket.close_code

    async def rest(self) -> bytes | None:
        try:
            await (await self._socket.ping())  # whatever was sent before the answer has come
            async with asyncio.timeout(0.05):
                return await self.receive()
        except (ConnectionClosed, TimeoutError):
            return None


async def web_socket(url: str, binary: bool) -> WebSocketPeer:
    return WebSocketPeer(await connect(url, compression=None), binary)
