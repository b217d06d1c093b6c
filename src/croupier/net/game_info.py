"""What clients are told about games: in the welcome, and by the API."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.kernel import Searcher, Strength, Words
from croupier.kernel.layout import Field, layout, translated
from croupier.kernel.options import json_key
from croupier.net import game_pages, lessons
from croupier.tables import languages
from croupier.tables.table import AnyGame

Layout = tuple[Field, ...]


class BotInfo(msgspec.Struct, frozen=True):
    name: str
    about: str
    strength: Strength


class NameInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """What people may be called at a game's tables."""

    longest: int
    """Characters."""
    pattern: str = ""
    """A regular expression for the whole name; left out: any will do."""
    hint: str = ""
    """The pattern in words."""


class GameInfo(msgspec.Struct, frozen=True):
    name: str
    title: str
    about: str
    fewest: int
    most: int
    """Whatever the options are; ``x-seats`` of an option says for how many it is where its values differ in that."""
    options: dict[str, Any]
    """JSON Schema of the game's options, with defaults, limits and descriptions; see docs/write-your-own-game.md for
    its keys ``x-…``."""
    bots: tuple[BotInfo, ...]
    """The usual one first."""
    naming: NameInfo
    sounds: tuple[str, ...]
    """What people may let everybody at a table hear, unless its options forbid it (``quiet``)."""
    page: str | None
    """The address of a page of the game's own, a module of JavaScript; null: the client's own page will do."""
    emblem: str | None
    """The address of a drawing for the lobby, 320 by 180; null: the client has one, or makes one up."""
    rules: str | None
    """The address of how it is played, as HTML; null: nobody has written that down."""
    lesson: str | None
    """The address of the game's lesson, for clients that can teach it; null: there is none."""
    step: int = 1
    """From one number of players to the next: 2, for a game of two or four."""


def describe(game: AnyGame, language: str = "en", ahead: bool = True) -> GameInfo:
    """``ahead``: whether bots can look ahead here. Those that do are not offered where they would play like others."""
    schema = msgspec.json.schema_components([game.Options])[1]
    words = languages.words(language, game)
    options = explained(schema[game.Options.__name__], words)
    for name, option in options["properties"].items():
        if name in game.usual:
            option["default"] = game.usual[name]
        if seats := _seats(game, name, option):
            option["x-seats"] = seats
    naming = game.customs.naming
    return GameInfo(
        name=game.name,
        title=game.title,
        about=words.said(game.about),
        fewest=game.seats[0],
        most=game.seats[-1],
        options=options,
        bots=tuple(
            BotInfo(name, words.said(bot.about), bot.strength)
            for name, bot in game.bots.items()
            if ahead or not issubclass(bot, Searcher)
        ),
        naming=NameInfo(naming.longest, naming.pattern, words.said(naming.hint)),
        sounds=tuple(game.sounds(game.Options(**game.usual))),
        page=game_pages.page_address(game),
        emblem=game_pages.emblem_address(game),
        rules=game_pages.rules_address(game, language),
        lesson=lessons.address(game, language),
        step=game.seats.step,
    )


def explained(schema: dict[str, Any], words: Words) -> dict[str, Any]:
    """The schema in the words of people's language; an option is called by its name where nothing else is said."""
    found = {}
    for name, option in schema["properties"].items():
        title = option.get("title", name.replace("_", " ").capitalize())
        found[name] = option | {"title": words.said(title)}
        if "description" in option:
            found[name]["description"] = words.said(option["description"])
        if "x-labels" in option:
            found[name]["x-labels"] = {value: words.said(label) for value, label in option["x-labels"].items()}
    return schema | {"properties": found}


def laid_out(game: AnyGame, language: str = "en") -> Layout:
    """What the fields of its views are, for those who draw games that they don't know."""
    return translated(layout(game.View), languages.words(language, game))


def _seats(game: AnyGame, name: str, option: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """The fewest and the most who can play with each value of an option, if it makes a difference."""
    found = {}
    for value in (False, True) if option.get("type") == "boolean" else option.get("enum", ()):
        try:
            seats = game.seats_for(game.Options(**{name: value}))
        except ValueError:  # not without another option
            continue
        found[json_key(value)] = (seats[0], seats[-1])
    return found if len(set(found.values())) > 1 else {}
