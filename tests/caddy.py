"""Caddy as docs/deploy/Caddyfile has it, on plain http and a port of its own."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.nginx import SAMPLES, free_port, program


@contextmanager
def caddy_before(server: int, folder: Path) -> Iterator[int]:
    """Caddy passes on to the server at this port; what it logs is in `caddy.log`."""
    port, site = free_port(), (SAMPLES / "Caddyfile").read_text()
    site = site.replace("klaver.example {", f"http://localhost:{port} {{", 1)
    site = site.replace("\n{\n", "\n{\n\tadmin off\n", 1)
    (folder / "Caddyfile").write_text(site.replace("127.0.0.1:8000", f"127.0.0.1:{server}"))
    command = [program("caddy", "caddy"), "run", "--config", str(folder / "Caddyfile")]
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, env={"HOME": str(folder)}, stdout=log, stderr=log)
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()
            process.wait(timeout=60)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < deadline
        time.sleep(0.05)
