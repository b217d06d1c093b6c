"""The same protocol for the oldest clients, which know a part of it, get much of the rest wrong, and look for it on
another port. They are players like any others; what they can't do is done for them.

The numbers 1 to 7 are those of the list in docs/protocols/fortress.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from croupier.games.fortress import events as ev
from croupier.games.fortress import moves as mv
from croupier.games.fortress.dialect.commands import Command
from croupier.games.fortress.dialect.connection import FortressDialect, Outcome
from croupier.games.fortress.dialect.messages import HIDDEN, Message, drawn_by, name_of
from croupier.games.fortress.dialect.place_names import WRITTEN
from croupier.games.fortress.dialect.telling import declared
from croupier.games.fortress.places import DECK
from croupier.games.fortress.view import View
from croupier.tables import intents
from croupier.tables.dialect import Output
from croupier.tables.endpoint import ConnectionRequest, HouseQueries
from croupier.tables.intents import Intent
from croupier.tables.place import Place

KNOWN = frozenset(
    (
        "JOIN_GAME_RESP", "PLAYER_JOINED", "GAME_START", "DIAG_OFFER", "PLAY_CARD_RESP", "GAME_END", "TURN_START",
        "DRAW_CARD_RESP", "DESTROY_CARD_RESP", "LEVEL_MAGE_RESP", "TARGET_CARD", "MOVE_CARD", "SPAWN_CASTLES",
        "CASTLE_DAMAGE",
    )
)  # fmt: skip
"""1: any other would be the end of the client."""
STAND_IN = 28
"""4: the card that is shown where a card is hidden."""
HAND_PLACES = 10
"""3: a client knows no more."""
CHOOSES_FOR = 12
"""7: the one card for which the client lets its player choose; what others ask it never answers."""
CHOICE_SECONDS, OTHER_SECONDS = 15.0, 1.0
"""7: for a choice of its player; and for one of those that it can't make, if it has learnt to by itself."""

_HAND = re.compile(r"(MY|THEIR)_HAND_(\d+)")


def _beyond(position: str) -> bool:
    """3: whether it is one of those places of a hand that the client knows nothing of."""
    found = _HAND.fullmatch(position)
    return found is not None and int(found[2]) > HAND_PLACES


def _near(position: str) -> str:
    """3: the last place that it knows, for any beyond."""
    return re.sub(r"\d+$", str(HAND_PLACES), position) if _beyond(position) else position


class ReferenceDialect(FortressDialect):
    name = "fortress-reference"

    def __init__(self, house: HouseQueries, address: str) -> None:
        super().__init__(house, address)
        self._accepted_unasked = False

    # What it says

    def _in_game(self, said: Command, place: Place) -> Iterable[Outcome]:
        """5: the first hand it accepts by itself, before its player has seen it: what that one answers is the truth."""
        if said.name == "GAME_START_ACCEPT" and not self._accepted_unasked:
            self._accepted_unasked = True
            return
        yield from super()._in_game(said, place)

    # What it is told

    def _written(self, outcomes: Iterable[Outcome]) -> Iterable[Output | Intent]:
        for outcome in outcomes:
            if isinstance(outcome, dict):
                yield from super()._written(self._adapted(outcome))
            else:
                yield outcome

    def _adapted(self, message: Message) -> Iterable[Message]:
        command = message["COMMAND"]
        refused = message.get("SUCCESS") is False and command != "JOIN_GAME_RESP"
        if message.get("PENDING") or refused:  # 2
            return
        match command:
            case "GAME_START":
                yield _deal(message)
            case "MULLIGAN_OFFER":  # 5
                yield {"COMMAND": "DIAG_OFFER", "MSG": f"Take {message['NEXT_SIZE']} other cards instead?"}
            case "SPAWN_CASTLES":
                yield self._start()
                yield message
            case _ if command in KNOWN:
                yield from _shortened(message)

    def _start(self) -> Message:
        """5: once, when both hands are accepted; the order of the deck is not given away."""
        place = self._place
        assert place is not None and place.seat is not None
        seat, view = place.seat, place.view()
        players = {player.seat: name_of(player) for player in place.summary.players}
        size = view.sides[seat].deck
        return {
            "COMMAND": "GAME_START",
            "DECK": {WRITTEN[seat][card]: STAND_IN for card in DECK[seat][:size]},
            "DECK_SIZE": size,
            "PLAYER_ID": seat,
            "MY_NAME": players[seat],
            "THEIR_NAME": players[1 - seat],
        }

    def _failed(self, message: Message) -> Iterable[Outcome]:
        """6: it says all kinds of things that are none."""
        return ()

    # What is done for it

    def _told(self, events: Sequence[ev.AnyEvent], place: Place) -> Iterable[Outcome]:
        yield from super()._told(events, place)
        view: View = place.view()
        if view.phase == "over":
            return
        for event in events:
            yield from _for_them(event, place)


