"""The messages of the game's own protocol that say how things are: refusals, requests, announcements, the whole state.

They are made from what a seat may see, and written as that seat sees the table. ``telling.py`` has what happens.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from croupier.games.fortress.cards import CARDS
from croupier.games.fortress.dialect.commands import Command
from croupier.games.fortress.dialect.place_names import WRITTEN
from croupier.games.fortress.events import Asked, ItemKind
from croupier.games.fortress.places import CASTLE, DISCARD, FIELD, HAND, Place
from croupier.games.fortress.view import CardView, RequestView, View
from croupier.tables.summary import Player, Summary

Message = dict[str, Any]

HIDDEN = -1
BOT = "AI"
"""What a bot is called, whatever its name is elsewhere."""

encode = msgspec.json.Encoder().encode


def name_of(player: Player) -> str:
    return player.name if player.bot is None else BOT


def names(table: Summary, but: int | None = None) -> dict[str, str]:
    """Who is there, by id."""
    return {str(player.seat): name_of(player) for player in table.players if player.seat != but}


# Refusals

REJECTED = frozenset(
    ("PLAY_CARD", "DRAW_CARD", "DESTROY_CARD", "ATTACK_CARD", "LEVEL_MAGE", "ACTIVATE_TRICKSTER", "USE_ABILITY")
)
"""Commands that have an answer of their own for that."""


def error(code: str, sentence: str, command: str | None = None) -> Message:
    return {"COMMAND": "ERROR", "CODE": code, "MESSAGE": sentence, "REPLY_TO": command}


def rejection(said: Command, code: str, sentence: str, seat: int | None) -> Message:
    """Nothing has happened; the command's own fields are repeated."""
    command, fields = said
    if command not in REJECTED:
        return error(code, sentence, command)
    more: Message = {}
    if command == "DRAW_CARD":
        more = {"DRAWN_CARDS": [], "USER_ID": seat}
    elif command == "DESTROY_CARD":
        more = {"CARD_LOCATIONS": [], "IN_RESPONSE": False}
    told = {"COMMAND": f"{command}_RESP", **fields, **more}
    return {**told, "SUCCESS": False, "CODE": code, "MESSAGE": sentence}


def not_joined(code: str, sentence: str) -> Message:
    return {"COMMAND": "JOIN_GAME_RESP", "SUCCESS": False, "MESSAGE": sentence, "CODE": code}


# Requests

QUESTIONS = {
    "cost": "Choose a card to destroy as cost of {card}",
    "add": "Choose a card to add to your hand",
    "play": "Choose a card to play",
    "destroy": "Choose a card to destroy",
    "stun": "Choose a card to stun",
    "discard": "Choose a card to discard",
    "points": "Choose a card whose points change",
    "extra_attack": "Choose a soldier that may attack once more",
    "take": "Choose a soldier to take over",
    "swap": "Choose a soldier to swap",
    "redirect": "Choose what the attack is to hit",
    "hand_limit": "Choose a card to discard, until you have ten",
}


def request(asked: Asked | RequestView, view: View) -> Message:
    """Of the player who is asked."""
    where, number = WRITTEN[asked.seat], {"REQUEST_ID": asked.number}
    card = "" if asked.card is None else CARDS[asked.card].name
    match asked.kind:
        case "target":
            assert asked.purpose is not None and asked.source is not None
            region = [where[place] for place in asked.region]
            return {
                "COMMAND": "TARGET_CARD",
                "VALID_REGION": region,
                "MSG": QUESTIONS[asked.purpose].format(card=card),
                "TRIGGER_POS": where[asked.source],
                "PURPOSE": asked.purpose.upper(),
                "OPTIONAL": asked.optional,
                **number,
                "CARDS": {place: id for place, id in zip(region, asked.cards, strict=True) if id is not None},
            }
        case "draw":
            assert asked.place is not None
            start = where[asked.region[0]]
            ends = {"START_POST": start, "START_POS": start, "END_POS": where[asked.place]}  # D33
            return {"COMMAND": "DRAW_CARD_OFFER", "ID": asked.card, **ends, **number}
        case "level":
            assert asked.place is not None
            return {"COMMAND": "LEVEL_MAGE", "TARGET": where[asked.place], "LEVEL": asked.level, **number}
    assert asked.place is not None
    about = {"KIND": asked.kind.upper(), "CARD_POS": where[asked.place], **number}
    return {"COMMAND": "DIAG_OFFER", "MSG": _question(asked.place, card, view), **about}


def _question(place: Place, card: str, view: View) -> str:
    if place in CASTLE:
        return f"Use {card} to stand with 1 health?"
    unit = view.sides[place.seat].field[FIELD[place.seat].index(place)]
    saved = "" if unit is None or unit.card is None else CARDS[unit.card].name
    return f"Use {card} to save {saved or 'a card'}?"


# Announcements


