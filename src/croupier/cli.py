"""The command line."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import msgspec

from croupier import __version__
from croupier.config import BadConfig, Config, load
from croupier.games import catalogue
from croupier.net.http import lan_address
from croupier.net.server import Server


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def main() -> None:
    """A server for multiplayer card games."""


def settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Every field of the configuration as an option."""
    for field in reversed(msgspec.structs.fields(Config)):
        if get_origin(_plain(field.type)) is not dict:
            command = _option(field)(command)
    return click.option(
        "--config", "file", type=click.Path(path_type=Path), envvar="CROUPIER_CONFIG", help="TOML file of settings."
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


@main.command()
@settings
def serve(file: Path | None, **given: Any) -> None:
    """Start the server: web page, games and bots, on one port."""
    try:
        config = load({name: value for name, value in given.items() if value not in (None, ())}, file)
        _run(_serve(config))
    except BadConfig as error:
        fail(str(error))


def fail(sentence: str) -> None:
    click.echo(f"croupier: {sentence}", err=True)
    sys.exit(2)


def _run(coroutine: Any) -> None:
    try:
        import uvloop
    except ImportError:  # not made for this system: asyncio's own loop does as well, only slower
        asyncio.run(coroutine)
    else:
        uvloop.run(coroutine)


async def _serve(config: Config) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        async with Server(config, catalogue()) as server:
            _announce(config, server.ports)
            await stop.wait()
    except OSError as error:
        raise BadConfig(f"can't listen: {error.strerror or error}") from None


def _announce(config: Config, ports: dict[str, int]) -> None:
    port = ports["http"]
    click.echo(f"Croupier {__version__} is open: http://localhost:{port}/")
    lan = lan_address() if config.host in ("0.0.0.0", "::", "") else None
    if lan:
        click.echo(f"  for friends on your network: http://{lan}:{port}/")
    for name, own in ports.items():
        if name != "http":
            click.echo(f"  {name} on port {own}")
    click.echo(f"  journal: {config.journal}; stop with Ctrl-C")


if __name__ == "__main__":
    main()
