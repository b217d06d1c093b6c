"""One client's connection, as far as it is the same for every transport."""

from __future__ import annotations

from collections import deque
from time import monotonic

from croupier.net.admission import POLICY_VIOLATION, Admission
from croupier.tables.dialect import Dialect, Message, Pace
from croupier.tables.purses import Purse
from croupier.tables.session import Session
from croupier.tables.wall_clock import Time, ms


class PaceLimit:
    """Whether a connection keeps to the pace of its protocol."""

    __slots__ = ("_messages", "_pace", "_time", "_warned")

    def __init__(self, pace: Pace, time: Time) -> None:
        self._pace = pace
        self._time = time
        self._messages: deque[int] = deque(maxlen=pace.messages)
        self._warned: deque[int] = deque(maxlen=pace.refusals)

    def wait(self) -> int:
        """A message has come: 0 when it is in time, else how many milliseconds too early."""
        now, messages = self._time.now(), self._messages
        wait = messages[0] + ms(self._pace.seconds) - now if len(messages) == self._pace.messages else 0
        if wait <= 0:
            messages.append(now)
        return max(0, wait)

    def warn(self) -> bool:
        """Whether to warn the client, and count it: every time, or once in a while, as the protocol has it."""
        now, warned = self._time.now(), self._warned
        if self._pace.once and warned and now - warned[-1] < ms(self._pace.seconds):
            return False
        warned.append(now)
        return True

    @property
    def exhausted(self) -> bool:
        """Whether so many warnings in so short a time are the end of the connection."""
        warned = self._warned
        return len(warned) == self._pace.refusals and warned[-1] - warned[0] < ms(self._pace.within)


class Connection(Session):
    """One client's connection, by whatever transport, with a limit to how many messages it may send."""

    def __init__(self, admission: Admission, dialect: Dialect, address: str) -> None:
        super().__init__(dialect)
        self.admission = admission
        self.house = admission.house
        self.address = address
        self._pace_limit = None if dialect.pace is None else PaceLimit(dialect.pace, admission.house.time)
        rate = admission.limits.messages_per_second if dialect.rate is None else dialect.rate
        self._tolerated = dialect.rate is not None
        """Whether the protocol says how many messages there may be; then nobody is cut off for more."""
        self._messages: Purse | None = None
        self._warnings: Purse | None = None
        if self._pace_limit is None and rate > 0:
            self._messages = Purse(1 / rate, rate if self._tolerated else 4 * rate, 40 * rate)
            self._warnings = Purse(1, at_once=1)

    def received(self, message: Message, text: bool) -> None:
        """A message has come in."""
        messages = self._messages
        if messages is not None and not messages.pay(1, now := monotonic()):
            self._too_many(message, text, now)
        elif self._pace_limit is not None and (wait := self._pace_limit.wait()):
            if self._pace_limit.warn():
                self._warn(message, text, wait)
        else:
            self.house.receive(self, message, text)

    def _too_many(self, message: Message, text: bool, now: float) -> None:
        assert self._messages is not None and self._warnings is not None
        if not self._tolerated:
            self._messages.charge(1, now)
            if self._messages.exhausted(now):
                self.close(POLICY_VIOLATION, "too many messages")
                return
        if self._warnings.pay(1, now):  # and not for every message
            self._warn(message, text, 1000)

    def _warn(self, message: Message, text: bool, wait: int) -> None:
        for warning in self.dialect.slow_down(message, text, wait):
            self.send(warning)
        if self._pace_limit is not None and self._pace_limit.exhausted:
            assert self.dialect.pace is not None
            self.end(self.dialect.pace.hangup)
