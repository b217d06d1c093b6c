"""How an option is put to the people who choose it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Meta


def option(
    title: str,
    description: str | None = None,
    *,
    ge: int | None = None,
    le: int | None = None,
    labels: Mapping[Any, str] | None = None,
    unit: Literal["s", "ms"] | None = None,
    zero: str | None = None,
    least: int | None = None,
    when: Mapping[str, Any] | None = None,
    hidden: bool = False,
) -> Meta:
    """``turn: Annotated[int, option("Time for a turn", ge=0, le=600, unit="s", zero="no limit")] = 60``

    ``labels``: what its values are called, where their own names say nothing to a player.
    ``unit``: it is a length of time; people read and choose "1 minute".
    ``zero``: what 0 means, if it is no number like the others. ``least``: the least there is above it.
    ``when``: it makes a difference only while these other options have these values.
    ``hidden``: it is there for programs; people at a page are not asked.

    Texts are English, and looked up on the way out. What JSON Schema has no word for goes into keys ``x-…``.
    """
    named = {json_key(value): label for value, label in (labels or {}).items()}
    if zero is not None:
        named["0"] = zero
    extra = {
        "x-labels": named,
        "x-unit": unit,
        "x-least": least,
        "x-when": dict(when or {}),
        "x-hidden": hidden,
    }
    return Meta(
        title=title,
        description=description,
        ge=ge,
        le=le,
        extra_json_schema={key: value for key, value in extra.items() if value} or None,
    )


def json_key(value: Any) -> str:
    """A value as JSON has it for a key."""
    return str(value).lower() if isinstance(value, bool) else str(value)
