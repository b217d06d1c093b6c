"""What somebody at a connection can ask of the house. Dialects make these out of bytes; the house carries them out.

The native protocol's requests are these structs as JSON, so their fields are documented for client authors.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from croupier.kernel import Rig
from croupier.kernel.event import snake
from croupier.tables.chat import LONGEST_LINE
from croupier.tables.lobby_options import Countdown

Avatar = Annotated[str, Meta(max_length=24, pattern=r"^[a-z-]*$")]
"""The name of a picture by which others know somebody; which ones there are is the clients' affair."""
TableId = Annotated[str, Meta(min_length=1, max_length=64)]
"""A table's id, or as long as it is open its code."""
SeatNumber = Annotated[int, Meta(ge=0, le=1023)]


class Intent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake, omit_defaults=True):
    id: int | None = None
    """Chosen by the client, returned with the reply."""


class List(Intent, frozen=True, kw_only=True):
    """The tables there are."""

    game: str | None = None
    table: TableId | None = None
    """Only this one, by its id or its code."""


class Follow(Intent, frozen=True, kw_only=True):
    """The tables there are, and every change from now on."""


class Unfollow(Intent, frozen=True, kw_only=True):
    """No more news of the list of tables."""


class Identify(Intent, frozen=True, kw_only=True):
    """Say who you are, for the seats that you take from now on: whoever has the key is that person. A device makes a
    key by itself, of at least 128 random bits, and keeps it; nobody is asked for anything."""

    key: Annotated[str, Meta(min_length=16, max_length=128)]


class Arrival(Intent, frozen=True, kw_only=True):
    """Gives the connection a place, in exchange for the one it had."""


class Open(Arrival, frozen=True, kw_only=True):
    """Open a table and sit down at it as its host."""

    game: str
    player: str
    """Your name: up to 40 characters that can be seen; a game may know less (its ``naming``)."""
    name: str = ""
    """The table's name, up to 60 characters; one is made up when it is empty."""
    seats: Annotated[int, Meta(ge=2, le=1023)] | None = None
    """How many places; the game's own limits apply."""
    options: dict[str, Any] = {}
    password: Annotated[str, Meta(max_length=100)] = ""
    """Who wants to sit down, or to look on, has to know it; empty: everybody may."""
    listed: bool = True
    """Whether strangers find the table in lists; otherwise it takes its id or its code."""
    rated: bool | None = None
    """Whether its games count for ratings; left out: only if everybody can find the table and sit down."""
    auto_start: bool = False
    """Whether the game begins by itself, after a countdown, when everybody is ready."""
    countdown: Countdown = 10
    """Its seconds."""
    avatar: Avatar = ""
    """Shown to others beside the player's name."""
    rig: Rig | None = None
    """Only where the server is there for tests: how the luck of the table is fixed."""
    lesson: bool = False
    """A table that teaches the game, to you alone: with its own options, bots and deal. The game begins at once."""


class OpenAs(Open, frozen=True, kw_only=True):
    """The same, with more to say about it. Asked for by dialects and by the house, never by clients."""

    code: str | None = None
    """The table's code; one is made up when it is None."""
    keeps: float | None = None
    """See ``OpenUnattended``; None: as long as seats are kept."""
    kind: str = ""
    """What else its protocol wants to remember about the table, in its own words."""
    seekers: int = 0
    """For people who look for a game: see ``Lobby``."""
    level: int | None = None


class OpenUnattended(Intent, frozen=True, kw_only=True):
    """Open a table where the first to come will be the host. Asked for by dialects, never by clients."""

    game: str
    seats: int | None = None
    options: dict[str, Any] = {}
    keeps: float
    """For how many seconds it stays open with nobody there, while no game is on."""


class Look(Intent, frozen=True, kw_only=True):
    """A table as everybody may know it. Asked for by dialects, never by clients."""

    table: TableId


class Join(Arrival, frozen=True, kw_only=True):
    """Take a seat at a table that has not started."""

    table: TableId
    player: str
    """Your name, see ``Open``."""
    password: Annotated[str, Meta(max_length=100)] = ""
    avatar: Avatar = ""
    """Shown to others beside the player's name."""


class Seek(Arrival, frozen=True, kw_only=True):
    """Find me a game: take a seat where others wait for players, or at a new table where others are sent to who look
    for the same game. It begins by itself, as soon as there are enough."""

    game: str
    player: str
    """Your name, see ``Open``. You get a number where names are unique and somebody is called so already."""
    name: str = ""
    """Of the table, if it has to be opened."""
    avatar: Avatar = ""
    """Shown to others beside the player's name."""


class Watch(Arrival, frozen=True, kw_only=True):
    """Look on without a seat."""

    table: TableId
    password: Annotated[str, Meta(max_length=100)] = ""
    """Of a table that was opened with one."""


class Return(Arrival, frozen=True, kw_only=True):
    """Come back to a seat, from this connection; it replaces the one the seat had."""

    table: TableId
    token: str | None = None
    """The seat's secret; left out: it is the seat of the person who has said who they are (``Identify``)."""
    avatar: Avatar | None = None
    """Another one than before."""


