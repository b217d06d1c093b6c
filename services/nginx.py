"""An nginx of one's own, by the configurations in ``examples``."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from services.program import Program

EXAMPLES = Path(__file__).parent.parent / "examples"

_AROUND = """\
{user}
daemon off;
pid nginx.pid;
worker_processes auto;
worker_rlimit_nofile 16384;
error_log stderr;
events {{ worker_connections 8192; }}
http {{
    access_log access.log;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include croupier.conf;
}}
"""
"""What a system has around a file of ``conf.d``, with everything in one folder."""


class Nginx(Program):
    name = "nginx"

    def __init__(self, folder: Path, configuration: str) -> None:
        """``configuration``: a file of ``conf.d``."""
        super().__init__(folder)
        # Its workers would be somebody else, who may not look into our folder.
        user = "user root;" if os.getuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(_AROUND.format(user=user))
        (self.folder / "croupier.conf").write_text(configuration)

    def command(self) -> Sequence[str | Path]:
        # Not everybody looks for programs in /usr/sbin.
        program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or "nginx"
        return [program, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", "stderr"]

    def ready(self) -> bool:
        """It writes its number into a file when it listens."""
        return self.wrote_pid(self.folder / "nginx.pid")


class ClusterNginx(Nginx):
    """Before several nodes."""

    def __init__(self, folder: Path, port: int, nodes: Sequence[int]) -> None:
        """``nodes``: their ports."""
        super().__init__(folder, filled_in((EXAMPLES / "nginx-cluster.conf").read_text(), port, nodes))
        self.port = port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def filled_in(example: str, port: int, nodes: Sequence[int]) -> str:
    """The example with these ports: one line for each node, like those that are there."""
    listening = re.sub(r"listen \d+;", f"listen 127.0.0.1:{port};", example)
    servers = re.compile(r"(?: +server 127\.0\.0\.1:\d+ (.*;)\n)+")
    return servers.sub(lambda found: "".join(f"    server 127.0.0.1:{node} {found[1]}\n" for node in nodes), listening)
