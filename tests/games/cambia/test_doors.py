"""Who somebody is at Cambia's doors, where a browser may show a cookie: for whom it counts, and who is given one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.games.cambia.wire import Hall, Person, Socket, hall

FRIEND = "https://friend.example"
BY_HTTPS = "https://cards.example"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Hall]:
    async with hall(tmp_path, allow_origin=(FRIEND,)) as found:
        yield found


def own(here: Hall) -> str:
    return f"http://127.0.0.1:{here.live.ports['cambia']}"


def strangers(here: Hall) -> list[str]:
    """Pages of the same site, as browsers see it, and of others."""
    port = here.live.ports["cambia"]
    return [
        f"http://127.0.0.1:{port + 1}", "http://127.0.0.1", f"http://localhost:{port}", f"ftp://127.0.0.1:{port}",
        f"https://sub.127.0.0.1:{port}", f"http://127.0.0.1:{port}.evil.example", "https://evil.example", "null", "",
    ]  # fmt: skip


async def enter(here: Hall, origin: str | None, query: str = "", cookie: str = "") -> Socket:
    headers = {"Cookie": f"auth_token={cookie}"} if cookie else {}
    if origin is not None:
        headers["Origin"] = origin
    return await here.socket(f"/lobby/ws/{here.lobby}{query}", additional_headers=headers)


def given(socket: Socket) -> str | None:
    """The cookie that came with the handshake."""
    assert socket.connection.response is not None
    return socket.connection.response.headers.get("Set-Cookie")


async def test_a_page_of_another_port_or_name_is_not_the_visitor(here: Hall) -> None:
    """It may come in, as any page may (3.1), but as nobody in particular; the visitor keeps the cookie they have."""
    ann, ben = [await here.guest(name) for name in ("Ann", "Ben")]
    here.lobby = (await here.ask("POST", "/lobby/create", ann)).json["id"]
    for origin in strangers(here):
        socket = await enter(here, origin, cookie=ann.token)
        told = await socket.hears("lobby_state")
        assert (told["host_id"], told["your_is_host"]) == (ann.id, False), origin
        assert told["your_id"] != ann.id, origin
        assert given(socket) is None, origin
        await socket.close()
        made = await here.ask("POST", "/lobby/create", Origin=origin, Cookie=f"auth_token={ann.token}")
        assert made.status == 401, origin
        asked = await here.ask("GET", "/user/me", Origin=origin, Cookie=f"auth_token={ann.token}")
        assert asked.status == 403, origin
        new = await here.ask("POST", "/user/guest", Origin=origin, Cookie=f"auth_token={ann.token}")
        assert new.json["id"] != ann.id, origin
        assert "Set-Cookie" not in new.headers, origin
        # A token that the page knows itself is proof, wherever it comes from.
        socket = await enter(here, origin, f"?token={ben.token}", cookie=ann.token)
        assert (await socket.hears("lobby_state"))["your_id"] == ben.id, origin
        await socket.close()


async def test_our_own_pages_and_named_ones_and_programs_are_the_visitor(here: Hall) -> None:
    ann = await here.guest("Ann")
    here.lobby = (await here.ask("POST", "/lobby/create", ann)).json["id"]
    for origin in (None, own(here), own(here).upper(), own(here).replace("http:", "https:"), FRIEND):
        socket = await enter(here, origin, cookie=ann.token)
        assert (await socket.hears("lobby_state"))["your_is_host"], origin
        named: Any = {} if origin is None else {"Origin": origin}
        assert (await here.ask("GET", "/user/me", Cookie=f"auth_token={ann.token}", **named)).json["id"] == ann.id
        assert "Set-Cookie" in (await here.ask("POST", "/user/guest", **named)).headers
        stranger = await enter(here, origin)
        assert given(stranger) is not None, origin
        await stranger.close()


async def test_that_all_sites_may_connect_makes_none_of_them_the_visitor(tmp_path: Path) -> None:
    async with hall(tmp_path, allow_origin=("*",)) as here:
        ann = await here.guest("Ann")
        here.lobby = (await here.ask("POST", "/lobby/create", ann)).json["id"]
        socket = await enter(here, "https://evil.example", cookie=ann.token)
        assert not (await socket.hears("lobby_state"))["your_is_host"]


async def test_a_link_makes_nobody_somebody_else(here: Hall) -> None:
    """Session fixation: whoever follows a link with another's token in it is told whose it is, and given no cookie."""
    eve, ann = [await here.guest(name) for name in ("Eve", "Ann")]
    followed = await here.ask("GET", f"/user/guest?token={eve.token}")
    assert followed.json == {"id": eve.id, "username": "Eve", "token": eve.token}
    assert "Set-Cookie" not in followed.headers
    # Nor is there one when what the visitor has is no good any more; and what is good comes before the link.
    followed = await here.ask("GET", f"/user/guest?token={eve.token}", Cookie="auth_token=old")
    assert "Set-Cookie" not in followed.headers
    followed = await here.ask("GET", f"/user/guest?token={eve.token}", Cookie=f"auth_token={ann.token}")
    assert f"auth_token={ann.token};" in followed.headers["Set-Cookie"]
    # A form of another site is no better than a link.
    sent = await here.ask("POST", f"/user/guest?token={eve.token}", Origin="https://evil.example")
    assert "Set-Cookie" not in sent.headers
    # What no link can say is proof: a header, a request that no page of another site has made, or being new.
    for made in (
        await here.ask("GET", "/user/guest", eve),
        await here.ask("POST", f"/user/guest?token={eve.token}"),
        await here.ask("GET", "/user/guest"),
        await here.ask("GET", "/user/guest?token=nonsense"),
    ):
        assert f"auth_token={made.json['token']};" in made.headers["Set-Cookie"]


