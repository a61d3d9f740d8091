"""What gunicorn believes of a proxy: nothing but whether people came by https. And the metrics for
Prometheus, where `METRICS_PORT` asks for them.

It reads this file by itself where it is started, in the folder of `manage.py`.
"""

import os
import shutil
import tempfile
from typing import Any

worker_class = "config.serving.Worker"

# By default also where the site begins (SCRIPT_NAME), which Caddy passes on from anybody.
forwarder_headers = ""
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}

# A value that makes no sense is left to config/settings.py, which stops the start and names it.
metrics_port = os.environ.get("METRICS_PORT", "")
if metrics_port.isdecimal():
    # Where workers leave their counts: the library looks when it is imported. A reload keeps it.
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="klaverclub-metrics-")
    from config import serving

    def when_ready(server: Any) -> None:
        serving.metrics_serve(os.environ.get("METRICS_ADDRESS") or "127.0.0.1", int(metrics_port))

    def child_exit(server: Any, worker: Any) -> None:
        serving.mark_process_dead(worker.pid)

    def on_exit(server: Any) -> None:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
