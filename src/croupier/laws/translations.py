"""The law of words: where a game speaks another language, it says everything in it.

What is said is read off the code of the game's package, so that a sentence that is hardly ever said is found too.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
from click import unstyle

from croupier.kernel import OutOfTurn, Words
from croupier.kernel.layout import Field, layout
from croupier.laws.broken import Broken
from croupier.laws.steps import AnyGame

KERNEL = {OutOfTurn().sentence, "you"}
"""What is said by games and known everywhere."""


def check_translations(game: AnyGame) -> int:
    """Everything a game says is there in every language it has a file for, ``fr.json`` beside its rules.

    Returns how many texts were looked up.

    >>> from croupier.games.palace import game
    >>> check_translations(game) > 20
    True
    """
    if (folder := home(game)) is None:
        return 0
    files = _files(folder)
    if not files:
        return 0
    said = {*spoken(folder), *refused(folder), *described(game)} - KERNEL
    for path in files:
        texts = _texts(path)
        _check_missing(game, path, said - texts.keys())
        _check_idle(game, path, texts.keys() - said - literals(folder))
        for text, translation in texts.items():
            _check_one(game, path, text, translation)
    return len(said) * len(files)


def languages(game: AnyGame) -> list[Words]:
    """The languages that a game has a file for. (How they count is not known here: as English does.)"""
    folder = home(game)
    files = [] if folder is None else _files(folder)
    return [Words(path.stem, _texts(path), lambda count: count == 1) for path in files]


class _Silence(Mapping[str, str]):
    """A language without letters: only what is put in by name is left of a text."""

    def __getitem__(self, text: str) -> str:
        return _LETTER.sub(lambda found: found[0] if found[0].startswith("{") else "·", text)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


_LETTER = re.compile(r"\{[^{}]*\}|[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_SILENT = Words("", _Silence(), lambda count: count == 1)


def untranslatable(game: AnyGame, move: Any, view: Any) -> str | None:
    """A word in the label of a move that it has in every language, since nobody has asked for another one.

    >>> from croupier.games.palace import game
    >>> from croupier.kernel import Chance
    >>> state = game.deal(game.Options(), 2, Chance(bytes(32)), 0)
    >>> untranslatable(game, game.moves(state, 0)[0], game.view(state, 0))
    """
    nobody = [str(seat) for seat in range(game.seats[-1])]
    found = _WORD.search(unstyle(game.label(move, view, nobody, _SILENT)))
    return None if found is None else found[0]


def home(game: AnyGame) -> Path | None:
    """The folder of the package that a game is in; None for a module by itself."""
    module = sys.modules[type(game).__module__]
    return Path(module.__file__).parent if module.__package__ and module.__file__ else None


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.json") if len(path.stem) == 2)


def _texts(path: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except msgspec.DecodeError as error:
        raise Broken(
            f"{path.name} can't be read: {error}.", "It is one JSON object, from English texts to others."
        ) from error


def _check_missing(game: AnyGame, path: Path, missing: set[str]) -> None:
    if missing:
        first, *rest = sorted(missing)
        more = f", and {len(rest)} more" if rest else ""
        lines = "".join(f'\n    {json.dumps(text, ensure_ascii=False)}: "",' for text in (first, *rest))
        raise Broken(f"{game.title}: {path.name} has no translation of “{first}”{more}.", f"Add to {path}:{lines}")


def _check_idle(game: AnyGame, path: Path, idle: set[str]) -> None:
    if idle:
        raise Broken(
            f"{game.title}: {path.name} translates “{min(idle)}”, which is never said.",
            "Take it out, or write the key exactly as the code has it. Texts are looked for in the source: one that is "
            "put together there is not found.",
        )


def _check_one(game: AnyGame, path: Path, text: str, translation: str) -> None:
    if not translation.strip():
        raise Broken(f"{game.title}: {path.name} says nothing for “{text}”.", "Translate it.")
    if _fields(translation) != _fields(text):
        raise Broken(
            f"{game.title}: “{text}” in {path.name} does not name the same things: “{translation}”.",
            "What stands in braces is put in by name: a translation has the same names, in any order.",
        )


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def described(game: AnyGame) -> Iterator[str]:
    """What is told about a game before anybody plays it, and what its views are made of."""
    yield game.about
    yield from (bot.about for bot in game.bots.values())
    yield from (step.text for step in game.lesson.steps if step.text) if game.lesson else ()
    for option in msgspec.json.schema_components([game.Options])[1][game.Options.__name__]["properties"].values():
        yield from (option[key] for key in ("title", "description") if key in option)
        yield from option.get("x-labels", {}).values()
    yield from _drawn(layout(game.View))


def _drawn(fields: Iterable[Field]) -> Iterator[str]:
    """What people read on the page of any game beside what a view holds."""
    for field in fields:
        if field.kind == "parts":
            yield from _drawn(field.parts)
        elif field.kind not in ("hidden", "turn"):
            yield from (field.title, *field.labels.values())


def spoken(folder: Path) -> Iterator[str]:
    """The texts that the code in a folder gives to ``words(...)`` and ``words.some(...)``, also out of a table."""
    for module in _modules(folder):
        for call in ast.walk(module):
            match call:
                case ast.Call(ast.Name("words"), [text, *_]):
                    yield from _written(text, module)
                case ast.Call(ast.Attribute(ast.Name("words"), "some"), [_, one, many]):
                    yield from _written(one, module)
                    yield from _written(many, module)


def _written(text: ast.expr, module: ast.Module) -> Iterator[str]:
    """What an expression may be: a text, or any text of one of the module's tables."""
    match text:
        case ast.Constant(str(found)):
            yield found
        case ast.Subscript(ast.Name(table)):
            for line in module.body:
                match line:
                    case ast.AnnAssign(ast.Name(name), value=ast.Dict(values=texts)) if name == table:
                        for each in texts:
                            yield from _written(each, module)
        case _:
            raise Broken(
                f"nobody can look up {ast.unparse(text)} in another language.",
                "`words` is given a text as it is written, or one out of a table of the module: whole sentences, with "
                "names for what is put in.",
            )


