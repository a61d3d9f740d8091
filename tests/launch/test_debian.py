"""The package of Debian: built, installed by apt with nothing fetched, updated with its data kept,
removed and purged, in a root of its own."""

import configparser
import re
import shlex
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.launch.machines import PACKAGES, Machine, network
from tests.launch.roots import Root, ended, root_packed, served_after
from tests.launch.test_roots import asked
from tests.nginx import free_port, program
from tools.deb import PARTS, deb_make

pytestmark = pytest.mark.once

NEEDED = "python3", "adduser", "debconf", "init-system-helpers"
DATA = "/var/lib/klaverclub"
UNIT = "/lib/systemd/system/klaverclub.service"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program("dpkg-deb", "dpkg")
    return deb_make(tmp_path_factory.mktemp("deb"))


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with what the package depends on."""
    return root_packed(tmp_path_factory.mktemp("root") / "root.tar", NEEDED)


@pytest.fixture
def root(packed: Path, package: Path, tmp_path: Path) -> Root:
    """Such a root, and the package in it."""
    root = Root(packed, tmp_path / "root")
    root.bring(package, f"/srv/{package.name}")
    return root


def newer(package: Path, folder: Path) -> Path:
    """The same package as the next revision of it."""
    tree, made = folder / "tree", folder / "newer.deb"
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    control = tree / "DEBIAN" / "control"
    control.write_text(control.read_text().replace("-1\n", "-2\n", 1))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zzstd", "-b", tree, made], check=True)
    shutil.rmtree(tree)
    return made


@contextmanager
def service(root: Root, said: Path, port: int) -> Iterator[None]:
    """What systemd would start, as the user and with the settings that the unit names."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(root.path(UNIT).read_text())
    given = unit["Service"]
    words = ["runuser", "-u", given["User"], "--", "env", given["Environment"], f"PORT={port}"]
    with said.open("w") as output:
        process = root.start([*words, *shlex.split(given["ExecStart"])], output)
        try:
            served_after(process, said)
            yield
        finally:
            ended(process)


def install(root: Root, package: Path) -> None:
    """With no network at all."""
    root.run("unshare", "--net", "apt-get", "install", "--yes", f"/srv/{package.name}")


@pytest.mark.soak
def test_it_is_installed_updated_with_its_data_removed_and_purged(
    root: Root, package: Path, tmp_path: Path
) -> None:
    port = free_port()
    install(root, package)
    assert root.run("stat", "-c", "%U %a", DATA, "/etc/klaverclub.env") == (
        "klaverclub 700\nroot 600\n"
    )
    with service(root, tmp_path / "first.txt", port):
        create = ("create_club", "onze", "--name", "Onze club", "--organiser", "mia@example.org")
        assert "/password/" in root.run("klaverclub-manage", *create)
        assert "Onze club" in asked(port, "/clubs/onze/")
    database = root.path(f"{DATA}/klaverclub.sqlite3")
    with closing(sqlite3.connect(database)) as made:
        # As a version of before would have left it.
        made.executescript(
            "DROP TABLE axes_accessattemptexpiration;"
            "DELETE FROM django_migrations WHERE app = 'axes' AND name LIKE '0010%';"
        )

    later = newer(package, tmp_path)
    root.bring(later, f"/srv/{later.name}")
    install(root, later)
    with service(root, tmp_path / "second.txt", port):
        assert "Onze club" in asked(port, "/clubs/onze/")
    [copy] = root.path(f"{DATA}/copies").iterdir()
    assert copy.name.endswith("-before-0.1.0.sqlite3")

    root.run("apt-get", "remove", "--yes", "klaverclub")
    assert not root.path("/usr/lib/klaverclub").exists()
    assert root.path(f"{DATA}/klaverclub.sqlite3").is_file()
    install(root, later)
    with service(root, tmp_path / "third.txt", port):
        assert "Onze club" in asked(port, "/clubs/onze/")

    root.run("apt-get", "purge", "--yes", "klaverclub")
    assert not root.path("/etc/klaverclub.env").exists()
    assert root.path(f"{DATA}/klaverclub.sqlite3").is_file()


@pytest.mark.soak
def test_a_purge_takes_the_data_where_somebody_said_so(root: Root, package: Path) -> None:
    install(root, package)
    answer = "klaverclub klaverclub/remove-data boolean true"
    root.run("sh", "-c", f"echo {answer} | debconf-set-selections")

    root.run("apt-get", "purge", "--yes", "klaverclub")

    assert not root.path(DATA).exists()
    assert "no packages found" in root.run("sh", "-c", "! dpkg-query -W klaverclub")


def shown(machine: Machine, path: str) -> str:
    """A page that its own browser would show, once the service answers."""
    asked_there = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())"
    address = f"http://127.0.0.1:8000{path}"
    words = shlex.join(["python3", "-c", asked_there, address])
    return machine.run(f"until {words} 2>/dev/null; do sleep 1; done")


@pytest.mark.soak
def test_systemd_starts_it_within_its_limits_and_after_a_power_cut(
    package: Path, tmp_path: Path
) -> None:
    booting = root_packed(tmp_path / "booting.tar", (*NEEDED, *PACKAGES))
    with network(tmp_path / "machines") as place:
        machine = Machine("laptop", 31, place, booting)
        try:
            machine.root.bring(package, f"/srv/{package.name}")
            machine.boot()
            machine.run(f"apt-get install /srv/{package.name}")
            assert '{"status": "ok"}' in shown(machine, "/healthz")
            create = "klaverclub-manage create_club onze --name Onze --organiser mia@example.org"
            assert "/password/" in machine.run(create)

            machine.cut()
            machine.boot()

            assert "Onze" in shown(machine, "/clubs/onze/")
            assert machine.run("systemctl list-units --failed --no-legend") == ""
            owner = machine.run("stat -c %U /proc/$(systemctl show -P MainPID klaverclub)")
            assert owner == "klaverclub\n"
        finally:
            machine.cut()


def test_systemd_takes_its_unit(tmp_path: Path) -> None:
    analyze = program("systemd-analyze", "systemd")
    text = (PARTS / "klaverclub.service").read_text()
    [started] = re.findall(r"^ExecStart=(\S+)", text, re.MULTILINE)
    unit = tmp_path / "klaverclub.service"
    unit.write_text(text.replace(started, "/bin/true"))

    run = subprocess.run([analyze, "verify", unit], capture_output=True, text=True, check=False)

    assert (run.stderr, run.returncode) == ("", 0)
