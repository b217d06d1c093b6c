"""House rules, match and lobby settings as Cambia's own protocol writes and changes them."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from croupier.games.cambia.dialect.messages import Json, Misunderstood
from croupier.games.cambia.options import Options
from croupier.tables.lobby_options import Lobby


def camel(name: str) -> str:
    """
    >>> camel("turn_timer_sec")
    'turnTimerSec'
    """
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


FIELDS = Options.__struct_fields__
_match = FIELDS.index("circuit")
HOUSE = {camel(name): name for name in FIELDS[:_match]}
MATCH = {"enabled": "circuit", "mode": "circuit_mode"}
MATCH_RULES = {camel(name): name for name in FIELDS[_match + 2 :]}
SETTINGS = {"autoStart": "auto_start", "countdownSec": "countdown"}

_TYPES = get_type_hints(Options, include_extras=True)
_LONGEST_COUNTDOWN = 60


class Change(msgspec.Struct):
    """What somebody wants to have changed, by the names of the fields."""

    options: Json
    lobby: Json


def house_rules(options: Options) -> Json:
    return {wire: getattr(options, name) for wire, name in HOUSE.items()}


def circuit(options: Options) -> Json:
    rules = {wire: getattr(options, name) for wire, name in MATCH_RULES.items()}
    return {**{wire: getattr(options, name) for wire, name in MATCH.items()}, "rules": rules}


def settings(lobby: Lobby) -> Json:
    return {wire: getattr(lobby, name) for wire, name in SETTINGS.items()}


def changed(asked: Any, options: Options) -> Change:
    """Partial objects, all or nothing. Raises ``Misunderstood`` and names what is wrong; unknown keys are let be."""
    if not isinstance(asked, dict):
        raise bad("rules")
    rules = _part(asked, "houseRules", "house_rules")
    match = _part(asked, "circuit")
    lobby = _part(asked, "settings", "lobbySettings")
    if rules is None and match is None and lobby is None:
        rules = asked  # D78
    found = Change({}, {})
    _take(rules or {}, HOUSE, found.options)
    _take(match or {}, MATCH, found.options)
    if match and match.get("rules") is not None:
        if not isinstance(match["rules"], dict):
            raise bad("rules")
        _take(match["rules"], MATCH_RULES, found.options)
    for wire, name in SETTINGS.items():
        value = (lobby or {}).get(wire)
        if value is not None:
            found.lobby[name] = _setting(wire, value)
    try:
        msgspec.convert(msgspec.to_builtins(options) | found.options, Options)
    except msgspec.ValidationError:
        raise bad("initialViewCount") from None
    return found


def bad(key: str) -> Misunderstood:
    return Misunderstood("bad_rules", f"{key} can't be that.")


def _part(asked: Json, *names: str) -> Json | None:
    for name in names:
        part = asked.get(name)
        if part is not None:
            if not isinstance(part, dict):
                raise bad(name)
            return part
    return None


def _take(given: Json, known: dict[str, str], found: Json) -> None:
    for wire, name in known.items():
        value = given.get(wire)
        if value is None:
            continue
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        try:
            found[name] = msgspec.convert(value, _TYPES[name])
        except msgspec.ValidationError:
            raise bad(wire) from None


def _setting(wire: str, value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if wire == "autoStart":
        if not isinstance(value, bool):
            raise bad(wire)
    elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LONGEST_COUNTDOWN:
        raise bad(wire)
    return value
