"""What happens in a game of Cambia, and how it stands, as its own protocol tells it to one player.

Everything here is made from what the seat may see: views, redacted events, and what it was shown before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from croupier.games.cambia.dialect import ids
from croupier.games.cambia.dialect.house_rules import house_rules
from croupier.games.cambia.dialect.messages import Faces, Json
from croupier.games.cambia.events import (
    AnyEvent,
    Began,
    Called,
    Dealt,
    Discarded,
    Drew,
    Ended,
    FirstLook,
    Forfeited,
    Given,
    GiveOwed,
    Peeked,
    Penalised,
    Replaced,
    Reshuffled,
    Revealed,
    Skipped,
    SnapFailed,
    Snapped,
    SpecialOpened,
    Swapped,
    Turn,
)
from croupier.games.cambia.state import Card, Choice, Outcome, Spot, View
from croupier.tables.place import Place
from croupier.tables.summary import Player

T = TypeVar("T")

_PRIVATE = frozenset({Dealt, Began, Forfeited, FirstLook, Drew, Penalised, Peeked, Revealed})
"""What somebody is told in words of their own."""


class Teller:
    """Tells one player of one game."""

    def __init__(self, place: Place, faces: Faces) -> None:
        self.place = place
        self.faces = faces
        self.players: Sequence[Player] = place.lineup()
        self.game = ids.present(place)
        self.seats = {player.user: number for number, player in enumerate(self.players)}
        self._users = [{"id": player.user} for player in self.players]

    # How it stands

    def sync(self, at: int, view: View | None = None) -> Json:
        """All that the player may know; of a moment that is over, if its view is given."""
        place = self.place
        now: View = place.view() if view is None else view
        due = now.due if view else next((clock.due for clock in place.clocks() if clock.name == "turn"), None)
        known: dict[str, str] = place.recall()
        state = {
            "gameId": self.game.id,
            "preGameActive": now.phase == "pregame",
            "started": now.phase == "playing",
            "gameOver": now.phase in ("over", "pause"),
            "currentPlayerId": None if now.current is None else self.players[now.current].user,
            "turnId": now.turn,
            "stockpileSize": now.stockpile,
            "discardSize": now.discard,
            "discardTop": None if now.top is None else {"id": now.top.id, "known": True, **self.faces[now.top.face]},
            "players": [self._player(now, seat, known) for seat in range(len(now.players))],
            "cambiaCalled": now.caller is not None,
            "cambiaCallerId": None if now.caller is None else self.players[now.caller].user,
            "specialAction": None if now.choice is None else self._choice(now.choice),
            "snapGive": [{**self._debt(debt.seat, debt.target, debt.idx), "deadline": debt.due} for debt in now.debts]
            or None,
            "houseRules": house_rules(now.rules),
            "turnDeadline": due,
            "serverNow": at,
        }
        return {"type": "private_sync_state", "state": state}

    def _player(self, view: View, seat: int, known: dict[str, str]) -> Json:
        player, own = view.players[seat], seat == view.seat
        hand = []
        for idx, card in enumerate(player.hand):
            face = known.get(card) if own else None
            seen = {"known": False} if face is None else {"known": True, **self.faces[face]}
            hand.append({"id": card, **seen, "idx": idx})
        told = {
            "playerId": self.players[seat].user,
            "username": self.players[seat].name,
            "handSize": len(player.hand),
            "hasCalledCambia": view.caller == seat,
            "connected": not player.away,
            "forfeited": player.forfeited,
            "isCurrentTurn": view.current == seat,
            "revealedHand": hand,
        }
        if own:
            held = view.held
            mine = held is not None and held.seat == seat and held.face is not None
            told["drawnCard"] = self._face(Card(held.id, held.face)) if mine else None  # type: ignore[union-attr,arg-type]
        return told

    def _choice(self, choice: Choice) -> Json:
        told: Json = {
            "active": True,
            "playerId": self.players[choice.seat].user,
            "cardRank": self._rank(choice.rank),
            "special": choice.special,
            "step": choice.step,
        }
        # One face is missing when its card was snapped and reshuffled since: better none than the wrong one.
        known = choice.faces if len(choice.faces) == len(choice.cards) else (None,) * len(choice.cards)
        for number, (card, face) in enumerate(zip(choice.cards, known, strict=True)):
            told[f"card{number + 1}"] = self._spot(card, face)
        return told

    def first_look(self, cards: Sequence[Card], seat: int) -> Json:
        shown = [{**self._face(card), "idx": idx, "user": self._users[seat]} for idx, card in enumerate(cards)]
        two = {f"card{number + 1}": card for number, card in enumerate(shown[:2])}
        return {"type": "private_initial_cards", **two, "cards": shown}

    def end(self, outcome: Outcome) -> Json:
        winner = self.winner(outcome.winners)
        payload = {
            "scores": self.points(outcome.scores),
            "rawScores": self.points(outcome.raw),
            **winner,
            "caller": ids.NIL if outcome.caller is None else self.players[outcome.caller].user,
            "penaltyApplied": outcome.penalty_applied,
            "winBonusApplied": outcome.win_bonus_applied,
            "reason": outcome.reason,
            "forfeited": [self.players[seat].user for seat in outcome.forfeited],
            "hands": {
                self.players[seat].user: [{**self._face(card), "idx": idx} for idx, card in enumerate(hand)]
                for seat, hand in enumerate(outcome.hands)
            },
        }
        return {"type": "game_end", "payload": payload}

    def winner(self, seats: Sequence[int]) -> Json:
        winners = [self.players[seat].user for seat in seats]
        return {"winner": winners[0] if len(winners) == 1 else ids.NIL, "winners": winners}  # D64

    def points(self, points: Sequence[int | None]) -> Json:
        return {self.players[seat].user: score for seat, score in enumerate(points) if score is not None}

    # What happens

    def tell(self, event: AnyEvent, at: int) -> list[Json]:
        """All that the player is told of it."""
        return in_order(event, [*self.public(event, at)], [*self.private(event, at)])

    def public(self, event: AnyEvent, at: int) -> Iterator[Json]:
        """What everybody is told in the same words."""
        users = self._users
        match event:
            case Turn(seat, turn, due):
                yield {"type": "game_player_turn", "user": users[seat], "payload": {"turn": turn, **_due(due, at)}}
            case Drew():
                yield self._drew(event)
            case Discarded(seat=seat, card=card, face=face, idx=idx):
                thrown = self._face(Card(card, face)) | ({} if idx is None else {"idx": idx})
                yield {"type": "player_discard", "user": users[seat], "card": thrown}
            case Replaced(seat, card, idx):
                yield {"type": "player_replace", "user": users[seat], "card": {"id": card, "idx": idx}}
            case SpecialOpened(seat, card, rank, special, due):
                yield self.special_choice(seat, card, rank, special, due, at)
            case Peeked() | Revealed() | Swapped() | Skipped():
                yield self._special(event)
            case Reshuffled(stockpile):
                yield {"type": "game_reshuffle_stockpile", "stockpileSize": stockpile}
            case Called(seat):
                yield {"type": "player_cambia", "user": users[seat]}
            case Snapped(seat=seat, card=card, face=face, owner=owner, idx=idx):
                snapped = {**self._face(Card(card, face)), "idx": idx, **self._owner(owner, seat)}
                yield {"type": "player_snap_success", "user": users[seat], "card": snapped}
            case SnapFailed(seat, spot, face):
                yield self._snap_failed(seat, spot, face)
            case Penalised(seat=seat, card=card, count=count, total=total):
                who = {"user": users[seat], "player": users[seat]}  # D5
                payload = {"count": count, "total": total}
                yield {"type": "player_snap_penalty", **who, "card": {"id": card}, "payload": payload}
            case GiveOwed(seat, target, idx, due):
                payload = {"deadline": due, "serverNow": at}
                yield {"type": "player_snap_give_choice", **self._debt(seat, target, idx), "payload": payload}
            case Given(seat, target, given, idx, from_idx):
                yield self._given(seat, target, given, idx, from_idx)
            case Ended(outcome):
                yield self.end(outcome)

    def private(self, event: AnyEvent, at: int) -> Iterator[Json]:
        """What only this player is told, or everybody in words of their own."""
        if type(event) not in _PRIVATE:
            return  # mostly, and ``match`` takes its time to find that out
        me = self.place.seat
        match event:
            case Dealt() | Began():
                yield self.sync(at)
            case Forfeited(_, views):
                yield self.sync(at, views[0])
            case FirstLook(seat, cards):
                yield self.first_look(cards, seat)
            case Drew(seat=seat, face=str(face)) if seat == me:
                own = self._face(Card(event.card, face))
                yield {"type": "private_draw_stockpile", "card": own, "payload": {"source": event.source}}
            case Penalised(seat=seat, card=card, idx=idx) if seat == me:
                yield {"type": "private_snap_penalty", "card": {"id": card, "idx": idx}}
            case Peeked(seat, special, spot, face) if seat == me:
                looked = {"special": special, "card": self._spot(spot, face)}
                yield {"type": "private_special_action_success", **looked}
            case Revealed(seat=seat, card1=one, card2=other, faces=faces) if seat == me:
                both = {"card1": self._spot(one, faces[0]), "card2": self._spot(other, faces[1])}
                yield {"type": "private_special_action_success", "special": "swap_peek_reveal", **both}

    def _drew(self, event: Drew) -> Json:
        card: Json = {"id": event.card}
        payload: Json = {"source": event.source}
        if event.source == "discardpile":  # D15
            assert event.face is not None
            card |= self.faces[event.face]
            payload["discardSize"] = event.discard
        drawn = {"card": card, "stockpileSize": event.stockpile, "payload": payload}
        return {"type": "player_draw_stockpile", "user": self._users[event.seat], **drawn}

    def special_choice(self, seat: int, card: str, rank: str, special: str, due: int | None, at: int) -> Json:
        thrown = {"id": card, "rank": self._rank(rank)}
        told: Json = {"type": "player_special_choice", "user": self._users[seat], "card": thrown, "special": special}
        return told if due is None else {**told, "payload": _due(due, at)}

    def _special(self, event: Peeked | Revealed | Swapped | Skipped) -> Json:
        acted: Json = {"type": "player_special_action", "user": self._users[event.seat]}
        match event:
            case Peeked(special=special, card=card):
                return {**acted, "special": special, "card": self._spot(card)}
            case Revealed(card1=one, card2=other):
                return {**acted, "special": "swap_peek_reveal", "card1": self._spot(one), "card2": self._spot(other)}
            case Swapped(special=swap, card1=one, card2=other):
                return {**acted, "special": swap, "card1": self._spot(one), "card2": self._spot(other)}
            case Skipped(cards=cards):
                named = {f"card{number + 1}": self._spot(card) for number, card in enumerate(cards)}
                return {**acted, "special": "skip", **named}

    def _snap_failed(self, seat: int, spot: Spot | None, face: str | None) -> Json:
        told: Json = {"type": "player_snap_fail", "user": self._users[seat]}
        if spot is None:
            return told
        assert spot.owner is not None
        card = {"id": spot.id} if face is None else self._face(Card(spot.id, face))
        return {**told, "card": {**card, "idx": spot.idx, **self._owner(spot.owner, seat)}}

    def _debt(self, seat: int, target: int, idx: int) -> Json:
        return {"user": self._users[seat], "target": self._users[target], "idx": idx}

    def _given(self, seat: int, target: int, card: str | None, idx: int | None, from_idx: int | None) -> Json:
        told: Json = {"type": "player_snap_give", "user": self._users[seat]}
        if card is None:
            return {**told, "card": None}
        return {**told, "card": {"id": card, "idx": idx, "user": self._users[target]}, "fromIdx": from_idx}

    # Cards

    def _face(self, card: Card) -> Json:
        return {"id": card.id, **self.faces[card.face]}

    def _rank(self, rank: str) -> str:
        return str(self.faces[f"{rank}♠"]["rank"])

    def _spot(self, spot: Spot, face: str | None = None) -> Json:
        card: Json = {"id": spot.id} if face is None else self._face(Card(spot.id, face))
        if spot.owner is None:
            return card
        return {**card, "idx": spot.idx, "user": self._users[spot.owner]}

    def _owner(self, owner: int, seat: int) -> Json:
        return {} if owner == seat else {"user": self._users[owner]}


def in_order(event: AnyEvent, public: list[T], private: list[T]) -> list[T]:
    return private + public if type(event) is Revealed else public + private  # D12


def _due(due: int | None, at: int) -> Json:
    return {"serverNow": at} if due is None else {"turnDeadline": due, "serverNow": at}
