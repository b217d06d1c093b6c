"""A game whose moves are forms, at a live table: told to clients, filled in by people, bots and time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from croupier.games import Catalogue
from croupier.kernel import Bot, Customs, Dice
from tests.client import Client, Refusal, client
from tests.live import server
from tests.pairs import Lay, Pairs


class Highest(Bot):
    """Fills in the form by itself: it was offered only some of the ways."""

    name, about = "highest", "Lays the highest cards."

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return Lay(tuple(view.hand[-3:])) if view.phase == "lay" else moves[0]


class Cheat(Bot):
    name, about = "cheat", "Lays what it has not."

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return Lay((99, 100, 101))


class PairsWithBots(Pairs):
    bots: Mapping[str, type[Bot]] = {"highest": Highest, "cheat": Cheat}
    customs = Customs(late="stand_in", absent="stand_in")


GAMES = Catalogue({"pairs": PairsWithBots()}, [])


async def lay(person: Client, form: dict[str, Any]) -> dict[str, Any]:
    assert form["move"] == "lay" and form["fields"]["cards"]["kind"] == "some_of"
    cards = form["fields"]["cards"]
    assert (len(cards["of"]), cards["least"], cards["most"]) == (13, 3, 3)
    return await person.ask("play", move={"move": "lay", "cards": cards["of"][5:8]})


async def test_people_and_bots_fill_in_forms(tmp_path: Path) -> None:
    async with server(tmp_path, GAMES, bot_delay=0) as live, client(live.ws("/ws")) as ann:
        await ann.ask("open", game="pairs", player="Ann", seats=4)
        await ann.ask("add_bots", count=2, bot="highest")
        await ann.ask("add_bots", count=1, bot="cheat")
        await ann.ask("start")
        begun = await ann.entry("started")
        assert not begun.get("moves")
        for wrong in ([], [1, 2, 3, 4], [0, 0, 0], "all of them"):
            try:
                await ann.ask("play", move={"move": "lay", "cards": wrong})
            except Refusal as refusal:
                assert refusal.code in ("illegal", "bad_move")
            else:
                raise AssertionError
        assert (await ann.ask("see"))["sync"]["forms"] == begun["forms"]
        await lay(ann, begun["forms"][0])
        shown = await ann.hear(lambda told: any(event["event"] == "shown" for event in told["events"]))
        laid = next(event["laid"] for event in shown["events"] if event["event"] == "shown")
        assert laid[0] == begun["forms"][0]["fields"]["cards"]["of"][5:8]
        room = live.house.rooms[ann.table]
        for seat in (1, 2):
            assert min(laid[seat]) > max(room.table.state.hands[seat]), "what the bot wanted"
        assert len(laid[3]) == 3, "and a legal move of one that does not know the rules"
        (give,) = shown["forms"]
        assert give["fields"] == {
            "points": {"kind": "number_in", "least": 1, "most": 20},
            "seat": {"kind": "one_of", "of": [1, 2, 3]},
        }
        await ann.ask("play", move={"move": "give", "points": 20, "seat": 2})
        end = await ann.hear(lambda told: "result" in told)
        assert not end.get("forms")


async def test_a_bot_stands_in_for_somebody_who_is_late(tmp_path: Path) -> None:
    async with (
        server(tmp_path, GAMES, bot_delay=0, test_clock_speed=200) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as ben,
    ):
        await ann.ask("open", game="pairs", player="Ann", seats=2)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("start")
        await ann.entry("stood_in")
        end = await ann.hear(lambda told: "result" in told)
        assert sum(end["result"]["scores"]) > 0
