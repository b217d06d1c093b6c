"""The payloads of Faraway's own protocol. See docs/protocols/faraway.md; ``connection`` says when each is sent.

The numbers B1, B2, … are that page's list of bad input; D1, D2, … are its decisions, R1, R2, … its rules of coming and
going.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from croupier.games.faraway.cards import REGION_DECKS, SANCTUARY_DECKS, CardSet
from croupier.games.faraway.moves import Choose, Play, Take
from croupier.games.faraway.options import Options
from croupier.games.faraway.state import View
from croupier.kernel import Rig
from croupier.tables.place import Place
from croupier.tables.summary import Summary
from croupier.wire.socketio import event

PROTOCOL_VERSION = 1  # D22
UNKNOWN = -1
"""A card that the receiver may not see."""
DEFAULT_SEATS = 6
SEATS = range(2, 8)

MOVES: dict[str, type[Play] | type[Choose] | type[Take]] = {
    "playCard": Play,
    "sanctuaryChoose": Choose,
    "shopChooseCard": Take,
}
ACTIONS = {move: name for name, move in MOVES.items()}


class Payload(msgspec.Struct, frozen=True, rename="camel"):
    """Something in a message."""


class RoomSummary(Payload, frozen=True):
    """A room as everybody may know it (D24)."""

    users: list[str]
    state: bool
    max_players: int


class RoomOptions(Payload, frozen=True):
    card_set: str
    open_information: bool
    tie_break: str
    action_timeout_sec: int


class Action(Payload, frozen=True):
    type: str
    card_index: int


class PlayerState(Payload, frozen=True):
    hand: Sequence[int]
    sanctuaries: list[int]
    """Always empty (D42)."""
    played_cards: Sequence[int]
    played_sanctuaries: Sequence[int]
    has_played: bool
    has_to_choose: bool
    sanctuary_choose: Sequence[int]
    connected: bool


class ScoreEntry(Payload, frozen=True):
    total: int
    round: list[int]


class Ranked(Payload, frozen=True):
    id: str
    rank: int
    total: int
    lowest_value: int | None


class RoomState(Payload, frozen=True):
    """A room as one of its members may know it. Before the game it ends with ``legal_actions``."""

    room_id: str
    users: list[str]
    state: bool
    max_players: int
    protocol_version: int
    server_time: int | Raw
    state_seq: int
    options: RoomOptions
    legal_actions: Sequence[Action] | Raw
    turn: int | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    pool: list[int] | UnsetType = UNSET
    sanctuary_pool: list[int] | UnsetType = UNSET
    players: Mapping[str, PlayerState | Raw] | UnsetType = UNSET
    shop: list[int] | UnsetType = UNSET
    shop_order: list[str] | UnsetType = UNSET
    action_deadline: int | UnsetType = UNSET
    winner: list[str] | UnsetType = UNSET
    score: list[ScoreEntry] | UnsetType = UNSET
    ranking: list[Ranked] | UnsetType = UNSET
    end_reason: str | UnsetType = UNSET


# What the server says

WELL_CONNECTED = event("wellConnected")
SESSION_REPLACED = event("sessionReplaced")


def users(table: Summary) -> list[str]:
    """In the order of their seats; once there was a game, those who are or were in it (D37)."""
    return [player.handle for player in table.cast or table.players]


def started(table: Summary) -> bool:
    return table.phase == "playing" or table.games > 0


def room_summary(table: Summary) -> RoomSummary:
    return RoomSummary(users(table), started(table), table.seats)


def rooms(tables: Sequence[Summary]) -> bytes:
    """All rooms that can be entered, and those in which somebody plays or looks at the result: not those that are left
    over from a game. Who speaks this protocol knows no passwords."""
    return event("rooms", {table.code: room_summary(table) for table in tables if not (table.locked or _left(table))})


def _left(table: Summary) -> bool:
    """Whether a game is over, and everybody has gone."""
    over = table.games > 0 and table.phase != "playing"
    return over and all(player.away for player in table.players if player.bot is None)


def begin_game(place: Place, at: int) -> bytes:
    told = {"protocolVersion": PROTOCOL_VERSION, "serverTime": at, "gameId": place.summary.code}  # D26
    return event("beginGame", told)


def state_of(table: Summary, view: View | None, step: int, deadline: int | UnsetType) -> RoomState:
    chosen: Options = table.options
    names = users(table)
    lobby = RoomState(
        room_id=table.code,
        users=names,
        state=started(table),
        max_players=table.seats,
        protocol_version=PROTOCOL_VERSION,
        server_time=0,
        state_seq=step,
        options=RoomOptions(chosen.card_set, chosen.open_information, chosen.tie_break, chosen.action_timeout),
        legal_actions=[],
    )
    if view is None:
        return lobby
    by_seat = dict(zip(view.players, table.cast, strict=True))
    running = replace(
        lobby,
        turn=view.turn,
        phase=view.phase,
        pool=_pool(view.region_deck, view.regions_left),
        sanctuary_pool=_pool(view.sanctuary_deck, view.sanctuaries_left),
        players={
            player.handle: PlayerState(
                hand=_cards(view.hands[seat]),
                sanctuaries=[],
                played_cards=list(view.rows[seat]),
                played_sanctuaries=list(view.sanctuaries[seat]),
                has_played=view.done[seat],
                has_to_choose=view.choosing[seat],
                sanctuary_choose=_cards(view.offers[seat]),
                connected=not player.away,
            )
            for seat, player in by_seat.items()
        },
        shop=list(view.shop),
        shop_order=[by_seat[seat].handle for seat in view.shop_order],  # D40
        action_deadline=deadline,
    )
    if view.phase != "end":
        return running
    scores = [view.scores[seat] for seat in view.players]
    return replace(
        running,
        winner=[by_seat[seat].handle for seat in view.winners],
        score=[ScoreEntry(score.total, list(score.rounds)) for score in scores if score is not None],
        ranking=[
            Ranked(by_seat[standing.seat].handle, standing.rank, standing.total, standing.lowest)
            for standing in view.ranking
        ],
        end_reason=view.reason,
    )


def _cards(cards: Sequence[int | None]) -> list[int]:
    return [UNKNOWN if card is None else card for card in cards]  # D7


def _pool(cards: Sequence[int] | None, count: int) -> list[int]:
    return [UNKNOWN] * count if cards is None else list(cards)


# What clients say


class BadPayload(Exception):
    """Not what belongs there."""


def integer(value: Any) -> int:
    """B3: five is five, also when it is written 5.0; but true is not one."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    raise BadPayload("a whole number is wanted")


