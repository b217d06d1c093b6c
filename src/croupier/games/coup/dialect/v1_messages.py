"""The messages of the first version of Coup's own protocol: events, and the table as a player may see it.

The numbers U1, U2, … are the rules as the game's page counts them; D1, D2, … are its decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from croupier.games.coup import events as ev
from croupier.games.coup.dialect.connection import encode
from croupier.games.coup.dialect.names import game_code, named
from croupier.games.coup.state import View
from croupier.tables.place import Place
from croupier.tables.summary import Summary

REASONS = {"bs_wrong": "BS_WRONG", "bs_caught": "BS_CAUGHT", "coup": "COUP", "assassinate": "ASSASSINATE"}
Names = Mapping[int, str]


def told(event: str, data: Mapping[str, Any]) -> bytes:
    return encode({"event": event, "data": data})


def _at(names: Names, seat: int | None) -> str | None:
    return None if seat is None else names[seat]


def _proposed(event: ev.Proposed, names: Names) -> list[bytes]:
    if event.immediate:  # U16
        return []
    data = {
        "action": event.action.upper(),
        "targetPlayer": _at(names, event.target),
        "playerName": names[event.seat],
        "blockOnly": event.block_only,
        "confirmAfterMs": event.wait_ms,
        "timeoutMs": event.timeout_ms,
    }
    return [told("PROPOSE_ACTION", data)]


def _executed(event: ev.Executed, names: Names) -> list[bytes]:
    data = {
        "targetPlayer": _at(names, event.target),
        "action": event.action.upper(),
        "playerName": names[event.seat],
    }
    return [told("CONFIRM_ACTION", data)]


def _blocked(event: ev.Blocked, names: Names) -> list[bytes]:
    data = {
        "playerName": names[event.seat],
        "blockAs": event.character.upper(),
        "action": event.action.upper(),
        "targetPlayer": _at(names, event.target),
        "confirmAfterMs": event.wait_ms,
        "timeoutMs": event.timeout_ms,
    }
    return [told("BLOCK_ACTION", data)]


def _challenged(event: ev.Challenged, names: Names) -> list[bytes]:
    data = {
        "accuser": names[event.seat],
        "wasCorrect": event.correct,
        "accused": names[event.accused],
        "claimedCard": event.character.upper(),
        "onBlock": event.on_block,
        "loser": names[event.loser],
    }
    return [told("callBSResult", data)]


def _revealed(event: ev.Revealed, names: Names) -> list[bytes]:
    data = {"playerName": names[event.seat], "card": event.card.upper(), "reason": event.reason.upper()}
    return [told("revealCards", data)]


def _ended(event: ev.Ended, names: Names) -> list[bytes]:
    cards = [card.upper() for card in event.cards]
    return [told("GAME_OVER", {"winner": names[event.seat], "winnerCards": cards})]


def _paused(event: ev.Paused, names: Names) -> list[bytes]:
    missing = [names[seat] for seat in event.missing]
    return [told("GAME_PAUSED", {"reason": f"{names[event.seat]} lost connection", "waitingFor": missing})]


def _of_player(name: str) -> Callable[[Any, Names], list[bytes]]:
    return lambda event, names: [told(name, {"playerName": names[event.seat]})]


SAID: Mapping[type[Any], Callable[[Any, Names], list[bytes]]] = {
    ev.Proposed: _proposed,
    ev.Executed: _executed,
    ev.CoinsChanged: lambda event, names: [
        told("COINS_CHANGED", {"coins": {names[seat]: coins for seat, coins in sorted(event.coins)}})
    ],
    ev.Passed: lambda event, names: [
        told("passAction", {"reason": event.reason.upper(), "playerName": names[event.seat]})
    ],
    ev.Allowed: _of_player("ACTION_ALLOWED"),
    ev.Blocked: _blocked,
    ev.Challenged: _challenged,
    ev.Revealed: _revealed,
    ev.WentOut: _of_player("PLAYER_OUT"),
    ev.Exchanged: _of_player("EXCHANGE_DONE"),
    ev.Turn: lambda event, names: [told("nextTurn", {"currentPlayerName": names[event.seat]})],
    ev.Ended: _ended,
    ev.Paused: _paused,
    ev.Resumed: lambda event, names: [told("GAME_RESUMED", {})],
    ev.Kicked: _of_player("PLAYER_KICKED"),
}
"""What everybody is told of an event. Nothing of what is in an event for one player only is used here."""


def welcome(place: Place, token: str | None) -> bytes:
    table = place.summary
    names = named(table.players)
    data = {
        "playerNames": list(names.values()),
        "gameCode": game_code(table),
        "host": _at(names, table.host),
        "ruleset": table.options.ruleset,
    }
    if table.options.require_token and token is not None:
        data["token"] = token
    return told("WELCOME", data)


def joined(place: Place, seat: int) -> bytes:
    table = place.summary
    order = [player.seat for player in table.players]
    data = {
        "playerName": named(table.players)[seat],
        "turnOrder": order.index(seat),  # D11
        "publicCards": [],  # D12
        "coins": place.view().coins[order.index(seat)],
        "cardCount": 2,
        "isHost": table.host == seat,
    }
    return told("playerJoined", data)


def your_hand(cards: Iterable[str], revealed: Iterable[str]) -> bytes:
    return told(
        "YOUR_HAND", {"cards": [card.upper() for card in cards], "revealed": [card.upper() for card in revealed]}
    )


def hand(place: Place) -> bytes:
    view: View = place.view()
    own = view.seats.index(place.seat or 0)
    return your_hand(_live(view, own), view.revealed[own])


def _live(view: View, player: int) -> list[str]:
    return [slot.card for slot in view.cards[player] if slot.card is not None and not slot.revealed]


def state(place: Place, at: int) -> dict[str, Any]:
    """Everything, as this player may see it."""
    table: Summary = place.summary
    view: View = place.view()
    names, options = named(table.players), table.options
    now = at if view.paused_since is None else view.paused_since
    own = view.seats.index(place.seat or 0)
    return {
        "gameCode": game_code(table),
        "ruleset": options.ruleset,
        "phase": view.phase.upper(),
        "paused": view.paused_since is not None,
        "host": _at(names, table.host),
        "currentPlayerName": _at(names, view.current),
        "deckCount": view.deck,
        "options": {
            "maxPlayers": table.seats,
            "confirmPolicy": options.confirm_policy,
            "minWaitMs": options.min_wait_ms,
            "responseTimeoutMs": options.response_timeout_ms,
            "choiceTimeoutMs": options.choice_timeout_ms,
            "turnTimeoutMs": options.turn_timeout_ms,
        },
        "players": [
            {
                "playerName": player.name,
                "turnOrder": order,
                "coins": view.coins[order],
                "cardCount": sum(not slot.revealed for slot in view.cards[order]),
                "publicCards": [card.upper() for card in view.revealed[order]],
                "isOut": player.seat in view.out,
                "isConnected": not player.away or player.seat in view.kicked,  # D50
            }
            for order, player in enumerate(table.players)
        ],
        "current": _window(view, names, now),
        "losing": None
        if view.losing is None or view.reason is None
        else {"playerName": names[view.losing], "reason": REASONS[view.reason]},
        "you": {
            "playerName": names[view.seats[own]],
            "cards": [card.upper() for card in _live(view, own)],
            "revealed": [card.upper() for card in view.revealed[own]],
            "exchange": None
            if view.pool is None
            else {"cards": [card.upper() for card in view.pool], "keep": len(view.pool) - 2},
        },
    }


def _window(view: View, names: Names, now: int) -> dict[str, Any] | None:
    if view.phase not in ("action_window", "block_window") or view.action is None:
        return None
    return {
        "kind": "ACTION" if view.blocker is None else "BLOCK",
        "playerName": _at(names, view.current if view.blocker is None else view.blocker),
        "action": view.action.upper(),
        "targetPlayer": _at(names, view.target),
        "blockAs": None if view.block_as is None else view.block_as.upper(),
        "blockOnly": view.block_only,
        "confirmInMs": 0 if view.opens is None else max(0, view.opens - now),
        "timeoutInMs": 0 if view.closes is None else max(0, view.closes - now),
        "allowed": [names[seat] for seat in view.allowed],
    }
