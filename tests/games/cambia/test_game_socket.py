"""Cambia's own protocol during a game: every refusal, every action, and what everybody is told of it."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games.cambia.cards import VALUE
from croupier.games.cambia.dialect.messages import LONG
from tests.games.cambia.wire import ANN, BEN, CLEO, Hall, Json, Person, Socket, hall

UNKNOWN = "12345678-1234-4234-9234-123456789abc"
NO_CARDS: list[Any] = [None, 7, "x", [], {}, {"id": None}, {"id": 7}, {"id": "x"}, {"id": UNKNOWN[:-1]}]
ACTIONS = ("draw_stockpile", "draw_discardpile", "discard", "replace", "cambia", "snap", "snap_give", "special")
NIL = "00000000-0000-0000-0000-000000000000"
SNAPPERS = (["5♥", "3♥", "2♠", "9♦"], ["K♦", "9♣", "Q♣", "J♠"], ["A♠", "9♥", "6♦", "10♦"])


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path) as found:
        yield found


async def draw(player: Person, *others: Person) -> str:
    await player.game.send("action_draw_stockpile")
    await player.game.until("player_draw_stockpile")
    for other in others:
        await other.game.until("player_draw_stockpile")
    card: str = (await player.game.hears("private_draw_stockpile"))["card"]["id"]
    return card


async def throw(player: Person, *others: Person) -> str:
    """Draw and discard. Returns the card; what comes after the discard has not been heard."""
    card = await draw(player, *others)
    await player.game.send("action_discard", card={"id": card})
    for person in (player, *others):
        await person.game.until("player_discard")
    return card


async def quiet(*people: Person) -> bool:
    return all([await person.game.silent() for person in people])


def faces(told: Any) -> list[Json]:
    """All cards in a message that show their faces."""
    if isinstance(told, dict):
        here = [told] if told.keys() & {"rank", "suit", "value"} else []
        return here + [found for value in told.values() for found in faces(value)]
    return [found for value in told for found in faces(value)] if isinstance(told, list) else []


# Phases (5.3)


async def test_k7_nothing_can_be_done_before_turn_0(here: Hall) -> None:
    ann, ben = await here.gather("Ann", "Ben")
    await here.start(ann, ben)
    before = await ben.sync()
    for action in (
        "draw_stockpile",
        "draw_discardpile",
        "discard",
        "replace",
        "cambia",
        "snap",
        "snap_give",
        "special",
    ):
        await ann.game.refused("not_started", f"action_{action}")
    assert await quiet(ben) and await ben.sync() == before


async def test_k55_nothing_can_be_done_after_the_end(here: Hall) -> None:
    ann, ben = await here.playing(draws=["4♦"])
    await ann.game.send("action_cambia")
    await throw(ben, ann)
    await ann.game.until("game_end")
    for action in (
        "draw_stockpile",
        "draw_discardpile",
        "discard",
        "replace",
        "cambia",
        "snap",
        "snap_give",
        "special",
    ):
        await ann.game.refused("game_over", f"action_{action}")
    assert (await ann.sync())["gameOver"]


async def test_who_has_forfeited_can_only_look(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO)
    await ben.game.close()
    await here.time.to_pass(60)
    await here.settle(ann.game, cleo.game)
    await ben.enter_game()
    await ben.game.hears("private_sync_state")
    await here.settle(ann.game, cleo.game)
    for action in ("draw_stockpile", "snap", "special", "cambia"):
        await ben.game.refused("forfeited", f"action_{action}")
    assert await quiet(ann, cleo)


# Drawing, discarding, replacing


async def test_k1_k6_k9_d61_the_deal(here: Hall) -> None:
    here.stack([card for pair in zip(ANN, BEN, strict=True) for card in pair] + ["10♥"])
    ann, ben = await here.gather("Ann", "Ben")
    for person in (ann, ben):
        await person.lobby.send("ready")
    for person in (ann, ben):
        here.game = (await person.lobby.until("game_start"))["game_id"]
        await person.enter_game()
    for person, hand in ((ann, ANN), (ben, BEN)):
        told = [await person.game.next()]
        while told[-1]["type"] != "private_initial_cards":
            told.append(await person.game.next())
        assert {one["type"] for one in told[:-1]} == {"private_sync_state"}
        state = told[-2]["state"]
        assert (state["stockpileSize"], state["discardSize"]) == (45, 1)
        assert [player["handSize"] for player in state["players"]] == [4, 4]
        shown = told[-1]["cards"]
        assert [card["idx"] for card in shown] == [0, 1]
        assert [card["rank"] for card in shown] == [LONG[face]["rank"] for face in hand[:2]]
        assert (told[-1]["card1"], told[-1]["card2"]) == tuple(shown)
    await here.time.to_pass(10)
    for person in (ann, ben):
        state = (await person.game.hears("private_sync_state"))["state"]
        assert state["started"] and state["currentPlayerId"] == ann.id
        assert (await person.game.hears("game_player_turn"))["payload"]["turn"] == 0  # K8


async def test_k4_k5_d16_d17_d18_d19_faces_in_words_or_letters(here: Hall) -> None:
    ann, ben = await here.playing(["★R", "A♣", "2♠", "9♦"], ["★B", "10♥", "3♥", "J♠"], flip="K♦")
    assert shown(await ann.sync()) == [("King", "Diamonds", -1), ("Joker", "Joker", 0), ("Ace", "Clubs", 1)]
    await ben.enter_game("?cards=short")
    assert shown(await ben.sync()) == [("K", "D", -1), ("O", "B", 0), ("T", "H", 10)]


def shown(state: Json) -> list[tuple[str, str, int]]:
    return [(card["rank"], card["suit"], card["value"]) for card in faces(state)]


async def test_k15_k16_k18_k20_d11_d83_draw_and_discard(here: Hall) -> None:
    ann, ben = await here.playing(draws=["4♦"])
    known = {*await ann.hand(), *await ann.hand(ben)}
    await ann.game.send("action_draw_stockpile")
    told = await ann.game.hears("player_draw_stockpile")
    assert told == await ben.game.hears("player_draw_stockpile")
    assert told["stockpileSize"] == 44 and told["card"].keys() == {"id"} and told["card"]["id"] not in known
    private = await ann.game.hears("private_draw_stockpile")
    assert private["card"] == {"id": told["card"]["id"], "rank": "4", "suit": "Diamonds", "value": 4}
    await ann.game.send("action_discard", card={"id": told["card"]["id"].upper()})
    for person in (ann, ben):
        assert (await person.game.hears("player_discard"))["card"] == private["card"]
        turn = await person.game.hears("game_player_turn")
        assert turn["user"] == ben.me and turn["payload"]["turn"] == 1  # K28
    assert await quiet(ann, ben)


async def test_k17_k27_turns_and_second_draws(here: Hall) -> None:
    ann, ben = await here.playing()
    for action in ("draw_stockpile", "draw_discardpile", "discard", "replace", "cambia"):
        told = await ben.game.refused("not_your_turn", f"action_{action}")
        assert told["action"] == f"action_{action}" and told["message"]
    assert await quiet(ann)
    await ann.game.refused("must_draw_first", "action_discard", card={"id": UNKNOWN})
    await ann.game.refused("must_draw_first", "action_replace", card={"idx": 0})
    await draw(ann, ben)
    await ann.game.refused("already_drawn", "action_draw_stockpile")
    await ann.game.refused("already_drawn", "action_draw_discardpile")
    assert await quiet(ben)


async def test_k19_the_wrong_card_to_discard(here: Hall) -> None:
    ann, ben = await here.playing(draws=["4♦"])
    own = (await ann.hand())[0]
    card = await draw(ann, ben)
    for bad in NO_CARDS:
        await ann.game.refused("bad_card", "action_discard", card=bad)
    await ann.game.refused("wrong_card", "action_discard", card={"id": own})
    await ann.game.refused("wrong_card", "action_discard", card={"id": UNKNOWN})
    assert await quiet(ben)
    await ann.game.send("action_discard", payload={"id": card})  # 3.5: in the place of a missing card
    await ann.game.hears("player_discard", "game_player_turn")


async def test_k21_k22_k23_replace(here: Hall) -> None:
    ann, ben = await here.playing(draws=["2♣"])
    hand = await ann.hand()
    card = await draw(ann, ben)
    await ann.game.send("action_replace", card={"id": hand[3], "idx": 3})
    for person in (ann, ben):
        assert (await person.game.hears("player_replace"))["card"] == {"id": card, "idx": 3}
        thrown = (await person.game.hears("player_discard"))["card"]
        assert thrown == {"id": hand[3], **LONG["9♦"], "idx": 3}
        await person.game.hears("game_player_turn")
    for person in (ann, ben):
        assert await person.hand(ann) == [*hand[:3], card]


async def test_refused_replaces(here: Hall) -> None:
    ann, ben = await here.playing(draws=["2♣"])
    hand, other = await ann.hand(), (await ann.hand(ben))[0]
    card = await draw(ann, ben)
    for bad in [*NO_CARDS, {"id": card}, {"id": "x", "idx": 9}]:
        await ann.game.refused("bad_card", "action_replace", card=bad)
    positions: list[Any] = [-1, 4, 1.5, True, "1", [], 1e300]
    for idx in positions:
        await ann.game.refused("bad_index", "action_replace", card={"idx": idx})
        await ann.game.refused("bad_index", "action_replace", card={"id": card, "idx": idx})
    await ann.game.refused("wrong_card", "action_replace", card={"id": other})
    await ann.game.refused("wrong_card", "action_replace", card={"id": UNKNOWN, "idx": 0})
    await ann.game.refused("bad_index", "action_replace", card={"id": hand[0], "idx": 1})
    await ann.game.refused("bad_index", "action_replace", card={"id": other, "idx": 4})
    assert await quiet(ben)
    await ann.game.send("action_replace", card={"id": card, "idx": 2.0})  # D14
    assert (await ann.game.hears("player_replace"))["card"]["idx"] == 2


async def test_an_empty_hand_has_nothing_to_replace(here: Hall) -> None:
    ann, _ = await here.playing(["10♣"], ["3♦"], flip="10♥", cardsPerPlayer=1, initialViewCount=1)
    await ann.game.send("action_snap", card={"id": (await ann.hand())[0]})
    await ann.game.hears("player_snap_success")
    await draw(ann)
    await ann.game.refused("bad_index", "action_replace", card={"idx": 0})


async def test_k25_k26_the_discard_pile(here: Hall) -> None:
    ann, ben = await here.playing()
    await ann.game.refused("not_allowed", "action_draw_discardpile")
    assert await quiet(ben)


@pytest.mark.parametrize("name", ["action_draw_discardpile", "action_draw_discard"])
async def test_k25_k26_d4_d15_with_the_house_rule(here: Hall, name: str) -> None:
    ann, ben = await here.playing(allowDrawFromDiscardPile=True)
    top = (await ann.sync())["discardTop"]["id"]
    await ann.game.send(name)
    card = {"id": top, **LONG["10♥"]}
    for person in (ann, ben):
        told = await person.game.hears("player_draw_stockpile")
        assert told["card"] == card and told["stockpileSize"] == 45
        assert told["payload"] == {"source": "discardpile", "discardSize": 0}
    assert (await ann.game.hears("private_draw_stockpile"))["card"] == card
    await ann.game.send("action_discard", card={"id": top})
    await ann.game.hears("player_discard", "game_player_turn")  # no special for the 10


async def test_pile_empty(here: Hall) -> None:
    ann, ben = await here.playing(allowDrawFromDiscardPile=True, initialDiscard=False)
    await ann.game.refused("pile_empty", "action_draw_discardpile")
    await ann.game.send("action_snap", card={"id": (await ann.hand())[0]})  # D49
    assert "card" not in await ann.game.hears("player_snap_fail")
    await ann.game.hears("player_snap_penalty", "private_snap_penalty", "player_snap_penalty", "private_snap_penalty")
    assert [told["type"] for told in await ben.game.rest()] == ["player_snap_fail"] + ["player_snap_penalty"] * 2


async def test_k24_a_special_on_replacing(here: Hall) -> None:
    ann, _ = await here.playing(draws=["2♣"], allowReplaceAbilities=True)
    await draw(ann)
    await ann.game.send("action_replace", card={"idx": 3})
    told = await ann.game.hears("player_replace", "player_discard", "player_special_choice")
    assert told["special"] == "peek_other" and told["card"]["rank"] == "9"


# Specials


@pytest.mark.parametrize(
    ("face", "special"),
    [("7♠", "peek_self"), ("8♠", "peek_self"), ("9♠", "peek_other"), ("10♠", "peek_other"), ("J♥", "swap_blind"),
     ("Q♠", "swap_blind"), ("K♠", "swap_peek"), ("K♥", "swap_peek")],
)  # fmt: skip
async def test_k29_k30_k42_k46_choices(here: Hall, face: str, special: str) -> None:
    ann, ben = await here.playing(draws=[face])
    await draw(ann)
    await here.time.to_pass(5)
    card = (await ann.sync())["players"][0]["drawnCard"]
    assert card == {"id": card["id"], **LONG[face]}
    await ann.game.send("action_discard", card={"id": card["id"]})
    for person in (ann, ben):
        told = await person.game.until("player_special_choice")
        assert told["user"] == ann.me and told["special"] == special
        assert told["card"] == {"id": card["id"], "rank": LONG[face]["rank"]}
        assert told["payload"]["turnDeadline"] == here.time.now() + 15000
    for action in ("draw_stockpile", "draw_discardpile", "discard", "replace", "cambia"):
        await ann.game.refused("special_pending", f"action_{action}")
    await ann.game.refused("special_pending", "action_special", special="cambia")
    assert await quiet(ben)
    await ann.game.send("action_special", special="skip", card1=7, card2="x")
    for person in (ann, ben):
        assert await person.game.hears("player_special_action") == {
            "type": "player_special_action", "user": ann.me, "special": "skip",
        }  # fmt: skip
        await person.game.hears("game_player_turn")


@pytest.mark.parametrize("member", ["card1", "card"])
async def test_k31_d7_d8_peek_self(here: Hall, member: str) -> None:
    ann, ben = await here.playing(draws=["7♠"])
    hand = await ann.hand()
    await throw(ann, ben)
    await ann.game.hears("player_special_choice")
    await ben.game.hears("player_special_choice")
    await ann.game.send("action_special", special="peek_self", **{member: {"id": hand[2], "idx": 99}}, card2=7)
    spot = {"id": hand[2], "idx": 2, "user": ann.me}
    for person in (ann, ben):
        assert (await person.game.hears("player_special_action"))["card"] == spot
    private = await ann.game.hears("private_special_action_success")
    assert private == {"type": private["type"], "special": "peek_self", "card": spot | LONG["2♠"]}
    for person in (ann, ben):
        await person.game.hears("game_player_turn")
    assert await quiet(ann, ben)
    assert (await ann.sync())["players"][0]["revealedHand"][2]["rank"] == "2"


async def test_k32_k44_k45_d72_refused_specials(here: Hall) -> None:
    ann, ben = await here.playing(draws=["9♠"])
    hand, other = await ann.hand(), await ann.hand(ben)
    await ann.game.refused("no_special_pending", "action_special", special="peek_self", card1={"id": hand[0]})
    await throw(ann, ben)
    await here.settle(ann.game, ben.game)
    asked = "action_special"
    await ben.game.refused("no_special_pending", asked, special="peek_other")
    for bad in (None, 7, "", "peek", "PEEK_OTHER"):
        await ann.game.refused("bad_special", asked, special=bad)
    for special in ("peek_self", "swap_blind", "blind_swap", "swap_peek", "swap_peek_swap", "swap_peek_reveal"):
        await ann.game.refused("wrong_special", asked, special=special)
    for bad in NO_CARDS:
        await ann.game.refused("bad_card", asked, special="peek_other", card1=bad)
    await ann.game.refused("wrong_card", asked, special="peek_other", card1={"id": UNKNOWN})
    wrong = {"id": other[0], "idx": 3, "user": ann.me}
    told = await ann.game.refused("wrong_card", asked, special="peek_other", card1=wrong)
    assert told["card1"] == wrong and not faces(told)
    await ann.game.refused("wrong_card", asked, special="peek_other", card1={"id": other[0], "user": {"id": UNKNOWN}})
    await ann.game.refused("wrong_owner", asked, special="peek_other", card1={"id": hand[0]})
    assert await quiet(ben)
    await ann.game.send(asked, special="peek_other", card1={"id": other[1], "user": ben.me})
    await ann.game.hears("player_special_action")
    assert (await ann.game.hears("private_special_action_success"))["card"]["rank"] == "8"


@pytest.mark.parametrize("name", ["swap_blind", "blind_swap"])
@pytest.mark.parametrize("which", ["own with other", "two own", "two others"])
async def test_k34_k35_k36_k43_d1_blind_swaps(here: Hall, name: str, which: str) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["J♥"])
    hands = [await ann.hand(person) for person in (ann, ben, cleo)]
    (one, i), (other, j) = {
        "own with other": ((0, 1), (1, 2)), "two own": ((0, 0), (0, 3)), "two others": ((1, 0), (2, 3)),
    }[which]  # fmt: skip
    await throw(ann, ben, cleo)
    await here.settle(ann.game, ben.game, cleo.game)
    same = {"id": hands[one][i]}
    await ann.game.refused("same_card", "action_special", special=name, card1=same, card2=same)
    await ann.game.refused("bad_card", "action_special", special=name, card1=same)
    people = (ann, ben, cleo)
    await ann.game.send("action_special", special=name, card1=same, card2={"id": hands[other][j]})
    for person in people:
        told = await person.game.hears("player_special_action")
        assert told["special"] == "swap_blind" and not faces(told)
        assert told["card1"] == {"id": hands[one][i], "idx": i, "user": people[one].me}
        assert told["card2"] == {"id": hands[other][j], "idx": j, "user": people[other].me}
        await person.game.hears("game_player_turn")
    hands[one][i], hands[other][j] = hands[other][j], hands[one][i]
    assert [await cleo.hand(person) for person in people] == hands
    if which == "own with other":  # K92
        assert not (await ann.sync())["players"][0]["revealedHand"][1]["known"]


@pytest.mark.parametrize("name", ["swap_peek", "peek_swap", "swap_look"])
@pytest.mark.parametrize("then", ["swap", "swap named the other way", "skip"])
async def test_k38_k39_k41_d2_d12_the_king(here: Hall, name: str, then: str) -> None:
    ann, ben = await here.playing(draws=["K♠"])
    mine, theirs = await ann.hand(), await ann.hand(ben)
    await throw(ann, ben)
    await here.settle(ann.game, ben.game)
    one, other = {"id": mine[0]}, {"id": theirs[3]}
    await ann.game.refused("wrong_step", "action_special", special="swap_peek_swap")
    await ann.game.send("action_special", special=name, card1=one, card2=other)
    private = await ann.game.hears("private_special_action_success")
    spots = [{"id": mine[0], "idx": 0, "user": ann.me}, {"id": theirs[3], "idx": 3, "user": ben.me}]
    assert private["special"] == "swap_peek_reveal"
    assert [private["card1"], private["card2"]] == [spots[0] | LONG["5♥"], spots[1] | LONG["J♠"]]
    for person in (ann, ben):
        told = await person.game.hears("player_special_action")
        assert told["special"] == "swap_peek_reveal" and [told["card1"], told["card2"]] == spots
    assert await quiet(ann, ben)
    choice = (await ann.sync())["specialAction"]
    assert choice["step"] == "decide" and choice["card1"]["rank"] == "5"
    assert not faces((await ben.sync())["specialAction"] | {"cardRank": ""})
    await ann.game.refused("wrong_step", "action_special", special="swap_peek", card1=one, card2=other)
    await ann.game.refused("wrong_card", "action_special", special="swap_peek_swap", card1=one)
    await ann.game.refused("wrong_card", "action_special", special="swap_peek_swap", card1=one, card2={"id": mine[1]})
    asked = {"swap": {}, "swap named the other way": {"card1": other, "card2": one}, "skip": {}}[then]
    special = "skip" if then == "skip" else "swap_peek_swap"
    await ann.game.send("action_special", special=special, **asked)
    for person in (ann, ben):
        told = await person.game.hears("player_special_action")
        assert (told["special"], told["card1"], told["card2"]) == (special, *spots)
        await person.game.hears("game_player_turn")
    assert (await ben.hand())[3] == (theirs[3] if then == "skip" else mine[0])


async def test_c32_d34_a_revealed_card_is_gone(here: Hall) -> None:
    ann, ben = await here.playing(["5♥", "Q♣", "2♠", "9♦"], ["K♦", "8♣", "3♥", "J♠"], draws=["K♠"])
    mine, theirs = await ann.hand(), await ann.hand(ben)
    await throw(ann, ben)
    await ann.game.send("action_special", special="swap_peek", card1={"id": mine[0]}, card2={"id": theirs[0]})
    await here.settle(ann.game, ben.game)
    await ben.game.send("action_snap", card={"id": theirs[0]})  # a King on a King
    await ben.game.hears("player_snap_success")
    await ann.game.hears("player_snap_success")
    await ann.game.send("action_special", special="swap_peek_swap", card1={"id": mine[0]}, card2={"id": theirs[0]})
    told = await ann.game.hears_refusal("card_gone")
    assert told["special"] == "swap_peek_swap" and told["card2"] == {"id": theirs[0]}
    for person in (ann, ben):
        assert (await person.game.hears("player_special_action"))["special"] == "skip"
        await person.game.hears("game_player_turn")


async def test_k33_k37_k40_k52_locked_hands(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["Q♠", "K♠"])
    hand, mine = await ann.hand(), await ben.hand()
    await ann.game.send("action_cambia")
    await throw(ben, ann, cleo)
    await here.settle(ann.game, ben.game, cleo.game)
    cards = {"card1": {"id": mine[2], "idx": 2, "user": ben.me}, "card2": {"id": hand[0], "idx": 0, "user": ann.me}}
    told = await ben.game.refused("locked", "action_special", special="blind_swap", **cards)
    assert told["special"] == "swap_blind" and {"card1": told["card1"], "card2": told["card2"]} == cards
    assert await quiet(ann, cleo)
    await ben.game.send("action_special", special="skip")
    await throw(cleo, ann, ben)
    await here.settle(ann.game, ben.game, cleo.game)
    cards = {"card1": {"id": hand[1]}, "card2": {"id": mine[0]}}
    await cleo.game.send("action_special", special="swap_peek", **cards)
    assert (await cleo.game.hears("private_special_action_success"))["card1"]["rank"] == "Queen"
    await cleo.game.hears("player_special_action")
    end = (await cleo.game.hears("game_end"))["payload"]
    assert [card["id"] for card in end["hands"][ann.id]] == hand


# Cambia and the end


@pytest.mark.parametrize("message", [{"type": "action_cambia"}, {"type": "action_special", "special": "cambia"}])
async def test_k48_k51_k53_k54_k56_d3_d65_cambia(here: Hall, message: Json) -> None:
    ann, ben, cleo = await here.playing(ANN, BEN, CLEO, draws=["4♦", "4♣"])
    await ann.game.send_raw(json.dumps(message))
    for person in (ann, ben, cleo):
        assert await person.game.hears("player_cambia") == {"type": "player_cambia", "user": ann.me}
        assert (await person.game.hears("game_player_turn"))["user"] == ben.me
    await ben.game.refused("cambia_called", "action_cambia")
    await throw(ben, ann, cleo)
    for person in (ann, ben, cleo):
        assert (await person.game.hears("game_player_turn"))["user"] == cleo.me
    await throw(cleo, ann, ben)
    end = await ann.game.hears("game_end")
    assert await ben.game.hears("game_end") == end
    payload = end["payload"]
    for person, hand in ((ann, ANN), (ben, BEN), (cleo, CLEO)):
        assert payload["scores"][person.id] == sum(VALUE[face] for face in hand)
        assert payload["scores"][person.id] == sum(card["value"] for card in payload["hands"][person.id])
    assert payload["rawScores"] == payload["scores"]
    assert payload["reason"] == "cambia" and payload["caller"] == ann.id and payload["forfeited"] == []
    assert payload["winner"] == ben.id and payload["winners"] == [ben.id]
    results = await ann.lobby.until("game_results")
    assert results["game_id"] == here.game and results["scores"] == payload["scores"]
    assert not any(user["is_ready"] for user in results["lobby_status"]["users"])
    await here.settle(ben.lobby, cleo.lobby)
    old, cards = here.game, {card["id"] for hand in payload["hands"].values() for card in hand}
    await here.start(ann, ben, cleo)  # K56
    assert here.game != old
    assert not cards & {*await ann.hand(), *await ann.hand(ben), *await ann.hand(cleo)}  # K95


async def test_k54_d64_a_shared_win(here: Hall) -> None:
    ann, ben, cleo = await here.playing(ANN, ["2♦", "2♣"] * 2, ["3♦", "A♣"] * 2, numDecks=2, draws=["4♦", "4♣"])
    await ann.game.send("action_cambia")
    await throw(ben, ann, cleo)
    await throw(cleo, ann, ben)
    payload = (await ann.game.until("game_end"))["payload"]
    assert payload["winners"] == [ben.id, cleo.id] and payload["winner"] == NIL and payload["caller"] == ann.id


async def test_k49_cambia_after_a_draw_and_too_early(here: Hall) -> None:
    ann, ben = await here.playing(cambiaAllowedRound=1, draws=["4♦", "4♣"])
    await ann.game.refused("cambia_too_early", "action_cambia")
    card = await draw(ann, ben)
    told = await ann.game.refused("cambia_after_draw", "action_special", special="cambia")
    assert told["type"] == "error"
    assert (await ann.sync())["players"][0]["drawnCard"]["id"] == card
    assert await quiet(ben)


async def test_c54_the_end_of_all_cards(here: Hall) -> None:
    hand = ["A♥", "2♥", "3♥", "4♥", "5♥", "6♥"]
    ann, ben = await here.playing(
        hand, [f[:-1] + "♣" for f in hand], useJokers=False, penaltyDrawCount=10, cardsPerPlayer=6
    )
    for _ in range(4):  # nobody can snap what is not there
        await ann.game.send("action_snap", card={"id": UNKNOWN})
    await here.settle(ann.game, ben.game)
    assert (await ann.sync())["stockpileSize"] == 0
    await ann.game.send("action_draw_stockpile")
    assert (await ben.game.until("game_end"))["payload"]["reason"] == "deck_exhausted"


# Snaps


async def test_k57_k58_k59_k71_snaps(here: Hall) -> None:
    ann, ben, cleo = await here.playing(*SNAPPERS, draws=["9♠"])
    hands = [await ann.hand(person) for person in (ann, ben, cleo)]
    await throw(ann, ben, cleo)
    await here.settle(ann.game, ben.game, cleo.game)
    before = await cleo.sync()
    await ben.game.send("action_snap", card={"id": hands[1][1]})
    for person in (ann, ben, cleo):
        told = await person.game.hears("player_snap_success")
        assert told["user"] == ben.me and told["card"] == {"id": hands[1][1], **LONG["9♣"], "idx": 1}
    await cleo.game.send("action_snap", payload={"id": hands[2][1]})
    for person in (ann, ben, cleo):
        await person.game.hears("player_snap_success")
    after = await cleo.sync()
    for member in ("currentPlayerId", "turnId", "turnDeadline", "specialAction"):
        assert before[member] == after[member]
    assert await ann.hand(ben) == [hands[1][0], *hands[1][2:]]


async def test_k66_k67_giving(here: Hall) -> None:
    ann, ben, cleo = await here.playing(*SNAPPERS, draws=["9♠"])
    hands = [await ann.hand(person) for person in (ann, ben, cleo)]
    await throw(ann, ben, cleo)
    await here.settle(ann.game, ben.game, cleo.game)
    await ann.game.refused("no_give_pending", "action_snap_give", card={"idx": 0})
    await ann.game.send("action_snap", card={"id": hands[2][1]})
    for person in (ann, ben, cleo):
        assert (await person.game.hears("player_snap_success"))["card"]["user"] == cleo.me
        told = await person.game.hears("player_snap_give_choice")
        assert (told["user"], told["target"], told["idx"]) == (ann.me, cleo.me, 1)
        assert told["payload"]["deadline"] == here.time.now() + 10000
    debt = (await cleo.sync())["snapGive"]
    assert debt == [{"user": ann.me, "target": cleo.me, "idx": 1, "deadline": here.time.now() + 10000}]
    await ann.game.refused("give_pending", "action_snap", card={"id": hands[0][3]})
    for bad in NO_CARDS:
        await ann.game.refused("bad_card", "action_snap_give", card=bad)
    await ann.game.refused("bad_index", "action_snap_give", card={"idx": 4})
    await ann.game.refused("bad_index", "action_snap_give", card={"id": hands[0][0], "idx": 1})
    await ann.game.refused("wrong_card", "action_snap_give", card={"id": hands[1][0]})
    assert await quiet(ben, cleo)
    await ann.game.send("action_snap_give", card={"id": hands[0][0], "idx": 0})
    for person in (ann, ben, cleo):
        told = await person.game.hears("player_snap_give")
        assert told["card"] == {"id": hands[0][0], "idx": 1, "user": cleo.me} and told["fromIdx"] == 0
        assert not faces(told)
    assert await ben.hand(cleo) == [hands[2][0], hands[0][0], *hands[2][2:]]
    await ann.game.send("action_snap", card={"id": hands[1][1]})
    await here.settle(ann.game, ben.game, cleo.game)
    await here.time.to_pass(10)
    told = await ben.game.hears("player_snap_give")
    assert told["card"]["id"] == hands[0][3] and told["fromIdx"] == 2


async def test_k60_snap_race(here: Hall) -> None:
    ann, ben, cleo = await here.playing(*SNAPPERS, draws=["9♠"], snapRace=True)
    hands = [await ann.hand(person) for person in (ann, ben, cleo)]
    await throw(ann, ben, cleo)
    await ben.game.send("action_snap", card={"id": hands[1][1]})
    await cleo.game.until("player_snap_success")
    await cleo.game.send("action_snap", card={"id": hands[2][1]})
    told = await cleo.game.hears("player_snap_fail")
    assert told["card"] == {"id": hands[2][1], "idx": 1}


@pytest.mark.parametrize("count", [0, 1, 2, 5])
async def test_k61_k62_k63_k89_d5_penalties(here: Hall, count: int) -> None:
    ann, ben = await here.playing(penaltyDrawCount=count)
    hand = await ben.hand()
    await ben.game.send("action_snap", card={"id": hand[3]})
    for person in (ann, ben):
        told = await person.game.hears("player_snap_fail")
        assert told["card"] == {"id": hand[3], **LONG["J♠"], "idx": 3}
        for number in range(count):
            told = await person.game.hears("player_snap_penalty")
            assert told["user"] == told["player"] == ben.me and told["card"].keys() == {"id"}
            assert told["payload"] == {"count": number + 1, "total": count}
            if person is ben:
                private = await ben.game.hears("private_snap_penalty")
                assert private["card"] == {"id": told["card"]["id"], "idx": 4 + number}
    assert await quiet(ann, ben)
    shown = (await ben.sync())["players"][1]["revealedHand"]
    assert [card["known"] for card in shown] == [True, True, False, True] + [False] * count
    assert [card["id"] for card in shown[:4]] == hand


async def test_k64_k65_k68_k69_other_snaps(here: Hall) -> None:
    ann, ben = await here.playing(allowOpponentSnapping=False)
    for bad in NO_CARDS:
        await ben.game.refused("bad_card", "action_snap", card=bad)
    assert await quiet(ann)
    for id in (UNKNOWN, (await ben.hand(ann))[0], (await ben.sync())["discardTop"]["id"]):
        await ben.game.send("action_snap", card={"id": id})
        assert await ben.game.hears("player_snap_fail") == {"type": "player_snap_fail", "user": ben.me}
        await ben.game.rest()
    await ann.game.send("action_cambia")
    await here.settle(ann.game, ben.game)
    await ann.game.refused("locked", "action_snap", card={"id": (await ann.hand())[0]})
    await ben.game.refused("locked", "action_snap", card={"id": (await ben.hand(ann))[0]})
    assert await quiet(ann, ben)


async def test_c45_no_card_to_give(here: Hall) -> None:
    ann, ben = await here.playing(["10♣"], ["10♦"], cardsPerPlayer=1, initialViewCount=0)
    other = (await ann.hand(ben))[0]
    await ann.game.send("action_snap", card={"id": (await ann.hand())[0]})
    await ann.game.hears("player_snap_success")
    await ann.game.refused("no_card_to_give", "action_snap", card={"id": other})


async def test_k70_kings_are_kings(here: Hall) -> None:
    ann, _ = await here.playing(["K♥", "Q♣", "2♠", "9♦"], BEN, flip="K♠")
    await ann.game.send("action_snap", card={"id": (await ann.hand())[0]})
    assert (await ann.game.hears("player_snap_success"))["card"]["value"] == -1


# Many messages


async def test_k74_k98_k99_random_messages_lose_no_card(here: Hall) -> None:
    people = await here.playing(ANN, BEN, CLEO, allowDrawFromDiscardPile=True, allowReplaceAbilities=True)
    dice = random.Random(7)
    for _ in range(150):  # so that nobody comes near 500 messages in a second
        for person in people:
            if not await nonsense(person.game, dice, people):
                return
        if dice.random() < 0.1:
            state = await dice.choice(people).sync()
            held = sum(player["handSize"] for player in state["players"]) + bool(
                [1 for player in state["players"] if player.get("drawnCard")]
            )
            count = held + state["stockpileSize"] + state["discardSize"]
            assert count == 54 or (count == 53 and state["currentPlayerId"])  # somebody else holds a card


async def nonsense(game: Socket, dice: random.Random, people: list[Person]) -> bool:
    await game.send("request_sync")
    state = (await game.until("private_sync_state"))["state"]
    if state["gameOver"]:
        return False
    ids = [card["id"] for player in state["players"] for card in player["revealedHand"]] + [UNKNOWN]
    drawn = next((player["drawnCard"]["id"] for player in state["players"] if player.get("drawnCard")), UNKNOWN)
    card = {"id": dice.choice([*ids, drawn, drawn, drawn])}
    kind = dice.choice(
        ["draw_stockpile", "draw_discardpile", "discard", "discard", "replace", "snap", "snap_give", "special"]
    )
    special = dice.choice(["skip", "peek_self", "peek_other", "swap_blind", "swap_peek", "swap_peek_swap", "x"])
    await game.send(f"action_{kind}", card=card, special=special, card1=card, card2={"id": dice.choice(ids)})
    return True
