"""The configuration: one flat list of settings, each a flag, an environment variable and a line in a TOML file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec import inspect as info

from croupier.kernel import Game, Rig
from croupier.net.admission import Limits
from croupier.net.origins import ANY
from croupier.tables.endpoint import Endpoint
from croupier.tables.lobby_options import StandingTables
from croupier.tables.settings import Settings

LONGEST = 1e9
"""Seconds: thirty years. An infinite number of them fits into no clock."""
Seconds = Annotated[float, Meta(ge=0, le=LONGEST)]

SHORTEST_TOKEN = 16
"""Characters of the operator's token."""


class BadConfig(Exception):
    """A setting that makes no sense, in one sentence."""


class Address(NamedTuple):
    host: str
    port: int


def about(text: str) -> Meta:
    return Meta(description=text)


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    host: Annotated[str, about("Address to listen on; 0.0.0.0 means all of them.")] = "0.0.0.0"
    port: Annotated[int, Meta(ge=0, le=65535), about("HTTP port: the web page, the API and all WebSockets.")] = 8080
    data: Annotated[str, Meta(min_length=1), about("Folder that contains the journal.")] = "data"
    journal: Annotated[
        str,
        about(
            "A journal in PostgreSQL, postgresql://USER@HOST/DATABASE, instead of a file; several nodes can share it."
        ),
    ] = ""
    bus: Annotated[str, about("The bus through which nodes notify each other: redis://HOST:PORT.")] = ""
    node: Annotated[str, about("Unique name of this node; generated if empty.")] = ""
    node_address: Annotated[
        str,
        about(
            "Private address for other nodes and for Prometheus: HOST:PORT, closed to everybody else. "
            "With several workers, the first uses this port and the others the following ones."
        ),
    ] = "127.0.0.1:0"
    workers: Annotated[
        int,
        Meta(ge=1),
        about("How many nodes to start on the same port, to use as many CPU cores; requires --journal."),
    ] = 1
    thinkers: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        about(
            "How many processes think for bots that look ahead, for each node; 0: none, and no such bots are offered. "
            "By default, all CPU cores but one, shared among the workers. They start when they are needed."
        ),
    ] = None
    game: Annotated[
        tuple[str, ...],
        about("Load a game that is not installed: MODULE:OBJECT; the current folder is searched too. Repeatable."),
    ] = ()
    bot: Annotated[
        tuple[str, ...],
        about("Load a bot that is not installed: MODULE:CLASS; the current folder is searched too. Repeatable."),
    ] = ()
    listen: Annotated[
        tuple[str, ...],
        about(
            "Give a dialect its own port: NAME=HOST:PORT; if it has variants, also a port for one of them: "
            "NAME+VARIANT=HOST:PORT. Repeatable."
        ),
    ] = ()
    variant: Annotated[
        tuple[str, ...],
        about(
            "The variant of a dialect to assume for clients that don't say which they use: NAME=VARIANT. Repeatable."
        ),
    ] = ()
    no_game_ports: Annotated[
        bool, about("Don't open the ports that clients of single games expect, only those of --listen.")
    ] = False
    synchronous: Annotated[
        Literal["FULL", "NORMAL", "OFF"], about("How hard SQLite makes sure that a commit is on disk.")
    ] = "FULL"

    log_format: Annotated[Literal["text", "json"], about("Format of the log on standard error.")] = "text"

    allow_origin: Annotated[
        tuple[str, ...],
        about("Also let pages from this site connect, such as https://example.org; * for all sites. Repeatable."),
    ] = ()
    trusted_proxy: Annotated[
        tuple[str, ...],
        about("Trust this proxy, an address or a network, to name its clients (X-Forwarded-For). Repeatable."),
    ] = ()
    operator_token: Annotated[
        str,
        about(
            "Secret of at least 16 characters that opens the operator's page, /operator; if empty, there is none. "
            "Rather as CROUPIER_OPERATOR_TOKEN, since others on the machine can read flags."
        ),
    ] = ""
    message_size: Annotated[int, Meta(ge=1024), about("Longest message accepted, in bytes.")] = 65536
    outbox_size: Annotated[int, Meta(ge=65536), about("Unread bytes after which a slow reader is cut off.")] = 1048576
    backlog_size: Annotated[
        int,
        Meta(ge=1048576),
        about("Unread and half-sent bytes of all connections together; the one with the most is cut off."),
    ] = 16777216
    max_connections: Annotated[int, Meta(ge=1), about("Maximum number of connections.")] = 20000
    max_connections_per_address: Annotated[
        int, Meta(ge=0), about("Maximum number of connections from one address; 0: no limit.")
    ] = 5000
    message_rate: Annotated[
        float,
        Meta(ge=0, le=1e6),
        about("Messages per second from one connection, if its protocol allows a limit; 0: no limit."),
    ] = 50.0
    request_timeout: Annotated[
        float, Meta(gt=0, le=LONGEST), about("Seconds for an HTTP request to arrive, and until the next.")
    ] = 30.0
    ping_every: Annotated[Seconds, about("Seconds of silence before a connection is tested; 0: never.")] = 20.0

    max_tables: Annotated[int, Meta(ge=1), about("Maximum number of open tables.")] = 20000
    max_tables_per_address: Annotated[
        int, Meta(ge=0), about("Maximum number of open tables opened from one address; 0: no limit.")
    ] = 1000
    max_seats_per_address: Annotated[
        int,
        Meta(ge=0),
        about("Maximum number of seats held from one address at tables waiting for players; 0: no limit."),
    ] = 5000
    max_kept_seats_per_address: Annotated[
        int, Meta(ge=0), about("Maximum number of these whose players have lost their connection; 0: no limit.")
    ] = 8
    max_bots_per_address: Annotated[
        int, Meta(ge=0), about("Maximum number of bots at the tables opened from one address; 0: no limit.")
    ] = 5000
    bot_delay: Annotated[
        float,
        Meta(ge=0, le=1),
        about("Seconds a bot seems to think; about 3 to 15 times that when people are playing."),
    ] = 0.1
    lobby_grace: Annotated[Seconds, about("Before a game, seconds that a disconnected player keeps the seat.")] = 60.0
    patience: Annotated[Seconds, about("Seconds that a game continues with nobody connected.")] = 600.0
    restart_grace: Annotated[Seconds, about("After a restart, seconds before any clock may run out.")] = 15.0
    restart_patience: Annotated[Seconds, about("After a restart, seconds that a table waits for people.")] = 120.0
    idle_after: Annotated[
        float, Meta(gt=0, le=LONGEST), about("Seconds without any event after which a table is closed.")
    ] = 86400.0

    option: Annotated[
        tuple[str, ...],
        about("Default of a game's option at new tables: GAME.NAME=VALUE. Repeatable."),
    ] = ()

    table_name: Annotated[
        tuple[str, ...],
        about("Name of the tables opened for a game's own clients that can't open any: GAME=NAME. Repeatable."),
    ] = ()
    table_password: Annotated[tuple[str, ...], about("Password of those tables: GAME=PASSWORD. Repeatable.")] = ()
    table_count: Annotated[
        tuple[str, ...], about("Maximum number of such tables, 1 by default: GAME=COUNT. Repeatable.")
    ] = ()

    house_bots: Annotated[
        tuple[str, ...],
        about(
            "Let bots with ordinary names sit down at open tables of a game, and open tables while there are fewer "
            "than this: GAME=COUNT. Repeatable."
        ),
    ] = ()

    test_mode: Annotated[
        bool, about("Allow the test switches below. Never use it on a public server: it fixes the luck.")
    ] = False
    test_seed: Annotated[str, about("Seed of every game, 64 hexadecimal digits.")] = ""
    test_no_shuffle: Annotated[bool, about("Leave every deck in its natural order.")] = False
    test_first: Annotated[int | None, about("The seat whose player leads in every game.")] = None
    test_clock_speed: Annotated[float, Meta(ge=0.001, le=1e6), about("Make all clocks run this many times faster.")] = (
        1.0
    )
    test_rigging: Annotated[bool, about("Let anybody who opens a table fix its luck.")] = False
    test_orders: Annotated[dict[str, list[Any]], about("The result of each named shuffle (TOML file only).")] = {}

    @property
    def journal_file(self) -> Path:
        return Path(self.data) / "journal.sqlite"

    def limits(self) -> Limits:
        return Limits(
            message_size=self.message_size,
            outbox_size=self.outbox_size,
            backlog_size=self.backlog_size,
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
            max_seats_per_address=self.max_seats_per_address,
            max_kept_seats_per_address=self.max_kept_seats_per_address,
            max_bots_per_address=self.max_bots_per_address,
            rig=Rig(shuffle=not self.test_no_shuffle, orders=self.test_orders) if rigged else None,
            first=self.test_first,
            seed=bytes.fromhex(self.test_seed) or None,
            options=game_options(self.option, games),
            standing=_standing(games, name=self.table_name, password=self.table_password, count=self.table_count),
            house_bots=_house_bots(self.house_bots, games),
            rigging=self.test_rigging,
        )

    def listeners(self, known: Collection[str]) -> list[tuple[str, Address]]:
        return [_listener(given, known) for given in self.listen]

    def private_address(self, worker: int = 1) -> Address:
        """Where only nodes come."""
        address = _address(self.node_address)
        if address is None:
            raise BadConfig(f"--node-address: {self.node_address!r} is not of the form HOST:PORT")
        return address._replace(port=address.port and address.port + worker - 1)

    def variants(self, endpoints: Iterable[Endpoint]) -> dict[str, str]:
        """By name of a dialect, the variant that is usual here."""
        known = {endpoint.name: endpoint.variants for endpoint in endpoints if endpoint.variants}
        return dict(_variant(given, known) for given in self.variant)


