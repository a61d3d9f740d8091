"""`make bench`, second half: requests a second and how long they take, beside two floors.

Serves the demo from a database of its own as `make run` does, and asks for one address after the
other from eight connections that stay open. The first two lines are floors, measured in the same
run: read the others as multiples of them, since a laptop is not a server.
"""

import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONNECTIONS = 8
WARM_UP_SECONDS = 0.5
SECONDS = 3.0
PAGES = {
    "floor: an empty answer": "/floor/empty",
    "floor: one small write": "/floor/write",
    "is the server well": "/healthz",
    "first page": "/",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "DJANGO_SETTINGS_MODULE": "tests.load.settings",
        }
        for command in ("migrate", "demo"):
            _manage(environment, command, "--verbosity", "0")
        pages = PAGES | _demo_pages(environment)
        with _server(environment) as port:
            _print_row("", "requests/s", "median ms", "slowest 5 % ms")
            for name, path in pages.items():
                _print_row(name, *_measure(port, path))


def _manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    result = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return result.stdout


def _demo_pages(environment: dict[str, str]) -> dict[str, str]:
    """The public pages of the demo's newest evening that has been drawn."""
    script = (
        "from tournaments.models import Evening; "
        "e = Evening.objects.filter(rounds__isnull=False).order_by('-date').first(); "
        "print(f'/clubs/{e.club.slug}/evenings/{e.slug}/')"
    )
    page = _manage(environment, "shell", "--verbosity", "0", "--command", script).strip()
    return {
        "club page": page.partition("evenings/")[0],
        "evening with standing": page,
        "standing, polled": f"{page}live/",
        "hall screen": f"{page}screen/",
    }


@contextmanager
def _server(environment: dict[str, str]) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    serve = "gunicorn config.wsgi --workers 2 --threads 4 --no-control-socket --log-level error"
    command = [sys.executable, "-m", *serve.split(), "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port)
            yield port
        finally:
            process.send_signal(signal.SIGTERM)


def _wait_for(port: int) -> None:
    for _attempt in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("The server did not start.")


def _measure(port: int, path: str) -> tuple[str, str, str]:
    """Requests a second, the median and the 95th percentile in milliseconds, once warm."""
    _ask_from_all(port, path, WARM_UP_SECONDS)
    took = _ask_from_all(port, path, SECONDS)
    if len(took) < 2:
        return "no answer", "", ""
    slow = statistics.quantiles(took, n=20)[-1]
    return f"{len(took) / SECONDS:.0f}", f"{statistics.median(took):.1f}", f"{slow:.1f}"


def _ask_from_all(port: int, path: str, seconds: float) -> list[float]:
    """The durations in milliseconds of what was answered within the time."""
    took: list[float] = []
    end = time.perf_counter() + seconds
    threads = [
        threading.Thread(target=_ask, args=(port, path, end, took)) for _ in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _ask(port: int, path: str, end: float, took: list[float]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    while time.perf_counter() < end:
        started = time.perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            return
        took.append((time.perf_counter() - started) * 1000)


def _print_row(name: str, *cells: str) -> None:
    print(f"{name:26}" + "".join(f"{cell:>16}" for cell in cells), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