class Wanted(msgspec.Struct, frozen=True):
    """What somebody who creates a room asks for."""

    seats: int
    options: dict[str, Any]
    """As the game calls them."""
    rig: Rig | None


OPTIONS = {
    "cardSet": "card_set",
    "openInformation": "open_information",
    "tieBreak": "tie_break",
    "actionTimeoutSec": "action_timeout",
}


def wanted(argument: Any) -> Wanted:
    """The argument of ``createRoom``. What is no object is no argument (B22); unknown keys are no options (B23)."""
    if isinstance(argument, bytes):
        raise BadPayload("no binary data is wanted")  # B36
    given: dict[str, Any] = argument if isinstance(argument, dict) else {}
    seats = integer(given.get("maxPlayers", DEFAULT_SEATS))
    if seats not in SEATS:
        raise BadPayload(f"maxPlayers is {SEATS[0]} to {SEATS[-1]}")
    options = {name: given[key] for key, name in OPTIONS.items() if key in given}
    if "action_timeout" in options:
        options["action_timeout"] = integer(options["action_timeout"])
    rig = None
    if "seed" in given:
        options.setdefault("card_set", "base")
        rig = _seeded(integer(given["seed"]), options["card_set"])
    return Wanted(seats, options, rig)


def _seeded(seed: int, card_set: CardSet) -> Rig | None:
    """F5: the decks as CPython's own generator shuffles them, one after the other."""
    if card_set not in ("base", "full"):
        raise BadPayload("there is no such card set")
    generator = Random(seed)
    regions, sanctuaries = list(REGION_DECKS[card_set]), list(SANCTUARY_DECKS[card_set])
    generator.shuffle(regions)
    generator.shuffle(sanctuaries)
    return Rig(orders={"regions": regions, "sanctuaries": sanctuaries})
