"""Which move of the game a command means, for the player who says it, in the position that player sees."""

from __future__ import annotations

from typing import Any

from croupier.games.fortress import moves as mv
from croupier.games.fortress.dialect.commands import Command
from croupier.games.fortress.dialect.place_names import NOWHERE, READ
from croupier.games.fortress.places import Place
from croupier.games.fortress.view import RequestView, View


def move_of(said: Command, seat: int, view: View) -> mv.AnyMove:
    command, fields = said
    number = fields.get("REQUEST_ID")
    responds_to = fields.get("RESPONDS_TO")

    def place(name: str) -> Place:
        return READ[seat].get(fields[name], NOWHERE)

    def maybe(name: str) -> Place | None:
        return place(name) if name in fields else None

    asked = view.request if view.request is not None and view.request.seat == seat else None
    match command:
        case "GAME_START_MULLIGAN":
            return mv.Mulligan()
        case "GAME_START_ACCEPT":
            return mv.AcceptHand()
        case "DIAG_RESP" if view.phase in ("decks", "mulligan"):  # D11: a tolerated way to say the same
            return mv.Mulligan() if fields["BOOL"] else mv.AcceptHand()
        case "DIAG_RESP":
            return mv.Answer(fields["BOOL"], "question", number)
        case "RETURN_CARD":
            return mv.ReturnCard(place("START_POS"))
        case "DRAW_CARD":
            return mv.Answer(True, "draw", number) if asked is not None and asked.kind == "draw" else mv.DrawCard()
        case "DRAW_CARD_OFFER_IGNORE":
            return mv.Answer(False, "draw", number)
        case "PLAY_CARD":
            start, end, card = place("START_POS"), place("END_POS"), fields["CARD_ID"]
            if fields.get("ABILITY_TRIGGERED") and answers_play(seat, view, asked):  # D39
                return mv.ChooseCard(start, end, card, number)
            return mv.PlayCard(start, end, card)
        case "ATTACK_CARD":
            return mv.AttackCard(place("ATTACKER"), place("TARGET"))
        case "LEVEL_MAGE_RESP" if answers_level(said, seat, asked):
            return mv.Answer(fields["OPT"], "level", number)
        case "LEVEL_MAGE" | "LEVEL_MAGE_RESP":  # D30
            return mv.LevelMage(place("TARGET"))
        case "USE_ABILITY":
            return mv.UseAbility(place("CARD_POS"), responds_to)
        case "DESTROY_CARD":
            return mv.DestroyCard(place("CARD_POS"), maybe("SOURCE_POS"), responds_to)
        case "ALLOW_ACTION":
            return mv.AllowAction()
        case "ACTIVATE_TRICKSTER":
            return mv.ActivateTrickster(_trickster(fields, seat), responds_to, fields.get("MORE", False))
        case "TARGET_CARD_RESP" | "CHOOSE_COST_RESP":
            return mv.ChooseCard(maybe("CARD_POS"), request=number)
        case "TURN_END":
            return mv.EndTurn()
    raise AssertionError(f"unknown command: {command}")


def answers_play(seat: int, view: View, asked: RequestView | None) -> bool:
    """Whether a card played by an ability is meant: asked for, or nothing at all is and the player could be told so."""
    if asked is not None:
        return asked.purpose == "play"
    return view.phase == "main" and view.active == seat and not view.must_draw


def answers_level(said: Command, seat: int, asked: RequestView | None) -> bool:
    """D30: whether there is an offer for this mage, and a word about it."""
    if asked is None or asked.kind != "level" or "OPT" not in said.fields:
        return False
    return READ[seat].get(said.fields["TARGET"]) == asked.place


def _trickster(fields: dict[str, Any], seat: int) -> Place:
    """D31: TARGET is the trickster; where it is not and TRICKSTER_POS is, that one."""
    found = [READ[seat].get(fields[name], NOWHERE) for name in ("TARGET", "TRICKSTER_POS") if name in fields]
    own = [place for place in found if place.seat == seat and place.zone == "trickster"]
    return own[0] if own else found[0]