def _for_them(event: ev.AnyEvent, place: Place) -> Iterable[Intent]:
    """7: draw, allow, accept what is offered; and choose, when they have had the time to."""
    seat = place.seat
    item = declared(event)
    if item is not None and item.responder == seat:
        yield intents.Play(move=mv.AllowAction())
    match event:
        case ev.Dealt(whose, count=1) if whose == seat:  # nothing is asked about it any more
            yield intents.Play(move=mv.AcceptHand())
        case ev.WindowPassed(responder) if responder == seat:
            yield intents.Play(move=mv.AllowAction())
        case ev.TurnStarted(whose, _, True) if whose == seat:
            yield intents.Play(move=mv.DrawCard())
        case ev.Asked(whose, number, kind, card=card, optional=optional, region=region) if whose == seat:
            if kind in ("draw", "level"):
                yield intents.Play(move=mv.Answer(True, request=number))
            elif kind == "target":
                default = mv.ChooseCard(None if optional else region[0], request=number)
                seconds = CHOICE_SECONDS if card == CHOOSES_FOR else OTHER_SECONDS
                yield intents.Later(seconds=seconds, intent=intents.Play(move=default))


def _deal(message: Message) -> Message:
    """5: the own hand, as if it had been drawn."""
    top = message["DECK_SIZE"] + len(message["DECK"])
    drawn = [
        {"cardPos": position, "oldPos": f"MY_DECK_{top - step}", "card": card}
        for step, (position, card) in enumerate(message["DECK"].items())
    ]
    return {
        "COMMAND": "DRAW_CARD_RESP", "DRAWN_CARDS": drawn, **drawn_by(message["PLAYER_ID"], clear=True),
        "PENDING": False,
    }  # fmt: skip


def _shortened(message: Message) -> Iterable[Message]:
    """3 and 4; what would say nothing any more is not said."""
    told: Message = {name: STAND_IN if value == HIDDEN else value for name, value in message.items()}
    match message["COMMAND"]:
        case "MOVE_CARD":
            moves = {start: end for start, end in message["CARD_MOVEMENTS"] if not _beyond(start) and not _beyond(end)}
            if not moves:
                return
            told["CARD_MOVEMENTS"] = moves
        case "DRAW_CARD_RESP":
            told["DRAWN_CARDS"] = [_drawn(one) for one in message["DRAWN_CARDS"] if not _beyond(one["cardPos"])]
            if not told["DRAWN_CARDS"]:
                return
        case "PLAY_CARD_RESP":
            told["START_POS"] = _near(message["START_POS"])
        case "TARGET_CARD":
            told["TRIGGER_POS"] = _near(message["TRIGGER_POS"])
            told["CARDS"] = {position: card for position, card in message["CARDS"].items() if not _beyond(position)}
            told["VALID_REGION"] = [position for position in message["VALID_REGION"] if not _beyond(position)]
            if not told["VALID_REGION"]:
                return
    yield told


def _drawn(one: dict[str, Any]) -> dict[str, Any]:
    return {**one, "card": STAND_IN} if one["card"] == HIDDEN else one


def accept(request: ConnectionRequest) -> ReferenceDialect:
    return ReferenceDialect(request.house, request.address)
