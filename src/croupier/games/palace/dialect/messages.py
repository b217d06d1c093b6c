"""The messages of Palace's own protocol, as JSON. See docs/protocols/palace.md; ``connection`` says what answers what.

The numbers B1, B2, … are that page's list of bad input; D1, D2, … are its decisions.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from croupier.games.palace.options import Options
from croupier.games.palace.rules import Palace
from croupier.games.palace.state import View
from croupier.kernel.cards import RANKS, SUITS
from croupier.tables.dialect import Hangup
from croupier.tables.place import Place
from croupier.tables.summary import Summary

MALFORMED = 1007
DEEPEST = 128
PAGE_SIZE = 50
LONGEST = Palace.customs.naming.longest
"""Code points of a name or a password (D8)."""

encode = msgspec.json.Encoder().encode


# Cards

Value = Literal[
    "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"
]  # fmt: skip
Suit = Literal["Clubs", "Diamonds", "Hearts", "Spades"]


class Card(msgspec.Struct, frozen=True):
    value: Value
    suit: Suit


CARDS = {
    Card(value, suit): rank + sign
    for value, rank in zip(get_args(Value), RANKS, strict=True)
    for suit, sign in zip(get_args(Suit), SUITS, strict=True)
}
WRITTEN = {card: Raw(encode(wire)) for wire, card in CARDS.items()}


def read(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple([CARDS[card] for card in cards])


def written(cards: Iterable[str]) -> list[Raw]:
    return [WRITTEN[card] for card in cards]


# From the client

Id = Annotated[str, Meta(pattern=r"\A[0-9a-fA-F]{1,32}\Z")]  # B17
U8 = Annotated[int, Meta(ge=0, le=255)]


class Payload(msgspec.Struct, frozen=True):
    def members(self) -> int:
        """How many members of JSON objects it takes at least to write this down."""
        return len(self.__struct_fields__)


class NewLobby(Payload, frozen=True):
    max_players: U8
    password: str
    lobby_name: str
    player_name: str
    turn_timer: U8 | UnsetType = UNSET
    turn_timer_secs: Raw | UnsetType = UNSET  # D31

    def members(self) -> int:
        return 4 + (self.turn_timer is not UNSET)


class JoinLobby(Payload, frozen=True):
    lobby_id: Id
    player_name: str
    password: str


class Page(Payload, frozen=True):
    page: Annotated[int, Meta(ge=0)]

    def __post_init__(self) -> None:
        if self.page >= 1 << 64:  # B16
            raise ValueError("page does not fit into 64 bits")


class OfPlayer(Payload, frozen=True):
    lobby_id: Id
    player_id: Id


class StartGame(OfPlayer, frozen=True):
    pass


class Reconnect(OfPlayer, frozen=True):
    pass


class ChooseFaceup(OfPlayer, frozen=True):
    card_one: Card
    card_two: Card
    card_three: Card

    def members(self) -> int:
        return 5 + 6


class MakePlay(OfPlayer, frozen=True):
    cards: list[Card]

    def members(self) -> int:
        return 3 + 2 * len(self.cards)


class TakeTurn(MakePlay, frozen=True):
    pass


class RequestAi(OfPlayer, frozen=True):
    num_ai: U8


class KickPlayer(OfPlayer, frozen=True):
    slot: U8


class Envelope(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """A message with a payload: exactly one of these."""

    make_play: MakePlay | UnsetType = UNSET
    take_turn: TakeTurn | UnsetType = UNSET
    choose_faceup: ChooseFaceup | UnsetType = UNSET
    list_lobbies: Page | UnsetType | None = UNSET
    new_lobby: NewLobby | UnsetType = UNSET
    join_lobby: JoinLobby | UnsetType = UNSET
    start_game: StartGame | UnsetType = UNSET
    reconnect: Reconnect | UnsetType = UNSET
    request_ai: RequestAi | UnsetType = UNSET
    kick_player: KickPlayer | UnsetType = UNSET
    spectate_lobby: Id | UnsetType = UNSET


_decode = msgspec.json.Decoder(Envelope | Literal["ListLobbies"]).decode

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_LEVELS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _LEVELS)


def decode(message: bytes) -> Payload | str | None:
    """The payload of a message: the id alone for SpectateLobby, None for the note's ListLobbies. Raises ``Hangup``."""
    try:
        envelope = _decode(message)
        if not isinstance(envelope, Envelope):
            return None
        found = [payload for payload in msgspec.structs.astuple(envelope) if payload is not UNSET]
        if len(found) != 1:  # B10
            raise ValueError("one member is expected")
        payload: Payload | str | None = found[0]
        # Every member of an object has a colon. When there are no more of them than the payload needs, then no member
        # is there twice and none was skipped; only otherwise is a closer look worth its time.
        if message.count(b":") != 1 + (payload.members() if isinstance(payload, Payload) else 0):
            scrutinise(message)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise Hangup(MALFORMED, "not a message of this protocol") from None
    return payload