def refused(folder: Path) -> Iterator[str]:
    """The sentences with which the code in a folder turns something down, where they are written out there."""
    for module in _modules(folder):
        for call in ast.walk(module):
            match call:
                case ast.Call(ast.Name("Illegal" | "OutOfTurn" | "NoSuchGame"), [sentence, *_]):
                    yield from _reasons(sentence, module)
                case ast.Call(ast.Attribute(_, "said"), [ast.Constant(str(sentence)), *_]):
                    yield sentence
                case ast.Call(ast.Name("Refused"), [_, ast.Constant(str(sentence)), *_]):
                    yield sentence


def _reasons(sentence: ast.expr, module: ast.Module) -> Iterator[str]:
    """What a refusal may say: a sentence, one of two, or whatever a function of the module returns."""
    match sentence:
        case ast.Call(ast.Name(name) | ast.Attribute(_, name)):
            for function in ast.walk(module):
                if isinstance(function, ast.FunctionDef) and function.name == name:
                    for line in ast.walk(function):
                        if isinstance(line, ast.Return) and line.value:
                            yield from _either(line.value)
        case _:
            yield from _either(sentence)


def _either(sentence: ast.expr) -> Iterator[str]:
    match sentence:
        case ast.Constant(str(found)):
            yield found
        case ast.IfExp(body=one, orelse=other):
            yield from _either(one)
            yield from _either(other)


def literals(folder: Path) -> set[str]:
    """Every text in the code of a folder."""
    return {
        node.value
        for module in _modules(folder)
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _modules(folder: Path) -> Iterator[ast.Module]:
    return (ast.parse(path.read_text()) for path in folder.rglob("*.py"))
