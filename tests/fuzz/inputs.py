"""Hostile input: what a client could say, spoiled in every way that comes to mind.

The material are the requests of the native protocol, by their types, and what clients say in the transcripts of each
game's own protocol, so that a game with transcripts is attacked without another line here.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import inspect as types

from croupier.tables import intents
from tests.conformance.transcript import parse

TRANSCRIPTS = Path(__file__).parents[1] / "conformance"

_ALIAS = re.compile(r"<[\w.#]+>")
_WORD = re.compile(rb'"([A-Za-z0-9_.=-]{5,400})"')
_VALUE = re.compile(rb'[:,[]\s*("[^"]*"|-?\d+|true|false|null|\{\}|\[\])')
"""In JSON, roughly."""
_MOVES = re.compile(rb'"moves":(\[\{.*?\}\])')

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 255, 256, 1 << 31, -(1 << 31), 1 << 53, 1 << 63, 1 << 64, 10**400, 0.5, -0.0,
    1e308, "", " ", "\0", "0", "null", "../../etc/passwd", "' OR 1=1 --", "<script>", "\ud800", "🂡" * 20, "a" * 300,
    "\u202e", [], {}, [[]], [None], {"": None}, {"a": {"b": {"c": []}}}, "NaN", "true", "\r\n\r\n", "%00%ff", [0] * 200,
)  # fmt: skip
RAW: tuple[bytes, ...] = (
    b"", b"\0", b"{", b"}", b'"', b"[]", b"null", b"NaN", b"\xff\xfe", b"\xc3", b"\xef\xbb\xbf{}", b'{"a":1,"a":2}',
    b"[" * 5000, b'{"a":' * 3000, b"[" * 2000 + b"]" * 2000, b'{"type":' + b"9" * 5000 + b"}", b"1e999999", b"\x1e",
    b"2", b"3probe", b"40", b"451-[", b'42["a"]', b"-" * 100, b'"\\ud800"', b"\n\n\n", b"{}" * 1000, b"\x80" * 50,
)  # fmt: skip


KINDS = types.type_info(intents.Request).types  # type: ignore[attr-defined]
"""Of requests of the native protocol."""


class Mill:
    """Makes messages. It learns the names of things from what it is told, as an attacker would."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self._words: deque[str] = deque(["main", "ann", "0" * 32, "aaaaa"], maxlen=400)
        self._moves: deque[Any] = deque([{"move": "income"}], maxlen=200)

    def learn(self, told: bytes) -> None:
        if self.dice.random() < 0.2:
            self._words.extend(word.decode() for word in _WORD.findall(told[:4000]))
            for moves in _MOVES.findall(told[:4000]):
                try:
                    self._moves.extend(json.loads(moves))
                except ValueError:
                    continue

    def word(self) -> str:
        return self.dice.choice(self._words)

    def filled(self, text: str) -> str:
        """With something in the place of each alias."""
        return _ALIAS.sub(lambda _: self.word(), text)

    def message(self, samples: list[str]) -> bytes:
        """As a client says it, or nearly, or not at all."""
        kind = self.dice.random()
        if kind < 0.06:
            return self.noise()
        sample = self.filled(self.dice.choice(samples)) if samples else json.dumps(self.request())
        if kind < 0.1:
            return self.deepened(sample.encode())
        if kind < 0.45:
            return sample.encode()
        if kind < 0.55:
            return self.garbled(sample.encode())
        prefix, _, rest = sample.partition("[") if sample[:1].isdigit() else ("", "", "")
        try:
            spoiled = self.spoiled(json.loads("[" + rest if rest else sample))
        except ValueError:
            return self.garbled(sample.encode())
        return prefix.encode() + json.dumps(spoiled, ensure_ascii=self.dice.random() < 0.5).encode(
            errors="surrogatepass"
        )

    def noise(self) -> bytes:
        if self.dice.random() < 0.5:
            return self.dice.choice(RAW)
        return self.dice.randbytes(self.dice.randrange(200))

    def nested(self) -> bytes:
        """JSON of any depth: most of all near where Python gives up, and far beyond; also without an end."""
        dice = self.dice
        depth = dice.choice((dice.randrange(1, 300), dice.randrange(400, 1100), int(10 ** dice.uniform(1, 5))))
        opening, closing = dice.choice(((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]"), (b"[[],", b"]")))
        inside = dice.choice((b"[]", b"1", b'"\\ud800"', b"9" * 500, b"1e999", b'{"_placeholder":true,"num":0}'))
        return opening * depth + inside + closing * (depth if dice.random() < 0.9 else dice.randrange(depth + 1))

    def deepened(self, message: bytes) -> bytes:
        """With something deep in the place of one of its values."""
        values = list(_VALUE.finditer(message))
        if not values:
            return self.nested()
        start, end = self.dice.choice(values).span(1)
        return message[:start] + self.nested() + message[end:]

    def garbled(self, message: bytes) -> bytes:
        """With some bytes changed, left out or doubled."""
        found = bytearray(message)
        for _ in range(self.dice.randint(1, 4)):
            at = self.dice.randrange(len(found) + 1)
            match self.dice.randrange(4):
                case 0:
                    found[at : at + 1] = self.dice.randbytes(1)
                case 1:
                    del found[at : at + self.dice.randint(1, 10)]
                case 2:
                    found[at:at] = found[at : at + 20]
                case _:
                    del found[at:]
        return bytes(found)

    def spoiled(self, value: Any, depth: int = 0) -> Any:
        """Something like it, with other members, other types, or something else entirely."""
        dice = self.dice
        if depth > 6 or dice.random() < (0.05 if depth == 0 else 0.15):
            return self.odd()
        if isinstance(value, dict):
            found = {key: self.spoiled(part, depth + 1) if dice.random() < 0.5 else part for key, part in value.items()}
            if found and dice.random() < 0.15:
                del found[dice.choice(list(found))]
            if dice.random() < 0.15:
                found[dice.choice([self.word(), "id", "type", "token", "seat", *value])] = self.odd()
            return found
        if isinstance(value, list):
            found_list = [self.spoiled(part, depth + 1) if dice.random() < 0.4 else part for part in value]
            return found_list * dice.choice((0, 1, 1, 1, 1, 2))
        return self.odd() if dice.random() < 0.4 else value

    def odd(self) -> Any:
        return self.word() if self.dice.random() < 0.3 else self.dice.choice(ODD)

    # The native protocol

    def request(self) -> Any:
        """A request of the native protocol with fields of the right types, most of the time."""
        kind = self.dice.choice(KINDS)
        found: dict[str, Any] = {"type": kind.tag}
        for field in kind.fields:
            if field.required or self.dice.random() < 0.3:
                found[field.encode_name] = self._value(field.encode_name, field.type)
        return found

    def _value(self, name: str, kind: Any) -> Any:
        dice = self.dice
        if name == "game":
            return dice.choice(("palace", "coup", "faraway", "cambia", "fortress", "chess"))
        if name == "move":
            return dice.choice(self._moves)
        match kind:
            case types.IntType():
                return dice.choice((0, 1, 2, 3, 4, 5))
            case types.StrType():
                return self.word()[: kind.max_length or 400] or "x"
            case types.BoolType():
                return dice.random() < 0.5
            case types.UnionType():
                return self._value(name, dice.choice(kind.types))
            case types.DictType():
                return {} if dice.random() < 0.7 else {self.word(): self.odd()}
            case types.StructType():
                return {field.encode_name: self.odd() for field in kind.fields if dice.random() < 0.5}
        return None


def samples(game: str) -> tuple[list[str], list[str]]:
    """What clients say in the transcripts of a game: messages, and HTTP requests."""
    said: list[str] = []
    asked: list[str] = []
    for file in sorted((TRANSCRIPTS / game).glob("*.txt")):
        for step in parse(file.read_text()).steps:
            if step.sign == "->":
                said.append(step.what.removeprefix("TEXT "))
            elif step.sign == "@" and not step.what[0].isdigit():
                asked.append(step.what)
    return said, asked


REQUESTS: Mapping[str, list[str]] = {
    "coup": ["POST /v1/game", "POST /v2/game", 'POST /v1/game {"maxPlayers":4,"minWaitMs":0}', "GET /v1/games"],
    "cambia": [
        "POST /user/guest", 'POST /user/guest {"username":"Ann"}', "GET /user/me", "GET /lobby/list",
        'POST /lobby/create {"gameMode":"custom","type":"public","settings":{"countdownSec":0}}',
        'POST /lobby/create {"houseRules":{"preGameSec":0},"circuit":{"enabled":true}}',
        'POST /lobby/join {"lobby_id":"<L>"}', "POST /lobby/<L>/join",
    ],
}  # fmt: skip
"""By endpoint: HTTP requests, besides those of the transcripts."""

PATHS: Mapping[str, list[str]] = {
    "coup": ["/v1", "/v1?table=<T>", "/v2/ws?username=<N>&gameCode=<T>", "/v1/<N>?table=<T>", "/<N>"],
    "cambia": ["/lobby/ws/<L>?token=<K>", "/game/ws/<G>?token=<K>&cards=short", "/ws/<L>?token=<K>", "/lobby/ws/<L>"],
    "palace": ["", "?dialect=draft", "?dialect=modern", "?dialect=<D>"],
}
"""By endpoint: where its sockets are; elsewhere there is one place."""


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)
