"""The configuration: one flat list of settings, each a flag, an environment variable and a line in a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from croupier.kernel import Game, Rig
from croupier.net.websocket import Limits
from croupier.tables.lobby import Standing
from croupier.tables.timekeeping import Settings

Positive = Annotated[float, Meta(gt=0)]
Amount = Annotated[float, Meta(ge=0)]


class BadConfig(Exception):
    """A setting that makes no sense, in one sentence."""


class Address(NamedTuple):
    host: str
    port: int


def about(text: str) -> Meta:
    return Meta(description=text)


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: Annotated[str, about("Address to listen on; 0.0.0.0 is all of them.")] = "0.0.0.0"
    port: Annotated[int, Meta(ge=0, le=65535), about("HTTP port: the web page, the API and all WebSockets.")] = 8080
    data: Annotated[str, Meta(min_length=1), about("Folder of the journal.")] = "data"
    listen: Annotated[tuple[str, ...], about("Give a dialect a port of its own: NAME=HOST:PORT. Repeatable.")] = ()
    no_game_ports: Annotated[
        bool, about("Leave out the ports that clients of single games expect; only those of --listen are opened.")
    ] = False
    synchronous: Annotated[
        Literal["FULL", "NORMAL", "OFF"], about("How hard SQLite makes sure that a commit is on the disk.")
    ] = "FULL"

    log_format: Annotated[Literal["text", "json"], about("How the log on standard error is written.")] = "text"

    allow_origin: Annotated[
        tuple[str, ...],
        about("Let pages of this site connect too, such as https://example.org; * for all. Repeatable."),
    ] = ()
    message_size: Annotated[int, Meta(ge=1024), about("Longest message accepted, in bytes.")] = 65536
    outbox_size: Annotated[int, Meta(ge=65536), about("Unread bytes after which a slow reader is cut off.")] = 4194304
    max_connections: Annotated[int, Meta(ge=1), about("Connections at a time.")] = 20000
    max_connections_per_address: Annotated[int, Meta(ge=0), about("The same for one address; 0: no limit.")] = 0
    message_rate: Annotated[
        float, Meta(ge=0), about("Messages per second from one connection, where its protocol allows a limit; 0: none.")
    ] = 50.0
    request_timeout: Annotated[float, Meta(gt=0), about("Seconds for an HTTP request to arrive in full.")] = 30.0
    ping_every: Annotated[float, Meta(ge=0), about("Seconds of silence before a connection is tested; 0: never.")] = (
        20.0
    )

    max_tables: Annotated[int, Meta(ge=1), about("Open tables at a time.")] = 20000
    max_tables_per_address: Annotated[
        int, Meta(ge=0), about("The same for those opened from one address; 0: no limit.")
    ] = 1000
    bot_delay: Annotated[float, Meta(ge=0, le=1), about("Seconds a bot seems to think.")] = 0.1
    lobby_grace: Annotated[float, Meta(ge=0), about("Seconds a lost player keeps a seat before the game.")] = 60.0
    patience: Annotated[float, Meta(ge=0), about("Seconds a game without anybody connected is kept going.")] = 600.0
    restart_grace: Annotated[float, Meta(ge=0), about("After a restart, seconds before any clock may run out.")] = 15.0
    restart_patience: Annotated[float, Meta(ge=0), about("After a restart, seconds a table waits for people.")] = 120.0
    idle_after: Annotated[float, Meta(gt=0), about("Seconds without any event after which a table is closed.")] = (
        86400.0
    )

    option: Annotated[
        tuple[str, ...],
        about("What an option of a game is unless whoever opens a table says otherwise: GAME.NAME=VALUE. Repeatable."),
    ] = ()

    table_name: Annotated[
        tuple[str, ...],
        about("Name of the tables that a game's own clients find and can't open themselves: GAME=NAME. Repeatable."),
    ] = ()
    table_password: Annotated[
        tuple[str, ...], about("What those clients have to know to sit down there: GAME=PASSWORD. Repeatable.")
    ] = ()
    table_count: Annotated[
        tuple[str, ...], about("How many such tables there may be at a time, 1 by default: GAME=COUNT. Repeatable.")
    ] = ()

    test_mode: Annotated[bool, about("Allow the test switches below. Never on a public server: it fixes the luck.")] = (
        False
    )
    test_seed: Annotated[str, about("Seed of every game, 64 hexadecimal digits.")] = ""
    test_no_shuffle: Annotated[bool, about("Leave every deck in its natural order.")] = False
    test_first: Annotated[int | None, about("The place whose player leads in every game.")] = None
    test_clock_speed: Annotated[float, Meta(gt=0), about("Let all clocks run so many times faster.")] = 1.0
    test_rigging: Annotated[bool, about("Let whoever opens a table fix its luck.")] = False
    test_orders: Annotated[dict[str, list[Any]], about("The order each named shuffle ends in (TOML file only).")] = {}

    @property
    def journal(self) -> Path:
        return Path(self.data) / "journal.sqlite"

    def limits(self) -> Limits:
        return Limits(
            message_size=self.message_size,
            outbox_size=self.outbox_size,
            connections=self.max_connections,
            connections_per_address=self.max_connections_per_address,
            messages_per_second=self.message_rate,
            request_seconds=self.request_timeout,
            ping_every=self.ping_every,
        )

    def settings(self, games: Mapping[str, Game[Any, Any, Any, Any, Any]]) -> Settings:
        rigged = self.test_no_shuffle or self.test_orders
        return Settings(
            bot_delay=self.bot_delay,
            lobby_grace=self.lobby_grace,
            patience=self.patience,
            restart_grace=self.restart_grace,
            restart_patience=self.restart_patience,
            idle_after=self.idle_after,
            max_tables=self.max_tables,
            max_tables_per_address=self.max_tables_per_address,
            rig=Rig(shuffle=not self.test_no_shuffle, orders=self.test_orders) if rigged else None,
            first=self.test_first,
            seed=bytes.fromhex(self.test_seed) or None,
            options=_options(self.option, games),
            standing=_standing(games, name=self.table_name, password=self.table_password, count=self.table_count),
            rigging=self.test_rigging,
        )

    def listeners(self, known: Container[str]) -> list[tuple[str, Address]]:
        return [_listener(given, known) for given in self.listen]


def _listener(given: str, known: Container[str]) -> tuple[str, Address]:
    name, _, address = given.partition("=")
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise BadConfig(f"listen: {given!r} is not of the form NAME=HOST:PORT")
    if name not in known:
        raise BadConfig(f"listen: there is no dialect {name!r}")
    return name, Address(host, int(port))


def _options(given: Iterable[str], games: Mapping[str, Game[Any, Any, Any, Any, Any]]) -> dict[str, dict[str, Any]]:
    """By game, what its options are unless somebody says otherwise."""
    found: dict[str, dict[str, Any]] = {}
    for one in given:
        where, equals, value = one.partition("=")
        name, _, option = where.partition(".")
        game = games.get(name)
        kinds = {} if game is None else {field.name: field.type for field in msgspec.structs.fields(game.Options)}
        if not equals or option not in kinds:
            raise BadConfig(f"option: {one!r} is not of the form GAME.NAME=VALUE, or there is no such option")
        try:
            found.setdefault(name, {})[option] = msgspec.convert(value, kinds[option], strict=False)
        except msgspec.ValidationError as error:
            raise BadConfig(f"option {where}: {error}") from None
    return found


def _standing(games: Container[str], **given: Iterable[str]) -> dict[str, Standing]:
    """By game, what the tables are like that are opened for its own clients."""
    found: dict[str, dict[str, str]] = {}
    for field, many in given.items():
        for one in many:
            game, equals, value = one.partition("=")
            if not equals or game not in games or (field == "count" and not value.isdecimal()):
                raise BadConfig(
                    f"table-{field}: {one!r} is not of the form GAME={field.upper()}, or there is no such game"
                )
            found.setdefault(game, {})[field] = value
    return {game: msgspec.convert(fields, Standing, strict=False) for game, fields in found.items()}


def load(given: Mapping[str, Any], file: Path | None = None) -> Config:
    """The configuration out of a TOML file, and of what was given by flag or environment, which comes first."""
    found: dict[str, Any] = {}
    if file is not None:
        try:
            found = tomllib.loads(file.read_text())
        except OSError as error:
            raise BadConfig(f"{file} can't be read: {error.strerror}") from None
        except tomllib.TOMLDecodeError as error:
            raise BadConfig(f"{file} is not TOML: {error}") from None
    try:
        config = msgspec.convert(found | dict(given), Config, strict=False)
    except msgspec.ValidationError as error:
        raise BadConfig(_sentence(str(error))) from None
    return _checked(config)


def _checked(config: Config) -> Config:
    default = Config()
    switches = [name for name in Config.__struct_fields__ if name.startswith("test_") and name != "test_mode"]
    used = [name for name in switches if getattr(config, name) != getattr(default, name)]
    if used and not config.test_mode:
        raise BadConfig(f"{_flag(used[0])} is a test switch: it takes --test-mode too, which no public server has on")
    if config.test_seed:
        try:
            if len(bytes.fromhex(config.test_seed)) != 32:
                raise ValueError
        except ValueError:
            raise BadConfig("--test-seed takes 64 hexadecimal digits") from None
    return config


def _sentence(error: str) -> str:
    """msgspec's complaint, with the setting's name in front."""
    what, _, where = error.partition(" - at `$.")
    return f"{where.rstrip('`')}: {what}" if where else what


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
