"""What nodes tell each other on the bus.

Those of the release before and of the next one hear it, too. A message may get more fields at its end, which older
nodes pass over; and there may be messages that they do not know, which is as good as if they had not heard them.
"""

from __future__ import annotations

import msgspec

from croupier.tables import entries
from croupier.tables.entries import AnyEntry


class Committed(msgspec.Struct, frozen=True, array_like=True, tag="c"):
    """Entries that another node has written."""

    records: list[tuple[int, int, bytes]]


class Mentioned(msgspec.Struct, frozen=True, array_like=True, tag="m"):
    """What was said or heard there, and is in no log."""

    entry: bytes


class Attended(msgspec.Struct, frozen=True, array_like=True, tag="a"):
    """Who is at another node, or not any more."""

    rows: list[tuple[str, str, str, str | None, int, int]]


class Renewed(msgspec.Struct, frozen=True, array_like=True, tag="r"):
    """How these persons stand to others has changed, or who is banned."""

    persons: list[str]
    bans: bool = False


class SignedOut(msgspec.Struct, frozen=True, array_like=True, tag="s"):
    """The key of this hash is nobody's any more."""

    key: str


class Forgotten(msgspec.Struct, frozen=True, array_like=True, tag="f"):
    """Somebody who has sat at this closed table does not want to be found there any more."""

    table: str


AboutPeople = Renewed | SignedOut | Forgotten


LISTENS = Attended([])
"""Nobody at all: the node has the table in memory, and listens."""


encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Committed | Mentioned | Attended).decode
_decode_of_people = msgspec.msgpack.Decoder(AboutPeople).decode


def understand_of_people(message: bytes) -> AboutPeople | None:
    """Of what is about people, and not about a table. None: it is of another release."""
    try:
        about: AboutPeople = _decode_of_people(message)
        return about
    except msgspec.DecodeError:
        return None


def understand(message: bytes) -> Committed | Attended | AnyEntry | None:
    """What is mentioned is told as it is. None: it is of another release, and nobody here knows what it means."""
    try:
        heard: Committed | Mentioned | Attended = _decode(message)
        if not isinstance(heard, Mentioned):
            return heard
        said: AnyEntry = entries.decode(heard.entry)
        return said
    except msgspec.DecodeError:
        return None
