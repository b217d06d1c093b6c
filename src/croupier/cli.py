"""The command line. What a command needs is imported when it is called for: nobody waits for that to see a version."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from croupier import __version__

COMMANDS = {
    "serve": ("serve:serve", "Start the server: web page, games and bots, on one port."),
    "play": ("play:play", "Play a game in the terminal, against bots; no server needed."),
    "games": ("games:games", "List the games, and the bots that play them."),
    "bot": ("bot:bot", "Let your bot play at a server, game after game."),
    "arena": ("arena:arena", "Let bots play against each other, and see which is better."),
    "new": ("new:new", "Create a package for your own game, with a small working game in it."),
    "page-library": ("libraries:page_library", "Print the path of the library for building a game's own page."),
    "client-library": ("libraries:client_library", "Print the path of the client for JavaScript and TypeScript."),
    "verify": ("verify:verify", "Check the deal of a finished game, from its record or the address of its replay."),
    "analyse": ("analyse:analyse", "Say what a search would have done in a finished game, and what decided it."),
    "check-game": (
        "check_game:check_game",
        "Check that a game obeys the laws that every game obeys, and say what is wrong.",
    ),
    "backup": ("journal:backup", "Copy the journal to a file, even while the server is running."),
    "restore": ("journal:restore", "Replace the journal with a backup."),
    "move-journal": ("journal:move_journal", "Copy a journal to a new one: from a file to PostgreSQL, or back."),
    "check": ("journal:check", "Replay every game in the journal, and check that it comes out as it did."),
    "ratings": ("ratings:ratings", "Show or rebuild the ratings of people, and measure those of bots."),
    "table": ("journal:table", "Look at tables in the journal, open or closed."),
}
"""By name: where it is in ``commands``, and what it does, in a sentence."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(f"croupier.commands.{module}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="croupier")
def commands() -> None:
    """A server for multiplayer card games."""


def main() -> None:
    """Run a command. Whatever was wrong with it is said in one sentence, and the exit code is 2."""
    try:
        code = commands(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 2
    except click.Abort:
        sys.exit(130)
    except Exception as error:
        from croupier.commands.failing import explain

        explain(error)
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