def _listener(given: str, known: Collection[str]) -> tuple[str, Address]:
    name, _, address = given.partition("=")
    found = _address(address)
    if found is None:
        raise BadConfig(f"listen: {given!r} is not of the form NAME=HOST:PORT")
    if name not in known:
        raise BadConfig(f"listen: there is no dialect {name!r}; known: {', '.join(known)}")
    return name, found


def _address(given: str) -> Address | None:
    host, _, port = given.rpartition(":")
    return Address(host, int(port)) if port.isdecimal() and int(port) <= 65535 else None


def _variant(given: str, known: Mapping[str, Collection[str]]) -> tuple[str, str]:
    name, equals, variant = given.partition("=")
    if not equals:
        raise BadConfig(f"variant: {given!r} is not of the form NAME=VARIANT")
    if name not in known:
        raise BadConfig(f"variant: there is no dialect {name!r} with variants; known: {', '.join(known)}")
    if variant not in known[name]:
        raise BadConfig(f"variant: {name} has no variant {variant!r}; known: {', '.join(known[name])}")
    return name, variant


def game_options(given: Iterable[str], games: Mapping[str, Game[Any, Any, Any, Any, Any]]) -> dict[str, dict[str, Any]]:
    """By game, what its options are unless somebody says otherwise."""
    found: dict[str, dict[str, Any]] = {}
    for one in given:
        where, equals, value = one.partition("=")
        name, _, option = where.partition(".")
        if not equals:
            raise BadConfig(f"option: {one!r} is not of the form GAME.NAME=VALUE")
        if name not in games:
            raise BadConfig(f"option: there is no game {name!r}; known: {', '.join(games)}")
        kinds = {field.name: field.type for field in msgspec.structs.fields(games[name].Options)}
        if option not in kinds:
            raise BadConfig(f"option: {name} has no option {option!r}; known: {', '.join(kinds)}")
        try:
            found.setdefault(name, {})[option] = msgspec.convert(value, kinds[option], strict=False)
        except msgspec.ValidationError:
            raise BadConfig(f"option {where}: {_expectation(kinds[option])}, not {value!r}") from None
    return found


