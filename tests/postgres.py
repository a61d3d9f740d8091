"""With TEST_DATABASE=postgres the suite runs on a PostgreSQL of its own, made and thrown away.

Loaded as a pytest plugin before Django reads its settings. The cluster lives in a temporary folder,
listens on a socket in it and on no network, and never runs as root. Tests that use no database or
take long whatever the database are left to the run on SQLite, and those that drive a browser unless
they are for `both`. The gate asks for `-m both`: services, queries, constraints, concurrency,
archives, triggers and the walk over all addresses. Without it every other test with a database runs
too.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

NOT_HERE = [
    Path(__file__).parent / name
    for name in ("tournaments/draw/core", "rules", "tournaments/standings/core")
]
BROWSER = Path(__file__).parent / "browser"
BINARIES = "initdb", "pg_ctl"
UNPRIVILEGED = "postgres", "nobody"
FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200"
# It would plan by tables that it saw empty, since nearly every test takes back what it wrote. Where
# the load is measured it tidies up as it does for a club.
STEADY = "-c autovacuum=off"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start the cluster in the process that leads the run; its workers inherit the address."""
    if not _asked_for() or "PYTEST_XDIST_WORKER" in os.environ:
        return
    found = binaries()
    if found is None:
        sys.stderr.write("No PostgreSQL here (Debian: apt-get install postgresql): skipped.\n")
        sys.exit(1 if os.environ.get("CI") else 0)
    is_load = early_config.known_args_namespace.markexpr == "soak"
    cluster = Cluster(found, FAST if is_load else f"{FAST} {STEADY}")
    early_config.add_cleanup(cluster.stop)
    cluster.start()
    os.environ["DATABASE_URL"] = cluster.url


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """On PostgreSQL, do not even import the folders and modules where no test would be selected."""
    if not _asked_for():
        return None
    any_will_do = "both" not in config.option.markexpr and collection_path.parent != BROWSER
    wanted = any_will_do or _mentions_both(collection_path)
    return None if wanted and collection_path not in NOT_HERE else True


def _mentions_both(path: Path) -> bool:
    return path.suffix != ".py" or "pytest.mark.both" in path.read_text()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL, keep the tests that have a database and reason to run twice."""
    if not _asked_for():
        return
    chosen = [item for item in items if _needs_database(item)]
    config.hook.pytest_deselected(items=list(set(items).difference(chosen)))
    items[:] = chosen


class Cluster:
    """A PostgreSQL server in a temporary folder, by default one that is fast because it may lose
    everything. `within` is a folder for it on a small disk."""

    def __init__(
        self, binaries: Path, settings: str = f"{FAST} {STEADY}", *, within: Path | None = None
    ) -> None:
        self.binaries = binaries
        self.settings = settings
        self.wal_mb = 1 if within else 16
        self.user = _unprivileged_user() if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="klaverclub-pg-", dir=within))
        if self.user:
            shutil.chown(self.folder, self.user)

    @property
    def url(self) -> str:
        return f"postgres://klaverclub@/{self.folder}/klaverclub"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Make the cluster, and serve it."""
        asked = f"-U klaverclub -A trust -E UTF8 --no-sync --wal-segsize={self.wal_mb}".split()
        self._run("initdb", "-D", self.data, *asked)
        self.serve()

    def database_make(self) -> None:
        """Make the database of `url`; a run of tests makes one of its own."""
        self._run("createdb", "-h", self.folder, "-U", "klaverclub", "klaverclub")

    def serve(self) -> None:
        """Serve what was made. Raises CalledProcessError where it cannot: the disk is full."""
        options = f"-k {self.folder} -c listen_addresses='' {self.settings}"
        self._run(
            "pg_ctl", "-D", self.data, "-o", options, "-l", self.folder / "log", "-w", "start"
        )

    def follow(self, primary: "Cluster") -> None:
        """Make a copy of another cluster that follows it, and serve that."""
        copied = f"-h {primary.folder} -U klaverclub -R -X stream -c fast --no-sync".split()
        self._run("pg_basebackup", *copied, "-D", self.data)
        self.serve()

    def ask(self, statement: str) -> None:
        """Have the server of `url` do this."""
        self._run("psql", "-h", self.folder, "-U", "klaverclub", "-c", statement)

    def kill(self) -> None:
        """End every process of the server at once, whatever it was doing."""
        if (self.data / "postmaster.pid").exists():
            self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def stop(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self.binaries / program), *map(str, arguments)]
        subprocess.run(
            command,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            user=self.user,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
        )


def _asked_for() -> bool:
    return os.environ.get("TEST_DATABASE") == "postgres"


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL; Debian keeps its server off the PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    on_path = [Path(folder) for folder in os.get_exec_path()]
    for folder in [*reversed(installed), *on_path]:
        if all((folder / name).exists() for name in BINARIES):
            return folder
    return None


def _unprivileged_user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in known)


def _needs_database(item: pytest.Item) -> bool:
    is_left = item.get_closest_marker("browser") and not item.get_closest_marker("both")
    if is_left or item.get_closest_marker("once"):
        return False
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(item.get_closest_marker("django_db") or fixtures & {"db", "transactional_db"})
