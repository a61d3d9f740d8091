"""Varnish as docs/deploy/varnish.vcl has it, on a port of its own."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.nginx import SAMPLES, listens, program
from tests.waiting import wait_until

SAMPLE = SAMPLES / "varnish.vcl"


@contextmanager
def varnish_before(server: int, *, port: int) -> Iterator[str]:
    """Varnish, at the URL that comes back, keeps what the server at this port lets it."""
    varnishd = program("varnishd", "varnish varnish-modules")
    sample = SAMPLE.read_text()
    there = '.port = "8000";'
    assert there in sample
    # Not in pytest's folder: its user must be able to read the way to it.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        vcl = folder / "default.vcl"
        vcl.write_text(sample.replace(there, f'.port = "{server}";'))
        vcl.chmod(0o644)
        address = f"127.0.0.1:{port}"
        process = subprocess.Popen(
            [varnishd, "-F", "-n", str(folder / "work"), "-a", address, "-f", str(vcl)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: listens(port))
            yield f"http://{address}"
        finally:
            process.terminate()
            process.wait(timeout=60)