def _house_bots(given: Iterable[str], games: Collection[str]) -> dict[str, int]:
    """By game, how many tables there should be."""
    found = {}
    for one in given:
        game, _, count = one.partition("=")
        if not count.isdecimal():
            raise BadConfig(f"house-bots: {one!r} is not of the form GAME=COUNT")
        if game not in games:
            raise BadConfig(f"house-bots: there is no game {game!r}; known: {', '.join(games)}")
        found[game] = int(count)
    return found


def _standing(games: Collection[str], **given: Iterable[str]) -> dict[str, StandingTables]:
    """By game, what the tables are like that are opened for its own clients."""
    found: dict[str, dict[str, str]] = {}
    for field, many in given.items():
        for one in many:
            game, equals, value = one.partition("=")
            if not equals or (field == "count" and not value.isdecimal()):
                raise BadConfig(f"table-{field}: {one!r} is not of the form GAME={field.upper()}")
            if game not in games:
                raise BadConfig(f"table-{field}: there is no game {game!r}; known: {', '.join(games)}")
            found.setdefault(game, {})[field] = value
    return {game: msgspec.convert(fields, StandingTables, strict=False) for game, fields in found.items()}


def load(given: Mapping[str, Any], file: Path | None = None) -> Config:
    """The configuration out of a TOML file, and of what was given by flag or environment, which comes first."""
    found: dict[str, Any] = {}
    if file is not None:
        try:
            found = tomllib.loads(file.read_text())
        except OSError as error:
            raise BadConfig(f"{file} can't be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadConfig(f"{file} is not TOML: {error}") from None
    kinds = {field.name: field.type for field in msgspec.structs.fields(Config)}
    for name in found:
        if name not in kinds:
            meant = get_close_matches(name, kinds, 1)
            raise BadConfig(
                f"{file}: there is no setting {name!r}" + (f"; did you mean {meant[0]!r}?" if meant else "")
            )
    values = found | dict(given)
    try:
        return _checked(msgspec.convert(values, Config, strict=False))
    except msgspec.ValidationError:
        for name, value in values.items():
            try:
                msgspec.convert(value, kinds[name], strict=False)
            except msgspec.ValidationError:
                source = _source(name, value, given, file)
                shown = "what it is" if name == "operator_token" else repr(value)
                raise BadConfig(f"{source}: {_expectation(kinds[name])}, not {shown}") from None
        raise


def _source(name: str, value: Any, given: Mapping[str, Any], file: Path | None) -> str:
    """Where a setting was set."""
    if name not in given:
        return f"{file}: {name}"
    variable = f"CROUPIER_{name.upper()}"
    return variable if os.environ.get(variable) == value else _flag(name)


def _expectation(kind: Any) -> str:
    """What a setting has to be."""
    found = kind if isinstance(kind, info.Type) else info.type_info(kind)
    while isinstance(found, info.Metadata):
        found = found.type
    match found:
        case info.UnionType(types=types):  # or nothing
            return _expectation(next(each for each in types if not isinstance(each, info.NoneType)))
        case info.IntType(gt=above, ge=least, le=most):
            return "expected a whole number" + _range(above, least, most)
        case info.FloatType(gt=above, ge=least, le=most):
            return "expected a number" + _range(above, least, most)
        case info.LiteralType(values=values):
            return f"expected {' or '.join(map(str, values))}"
        case info.BoolType():
            return "expected true or false"
        case info.StrType():
            return "expected text"
        case info.VarTupleType():
            return "expected a list of strings"
    return "expected something else"


def _range(above: float | None, least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least:.10g} to {most:.10g}"
    if least is not None:
        return f" of at least {least:g}"
    if above is not None and most is not None:
        return f" above {above:g} and up to {most:.10g}"
    return "" if above is None else f" above {above:g}"


def _checked(config: Config) -> Config:
    default = Config()
    switches = [name for name in Config.__struct_fields__ if name.startswith("test_") and name != "test_mode"]
    used = [name for name in switches if getattr(config, name) != getattr(default, name)]
    if used and not config.test_mode:
        raise BadConfig(f"{_flag(used[0])} is a test switch: it requires --test-mode, which is not for public servers")
    for proxy in config.trusted_proxy:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise BadConfig(f"--trusted-proxy: {proxy!r} is not an address or a network, such as 10.0.0.0/8") from None
    for site in config.allow_origin:
        if site != ANY and not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^\s/?#@A-Z]+", site):
            raise BadConfig(f"--allow-origin: {site!r} is not what browsers call a site, such as https://example.org")
    if 0 < len(config.operator_token) < SHORTEST_TOKEN:
        raise BadConfig(f"--operator-token expects at least {SHORTEST_TOKEN} characters, which nobody can guess")
    token = config.operator_token
    if not (token.isascii() and token.isprintable() and token == token.strip()):  # every client can put it in a header
        raise BadConfig("--operator-token expects letters without accents, digits and signs, and no space at its ends")
    _check_node(config)
    if config.test_seed:
        try:
            if len(bytes.fromhex(config.test_seed)) != 32:
                raise ValueError
        except ValueError:
            raise BadConfig("--test-seed expects 64 hexadecimal digits") from None
    return config


def _check_node(config: Config) -> None:
    """What makes a server one of several."""
    if config.journal and not re.match("postgres(ql)?://", config.journal):
        raise BadConfig(f"--journal expects an address like postgresql://host/database, not {config.journal!r}")
    if config.bus and not re.match("(rediss?|unix)://", config.bus):
        raise BadConfig(f"--bus expects an address like redis://host:6379, not {config.bus!r}")
    for name in ("bus", "node"):
        if getattr(config, name) and not config.journal:
            raise BadConfig(f"{_flag(name)} is for nodes that share a journal: it requires --journal postgresql://…")
    if config.node and not re.fullmatch(r"[\w.-]{1,60}", config.node, re.ASCII):
        raise BadConfig(f"--node expects letters, digits, dots and dashes, not {config.node!r}")
    config.private_address()
    if config.workers > 1 and not config.journal:
        raise BadConfig("--workers requires --journal postgresql://…: a journal in a folder can have only one writer")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
