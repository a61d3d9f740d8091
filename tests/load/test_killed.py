"""The power cut: servers that are killed while 24 tables write, and started again."""

import threading
import time
from dataclasses import dataclass, field
from random import Random

import pytest
from django.db import connection

from scoring.models import Deal, DealEntry, Scoresheet
from scoring.verify import sheet_faults, trail_faults
from tests.load.hall import Phone, Server, filled_in, served
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening

TABLES = 24
DELIVERED = ("written", "same")


@dataclass
class Writer:
    """The phone of one table: it sends each deal until the server says that it stands."""

    path: str
    points: list[int]
    server: Server
    delivered: list[str] = field(default_factory=list)

    def write_all(self) -> None:
        with Phone(self.server.port) as phone:
            while phone.get(self.path) != 200:
                time.sleep(0.02)
            for number, points in enumerate(self.points, start=1):
                fields = filled_in(points)
                while not self._delivered(phone, number, fields):
                    time.sleep(0.02)

    def _delivered(self, phone: Phone, number: int, fields: dict[str, str]) -> bool:
        answer = phone.send(f"{self.path}rounds/1/deals/{number}/", fields)
        if answer is None or answer.status >= 500:
            return False
        assert (answer.status, answer.told["status"] in DELIVERED) == (200, True), answer
        self.delivered.append(fields["uuid"])
        return True


@pytest.mark.django_db(transaction=True)
def test_no_deal_is_lost_or_doubled_by_five_kills() -> None:
    assert _killed(deals=16, kills=5, pause=0.25) == 5


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_no_deal_is_lost_or_doubled_by_fifty_kills() -> None:
    assert _killed(deals=99, kills=50, pause=0.5) == 50


def _killed(*, deals: int, kills: int, pause: float) -> int:
    """Play an evening on which the server is killed so often; returns how often it was, while
    tables were writing."""
    evening, chance = playing(players=4 * TABLES, deals_per_round=deals), Random(5)
    with served() as (server,):
        writers = [
            Writer(link(evening, table), [chance.randint(2, 80) for _ in range(deals)], server)
            for table in range(1, TABLES + 1)
        ]
        threads = [threading.Thread(target=writer.write_all) for writer in writers]
        for thread in threads:
            thread.start()
        killed = 0
        while killed < kills and any(thread.is_alive() for thread in threads):
            time.sleep(chance.uniform(pause / 5, pause))
            server.kill()
            _all_there([uuid for writer in writers for uuid in list(writer.delivered)])
            killed += any(thread.is_alive() for thread in threads)
            server.start()
        for thread in threads:
            thread.join(timeout=300)
    for number, writer in enumerate(writers, start=1):
        _written_once(evening, number, writer.points)
    assert list(trail_faults()) == []
    return killed


def _all_there(delivered: list[str]) -> None:
    """Every deal that a server said it had is in the database that it left."""
    connection.close()
    kept = {str(uuid) for uuid in DealEntry.objects.values_list("pk", flat=True)}
    assert [uuid for uuid in delivered if uuid not in kept] == []


def _written_once(evening: Evening, number: int, points: list[int]) -> None:
    """Wij played every deal and zij had so many points, at most 80: it is never nat."""
    sheet = Scoresheet.objects.get(table__round__evening=evening, table__number=number)
    deals = Deal.objects.filter(sheet=sheet).select_related("current")
    assert [deal.version for deal in deals] == [1] * len(points)
    written = [deal.current.written or {} for deal in deals if deal.current]
    assert [line["points"] for line in written] == [{"EW": given} for given in points]
    zij = sum(points)
    assert (sheet.score_ns, sheet.score_ew) == (162 * len(points) - zij, zij)
    assert sheet_faults(sheet) == []
