"""Write the JSON Schema of the native protocol and of every game, and the web client's types out of it.

    python scripts/generate_types.py          # writes web/src/protocol, and the protocol into the two packages
    python scripts/generate_types.py FOLDER   # writes all of it there instead

The structs of the server are the only definition of what goes over the wire. One file is about the protocol; for
every game there is another, about its moves, events, view and options. Where a game has a ``box.py``, what is in its
box comes along as data, so that the page need not be told the cards a second time.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import json
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as types

from croupier.games import catalogue
from croupier.net import analyses, game_info, lessons, native
from croupier.tables import entries, records, replay

WEB = Path(__file__).parents[1] / "web"
PROTOCOL = WEB / "src" / "protocol"
CLIENT = WEB / "client" / "src" / "protocol"
"""The client has the protocol; each page has its own game."""
TABLE = WEB / "table" / "src" / "protocol"
"""Pages from elsewhere speak of players and clocks, too: their library has the same types, since it comes by itself."""
NATIVE = "native"

Schema = dict[str, Any]


def main(folder: Path | None = None) -> None:
    games, client = (folder, folder) if folder else (PROTOCOL, CLIENT)
    for place in {games, client}:
        place.mkdir(parents=True, exist_ok=True)
        for old in [*place.glob("*.json"), *place.glob("*.ts")]:
            old.unlink()
    for name, box in boxes().items():
        (games / f"{name}.box.json").write_bytes(msgspec.json.format(msgspec.json.encode(box), indent=1) + b"\n")
    for name, schema in schemas().items():
        place = client if name == NATIVE else games
        (place / f"{name}.schema.json").write_text(json.dumps(schema, ensure_ascii=False, indent=2) + "\n")
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("generate_types: the TypeScript half of it takes Node and npm, which are not here")
    if not (WEB / "node_modules").is_dir():
        subprocess.run([npm, "ci"], cwd=WEB, check=True)
    for place in {games, client}:
        subprocess.run([npm, "run", "--silent", "types", "--", str(place.resolve())], cwd=WEB, check=True)
    if folder is None:
        shutil.copy(CLIENT / f"{NATIVE}.ts", TABLE)


def schemas() -> dict[str, Schema]:
    """By file name."""
    said = {
        "Message": native.Said,
        "Entry": entries.AnyEntry,
        "Replay": replay.Replay,
        "GameRecord": records.GameRecord,
        "AnalysisLine": analyses.AnalysisLine,
        "Layout": game_info.Layout,
        "Lesson": lessons.Steps,
    }
    found = {NATIVE: describe(heard={"Request": native.Heard}, said=said)}
    shown = {name: {"Box": type(box)} for name, box in boxes().items()}
    for game in catalogue().games.values():
        found[game.name] = describe(
            heard={"Options": game.Options},
            said={"Move": game.Move, "Event": game.Event, "View": game.View, **shown.get(game.name, {})},
        )
    return found


def boxes() -> dict[str, msgspec.Struct]:
    """What the games have in their boxes, by name."""
    places = {game.name: f"{type(game).__module__.rpartition('.')[0]}.box" for game in catalogue().games.values()}
    return {name: importlib.import_module(at).BOX for name, at in places.items() if importlib.util.find_spec(at)}


def describe(heard: dict[str, Any], said: dict[str, Any]) -> Schema:
    """One file: these types by these names, and all that they are made of.

    Of what clients send (``heard``), fields with a default may be left out. What the server says (``said``) has them
    all, but for structs that omit their defaults.
    """
    named = heard | said
    roots, defs = msgspec.json.schema_components(list(named.values()), ref_template="#/$defs/{name}")
    for name, root in zip(named, roots, strict=True):
        if root != {"$ref": f"#/$defs/{name}"}:
            if name in defs:
                raise ValueError(f"there is a struct {name} already, which is not what goes by that name here")
            defs[name] = root
    for struct in structs(list(named.values())):
        schema = defs[struct.__name__]
        if struct.__name__ != "Options":  # how a view is drawn is asked of the server, in people's language
            for field in schema["properties"].values():
                for hint in ("title", "x-kind", "x-by-seat", "x-labels"):
                    field.pop(hint, None)
        written = dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))
        for field, text in field_docs(struct).items():
            schema["properties"][written[field]].setdefault("description", text)
    for struct in structs(list(said.values())):
        if not struct.__struct_config__.omit_defaults:
            optional = [field.encode_name for field in msgspec.structs.fields(struct) if field.default is msgspec.UNSET]
            defs[struct.__name__]["required"] = [n for n in defs[struct.__name__]["properties"] if n not in optional]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": dict(sorted(defs.items()))}


def structs(roots: list[Any]) -> set[type[msgspec.Struct]]:
    """Every struct that these types are made of."""
    found: set[type[msgspec.Struct]] = set()
    rest: list[types.Type] = list(types.multi_type_info(roots))
    while rest:
        kind = rest.pop()
        if isinstance(kind, types.StructType):
            if kind.cls in found:
                continue
            found.add(kind.cls)
            rest.extend(field.type for field in kind.fields)
        rest.extend(_parts(kind))
    return found


def _parts(kind: types.Type) -> Iterator[types.Type]:
    for name in ("type", "item_type", "key_type", "value_type"):
        part = getattr(kind, name, None)
        if isinstance(part, types.Type):
            yield part
    for name in ("types", "item_types"):
        yield from getattr(kind, name, ())


def field_docs(struct: type[msgspec.Struct]) -> dict[str, str]:
    """What is written under the fields of a struct. Python forgets it, so it is read from the source."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if not issubclass(base, msgspec.Struct) or base is msgspec.Struct:
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                match text:
                    case ast.Expr(ast.Constant(str() as doc)) if field.target.id in struct.__struct_fields__:
                        found[field.target.id] = inspect.cleandoc(doc)
    return found


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
