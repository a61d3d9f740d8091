"""`make bench`: measure on SQLite and on PostgreSQL, and print one table of both."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.load.bench.table import Row, missed, table_lines
from tests.postgres import Cluster, binaries

ROOT = Path(__file__).resolve().parents[3]
MODULE = "tests.load.bench.database"


def main() -> None:
    """Print the table; exit status 1 where something is not what it must be."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        rows["SQLite"] = _measured(f"sqlite:///{folder}/bench.sqlite3")
    if found := binaries():
        with _cluster(found) as url:
            rows["PostgreSQL"] = _measured(url)
    for line in table_lines(rows):
        print(line)  # noqa: T201
    if too_slow := missed(rows):
        sys.exit("Not what it must be: " + "; ".join(too_slow))


def _measured(url: str) -> list[Row]:
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "tests.load.settings",
        "SECRET_KEY": "only for the bench",
    }
    command = [sys.executable, "-m", MODULE, *sys.argv[1:]]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    return [Row(**row) for row in json.loads(done.stdout)]


@contextmanager
def _cluster(found: Path) -> Iterator[str]:
    cluster = Cluster(found, settings="-c max_connections=100")
    try:
        cluster.start()
        yield cluster.url.rpartition("/")[0] + "/postgres"
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()
