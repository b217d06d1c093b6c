"""Somebody who follows docs/tutorial.md to the letter.

A block of code with a title goes into the file of that name. The first one is the file; later ones show classes,
methods, values and imports that take the place of what had their name, and whatever is new goes before the last class
or function of the file, or to the end of the class it is shown in. Commands are run in turn, and what is shown below
them has to be in what they print; "…" stands for anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
_FENCE = re.compile(r'^```(\w+)(?: title="(.+?)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    kind: str
    file: str
    text: str


def blocks() -> list[Block]:
    return [Block(kind, file, text) for kind, file, text in _FENCE.findall(PAGE.read_text())]


def write(folder: Path, block: Block) -> None:
    """Do with a file what the page says."""
    file = folder / block.file
    begins = file.suffix != ".py" or block.text.startswith('"""')
    file.write_text(block.text if begins else changed(file.read_text(), block.text))


def changed(source: str, shown: str) -> str:
    """A file in which what is shown has taken its place."""
    file = dict(_pieces(source, ast.parse(source).body))
    last = [name for name in file if name.startswith(("class ", "def "))][-1]
    for name, text in _pieces(shown, ast.parse(shown).body):
        if name not in file:
            where = list(file)[1] if name.startswith(("from ", "import ")) else last
            file = _inserted(file, where, name, text)
        else:
            file[name] = _merged(file[name], text) if _is_part(name) else text
    return "\n\n".join(file.values()) + "\n"


def _inserted(file: dict[str, str], where: str, name: str, text: str) -> dict[str, str]:
    """With something new before what is called ``where``."""
    places = list(file.items())
    at = list(file).index(where)
    return dict([*places[:at], (name, text), *places[at:]])


def _is_part(name: str) -> bool:
    """Of the game's class only what is new is shown; others are shown whole."""
    return name.startswith("class ") and name.endswith("Game")


def _merged(source: str, shown: str) -> str:
    old, new = ast.parse(source).body[0], ast.parse(shown).body[0]
    assert isinstance(old, ast.ClassDef)
    assert isinstance(new, ast.ClassDef)
    members = dict(_pieces(source, old.body)) | dict(_pieces(shown, new.body))
    values = [text for name, text in members.items() if not name.startswith("def ")]
    methods = [text for name, text in members.items() if name.startswith("def ")]
    head = source.splitlines()[0]
    return "\n\n".join([head + "\n" + "\n".join(values), *methods])


def _pieces(source: str, body: list[ast.stmt]) -> list[tuple[str, str]]:
    """What a module or a class is made of, by name. A text below a value belongs to it."""
    found: list[tuple[str, str]] = []
    for node in body:
        if isinstance(node, ast.Expr) and found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{_text(source, node)}")
        else:
            found.append((_name(node), _text(source, node)))
    return found


def _text(source: str, node: ast.stmt) -> str:
    return "\n".join(source.splitlines()[node.lineno - 1 : node.end_lineno])


def _name(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name):
            return f"class {name}"
        case ast.FunctionDef(name):
            return f"def {name}"
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return name
        case ast.ImportFrom(module):
            return f"from {module}"
        case ast.Import([ast.alias(name)]):
            return f"import {name}"
    return ""


def definitions(source: str) -> dict[str, str]:
    """What a module says, whatever the order and the looks: each class, method, function and value."""

    def found(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, str]]:
        for node in body:
            if isinstance(node, ast.ClassDef) and _is_part(_name(node)):
                yield from found(node.body, f"{node.name}.")
            elif (name := _name(node)) and not name.startswith(("from ", "import ")):
                yield prefix + name, ast.unparse(_without_docstrings(node))

    return dict(found(ast.parse(source).body, ""))


def _without_docstrings(node: ast.stmt) -> ast.stmt:
    for inner in ast.walk(node):
        if isinstance(inner, ast.ClassDef | ast.FunctionDef):
            inner.body = [each for each in inner.body if not isinstance(each, ast.Expr)] or [ast.Pass()]
    return node
