"""Hints for people who play against bots alone: at a real server, with real thinkers. Only time is the tests' own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from croupier.games import Catalogue, catalogue
from croupier.games.faraway import Faraway
from croupier.games.faraway.search import Cartographer
from croupier.games.palace import Palace
from croupier.games.palace.search import Chancellor
from croupier.kernel import Bot, Budget, Customs, Dice, Event, RandomBot
from croupier.net.thinking import ThinkingPool
from croupier.tables import hints
from croupier.tables.loading import read_after
from tests.client import Client, Json, Refusal
from tests.searchers import Cheating, Crashing, Endless, Folder, Lowest, Raising, Thoughtful
from tests.tables.test_thinking import Evening, evening, until
from tests.toys import Bids


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


class Witness(Bot):
    """Bids its highest card, and keeps what it has seen."""

    name, about, strength = "witness", "Bids its highest card.", "strong"
    last: ClassVar[Witness]

    def __init__(self) -> None:
        self.seen: list[Any] = []
        Witness.last = self

    def observe(self, seat: int, events: Sequence[Event]) -> None:
        self.seen += events

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        return moves[-1]


class Dumb(Witness):
    name, about = "dumb", "Can't say anything."

    def choose(self, seat: int, view: Any, moves: Sequence[Any], dice: Dice) -> Any:
        raise ValueError


def advised_by(*kinds: type[Bot], game: type[Bids] = Bids) -> Catalogue:
    """Bids, with bots of these kinds, and the lowest cards for opponents."""

    advised = game()
    every: tuple[type[Bot], ...] = (Lowest, *kinds)
    advised.bots = {kind.name: kind for kind in every}
    return Catalogue({"bids": advised}, [])


class Relieved(Bids):
    """A bot plays on for who leaves, and they may come back."""

    customs = Customs(absent="stand_in", late="stand_in")


async def hint(person: Client) -> Json:
    """The hint that is given, when it has been thought about."""
    reply = await person.ask("hint")
    assert set(reply) <= {"type", "id", "at"}
    return await person.hear(lambda message: message["type"] == "hinted")


async def refused(person: Client) -> str:
    with pytest.raises(Refusal) as refusal:
        await person.ask("hint")
    return str(refusal.value.code)


async def bids(here: Evening, person: Client, **move: Any) -> None:
    """The person bids the lowest card or another one, and the bots do when their time has come."""
    await play(here, person, **move)
    await here.clock.to_pass(20)
    await person.ask("list")  # all that was told is here then


async def play(here: Evening, person: Client, **move: Any) -> Json:
    hand = here.room(person).table.state.hands[seat(here, person)]
    return await person.ask("play", move={"move": "bid", "card": hand[0]} | move)


def seat(here: Evening, person: Client) -> int:
    (found,) = [each.number for each in here.room(person).table.people]
    return found


def hand(here: Evening, person: Client) -> list[int]:
    return here.room(person).table.state.hands[seat(here, person)]  # type: ignore[no-any-return]


def pool(here: Evening) -> ThinkingPool:
    return here.pool


async def offered(person: Client) -> bool:
    """Whether the seat is told that there are hints now."""
    return bool((await person.ask("see"))["sync"]["hints"])


async def test_what_the_strongest_bot_would_do_from_what_the_seat_knows(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("lowest")
        assert await offered(ann)
        before = here.room(ann).table.seq
        folder.open_gate()
        found = await hint(ann)
        assert found["move"] == {"move": "bid", "card": max(hand(here, ann))}
        assert found["label"] == f"bid › {max(hand(here, ann))}"
        assert found["seq"] == before
        (thought,) = folder.thoughts()
        assert thought["seat"] == seat(here, ann)
        assert (here.pool.questions, here.pool.fallbacks) == (1, 0)
        await ann.ask("play", move=found["move"])


async def test_the_game_goes_on_as_if_nobody_had_asked(folder: Folder, tmp_path: Path) -> None:
    folder.open_gate()
    logs, ends = [], []
    for number, asks in enumerate((False, True)):
        async with evening(tmp_path / str(number)) as here:
            ann, bob = await here.sits_down("lowest"), await here.comes()
            await bob.ask("watch", table=ann.table)
            room, told = here.room(ann), len(bob.told)
            while room.table.phase == "playing":
                if seat(here, ann) not in room.table.awaited():
                    await here.clock.to_pass(20)
                    continue
                if asks:
                    before = room.table.seq, room.table.fingerprint()
                    assert (await hint(ann))["move"]
                    assert (room.table.seq, room.table.fingerprint()) == before
                    assert await bob.silent(), "nobody else is told"
                await bids(here, ann)
                await bob.ask("list")
                while len(bob.told) > told:
                    await bob.hear()
                    told += 1
            ends.append(room.table.fingerprint())
            log = await read_after(here.live.house.journal, ann.table, 0)
            logs.append([record.entry for record in log if b'"moved"' in record.entry])
    assert ends[0] == ends[1]
    assert logs[0] == logs[1] and len(logs[0]) == 8


@pytest.mark.parametrize(("game", "kind"), [(Palace, Chancellor), (Faraway, Cartographer)])
async def test_how_good_the_best_moves_are(
    tmp_path: Path, game: type[Any], kind: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "budget", Budget(nodes=30))
    games = Catalogue({game.name: game()}, [])
    async with evening(tmp_path, games=games) as here:
        ann = await here.comes()
        await ann.ask("open", game=game.name, player="Ann", seats=2)
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        while not await offered(ann):
            await here.clock.to_pass(20)
        found = await hint(ann)
        best = found["weighed"][0]
        assert (best["move"], best["label"]) == (found["move"], found["label"])
        assert 1 < len(found["weighed"]) <= 3
        for each in found["weighed"]:
            assert set(each) == {"move", "label", "points" if game is Faraway else "chance"}
            assert 0 <= each.get("chance", 0.5) <= 1
        await ann.ask("play", move=found["move"])


@pytest.mark.parametrize("name", catalogue().games)
async def test_every_game_has_hints_that_are_moves(tmp_path: Path, name: str) -> None:
    async with evening(tmp_path, games=catalogue(), thinkers=0) as here:
        ann = await here.comes()
        await ann.ask("open", game=name, player="Ann", seats=2)
        await ann.ask("add_bots", count=1)
        sync = (await ann.ask("start")) and (await ann.ask("see"))["sync"]
        given = 0
        while given < 6 and sync["table"]["phase"] == "playing":
            if sync["hints"]:
                found = await hint(ann)
                assert found["label"]
                await ann.ask("play", move=found["move"])
                given += 1
            elif sync["seat"] in sync["awaited"]:
                await ann.ask("proceed")
            else:
                await here.clock.to_pass(20)
            sync = (await ann.ask("see"))["sync"]
        assert given


async def test_without_thinkers_the_strongest_quick_bot_is_asked(tmp_path: Path) -> None:
    async with evening(tmp_path, thinkers=0, games=advised_by(Witness, Thoughtful)) as here:
        ann = await here.sits_down("lowest")
        assert (await hint(ann))["move"]["card"] == max(hand(here, ann))


@pytest.mark.parametrize("kind", [Raising, Crashing, Cheating])
async def test_where_a_searcher_fails_its_fallback_is_asked(folder: Folder, kind: type[Bot]) -> None:
    async with evening(folder.path, games=advised_by(kind)) as here:
        ann = await here.sits_down("lowest")
        assert (await hint(ann))["move"]["card"] == min(hand(here, ann))


async def test_who_takes_too_long_is_not_waited_for(folder: Folder) -> None:
    async with evening(folder.path, games=advised_by(Endless)) as here:
        ann = await here.sits_down("lowest")
        await here.clock.to_pass(20)  # the other one has bid, and nothing else comes between
        await ann.ask("hint")
        await until(lambda: bool(folder.thoughts()))
        await here.clock.to_pass(1 + hints.PATIENCE / 1000)
        found = await ann.hear(lambda message: message["type"] == "hinted")
        assert found["move"]["card"] == min(hand(here, ann))
        await until(lambda: here.pool.thinking == 0)


async def test_where_nobody_can_say_anything_that_is_said(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Dumb)) as here:
        ann = await here.sits_down("lowest")
        found = await hint(ann)
        assert found["error"]["code"] == "no_hint" and "move" not in found


# What it is told.


def told(facts: Sequence[Json]) -> list[Json]:
    """What somebody was told of the game that runs."""
    begun = max(number for number, fact in enumerate(facts) if fact["entry"]["entry"] == "started")
    return [event for fact in facts[begun:] for event in fact["events"]]


def witnessed() -> Any:
    return msgspec.json.decode(msgspec.json.encode(Witness.last.seen))


async def test_the_bot_has_seen_what_the_seat_has_seen_of_this_game(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness)) as here:
        ann = await here.sits_down("lowest")
        for _ in range(4):  # a whole game
            await bids(here, ann)
        await ann.ask("start")
        for _ in range(2):
            await bids(here, ann)
        assert (await hint(ann))["move"]
        seen = told([message for message in ann.told if message["type"] == "fact"])
        assert len(seen) == 2 * 3
        assert witnessed() == seen
        assert all(event["card"] is None for event in seen if event["event"] == "bidden" and event["seat"] != ann.seat)


async def test_after_a_restart_too(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness), journal="") as here:
        ann = await here.sits_down("lowest")
        await bids(here, ann)
        seen = told([message for message in ann.told if message["type"] == "fact"])
    async with evening(tmp_path, games=advised_by(Witness), journal="") as here:
        again = await here.comes()
        await again.ask("return", table=ann.table, token=ann.token)
        assert (await hint(again))["move"]["card"] == max(hand(here, again))
        assert witnessed() == seen


async def test_who_was_played_for_by_a_bot_is_advised_again(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness, game=Relieved)) as here:
        ann, bob = await here.sits_down("lowest", start=False), await here.comes()
        await ann.ask("configure", options={"seconds": 60})
        await ann.ask("start")
        await bids(here, ann)
        await bob.ask("watch", table=ann.table)
        await ann.ask("leave")
        await here.clock.to_pass(20)
        assert len(here.room(ann).table.state.hands[0]) == 2, "the game has gone on without her"
        await ann.ask("return", table=ann.table, token=ann.token)
        while not await offered(ann):
            await here.clock.to_pass(20)
        assert (await hint(ann))["move"]["card"] == max(hand(here, ann))
        bidden = [event for event in witnessed() if event["event"] == "bidden" and event["seat"] == ann.seat]
        assert len(bidden) == 2, "and what was done in her name is known"


# Who may have one, and when.


async def test_there_are_none_against_people(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann, bob = await here.sits_down("lowest", bots=2, start=False), await here.comes()
        await ann.ask("kick", seat=1)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        for person in (ann, bob):
            assert not await offered(person)
            assert await refused(person) == "no_hints"
        await bob.socket.close()
        await until(lambda: not here.room(ann).table.calm and not all(s.present for s in here.room(ann).table.cast))
        assert await refused(ann) == "no_hints", "who is away may come back"
        cy = await here.comes()
        await cy.ask("return", table=bob.table, token=bob.token)
        await cy.ask("leave")
        assert await offered(ann), "who has given up does not"


async def test_who_has_left_a_bot_in_their_place_may_come_back(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness, game=Relieved)) as here:
        ann, bob = await here.sits_down("lowest", bots=2, start=False), await here.comes()
        await ann.ask("kick", seat=1)
        await bob.ask("join", table=ann.table, player="Bob")
        await ann.ask("start")
        await bob.ask("leave")
        assert not await offered(ann)
        assert await refused(ann) == "no_hints"


async def test_where_only_easy_bots_play_there_are_none(tmp_path: Path) -> None:
    unadvised = Bids()
    unadvised.bots = {"random": RandomBot}
    async with evening(tmp_path, games=Catalogue({"bids": unadvised}, [])) as here:
        ann = await here.sits_down("random")
        assert not await offered(ann)
        assert await refused(ann) == "no_hints"


async def test_it_takes_a_seat_a_game_and_a_turn(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness)) as here:
        ann, bob = await here.sits_down("lowest", start=False), await here.comes()
        assert await refused(bob) == "not_seated"
        assert await refused(ann) == "not_started"
        await ann.ask("start")
        await bob.ask("watch", table=ann.table)
        assert not await offered(bob)
        assert await refused(bob) == "not_seated"
        await play(here, ann)
        assert await refused(ann) == "out_of_turn"
        assert not await offered(ann)
        await here.clock.to_pass(20)
        assert await offered(ann)
        await ann.ask("leave")
        assert await refused(ann) == "not_seated"


async def test_every_fact_says_whether_there_are_hints(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness)) as here:
        ann = await here.sits_down("lowest")
        await bids(here, ann)
        await ann.ask("list")
        facts = [message for message in ann.told if message["type"] == "fact"]
        assert all(fact.get("hints", False) == bool(fact.get("moves")) for fact in facts)
        assert facts[-1]["hints"]


async def test_it_has_its_price(tmp_path: Path) -> None:
    async with evening(tmp_path, games=advised_by(Witness)) as here:
        ann, bob = await here.sits_down("lowest"), await here.sits_down("lowest")
        for _ in range(hints.AT_ONCE):
            assert (await hint(ann))["move"]
        assert await refused(ann) == "too_fast"
        assert await refused(bob) == "too_fast", "at another table, from the same address"
        await here.clock.to_pass(hints.EVERY / 1000)
        assert (await hint(bob))["move"]
        assert await refused(ann) == "too_fast"


async def test_one_at_a_time(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("lowest")
        await ann.ask("hint")
        assert await refused(ann) == "thinking"
        folder.open_gate()
        assert (await ann.hear(lambda message: message["type"] == "hinted"))["move"]
        assert (await hint(ann))["move"]


async def test_in_their_own_language(tmp_path: Path) -> None:
    async with evening(tmp_path, games=catalogue(), thinkers=0) as here:
        ann = await here.comes("?language=fr&labels=1")
        await ann.ask("open", game="coup", player="Ann", seats=2)
        with pytest.raises(Refusal, match="aucune partie"):
            await ann.ask("hint")
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        while not await offered(ann):
            await here.clock.to_pass(20)
        found, sync = await hint(ann), (await ann.ask("see"))["sync"]
        assert found["label"] == sync["labels"][sync["moves"].index(found["move"])]


# What may come between.


async def test_when_the_game_moves_on_nobody_goes_on_thinking(folder: Folder) -> None:
    async with evening(folder.path, games=advised_by(Endless)) as here:
        ann = await here.sits_down("lowest")
        await ann.ask("hint")
        await until(lambda: bool(folder.thoughts()))
        await play(here, ann)
        found = await ann.hear(lambda message: message["type"] == "hinted")
        assert found["error"]["code"] == "moved_on" and "move" not in found
        await until(lambda: here.pool.thinking == 0)
        assert here.room(ann).errand is None
        assert here.pool.killed == 0


async def test_when_the_person_goes_nobody_goes_on_thinking(folder: Folder) -> None:
    async with evening(folder.path, games=advised_by(Endless)) as here:
        ann = await here.sits_down("lowest")
        await ann.ask("hint")
        await until(lambda: bool(folder.thoughts()))
        await ann.socket.close()
        await until(lambda: here.pool.thinking == 0)
        assert here.room(ann).errand is None


async def test_who_comes_back_by_another_line_may_ask_again(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann, again = await here.sits_down("lowest"), await here.comes()
        await ann.ask("hint")
        await again.ask("return", table=ann.table, token=ann.token)
        folder.open_gate()
        assert (await hint(again))["move"]
        await ann.ask("list")
        assert [message["type"] for message in ann.told if message["type"] in ("hinted", "replaced")] == ["replaced"]


async def test_others_who_move_meanwhile_don_t_matter_if_nobody_sees_it(folder: Folder) -> None:
    async with evening(folder.path) as here:
        ann = await here.sits_down("lowest", bots=2)
        await ann.ask("hint")
        await until(lambda: bool(folder.thoughts()))
        await here.clock.to_pass(0)
        step = here.room(ann).table.step
        room = here.room(ann)
        room.table.step += 1
        room.arm()
        assert room.errand is not None
        room.table.step = step
        folder.open_gate()
        assert (await ann.hear(lambda message: message["type"] == "hinted"))["move"]
