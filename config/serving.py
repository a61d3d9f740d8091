"""What gunicorn runs: its worker with threads, which nobody holds up by leaving a connection open;
and what all workers counted, for Prometheus, on a port of its own in gunicorn's first process."""

import logging
import platform
import tomllib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final

from gunicorn.workers.gthread import TConn, ThreadWorker
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

__all__ = ["mark_process_dead", "metrics_serve"]

logger = logging.getLogger("gunicorn.error")

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
LINGERING: Final = 8
"""So many connections at a time are closed with patience."""


def metrics_serve(address: str, port: int) -> None:
    """Answer Prometheus from a thread. A port that is taken keeps no evening from being played."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(_Build())
    try:
        start_http_server(port, address, registry=registry)
    except (OSError, OverflowError) as error:
        logger.error("No metrics at %s port %s: %s", address, port, error)  # noqa: TRY400
    else:
        logger.info("Metrics at: http://%s:%s/metrics", address, port)


class _Build(Collector):
    """Which version runs."""

    def collect(self) -> Iterator[Metric]:
        version = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["version"]
        labels = {"version": version, "python": platform.python_version()}
        build = GaugeMetricFamily(
            "klaverclub_build_info", "The version that runs.", labels=[*labels]
        )
        build.add_metric([*labels.values()], 1)
        yield build


class Worker(ThreadWorker):
    """Closes connections beside the loop that hands out requests.

    After its last answer gunicorn waits up to two seconds for the other side to close first, so
    that the answer arrives whole where something sent was not read. It does so in its loop: whoever
    asks with `Connection: close` and stays on the line would stop every request of this worker for
    that long, each time.
    """

    def init_process(self) -> None:
        self._closers = ThreadPoolExecutor(LINGERING, "close")
        self._free = BoundedSemaphore(LINGERING)
        super().init_process()

    def finish_request(self, conn: TConn, fs: "Future[Any]") -> None:
        """What follows an answer: the next request on this connection, or its end."""
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
            return
        self.nr_conns -= 1
        if self._free.acquire(blocking=False):
            self._closers.submit(self._close, conn)
        else:
            conn.close()

    def _close(self, conn: TConn) -> None:
        try:
            conn.close(graceful=True)
        finally:
            self._free.release()
