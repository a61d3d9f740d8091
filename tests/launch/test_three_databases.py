"""The chapter *Three databases* of docs/operations.md, typed word for word on machines with nothing
on them: three that keep the database and one that serves, where systemd starts what it should."""

import json
import re
import shlex
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.launch.machines import PACKAGES, Machine, network
from tests.launch.roots import root_packed
from tools import ROOT

pytestmark = [pytest.mark.soak, pytest.mark.once]

SAMPLES = ROOT / "docs" / "deploy"
CHAPTER, SERVER = "Three databases", "A server with https"
LIST = "patronictl -c /etc/patroni/config.yml list -f json 2>/dev/null"
COUNT = "psql -d klaverclub -XAtqc 'SELECT count(*) FROM scoring_dealentry'"
PASSWORDS = {"change-this-1": "Kla1", "change-this-2": "Ver2", "change-this-3": "Zes3"}
WITHIN = 40.0
"""Seconds in which a deal is saved after a machine lost its power."""


def blocks_of(chapter: str) -> list[str]:
    """What a chapter of the manual has somebody type, in its order."""
    text = (ROOT / "docs" / "operations.md").read_text()
    [section] = re.findall(rf"^## {chapter}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^ *(?:\d\. )?```sh\n(.*?)^ *```$", section, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for block in found]


def until(holds: Callable[[], bool], what: str, seconds: float = 120.0) -> None:
    """Wait until this holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"Not within {seconds:.0f} seconds: {what}."
        time.sleep(1)


@dataclass
class Four:
    """The machines of the chapter, each switched on and with nothing done yet."""

    databases: list[Machine]
    server: Machine

    def on_each(self, do: Callable[[Machine], object]) -> None:
        """Do something on all three at once."""
        with ThreadPoolExecutor(len(self.databases)) as pool:
            list(pool.map(do, self.databases))

    def roles(self) -> dict[str, list[str]]:
        """The names of the machines that run, by what each of them is now."""
        asked = next(one for one in self.databases if one.process)
        members = json.loads(asked.run(LIST))
        running = [one for one in members if one["State"] == "running"]
        return {
            role: [one["Member"] for one in running if one["Role"] == role]
            for role in ("Leader", "Sync Standby", "Replica")
        }

    def is_whole(self) -> bool:
        """Whether all three run, one of which confirms each write."""
        return [len(names) for names in self.roles().values()] == [1, 1, 1]

    def leader(self) -> Machine:
        """The machine that is written now."""
        return next(one for one in self.databases if [one.name] == self.roles()["Leader"])

    def deals(self) -> int:
        """How many deals are there."""
        return int(self.leader().run(COUNT, user="postgres"))

    def ask(self, *words: str) -> str:
        """What a phone in the hall says, or who makes its evening."""
        settings = [
            line
            for line in self.server.root.path("/etc/klaverclub.env").read_text().splitlines()
            if "=" in line and not line.startswith("#")
        ]
        beside = [*self.server.words()[:2], "--net", "--", "env", *settings]
        beside.append("DJANGO_SETTINGS_MODULE=config.settings")
        python = [sys.executable, "-m", "tests.launch.deals", *words]
        done = subprocess.run(
            [*beside, *python], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    def save(self, link: str, number: int) -> float:
        """The seconds until this deal of the table was saved."""
        return float(self.ask("8000", link, str(number), str(10 + number)))


@pytest.fixture
def four(tmp_path: Path) -> Iterator[Four]:
    packed = root_packed(tmp_path / "root.tar", PACKAGES)
    with ExitStack() as all_ended:
        place = all_ended.enter_context(network(tmp_path / "machines"))
        disk = place.disk / "copies"
        disk.mkdir()
        names = {"db1": 11, "db2": 12, "db3": 13, "server": 21}
        machines = [Machine(name, number, place, packed) for name, number in names.items()]
        for machine in machines:
            all_ended.callback(machine.cut)
            machine.shared = [] if machine.name == "server" else [(disk, "/srv/disk")]
            machine.boot()
        yield Four(machines[:-1], machines[-1])


def samples_brought(machine: Machine) -> None:
    """The folder of samples, with passwords of one's own."""
    folder = machine.root.path("/srv/cluster")
    folder.mkdir(mode=0o700)
    for sample in (SAMPLES / "cluster").iterdir():
        (folder / sample.name).write_text(own(sample.read_text()))


def own(text: str) -> str:
    for given, password in PASSWORDS.items():
        text = text.replace(given, password)
    return text


def database_prepare(machine: Machine) -> None:
    """Steps 1 to 3 on one machine. The disk of the fourth one is a folder of this machine."""
    packages, files, others, *_later = blocks_of(CHAPTER)
    samples_brought(machine)
    machine.run(packages, online=True)
    mounted = "/srv/disk /var/lib/pgbackrest none bind 0 0"
    machine.run(f"echo {shlex.quote(mounted)} >> /etc/fstab; mount /var/lib/pgbackrest")
    machine.run("chown postgres /var/lib/pgbackrest")
    machine.run(f"cd /srv/cluster\n{files}")
    if machine.name != "db1":
        machine.run(others.replace("10.20.0.12", machine.address).replace("db2", machine.name))


