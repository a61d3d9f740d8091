"""An evening on which something goes wrong while all tables write, and what is there afterwards."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from django.db import OperationalError, connection

from scoring.audit.verify import sheet_faults, trail_faults
from scoring.models import Deal, DealEntry, Scoresheet
from tests.load.hall import Answer, Phone, Server, filled_in, served
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening

DELIVERED = ("written", "same")
PATIENCE = 300.0
BETWEEN = 0.02


@dataclass
class Writer:
    """The phone of one table: it sends each deal until the server says that it stands. It may look
    at a page after each deal, and keeps the tags of what it saw."""

    path: str
    points: list[int]
    server: Server
    pace: float = 0.0
    looks_at: str = ""
    seen: list[str] = field(default_factory=list)
    delivered: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    wrongs: list[object] = field(default_factory=list)

    def write_all(self) -> None:
        """Give up at an answer that a phone would not understand."""
        with Phone(self.server.port) as phone:
            while phone.get(self.path) != 200:
                time.sleep(BETWEEN)
            for number, points in enumerate(self.points, start=1):
                fields = filled_in(points)
                while not self._delivered(phone, number, fields):
                    if self.wrongs:
                        return
                    time.sleep(BETWEEN)
                if self.looks_at and phone.get(self.looks_at) == 200:
                    self.seen.append(phone.tag)
                if self.pace:
                    # The server hangs up meanwhile.
                    phone.connection.close()
                    time.sleep(self.pace)

    def _delivered(self, phone: Phone, number: int, fields: dict[str, str]) -> bool:
        answer = phone.send(f"{self.path}rounds/1/deals/{number}/", fields)
        outcome = _outcome(answer)
        self.outcomes[outcome] += 1
        if outcome == "something else":
            self.wrongs.append(answer)
        if outcome == "stands":
            self.delivered.append(fields["uuid"])
        return outcome == "stands"


@dataclass
class Reader:
    """Somebody who looks at the evening's public page all the time."""

    path: str
    server: Server
    statuses: Counter[int] = field(default_factory=Counter)
    done: threading.Event = field(default_factory=threading.Event)

    def read(self) -> None:
        with Phone(self.server.port) as phone:
            while not self.done.is_set():
                self.statuses[phone.get(self.path)] += 1
                time.sleep(BETWEEN)


@dataclass
class Night:
    """What happens on the evening; `trouble` is made while `is_on`."""

    evening: Evening
    server: Server
    writers: list[Writer]
    reader: Reader

    @property
    def is_on(self) -> bool:
        """Whether some table has deals to write yet."""
        return sum(map(len, self.delivered)) < sum(len(one.points) for one in self.writers)

    @property
    def delivered(self) -> list[list[str]]:
        """The deals of each table that a server said it had."""
        return [list(writer.delivered) for writer in self.writers]

    @property
    def outcomes(self) -> Counter[str]:
        """What the phones were told, and how often."""
        return sum((writer.outcomes for writer in self.writers), Counter())

    def require_all_there(self) -> None:
        """Every deal that a server said it had is in the database."""
        # Asked first: meanwhile the tables write on.
        said = [uuid for uuids in self.delivered for uuid in uuids]
        kept = _entries_kept()
        assert [uuid for uuid in said if uuid not in kept] == []


def night_play(
    *,
    tables: int,
    deals: int,
    trouble: Callable[[Night], None],
    workers: int = 2,
    pace: float = 0.0,
) -> Night:
    """Let so many tables write so many deals, `pace` seconds apart, while there is `trouble`;
    afterwards each deal stands once, every figure and the trail are right, and nobody was told
    anything but to wait."""
    evening, chance = playing(players=4 * tables, deals_per_round=deals), Random(5)
    with served(workers=workers) as (server,):
        writers = [
            Writer(
                link(evening, table), [chance.randint(2, 80) for _ in range(deals)], server, pace
            )
            for table in range(1, tables + 1)
        ]
        page = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/"
        night = Night(evening, server, writers, Reader(page, server))
        threads = [threading.Thread(target=one.write_all, daemon=True) for one in writers]
        reader = threading.Thread(target=night.reader.read, daemon=True)
        for thread in (*threads, reader):
            thread.start()
        trouble(night)
        for thread in threads:
            thread.join(timeout=PATIENCE)
        night.reader.done.set()
        reader.join()
    _require_right(night)
    return night


def _entries_kept() -> set[str]:
    """What the database has, asked again while it is busy with what went wrong."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.close()
            return {str(uuid) for uuid in DealEntry.objects.values_list("pk", flat=True)}
        except OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(1)


def _outcome(answer: Answer | None) -> str:
    if answer is None:
        return "no answer"
    if (
        answer.status == 503
        and answer.retry_after
        and answer.payload.get("status") == "unavailable"
    ):
        return "wait"
    stands = answer.status == 200 and answer.payload.get("status") in DELIVERED
    return "stands" if stands else "something else"


def _require_right(night: Night) -> None:
    _entries_kept()
    assert [wrong for writer in night.writers for wrong in writer.wrongs] == []
    assert night.reader.statuses.keys() <= {0, 200, 503}
    for number, writer in enumerate(night.writers, start=1):
        _require_once(night.evening, number, writer.points)
    assert list(trail_faults()) == []


def _require_once(evening: Evening, number: int, points: list[int]) -> None:
    """Wij played every deal and zij had so many points, at most 80: it is never nat."""
    sheet = Scoresheet.objects.get(table__round__evening=evening, table__number=number)
    deals = Deal.objects.filter(sheet=sheet).select_related("current")
    assert [deal.version for deal in deals] == [1] * len(points)
    written = [deal.current.written or {} for deal in deals if deal.current]
    assert [line["points"] for line in written] == [{"EW": given} for given in points]
    zij = sum(points)
    assert (sheet.score_ns, sheet.score_ew) == (162 * len(points) - zij, zij)
    assert sheet_faults(sheet) == []
