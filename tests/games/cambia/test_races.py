"""Two snap the same card at the same moment, a thousand times; and many games at once keep nobody waiting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import get_ident
from time import clock_gettime, pthread_getcpuclockid

from tests.games.cambia.wire import ANN, BEN, Hall, Json, Person, stacked
from tests.live import server

LOBBIES, GAMES, RACES = 25, 4, 10
TENS = ["10♣", "10♦", "10♥", "10♠"] * 4
RULES = {"numDecks": 4, "cardsPerPlayer": 6, "initialViewCount": 0, "preGameSec": 0, "penaltyDrawCount": 1}
CARDS = 4 * 54


async def test_two_sockets_snap_the_same_card_a_thousand_times(tmp_path: Path) -> None:
    """C50: exactly one succeeds; the other is too late for a card that is in no hand, and is penalised. C6, K74."""
    assert LOBBIES * GAMES * RACES == 1000
    async with server(tmp_path, listen=("cambia=127.0.0.1:0",), synchronous="OFF") as live:
        halls = [Hall(live) for _ in range(LOBBIES)]
        halls[0].stack(TENS)
        won = await asyncio.gather(*(race(here, Random(number)) for number, here in enumerate(halls)))
        for here in halls:
            await here.leave()
    # Who sends first wins, and both have been first: it is arrival that decides, not the seat.
    assert sum(map(len, won)) == 1000 and {name for names in won for name in names} == {"Ann", "Ben"}


async def race(here: Hall, dice: Random) -> list[str]:
    """Some games of two people with nothing but tens. Who has won each race."""
    ann, ben = await here.gather("Ann", "Ben", houseRules=RULES)
    won = []
    for _ in range(GAMES):
        await here.start(ann, ben)
        await here.settle(ann.game, ben.game)
        tens = {*await ann.hand(), *await ann.hand(ben)}
        won += [await one_race(ann, ben, tens, dice) for _ in range(RACES)]
        await end(here, ann, ben)
    return won


async def one_race(ann: Person, ben: Person, tens: set[str], dice: Random) -> str:
    hands = {person: await ann.hand(person) for person in dice.sample([ann, ben], 2)}
    card = dice.choice(sorted(tens & {*hands[ann], *hands[ben]}))
    message = json.dumps({"type": "action_snap", "card": {"id": card}})
    # Who has more cards sends first: who has none left could not give one for a card of the other (C45).
    racers = sorted(hands, key=lambda person: -len(hands[person]))
    await asyncio.gather(*(person.game.send_raw(message) for person in racers))
    heard = []
    for person in (ann, ben):
        told = await person.game.hears("player_snap_success")
        debt = told["card"].get("user")
        if debt:
            await person.game.hears("player_snap_give_choice")
        failed = await person.game.hears("player_snap_fail")
        penalty = await person.game.hears("player_snap_penalty")
        if penalty["user"]["id"] == person.id:
            await person.game.hears("private_snap_penalty")
        heard.append((told, failed, penalty))
    assert heard[0] == heard[1]
    success, failure, penalty = heard[0]
    winner, loser = (ann, ben) if success["user"] == ann.me else (ben, ann)
    assert success["card"]["id"] == card
    assert failure == {"type": "player_snap_fail", "user": loser.me} and penalty["user"] == loser.me
    if "user" in success["card"]:  # the winner gives the last card, so that the tens stay for the next race
        hand = await winner.hand()
        await winner.game.send("action_snap_give", card={"idx": len(hand) - 1})
        for person in (ann, ben):
            await person.game.until("player_snap_give")
    for person in (ann, ben):
        nothing_lost(await person.sync(), card)
    return winner.name


def nothing_lost(state: Json, snapped: str) -> None:
    """K74: all cards are there, and none is twice."""
    hands = [card["id"] for player in state["players"] for card in player["revealedHand"]]
    assert len(hands) == len(set(hands)) and snapped not in hands and state["discardTop"]["id"] == snapped
    assert len(hands) + state["stockpileSize"] + state["discardSize"] == CARDS


async def end(here: Hall, ann: Person, ben: Person) -> None:
    """End a game in the quickest way, and be ready for the next."""
    current, other = (ann, ben) if (await ann.sync())["currentPlayerId"] == ann.id else (ben, ann)
    await current.game.send("action_cambia")
    await other.game.until("player_cambia")
    await here.throws_last(other)
    for person in (ann, ben):
        await person.game.until("game_end")
        await person.lobby.until("game_results")


# Many games


async def test_k100_two_hundred_games_at_once(tmp_path: Path) -> None:
    """All ask for a card at the same moment, and the last one has it after a tenth of a second of the server's work.

    Work is measured and not waiting: what else the machine does is not our doing.
    """
    work = pthread_getcpuclockid(get_ident())
    async with server(tmp_path, listen=("cambia=127.0.0.1:0",), synchronous="OFF") as live:
        halls = [Hall(live) for _ in range(200)]
        halls[0].stack(stacked((ANN, BEN), "10♥", turns=12))
        took = await asyncio.to_thread(asyncio.run, draw_at_once(halls, lambda: clock_gettime(work)))
    assert min(took) < 0.1, took


async def draw_at_once(halls: list[Hall], worked: Callable[[], float]) -> list[float]:
    """A game in each of them; what it takes when it is everybody's turn to draw, some times."""
    tables = [await here.gather("Ann", "Ben", houseRules={"preGameSec": 0}) for here in halls]
    for here, people in zip(halls, tables, strict=True):
        await here.start(*people)
        for person in people:
            await person.game.until("game_player_turn")
    took = []
    for turn in range(5):
        drawers = [people[turn % 2] for people in tables]
        before = worked()
        for person in drawers:
            await person.game.send("action_draw_stockpile")
        drawn = [await person.game.until("private_draw_stockpile") for person in drawers]
        took.append(worked() - before)
        for person, told in zip(drawers, drawn, strict=True):
            await person.game.send("action_discard", card={"id": told["card"]["id"]})
        for people in tables:
            for person in people:
                await person.game.until("game_player_turn")
    for here in halls:
        await here.leave()
    return took
