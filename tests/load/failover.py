"""`python -m tests.load.failover TROUBLE`: the cluster of docs/deploy while 100 tables write.

`kills`: the primary is killed twenty times. `cable`: its cable is pulled out. `split`: it sees the
other two machines no longer, and the servers see all three. `lag`: copies that apply everything
thirty seconds later, and readers who must not notice. `disk`: the disk for copies does not answer
when the primary is killed. `restore`: all three machines lose what they have, and are put back as
they were at a moment that was chosen.

Each deal must stand once afterwards, and nobody may have been told anything but to wait.
"""

import logging
import os
import re
import shutil
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.load.cluster import STANZA, Node, ThreeMachines, alone, three_machines, until

if TYPE_CHECKING:
    from tests.load.hall import Phone
    from tests.load.night import Night

TABLES: Final = 100
KILLS: Final = 20
WITHIN: Final = 30.0
"""Seconds within which there must be writing again."""
LAG: Final = 30
PLAYERS: Final = 10
STRANGERS: Final = 10
GONE: Final = 120.0
SETTINGS = "DATABASE_URL", "READ_DATABASE_URL", "DB_PREPARED_STATEMENTS", "WRITE_WAIT_SECONDS"
OTHERS = "SELECT count(*) FROM scoring_dealentry"
TROUBLES = "kills", "cable", "split", "lag", "disk", "restore"


def tell(message: str) -> None:
    print(message, flush=True)  # noqa: T201


def _saved(night: "Night") -> int:
    return sum(map(len, night.delivered))


def _until_saved(night: "Night", what: str) -> float:
    """How long it took until a deal was saved; it may be a little more than was needed."""
    before = _saved(night)
    took = until(lambda: _saved(night) > before or not night.is_on, what, GONE)
    assert night.is_on, "The evening was over before its troubles were."
    return took


def _killed(cluster: ThreeMachines, night: "Night") -> tuple[str, float]:
    """Kill the primary; its name, and how long it took until a deal was saved again."""
    _until_saved(night, "a deal is saved before")
    primary = cluster.primary
    primary.kill_postgres()
    started = time.monotonic()
    # An answer may have been under way; what is saved from then on was not.
    until(lambda: any(node.is_primary for node in cluster.nodes), "there is a primary", GONE)
    _until_saved(night, "a deal is saved after")
    return primary.name, time.monotonic() - started


@dataclass
class Kills:
    """Kills the primary, again and again, as soon as the cluster is whole."""

    cluster: ThreeMachines
    deals = 48
    pace = 9.0
    waits: list[float] = field(default_factory=list)

    def __call__(self, night: "Night") -> None:
        for number in range(1, KILLS + 1):
            until(self.cluster.is_whole, "the cluster is whole", GONE)
            name, took = _killed(self.cluster, night)
            self.waits.append(took)
            tell(f"  kill {number}: {name}; writing again after {took:.1f} s")
            night.require_all_there()
        tell(f"  the longest: {max(self.waits):.1f} s, all: {sum(self.waits):.0f} s")
        assert max(self.waits) <= WITHIN


@dataclass
class Hang:
    """The disk for copies does not answer, as that of a machine that is gone, when the primary is
    killed: whoever takes over asks there for the newest log."""

    cluster: ThreeMachines
    deals = 40
    pace = 4.0

    def __call__(self, night: "Night") -> None:
        archive = self.cluster.repository / "archive" / "klaverclub"
        asked_first = [archive / name for name in ("archive.info", "archive.info.copy")]
        for path in asked_first:
            path.rename(f"{path}.away")
            # Whoever opens it waits for somebody who writes there.
            os.mkfifo(path)
            shutil.chown(path, "postgres")
        name, took = _killed(self.cluster, night)
        tell(f"  {name} killed, no disk for copies; writing again after {took:.1f} s")
        assert took <= WITHIN
        for path in asked_first:
            Path(f"{path}.away").rename(path)
        until(self.cluster.is_whole, "the cluster is whole", GONE)
        until(self._is_archived, "the log goes to the archive again", GONE)
        night.require_all_there()

    def _is_archived(self) -> bool:
        try:
            self.cluster.primary.run("pgbackrest", STANZA, "check")
        except RuntimeError:
            return False
        return True


