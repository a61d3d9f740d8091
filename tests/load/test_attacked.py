"""200 phones and 24 tables while one address asks for what is heaviest: is the hall held up?

`make soak` runs it in full, on a machine that does nothing else; `ATTACK_SECONDS=20` tries it.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from django.db import connection

from tests.factories import TESTS
from tests.load.big_club import Size, big_club_make
from tests.load.hall import ROOT, Answer, Phone, Server, filled_in
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening
from tournaments.table_links.services import token_renew

SECONDS = int(os.environ.get("ATTACK_SECONDS", "120"))
PHONES, TABLES = 200, 24
POLL, BETWEEN_DEALS = 1.2, 1.5
ADDRESS = "192.0.2.1"


class Attack(NamedTuple):
    """What is asked for without a pause: a kind of `tests.load.attacker`, and where."""

    kind: str
    path: str


@dataclass
class Pace:
    """What became of many requests, and how long they took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, status: int, since: float) -> None:
        with self.lock:
            self.statuses[status] += 1
            self.seconds.append(time.perf_counter() - since)

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.seconds, n=20)[-1]


@dataclass
class Hall:
    """The evening's phones and tables behind one address, and who attacks from another one.

    The phones ask for `polled` and write over `links`.
    """

    port: int
    polled: str
    links: Sequence[str]
    polls: Pace = field(default_factory=Pace)
    saves: Pace = field(default_factory=Pace)
    attack: Counter[int] = field(default_factory=Counter)

    def run(self, attack: Attack | None) -> None:
        """Poll and write for the given time while somebody attacks."""
        threads = [threading.Thread(target=self._poll, args=(at,)) for at in range(PHONES)]
        threads += [threading.Thread(target=self._write, args=(at,)) for at in range(TABLES)]
        attacker = attack and _attacker(self.port, attack)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if attacker:
            statuses = json.loads(attacker.communicate()[0])
            self.attack = Counter({int(status): times for status, times in statuses.items()})

    @property
    def has_failed(self) -> bool:
        """Whether somebody had no answer or a fault, or the hall was told to wait."""
        hall = self.polls.statuses.keys() | self.saves.statuses.keys()
        worst = hall | self.attack.keys() - {0}
        return 429 in hall or any(status == 0 or status >= 500 for status in worst)

    def _poll(self, at: int) -> None:
        time.sleep(POLL * at / PHONES)
        with Phone(self.port, ADDRESS) as phone:
            for _ in _until(POLL):
                since = time.perf_counter()
                self.polls.note(phone.get(self.polled), since)

    def _write(self, at: int) -> None:
        path = self.links[at]
        time.sleep(BETWEEN_DEALS * at / TABLES)
        with Phone(self.port, ADDRESS) as phone:
            phone.get(path)
            versions: Counter[int] = Counter()
            for turn, _ in enumerate(_until(BETWEEN_DEALS)):
                number = turn % 16 + 1
                reason = {"why_else": "counted again"} if versions[number] else {}
                fields = filled_in(2 + turn % 80, seen_version=versions[number], **reason)
                since = time.perf_counter()
                answer = phone.send(f"{path}rounds/1/deals/{number}/", fields)
                self.saves.note(answer.status if answer else 0, since)
                versions[number] = _version(answer, versions[number])


def _until(every: float) -> Iterator[None]:
    """Turns that begin so many seconds apart, until the time is over."""
    end = time.monotonic() + SECONDS
    while (now := time.monotonic()) < end:
        yield
        time.sleep(max(0.0, now + every - time.monotonic()))


def _version(answer: Answer | None, before: int) -> int:
    version: int = answer.payload.get("version", before) if answer else before
    return version


SEASON = "/clubs/groot/seasons/seizoen/"
ATTACKS = {
    "met as a spreadsheet": Attack("page", f"{SEASON}met/?format=xlsx"),
    "met": Attack("page", f"{SEASON}met/"),
    "the season": Attack("page", SEASON),
    "the season as a spreadsheet": Attack("page", f"{SEASON}?format=xlsx"),
    "score": Attack("score", "/api/v1/score/"),
}


def _attacker(port: int, attack: Attack) -> subprocess.Popen[bytes]:
    """Whoever attacks: in a process of their own, so that phones are not timed waiting for them."""
    command = [sys.executable, "-m", "tests.load.attacker", str(port), str(SECONDS), *attack]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def _replaced_link(evening: Evening) -> Attack:
    """Deals that differ, over the link of a table that has another one by now."""
    path = link(evening)
    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    return Attack("deal", f"{path}rounds/1/deals/1/")


@contextmanager
def _server() -> Iterator[Server]:
    server = Server(unlimited=False)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_hall_is_not_held_up_by_an_attack() -> None:
    big_club_make("groot", Size(evenings=30, deals=1))
    evening = playing(players=4 * TABLES)
    polled = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/live/"
    attacks = {**ATTACKS, "a replaced link": _replaced_link(evening)}
    links = [link(evening, table + 1) for table in range(TABLES)]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with _server() as server:
        quiet = Hall(server.port, polled, links)
        quiet.run(None)
        lines = [_line("nobody attacks", quiet)]
        held_up = []
        for name, attack in attacks.items():
            hall = Hall(server.port, polled, links)
            hall.run(attack)
            lines.append(_line(name, hall))
            if hall.has_failed or hall.saves.p95 >= 2 * quiet.saves.p95:
                held_up.append(name)
    report = "\n".join(lines)
    sys.stderr.write(f"{report}\n")
    assert held_up == [], report


def _line(name: str, hall: Hall) -> str:
    return (
        f"{name}: write p95 {hall.saves.p95 * 1_000:.0f} ms {dict(hall.saves.statuses)}, "
        f"poll p95 {hall.polls.p95 * 1_000:.0f} ms {dict(hall.polls.statuses)}, "
        f"attack {dict(hall.attack)}"
    )
