"""Who has played a game, and how they did, as it is written down when the game is over."""

from __future__ import annotations

import msgspec


class Participant(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who was there when the game began, in the order of the seats."""

    name: str
    place: int
    """By the rules, from 1; equals share a place."""
    person: str = ""
    """Whose id it is, if they have said who they are."""
    bot: str = ""
    """The kind of bot, if it is one."""
    worth: float | None = None
    """What such a bot was worth then (``Bot.worth``), if that was measured: so that later releases, with other bots,
    come to the same ratings."""
    avatar: str = ""
    score: int | None = None
    team: int | None = None
    """The first seat of those who played together."""
    left: bool = False
    """They were not there any more at the end: that costs what losing costs."""
    expelled: bool = False
    """The host has thrown them out: they have neither won nor lost."""
    formerly: str = ""
    """Of somebody who is forgotten: the same in all their games, and nobody's id. Others' ratings follow from it as
    they did from the person's; nobody is told."""

    @property
    def rated_as(self) -> str:
        """Whose rating it is that a game changes."""
        return self.person or self.formerly


encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[Participant, ...]).decode


def kept(players: str) -> tuple[Participant, ...]:
    """Nobody, if this can't be read: then it says nothing about anybody, and others go on."""
    try:
        return _decode(players)
    except msgspec.DecodeError:
        return ()


def participants(players: str) -> tuple[Participant, ...]:
    """The same, as they may be told."""
    return tuple([msgspec.structs.replace(each, formerly="") if each.formerly else each for each in kept(players)])
