"""Addresses of journals, as people may see them."""

from __future__ import annotations

from urllib.parse import urlsplit


def shown(url: str) -> str:
    """An address without its password."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