def scrutinise(message: bytes) -> None:
    """Look at what was skipped: members that mean nothing here must be proper JSON all the same (B20)."""
    msgspec.json.decode(message)  # B3, B6
    brackets = _STRING.sub(b"", message).translate(None, _NO_BRACKETS)
    if max(accumulate(_LEVELS[bracket] for bracket in brackets)) > DEEPEST:  # B7
        raise ValueError("too deep")
    json.loads(message, object_pairs_hook=_distinct, parse_int=_finite)


def _distinct(members: Sequence[tuple[str, Any]]) -> None:
    if len({name for name, _ in members}) < len(members):  # B19
        raise ValueError("a member is there twice")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):  # B7
        raise ValueError("a number is too long")
    return number


def canonical(id: str) -> str:
    """B21: the id as the server writes it, for ids are numbers."""
    return id.lower().lstrip("0") or "0"


# To the client


class ListedLobby(msgspec.Struct, frozen=True):
    """An entry of the list of lobbies."""

    cur_players: int
    ai_players: int
    max_players: int
    started: bool
    has_password: bool
    owner: str
    name: str
    age: int
    lobby_id: str
    cur_spectators: int
    turn_timer: int
    games_completed: int


class PublicGameState(msgspec.Struct, frozen=True):
    hands: Sequence[int]
    face_up_three: Sequence[Sequence[Raw]]
    face_down_three: Sequence[int]
    top_card: Raw | None
    pile_size: int
    cleared_size: int
    cur_phase: str
    active_player: int
    last_cards_played: Sequence[Raw]
    last_played_zone: str | None


PHASES = {"setup": "Setup", "play": "Play", "complete": "Complete"}
ZONES = {"hand": "Hand", "face_up": "FaceUpThree", "face_down": "FaceDownThree", None: None}

INTERNAL_ERROR = b'"InternalServerError"'
ILLEGAL = b'"illegal"'


def accepted(asked: str, ok: Any = None) -> bytes:
    return encode({f"{asked}Response": {"Ok": ok}})


def refused(asked: str, error: Any) -> bytes:
    return encode({f"{asked}Response": {"Err": error}})


def state_event(place: Place) -> bytes:
    """What everybody at the table, or watching it, is told of the game: the same for all."""
    view: View = place.view()
    state = PublicGameState(
        hands=view.hands,
        face_up_three=[written(cards) for cards in view.face_up],
        face_down_three=view.face_down,
        top_card=WRITTEN[view.pile[-1]] if view.pile else None,
        pile_size=len(view.pile),
        cleared_size=view.cleared,
        cur_phase=PHASES[view.phase],
        active_player=view.active,
        last_cards_played=written(view.last_cards),
        last_played_zone=ZONES[view.last_zone],
    )
    return encode({"PublicGameStateEvent": state})


def hand(place: Place) -> list[Raw]:
    return written(place.view().hand)


def turn_timer(table: Summary) -> int:
    options: Options = table.options
    return options.turn_timer


def names(table: Summary, but: int | None = None) -> list[str]:
    """Who is there, the owner first, then by slot (D24)."""
    players = sorted(table.players, key=lambda player: player.seat != table.host)
    return [player.name for player in players if player.seat != but]


def lobby(table: Summary, now: int) -> ListedLobby:
    return ListedLobby(
        cur_players=len(table.players),
        ai_players=sum(player.bot is not None and not player.house for player in table.players),
        max_players=table.seats,
        started=table.phase == "playing",
        has_password=table.locked,
        owner=next((player.name for player in table.players if player.seat == table.host), ""),
        name=table.name[:LONGEST],
        age=max(0, now - table.opened_at) // 1000,
        lobby_id=table.id,
        cur_spectators=table.watchers,
        turn_timer=turn_timer(table),
        games_completed=table.games,
    )


def list_response(tables: Sequence[Summary], page: int | None, now: int) -> bytes:
    if page is None:
        return encode({"ListLobbiesResponse": [lobby(table, now) for table in tables]})
    first, end = page * PAGE_SIZE, (page + 1) * PAGE_SIZE  # D23
    found = [lobby(table, now) for table in tables[first:end]]
    return encode({"ListLobbiesResponse": {"lobbies": found, "has_next_page": len(tables) > end}})
