"""An nginx of one's own before some nodes, by the configuration that the docs show."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from services.program import Program

EXAMPLE = Path(__file__).parent.parent / "examples" / "nginx-cluster.conf"

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
    include nginx-cluster.conf;
}}
"""
"""What a system has around a file of ``conf.d``, with everything in one folder."""


class Nginx(Program):
    name = "nginx"

    def __init__(self, folder: Path, port: int, nodes: Sequence[int]) -> None:
        """``nodes``: their ports."""
        super().__init__(folder)
        self.port = port
        # Its workers would be somebody else, who may not look into our folder.
        user = "user root;" if os.getuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(_AROUND.format(user=user))
        (self.folder / EXAMPLE.name).write_text(filled_in(EXAMPLE.read_text(), port, nodes))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> Sequence[str | Path]:
        # Not everybody looks for programs in /usr/sbin.
        program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or "nginx"
        return [program, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", "stderr"]

    def ready(self) -> bool:
        """It writes its number into a file when it listens."""
        return self.wrote_pid(self.folder / "nginx.pid")


def filled_in(example: str, port: int, nodes: Sequence[int]) -> str:
    """The example with these ports: one line for each node, like those that are there."""
    listening = re.sub(r"listen \d+;", f"listen 127.0.0.1:{port};", example)
    servers = re.compile(r"(?: +server 127\.0\.0\.1:\d+ (.*;)\n)+")
    return servers.sub(lambda found: "".join(f"    server 127.0.0.1:{node} {found[1]}\n" for node in nodes), listening)