@dataclass
class Cut:
    """Takes the primary off the network of the others, and gives it back; `only_others` where the
    servers of the program still reach it, which would be two that are written."""

    cluster: ThreeMachines
    only_others: bool
    deals = 48
    pace = 2.5

    def __call__(self, night: "Night") -> None:
        for _ in range(3):
            until(self.cluster.is_whole, "the cluster is whole", GONE)
            _until_saved(night, "a deal is saved before")
            primary = self.cluster.primary
            self._cut(primary, is_cut=True)
            started = time.monotonic()
            until(partial(self._is_followed, primary), "another one takes over")
            both = primary.is_primary
            _until_saved(night, "a deal is saved after")
            took = time.monotonic() - started
            tell(f"  {primary.name} cut off; another one is written after {took:.1f} s")
            assert not both, "Two of them could be written."
            assert took <= WITHIN
            self._cut(primary, is_cut=False)
            until(self.cluster.is_whole, "the one that was cut off follows again", GONE)
            night.require_all_there()

    def _is_followed(self, primary: Node) -> bool:
        return any(node.is_primary for node in self.cluster.nodes if node is not primary)

    def _cut(self, node: Node, *, is_cut: bool) -> None:
        if not self.only_others:
            node.cable(is_in=not is_cut)
            return
        for other in self.cluster.nodes:
            if other is not node:
                change = "add" if is_cut else "del"
                for here, there in ((node, other), (other, node)):
                    where = f"{there.address}/32"
                    here.run("ip", "route", change, "blackhole", where, user="root")


@dataclass
class Follower:
    """Somebody who reads the pages of an evening, and never wants to see it as it was before."""

    pages: list[str]
    night: "Night"
    done: threading.Event
    latest: int = 0
    newer: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    older: list[str] = field(default_factory=list)

    def read(self) -> None:
        from tests.load.hall import Phone

        with Phone(self.night.server.port) as phone:
            while not self.done.is_set():
                for page in self.pages:
                    self._look(phone, page)
                time.sleep(0.2)

    def _look(self, phone: "Phone", page: str) -> None:
        had = dict(phone.jar)
        if phone.get(page) != 200:
            self.answers["other"] += 1
            return
        changed = {name for name in phone.jar if phone.jar[name] != had.get(name)}
        # Of what is kept for everybody it says nothing: only the version was read.
        self.answers["copy" if "seen_copy" in changed else "primary" if changed else "kept"] += 1
        revision = revision_of(phone.tag)
        if revision < self.latest:
            self.older.append(f"{page}: {revision} after {self.latest}")
        self.newer += revision > self.latest
        self.latest = max(self.latest, revision)


def revision_of(tag: str) -> int:
    """How often the evening was changed, from the tag of a page of it: `"head-id-revision-…"`."""
    match = re.search(r'"[0-9a-f]*-\d+-(\d+)-', tag)
    assert match, tag
    return int(match[1])


@dataclass
class Lag:
    """Copies that apply what happens thirty seconds later. Some follow the evening and some play:
    whoever plays looks at the standing after each deal, which must count it."""

    cluster: ThreeMachines
    deals = 16
    pace = 8.0

    def __call__(self, night: "Night") -> None:
        _until_saved(night, "a deal is saved")
        page = night.reader.path
        self._follow(night, page, "copies that follow at once")
        self._delay(f"{LAG}s")
        behind = self._follow(night, page, f"copies that are {LAG} s behind")
        assert behind > 0, "The copies were not behind."
        self._delay("null")

    def _delay(self, delay: str) -> None:
        primary = self.cluster.primary
        option = f"postgresql.recovery_conf.recovery_min_apply_delay={delay}"
        patronictl = "patronictl", "-c", "/etc/patroni/config.yml"
        primary.run(*patronictl, "edit-config", "--force", "--quiet", "-s", option)
        wanted = "0" if delay == "null" else delay
        copies = [node for node in self.cluster.nodes if node is not primary]
        shown = "SHOW recovery_min_apply_delay"
        until(lambda: all(copy.sql(shown) == wanted for copy in copies), "copies wait", GONE)

    def _follow(self, night: "Night", page: str, what: str) -> int:
        """How much older somebody who was never here sees the evening than the followers do."""

        done = threading.Event()
        followers = [Follower([page, f"{page}live/"], night, done) for _ in range(8)]
        threads = [threading.Thread(target=one.read, daemon=True) for one in followers]
        for player in night.writers[:PLAYERS]:
            player.looks_at, player.seen = page, []
        for thread in threads:
            thread.start()
        time.sleep(30)
        # A copy that does not answer in time is left alone for seconds: then they see the primary.
        behind = max(self._behind(night, page, followers) for _ in range(STRANGERS))
        done.set()
        for thread in threads:
            thread.join()
        answers = sum((one.answers for one in followers), Counter())
        tell(f"  {what}: {dict(answers)}; a stranger sees {behind} changes less")
        assert [one.older for one in followers if one.older] == []
        for player in night.writers[:PLAYERS]:
            revisions = [*map(revision_of, player.seen)]
            assert len(revisions) > 1
            assert revisions == sorted(set(revisions)), (
                "A player saw an evening without their deal."
            )
        return behind

    def _behind(self, night: "Night", page: str, followers: "list[Follower]") -> int:
        """How many changes somebody without a cookie sees less."""
        from tests.load.hall import Phone

        latest = max(one.latest for one in followers)
        with Phone(night.server.port) as stranger:
            if stranger.get(page) != 200:
                return 0
        time.sleep(1)
        return latest - revision_of(stranger.tag)


