"""The release before this one, to be run beside it."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

RELEASE_BEFORE = "c74effa"
"""The commit. It is raised with each release: to the one before that."""
_ROOT = Path(__file__).parents[2]


def release_before(folder: Path) -> Path:
    """Its source, for PYTHONPATH."""
    git = ["git", "-c", "safe.directory=*", "-C", str(_ROOT), "archive", RELEASE_BEFORE, "src"]
    done = subprocess.run(git, capture_output=True, check=False)
    if done.returncode:
        sentence = f"the release before this one, {RELEASE_BEFORE}, is not in this copy of the repository"
        if not (_ROOT / ".git").exists() and "CI" not in os.environ:
            pytest.skip(f"{sentence}: it has no history")
        pytest.fail(f"{sentence} (a shallow clone? git fetch --unshallow): {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def with_source(source: Path) -> tuple[str, ...]:
    """How a command begins that is to run it, with what else is installed here."""
    return ("env", f"PYTHONPATH={source}")
