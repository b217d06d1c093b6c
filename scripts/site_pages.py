"""The site (mkdocs.yml) shows what GitHub shows: pages outside docs/, links as the files have them, nested lists.

MkDocs knows one folder, and Python-Markdown is not CommonMark; the files are written for GitHub, and fitted here.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
OUTSIDE = (
    "*.md",
    "examples/*",
    "examples/*/README.md",
    "examples/*/tests/*.py",
    "web/public/icon.svg",
    "web/*/README.md",
)
"""What pages link to outside docs/; it comes along under its own path."""

FENCED = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s:/][^)#\s:]*)")
"""The path of a link or picture that stays in the repository."""
NESTED = re.compile(r"^ {2,3}(?=(?:[-*]|\d+\.) )", re.MULTILINE)


def slug(heading: str, separator: str = "-") -> str:
    """The anchor that GitHub gives to a heading: ``if-your-client-`` to "If your client …"."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def on_config(config: MkDocsConfig) -> None:
    config.mdx_configs["toc"]["slugify"] = slug


def on_files(files: Files, config: MkDocsConfig) -> None:
    for path in sorted(path for pattern in OUTSIDE for path in ROOT.glob(pattern) if path.is_file()):
        file = File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path))
        if file.src_uri == "README.md":
            file.dest_uri = "tour/index.html"  # the site has a front page of its own
        files.append(file)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]  # here and not in the file, where GitHub would show it
    in_repository = here if page.file.generated_by else f"docs/{here}"

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(in_repository), match[1]))
        if (ROOT / target / "README.md").is_file():  # what GitHub shows of a folder
            target += "/README.md"
        return "](" + posixpath.relpath(target.removeprefix("docs/"), posixpath.dirname(here))

    parts = FENCED.split(markdown)
    parts[::2] = (NESTED.sub("    ", LINK.sub(link, prose)) for prose in parts[::2])
    return "".join(parts)
