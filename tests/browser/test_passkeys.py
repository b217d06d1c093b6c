"""Passkeys in a real browser, with an authenticator that Chromium plays: made by one device, a way in for another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Route, expect

from croupier.people import passkeys
from tests.browser.person import PHONE, Person
from tests.browser.test_me import rename
from tests.live import Live, request
from tests.me import Device, error
from tests.nodes.several import nodes

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def named(live: Live) -> str:
    """Passkeys belong to names, and not to numbers."""
    return f"http://localhost:{live.ports['http']}"


async def keeper(person: Person) -> tuple[CDPSession, str]:
    """What keeps somebody's passkeys."""
    session = await person.context.new_cdp_session(person.page)
    await session.send("WebAuthn.enable")
    made = await session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return session, made["authenticatorId"]


async def post(live: Live, path: str, key: str, origin: str, body: Any = None) -> tuple[int, str]:
    payload = b"" if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Origin": origin, "Host": origin.removeprefix("http://")}
    reply = await request(live.ports["http"], "POST", f"/api/me{path}", payload, **headers)
    return reply.status, "" if reply.status == 200 else error(reply)


async def test_a_passkey_is_a_way_in_for_another_device(browser: Browser, tmp_path: Path) -> None:
    async with nodes(tmp_path) as (here, there):
        ann = await Person.arrive(browser, "Ann", named(here), "/me")
        await rename(ann, "Annabelle")
        session, kept = await keeper(ann)
        await ann.press(ann.button("^Make a passkey"))
        await expect(ann.button("^Remove ")).to_be_visible()
        await expect(ann.text("this device")).to_be_visible()  # so that others can sign it out
        (credential,) = (await session.send("WebAuthn.getCredentials", {"authenticatorId": kept}))["credentials"]

        phone = await Person.arrive(browser, "Guest", named(here), "/me", **PHONE)
        line, pocket = await keeper(phone)
        await line.send("WebAuthn.addCredential", {"authenticatorId": pocket, "credential": credential})
        sent: list[Any] = []

        async def hold(route: Route) -> None:
            sent.append(json.loads(route.request.post_data or ""))
            await route.abort()

        await phone.page.route("**/api/me/sign-in?*", hold)
        await phone.press(phone.button("^Sign in with a passkey"))
        while not sent:
            await phone.page.evaluate("1")
        # What was asked by one node is answered to another: once.
        stranger, thief = Device(there), Device(here)
        foreign = "http://evil.example"
        assert (await post(there, "/sign-in", thief.key, foreign, sent[0]))[0] == 400, "it is for another page"
        assert (await post(there, "/sign-in", stranger.key, named(here), sent[0]))[0] == 200
        again = await post(here, "/sign-in", thief.key, named(here), sent[0])
        assert again == (400, "this passkey is not known here, or it took too long; try again")
        assert (await stranger.me())["name"] == "Annabelle" and (await thief.me())["name"] == ""

        await phone.page.unroute("**/api/me/sign-in?*")
        await phone.press(phone.button("^Sign in with a passkey"))
        await expect(phone.text("This device is one of yours now.").first).to_be_visible()
        await expect(phone.page.get_by_label("Your name")).to_have_value("Annabelle")
        await expect(phone.button("^Sign out ")).to_have_count(3)
        await phone.press(phone.button("^Remove "))
        await expect(phone.button("^Remove ")).to_have_count(0)
        status, _ = await post(here, "/sign-in/options", thief.key, named(here))
        assert status == 200
        assert ann.complaints == []


async def test_where_there_are_no_passkeys_none_are_offered(browser: Browser, tmp_path: Path) -> None:
    async with nodes(tmp_path, 1) as (live,):
        ann = await Person.arrive(browser, "Ann", live.http, "/me")  # an address in numbers
        await expect(ann.page.get_by_role("heading", name="My devices")).to_be_visible()
        await expect(ann.page.get_by_role("heading", name="Passkeys")).to_have_count(0)
        reply = await Device(live).ask("POST", "/sign-in/options")
        assert (reply.status, error(reply)) == (403, "passkeys are for pages of this server")


def test_a_challenge_is_good_for_one_purpose_and_for_a_while() -> None:
    def answer(challenge: bytes) -> dict[str, Any]:
        said = json.dumps({"challenge": passkeys._text(challenge)}).encode()
        return {"response": {"clientDataJSON": passkeys._text(said)}}

    here, there = passkeys.Challenges(b"the journal's"), passkeys.Challenges(b"the journal's")
    challenge = here.new("sign in", 1000)
    assert there.answered(answer(challenge), "sign in", 1000 + passkeys.LASTS - 1) == challenge
    wrong = [
        (answer(challenge), "make ann", 1000),
        (answer(challenge), "sign in", 1000 + passkeys.LASTS),
        (answer(challenge[:-1] + bytes([challenge[-1] ^ 1])), "sign in", 1000),
        ({}, "sign in", 1000),
        ({"response": {"clientDataJSON": "é"}}, "sign in", 1000),
    ]
    for credential, purpose, now in wrong:
        try:
            here.answered(credential, purpose, now)
        except passkeys.Wrong:
            continue
        raise AssertionError(credential)
