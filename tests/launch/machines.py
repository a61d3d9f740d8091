"""Machines that boot: roots of Debian in which systemd runs as on a server, with an address each in
a network of their own. Only root may make them, on Linux."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.launch.roots import Root, environment_there
from tests.nginx import program

PACKAGES = "systemd-sysv", "dbus", "iproute2", "adduser", "ca-certificates"
"""What the smallest Debian lacks that a machine has."""
NETWORK = "10.20.0"
BRIDGE = "hall"
READY = "running", "degraded"
PATIENCE = 120.0
APT = 'APT::Get::Assume-Yes "true";\nAPT::Keep-Downloaded-Packages "false";\n'
"""Somebody who says yes, and a small disk."""


@dataclass
class Network:
    """Where the machines are: a process that holds it, the group of all that runs there, a disk."""

    holder: "subprocess.Popen[str]"
    group: Path
    disk: Path

    def words(self) -> list[str]:
        """What comes before a command that is to run there."""
        return ["nsenter", f"--target={self.holder.pid}", "--net", "--"]


@contextmanager
def network(disk: Path) -> Iterator[Network]:
    """A network with nobody in it, until the end of the block. The disks of its machines are in
    memory, at this place: there many small files are made and gone in a moment."""
    program("systemd-nspawn", "systemd-container")
    made = f"ip link add {BRIDGE} type bridge && ip link set {BRIDGE} up && echo made && read end"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8g", "tmpfs", disk], check=True)
    holder = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", made],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    name = f"klaverclub-{holder.pid}"
    group = _groups("cgroup2") / name
    group.mkdir()
    try:
        assert holder.stdout
        assert holder.stdout.readline() == "made\n"
        yield Network(holder, group, disk)
    finally:
        holder.kill()
        holder.communicate()
        subprocess.run(["umount", "--lazy", disk], check=True)
        # Where the system has the older kind as well, a machine has its groups there too.
        for kind in ("cgroup2", "name=systemd"):
            _remove(_groups(kind) / name)


def _groups(kind: str) -> Path:
    """Where the system keeps its groups of processes, of this kind; else of the newer one."""
    lines = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    named = [Path(words[1]) for words in lines if kind in (words[2], *words[3].split(","))]
    return named[0] if named else _groups("cgroup2")


def _remove(group: Path) -> None:
    """Take a group away, with those in it: all that ran there has ended."""
    if group.is_dir():
        for path in [*sorted(group.rglob("*"), reverse=True), group]:
            if path.is_dir():
                path.rmdir()


class Machine:
    """One machine. It is on after `boot` and off after `cut`, which is the power cut."""

    def __init__(self, name: str, number: int, place: Network, packed: Path) -> None:
        self.name, self.address, self.place = name, f"{NETWORK}.{number}", place
        self.packed = packed
        self.shared: list[tuple[Path, str]] = []
        """Folders that it has in common with others, and where."""
        self.process: Any = None
        self.root = self._made()

    def _made(self) -> Root:
        root = Root(self.packed, self.place.disk / self.name)
        root.path("/etc/hostname").write_text(f"{self.name}\n")
        root.path("/etc/apt/apt.conf.d/here").write_text(APT)
        return root

    def boot(self) -> None:
        """Switch it on. It has its address a moment after its services started, as where a router
        gives it."""
        group = self.place.group / self.name
        group.mkdir(exist_ok=True)
        options = ["--register=no", "--keep-unit", "--resolv-conf=off", "--timezone=off", "--boot"]
        options += [f"--network-bridge={BRIDGE}", "--console=pipe", f"--machine={self.name}"]
        options += [f"--bind={here}:{there}" for here, there in self.shared]
        there = f'echo $$ > {group}/cgroup.procs; exec "$@"'
        nspawn = ["systemd-nspawn", f"--directory={self.root.folder}", *options]
        self.process = subprocess.Popen(
            [*self.place.words(), "sh", "-c", there, "-", *nspawn],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
            start_new_session=True,
        )
        until = time.monotonic() + PATIENCE
        while self._state() not in READY:
            assert time.monotonic() < until, f"{self.name} does not start."
            time.sleep(0.2)
        self.run(f"ip address add {self.address}/24 dev host0 && ip link set host0 up")

    def _state(self) -> str:
        try:
            command = [*self.words(), "systemctl", "is-system-running"]
        except (IndexError, FileNotFoundError):
            return ""
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    @property
    def first(self) -> int:
        """Its first process, as this machine numbers it."""
        pid = self.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def words(self, *, online: bool = False) -> list[str]:
        """What comes before a command that is to run on it; `online` with the network of this
        machine, by which the indexes of packages are reached."""
        spaces = ["--mount", "--uts", "--ipc", "--pid", "--cgroup", "--root", "--wd"]
        if not online:
            spaces.append("--net")
        return ["nsenter", f"--target={self.first}", *spaces, "--"]

    def run(self, script: str, *, user: str = "root", online: bool = False, typed: str = "") -> str:
        """What a script says, as this user; fails where it does not succeed."""
        done = subprocess.run(
            [*self.words(online=online), "runuser", "-u", user, "--", "bash", "-ec", script],
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env=environment_there({"HOME": "/root"}),
        )
        assert done.returncode == 0, f"{self.name}: {script}\n{done.stdout[-4000:]}"
        return done.stdout

    def cut(self) -> None:
        """Take its power away."""
        if self.process is None:
            return
        with suppress(IndexError, FileNotFoundError):
            os.kill(self.first, signal.SIGKILL)
        self.process.wait(timeout=PATIENCE)
        self.process = None
        link = [*self.place.words(), "ip", "link", "delete", f"vb-{self.name}"]
        subprocess.run(link, check=False, capture_output=True)

    def lose_disk(self) -> None:
        """Put another one in its place, with nothing on it."""
        self.cut()
        shutil.rmtree(self.root.folder)
        self.root = self._made()
