"""What a game says about itself before anybody plays it."""

from __future__ import annotations

import re

import msgspec

from croupier.kernel import Bot, Customs, UnknownRules
from croupier.laws.broken import Broken, blame
from croupier.laws.steps import AnyGame
from croupier.laws.walking import deal

EXAMPLES = {
    "name": '"hearts"',
    "title": '"Hearts"',
    "about": '"Whoever has the fewest points wins."',
    "seats": "range(3, 6)",
}


def check_introduction(game: AnyGame) -> int:
    """A game has a name and its types, its options have defaults, and any number of people that it allows can be dealt.

    Returns how many versions of its rules it can be played by.

    >>> from croupier.games.palace import game
    >>> check_introduction(game)
    1
    """
    _check_names(game)
    with blame(game):
        _check_options(game)
        _check_types(game)
        _check_seats(game)
        _check_bots(game)
    return _check_versions(game)


def _check_names(game: AnyGame) -> None:
    for what in ("name", "title", "about", "seats"):
        if not getattr(game, what, None):
            raise Broken(f"{type(game).__name__} has no `{what}`.", f"Give its class one: {what} = {EXAMPLES[what]}.")
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", game.name):
        raise Broken(
            f"A game can't be called {game.name!r}.",
            "The name stands in addresses and commands: lowercase letters, digits, - and _. People read the title.",
        )
    if not game.about.endswith("."):
        raise Broken(
            f"{game.title}: `about` is not a sentence: {game.about!r}.",
            "It is one sentence for somebody who chooses what to play, with a full stop.",
        )
    if not isinstance(game.seats, range):
        raise Broken(f"{game.title}: `seats` is {game.seats!r}.", "range(2, 7) is a game for two to six.")
    if not isinstance(game.customs, Customs):
        raise Broken(f"{game.title}: `customs` are {game.customs!r}.", "They are `croupier.kernel.Customs(…)`.")


def _check_options(game: AnyGame) -> None:
    try:
        usual = game.Options()
    except TypeError as error:
        raise Broken(
            f"{game.title}: its options can't be left out: {error}.", "Every field of `Options` has a default."
        ) from error
    if usual != msgspec.json.decode(b"{}", type=game.Options):
        raise Broken(
            f"{game.title}: options that are left out are not the same as `Options()`.",
            "The default of an option is a value, always the same.",
        )
    msgspec.convert(dict(game.usual), game.Options)


def _check_types(game: AnyGame) -> None:
    for kind in ("View", "Options", "Move", "Event"):
        try:
            msgspec.json.schema(getattr(game, kind))
        except TypeError as error:
            raise Broken(
                f"{game.title}: there is no JSON for its type {kind}: {error}.",
                "Types are structs of numbers, texts, lists and other structs; each kind of move and event has its own "
                "name.",
            ) from error


def _check_seats(game: AnyGame) -> None:
    possible = game.seats_for(game.Options())
    if not possible or not set(possible) <= set(game.seats):
        raise Broken(
            f"{game.title}: `seats` are {game.seats}, and with its usual options `seats_for` says {possible}.",
            "`seats` are all numbers of players that there may be, whatever the options.",
        )
    for seats in {possible[0], possible[-1]}:
        state = deal(game, seats, game.Options(), 1)
        views = [game.view(state, seat) for seat in (None, *range(seats))]
        for what, kind, number, made in (("deal", game.State, "first", state), ("view", game.View, "second", views[0])):
            if not isinstance(made, kind):
                raise Broken(
                    f"{game.title}: `{what}` returns {type(made).__name__}.",
                    f"It returns what the class names {number}, in Game[State, View, Options, Move, Event].",
                )


def _check_bots(game: AnyGame) -> None:
    if not game.bots:
        raise Broken(f"{game.title} has no bots.", "Leave `bots` out, and there is the one that plays any legal move.")
    for name, kind in game.bots.items():
        if not issubclass(kind, Bot) or kind.name != name or not kind.about.endswith("."):
            raise Broken(
                f"{game.title}: the bot {name!r} does not introduce itself.",
                f"It is a `Bot` with name = {name!r} and `about`, one sentence for whoever picks an opponent.",
            )


def _check_versions(game: AnyGame) -> int:
    for version in range(1, type(game).rules + 1):
        try:
            found = game.by_rules(version).rules
        except UnknownRules as error:
            raise Broken(
                f"{game.title}: {error}.",
                "A game that has begun goes on by the rules it began with: keep the old rule beside the new one.",
            ) from error
        if found != version:
            raise Broken(
                f"{game.title}: by_rules({version}) plays by version {found}.",
                "Leave `by_rules` to the kernel, and ask `self.rules` where a rule has changed.",
            )
    return type(game).rules