async def test_a_cookie_is_kept_from_scripts_and_from_plain_connections(here: Hall) -> None:
    plain = (await here.ask("POST", "/user/guest")).headers["Set-Cookie"]
    assert plain.split("; ")[1:] == ["Path=/", "HttpOnly", "SameSite=Lax"]
    page: Any = {"Host": "cards.example", "Origin": BY_HTTPS}
    assert (await here.ask("POST", "/user/guest", **page)).headers["Set-Cookie"].endswith("; Secure")
    await here.gather("Ann")
    ours = own(here).replace("http:", "https:")
    assert str(given(await enter(here, ours))).endswith("; Secure")
    assert not str(given(await enter(here, own(here)))).endswith("; Secure")


async def test_a_person_is_the_same_on_both_sides(here: Hall) -> None:
    """The whole of it, as a browser does it: made by a request, known by its cookie on the socket."""
    made = await here.ask("POST", "/user/guest", body={"username": "Ann"}, Origin=own(here))
    ann = Person(here, made.json)
    kept = made.headers["Set-Cookie"].partition(";")[0].removeprefix("auth_token=")
    created = await here.ask("POST", "/lobby/create", Origin=own(here), Cookie=f"auth_token={kept}")
    here.lobby = created.json["id"]
    assert (await (await enter(here, own(here), cookie=kept)).hears("lobby_state"))["host_id"] == ann.id


async def test_behind_a_named_proxy_a_plain_page_is_not_ours(tmp_path: Path) -> None:
    """What came to the proxy by https has nothing to do with a page that anybody on the way may have written."""
    by_https = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
    async with hall(tmp_path, trusted_proxy=("127.0.0.1",)) as here:
        ann = await here.guest("Ann")
        here.lobby = (await here.ask("POST", "/lobby/create", ann)).json["id"]
        for origin, host in ((own(here), False), (own(here).replace("http:", "https:"), True)):
            shown = {"Cookie": f"auth_token={ann.token}", "Origin": origin, **by_https}
            socket = await here.socket(f"/lobby/ws/{here.lobby}", additional_headers=shown)
            assert (await socket.hears("lobby_state"))["your_is_host"] is host, origin
            await socket.close()
        forwarded: Any = by_https
        assert (await here.ask("GET", "/user/guest", **forwarded)).headers["Set-Cookie"].endswith("; Secure")
    async with hall(tmp_path) as here:
        forwarded = by_https  # from somebody who was not named, these mean nothing
        assert not (await here.ask("GET", "/user/guest", **forwarded)).headers["Set-Cookie"].endswith("; Secure")


@pytest.mark.parametrize("path", ["/matchmaking/queues", "/friends/list"])
async def test_the_dashboard_finds_no_queues_and_no_friends_and_no_error(here: Hall, path: str) -> None:
    ann = await here.guest("Ann")
    found = await here.ask("GET", path, ann)
    assert (found.status, found.json) == (200, [])
    assert (await here.ask("POST", path, ann)).status == 405


@pytest.mark.parametrize("what", ["login", "create", "claim", "logout"])
async def test_there_are_no_accounts_and_the_answer_says_so(here: Hall, what: str) -> None:
    """Not 401 or 403, at which the client forgets who it is; the message is what it shows."""
    ann = await here.guest("Ann")
    given = {"email": "ann@example.org", "password": "secret", "username": "Ann"}
    found = await here.ask("POST", f"/user/{what}", ann, given)
    assert found.status == 501 and "no accounts" in found.json["message"]
    assert "Set-Cookie" not in found.headers
    assert (await here.ask("GET", "/user/me", ann)).json["id"] == ann.id
