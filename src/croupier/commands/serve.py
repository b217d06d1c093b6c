"""``croupier serve``: the server, from its settings to Ctrl-C."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import msgspec

from croupier import logs
from croupier.commands.serving import announce, on_stop_signal, run, serve_until
from croupier.config import Config, load
from croupier.plugins import catalogue


def settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every field of the configuration as an option."""
    for field in reversed(msgspec.structs.fields(Config)):
        if get_origin(_plain(field.type)) is not dict:
            command = _option(field)(command)
    return click.option(
        "--config", "file", type=click.Path(path_type=Path), envvar="CROUPIER_CONFIG", help="TOML file with settings."
    )(command)


def _option(field: msgspec.structs.FieldInfo) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    plain, default = _plain(field.type), field.default
    description = " ".join(m.description for m in getattr(field.type, "__metadata__", ()) if m.description)
    flag = "--" + field.name.replace("_", "-")
    shown = "" if default in ((), "", None, False) else f"  [default: {default}]"
    common: dict[str, Any] = {
        "default": None, "help": description + shown, "envvar": f"CROUPIER_{field.name.upper()}"
    }  # fmt: skip
    if plain is bool:
        return click.option(flag, field.name, is_flag=True, **common)
    return click.option(flag, field.name, multiple=get_origin(plain) is tuple, metavar="VALUE", **common)


def _plain(kind: Any) -> Any:
    """The type without its annotations."""
    return get_args(kind)[0] if hasattr(kind, "__metadata__") else kind


@click.command()
@settings
def serve(file: Path | None, **given: Any) -> None:
    """Start the server: web page, games and bots, on one port."""
    config = load({name: value for name, value in given.items() if value not in (None, ())}, file)
    logs.configure(config.log_format)
    if config.workers > 1:
        from croupier.commands.workers import serve_by_many

        sys.exit(asyncio.run(serve_by_many(config)))
    run(_serve(config))


async def _serve(config: Config) -> None:
    stop = asyncio.Event()
    on_stop_signal(stop.set)
    games = catalogue(config.game, config.bot)
    await serve_until(stop, config, games, partial(announce, config, games))
