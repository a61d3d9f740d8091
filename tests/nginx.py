"""nginx as docs/deploy/nginx.conf has it, on ports of its own and with a certificate of its own."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import SystemRandom

from django.conf import settings

from tests.missing import missing

SAMPLES = Path(settings.BASE_DIR) / "docs" / "deploy"
AROUND = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
worker_rlimit_nofile 8192;
events {{
    worker_connections 4096;
}}
http {{
    access_log {folder}/access.log;
    include /etc/nginx/mime.types;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def program(name: str, package: str) -> str:
    """Where a program is; where there is none the test is skipped, and fails in CI."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    return found or missing(name, package)


def free_port() -> int:
    """A port to serve on, below those that the system gives to outgoing connections: between this
    check and the start of the server none of them can take it."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def configured(
    folder: Path, *, http: int, https: int, server: int, most_requests: int = 1000
) -> list[str]:
    """The command that runs nginx with the sample, with other ports, names and places; a test that
    goes beyond its limit of requests may make that smaller."""
    nginx = program("nginx", "nginx-light")
    _certificate(folder)
    site = (SAMPLES / "nginx.conf").read_text()
    for old, new in {
        "/etc/letsencrypt/live/klaver.example": str(folder),
        "/var/log/nginx": str(folder),
        "listen [::]:80;": "",
        "listen [::]:443 ssl http2;": "",
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ": f"listen 127.0.0.1:{https} ",
        "addresses 1000;": f"addresses {most_requests};",
        "127.0.0.1:8000": f"127.0.0.1:{server}",
        "https://klaver.example": f"https://localhost:{https}",
        "klaver.example": "localhost",
        "Host $host;": "Host $http_host;",
    }.items():
        assert old in site, old
        site = site.replace(old, new)
    (folder / "site.conf").write_text(site)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user))
    return [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")]


@contextmanager
def in_front_of(
    server: int, folder: Path, *, http: int, https: int, most_requests: int = 1000
) -> Iterator[None]:
    """nginx passes on to the server at this port."""
    command = configured(folder, http=http, https=https, server=server, most_requests=most_requests)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not listens(https):
            assert time.monotonic() < deadline, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def listens(port: int) -> bool:
    """Whether a program on this machine takes connections at the port."""
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def _certificate(folder: Path) -> None:
    subprocess.run(
        [
            program("openssl", "openssl"),
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
            *("-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
        ],
        check=True,
        capture_output=True,
    )
