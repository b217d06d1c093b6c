"""The examples of proxies with TLS, as real programs before a real server: all of it works through them, and the server
knows who comes and how. And the unit of systemd, as far as a machine without systemd can tell."""

from __future__ import annotations

import asyncio
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.asyncio.client import connect

from services.caddy import Caddy
from services.nginx import EXAMPLES, Nginx
from services.processes import free_port
from tests.client import Client, Refusal, play_out
from tests.live import LiveHere, server

HOST = "cards.example.org"


class Certificate(NamedTuple):
    file: Path
    key: Path


class Proxy(NamedTuple):
    port: int
    plain_port: int
    tls: ssl.SSLContext
    live: LiveHere

    async def get(self, path: str, plain: bool = False, **headers: str) -> tuple[int, dict[str, str], str]:
        port, tls = (self.plain_port, {}) if plain else (self.port, {"ssl": self.tls, "server_hostname": HOST})
        reader, writer = await asyncio.open_connection("127.0.0.1", port, **tls)  # type: ignore[arg-type]
        lines = [f"GET {path} HTTP/1.1", f"Host: {HOST}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
        writer.close()
        status, *fields = head.split("\r\n")
        named = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        return int(status.split()[1]), named, body

    def native(self, address: str = "127.0.0.1", **headers: str) -> connect:
        """From this address of the machine's many."""
        return connect(
            f"wss://{HOST}/ws",
            host="127.0.0.1",
            port=self.port,
            ssl=self.tls,
            local_addr=(address, 0),
            additional_headers=headers,
        )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """One that this test has signed itself."""
    folder = tmp_path_factory.mktemp("certificate")
    made = Certificate(folder / "certificate.pem", folder / "key.pem")
    command = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={HOST}"
    command += f" -addext subjectAltName=DNS:{HOST} -keyout {made.key} -out {made.file}"
    subprocess.run(command.split(), check=True, capture_output=True)
    return made


@contextmanager
def nginx(folder: Path, certificate: Certificate, proxy: Proxy) -> Iterator[None]:
    text = (EXAMPLES / "nginx.conf").read_text()
    for written, ours in {
        "listen 80;": f"listen 127.0.0.1:{proxy.plain_port};",
        "listen 443 ssl;": f"listen 127.0.0.1:{proxy.port} ssl;",
        f"/etc/letsencrypt/live/{HOST}/fullchain.pem": str(certificate.file),
        f"/etc/letsencrypt/live/{HOST}/privkey.pem": str(certificate.key),
        "127.0.0.1:8080": f"127.0.0.1:{proxy.live.ports['http']}",
    }.items():
        assert text.count(written) == 1
        text = text.replace(written, ours)
    program = Nginx(folder, text)
    tested = subprocess.run([*program.command(), "-t"], capture_output=True, text=True)
    assert tested.returncode == 0, tested.stderr
    assert "warn" not in tested.stderr
    with program:
        yield


@contextmanager
def caddy(folder: Path, certificate: Certificate, proxy: Proxy) -> Iterator[None]:
    text = (EXAMPLES / "Caddyfile").read_text()
    site = f"{HOST} {{\n"
    for written, ours in {
        # It would ask for a certificate that nobody gives for such a name.
        site: f"{site}\tbind 127.0.0.1\n\ttls {certificate.file} {certificate.key}\n",
        "127.0.0.1:8080": f"127.0.0.1:{proxy.live.ports['http']}",
    }.items():
        assert text.count(written) == 1
        text = text.replace(written, ours)
    around = f"{{\n\tadmin off\n\thttp_port {proxy.plain_port}\n\thttps_port {proxy.port}\n}}\n"
    with Caddy(folder, proxy.port, around + text):
        yield


@pytest.fixture(params=[nginx, caddy], ids=lambda param: param.__name__)
async def proxy(request: pytest.FixtureRequest, tmp_path: Path, certificate: Certificate) -> AsyncIterator[Proxy]:
    tls = ssl.create_default_context(cafile=certificate.file)
    at = tmp_path / "data"
    async with server(at, trusted_proxy=["127.0.0.1"], max_tables_per_address=1, bot_delay=0) as live:
        proxy = Proxy(free_port(), free_port(), tls, live)
        with request.param(tmp_path / "proxy", certificate, proxy):
            yield proxy


async def test_the_page_comes_by_https_and_knows_it(proxy: Proxy) -> None:
    status, headers, body = await proxy.get("/", Accept="text/html")
    assert status == 200
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert headers["cross-origin-opener-policy"] == "same-origin", "the server was told that it is https"
    assert f'content="https://{HOST}/"' in body
    script = re.findall(r'src="(/assets/[^"]+)"', body)[0]
    assert (await proxy.get(script))[0] == 200


async def test_who_comes_plainly_is_sent_to_https(proxy: Proxy) -> None:
    status, headers, _ = await proxy.get("/t/x?y=1", plain=True)
    assert status in (301, 308)
    assert headers["location"] == f"https://{HOST}/t/x?y=1"


async def test_a_game_is_played_over_wss_from_the_page_of_that_name(proxy: Proxy) -> None:
    async with proxy.native(Origin=f"https://{HOST}") as socket:
        ann = Client(socket)
        ann.welcome = await ann._receive()
        await ann.ask("open", game="palace", player="Ann")
        await ann.ask("add_bots", count=1)
        await ann.ask("start")
        assert (await play_out(ann))["result"]


async def test_somebody_polls(proxy: Proxy) -> None:
    status, _, body = await proxy.get("/socket.io/?EIO=4&transport=polling")
    assert status == 200
    assert '"sid"' in body


async def opens(socket: Client) -> bool:
    await socket._receive()
    try:
        await socket.ask("open", game="palace", player="Ann")
    except Refusal as refusal:
        assert "opened from your address" in str(refusal)
        return False
    return True


async def test_addresses_are_those_of_the_clients_whatever_they_say(proxy: Proxy) -> None:
    async with (
        proxy.native("127.0.0.2") as first,
        proxy.native("127.0.0.2") as again,
        proxy.native("127.0.0.3") as other,
        proxy.native("127.0.0.3", **{"X-Forwarded-For": "6.6.6.6"}) as liar,
    ):
        assert [await opens(Client(socket)) for socket in (first, again, other, liar)] == [True, False, True, False]


def test_caddy_takes_the_example_as_it_is(tmp_path: Path) -> None:
    homes = [f"{name}={tmp_path}" for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")]
    example = str(EXAMPLES / "Caddyfile")
    for command in (["validate", "--adapter", "caddyfile", "--config", example], ["fmt", "--diff", example]):
        done = subprocess.run(["env", *homes, "caddy", *command], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    unit = (EXAMPLES / "croupier.service").read_text()
    ours = unit.replace("/opt/croupier/bin/croupier serve", f"{Path(sys.executable).with_name('croupier')} serve")
    assert ours != unit
    (tmp_path / "croupier.service").write_text(ours)
    done = subprocess.run(["systemd-analyze", "verify", tmp_path / "croupier.service"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
