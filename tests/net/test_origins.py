"""Whose page is behind a request."""

from __future__ import annotations

import pytest

from croupier.net.origins import own, secure


@pytest.mark.parametrize(
    ("origin", "host", "https", "ours"),
    [
        ("http://cards.example", "cards.example", False, True),
        ("http://cards.example:8080", "cards.example:8080", False, True),
        ("http://cards.example", "cards.example:80", False, True),
        ("http://[::1]:8080", "[::1]:8080", False, True),
        ("HTTP://Cards.Example", "cards.example", False, True),
        ("https://cards.example", "cards.example", True, True),
        ("https://cards.example", "cards.example:443", True, True),
        # A proxy that does not say what it has taken off.
        ("https://cards.example", "cards.example", False, True),
        ("https://cards.example:8443", "cards.example:8443", False, True),
        # Another port, another name, another scheme.
        ("http://cards.example", "cards.example:8080", False, False),
        ("http://cards.example:8080", "cards.example", False, False),
        ("http://cards.example:8080", "cards.example:80", False, False),
        ("http://cards.example:443", "cards.example", False, False),
        ("https://cards.example:80", "cards.example", False, False),
        ("http://evil.cards.example", "cards.example", False, False),
        ("http://example", "cards.example", False, False),
        ("http://cards.example.evil.example", "cards.example", False, False),
        ("http://cards.example", "cards.example", True, False),
        ("http://cards.example:443", "cards.example", True, False),
        # What is no address of a page.
        ("null", "null", False, False),
        ("", "", False, False),
        ("://cards.example", "cards.example", False, False),
        ("cards.example", "cards.example", False, False),
        ("file://", "", False, False),
        ("ws://cards.example", "cards.example", False, False),
        ("http://[", "cards.example", False, False),
    ],
)
def test_the_same_scheme_host_and_port(origin: str, host: str, https: bool, ours: bool) -> None:
    assert own({"origin": origin, "host": host}, https) is ours


def test_programs_say_nothing() -> None:
    assert own({"host": "cards.example"}, False)
    assert own({}, True)


def test_https_is_what_the_request_says_or_a_page_of_ours() -> None:
    assert secure({}, "https")
    assert secure({"origin": "https://cards.example", "host": "cards.example"}, "http")
    assert not secure({"origin": "http://cards.example", "host": "cards.example"}, "http")
    assert not secure({"origin": "https://evil.example", "host": "cards.example"}, "http")
    assert not secure({}, "http")


def test_a_proxy_may_say_what_the_browser_called_it() -> None:
    headers = {"origin": "http://localhost:3000", "host": "localhost:8080"}
    assert not own(headers, False)
    assert own({**headers, "x-forwarded-host": "localhost:3000"}, False)
    assert not own({**headers, "x-forwarded-host": "localhost:4000"}, False)
    assert not own({"origin": "http://"}, False)