def databases_make(four: Four) -> None:
    """Steps 1 to 5."""
    _packages, _files, _others, etcd, patroni, pgbouncer, once, *_later = blocks_of(CHAPTER)
    first, *rest = four.databases
    four.on_each(database_prepare)
    four.on_each(lambda machine: machine.run(etcd))
    for machine in (first, *rest):
        machine.run(patroni)
        until(lambda: four.roles()["Leader"] == ["db1"], "the first one leads")
    until(four.is_whole, "all three are in the list")
    four.on_each(lambda machine: machine.run(pgbouncer))
    first.run(f"cd /srv/cluster\n{once}")


def database_replace(four: Four) -> None:
    """*Another machine in the place of one that is gone for good*, which is the third."""
    *_before, members = blocks_of(CHAPTER)
    _packages, _files, _others, etcd, patroni, pgbouncer, *_later = blocks_of(CHAPTER)
    first, _second, lost = four.databases
    lost.lose_disk()
    lost.boot()
    package, tell = members.split("\n", 1)
    first.run(package, online=True)
    first.run(tell)
    database_prepare(lost)
    lost.run("sed -i s/STATE=new/STATE=existing/ /etc/default/etcd")
    for step in (etcd, patroni, pgbouncer):
        lost.run(step)


def program_bring(server: Machine) -> None:
    """The first step of how servers are made."""
    program, *_later = blocks_of(SERVER)
    subprocess.run(
        ["git", "clone", "--quiet", "--bare", ROOT, server.root.path("/srv/klaverclub.git")],
        check=True,
    )
    program = program.replace("clone …", "clone /srv/klaverclub.git")
    server.run(program.replace("requirements/run.txt", "requirements/postgres.txt"), online=True)


def server_start(four: Four) -> None:
    """The others, with the settings for three databases."""
    _program, settings, manage = blocks_of(SERVER)
    server = four.server
    lines = [line for line in settings.splitlines() if not line.startswith("DATABASE_URL=")]
    lines += own((SAMPLES / "cluster" / "klaverclub.env").read_text()).splitlines()
    path = server.root.path("/etc/klaverclub.env")
    path.touch(mode=0o600)
    path.write_text(
        "\n".join([*lines, "SECRET_KEY=of-all-servers-and-of-nobody-else-0123456789\n"])
    )
    server.run("cp /opt/klaverclub/docs/deploy/klaverclub* /etc/systemd/system/")
    server.run("systemctl enable --now klaverclub klaverclub-backup.timer klaverclub-trail.timer")
    assert "https://klaver.example/password/" in server.run(manage)


def failed(machine: Machine) -> str:
    """The services of a machine that should run and do not."""
    return machine.run("systemctl list-units --failed --no-legend").strip()


def test_what_the_chapter_says_makes_three_databases_that_survive(four: Four) -> None:
    with ThreadPoolExecutor(1) as pool:
        brought = pool.submit(program_bring, four.server)
        databases_make(four)
        brought.result()
    server_start(four)
    link = four.ask()
    four.save(link, 1)

    fallen = four.leader()
    fallen.cut()
    took = four.save(link, 2)
    sys.stderr.write(f"a machine lost its power; a deal is saved after {took:.0f} s\n")
    assert took < WITHIN
    assert four.leader() is not fallen
    fallen.boot()
    until(four.is_whole, "the machine that fell is there again")
    until(lambda: [failed(machine) for machine in four.databases] == [""] * 3, "nothing failed")

    for machine in four.databases:
        machine.cut()
    for machine in four.databases:
        machine.boot()
    four.save(link, 3)
    until(four.is_whole, "all three are there again")

    four.on_each(lambda machine: machine.run("systemctl start klaverclub-pgbackrest"))
    copies = json.loads(four.leader().run("pgbackrest info --output=json", user="postgres"))
    assert len(copies[0]["backup"]) == 2
    limits = "/proc/$(systemctl show -P MainPID pgbouncer)/limits"
    limit = four.leader().run(f"awk '/^Max open files/ {{ print $4 }}' {limits}")
    assert int(limit) > 2000

    time.sleep(2)
    moment = four.leader().run("date '+%F %T%:::z'").strip()
    time.sleep(2)
    four.save(link, 4)
    assert four.deals() == 4
    restore(four, moment)

    assert four.deals() == 3
    [manage] = [block for block in blocks_of(SERVER) if block.startswith("manage()")]
    verify = manage.replace("manage create_club", "manage verify #")
    assert "every trail are as they were written" in four.server.run(verify)
    four.save(link, 4)
    four.server.run("systemctl start klaverclub-backup klaverclub-trail")

    database_replace(four)
    until(four.is_whole, "the new one has everything")
    four.save(link, 5)
    assert [failed(machine) for machine in (*four.databases, four.server)] == [""] * 4


def restore(four: Four, moment: str) -> None:
    """*Back to a chosen minute*."""
    *_before, once, empty, back, _members = blocks_of(CHAPTER)
    first, *rest = four.databases
    four.server.run("systemctl stop klaverclub")
    for machine in four.databases:
        machine.run(empty)
    typed = re.sub(r"--target='[^']*'", f"--target='{moment}'", back)
    first.run(f"cd ~postgres\n{typed}", user="postgres", typed="klaverclub\nYes I am aware\n")
    first.run("systemctl start patroni")
    until(lambda: four.roles()["Leader"] == ["db1"], "the first one leads")
    for machine in rest:
        machine.run("systemctl start patroni")
    until(four.is_whole, "the others copied everything")
    four.server.run("systemctl start klaverclub")
    first.run(once.splitlines()[-1])