@dataclass
class Loss:
    """All three machines lose everything, and are put back as they were at a moment in between."""

    cluster: ThreeMachines
    deals = 8
    pace = 1.0
    stood: int = 0
    moment: str = ""

    def __call__(self, night: "Night") -> None:
        primary = self.cluster.primary
        _until_saved(night, "a deal is saved")
        primary.run("pgbackrest", STANZA, "backup")
        tell(f"  copy made with {_saved(night)} deals")
        deals = TABLES * self.deals
        until(lambda: _saved(night) > deals // 2, "half of the deals are saved", GONE)
        # In one statement, so that nothing comes between.
        counted = primary.run(
            "psql", "-XAtq", "-d", "klaverclub", "-c", f"SELECT clock_timestamp(), ({OTHERS})"
        )
        self.moment, number = counted.strip().split("|")
        self.stood = int(number)
        until(lambda: not night.is_on, "all deals are saved", GONE)

    def restore(self) -> None:
        """As docs/operations.md has it."""
        nodes, started = self.cluster.nodes, time.monotonic()
        first = self.cluster.primary
        first.run("psql", "-XAtqc", "SELECT pg_switch_wal()")
        first.run("pgbackrest", STANZA, "check")
        for node in nodes:
            node.stop_patroni()
            shutil.rmtree(node.data)
        target = f"--target={self.moment}"
        options = ["--type=time", target, "--target-action=promote"]
        first.run("pgbackrest", STANZA, *options, "restore")
        control = ["/usr/lib/postgresql/15/bin/pg_ctl", "-D", "/var/lib/postgresql/15/klaverclub"]
        first.run(*control, "-w", "-t", "300", "-l", "/var/log/postgresql/restore.log", "start")
        until(lambda: first.is_primary, "the first machine is where it was", GONE)
        first.run(*control, "-w", "-m", "fast", "stop")
        remove = "patronictl -c /etc/patroni/config.yml remove klaverclub"
        first.run("sh", "-c", f"printf 'klaverclub\\nYes I am aware\\n' | {remove}")
        for node in [first, *(node for node in nodes if node is not first)]:
            node.start_patroni()
            until(lambda: first.is_primary, "the first machine serves", GONE)
        until(self.cluster.is_whole, "all three are there again", GONE)
        now = int(first.run("psql", "-XAtq", "-d", "klaverclub", "-c", OTHERS))
        tell(f"  restored to {self.moment} in {time.monotonic() - started:.0f} s: {now} deals")
        # What was on its way at that moment was counted by neither or by one of the two.
        assert abs(now - self.stood) <= TABLES // 10, (now, self.stood)


Trouble = Kills | Hang | Cut | Lag | Loss


def main() -> None:
    """Let it go wrong, and print what it did."""
    alone("tests.load.failover")
    name = sys.argv[1]
    tell(f"{name}: {TABLES} tables")
    with three_machines() as cluster:
        os.environ |= {setting: cluster.setting(setting) for setting in SETTINGS}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "for one evening"}
        trouble = _trouble(name, cluster)
        night = _night(trouble)
        if isinstance(trouble, Loss):
            trouble.restore()
        outcomes = ", ".join(f"{word} {count}" for word, count in sorted(night.outcomes.items()))
        read = ", ".join(f"{code} {count}" for code, count in sorted(night.reader.statuses.items()))
        tell(
            f"  {TABLES * trouble.deals} deals, each there once; phones: {outcomes}; reader: {read}"
        )


def _trouble(name: str, cluster: ThreeMachines) -> Trouble:
    match name:
        case "kills":
            return Kills(cluster)
        case "disk":
            return Hang(cluster)
        case "lag":
            return Lag(cluster)
        case "restore":
            return Loss(cluster)
    return Cut(cluster, only_others=name == "split")


def _night(trouble: Trouble) -> "Night":
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from django.core.management import call_command

    from tests.load.night import night_play

    call_command("migrate", verbosity=0)
    return night_play(
        tables=TABLES, deals=trouble.deals, trouble=trouble, workers=2, pace=trouble.pace
    )


if __name__ == "__main__":
    main()
