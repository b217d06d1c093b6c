"""Whole conversations of Cambia's own protocol, byte for byte: G0 to G14.

Besides the usual, the head of a transcript says how its game stands when it begins: ``hands`` and what their cards are
called in the transcript, ``flip`` and what is drawn, how many ``turns`` have been played, and the house ``rules``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.kernel import Rig
from tests.conformance.transcript import Peer, WebSocketPeer, parse, replay, web_socket
from tests.games.cambia.wire import Hall, hall, stacked

TRANSCRIPTS = {path.stem: parse(path.read_text()) for path in sorted((Path(__file__).parent / "cambia").glob("*.txt"))}


def rigged(here: Hall, begins: dict[str, Any]) -> None:
    turns = begins.get("fill", begins.get("turns", 0))
    hands, flip = begins["hands"], begins.get("flip", "★B")
    orders: dict[str, list[Any]] = {"deck": stacked(hands, flip, *begins.get("draws", ()), turns=turns), "first": [0]}
    if "reshuffle" in begins:
        orders["reshuffle"] = begins["reshuffle"]
    here.house.settings = replace(here.house.settings, rig=Rig(orders=orders))


@pytest.mark.parametrize("name", TRANSCRIPTS)
async def test_transcript(name: str, tmp_path: Path) -> None:
    transcript = TRANSCRIPTS[name]
    begins = transcript.settings
    async with hall(tmp_path) as here:
        rigged(here, begins)
        peers: dict[str, Peer] = {}
        known: dict[str, str] = {}
        if "people" in begins:
            people = [await here.guest(person) for person in begins["people"]]
            known["L1"] = (await here.ask("POST", "/lobby/create", people[0], {"gameMode": "head_to_head"})).json["id"]
        else:
            names = begins["names"]
            people = await here.gather(*["Ann", "Ben", "Cleo"][: len(names)], houseRules=begins.get("rules", {}))
            await here.play(*people)
            await here.turns(begins.get("turns", 0), *people)
            state = await people[0].sync()
            for called, player in zip(names, state["players"], strict=True):
                known |= zip(called, [card["id"] for card in player["revealedHand"]], strict=True)
            if "top" in begins:
                known[begins["top"]] = state["discardTop"]["id"]
            known |= {"L1": here.lobby, "G1": here.game}
            await here.settle(*(person.lobby for person in people))
        for letter, person in zip("ABC", people, strict=False):
            known |= {letter: person.id, f"t{letter}": person.token}
            if "names" in begins:
                peers |= {letter: WebSocketPeer(person.game.connection, binary=False)}
                if name == "g07":
                    peers[f"L{letter}"] = WebSocketPeer(person.lobby.connection, binary=False)

        async def open_peer(where: str) -> Peer:
            return await web_socket(here.live.own("cambia", where), binary=False)

        await replay(transcript, open_peer, here.time.to_pass, peers=peers, known=known)


def test_all_are_there() -> None:
    assert len(TRANSCRIPTS) == 11
