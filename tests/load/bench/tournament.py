"""An open tournament of 400: they come in at the door on four devices at once, are drawn, play
three rounds of which every deal is written on phones, and are ranked."""

import datetime as dt
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import quantiles

from tests.factories import TESTS, EveningFactory
from tests.load.bench.bench import Bench
from tests.load.bench.clients import CLIENTS, Client, get
from tests.load.bench.door import let_in
from tests.load.bench.saves import KnownPhone
from tests.load.bench.table import Row
from tests.tournaments.table_pages import link
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Evening, Placement
from tournaments.rounds.services import round_close, round_start
from tournaments.standings.queries import evening_standings

DAY = dt.date(2027, 1, 30)
ROUNDS, DEALS = 3, 16
READERS = 4
CARD_POINTS = 162


def rows(bench: Bench) -> Iterator[Row]:
    """How long the draw takes, how large its page is, and how long anybody waits for anything."""
    evening = EveningFactory.create(
        club=bench.club, date=DAY, rounds_planned=ROUNDS, method=Evening.Method.BALANCED
    )
    door = let_in(bench, evening)
    yield Row(
        "somebody found or ticked at the door, p99", quantiles(door.took, n=100)[-1], "ms", 500, 200
    )
    yield Row("at the door, 4 devices", door.per_second, "req/s", 20, 60)
    drawn = 0.0
    played = Answers()
    totals: Counter[int] = Counter()
    for number in range(1, ROUNDS + 1):
        if not evening.rounds.filter(number=number).exists():
            began = time.perf_counter()
            draw_make(evening_id=evening.pk, actor=TESTS)
            drawn = max(drawn, time.perf_counter() - began)
            draw_publish(evening_id=evening.pk, actor=TESTS)
        round_ = evening.rounds.get(number=number)
        round_start(round_id=round_.pk, actor=TESTS)
        totals += _play(bench, evening, number, played)
        round_close(round_id=round_.pk, actor=TESTS)
    yield Row("tournament: the slowest draw of a round", drawn, "s", 3, 1)
    yield Row("tournament: any answer during 3 rounds, p99", played.p99, "ms", 1_000, 500)
    evening_close(evening_id=evening.pk, actor=TESTS)
    ranked = {row.member_id: row.total for row in evening_standings(evening)}
    assert ranked == dict(totals), "the standing is not what was written"
    with Client(bench.port) as reader:
        page = reader.ask(get(_page(bench, evening)))
    yield Row("tournament: its page", len(page.body) / 1000, "kB", 300, 150)


@dataclass
class Answers:
    """How long each answer took, in milliseconds."""

    took: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        return quantiles(self.took, n=100)[-1]

    def ask(self, client: Client, request: bytes, *statuses: int) -> None:
        """Ask, and keep how long it took; any other status than these is a fault."""
        began = time.perf_counter()
        answer = client.ask(request)
        self.took.append((time.perf_counter() - began) * 1000)
        assert answer.status in statuses, (answer.status, request[:200])


def _play(bench: Bench, evening: Evening, number: int, answers: Answers) -> Counter[int]:
    """Write every deal of a round while others read the page; returns what everybody has of it."""
    seats = list(
        Placement.objects.filter(round__evening=evening, round__number=number).values_list(
            "table__number", "seat", "member_id"
        )
    )
    tables = sorted({table for table, _seat, _member in seats})
    phones = {table: KnownPhone.at(bench.port, link(evening, table), number) for table in tables}
    written = {
        (table, deal): 2 + (7 * table + 11 * deal + number) % 79
        for table in tables
        for deal in range(1, DEALS + 1)
    }
    done = threading.Event()

    def table_phones(at: int) -> None:
        with Client(bench.port) as client:
            for deal in range(1, DEALS + 1):
                for table in tables[at::CLIENTS]:
                    answers.ask(client, phones[table].deal(deal, written[table, deal]), 200)

    def reader(_at: int) -> None:
        with Client(bench.port) as client:
            while not done.is_set():
                answers.ask(client, get(_page(bench, evening)), 200)
                time.sleep(0.1)

    readers = [threading.Thread(target=reader, args=(at,)) for at in range(READERS)]
    for thread in readers:
        thread.start()
    _all_at_once(table_phones, CLIENTS)
    done.set()
    for thread in readers:
        thread.join()
    totals: Counter[int] = Counter()
    for table, seat, member in seats:
        theirs = sum(written[table, deal] for deal in range(1, DEALS + 1))
        totals[member] += theirs if seat in "EW" else DEALS * CARD_POINTS - theirs
    return totals


def _all_at_once(run: Callable[[int], None], count: int) -> None:
    """Run it so many times side by side. What one of them raises is raised."""
    faults: list[BaseException] = []

    def one(at: int) -> None:
        try:
            run(at)
        except BaseException as fault:  # noqa: BLE001 — raised below, in the thread that waits
            faults.append(fault)

    threads = [threading.Thread(target=one, args=(at,)) for at in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def _page(bench: Bench, evening: Evening) -> str:
    return f"{bench.club_path}evenings/{evening.slug}/"
