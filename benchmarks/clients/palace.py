"""Palace by its own protocol: keeps the dealt face-up cards, then plays the first card that fits."""

from __future__ import annotations

from typing import Any

from picows import WSMsgType

from benchmarks.clients import Seat, Table, decode, encode

RANKS = ("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace")


class PalaceSeat(Seat):
    kind = WSMsgType.BINARY
    table: PalaceTable
    own: dict[str, str]
    state: Any = None
    """In which to move, after the acknowledgement of the move before."""

    def told(self, message: bytes) -> None:
        if message.startswith(b'{"PublicGameStateEvent"'):
            state = decode(message)["PublicGameStateEvent"]
            if state["active_player"] == self.turn and state["cur_phase"] != "Complete":
                if self.sent_at:
                    self.state = state  # it is their turn again: once they know that the last move was good
                else:
                    self.act(state)
        elif message.startswith((b'{"ChooseFaceupResponse"', b'{"MakePlayResponse"')):
            self.moved()
            if self.state is not None:
                self.act(self.state)
        else:
            ((name, content),) = decode(message).items()
            self.heard(name, content)

    def heard(self, name: str, content: Any) -> None:
        match name:
            case "NewLobbyResponse" | "JoinLobbyResponse":
                lobby = content["Ok"].get("lobby_id") or self.table.lobby
                self.own = {"lobby_id": lobby, "player_id": content["Ok"]["player_id"]}
                self.table.seated(lobby)
            case "GameStartedEvent":
                self.hand, self.turn = content["hand"], content["turn_number"]
                self.table.playing()
            case "HandEvent":
                self.hand = content
            case "GameCompleteEvent" if self.number == 0:
                self.send({"StartGame": self.own})

    def act(self, state: Any) -> None:
        self.state = None
        face_up = state["face_up_three"][self.turn]
        if state["cur_phase"] == "Setup":
            one, two, three = face_up
            message: Any = {"ChooseFaceup": {**self.own, "card_one": one, "card_two": two, "card_three": three}}
        else:
            zone = self.hand or face_up
            top = state["top_card"]
            fitting = [card for card in zone if top is None or RANKS.index(card["value"]) >= RANKS.index(top["value"])]
            message = {"MakePlay": {**self.own, "cards": (fitting or zone)[:1]}}
        self.move(encode(message))


class PalaceTable(Table):
    path = "/palace"
    seat = PalaceSeat
    lobby = ""

    def begin(self) -> None:
        self._taken = 0
        new = {"max_players": len(self.seats), "password": "", "lobby_name": "bench", "player_name": "P0"}
        self.seats[0].send({"NewLobby": new})

    def seated(self, lobby: str) -> None:
        self.lobby = lobby
        self._taken += 1
        if self._taken < len(self.seats):
            join = {"lobby_id": lobby, "player_name": f"P{self._taken}", "password": ""}
            self.seats[self._taken].send({"JoinLobby": join})
        else:
            first = self.seats[0]
            assert isinstance(first, PalaceSeat)
            first.send({"StartGame": first.own})
