"""What people are told about an option reaches the page in their language, and changes nothing for programs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from croupier.games import catalogue
from croupier.kernel import Words, option
from croupier.net import game_info


class Options(msgspec.Struct, frozen=True):
    turn: Annotated[int, option("Turn", ge=0, le=600_000, unit="ms", zero="no limit", least=1000)] = 60_000
    ties: Annotated[Literal["shared", "lowest"], option("Ties", "Who wins.", labels={"shared": "Nobody"})] = "shared"
    rounds: Annotated[int, option("Rounds", when={"ties": "lowest"})] = 8
    token: Annotated[bool, option("Token", hidden=True)] = False


def schema(words: Words) -> dict[str, Any]:
    found = msgspec.json.schema_components([Options])[1]["Options"]
    explained: dict[str, Any] = game_info.explained(found, words)["properties"]
    return explained


def test_what_people_read_is_translated() -> None:
    french = Words("fr", {"no limit": "sans limite", "Nobody": "Personne", "Who wins.": "Qui gagne."}, lambda n: n < 2)
    found = schema(french)
    assert found["turn"]["x-labels"] == {"0": "sans limite"}
    assert found["ties"]["x-labels"] == {"shared": "Personne"}
    assert found["ties"]["description"] == "Qui gagne."


def test_what_pages_need_to_know_is_in_the_schema() -> None:
    found = schema(Words("en", {}, lambda n: n == 1))
    assert found["turn"] | {"x-unit": "ms", "x-least": 1000, "minimum": 0, "maximum": 600_000} == found["turn"]
    assert found["rounds"]["x-when"] == {"ties": "lowest"}
    assert found["token"]["x-hidden"] is True
    assert not [key for key in found["ties"] if key in ("x-unit", "x-least", "x-when", "x-hidden")]


def test_decoding_keeps_to_the_limits() -> None:
    assert msgspec.convert({"turn": 0}, Options).turn == 0
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"turn": 600_001}, Options)


@pytest.mark.parametrize("game", catalogue().games.values(), ids=lambda game: game.name)
def test_how_many_can_play_is_said_with_the_option_that_decides_it(game: Any) -> None:
    for name, described in game_info.describe(game).options["properties"].items():
        for value, (fewest, most) in described.get("x-seats", {}).items():
            plain = {"true": True, "false": False}.get(value, value)
            seats = game.seats_for(game.Options(**{**game.usual, name: plain}))
            assert (seats[0], seats[-1]) == (fewest, most)
    if game.seats_for(game.Options()) != game.seats:
        assert any("x-seats" in described for described in game_info.describe(game).options["properties"].values())
