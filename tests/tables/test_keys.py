"""Passwords: argon2 is a price that everybody else pays too, so it is paid once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from croupier.tables import keys
from tests.client import Refusal, client
from tests.games.palace.wire import hall
from tests.live import server


class Counting(PasswordHasher):
    """The real one, and how often it was asked."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=1024, parallelism=1)
        self.verified = 0

    def verify(self, *about: Any) -> Any:
        self.verified += 1
        return super().verify(*about)


@pytest.fixture
def argon2(monkeypatch: pytest.MonkeyPatch) -> Counting:
    counting = Counting()
    monkeypatch.setattr(keys, "_hasher", counting)
    return counting


async def test_right_and_wrong_passwords_at_a_full_table(tmp_path: Path, argon2: Counting) -> None:
    async with server(tmp_path) as live, client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="palace", player="Ann", seats=2, password="plum")
        await bob.ask("join", table=ann.table, player="Bob", password="plum")
        async with client(live.ws("/ws")) as eve:
            for password, code in [("plum", "full"), ("pear", "bad_password"), ("", "bad_password")] * 3:
                with pytest.raises(Refusal) as refused:
                    await eve.ask("join", table=ann.table, player="Eve", password=password)
                assert refused.value.code == code
    assert argon2.verified == 0


def test_after_a_restart_until_somebody_is_right(argon2: Counting) -> None:
    locked = keys.Locks().lock("plum")
    assert locked is not None
    locks = keys.Locks()
    assert not locks.knows(locked)
    assert not locks.opens("", locked)
    assert not locks.opens("plum" * 1000, locked)
    assert argon2.verified == 0
    assert not locks.opens("pear", locked)
    assert [locks.opens("plum", locked) for _ in range(9)] == [True] * 9
    assert [locks.opens("pear", locked) for _ in range(9)] == [False] * 9
    assert argon2.verified == 2


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "MOST_KNOWN", 2)
    locks = keys.Locks()
    locked = [str(locks.lock(f"password {n}")) for n in range(3)]
    assert [locks.knows(each) for each in locked] == [False, True, True]
    assert locks.opens("password 0", locked[0])


async def test_palaces_order_of_answers_stays(tmp_path: Path, argon2: Counting) -> None:
    """A wrong password is told before a full lobby; and neither costs anything."""
    async with hall(tmp_path) as here:
        matt, _ = await here.two(max_players=2, password="plum")
        bob = await here.enter()
        for _ in range(keys.GUESSES - 1):
            for password, error in (("plum", "LobbyFull"), ("pear", "BadPassword")):
                wish = {"lobby_id": matt.lobby, "player_name": "Bob", "password": password}
                assert (await bob.ask({"JoinLobby": wish}))["Err"] == error
    assert argon2.verified == 0
