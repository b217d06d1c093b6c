"""Refusals as both versions of Coup's own protocol write them: a code for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from croupier.games.coup import moves as mv
from croupier.games.coup.characters import BLOCKS, Action, Character
from croupier.games.coup.dialect.names import named
from croupier.tables import intents
from croupier.tables.intents import Intent
from croupier.tables.notices import Refused
from croupier.tables.place import Place
from croupier.tables.soft import SOUND_EVERY


class Spelling(NamedTuple):
    """How a version writes cards and actions."""

    cards: Mapping[Character, str]
    actions: Mapping[Action, str]
    hint: str = ""
    """What to say besides to who spells them otherwise."""


class ProtocolError(Exception):
    """A message that is refused: a code for programs and a sentence for people."""

    def __init__(self, code: str, text: str, **data: Any) -> None:
        super().__init__(text)
        self.code = code
        self.data = data


CODES: Mapping[str, str] = {
    "started": "WRONG_PHASE",
    "not_started": "WRONG_PHASE",
    "not_over": "WRONG_PHASE",
    "too_few": "NOT_ENOUGH_PLAYERS",
    "full": "GAME_FULL",
    "house_full": "GAME_FULL",
    "bad_password": "NOT_ALLOWED",
    "name_taken": "GAME_FULL",  # never: it has been looked at
    "bad_name": "BAD_USERNAME",  # never: so has this
    "not_seated": "NOT_JOINED",
    "no_sounds": "NOT_ALLOWED",
    "silenced": "NOT_ALLOWED",
    "no_such_sound": "UNKNOWN_SOUND",
    "too_fast": "RATE_LIMITED",
    "internal": "INTERNAL",
    "unavailable": "INTERNAL",
}
"""What the house's own refusals are called. Those of the rules have the same codes in small letters."""


TEXTS: Mapping[str, str] = {
    "WRONG_PHASE": "not possible now",
    "NOT_HOST": "only the host may do that",
    "NOT_ENOUGH_PLAYERS": "it takes two players at least",
    "UNKNOWN_SOUND": "no such sound",
    "PAUSED": "the game is paused",
}


def explained(refusal: Refused, intent: Intent, place: Place | None, spell: Spelling) -> ProtocolError:
    """A refusal in the words of the protocol. It names nothing but what is public or was sent."""
    code = CODES.get(refusal.code) or refusal.code.upper()
    text = TEXTS.get(code) or str(refusal)
    wait = refusal.data.get("retry_ms")
    if isinstance(intent, intents.Play) and place is not None:
        text = _in_game(code, intent.move, place, spell) or text
    elif isinstance(intent, intents.Sound) and wait is not None:
        own = f"one sound every {SOUND_EVERY // 1000} seconds"
        text = own if wait <= SOUND_EVERY else "the table has heard enough for now"
    return ProtocolError(code, text, **({} if wait is None else {"retryAfterMs": wait}))


def _in_game(code: str, move: Any, place: Place, spell: Spelling) -> str | None:
    called, view = named(place.summary.players), place.view()
    match code:
        case "NOT_YOUR_TURN":
            return f"it is {called[view.current]}'s turn"
        case "NOT_TARGET":
            return f"only {called[view.target]} may {'block' if type(move) is mv.Block else 'answer'} this"
        case "CARD_NOT_HELD":
            return f"you do not hold {spell.cards[move.card]}"
        case "BAD_KEEP" if view.pool is not None:
            return f"keep must be {len(view.pool) - 2} of the offered cards"
        case "BAD_ACTION":
            return f"an action is one of {', '.join(spell.actions.values())}{spell.hint}"
        case "BAD_CARD":
            return f"a card is one of {', '.join(spell.cards.values())}{spell.hint}"
        case "ACTION_MISMATCH":
            return f"what is open is {spell.actions[view.action] if view.blocker is None else 'BLOCK'}"
        case "BAD_BLOCK_CARD":
            cards = " or ".join(spell.cards[card] for card in BLOCKS[view.action])
            return f"{spell.actions[view.action]} is blocked as {cards}"
    return None
