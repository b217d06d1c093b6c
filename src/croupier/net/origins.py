"""Whose page is behind a request. Browsers say so (``Origin``), and no page can make them lie; programs say nothing.

It decides two things. Some endpoints are closed to pages of other sites. And whatever the endpoint, a browser's cookies
are proof only for pages of our own: it sends them along with the requests of any page of the same *site*, which to a
browser is also what runs on another port or under a sibling name, so ``SameSite`` does not keep those out. A page of
another site that has a token of its own to show is not hindered: its cookies are just not looked at, and it is given
none.
"""

from __future__ import annotations

from collections.abc import Mapping

PORTS = {"http": ":80", "https": ":443"}
"""What browsers leave out."""
ANY = "*"


def secure(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether the browser came by https. Behind a proxy that we know nothing of, a page of ours tells."""
    return scheme == "https" or (headers.get("origin", "").startswith("https://") and own(headers, False))


def own(headers: Mapping[str, str], secure: bool) -> bool:
    """Whether no page is behind a request, or one of this server: the same scheme, host and port.

    A page that came by https may be ours although the request came in plainly: then a proxy has taken the encryption
    off, since no browser lets such a page speak plainly. Not so the other way round: plain pages are anybody's work.
    A proxy that calls us by another name than the browser called it may say which (``X-Forwarded-Host``): no page can
    let a browser say that, on a WebSocket not at all and otherwise not without asking us first.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme, _, place = origin.lower().partition("://")
    if scheme not in PORTS or (secure and scheme != "https"):
        return False
    port = PORTS[scheme]
    hosts = [headers.get(name, "").lower().removesuffix(port) for name in ("host", "x-forwarded-host")]
    return place != "" and place.removesuffix(port) in hosts


def without(headers: Mapping[str, str], name: str) -> dict[str, str]:
    return {each: value for each, value in headers.items() if each.lower() != name}