class Declared(NamedTuple):
    """An action or a response on the stack."""

    kind: ItemKind
    number: int
    """0: it was an effect, which nobody could answer."""
    seat: int
    responder: int
    place: Place | None = None
    target: Place | None = None
    card: int | None = None
    level: int | None = None
    responds_to: int | None = None

    def announced(self, seat: int) -> Message:
        """It can be answered now."""
        where = WRITTEN[seat]
        pending = {
            "PENDING": True,
            "IN_RESPONSE": self.responds_to is not None,
            "ACTION_ID": self.number,
            "RESPONDER_ID": self.responder,
        }
        if self.kind == "draw":
            return {"COMMAND": "DRAW_CARD_RESP", "DRAWN_CARDS": [], **drawn_by(self.seat), **pending}
        assert self.place is not None
        if self.kind in ("ability", "trickster") and self.target is not None:  # D27
            by = {"SOURCE_POS": where[self.place], "SOURCE_ID": self.card}
            about = {"CARD_LOCATIONS": [where[self.target]], "SUCCESS": True, "PLAYER_ID": self.seat}
            return {"COMMAND": "DESTROY_CARD_RESP", **about, **by, **pending}
        return {**self.named(seat), **pending}

    def named(self, seat: int) -> Message:
        """What it is, in the message that is used for its announcement and for its result."""
        where = WRITTEN[seat]
        assert self.place is not None
        place = where[self.place]
        match self.kind:
            case "play":
                assert self.target is not None
                ends = {"START_POS": place, "END_POS": where[self.target]}
                return {
                    "COMMAND": "PLAY_CARD_RESP", **ends, "PLAYER_ID": self.seat, "SUCCESS": True,
                    "CARD_ID": shown(self.card), "ABILITY_TRIGGERED": self.number == 0,
                }  # fmt: skip
            case "level":
                about = {"NEW_LEVEL": self.level, "TARGET": place, "PLAYER_ID": self.seat}
                return {"COMMAND": "LEVEL_MAGE_RESP", "SUCCESS": True, **about}
            case "attack":
                assert self.target is not None
                about = {"ATTACKER": place, "TARGET": where[self.target], "PLAYER_ID": self.seat}
                return {"COMMAND": "ATTACK_CARD_RESP", "SUCCESS": True, **about}
            case "ability":
                about = {"CARD_POS": place, "CARD_ID": self.card, "PLAYER_ID": self.seat}
                return {"COMMAND": "USE_ABILITY_RESP", "SUCCESS": True, **about}
        return {
            "COMMAND": "ACTIVATE_TRICKSTER_RESP", "SUCCESS": True, "TARGET": place, "TRICKSTER_POS": place,
            "CARD_ID": self.card, "PLAYER_ID": self.seat, "RESPONSE_USER_ID": 1 - self.seat,
            "RESPONDS_TO": self.responds_to,
        }  # fmt: skip


def shown(card: int | None) -> int:
    """D46"""
    return HIDDEN if card is None else card


def drawn_by(seat: int, clear: bool = False) -> Message:
    return {"USER_ID": seat, "CLEAR_FLAG": clear}


def topmost(view: View) -> Declared:
    """What the player who holds the window may answer."""
    item = view.stack[-1]
    assert view.responder is not None
    target = item.named or item.target
    about = (item.place, target, item.card, item.level, item.responds_to)
    return Declared(item.kind, item.number, item.seat, view.responder, *about)


# The whole state

PHASES = {
    "decks": "MULLIGAN", "mulligan": "MULLIGAN", "main": "MAIN", "window": "WINDOW", "choice": "CHOICE", "over": "OVER"
}  # fmt: skip


def game_state(view: View, seat: int) -> Message:
    mine, theirs = view.sides[seat], view.sides[1 - seat]
    revealed = view.turn > 0  # T12
    return {
        "COMMAND": "GAME_STATE",
        "PHASE": PHASES[view.phase],
        "TURN": view.turn,
        "CURRENT_PLAYER_ID": view.active,
        "MUST_DRAW": view.must_draw,
        "RESPONDER_ID": view.responder,
        "MY_CASTLE": shown(mine.castle if revealed else None),
        "THEIR_CASTLE": shown(theirs.castle if revealed else None),
        "MY_HEALTH": mine.health if revealed else 0,
        "THEIR_HEALTH": theirs.health if revealed else 0,
        "MY_DECK_SIZE": mine.deck,
        "THEIR_DECK_SIZE": theirs.deck,
        "CARDS": {WRITTEN[seat][place]: card for whose in (seat, 1 - seat) for place, card in _cards(view, whose)},
        "STACK": [
            {
                "ACTION_ID": item.number,
                "KIND": item.kind.upper(),
                "PLAYER_ID": item.seat,
                "CARD_POS": None if item.place is None else WRITTEN[seat][item.place],
            }
            for item in view.stack
        ],
        "REQUEST": request(view.request, view) if view.request is not None and view.request.seat == seat else None,
    }


def _cards(view: View, whose: int) -> Iterable[tuple[Place, Message]]:
    side = view.sides[whose]
    hand = [None] * side.hand_size if side.hand is None else side.hand
    for place, card in (*zip(HAND[whose], hand, strict=False), *zip(DISCARD[whose], side.discard, strict=False)):
        yield place, {"CARD_ID": shown(card)}
    for place, unit in zip(FIELD[whose], side.field, strict=True):
        if unit is not None:
            yield place, {**on_field(unit), "FACE_DOWN": unit.face_down}


def on_field(unit: CardView) -> Message:
    return {
        "CARD_ID": shown(unit.card),
        "POINTS": unit.points,
        "LEVEL": unit.level,
        "STUNNED": unit.stunned,
        "ATTACKS_LEFT": unit.attacks_left,
    }


def mulligan_offer(dealt: int) -> Message:
    return {"COMMAND": "MULLIGAN_OFFER", "HAND_SIZE": dealt, "NEXT_SIZE": dealt - 1}


def open_question(view: View, seat: int) -> Message | None:
    """What this player is being waited for, as it was said before; None: nothing, or a turn that everybody sees."""
    if view.request is not None and view.request.seat == seat:
        return request(view.request, view)
    if view.responder == seat:
        return topmost(view).announced(seat)
    side = view.sides[seat]
    if view.phase == "mulligan" and not side.accepted and side.dealt > 1:
        return mulligan_offer(side.dealt)
    return None
