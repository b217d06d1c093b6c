"""The services of tests: nothing of them is left when a run is over, however it ended."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.network import Network
from services.postgres import Postgres
from services.processes import CanNotStart
from tests.services import own_postgres

RUN = """
import sys, time
from tests import services
lease = services.hold()
print(services.shared("postgres"), flush=True)
services.database()
sys.stdin.read()
services.release(lease)
"""

START = """
import sys
from pathlib import Path
from services.postgres import Postgres
postgres = Postgres(Path(sys.argv[1]))
postgres.start()
print(postgres.pid, flush=True)
input()
"""


@pytest.mark.parametrize("how", [None, signal.SIGKILL])
def test_a_shared_service_ends_with_its_run(how: signal.Signals | None) -> None:
    with subprocess.Popen([sys.executable, "-c", RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        folder = Path(run.stdout.readline().strip())
        (pid, *_) = (folder / "data" / "postmaster.pid").read_text().split("\n")
        assert Path(f"/proc/{pid}").exists()
        if how is not None:
            run.send_signal(how)
    while Path(f"/proc/{pid}").exists() or folder.parent.exists():
        time.sleep(0.02)


def test_a_private_postgres_ends_with_whoever_started_it() -> None:
    with own_postgres() as model:
        model.stop()
        command = [sys.executable, "-c", START, str(model.folder)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as starter:
            assert starter.stdout is not None
            pid = starter.stdout.readline().strip().decode()
            assert Path(f"/proc/{pid}").exists()
            starter.kill()
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.02)


MAKE = """
import os
from services.network import Network
with Network() as network:
    network.host()
    print(os.readlink("/proc/thread-self/ns/net"), flush=True)
    input()
"""


def links() -> str:
    return subprocess.run(["ip", "-brief", "addr"], capture_output=True, text=True, check=True).stdout


def namespaces() -> str:
    return subprocess.run(["lsns", "-t", "net", "-n", "-o", "NS"], capture_output=True, text=True, check=True).stdout


def test_a_network_is_gone_with_whoever_made_it() -> None:
    with subprocess.Popen([sys.executable, "-c", MAKE], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as maker:
        assert maker.stdout is not None
        (here,) = re.findall(r"\d+", maker.stdout.readline().decode())
        assert here in namespaces()
        maker.kill()
    while here in namespaces():
        time.sleep(0.02)


def test_who_makes_a_network_is_at_it_until_it_is_over_and_the_systems_own_notices_nothing() -> None:
    before = links()
    with pytest.raises(ZeroDivisionError), Network() as network:
        assert f" {network.address}/" in links()
        with ThreadPoolExecutor() as another:
            assert f" {network.address}/" in another.submit(links).result()
        raise ZeroDivisionError
    assert links() == before


def test_who_may_not_make_a_network_is_told_so() -> None:
    as_nobody = MAKE.replace("with", "import os; os.setuid(65534)\nwith", 1)
    command = [sys.executable, "-c", as_nobody]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr.endswith("CanNotStart: a network of one's own takes root, and a kernel with namespaces\n")


def test_it_comes_back_with_what_it_had_on_the_same_port() -> None:
    with own_postgres() as postgres:
        url = postgres.create("house")
        postgres.run("CREATE TABLE kept (x integer)", "house")
        for hard in (True, False):
            postgres.stop(hard)
            with pytest.raises(CanNotStart, match="refuses"):
                postgres.run("SELECT 1")
            postgres.start()
            assert postgres.run("SELECT count(*) FROM kept", "house") == "0"
        postgres.stop()
        with Postgres(postgres.folder) as again:
            assert again.url("house") == url
            assert again.run("SELECT count(*) FROM kept", "house") == "0"
