"""What is a message and what is not. The names b1, b2, … are the rows of "Bad input" in docs/protocols/palace.md."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from croupier.games.palace.dialect.connection import accept
from croupier.games.palace.dialect.messages import MakePlay, NewLobby, Page, decode
from croupier.tables.dialect import Hangup
from tests.games.palace.wire import SUITS, VALUES, Hall, Player, cards, hall
from tests.live import connection_request

LOBBY = "958bf2645045de4eacd96d8deab7db5a"
MATT = "54c26676175c633b4c904b7369729e10"
IDS: dict[str, Any] = {"lobby_id": LOBBY, "player_id": MATT}
TWO_OF_CLUBS = {"value": "Two", "suit": "Clubs"}
NEW_LOBBY: dict[str, Any] = {"max_players": 4, "password": "", "lobby_name": "L", "player_name": "P"}
REQUESTS: dict[str, Any] = {
    "NewLobby": NEW_LOBBY,
    "JoinLobby": {"lobby_id": LOBBY, "player_name": "P", "password": ""},
    "ListLobbies": {"page": 0},
    "StartGame": IDS,
    "ChooseFaceup": {**IDS, "card_one": TWO_OF_CLUBS, "card_two": TWO_OF_CLUBS, "card_three": TWO_OF_CLUBS},
    "MakePlay": {**IDS, "cards": cards("2♣ 2♦")},
    "TakeTurn": {**IDS, "cards": cards("2♣ 2♦")},
    "Reconnect": IDS,
    "RequestAi": {**IDS, "num_ai": 1},
    "KickPlayer": {**IDS, "slot": 1},
    "SpectateLobby": LOBBY,
}
SERVER_NAMES = ["NewLobbyResponse", "HandEvent", "GameStartedEvent", "InternalServerError", "PublicGameStateEvent"]


def compact(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


def changed(name: str, **members: Any) -> bytes:
    return compact({name: {**REQUESTS[name], **members}})


def without(name: str, member: str) -> bytes:
    return compact({name: {key: value for key, value in REQUESTS[name].items() if key != member}})


def new_lobby(inside: str) -> bytes:
    """A NewLobby with this in its payload, written out."""
    return b'{"NewLobby":{"max_players":4,"password":"","lobby_name":"L","player_name":"P"' + inside.encode() + b"}}"


def lobby_named(name: bytes) -> bytes:
    return b'{"NewLobby":{"max_players":4,"password":"","lobby_name":"' + name + b'","player_name":"P"}}'


def card_as(card: Any) -> bytes:
    return changed("MakePlay", cards=[card])


MALFORMED: dict[str, list[bytes]] = {
    "b2_empty": [b""],
    "b3_not_utf8": [
        b"\xff",
        lobby_named(b"\xff"),
        lobby_named(b"\xc0\x80"),
        lobby_named(b"\xed\xa0\x80"),
        new_lobby(',"x":"\x00"').replace(b"\x00", b"\xff"),
        new_lobby(',"\x00":1').replace(b"\x00", b"\xff"),
        b"\xef\xbb\xbf" + b'"ListLobbies"',
        b"\xef\xbb\xbf" + compact({"NewLobby": NEW_LOBBY}),
        '"ListLobbies"'.encode("utf-16"),
    ],
    "b4_not_json": [
        b"hello",
        b"{",
        b'"ListLobbies',
        b'"ListLobbies" x',
        b'"ListLobbies""ListLobbies"',
        b'"ListLobbies"\n"ListLobbies"',
        compact({"NewLobby": NEW_LOBBY}) * 2,
        compact({"NewLobby": NEW_LOBBY}) + b",",
        b'"ListLobbies"\x00',
    ],
    "b5_extensions_of_json": [
        new_lobby(',"x":NaN'),
        new_lobby(',"x":Infinity'),
        new_lobby(',"x":-Infinity'),
        new_lobby(',"turn_timer":NaN'),
        new_lobby(',"x":1,'),
        new_lobby("/* hello */"),
        new_lobby(',"x":[1,]'),
        new_lobby(",'x':1"),
        new_lobby(",\"x\":'1'"),
        new_lobby(',"x":01'),
        new_lobby(',"x":.5'),
        new_lobby(',"x":+1'),
        new_lobby(',"x":0x1'),
        b"'ListLobbies'",
        b'{NewLobby:{"max_players":4,"password":"","lobby_name":"L","player_name":"P"}}',
    ],
    "b6_characters": [
        lobby_named(b"a\nb"),
        lobby_named(b"a\tb"),
        lobby_named(b"a\x00b"),
        lobby_named(b"a\x1fb"),
        lobby_named(rb"\ud800"),
        lobby_named(rb"\udc00"),
        lobby_named(rb"\ud800x and a long tail"),
        lobby_named(rb"\udc00 and a long tail"),
        lobby_named(rb"\ud83d\ud83d\ude00"),
        lobby_named(rb"\ud800\u0041"),
        lobby_named(rb"\x41"),
        new_lobby(r',"x":"\ud800"'),
        new_lobby(r',"x":["\udc00"]'),
        new_lobby(r',"\ud800":1'),
        new_lobby(',"x":"\n"'),
        new_lobby(',"x":"\x01"'),
    ],
    "b7_deep_or_long": [
        b"[" * 60000,
        b'{"x":' * 10000,
        new_lobby(',"x":' + "[" * 30000 + "]" * 30000),
        new_lobby(',"x":' + '{"x":' * 5000 + "1" + "}" * 5000),
        new_lobby(',"x":' + "[" * 127 + "]" * 127),
        new_lobby(',"x":' + '{"x":' * 127 + "1" + "}" * 127),
        new_lobby(',"x":' + "1" * 50000),
        new_lobby(',"turn_timer":' + "1" * 50000),
        new_lobby(',"x":1e' + "9" * 50000),
        b'{"ListLobbies":{"page":' + b"9" * 50000 + b"}}",
    ],
    "b8_top_level": [b"42", b"4.5", b"true", b"false", b"null", b"[]", b'["ListLobbies"]', b"[{}]"],
    "b9_strings": [
        compact(name)
        for name in ["NewLobby", "listlobbies", "", "ListLobbies ", "StartGame", "ListLobbiesResponse", *SERVER_NAMES]
    ],
    "b10_members": [
        b"{}",
        compact({"NewLobby": NEW_LOBBY, "ListLobbies": None}),
        compact({"ListLobbies": None, "Unknown": 1}),
        compact({"Unknown": 1, "ListLobbies": None}),
    ],
    "b11_names": [
        compact({name: payload})
        for payload in ({}, None, NEW_LOBBY)
        for name in ["Unknown", "newLobby", "NewLobby ", "new_lobby", "", "PickUpPile", *SERVER_NAMES]
    ],
    "b12_payloads": [
        compact({name: payload})
        for name in REQUESTS
        for payload in (None, [], "text", 7, True, ["a"], [4, "", "L", "P"])
        if not (name == "ListLobbies" and payload is None)
    ]
    + [compact({"ListLobbies": {}}), compact({"SpectateLobby": {"lobby_id": LOBBY}})],
    "b13_missing": [
        message
        for name, payload in REQUESTS.items()
        if isinstance(payload, dict)
        for member in payload
        for message in (without(name, member), changed(name, **{member: None}))
    ]
    + [
        new_lobby(',"turn_timer":null'),
        card_as({"value": "Two"}),
        card_as({"suit": "Clubs"}),
        card_as({}),
        card_as(None),
        card_as({"value": None, "suit": "Clubs"}),
    ],
    "b14_types": [
        changed("NewLobby", max_players="4"),
        changed("NewLobby", max_players=True),
        changed("NewLobby", max_players=[4]),
        changed("NewLobby", password=0),
        changed("NewLobby", lobby_name=7),
        changed("NewLobby", player_name=["P"]),
        changed("NewLobby", turn_timer="30"),
        changed("NewLobby", turn_timer=False),
        changed("JoinLobby", lobby_id=7),
        changed("StartGame", player_id=54),
        changed("MakePlay", cards={}),
        changed("MakePlay", cards="Two"),
        changed("RequestAi", num_ai="1"),
        changed("KickPlayer", slot=True),
        changed("ListLobbies", page="0"),
        changed("ListLobbies", page=True),
    ],
    "b15_numbers": [
        b'{"NewLobby":{"max_players":' + number + b',"password":"","lobby_name":"L","player_name":"P"}}'
        for number in (
            b"-1",
            b"256",
            b"4.0",
            b"4.5",
            b"1e1",
            b"4e0",
            b"4E0",
            b"-4.0",
            b"99999999999999999999",
            b"1e999",
        )
    ]
    + [new_lobby(f',"turn_timer":{number}') for number in ("-1", "256", "50.0", "5e1")]
    + [changed("RequestAi", num_ai=number) for number in (-1, 256, 1.0)]
    + [changed("KickPlayer", slot=number) for number in (-1, 256, 1.5)],
    "b16_page": [
        b'{"ListLobbies":{"page":' + number + b"}}"
        for number in (b"-1", b"0.0", b"1.5", b"1e0", b"18446744073709551616", b"1" * 40)
    ],
    "b17_ids": [
        message
        for id in (
            "",
            "nope",
            LOBBY + "0",
            "0" * 33,
            "0x1f",
            " 1f",
            "1f ",
            "1f\n",
            "1_f",
            "+1f",
            "-1f",
            "1.f",
            "١",
            "g",
        )
        for message in (
            changed("StartGame", lobby_id=id),
            changed("StartGame", player_id=id),
            changed("JoinLobby", lobby_id=id),
            compact({"SpectateLobby": id}),
        )
    ],
    "b18_cards": [
        card_as(card)
        for card in (
            {"value": "One", "suit": "Clubs"},
            {"value": "two", "suit": "Clubs"},
            {"value": "TWO", "suit": "Clubs"},
            {"value": "Joker", "suit": "Clubs"},
            {"value": 2, "suit": "Clubs"},
            {"value": "Two", "suit": "clubs"},
            {"value": "Two", "suit": "Stars"},
            {"value": "Two", "suit": 0},
            "2♣",
            "Two",
            2,
            ["Two", "Clubs"],
        )
    ]
    + [changed("ChooseFaceup", card_two="Two"), changed("ChooseFaceup", card_two={"value": "Nil", "suit": "Clubs"})],
    "b19_twice": [
        new_lobby(',"password":""'),
        new_lobby(',"max_players":4'),
        new_lobby(',"x":1,"x":1'),
        new_lobby(',"x":{"a":1,"b":2,"a":1}'),
        new_lobby(',"x":[{"a":1,"a":1}]'),
        new_lobby(r',"pass\u0077ord":""'),
        new_lobby(',"turn_timer":50,"turn_timer":50'),
        b'{"ListLobbies":{"page":0},"ListLobbies":{"page":0}}',
        b'{"ListLobbies":null,"ListLobbies":null}',
        b'{"ListLobbies":{"page":0,"page":0}}',
        card_as(TWO_OF_CLUBS).replace(b'"value":"Two"', b'"value":"Two","value":"Two"'),
        compact({"MakePlay": REQUESTS["MakePlay"]}).replace(b'"cards"', b'"cards":[],"cards"'),
        b'{"SpectateLobby":"1f","SpectateLobby":"1f"}',
    ],
    "d29_leniencies_of_the_reference": [
        compact({"StartGame": [LOBBY, MATT]}),
        compact({"MakePlay": [LOBBY, MATT, []]}),
        compact({"SpectateLobby": "+1f"}),
        compact({"SpectateLobby": "0" * 10 + LOBBY}),
    ],
}

ACCEPTED: dict[str, list[bytes]] = {
    "requests": [compact({name: payload}) for name, payload in REQUESTS.items()],
    "list_lobbies": [
        b'"ListLobbies"',
        rb'"List\u004cobbies"',
        b'{"ListLobbies":null}',
        b'{"ListLobbies":{"page":18446744073709551615}}',
    ],
    "b15_limits": [changed("NewLobby", max_players=0), changed("NewLobby", max_players=255)],
    "b20_additional_members": [
        new_lobby(',"x":1'),
        new_lobby(',"x":{"a":[1,{"b":"\\ud83d\\ude00"}],"c":{"a":1}}'),
        new_lobby(',"x":' + "[" * 126 + "]" * 126),
        new_lobby(',"x":"[[[[' + "[" * 200 + '"'),
        card_as({**TWO_OF_CLUBS, "colour": "black"}),
        new_lobby(',"turn_timer_secs":"whatever"'),
        changed("StartGame", cards=[]),
    ],
    "b21_ids": [
        changed("StartGame", lobby_id=LOBBY.upper(), player_id="0" + MATT[1:]),
        compact({"SpectateLobby": "0"}),
        compact({"SpectateLobby": "0" * 32}),
        compact({"SpectateLobby": "f" * 32}),
    ],
    "b23_white_space": [
        b' \t\r\n"ListLobbies"\n ',
        b' { "ListLobbies" : { "page" : 0 } } ',
        json.dumps({"MakePlay": REQUESTS["MakePlay"]}, indent=2).encode(),
    ],
    "names_are_data": [
        lobby_named("Ünïcödé 🃏".encode()),
        lobby_named(b"a: b, \\\"c\\\": {d}"),
        lobby_named(b"\\u0000\\n"),
        lobby_named(b"\x7f"),
        lobby_named(rb"\ud83d\ude00"),
    ],
}  # fmt: skip


def rows(table: dict[str, list[bytes]]) -> list[Any]:
    return [
        pytest.param(message, id=f"{row}-{i}") for row, messages in table.items() for i, message in enumerate(messages)
    ]


@pytest.mark.parametrize("message", rows(MALFORMED))
def test_malformed(message: bytes) -> None:
    with pytest.raises(Hangup) as hangup:
        decode(message)
    assert hangup.value.code == 1007
    assert not reference_accepts(message)


@pytest.mark.parametrize("message", rows(ACCEPTED))
def test_accepted(message: bytes) -> None:
    decode(message)
    assert reference_accepts(message)


def test_the_examples_for_client_authors_are_messages() -> None:
    page = Path(__file__).parents[3] / "docs/protocols/palace.md"
    blocks = re.findall(r"```json\n(.*?)```", page.read_text(), re.DOTALL)
    examples = [json.loads(line) for block in blocks for line in block.splitlines()]
    names = [example if isinstance(example, str) else next(iter(example)) for example in examples]
    assert set(REQUESTS) <= set(names)
    for name, example in zip(names, examples, strict=True):
        if name in REQUESTS:
            decode(compact(example))
        else:
            assert name in RESPONSES | EVENTS


def test_b1_text_is_refused_whatever_it_says() -> None:
    dialect = accept(connection_request())
    for message in (b'"ListLobbies"', b"", b"garbage"):
        with pytest.raises(Hangup) as hangup:
            dialect.receive(message, text=True)
        assert hangup.value.code == 1003


def test_what_is_decoded() -> None:
    assert decode(b'"ListLobbies"') is None
    assert decode(b'{"ListLobbies":null}') is None
    assert decode(b'{"ListLobbies":{"page":3}}') == Page(3)
    assert decode(compact({"SpectateLobby": LOBBY})) == LOBBY
    played = decode(compact({"MakePlay": REQUESTS["MakePlay"]}))
    assert isinstance(played, MakePlay)
    assert [(card.value, card.suit) for card in played.cards] == [("Two", "Clubs"), ("Two", "Diamonds")]
    opened = decode(changed("NewLobby", turn_timer=30))
    assert isinstance(opened, NewLobby)
    assert opened.turn_timer == 30


# A second opinion, written with nothing but the standard library: is this a message?


def reference_accepts(message: bytes) -> bool:
    try:
        return _is_request(_parse(message))
    except (ValueError, RecursionError):
        return False


def _parse(message: bytes) -> Any:
    text = message.decode()  # raises for anything but UTF-8
    if text.startswith("\ufeff"):
        raise ValueError("byte order mark")

    def number(digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            raise ValueError("number out of range")
        return value

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("member twice")
        return dict(pairs)

    def no_constant(name: str) -> None:
        raise ValueError(name)

    def integer(digits: str) -> int:
        number(digits)  # where floating point ends, so do our integers
        return int(digits)

    if text.strip(" \t\r\n") != text.strip():
        raise ValueError("white space of another world")
    found = json.loads(
        text, object_pairs_hook=members, parse_float=number, parse_int=integer, parse_constant=no_constant
    )
    json.dumps(found, ensure_ascii=False).encode()  # raises for lone surrogates
    if _depth(found) > 128:
        raise ValueError("too deep")
    return found


def _depth(value: Any) -> int:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inside is None else 1 + max(map(_depth, inside), default=0)


def _is_request(found: Any) -> bool:
    if found == "ListLobbies":
        return True
    if not isinstance(found, dict) or len(found) != 1:
        return False
    ((name, payload),) = found.items()
    if name == "SpectateLobby":
        return _is_id(payload)
    if name == "ListLobbies" and payload is None:
        return True
    shape = SHAPES.get(name)
    if shape is None or not isinstance(payload, dict):
        return False
    if name == "NewLobby" and "turn_timer" in payload and not _is_u8(payload["turn_timer"]):
        return False
    return all(member in payload and check(payload[member]) for member, check in shape.items())


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-fA-F]{1,32}", value) is not None


def _is_u8(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 255


def _is_u64(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**64


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_card(value: Any) -> bool:
    return isinstance(value, dict) and value.get("value") in VALUES.values() and value.get("suit") in SUITS.values()


def _are_cards(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_card, value))


PLAYER: dict[str, Callable[[Any], bool]] = {"lobby_id": _is_id, "player_id": _is_id}
SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    "NewLobby": {"max_players": _is_u8, "password": _is_text, "lobby_name": _is_text, "player_name": _is_text},
    "JoinLobby": {"lobby_id": _is_id, "player_name": _is_text, "password": _is_text},
    "ListLobbies": {"page": _is_u64},
    "StartGame": PLAYER,
    "Reconnect": PLAYER,
    "ChooseFaceup": {**PLAYER, "card_one": _is_card, "card_two": _is_card, "card_three": _is_card},
    "MakePlay": {**PLAYER, "cards": _are_cards},
    "TakeTurn": {**PLAYER, "cards": _are_cards},
    "RequestAi": {**PLAYER, "num_ai": _is_u8},
    "KickPlayer": {**PLAYER, "slot": _is_u8},
}


# Mutations

SPICES = [
    b"null", b"true", b"-1", b"256", b"4.0", b"1e1", b"NaN", b'""', b"[]", b"{}", b'"\\ud800"', b'"\\ud83d\\ude00"',
    b'{"a":1,"a":2}', b"[" * 130 + b"]" * 130, b"9" * 400, b"18446744073709551616", b"\xff", b"\xef\xbb\xbf", b"\n",
    b"\x00", b",", b":", b"}", b'"', b'"x":1,', b'"password":"",', b'"cards":[],', b'"ListLobbies"', b"0x", b" ",
]  # fmt: skip


def mutated(message: bytes, luck: Random) -> bytes:
    """The message with something wrong with it, or with nothing, somewhere where it matters."""
    for _ in range(luck.choice([1, 1, 1, 2, 3])):
        tokens = re.findall(rb'"(?:[^"\\]|\\.)*"|-?[0-9.eE+]+|true|false|null|.', message, re.DOTALL) or [b""]
        at = luck.randrange(len(tokens))
        match luck.randrange(8):
            case 0:
                tokens[at] = luck.choice(SPICES)
            case 1:
                tokens.insert(at, luck.choice(SPICES))
            case 2:
                del tokens[at : at + luck.choice([1, 1, 2, 4])]
            case 3:
                end = at + luck.choice([1, 2, 4, 8])
                tokens[end:end] = tokens[at:end]
            case 4:
                other = luck.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 5:
                message = b"".join(tokens)
                at = luck.randrange(len(message) or 1)
                message = message[:at] + bytes([luck.randrange(256)]) + message[at + luck.randrange(2) :]
                continue
            case 6:
                tokens[at] = tokens[at].swapcase()
            case 7:
                del tokens[at:]
        message = b"".join(tokens)
    return message


@given(st.integers(0, 2**32), st.sampled_from([message for row in ACCEPTED.values() for message in row]))
def test_the_decoder_and_the_second_opinion_agree(seed: int, message: bytes) -> None:
    luck = Random(seed)
    for _ in range(100):
        spoiled = mutated(message, luck)
        try:
            decode(spoiled)
            accepted = True
        except Hangup as hangup:
            assert hangup.code == 1007
            accepted = False
        assert accepted == reference_accepts(spoiled), spoiled


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_are_not(message: bytes) -> None:
    try:
        decode(message)
    except Hangup as hangup:
        assert hangup.code == 1007


# Over a socket


async def test_every_row_closes_the_connection_with_its_code_and_nothing_else(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        matt, ann = await here.two()
        for messages in MALFORMED.values():
            for message in messages:
                stranger = await here.enter()
                await stranger.send_bytes(message)
                assert await stranger.closed() == 1007, message
        for text in ('"ListLobbies"', "", "garbage"):
            stranger = await here.enter()
            await stranger.socket.send(text)
            assert await stranger.closed() == 1003
        assert await matt.silent()
        assert await ann.silent()


async def test_b22_the_longest_message(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        for size in (65536, 65537, 200_000):
            for pieces in (1, 2, 5):
                player = await here.enter()
                message = b'"ListLobbies"'.ljust(size)
                step = -(-size // pieces)
                try:
                    await player.socket.send([message[at : at + step] for at in range(0, size, step)])
                    if size <= 65536:
                        assert await player.hears("ListLobbiesResponse") == []
                    else:
                        assert await player.closed() == 1009
                except ConnectionClosed:  # while it was still being sent
                    assert player.socket.close_code == 1009


async def test_b24_a_ping_is_answered(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        player = await here.enter()
        await (await player.socket.ping(b"hello"))
        await player.socket.pong(b"unasked")
        assert await player.silent()
        await player.socket.close(1000)
        assert player.socket.close_code == 1000


async def test_b27_half_a_message_does_nothing(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        player = await here.enter()
        whole = compact({"NewLobby": NEW_LOBBY})
        frame = bytes([0x82, 0x80 | len(whole)]) + bytes(4) + whole  # masked with zeros
        player.socket.transport.write(frame[:-5])
        player.socket.transport.abort()
        assert await here.lobbies() == []


RESPONSES = {f"{name}Response" for name in REQUESTS}
EVENTS = {"GameStartedEvent", "GameStartEvent", "PublicGameStateEvent", "HandEvent", "PlayerJoinEvent"}
EVENTS |= {"PlayerLeaveEvent", "LobbyCloseEvent", "SpectateGameStartEvent", "SpectatorJoinEvent", "SpectatorLeaveEvent"}


async def _taunt(here: Hall, victim: Player, luck: Random) -> None:
    """A stranger sends a few spoiled messages about somebody's lobby, until thrown out."""
    stranger = await here.enter()
    for _ in range(5):
        name = luck.choice(list(REQUESTS))
        payload = REQUESTS[name]
        if isinstance(payload, dict) and "lobby_id" in payload:
            payload = {**payload, "lobby_id": victim.lobby}
        elif name == "SpectateLobby":
            payload = victim.lobby
        message = compact({name: payload})
        for _ in range(luck.randrange(3)):
            message = mutated(message, luck)
        try:
            if luck.randrange(20) == 0:
                await stranger.socket.send(message.decode(errors="replace"))
                assert await stranger.closed() == 1003
            await stranger.send_bytes(message)
            answer, _ = await stranger.next()
            while answer in EVENTS:
                answer, _ = await stranger.next()
            assert answer in RESPONSES, message
        except ConnectionClosed:
            assert stranger.socket.close_code in (1003, 1007, 1009), message
            return
    await stranger.socket.close()


async def test_c11_spoiled_messages_disturb_no_game(tmp_path: Path) -> None:
    luck = Random(42)
    async with hall(tmp_path) as here:
        matt, ann = await here.playing()
        victim = await here.enter()
        await victim.opens(max_players=255)
        for _ in range(150):
            await _taunt(here, victim, luck)
        assert await matt.silent()
        await matt.chooses(cards("9♣ J♦ Q♣"), ann)
        await ann.chooses(cards("6♣ 10♦ A♦"), matt)
        for _ in range(50):
            await _taunt(here, victim, luck)
        await matt.plays("5♣", ann)
        await ann.plays("5♦", matt)
