"""The wheel holds the built page: it serves people who have neither this folder nor Node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # where there is a checkout, the page is read there
        page = Path(self.root, "web", "dist")
        if not (page / "index.html").is_file():
            raise FileNotFoundError(
                "the page has not been built, and a wheel without it would serve nothing: make wheel"
            )
        build_data["force_include"][str(page)] = "croupier/page"
