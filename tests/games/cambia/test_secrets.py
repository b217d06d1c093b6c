"""Nothing that Cambia's protocols say gives a secret away: K87 to K97, on the bytes that go out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from croupier.games.cambia import Cambia
from croupier.games.cambia.dialect import ids
from croupier.games.cambia.dialect.game_socket import GameDialect
from croupier.games.cambia.dialect.guests import Guest
from croupier.games.cambia.dialect.ids import LobbyGame
from croupier.games.cambia.dialect.lobby_socket import LobbyDialect
from croupier.games.cambia.dialect.messages import LONG, SHORT
from croupier.games.cambia.dialect.single_socket import SingleSocketDialect
from croupier.games.cambia.options import Options
from croupier.laws import AnyGame, Encoder, Walk, check_secrecy
from croupier.tables import entries, intents
from croupier.tables.dialect import Dialect
from croupier.tables.notices import Fact, Reply
from croupier.tables.place import Place
from croupier.tables.seat import Seat
from croupier.tables.table import Table
from tests.games.cambia.test_game_socket import draw, faces, throw
from tests.games.cambia.wire import ANN, BEN, CLEO, Json, hall

FACELESS = ("player_replace", "player_snap_penalty", "player_snap_give", "player_special_action", "error")


def table(game: AnyGame, state: Any) -> Table:
    found = Table("7", game)
    found.options, found.state = game.Options(), state
    found.phase = "playing" if game.result(state) is None else "waiting"
    found.games = int(found.phase == "waiting")
    found.seats = {number: Seat(number, f"P{number}", None, None) for number in range(len(state.hands))}
    for seat in found.seats.values():
        seat.user, seat.dealt_in = str(seat.number), True
    found.lineup = list(found.seats.values())
    return found


def arrival(dialect: Callable[[Guest, int], Dialect]) -> Encoder:
    """All that somebody is told who comes in."""

    def shown(game: AnyGame, state: Any, seat: int | None) -> bytes:
        if seat is None:
            return b""
        place = Place(at := table(game, state), at.seats[seat])
        guest = Guest(str(seat), f"P{seat}", "")
        speaker = dialect(guest, state.round)
        intent = next(iter(speaker.greet()))
        assert isinstance(intent, intents.Intent)
        return said(speaker.on_reply(Reply(intent, 0, place=place)))

    return shown


def said(out: Iterable[Any]) -> bytes:
    return b"\n".join(one for one in out if isinstance(one, bytes))


def note(faces: Any) -> Callable[[Guest, int], Dialect]:
    return lambda guest, round: GameDialect(guest, LobbyGame("7", 1, round), faces)


@pytest.mark.parametrize(("seats", "options"), [(2, Options()), (3, Options(snap_race=True)), (4, Options())])
def test_k91_k92_nobody_can_tell_the_real_state_from_an_imagined_one(seats: int, options: Options) -> None:
    encoders = [
        arrival(note(LONG)),
        arrival(note(SHORT)),
        arrival(lambda guest, round: LobbyDialect(guest, "7")),
        arrival(lambda guest, round: SingleSocketDialect(guest, "7")),
    ]
    found = [check_secrecy(Cambia(), seats, options, seed, encoders=encoders, limit=60) for seed in range(3)]
    positions, steps = map(sum, zip(*found, strict=True))
    assert positions > 150 and steps > 60


def test_the_secrecy_test_would_notice() -> None:
    honest = arrival(note(LONG))

    def blabs(game: AnyGame, state: Any, seat: int | None) -> bytes:
        return honest(game, state, 0)

    with pytest.raises(AssertionError, match="can tell the real state from an imagined one"):
        check_secrecy(Cambia(), 2, Options(), 1, encoders=[blabs], limit=60)


@pytest.mark.parametrize("seat", [0, 1])
def test_k88_what_tells_of_a_card_does_not_show_it(seat: int) -> None:
    game = Cambia()
    told = 0
    for seed in range(3):
        for state, step in Walk(game, 2, Options(), seed, limit=80):
            if step is None:
                break
            after = deepcopy(state)
            events = step.take(game, after)
            place = Place(at := table(game, after), at.seats[seat])
            seen = tuple(view for event in events if (view := event.seen_by(seat)) is not None)
            dialect = GameDialect(Guest(str(seat), "", ""), ids.present(place), LONG)
            list(dialect.on_reply(Reply(intents.Return(table="7", token=""), 0, place=place)))
            out = said(dialect.on_fact(Fact(place, 1, 0, entries.Moved(0), seen, False, {})))
            for message in map(json.loads, filter(None, out.split(b"\n"))):
                told += 1
                assert message["type"] not in FACELESS or not faces(message), message
    assert told > 100


async def test_k87_k90_k97_d59_faces_on_the_wire(tmp_path: Path) -> None:
    """A whole game: nobody hears of a face before it is public, or shown to them."""
    async with hall(tmp_path) as here:
        ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["7♠", "9♠", "J♥", "4♦", "4♣", "4♥"])
        people = (ann, ben, cleo)
        heard: dict[str, list[Json]] = {person.id: [] for person in people}
        hands = {person.id: await ann.hand(person) for person in people}
        card = await draw(ann)
        for other in (ben, cleo):
            heard[other.id] += await other.game.rest()
        assert not faces(heard[ben.id]) and not faces(heard[cleo.id])  # K87
        assert all(not told["type"].startswith("private_") for told in heard[ben.id])  # K90
        await ann.game.send("action_discard", card={"id": card})
        await ann.game.until("player_special_choice")
        await ann.game.send("action_special", special="peek_self", card1={"id": hands[ann.id][3]})
        await ann.game.until("private_special_action_success")
        for other in (ben, cleo):
            told = await other.game.rest()
            assert {found["id"] for found in faces(told)} == {card}
        await throw(ben, ann, cleo)
        await ben.game.send("action_special", special="peek_other", card1={"id": hands[ann.id][2]})
        await ben.game.until("private_special_action_success")
        state = await ben.sync()
        assert not faces(state["players"][0])  # K91: a peek at another's card is not in the sync
        await here.settle(ann.game, ben.game, cleo.game)
        refused = await cleo.game.refused(
            "no_special_pending", "action_special", special="x", card1={"id": hands[ann.id][0], "rank": "Ace"}
        )
        assert not faces(refused)  # K93


async def test_k96_a_forfeited_player_sees_no_more_than_before(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        _, ben, _ = await here.playing(ANN, BEN, CLEO)
        before = (await ben.sync())["players"]
        await ben.game.close()
        await here.time.to_pass(60)
        await ben.enter_game()
        after = (await ben.game.hears("private_sync_state"))["state"]["players"]
        assert after[1]["forfeited"]
        assert [player["revealedHand"] for player in before] == [player["revealedHand"] for player in after]


async def test_k75_c53_d82_reshuffled_cards_have_new_ids(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        ann, ben = await here.playing(penaltyDrawCount=10)
        seen: set[str] = {(await ann.sync())["discardTop"]["id"]}
        reshuffled = False
        for number in range(60):
            player, other = (ann, ben) if number % 2 == 0 else (ben, ann)
            await player.game.send("action_draw_stockpile")
            told = await other.game.next()
            if told["type"] == "game_reshuffle_stockpile":  # K72
                size, reshuffled = told["stockpileSize"], True
                told = await other.game.hears("player_draw_stockpile")
                assert told["stockpileSize"] == size - 1
                assert (await player.sync())["discardSize"] == 1  # K73
            assert told["card"]["id"] not in seen
            await player.game.send("action_discard", card={"id": told["card"]["id"]})
            seen.add((await other.game.hears("player_discard"))["card"]["id"])
            await player.game.send("action_special", special="skip")
            for person in (player, other):
                await person.game.until("game_player_turn")
            await here.settle(player.game)
        assert reshuffled
