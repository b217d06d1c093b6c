"""Packages with games, installed as pip would leave them: for tests of games from elsewhere."""

from __future__ import annotations

from pathlib import Path

RULES = (Path(__file__).parent / "toys.py").read_text().partition("\n# Leaks")[0]
"""The whole of Bids."""
INIT = "from croupier_bids.rules import Bids\n\ngame = Bids()\n"


def installed(
    site: Path, name: str = "croupier-bids", target: str = "croupier_bids", files: dict[str, str] | None = None
) -> Path:
    """Write a package into a folder of packages; ``target`` is what its entry point names. Returns its own folder."""
    about = site / f"{name.replace('-', '_')}-1.2.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(f"[croupier.games]\nbids = {target}\n")
    folder = site / target.partition(":")[0]
    for file, text in ({"__init__.py": INIT, "rules.py": RULES} if files is None else files).items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
