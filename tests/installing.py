"""Packages as others install them: wheels, in environments with nothing else in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """A wheel of the package in a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    return subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)


def environment(folder: Path, *sources: Path) -> Path:
    """One with the wheels of these packages, and what they need. Returns its Python."""
    for source in sources:
        built = build(source, folder)
        assert built.returncode == 0, built.stderr
    # As scripts/install-python has it, from what that has fetched.
    uv = shutil.which("uv", path=f"{ROOT / '.cache' / 'tools' / 'bin'}{os.pathsep}{os.environ['PATH']}")
    assert uv is not None
    python, wheels = folder / "venv" / "bin" / "python", [str(wheel) for wheel in folder.glob("*.whl")]
    for command in (
        ["venv", "--python", sys.executable, str(folder / "venv")],
        ["pip", "install", "--python", str(python), "--constraint", str(ROOT / "requirements.lock"), *wheels],
    ):
        subprocess.run([uv, *command, "--offline", "--quiet"], check=True)
    return python
