"""What all workers counted, for Prometheus, on a port of its own in gunicorn's first process."""

import logging
import platform
import tomllib
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

__all__ = ["mark_process_dead", "serve"]

logger = logging.getLogger("gunicorn.error")

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def serve(address: str, port: int) -> None:
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
