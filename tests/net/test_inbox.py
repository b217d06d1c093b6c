"""Messages of one connection are answered in turn, also where an answer takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from croupier.net.inbox import Inbox
from croupier.tables.turns import Turns, share_of_the_loop


class Asking(Inbox):
    """Every message is a request that has to be decided elsewhere."""

    def __init__(self) -> None:
        super().__init__(Turns(), share_of_the_loop(1, 1))
        self.taken: list[str] = []

    def take(self, message: str, kind: object) -> None:
        self.taken.append(message)
        self.pause()

    def hold(self, on: bool) -> None:
        pass

    async def until(self, found: Callable[[], bool]) -> None:
        while not found():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)


async def test_no_message_is_taken_before_the_one_before_it_is_answered() -> None:
    """Also if that one had to wait for its turn, and nothing else was waiting."""
    inbox = Asking()
    for message in ("first", "second"):
        inbox.arrived(message, None)
    assert inbox.taken == ["first"]
    inbox.resume()
    await inbox.until(lambda: "second" in inbox.taken)
    inbox.arrived("third", None)
    assert inbox.taken == ["first", "second"]
    inbox.resume()
    await inbox.until(lambda: "third" in inbox.taken)


async def test_who_has_gone_is_forgotten_when_the_last_message_is_answered() -> None:
    inbox, gone = Asking(), asyncio.Event()
    for message in ("first", "second"):
        inbox.arrived(message, None)
    inbox.after_all(gone.set)
    inbox.resume()
    await inbox.until(lambda: "second" in inbox.taken)
    assert not gone.is_set()
    inbox.resume()
    await gone.wait()
