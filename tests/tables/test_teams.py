"""Partners: who plays with whom, choosing a place, and results by team."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier import laws
from croupier.games import Catalogue
from croupier.kernel import Customs, Result
from croupier.tables import entries
from croupier.tables.entries import Joined, Opened, Reseated
from croupier.tables.table import Table
from tests import pairs
from tests.client import Client, Refusal, client
from tests.live import server
from tests.pairs import Lay, Options, Pairs
from tests.toys import Bids


class Shuffled(Pairs):
    name = "shuffled"
    customs = Customs(seating="shuffled")


GAMES = Catalogue({game.name: game for game in (Pairs(), Shuffled(), Bids())}, [])


async def refused(person: Client, kind: str, **fields: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        await person.ask(kind, **fields)
    return str(refusal.value.code)


async def test_partners_choose_their_places(tmp_path: Path) -> None:
    async with (
        server(tmp_path, GAMES, bot_delay=0) as live,
        client(live.ws("/ws")) as ann,
        client(live.ws("/ws")) as ben,
        client(live.ws("/ws")) as cleo,
    ):
        table = (await ann.ask("open", game="pairs", player="Ann", seats=4))["sync"]["table"]
        assert table["teams"] == [[0, 2], [1, 3]]
        await ben.ask("join", table=ann.table, player="Ben")
        await cleo.ask("watch", table=ann.table)
        assert await refused(cleo, "sit", seat=2) == "not_seated"
        assert await refused(ben, "sit", seat=0) == "seat_taken"
        assert await refused(ben, "sit", seat=4) == "no_such_seat"
        await ben.ask("sit", seat=2)
        told = await ben.entry("reseated")
        assert (told["entry"], told["seat"]) == ({"entry": "reseated", "seat": 1, "to": 2}, 2)
        assert (await ann.entry("reseated"))["seat"] == 0
        assert "seat" not in await cleo.entry("reseated")
        assert [(player["seat"], player["name"]) for player in told["table"]["players"]] == [(0, "Ann"), (2, "Ben")]
        await ben.ask("sit", seat=2)  # where they are
        await ann.ask("add_bots", count=2)
        await ann.ask("sit", seat=3)  # a bot's
        seats = {player["name"]: player["seat"] for player in (await ben.ask("see"))["sync"]["table"]["players"]}
        assert (seats["Ann"], seats["Ben"], sorted(seats.values())) == (3, 2, [0, 1, 2, 3])
        await ann.ask("sit", seat=0)
        await ben.ask("say", text="where am I?")
        assert (await ann.entry("said"))["entry"]["seat"] == 2
        await ann.ask("start")
        for person, seat in ((ann, 0), (ben, 2)):
            begun = await person.entry("started")
            assert (begun["seat"], begun["table"]["teams"]) == (seat, [[0, 2], [1, 3]])
            of = begun["forms"][0]["fields"]["cards"]["of"]
            await person.ask("play", move={"move": "lay", "cards": of[:3]})
        assert await refused(ben, "sit", seat=1) == "started"
        await ann.hear(lambda told: bool(told.get("forms")))
        await ann.ask("play", move={"move": "give", "points": 20, "seat": 2})
        end = await ben.hear(lambda told: "result" in told)
        result = end["result"]
        assert result["teams"] == [[0, 2], [1, 3]]
        assert sorted(map(sorted, result["placings"])) in ([[0, 2], [1, 3]], [[0, 1, 2, 3]])
        assert result["scores"][0] == result["scores"][2]


@pytest.mark.parametrize(("game", "options"), [("bids", {}), ("shuffled", {}), ("pairs", {"partners": False})])
async def test_elsewhere_it_makes_no_difference(tmp_path: Path, game: str, options: dict[str, Any]) -> None:
    async with server(tmp_path, GAMES) as live, client(live.ws("/ws")) as ann:
        table = (await ann.ask("open", game=game, player="Ann", seats=4, options=options))["sync"]["table"]
        assert ("teams" in table) == (game == "shuffled")
        assert await refused(ann, "sit", seat=2) == "no_places"


async def test_a_place_is_kept_through_a_restart_and_the_game_before_it_is_seen_as_it_was(tmp_path: Path) -> None:
    async with server(tmp_path, GAMES) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as ben:
        await ann.ask("open", game="pairs", player="Ann", seats=4)
        await ben.ask("join", table=ann.table, player="Ben")
        await ann.ask("start")
        for person in (ann, ben):
            begun = await person.entry("started")
            assert "teams" not in begun["table"], "two of them are none"
            of = begun["forms"][0]["fields"]["cards"]["of"]
            await person.ask("play", move={"move": "lay", "cards": of[:3]})
        await ann.ask("play", move={"move": "give", "points": 20, "seat": 1})
        scores = (await ben.hear(lambda told: "result" in told))["result"]["scores"]
        await ben.ask("sit", seat=3)
        sync = (await ben.ask("see"))["sync"]
        assert sync["view"]["hand"] == [], "those of seat 3 would be somebody else's"
        assert [(player["seat"], player["name"]) for player in sync["table"]["cast"]] == [(0, "Ann"), (1, "Ben")]
        assert [player["score"] for player in sync["table"]["players"]] == scores
    async with server(tmp_path, GAMES) as live, client(live.ws("/ws")) as again:
        sync = (await again.ask("return", table=ann.table, token=ben.token))["sync"]
        assert sync["seat"] == 3


class Here:
    def __init__(self, *names: str) -> None:
        self.table = Table("t", Pairs())
        self.at = 0
        self.happens(Opened("pairs", "T", 4, Options(), edition=entries.EDITION))
        for number, name in enumerate(names):
            self.happens(Joined(number, name, token=name))

    def happens(self, entry: entries.AnyEntry) -> None:
        self.at += 1
        self.table.apply(entries.decode(entries.encode(entry)), self.at)

    def plays(self, seed: int) -> list[int]:
        """A game; the totals with which it began."""
        table = self.table
        self.happens(entries.Started(tuple(table.seats), bytes([seed] * 32)))
        began = list(table.state.totals)
        for seat in range(4):
            self.happens(entries.Moved(seat, Lay(tuple(table.state.hands[seat][:3]))))
        dealer = table.state.dealer
        self.happens(entries.Moved(dealer, pairs.Give(1, (dealer + 1) % 4)))
        assert table.phase == "waiting"
        return began


@pytest.mark.parametrize(
    ("swaps", "goes_on"), [([], True), ([(0, 1), (2, 3)], True), ([(0, 2)], True), ([(0, 1)], False)]
)
def test_a_match_of_partners_goes_on_while_they_stay_together(swaps: list[tuple[int, int]], goes_on: bool) -> None:
    here = Here("Ann", "Ben", "Cleo", "Dan")
    assert here.plays(1) == [0] * 4
    totals = {seat.name: total for seat, total in zip(here.table.lineup, here.table.state.totals, strict=True)}
    for one, other in swaps:
        here.happens(Reseated(one, other))
    names = [seat.name for seat in here.table.seats.values()]
    assert here.plays(2) == ([totals[name] for name in names] if goes_on else [0] * 4)


@pytest.mark.parametrize(
    ("result", "splits"),
    [
        (Result(((0, 2), (1, 3)), teams=((0, 2), (1, 3))), False),
        (Result(((0, 1, 2, 3),), teams=((0, 2), (1, 3))), False),
        (Result(((0,), (2,), (1, 3)), teams=((0, 2), (1, 3))), True),
        (Result(((0, 1), (2, 3)), teams=((0, 2), (1, 3))), True),
        (Result(((0,), (1,))), False),
    ],
)
def test_no_team_is_split(result: Result, splits: bool) -> None:
    assert result.splits == splits


def test_results_by_score() -> None:
    assert Result.by_score([3, None, 5, 3]) == Result(((2,), (0, 3), (1,)), (3, None, 5, 3))
    assert Result.by_score([3, 5], lowest=True) == Result(((0,), (1,)), (3, 5))
    teams = ((0, 3), (1,), (2, 4))
    by_team = Result.by_score([7, 9, 7], teams)
    assert by_team == Result(((1,), (0, 2, 3, 4)), (7, 9, 7, 7, 7), teams)
    assert by_team.sides == [((1,),), ((0, 3), (2, 4))]


class Selfish(Pairs):
    """Its result is by seat."""

    def result(self, state: pairs.State) -> Result | None:
        return None if super().result(state) is None else Result.by_score([1, 2, 3, 4])


def test_the_laws_notice_a_result_that_is_not_by_team() -> None:
    with pytest.raises(AssertionError, match="the result is not by team"):
        laws.check_liveness(Selfish(), 4, Options(), 1)
