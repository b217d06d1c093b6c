"""The client's own structs are those of the server, and its methods ask for all that a client may ask."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect as types

from croupier.client import Client, Table, blocking, protocol
from croupier.client import entries as ours
from croupier.client.vocabulary import Vocabulary
from croupier.net import native
from croupier.tables import entries, intents
from tests.toys import Bid, Bids

NOT_ASKED_FOR = {"changes", "labels"}
"""Fields that a client gets only if it asks for them when it connects."""
SECRET = {
    "Opened": {"password", "seed", "rig"},
    "Joined": {"token", "unhurried", "client", "marks_ready"},
    "Recognised": {"client"},
    "Started": {"seed", "rig"},
    "Reopened": {"seed", "rig"},
    "Moved": {"move", "key"},
}
"""What entries have for the journal only (``Entry.public``)."""
OTHER_NAMES = {"return": "resume", "list": "tables"}
UNASKED = {"follow", "unfollow", "see"}
"""No method is for these: the list of tables is asked for, and a client sees by itself when it has to look again."""


def by_tag(kind: Any) -> dict[Any, types.StructType]:
    found = types.type_info(kind)
    members = found.types if isinstance(found, types.UnionType) else (found,)
    return {member.tag: member for member in members if isinstance(member, types.StructType)}


def differences(mine: types.Type, theirs: types.Type, where: str) -> Iterator[str]:
    """What the server may say there that the client does not understand."""
    mine, theirs = bare(mine), bare(theirs)
    if isinstance(mine, types.AnyType | types.RawType):
        return
    if isinstance(mine, types.UnionType) or isinstance(theirs, types.UnionType):
        known = mine.types if isinstance(mine, types.UnionType) else (mine,)
        for other in theirs.types if isinstance(theirs, types.UnionType) else (theirs,):
            if all([*differences(each, other, where)] for each in known):
                yield f"{where} may be {other}"
    elif isinstance(mine, types.StructType) and isinstance(theirs, types.StructType):
        yield from struct_differences(mine, theirs)
    elif isinstance(mine, types.VarTupleType):
        items = getattr(theirs, "item_type", None)
        yield from [f"{where} is no list"] if items is None else differences(mine.item_type, items, where)
    elif isinstance(mine, types.StrType) and isinstance(theirs, types.LiteralType):
        return
    elif type(mine) is not type(theirs):
        yield f"{where} is {theirs}"


def bare(kind: types.Type) -> types.Type:
    while isinstance(kind, types.Metadata):
        kind = kind.type
    return kind


def struct_differences(mine: types.StructType, theirs: types.StructType) -> Iterator[str]:
    if mine.cls is theirs.cls:
        return
    name, said = theirs.cls.__name__, {field.name: field for field in theirs.fields}
    known = {field.name: field for field in mine.fields}
    yield from (f"{name}.{field} is unknown" for field in known.keys() - said.keys())
    left_out = NOT_ASKED_FOR | SECRET.get(name, set())
    yield from (f"{name}.{field} is missing" for field in said.keys() - known.keys() - left_out)
    for field in known.keys() & said.keys():
        there = said[field]
        # msgspec tells no default where it is UNSET, which is never written.
        unset = there.default is msgspec.NODEFAULT and there.default_factory is msgspec.NODEFAULT
        may_be_missing = not there.required and (theirs.cls.__struct_config__.omit_defaults or unset)
        if known[field].required and may_be_missing:
            yield f"{name}.{field} may be left out"
        yield from differences(known[field].type, said[field].type, f"{name}.{field}")


def test_messages_are_those_of_the_server() -> None:
    said, known = by_tag(native.Said), by_tag(protocol.Message)
    assert set(said) - set(known) == {"listed"}  # which only those get who follow the list of tables
    assert [each for tag in known for each in struct_differences(known[tag], said[tag])] == []


def test_entries_are_those_of_the_server() -> None:
    said, known = by_tag(entries.AnyEntry), by_tag(ours.AnyEntry)
    assert set(known) - set(said) == {"synced"}
    assert [each for tag in said for each in struct_differences(known[tag], said[tag])] == []


def test_a_difference_would_be_found() -> None:
    class Sync(msgspec.Struct):
        table: int
        other: str
        labels: tuple[str, ...]

    found = list(struct_differences(types.type_info(Sync), types.type_info(native.Sync)))  # type: ignore[arg-type]
    assert "Sync.other is unknown" in found
    assert "Sync.seat is missing" in found
    assert "Sync.labels may be left out" in found
    assert any(each.startswith("Sync.table is ") for each in found)


@pytest.mark.parametrize("intent", get_args(intents.Request), ids=lambda intent: intent.__name__)
def test_all_that_a_client_may_ask_has_a_method(intent: type[intents.Intent]) -> None:
    kind = str(intent.__struct_config__.tag)
    if kind in UNASKED:
        return
    acts = issubclass(intent, intents.Act)
    method = getattr(Table if acts else Client, OTHER_NAMES.get(kind, kind))
    taken = set(inspect.signature(method).parameters) - {"self"}
    fields = set(intent.__struct_fields__) - ({"id", "rig", "table", "token"} if acts else {"id", "rig"})
    if kind == "play":
        fields = {"move", "place"}  # the key is the client's own affair
    if kind == "list":
        fields = {"game"}  # and ``find`` for one table
    assert taken == fields


@pytest.mark.parametrize(("flavour", "other"), [(Client, blocking.Client), (Table, blocking.Table)])
def test_the_blocking_flavour_has_the_same_names(flavour: type, other: type) -> None:
    ours = {name for name in dir(flavour) if not name.startswith("_")} - {"arrive"}
    assert ours - set(dir(other)) == set()


def test_what_a_newer_server_says_breaks_nothing() -> None:
    fact = b'{"type":"fact","seq":3,"at":5,"entry":{"entry":"moved","seat":1},"events":[],"clocks":[],"new":[1]}'
    assert isinstance(protocol.read(fact), protocol.Fact)
    assert protocol.read(b'{"type":"weather","at":5}') is None
    with pytest.raises(msgspec.ValidationError):
        protocol.read(b'{"type":"fact"}')
    assert ours.read(msgspec.Raw(b'{"entry":"left","seat":1,"why":"bored","new":2}')) == ours.Left(1, "bored")
    assert ours.read(msgspec.Raw(b'{"entry":"danced","seat":1}')) == {"entry": "danced", "seat": 1}


def test_what_another_version_of_a_game_says_stays_plain() -> None:
    words = Vocabulary(Bids())
    known, unknown = msgspec.Raw(b'{"move":"bid","card":3}'), msgspec.Raw(b'{"move":"double"}')
    assert words.moves([known, unknown]) == (Bid(3), {"move": "double"})
    assert words.move({"move": "bid", "card": 3}) == Bid(3)
    assert words.view(msgspec.Raw(b'{"of another kind":1}')) == {"of another kind": 1}
    assert words.view(msgspec.Raw(b"null")) is None
    assert Vocabulary(None).moves([known]) == ({"move": "bid", "card": 3},)