class Reclaim(Arrival, frozen=True, kw_only=True):
    """Come back to the seat of this name, whose connection is gone, at a table where names are unique.

    Asked for by dialects, never by clients.
    """

    table: TableId
    player: str
    token: str | None = None
    """The seat's secret, if it is known."""
    by_name: bool = True
    """Whether it takes no secret where the seat was taken by somebody whose protocol goes by names."""


class Resume(Arrival, frozen=True, kw_only=True):
    """Be who the dialect says is at the connection, and at their seat in a game if they have one. A connection that
    they had before is replaced. Asked for by dialects, never by clients."""

    known: bool
    """Whether they have been here; otherwise it takes a seat to be somebody."""


class Act(Intent, frozen=True, kw_only=True):
    """Something done from a seat: the connection's own, or the one that ``table`` and ``token`` name; without a token,
    the one that the person has there."""

    table: TableId | None = None
    token: str | None = None


class See(Act, frozen=True, kw_only=True):
    """Everything the seat may know, anew: after a gap, or because the client has lost track."""


class Play(Act, frozen=True, kw_only=True):
    """Make a move of the game."""

    move: Any
    key: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    """Chosen by the client, another for every move: sent again with the same key, a move is not made again."""


class Proceed(Act, frozen=True, kw_only=True):
    """Alone against bots: enough seen, let the game go on. (With more people there, a clock ends such a pause.)"""


class Hint(Act, frozen=True, kw_only=True):
    """Alone against bots: what would the strongest of them do? The reply says that it is being thought about, and a
    ``hinted`` follows."""


class Say(Act, frozen=True, kw_only=True):
    """Chat. Spectators may talk too."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]


class Sound(Act, frozen=True, kw_only=True):
    """Let everybody hear one of the game's sounds."""

    sound: str


class Leave(Act, frozen=True, kw_only=True):
    """Give up the seat, or stop watching."""


class Start(Act, frozen=True, kw_only=True):
    """Host only: begin the game, or a rematch after one."""


class Reopen(Act, frozen=True, kw_only=True):
    """Host only, after a game that deals as people sit down: put it away and deal everybody in for another."""


class Configure(Act, frozen=True, kw_only=True):
    """Host only, before the game: change options, and how it begins. What is left out stays as it is."""

    options: dict[str, Any] = {}
    auto_start: bool | None = None
    """Whether the game begins by itself, after a countdown, when everybody is ready."""
    countdown: Countdown | None = None
    """Its seconds."""
    rated: bool | None = None
    """Whether the games count for ratings."""


class Ready(Act, frozen=True, kw_only=True):
    """Ready for the game, or no more. It makes a difference at tables that begin by themselves."""

    ready: bool


class Sit(Act, frozen=True, kw_only=True):
    """Before the game, where there are teams: take another place, which is free or a bot's."""

    seat: SeatNumber


class Recognise(Act, frozen=True, kw_only=True):
    """Remember this of the program that is used here. Asked for by dialects, never by clients."""

    client: str


class Invite(Act, frozen=True, kw_only=True):
    """Tell the table that this person should come. Asked for by dialects, never by clients."""

    user: str


class AddBots(Act, frozen=True, kw_only=True):
    """Host only, before the game: seat some bots."""

    bot: str | None = None
    """The kind of bot; the game's usual one when left out."""
    count: Annotated[int, Meta(ge=1, le=255)] = 1


class Kick(Act, frozen=True, kw_only=True):
    """Host only: take somebody's seat away, a bot's too."""

    seat: SeatNumber


class Bench(Act, frozen=True, kw_only=True):
    """Host only: send all spectators away, and let nobody look on; or let people look on again."""

    open: bool


class Silence(Act, frozen=True, kw_only=True):
    """Host only: let somebody be heard no more, neither in the chat nor by sounds; or let them be heard again."""

    seat: SeatNumber | None
    """Null: all spectators, also those who are to come."""
    silent: bool


class HandOver(Act, frozen=True, kw_only=True):
    """Host only: make somebody else the host."""

    seat: SeatNumber


class Detach(Intent, frozen=True, kw_only=True):
    """Stop receiving from the table, as if the connection were lost. Asked for by dialects, never by clients."""


class Later(Intent, frozen=True, kw_only=True):
    """Carry out something in a while, whatever will have happened by then. Asked for by dialects, never by clients."""

    seconds: float
    intent: Intent


class Asked(Intent, frozen=True):
    """A request, and with it what is to be known when it is answered, such as the message that it comes from. Made by
    dialects, never by clients."""

    intent: Intent
    context: Any


class HangUp(Intent, frozen=True, kw_only=True):
    """End the connection, when all that was said has been sent. Asked for by dialects, never by clients."""


Request = (
    List
    | Follow
    | Unfollow
    | Identify
    | Open
    | Join
    | Seek
    | Watch
    | Return
    | See
    | Play
    | Proceed
    | Hint
    | Say
    | Leave
    | Start
    | Reopen
    | Configure
    | Ready
    | Sit
    | AddBots
    | Kick
    | HandOver
    | Bench
    | Silence
    | Sound
)
"""All that a client may ask."""
