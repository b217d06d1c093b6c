"""What happens in a game, told to one seat in the messages of the game's own protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from croupier.games.fortress import events as ev
from croupier.games.fortress.dialect.messages import (
    Declared,
    Message,
    drawn_by,
    mulligan_offer,
    name_of,
    request,
    shown,
    topmost,
)
from croupier.games.fortress.dialect.place_names import WRITTEN
from croupier.games.fortress.places import CASTLE, DECK, DISCARD, HAND, Place
from croupier.games.fortress.view import View
from croupier.tables.summary import Summary

Look = Callable[[], View]
"""How the table looks after what is told. Most events say all there is to say of them, and a view is dear."""


def told(events: Sequence[ev.AnyEvent], seat: int, look: Look, table: Summary) -> list[Message]:
    """All messages of one moment."""
    messages = [message for event in events for message in _told(event, seat, look, table)]
    if any(isinstance(event, ev.Dealt) for event in events):
        messages.sort(key=_dealing)
    return messages


def _dealing(message: Message) -> int:
    """When hands are dealt everybody gets the own one first, and is asked about it last."""
    return {"GAME_START": 0, "MULLIGAN_OFFER": 2}.get(message["COMMAND"], 1)


def declared(event: ev.AnyEvent) -> Declared | None:
    """The event as an item of the stack, if it is one."""
    match event:
        case ev.DrawDeclared(number, seat, responder):
            return Declared("draw", number, seat, responder)
        case ev.PlayDeclared(number, seat, start, end, card, responder):
            return Declared("play", number, seat, responder, start, end, card)
        case ev.LayDeclared(number, seat, start, end, hidden, responder):
            return Declared("play", number, seat, responder, start, end, hidden)
        case ev.LevelDeclared(number, seat, mage, level, responder):
            return Declared("level", number, seat, responder, mage, level=level)
        case ev.AttackDeclared(number, seat, attacker, target, responder):
            return Declared("attack", number, seat, responder, attacker, target)
        case ev.AbilityDeclared(number, seat, place, card, named, responds_to, responder):
            return Declared("ability", number, seat, responder, place, named, card, responds_to=responds_to)
        case ev.TricksterDeclared(number, seat, place, card, named, responds_to, responder):
            return Declared("trickster", number, seat, responder, place, named, card, responds_to=responds_to)
    return None


def _told(event: ev.AnyEvent, seat: int, look: Look, table: Summary) -> Iterable[Message]:
    item = declared(event)
    if item is not None:
        return [item.announced(seat)]
    if isinstance(event, ev.Asked):
        return [request(event, look())] if event.seat == seat else []
    return [*_outcome(event, seat), *_before(event, seat, look, table), *_afterwards(event, seat, look, table)]


def _outcome(event: ev.AnyEvent, seat: int) -> Iterable[Message]:
    """Results: an action or response has resolved, or an effect has done the same."""
    match event:
        case ev.Drew(who, deck, hand, cards, number):
            drawn = _drawn(seat, who, deck, hand, cards)
            result = {} if number is None else _result("done", number)
            yield {"COMMAND": "DRAW_CARD_RESP", "DRAWN_CARDS": drawn, **drawn_by(who), "PENDING": False, **result}
        case ev.Played(who, start, end, card, points, level, result, number):
            item = Declared("play", number or 0, who, 0, start, end, card)
            yield {**item.named(seat), "POINTS": points, "LEVEL": level, "PENDING": False, **_result(result, number)}
        case ev.Laid(who, start, end, hidden, number):
            item = Declared("play", number or 0, who, 0, start, end, hidden)
            yield {**item.named(seat), "POINTS": None, "LEVEL": None, "PENDING": False, **_result("done", number)}
        case ev.Levelled(who, mage, level, result, number):
            item = Declared("level", number or 0, who, 0, mage, level=level)
            yield {**item.named(seat), "PENDING": False, **_result(result, number)}
        case ev.AbilityUsed(who, place, card, responds_to, result, number):
            item = Declared("ability", number, who, 0, place, None, card)
            yield {**item.named(seat), "PENDING": False, **_result(result, number, responds_to is not None)}
        case ev.TricksterUsed(who, place, card, responds_to, result, number):
            item = Declared("trickster", number, who, 0, place, None, card, responds_to=responds_to)
            yield {**item.named(seat), "PENDING": False, **_result(result, number, True)}
        case ev.Attacked(who, attacker, target, blow, number):
            item = Declared("attack", number, who, 0, attacker, target)
            yield {**item.named(seat), "PENDING": False, **_result(blow, number)}


def _result(result: str, number: int | None, in_response: bool = False) -> Message:
    told: Message = {"IN_RESPONSE": in_response, "RESULT": result.upper()}
    return told if number is None else {**told, "ACTION_ID": number}


def _drawn(seat: int, who: int, deck: Sequence[int], hand: int, cards: Sequence[int] | None) -> list[Message]:
    """Cards on their way from the deck, from these places, to the hand, from that place on."""
    where = WRITTEN[seat]
    return [
        {
            "cardPos": where[HAND[who][hand - 1 + step]],
            "oldPos": where[DECK[who][number - 1]],
            "card": shown(None if cards is None else cards[step]),
        }
        for step, number in enumerate(deck)
    ]


def _before(event: ev.AnyEvent, seat: int, look: Look, table: Summary) -> Iterable[Message]:
    """Up to the first turn."""
    match event:
        case ev.Dealt(who, cards, count, deck) if who == seat:
            assert cards is not None
            names = {player.seat: name_of(player) for player in table.players}
            yield {
                "COMMAND": "GAME_START",
                "DECK": {WRITTEN[seat][place]: card for place, card in zip(HAND[seat], cards, strict=False)},
                "DECK_SIZE": deck,
                "PLAYER_ID": seat,
                "MY_NAME": names[seat],
                "THEIR_NAME": names[1 - seat],
            }
            if count > 1:  # D13
                yield mulligan_offer(count)
        case ev.Dealt(who, cards, count, deck):
            drawn = _drawn(seat, who, range(deck + count, deck, -1), 1, cards)
            yield {
                "COMMAND": "DRAW_CARD_RESP",
                "DRAWN_CARDS": drawn,
                **drawn_by(who, clear=True),
                "PENDING": False,
            }  # D77
        case ev.Returned(who, hand, left):
            # On top as far as anybody can see: where it really is only the shuffle knows that follows.
            deck = look().sides[who].deck
            yield _moved(seat, [(HAND[who][hand - 1], DECK[who][deck - 1]), *_shifts(who, hand, left)])
        case ev.CastlesRevealed(castles, health):
            yield {"COMMAND": "SPAWN_CASTLES", "MY_CASTLE": castles[seat], "THEIR_CASTLE": castles[1 - seat]}
            yield _health(seat, health)
        case ev.TurnStarted(who, turn, must_draw):
            name = next(name_of(player) for player in table.players if player.seat == who)
            yield {"COMMAND": "TURN_START", "PLAYER_ID": who, "USERNAME": name, "TURN": turn, "MUST_DRAW": must_draw}


def _afterwards(event: ev.AnyEvent, seat: int, look: Look, table: Summary) -> Iterable[Message]:
    """What follows from actions and effects."""
    where = WRITTEN[seat]
    match event:
        case ev.GapClosed(who, gap, left):
            yield _moved(seat, _shifts(who, gap, left))
        case ev.Discarded(who, hand, card, number, left):
            grave = DISCARD[who][number - 1]
            yield _moved(seat, [(HAND[who][hand - 1], grave), *_shifts(who, hand, left)], {grave: card})
        case ev.Retired(place, card, grave):
            yield _moved(seat, [(place, grave)], {grave: card})
        case ev.Shuffled(who, size):
            deck = {where[place]: shown(None) for place in DECK[who][:size]}  # D37
            yield {"COMMAND": "SHUFFLE_DECK", "DECK": deck, "PLAYER_ID": who, "DECK_SIZE": size}
        case ev.Destroyed(places, graves, cards, in_response):
            yield {
                "COMMAND": "DESTROY_CARD_RESP",
                "CARD_LOCATIONS": [where[place] for place in places],
                "GRAVE_LOCATIONS": [where[place] for place in graves],
                "CARD_IDS": cards,
                "IN_RESPONSE": in_response,
                "PENDING": False,
                "SUCCESS": True,
            }
        case ev.ChangedSides(places):
            yield _moved(seat, places)
        case ev.CastleHit(source, whose, health):
            about = {"TRIGGER_POS": where[source], "TARGET_POS": where[CASTLE[whose]]}
            yield {"COMMAND": "CASTLE_ATTACK", **about, "NEW_HEALTH": health}
        case ev.HealthChanged(both):
            yield _health(seat, both)
        case ev.Updated(place, card, points, level, stunned, attacks_left):
            yield {
                "COMMAND": "CARD_UPDATE", "CARD_POS": where[place], "CARD_ID": card, "POINTS": points, "LEVEL": level,
                "STUNNED": stunned, "ATTACKS_LEFT": attacks_left,
            }  # fmt: skip
        case ev.Declined(who, number, kind, purpose) if who != seat:
            # The other's own word for it, or the nearest: what was asked is nobody else's business, that it is over is.
            what = {"KIND": kind.upper()} if purpose is None else {"KIND": kind.upper(), "PURPOSE": purpose.upper()}
            yield {"COMMAND": "DIAG_RESP", "BOOL": False, "PLAYER_ID": who, **what, "REQUEST_ID": number}
        case ev.WindowPassed():  # D23: the same can be answered, by somebody else
            yield topmost(look()).announced(seat)
        case ev.Missing(who, grace) if who != seat:
            name = next(name_of(player) for player in table.players if player.seat == who)
            yield {"COMMAND": "PLAYER_LEFT", "PLAYER_ID": who, "USERNAME": name, "GRACE": grace}
        case ev.Ended(winner, reason):
            yield {"COMMAND": "GAME_END", "WINNER_ID": winner, "REASON": reason.upper()}


def _health(seat: int, both: Sequence[int]) -> Message:
    return {"COMMAND": "CASTLE_DAMAGE", "MY_HEALTH": both[seat], "THEIR_HEALTH": both[1 - seat]}


def _shifts(who: int, gap: int, left: int) -> list[tuple[Place, Place]]:
    """T5: the cards of a hand above a gap move down."""
    return [(HAND[who][number], HAND[who][number - 1]) for number in range(gap, left + 1)]


def _moved(seat: int, moves: Sequence[tuple[Place, Place]], revealed: dict[Place, int] | None = None) -> Message:
    where = WRITTEN[seat]
    pairs = [[where[start], where[end]] for start, end in moves]
    cards = {where[place]: card for place, card in (revealed or {}).items()}
    return {"COMMAND": "MOVE_CARD", "CARD_MOVEMENTS": pairs, "CARDS": cards}
