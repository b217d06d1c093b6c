"""Moves in words, and what views consist of, for clients that draw games which they don't know."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from croupier_crazy_eights import game as crazy_eights

from croupier.games import Catalogue
from croupier.games.palace import Palace
from croupier.kernel import ENGLISH, Words
from croupier.tables import error_log
from tests.client import Client, client
from tests.live import request, server
from tests.toys import Bid, Bids, View

GAMES = Catalogue({game.name: game for game in (crazy_eights, Palace())}, [])


async def begin(player: Client, game: str) -> dict[str, Any]:
    """Alone against a bot, until there is something to do."""
    await player.ask("open", game=game, player="Ann", seats=2)
    await player.ask("add_bots", count=1)
    await player.ask("start")
    return await player.hear(lambda message: bool(message.get("moves")))


async def test_moves_are_in_words_for_who_asks_for_it(tmp_path: Path) -> None:
    async with server(tmp_path, GAMES, bot_delay=0, test_seed="33" * 32) as live:
        async with client(live.ws("/ws")) as ann:
            assert "labels" not in await begin(ann, "crazy-eights")
            assert "labels" not in (await ann.ask("see"))["sync"]
        async with client(live.ws("/ws?labels=1")) as ann:
            told = await begin(ann, "crazy-eights")
            assert len(told["labels"]) == len(told["moves"]) > 0
            assert all(label.startswith(("play › ", "draw a card")) for label in told["labels"])
            assert (await ann.ask("see"))["sync"]["labels"] == told["labels"]
        async with client(live.ws("/ws?labels=1&language=fr")) as anne:
            told = await begin(anne, "crazy-eights")
            assert all(label.startswith(("jouer › ", "piocher une carte")) for label in told["labels"])
        async with client(live.ws("/ws?labels=1")) as ann:
            told = await begin(ann, "palace")
            assert told["labels"][0] == f"three to lay face up › {' + '.join(told['moves'][0]['cards'])}", "no colours"
        async with client(live.ws("/ws?labels=1&language=fr")) as anne:
            told = await begin(anne, "palace")
            assert told["labels"][0] == f"trois à poser face visible › {' + '.join(told['moves'][0]['cards'])}"


async def test_a_client_need_not_be_told_of_games_that_it_draws_itself(tmp_path: Path) -> None:
    async with server(tmp_path, GAMES, bot_delay=0) as live:
        for game, labelled in {"palace": False, "crazy-eights": True}.items():
            async with client(live.ws("/ws?labels=1&drawn=coup,palace")) as ann:
                assert ("labels" in await begin(ann, game)) == labelled
                assert ("labels" in (await ann.ask("see"))["sync"]) == labelled


class Speechless(Bids):
    """Nobody can say what its moves are."""

    def label(self, move: Bid, view: View, names: Sequence[str], words: Words = ENGLISH) -> str:
        raise RuntimeError("no words")


async def test_a_move_that_has_no_words_can_be_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(error_log, "seen", Counter[error_log.Kind]())
    async with (
        server(tmp_path, Catalogue({"bids": Speechless()}, []), bot_delay=0) as live,
        client(live.ws("/ws?labels=1")) as ann,
    ):
        told = await begin(ann, "bids")
        assert "labels" not in told
        await ann.ask("play", move=told["moves"][0])
        moved = await ann.hear(lambda message: message["entry"].get("seat") == ann.seat)
        assert moved["entry"]["entry"] == "moved"
    assert error_log.seen["story"] > 0


async def test_what_views_consist_of(tmp_path: Path) -> None:
    async with server(tmp_path, GAMES) as live:
        port = live.ports["http"]
        for language, stock in {"en": "Stock", "fr": "Pioche", "tlh": "Stock"}.items():
            reply = await request(port, "GET", f"/api/games/crazy-eights/layout?language={language}")
            fields = {field["name"]: field for field in json.loads(reply.body)}
            assert fields["stock"] == {"name": "stock", "title": stock, "kind": "deck"}
            assert fields["scores"]["by_seat"] is True
        assert (await request(port, "GET", "/api/games/nonsense/layout")).status == 404
