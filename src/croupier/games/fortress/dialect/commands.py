"""What clients say in the game's own protocol: a JSON object on a line, with a COMMAND among its members.

The checks that need nothing but the line itself are made here, in the order in which the protocol's page lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec


class Command(NamedTuple):
    """A command, with its own fields by their names in capitals. Members that mean nothing to it are left out."""

    name: str
    fields: dict[str, Any]


class Misread(Exception):
    """A line that makes no sense: a code for programs, a sentence for people, and what can be said of the command."""

    def __init__(self, code: str, sentence: str, said: Command | None = None, named: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.said = said
        self.named = named
        """What the command was called, if it had a name."""


def integer(value: Any) -> int | None:
    """D4: 16 and 16.0 are the same; 16.5, "16" and true are no integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


Kind = Callable[[Any], Any]
"""What a value means; None: it is not of this kind."""


class Shape(NamedTuple):
    """The fields that a command needs, and those that it may have."""

    needs: Mapping[str, Kind] = {}
    may: Mapping[str, Kind] = {}


POSITION = _text
"""Whether there is such a position is for the rules to say."""
ANSWER = {"REQUEST_ID": integer}
RESPONSE = {"RESPONDS_TO": integer}
CHOICE = Shape({}, {"CARD_POS": POSITION, "TRIGGER_POS": lambda echo: echo, **ANSWER})
NOTHING = Shape()

COMMANDS: dict[str, Shape] = {
    "JOIN_GAME": NOTHING,  # has refusals of its own
    "TERMINATE_CONN": NOTHING,
    "GET_STATE": NOTHING,
    "GAME_START_MULLIGAN": NOTHING,
    "GAME_START_ACCEPT": NOTHING,
    "RETURN_CARD": Shape({"START_POS": POSITION}),
    "TURN_END": NOTHING,
    "DRAW_CARD": Shape({}, ANSWER),
    "DRAW_CARD_OFFER_IGNORE": Shape({}, ANSWER),
    "PLAY_CARD": Shape(
        {"START_POS": POSITION, "END_POS": POSITION, "CARD_ID": integer}, {"ABILITY_TRIGGERED": _flag, **ANSWER}
    ),
    "ATTACK_CARD": Shape({"ATTACKER": POSITION, "TARGET": POSITION}),
    "LEVEL_MAGE": Shape({"TARGET": POSITION}),
    "LEVEL_MAGE_RESP": Shape({"TARGET": POSITION}, {"OPT": _flag, **ANSWER}),
    "USE_ABILITY": Shape({"CARD_POS": POSITION}, RESPONSE),
    "DESTROY_CARD": Shape({"CARD_POS": POSITION}, {"SOURCE_POS": POSITION, **RESPONSE}),
    "ALLOW_ACTION": NOTHING,
    "ACTIVATE_TRICKSTER": Shape({}, {"TARGET": POSITION, "TRICKSTER_POS": POSITION, "MORE": _flag, **RESPONSE}),
    "TARGET_CARD_RESP": CHOICE,
    "CHOOSE_COST_RESP": CHOICE,  # D38: what older clients call it
    "DIAG_RESP": Shape({"BOOL": _flag}, ANSWER),
}
ONE_OF: dict[str, tuple[str, ...]] = {"ACTIVATE_TRICKSTER": ("TARGET", "TRICKSTER_POS")}
"""D31: of these, one has to be there."""
NULLABLE: dict[str, str] = dict.fromkeys(("TARGET_CARD_RESP", "CHOOSE_COST_RESP"), "CARD_POS")
"""Has to be there, but may be null, which declines."""


def read(line: bytes) -> Command:
    """Raises ``Misread``."""
    try:
        message = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Misread("INVALID_JSON", "that is no JSON") from None
    if not isinstance(message, dict):
        raise Misread("NOT_AN_OBJECT", "a message is a JSON object")
    given = in_capitals(message)
    command = given.get("COMMAND")
    if not isinstance(command, str):
        raise Misread("MISSING_COMMAND", "a message has a COMMAND, which is a string")
    if command not in COMMANDS:
        raise Misread("UNKNOWN_COMMAND", "there is no such command for clients", named=command)
    return Command(command, given) if command == "JOIN_GAME" else _checked(command, given)


def in_capitals(message: Mapping[str, Any]) -> dict[str, Any]:
    """D3: keys count in any case; of two that differ in that only, the one in capitals."""
    return {key.upper(): value for key, value in sorted(message.items(), key=lambda item: item[0].isupper())}


def _checked(command: str, given: Mapping[str, Any]) -> Command:
    needs, may = COMMANDS[command]
    fields = {name: given[name] for name in (*needs, *may) if given.get(name) is not None}
    said = Command(command, fields)
    nullable = NULLABLE.get(command)
    missing = [name for name in needs if name not in fields]
    if nullable is not None and nullable not in given:
        missing.append(nullable)
    if command in ONE_OF and not any(name in fields for name in ONE_OF[command]):
        missing.append(ONE_OF[command][0])
    if missing:
        raise Misread("BAD_FIELDS", f"{missing[0]} is missing", said)
    read = {name: (needs.get(name) or may[name])(value) for name, value in fields.items()}
    wrong = [name for name, value in read.items() if value is None]
    if wrong:
        raise Misread("BAD_FIELDS", f"{wrong[0]} can't be that", said)
    return Command(command, read)
