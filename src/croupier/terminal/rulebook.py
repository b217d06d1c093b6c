"""The rules of a game, from its page of the docs, as text for a terminal."""

from __future__ import annotations

import re
import textwrap
from itertools import zip_longest

from click import style

from croupier.tables.game_files import rulebook
from croupier.tables.table import AnyGame


def page(game: AnyGame) -> str:
    """What players need of the game's page; where it has none, what it says about itself."""
    return rulebook(game) or f"# {game.title}\n\n{game.about}\n"


def pretty(text: str, width: int) -> str:
    """Markdown as people read it."""
    lines: list[str] = []
    for block in re.split(r"\n{2,}", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).strip()):
        if not re.match(r"\*\[", block):  # a link to another language
            lines += [*_block(block.strip("\n"), width), ""]
    return "\n".join(lines)


def about(text: str, word: str, width: int) -> str:
    """The paragraphs, points and rows of a table that mention something; empty when there are none."""
    found = []
    for block in re.split(r"\n{2,}|\n(?=- |\d\. |\|)", text):
        if re.search(rf"\b{re.escape(word)}", block, re.IGNORECASE) and not block.startswith(("#", "<")):
            found += _block(block.strip("\n"), width)
    return "\n".join(found)


def _block(block: str, width: int) -> list[str]:
    if block.startswith("```"):
        return ["  " + line for line in block.splitlines()[1:-1]]
    if block.startswith("#"):
        return [style(block.lstrip("# "), bold=True, fg="cyan")]
    if block.startswith("|"):
        head, *rows = [row for row in block.splitlines() if not re.fullmatch(r"[|\s:-]+", row)]
        if not rows:  # a line that was cut out of its table
            return _row([], _cells(head), width)
        return [line for row in rows for line in _row(_cells(head), _cells(row), width)]
    lines = []
    for item in re.split(r"\n(?=\s*(?:- |\d+\. ))", block):
        mark = re.match(r"\s*(?:- |\d+\. )?", item)
        assert mark is not None
        lead = mark[0].replace("- ", "· ")
        text = _plain(" ".join(item[mark.end() :].split()))
        lines += textwrap.wrap(text, width - 1, initial_indent=lead, subsequent_indent=" " * len(lead))
    return lines


def _cells(row: str) -> list[str]:
    return [_plain(cell.strip()) for cell in row.strip("|").split("|")]


def _row(head: list[str], cells: list[str], width: int) -> list[str]:
    """A line of a table: what it is about, and then what the columns say of it."""
    if cells[0].isdecimal() or not cells[0]:  # a number for programmers
        head, cells = head[1:], cells[1:]
    said = [
        f"{title}: {cell}" if title else cell
        for title, cell in zip_longest(head[1:], cells[1:], fillvalue="")
        if cell and cell != "–"
    ]
    text = f"{cells[0]} – {'; '.join(said)}" if said else cells[0]
    return textwrap.wrap(text, width - 1, initial_indent="· ", subsequent_indent="  ")


def _plain(text: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|\*|`|<[^>]+>", "", text)
