"""The first version for who has nothing but the note: its own addresses and ways of writing, and with every message
that waits for an answer the answers that there are. See docs/protocols/coup-v1.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec

from croupier.games.coup import moves as mv
from croupier.games.coup.characters import ACTIONS, CHARACTERS, Action, Character
from croupier.games.coup.dialect.connection import encode
from croupier.games.coup.dialect.errors import Spelling
from croupier.games.coup.dialect.v1 import V1
from croupier.games.coup.state import View
from croupier.tables import intents
from croupier.tables.dialect import Output
from croupier.tables.intents import Intent
from croupier.tables.notices import Fact, Reply
from croupier.tables.place import Place

WAITS = (
    "WELCOME", "playerJoined", "HOST_CHANGED", "NEW_GAME", "nextTurn", "PROPOSE_ACTION", "BLOCK_ACTION",
    "PLAYER_LOSE_CARD", "EXCHANGE_OPTIONS", "GAME_PAUSED", "GAME_RESUMED", "GAME_STATE", "GAME_OVER",
)  # fmt: skip
"""Messages after which the game waits for somebody. The note has no word for some of what they may say then."""

EVENTS: Mapping[type[Any], str] = {
    intents.Start: "START_GAME",
    intents.Kick: "KICK_PLAYER",
    intents.Reopen: "NEW_GAME",
    mv.Propose: "PROPOSE_ACTION",
    mv.Confirm: "CONFIRM_ACTION",
    mv.CallBs: "CALL_BS",
    mv.Block: "BLOCK_ACTION",
    mv.Allow: "ALLOW_ACTION",
    mv.Accept: "ALLOW_ACTION",
    mv.Withdraw: "NEVERMIND_ACTION",
    mv.Lose: "PLAYER_LOSE_CARD",
    mv.Keep: "EXCHANGE_CARDS",
}
"""How requests and moves are asked for."""

Message = dict[str, Any]


def folded(text: str) -> str:
    """In any case, with spaces or lines between the words, or nothing.

    >>> folded("Foreign Aid") == folded("FOREIGN_AID")
    True
    """
    return text.replace(" ", "").replace("_", "").lower()


class ByNote(V1):
    cards: ClassVar[Mapping[str, Character]] = {
        "assasin": "assassin",  # as the note has it once
        **{folded(character): character for character in CHARACTERS},
    }
    actions: ClassVar[Mapping[str, Action]] = {folded(action): action for action in ACTIONS}
    spelled: ClassVar[Spelling] = V1.spelled._replace(hint=", in capitals or not")

    def _known(self, spelled: Mapping[str, Any], given: Any) -> Any:
        return super()._known(spelled, folded(given) if type(given) is str else given)

    def _confirm(self, data: Mapping[str, Any]) -> Intent:
        """A block has replaced the action, and the note does not say by what name: the action's will do, or none."""
        view: View = self._seated.view()
        action, target = data.get("action"), data.get("targetPlayer")
        if view.phase == "block_window" and (action is None or self._action(action) == view.action):
            data = {"action": "BLOCK", "targetPlayer": None if self._seat(target) == view.target else target}
        elif type(action) is str and folded(action) == "block":
            data = {**data, "action": "BLOCK"}
        return super()._confirm(data)

    def on_reply(self, reply: Reply) -> Iterable[Output | Intent]:
        return self._with_answers(super().on_reply(reply))

    def on_fact(self, fact: Fact) -> Iterable[Output | Intent]:
        return self._with_answers(super().on_fact(fact))

    def on_concluded(self) -> Iterable[Output | Intent]:
        return self._with_answers(super().on_concluded())

    def on_resync(self, place: Place) -> Iterable[Output | Intent]:
        return self._with_answers(super().on_resync(place))

    def _with_answers(self, outputs: Iterable[Output | Intent]) -> Iterable[Output | Intent]:
        for out in outputs:
            yield self._extended(out) if isinstance(out, bytes) else out

    def _extended(self, told: bytes) -> bytes:
        message = msgspec.json.decode(told)
        if message["event"] not in WAITS or self._place is None or not (answers := self._answers()):
            return told
        message["data"]["answers"] = answers
        return encode(message)

    def _answers(self) -> list[Message]:
        """What this player may say now, word for word."""
        place = self._seated
        table, view = place.summary, place.view()
        if place.playing and view.paused_since is None:
            return [self._in_words(move, view) for move in place.moves()]
        if table.host != place.seat:
            return []
        if table.phase == "waiting":
            return [said(intents.Start)] if len(table.players) > 1 else []
        if table.phase == "over":
            return [said(intents.Reopen)]
        return [said(intents.Kick, playerName=self._names[seat]) for seat in view.missing]

    def _in_words(self, move: Any, view: View) -> Message:
        cards, actions, _ = self.spelled
        match move:
            case mv.Propose():
                return self._aimed(move, actions[move.action], move.target)
            case mv.Confirm() if view.blocker is None and view.action is not None:
                return self._aimed(move, actions[view.action], view.target)
            case mv.Confirm():
                return self._aimed(move, "BLOCK", view.current)
            case mv.Block():
                return said(type(move), blockAs=cards[move.character])
            case mv.Lose():
                return said(type(move), card=cards[move.card])
            case mv.Keep():
                return said(type(move), keep=[cards[card] for card in move.cards])
        return said(type(move))

    def _aimed(self, move: Any, action: str, target: int | None) -> Message:
        return said(type(move), action=action, targetPlayer=None if target is None else self._names[target])


def said(asked: type[Any], **data: Any) -> Message:
    return {"event": EVENTS[asked], "data": data}
