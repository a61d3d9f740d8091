"""The cluster of docs/deploy/cluster on one machine: three that each have a network and folders of
their own, so that every file stands where it stands on a server, as it is.

Only root may make such a thing: see `alone`, which gives this process a network of its own first.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "docs/deploy/cluster"
PROGRAMS = "patroni", "etcd", "pgbouncer", "pgbackrest", "ip", "unshare", "nsenter", "setpriv"
PACKAGES = "patroni etcd-server pgbouncer pgbackrest iproute2"
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
NETWORK = "10.20.0"
NODES = 3
PATIENCE = 90.0
STANZA = "--stanza=klaverclub"
ALONE = "KLAVERCLUB_TEST_ALONE"
# Where each machine has something of its own: the folder here, the place there, whose it is.
PLACES = (
    ("lib", "/var/lib/postgresql", "postgres"),
    ("etcd", "/var/lib/etcd", "etcd"),
    ("log", "/var/log/postgresql", "postgres"),
    ("run", "/run/postgresql", "postgres"),
    ("patroni", "/etc/patroni", "postgres"),
    ("pgbouncer", "/etc/pgbouncer", "postgres"),
)
DATA = "15/klaverclub"


def lacking() -> list[str]:
    """What of the cluster is not installed here."""
    return [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]


def alone(module: str) -> None:
    """Run `python -m module` again with a network of its own, unless it has one."""
    if ALONE not in os.environ:
        os.environ |= {ALONE: "1", "PATH": PATH}
        python = [sys.executable, "-m", module, *sys.argv[1:]]
        os.execvp("unshare", ["unshare", "--net", "--mount", *python])
    _run("ip", "link", "set", "lo", "up")


@dataclass
class Node:
    """One machine of the three."""

    number: int
    folder: Path
    holder: subprocess.Popen[str] | None = None
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"db{self.number}"

    @property
    def address(self) -> str:
        return f"{NETWORK}.1{self.number}"

    @property
    def data(self) -> Path:
        return self.folder / "lib" / DATA

    def sample(self, name: str) -> str:
        """A file of docs/deploy for this machine: it is written for the first one."""
        lines = (SAMPLES / name).read_text().splitlines()
        return "\n".join(line if "INITIAL_CLUSTER=" in line else self._own(line) for line in lines)

    def _own(self, line: str) -> str:
        return line.replace(f"{NETWORK}.11", self.address).replace("=db1", f"={self.name}")

    def make(self, repository: Path) -> None:
        """Give it folders and a cable."""
        for name, _place, owner in PLACES:
            (self.folder / name).mkdir(parents=True)
            shutil.chown(self.folder / name, owner)
        (self.folder / "lib/15").mkdir()
        shutil.chown(self.folder / "lib/15", "postgres")
        shutil.copy(SAMPLES / "patroni.yml", self.folder / "patroni/config.yml")
        shutil.copy(SAMPLES / "role_changed", self.folder / "patroni")
        for name in ("pgbouncer.ini", "userlist.txt"):
            shutil.copy(SAMPLES / name, self.folder / "pgbouncer")
        binds = [(self.folder / name, place) for name, place, _owner in PLACES]
        binds += [
            (repository, "/var/lib/pgbackrest"),
            (SAMPLES / "pgbackrest.conf", "/etc/pgbackrest.conf"),
        ]
        mounts = " && ".join(f"mount --bind {source} {place}" for source, place in binds)
        # pgBackRest has its locks in /tmp.
        then = "mount -t tmpfs tmpfs /tmp && ip link set lo up && echo made && exec sleep 100000"
        there = f"{mounts} && {then}"
        command = ["unshare", "--net", "--mount", "--propagation", "private", "sh", "-c", there]
        self.holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.holder.stdout
        assert self.holder.stdout.readline() == "made\n"
        pid = str(self.holder.pid)
        _run("ip", "link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", pid)
        _run("ip", "link", "set", self.name, "master", "hall", "up")
        self.run("ip", "address", "add", f"{self.address}/24", "dev", "eth0", user="root")
        self.run("ip", "link", "set", "eth0", "up", user="root")

    def cable(self, *, is_in: bool) -> None:
        """Pull its cable out, or put it back."""
        _run("ip", "link", "set", self.name, "up" if is_in else "down")

    def command(self, *command: str, user: str = "postgres") -> list[str]:
        """A command as it runs on this machine."""
        assert self.holder
        there = ["nsenter", "--target", str(self.holder.pid), "--net", "--mount", "--wd=/"]
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return [*there, *as_user, *command]

    def run(self, *command: str, user: str = "postgres") -> str:
        """What a command on this machine prints; RuntimeError with what it complained of."""
        return _run(*self.command(*command, user=user))

    def sql(self, statement: str) -> str:
        """What PostgreSQL of this machine says; empty where it says nothing."""
        try:
            return self.run("psql", "-XAtqc", statement).strip()
        except RuntimeError:
            return ""

    def start(self, name: str, *command: str, user: str = "postgres", settings: str = "") -> None:
        """Start a service, with the settings of a sample."""
        lines = self.sample(settings).splitlines() if settings else []
        given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        with (self.folder / "log" / f"{name}.out").open("ab") as log:
            self.running[name] = subprocess.Popen(
                self.command(*command, user=user),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={"PATH": PATH, "LC_ALL": "C.UTF-8", "HOME": "/var/lib/postgresql", **given},
                start_new_session=True,
            )

    def start_etcd(self) -> None:
        data = "--data-dir=/var/lib/etcd/default"
        self.start("etcd", "etcd", data, user="etcd", settings="etcd.env")

    def start_patroni(self) -> None:
        self.start("patroni", "patroni", "/etc/patroni/config.yml", settings="patroni.env")

    def start_pgbouncer(self) -> None:
        self.start("pgbouncer", "pgbouncer", "/etc/pgbouncer/pgbouncer.ini")

    def stop_service(self, name: str) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.running.pop(name).pid, signal.SIGKILL)

    def stop_patroni(self) -> None:
        """As systemd does: it stops PostgreSQL, and lets go of what it has in etcd."""
        process = self.running.pop("patroni")
        process.terminate()
        process.wait(timeout=PATIENCE)

    def kill_postgres(self) -> None:
        """End every process of its PostgreSQL at once, whatever it was doing."""
        with suppress(FileNotFoundError, ValueError):
            first = int((self.data / "postmaster.pid").read_text().split()[0])
            children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
            for pid in (first, *map(int, children)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        for name in ("patroni", "pgbouncer", "etcd"):
            if name in self.running:
                self.stop_service(name)
        self.kill_postgres()
        if self.holder:
            self.holder.kill()
            self.holder.wait()

    @property
    def is_primary(self) -> bool:
        return self.sql("SELECT pg_is_in_recovery()") == "f"


@dataclass
class ThreeMachines:
    """The three, with the disk that all of them write their archive to."""

    folder: Path
    nodes: list[Node] = field(default_factory=list)

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    def start(self) -> None:
        """As docs/operations.md has it, step by step."""
        self.folder.chmod(0o755)
        self.repository.mkdir()
        shutil.chown(self.repository, "postgres")
        _run("ip", "link", "add", "hall", "type", "bridge")
        _run("ip", "address", "add", f"{NETWORK}.1/24", "dev", "hall")
        _run("ip", "link", "set", "hall", "up")
        self.nodes = [Node(number, self.folder / f"db{number}") for number in range(1, NODES + 1)]
        for node in self.nodes:
            node.make(self.repository)
        for node in self.nodes:
            node.start_etcd()
        self.nodes[0].start_patroni()
        until(lambda: self.nodes[0].is_primary, "the first machine serves")
        for node in self.nodes[1:]:
            node.start_patroni()
        until(self.is_whole, "two standbys follow it")
        for node in self.nodes:
            node.start_pgbouncer()
        roles = (SAMPLES / "roles.sql").read_text()
        for statement in roles.replace("-- ", "\n-- ").split(";\n"):
            if words := [line for line in statement.splitlines() if not line.startswith("--")]:
                self.primary.run("psql", "-Xqv", "ON_ERROR_STOP=1", "-c", " ".join(words))
        self.primary.run("pgbackrest", STANZA, "stanza-create")

    @property
    def primary(self) -> Node:
        """The machine that can be written now."""
        found: list[Node] = []

        def look() -> bool:
            found.extend(node for node in self.nodes if node.is_primary)
            return bool(found)

        until(look, "there is a primary")
        return found[-1]

    def is_whole(self) -> bool:
        """Whether two standbys follow the primary, one of which confirms each write."""
        counts = (
            "SELECT count(*), count(*) FILTER (WHERE sync_state = 'sync')"
            " FROM pg_stat_replication WHERE state = 'streaming'"
        )
        return any(node.is_primary and node.sql(counts) == "2|1" for node in self.nodes)

    def setting(self, name: str) -> str:
        """The setting of this name in the sample for the servers of the program."""
        lines = (SAMPLES / "klaverclub.env").read_text().splitlines()
        return next(line for line in lines if line.startswith(f"{name}=")).partition("=")[2]

    def stop(self) -> None:
        for node in self.nodes:
            node.stop()


@contextmanager
def three_machines() -> Iterator[ThreeMachines]:
    """The cluster, until the end of the block. What it said stays where it did not start."""
    folder = Path(tempfile.mkdtemp(prefix="klaverclub-cluster-", dir="/var/tmp"))
    cluster = ThreeMachines(folder)
    try:
        # In memory: three databases and three of etcd on one disk wait for each other for seconds.
        _run("mount", "-t", "tmpfs", "-o", "size=8g", "tmpfs", str(folder))
        cluster.start()
        yield cluster
    except BaseException:
        _tell_logs(folder)
        raise
    finally:
        cluster.stop()
        _run("umount", "--lazy", str(folder))
        shutil.rmtree(folder, ignore_errors=True)


def _tell_logs(folder: Path) -> None:
    for path in sorted(folder.glob("db*/log/*.out")):
        last = "\n".join(path.read_text(errors="replace").splitlines()[-6:])
        sys.stderr.write(f"== {path.parent.parent.name} {path.name}\n{last}\n")


def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> float:
    """Wait until this holds; how long it took."""
    started = time.monotonic()
    while not holds():
        if time.monotonic() > started + seconds:
            raise TimeoutError(f"Not within {seconds:.0f} seconds: {what}.")
        time.sleep(0.1)
    return time.monotonic() - started


def _run(*command: str) -> str:
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": PATH, "LC_ALL": "C.UTF-8"},
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout
