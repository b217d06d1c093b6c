"""A table of the journal, told in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from click import style

from croupier.journal import Record
from croupier.kernel import Result
from croupier.kernel.ink import quiet
from croupier.kernel.options import json_key
from croupier.net.game_info import describe
from croupier.tables import entries
from croupier.tables.logbook import fold, follow, is_time
from croupier.tables.names import harmless
from croupier.tables.seat import Seat
from croupier.tables.table import AnyGame, Table

PHASES = {
    "waiting": "waits for players",
    "playing": "a game is on",
    "over": "the game is over",
    "closed": "closed",
}
REASONS = {
    "host left": "its host has left",
    "abandoned": "nobody has come back",
    "idle": "nothing has happened for a long time",
    "over": "the game is over",
}
LEAVINGS = {
    "left": "{name} leaves.",
    "kicked": "{name} is sent away.",
    "gone": "{name} has been away for too long and loses the seat.",
}


def replayed(id: str, game: AnyGame, log: Iterable[Record]) -> Table:
    """The table as it is after all of it."""
    table = Table(id, game)
    fold(table, log)
    return table


def _printable(log: Iterable[Record]) -> Iterator[Record]:
    """The log with nothing in it that a terminal would obey: names and chat may be older than the rules for them."""
    return (record._replace(entry=_printed(record.entry)) for record in log)


def _printed(written: bytes) -> bytes:
    try:
        entry = entries.decode(written)
    except Exception:
        return written  # whoever reads the log says what is wrong with it
    texts = {field: text for field in ("name", "text") if isinstance(text := getattr(entry, field, None), str)}
    if all(text == harmless(text) for text in texts.values()):
        return written
    return entries.encode(msgspec.structs.replace(entry, **{field: harmless(text) for field, text in texts.items()}))


def chronicle(id: str, game: AnyGame, log: Callable[[], Iterable[Record]]) -> Iterator[str]:
    """Line by line: what the table is, who is there, what happened, and how it ended. The log is read twice."""
    now = replayed(id, game, _printable(log()))
    host = "" if now.host is None else f", hosted by {now.host.name}"
    yield style(f"{now.name or 'A table'}: {game.title}{host}", bold=True)
    yield f"Opened {moment(now.opened_at)}; {PHASES[now.phase]}; {len(now.seats)} of {now.capacity} seats taken."
    if now.code and now.phase != "closed":
        yield f"Its code is {now.code}."
    people = [_seated(seat) for _, seat in sorted(now.seats.items())]
    yield f"At the table: {', '.join(people) or 'nobody'}."
    yield ""
    yield style("Options", bold=True)
    yield from (f"  {line}" for line in options(game, now.options))
    yield ""
    yield style("What happened", bold=True) + quiet("  times are UTC")
    yield from _story(id, game, _printable(log()), now.games)
    if now.result is not None:
        yield ""
        yield style("Result", bold=True)
        yield from placings(now.result, [seat.name for seat in now.lineup])


def _seated(seat: Seat) -> str:
    if seat.bot is not None:
        return f"{seat.name} (bot, {seat.bot})"
    if seat.stood_in:
        return f"{seat.name} (a bot plays instead)"
    return seat.name if seat.present else f"{seat.name} (away)"


def placings(result: Result, names: Sequence[str]) -> Iterator[str]:
    for place, seats in enumerate(result.placings, start=1):
        line = f"{place:3}. {' and '.join(names[seat] for seat in seats)}"
        if result.scores is not None and (score := result.scores[seats[0]]) is not None:
            line += f", {score} point{'' if score in (1, -1) else 's'}"
        yield line


def options(game: AnyGame, chosen: Any) -> Iterator[str]:
    """Each by its title, and its value as people call it."""
    for name, option in describe(game).options["properties"].items():
        matters = all(getattr(chosen, other) == value for other, value in option.get("x-when", {}).items())
        if matters and not option.get("x-hidden"):
            yield f"{option['title']}: {_value(getattr(chosen, name), option)}"


def _value(value: Any, option: dict[str, Any]) -> str:
    label = option.get("x-labels", {}).get(json_key(value))
    if label is not None:
        return str(label)
    if isinstance(value, bool):
        return "yes" if value else "no"
    match option.get("x-unit"):
        case "s":
            return _duration(value)
        case "ms":
            return _duration(value / 1000)
    return str(value)


def _duration(seconds: float) -> str:
    if seconds >= 120 and seconds % 60 == 0:
        return f"{seconds / 60:g} minutes"
    return "1 minute" if seconds == 60 else f"{seconds:g} second{'' if seconds == 1 else 's'}"


def _story(id: str, game: AnyGame, log: Iterable[Record], finished: int) -> Iterator[str]:
    table = Table(id, game)
    day = ""
    for record in log:
        before, open_now = dict(enumerate(table.names)), table.games < finished
        entry, events = follow(table, record)
        # As long as a game is on nobody is told more of it than spectators are.
        seen = events if open_now else [shown for event in events if (shown := event.seen_by(None)) is not None]
        names = {**before, **dict(enumerate(table.names))}
        told = [
            *_of_table(entry, table),
            *_of_people(entry, before, table),
            *(game.tell(event, _by_seat(names)) for event in seen),
        ]
        sentence = " ".join(filter(None, told))
        if sentence:
            date, time = moment(record.at).split(" ")
            if date != day:
                day = date
                yield f"  {date}"
            yield f"  {quiet(time)}  {sentence}"


def _by_seat(names: dict[int, str]) -> list[str]:
    return [names.get(seat, "somebody") for seat in range(max(names, default=-1) + 1)]


def _of_table(entry: entries.AnyEntry, table: Table) -> Iterator[str]:
    """What becomes of a table, as a sentence; nothing of moves, which the game tells."""
    match entry:
        case entries.Opened(name=title, seats=seats):
            yield f"{title or 'The table'} is opened, with {seats} seats."
        case entries.Configured():
            yield "The options are changed."
        case entries.CountdownBegun(seconds):
            yield f"Everybody is ready: the game begins in {seconds} seconds."
        case entries.CountdownStopped():
            yield "The countdown is stopped."
        case entries.Started():
            yield f"Game {table.games + 1} begins: {', '.join(seat.name for seat in table.lineup)}."
        case entries.Reopened():
            yield "The cards are put away for another game."
        case entries.Benched(open):
            yield "People may look on again." if open else "The host has sent the spectators away."
        case entries.Resumed():
            yield "The server is back after a stop."
        case entries.Closed(why):
            yield f"The table is closed: {REASONS[why]}."


def _of_people(entry: entries.AnyEntry, before: dict[int, str], table: Table) -> Iterator[str]:
    """What people do at a table, as a sentence."""

    def name(seat: int) -> str:
        return before.get(seat, "somebody")

    match entry:
        case entries.Joined(name=who, bot=None):
            yield f"{who} takes a seat."
        case entries.Joined(name=who, bot=kind):
            yield f"{who}, a bot ({kind}), takes a seat."
        case entries.Recognised(seat):
            yield f"It is known now which program {name(seat)} uses."
        case entries.Left(seat, why):
            yield LEAVINGS[why].format(name=name(seat))
        case entries.Gone(who):
            yield f"{_all(map(name, who))} did not come back in time."
        case entries.Kicked(seat):
            yield f"{name(seat)} is thrown out of the game."
        case entries.Readied(seat, ready):
            yield f"{name(seat)} is {'ready' if ready else 'not ready any more'}."
        case entries.Invited(seat):
            yield f"{name(seat)} has invited somebody."
        case entries.HandedOver(seat):
            yield f"{name(seat)} is the host now."
        case entries.Expired() if table.late:
            yield f"{_all(map(name, table.late))} {'has' if len(table.late) == 1 else 'have'} run out of time."
        case entries.StoodIn(seat):
            yield f"A bot plays for {name(seat)}."
        case entries.Absent(seat):
            yield f"{name(seat)} has lost the connection."
        case entries.Back(seat):
            yield f"{name(seat)} is back."
        case entries.Watched():
            yield "Somebody looks on."
        case entries.Unwatched():
            yield "Somebody looks on no more."
        case entries.Silenced(seat, silent):
            who = "everybody who looks on" if seat is None else name(seat)
            yield f"The host {'silences' if silent else 'lets'} {who}{'' if silent else ' speak again'}."
        case entries.Said(name=who, text=text):
            yield f"{who}: “{text}”"
        case entries.Sounded(seat, sound):
            yield f"{name(seat)} makes a sound: {sound}."


def _all(names: Any) -> str:
    return " and ".join(names)


def moment(at: object) -> str:
    if not is_time(at):
        return "at a time that can't be"
    assert isinstance(at, int)
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
