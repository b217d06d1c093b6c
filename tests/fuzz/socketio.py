"""Hostile input for Socket.IO: packets with attachments that are there or not, and what is sent by polling."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.fuzz.inputs import Mill

SEPARATORS = (b"\x1e", b"\x1e", b"\x1e", b"\x1e\x1e", b"\n", b"\x1f", b"", b"\x1e\0")
TRIFLES = (
    b"6",
    b"3",
    b"0",
    b"5",
    b"",
    b"b",
    b"4",
    b"2",
    b"1",
    b"9",
    b"\xff",
    b"41",
    b"40",
    b"40/x,",
    b"3probe",
    b"2probe",
)


def packet(mill: Mill, samples: list[str]) -> list[tuple[bytes, bool]]:
    """A packet and the messages that belong to it: each with whether it is text."""
    dice = mill.dice
    said = dice.choice((0, 1, 1, 1, 2, 3, 10, 11, 999))
    kind = dice.choice((b"5", b"5", b"5", b"6", b"2", b"3"))
    head = b"%s%d-" % (kind, said)
    if dice.random() < 0.1:
        head += b"/%s," % mill.word().encode()
    if dice.random() < 0.2:
        head += str(dice.choice((0, 1, 10**14, 10**20))).encode()
    name = dice.choice(samples).partition('"')[2].partition('"')[0] if samples else "x"
    arguments: list[Any] = [name or "x", *(_place(mill, said) for _ in range(dice.randrange(4)))]
    content = json.dumps(arguments).encode()
    if dice.random() < 0.3:
        content = b'["x",' + mill.nested() + b"," + content[1:]
    follow = said if dice.random() < 0.8 else dice.randrange(4)
    parts = [(dice.randbytes(dice.randrange(5)), dice.random() < 0.05) for _ in range(min(follow, 12))]
    return [(head + content, True), *parts]


def _place(mill: Mill, said: int) -> Any:
    """Where an attachment belongs, or nearly."""
    number = mill.dice.choice((0, 0, 0, 0, said - 1, said, -1, 0.0, True, "0", None, 10**30))
    found = {"_placeholder": mill.dice.choice((True, True, True, 1, "true")), "num": number}
    match mill.dice.randrange(4):
        case 0:
            return [found, found]
        case 1:
            return {"a": found, "_placeholder": False}
        case 2:
            return mill.odd()
    return found


def body(mill: Mill, samples: list[str]) -> bytes:
    """Of a request by polling: packets, well separated or not."""
    dice = mill.dice
    if dice.random() < 0.05:
        return dice.choice((b"6\x1e", b"\x1e", b"3\x1e", b'42["x"]\x1e')) * dice.choice((1, 1000, 20_000))
    found: list[bytes] = []
    for _ in range(dice.choice((1, 1, 2, 3, 20, 200))):
        match dice.randrange(4):
            case 0:
                found.append(dice.choice(TRIFLES))
            case 1:
                for part, text in packet(mill, samples):
                    found.append(b"4" + part if text else b"b" + _base64(mill, part))
            case 2:
                found.append(b"b" + _base64(mill, dice.randbytes(dice.randrange(60))))
            case _:
                found.append(b"4" + mill.message([f"2{sample}" for sample in samples]))
    separator = dice.choice(SEPARATORS)
    return separator.join(found)


def _base64(mill: Mill, content: bytes) -> bytes:
    """Or nearly."""
    written = base64.b64encode(content)
    return written if mill.dice.random() < 0.7 else mill.garbled(written)
