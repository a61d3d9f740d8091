"""A hall of phones that write at real servers, in processes of their own on the test database."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection

from tests.nginx import free_port

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
LIMITS = (
    "HEAVY_SECONDS_PER_MINUTE",
    "LINK_WRITES_PER_MINUTE",
    "PAGE_SECONDS_AT_ONCE",
    "PAGE_SECONDS_PER_QUARTER",
    "TABLE_WRITES_PER_MINUTE",
)


@dataclass
class Server:
    """The product as `make run` serves it. `kill` is the power cut, `start` the restart.

    It is `unlimited` where a test asks for more from one address than anybody may.
    """

    workers: int = 2
    port: int = 0
    unlimited: bool = True
    settings: str = "config.settings"
    more: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Serve, at the same port as before; returns when the server answers."""
        self.port = self.port or free_port()
        serve = f"gunicorn config.wsgi --workers {self.workers} --threads 4 --no-control-socket"
        command = [sys.executable, "-m", *serve.split(), "--log-level", "critical"]
        self.process = subprocess.Popen(
            [*command, "--bind", f"127.0.0.1:{self.port}"],
            cwd=ROOT,
            env={
                **os.environ,
                **_environment(self.settings, unlimited=self.unlimited),
                **self.more,
            },
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with Phone(self.port) as anybody:
            _until(lambda: anybody.get("/healthz") == 200)

    @property
    def workers_now(self) -> list[int]:
        """The processes that answer, by their ids."""
        assert self.process is not None
        pid = self.process.pid
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kill(self) -> None:
        """End every process of the server at once, whatever it was doing."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@contextmanager
def served(*, servers: int = 1, workers: int = 2) -> Iterator[list[Server]]:
    """So many servers on the database of this test, each on a port of its own."""
    made = [Server(workers) for _ in range(servers)]
    try:
        for server in made:
            server.start()
        yield made
    finally:
        for server in made:
            server.kill()


@dataclass(frozen=True)
class Answer:
    """What a server said: as JSON, empty where it was something else."""

    status: int
    payload: dict[str, Any]
    retry_after: str = ""


class Phone:
    """One phone with its own connection and cookies, switched off at the end of the block."""

    def __init__(self, port: int, address: str = "") -> None:
        # The server believes this machine as it believes a proxy.
        self.forwarded = {"X-Forwarded-For": address} if address else {}
        self.tag = ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.jar: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.connection.close()

    @property
    def cookies(self) -> str:
        """What it sends along."""
        return "; ".join(f"{name}={value}" for name, value in self.jar.items())

    def _keep(self, response: http.client.HTTPResponse) -> None:
        self.tag = response.getheader("ETag", "")
        for given in response.headers.get_all("Set-Cookie", []):
            name, _, value = given.partition(";")[0].partition("=")
            self.jar[name] = value

    def get(self, path: str) -> int:
        """The status of a page, 0 without an answer. A cookie that comes along is kept."""
        return self.ask("GET", path)

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "text/plain") -> int:
        """The status of what is asked, as `get` does."""
        headers = {"Cookie": self.cookies, **self.forwarded, "Content-Type": kind}
        try:
            self.connection.request(method, path, body or None, headers)
            response = self.connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return 0
        self._keep(response)
        return response.status

    def send(self, path: str, fields: Mapping[str, str]) -> Answer | None:
        """What the server says of one item of the outbox; None when it does not answer."""
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": self.cookies,
            **self.forwarded,
        }
        try:
            self.connection.request("POST", path, urlencode(fields), headers)
            response = self.connection.getresponse()
            body = response.read()
            self._keep(response)
            is_json = response.getheader("Content-Type", "").startswith("application/json")
            payload = json.loads(body) if is_json else {}
            return Answer(response.status, payload, response.getheader("Retry-After", ""))
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return None


def elsewhere(code: str) -> None:
    """Run this in a process of its own on the test database, once Django is set up."""
    subprocess.run(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"],
        cwd=ROOT,
        env={**os.environ, **_environment("config.settings", unlimited=True)},
        check=True,
    )


def filled_in(points_ew: int, *, seen_version: int = 0, **more: str) -> dict[str, str]:
    """The fields of a deal that wij play and in which zij took so many points."""
    return {
        "uuid": str(uuid.uuid4()),
        "seen_version": str(seen_version),
        "declarer": "NS",
        "points_ew": str(points_ew),
        **more,
    }


def _environment(module: str, *, unlimited: bool) -> dict[str, str]:
    return {
        "DATABASE_URL": _database_url(),
        "DJANGO_SETTINGS_MODULE": module,
        "SECRET_KEY": settings.SECRET_KEY,
        **(dict.fromkeys(LIMITS, "1000000") if unlimited else {}),
    }


def _database_url() -> str:
    parts = connection.settings_dict
    if "," in parts["HOST"]:
        return os.environ["DATABASE_URL"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{parts['NAME']}"
    return f"postgres://{parts['USER']}@/{parts['HOST']}/{parts['NAME']}"


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "The server did not start."
        time.sleep(0.02)
