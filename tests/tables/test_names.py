"""What people and tables may be called, over all of Unicode; and at real tables, by the native protocol."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.games import catalogue
from croupier.tables import languages, names
from croupier.tables.notices import Refused
from croupier.tables.table import AnyGame
from tests.client import Refusal, client
from tests.live import LiveHere, server
from tests.toys import Bids

ANY: AnyGame = Bids()
COUP = catalogue().games["coup"]
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")

anything = st.text(st.characters(exclude_categories=()), max_size=50)


def name_or_none(text: str, game: AnyGame = ANY) -> str | None:
    try:
        return names.of_person(text, game)
    except Refused as refusal:
        assert refusal.code == "bad_name"
        return None


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Zoë",
        "Zoe\u0308",
        "O’Neil",
        "D'Artagnan",
        "Jean-François Müller-Łukasz",
        "李小龙",
        "葛\U000e0100城",
        "Ōsaka なおみ",
        "김연아",
        "Владимир",
        "Ελένη",
        "محمد",
        "علی\u200cرضا",
        "क्\u200dष",
        "ירושלים",
        "ไทย",
        "Mr. T (3rd) #1!",
        "👩\u200d👩\u200d👧\u200d👦",
        "🏳\ufe0f\u200d🌈",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "👍🏽 ❤\ufe0f 1\ufe0f⃣",
        "\U0001fae8",
        "Botany Bay",
        "Robot",
        "bots",
        "server",
    ],
)
def test_what_people_write_is_a_name_and_stays_as_it_is(name: str) -> None:
    assert names.of_person(name, ANY) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  \u3000\u00a0 ",
        "\u0301",
        "Ann\x1b[2J",
        "\x07Ann",
        "Ann\nBob",
        "Ann\n",
        "Ann\x7f",
        "Ann\x9b31m",
        "\u202ennA",
        "Ann\u2066",
        "Ann\u200f",
        "Ann\u200b",
        "An\u200dn",
        "An\u200cn",
        "\ufeffAnn",
        "A\u00adnn",
        "Ann\ufe0f\ufe0f",
        "Ann \ufe0f",
        "Ann\ue000",
        "Ann\U000fffff",
        "Ann\u0378",
        "\u3164",
        "\u2800",
        "Ann\u2028Bob",
        "Ann\U000e0041",
        "x" * 41,
        "x" * 100_000,
    ],
)
def test_what_nobody_sees_is_no_name(name: str) -> None:
    assert name_or_none(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "BOT Ada",
        "bot ada",
        "Bot",
        "ＢＯＴ Ada",
        " BOT\u00a0Ada",
        "𝐁𝐎𝐓 Ada",
        "ВОТ Ada",
        "B0T Ada",
        "__server",
        "__SERVER",
    ],
)
def test_nobody_passes_for_a_bot_or_the_server(name: str) -> None:
    assert name_or_none(name) is None


def test_a_game_has_names_of_its_own_that_nobody_may_have() -> None:
    fortress = catalogue().games["fortress"]
    assert name_or_none("ai", fortress) is None
    assert name_or_none("Aida", fortress) == "Aida"


@given(anything)
@example("a\u1680b")
def test_a_name_has_nothing_in_it_that_can_not_be_seen(text: str) -> None:
    name = name_or_none(text)
    if name is None:
        return
    assert 1 <= len(name) <= 40
    assert name == " ".join(name.split())
    for letter in name.replace("\u200c", "").replace("\u200d", ""):
        assert unicodedata.category(letter) not in UNSEEN or "\U000e0020" <= letter <= "\U000e007f"
    assert names.of_person(name, ANY) == name
    assert names.harmless(name) == name
    assert "".join(name.split()) == "".join(text.split())


@given(anything)
@example("ß\u0345ͅ")
def test_names_are_compared_without_case_and_width(text: str) -> None:
    once = names.folded(text)
    assert names.folded(once) == once
    assert names.folded(f" {text} ") == once
    wide = "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in text)
    assert names.folded(wide) == once


@given(anything)
def test_what_is_said_is_one_line_that_does_nothing(text: str) -> None:
    line = names.line(text)
    assert names.line(line) == line
    plain = line.encode(errors="ignore").decode()
    assert names.harmless(plain) == plain


@given(st.text(max_size=50))
def test_what_is_printed_does_nothing(text: str) -> None:
    shown = names.harmless(text)
    assert all(unicodedata.category(letter) not in ("Cc", "Zl", "Zp") for letter in shown)
    assert not set(shown) & set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    if text.isalnum():
        assert shown == text


@given(anything)
def test_a_games_own_syntax_holds(text: str) -> None:
    name = name_or_none(text, COUP)
    assert name is None or (name.isascii() and len(name) <= 20 and name == " ".join(text.split()))


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[LiveHere]:
    async with server(tmp_path, bot_delay=0) as running:
        yield running


async def problem(asking: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await asking  # type: ignore[misc]
    assert caught.value.code == "bad_name"
    return caught.value


async def test_bad_names_are_refused_with_a_sentence(live: LiveHere) -> None:
    async with client(live.ws("/ws?language=fr")) as ann, client(live.ws("/ws")) as bob:
        refusal = await problem(ann.ask("open", game="palace", player="Ann\x1b]52;c;aGk=\x07"))
        assert str(refusal) == "un nom ne peut pas avoir de caractères que personne ne voit"
        assert refusal.data["field"] == "player"
        assert (await problem(ann.ask("open", game="palace", player="Ann", name="a\u202eb"))).data["field"] == "name"
        await problem(ann.ask("open", game="palace", player="Ann", name="x" * 61))
        reply = await ann.ask("open", game="palace", player="  Ann  \u3000 Lee ", name=" The   table ")
        assert reply["sync"]["table"]["players"][0]["name"] == "Ann Lee"
        assert reply["sync"]["table"]["name"] == "The table"
        await problem(bob.ask("join", table=ann.table, player="BOT Ada"))
        await problem(bob.ask("join", table=ann.table, player=""))
        await bob.ask("join", table=ann.table, player="Bob")


async def test_a_games_own_limits_hold_from_every_protocol_and_are_told(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws?language=fr")) as bob:
        naming = {game["name"]: game["naming"] for game in ann.welcome["games"]}
        assert (naming["palace"]["longest"], naming["fortress"]["longest"]) == (20, 32)
        assert naming["coup"]["longest"] == 20
        refusal = await problem(ann.ask("open", game="palace", player="x" * 21))
        assert (str(refusal), refusal.data["longest"]) == ("a name has up to 20 characters here", 20)
        refusal = await problem(bob.ask("open", game="coup", player="Zoë"))
        french = next(game["naming"]["hint"] for game in bob.welcome["games"] if game["name"] == "coup")
        assert str(refusal) == french == languages.words("fr", COUP).said(COUP.customs.naming.hint)


async def test_the_same_name_in_other_case_or_width_is_taken(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann, client(live.ws("/ws")) as bob:
        await ann.ask("open", game="coup", player="bob")
        for name in ("bob ", "BOB", " Bob"):
            with pytest.raises(Refusal) as caught:
                await bob.ask("join", table=ann.table, player=name)
            assert caught.value.code == "name_taken"


async def test_chat_is_one_line_and_is_not_refused(live: LiveHere) -> None:
    async with client(live.ws("/ws")) as ann:
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("say", text="\x1b\u202e\x07")  # nothing is left of it, and nothing is said
        await ann.ask("say", text="first\r\nsecond\x1b[2J\u202e!")
        assert (await ann.entry("said"))["entry"]["text"] == "first second[2J!"
