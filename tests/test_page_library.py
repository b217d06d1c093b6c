"""``@croupier/table``, as authors of games get it: with Croupier, as a package that npm installs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

from croupier import __version__
from tests.page_sources import LIBRARY, WEB

PACKAGE = LIBRARY.parent


def test_it_has_the_version_of_the_server() -> None:
    assert json.loads((PACKAGE / "package.json").read_text())["version"] == __version__


def test_the_command_says_where_it_is() -> None:
    command = [sys.executable, "-m", "croupier.cli", "page-library"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    with tarfile.open(said) as packed:
        names = {name.removeprefix("package/") for name in packed.getnames()}
    exports = json.loads((PACKAGE / "package.json").read_text())["exports"].values()
    exported = {file for entry in exports for file in (entry.values() if isinstance(entry, dict) else [entry])}
    assert {file.removeprefix("./") for file in exported} | {"README.md", "vite.js"} <= names
    assert not [name for name in names if name.endswith(".schema.json")]


def test_our_own_pages_are_built_with_it() -> None:
    """By its name, as others have to; and no part of it reaches out of it."""
    games = WEB / "src" / "games"
    pages = [file for kind in ("*.svelte", "*.ts") for file in games.rglob(kind)]
    users = {file.relative_to(games).parts[0] for file in pages if "@croupier/table" in file.read_text()}
    assert users == {"cambia", "coup", "faraway", "fortress", "palace"}
    for file in pages:
        assert not re.search(r"from '(?:\.\./)+(?:lib|components|words)/", file.read_text()), file
    for file in (file for kind in ("*.svelte", "*.ts") for file in LIBRARY.rglob(kind)):
        for path in re.findall(r"from '(\.[^']*)'", file.read_text()):
            assert LIBRARY in (file.parent / path).resolve().parents, f"{file} imports {path}"


def test_its_readme_names_what_it_has() -> None:
    readme = (PACKAGE / "README.md").read_text()
    index = (LIBRARY / "index.ts").read_text()
    exported = re.findall(r"default as (\w+)", index)
    exported += [
        name.strip().removeprefix("type ")
        for some in re.findall(r"^export (?:type )?\{([^}]*)\}", index, re.MULTILINE)
        if "default as" not in some
        for name in some.split(",")
    ]
    undocumented = {"keepTime", "LANGUAGES", "Language", "Suit", "MountedPage", "Handle", "Parts", "Who", "definePage"}
    assert [name for name in exported if name not in undocumented and f"`{name}`" not in readme] == []


def test_the_table_is_documented_where_pages_are_handed_it() -> None:
    readme = Path(PACKAGE / "README.md").read_text()
    handed = (LIBRARY / "table.ts").read_text()
    interface = re.findall(r"export interface (?:Table|Handle)<.*?\n\}", handed, re.DOTALL)
    assert len(interface) == 2
    members = re.findall(r"^  (?:readonly )?(\w+)[(:]", "\n".join(interface), re.MULTILINE)
    assert len(members) > 20
    assert [name for name in members if not re.search(rf"`{name}[`(]", readme)] == []
