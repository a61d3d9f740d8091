"""Four devices at a door at which four hundred people come in: each finds a name and presses."""

import datetime as dt
import statistics
from collections.abc import Iterator
from urllib.parse import quote

from tests.factories import TESTS, EveningFactory
from tests.load.bench.bench import Bench
from tests.load.bench.clients import get, paced, post
from tests.load.bench.table import Row
from tournaments.entries.arrivals import door_make
from tournaments.entries.links import door_path
from tournaments.entries.queries import entry_list_of
from tournaments.entries.services import EntrySettings, entries_add, entry_list_change
from tournaments.entries.wishes import Wish
from tournaments.models import EntryPerson, Evening

DEVICES, ENTERED, WALK_INS = 4, 300, 100
MUST, AIM = 500, 200


def rows(bench: Bench) -> Iterator[Row]:
    """Three hundred who entered and a hundred who did not, each pressed by two devices."""
    evening = EveningFactory.create(club=bench.club, date=dt.date(2027, 1, 8))
    door = filled(evening)
    people = list(EntryPerson.objects.filter(evening=evening).values_list("pk", "name"))
    pace = paced(
        bench.port,
        lambda device: presses(door, people, device),
        clients=DEVICES,
        seconds=600,
        warm_up=0,
    )
    here = evening.registrations.filter(present=True)
    assert (here.count(), here.values("member").distinct().count()) == (
        ENTERED + WALK_INS,
        ENTERED + WALK_INS,
    )
    assert set(pace.statuses) <= {200, 409}
    percentiles = statistics.quantiles(pace.took, n=100)
    yield Row("somebody found or ticked at the door, p99", percentiles[98], "ms", MUST, AIM)
    yield Row("at the door, 4 devices", pace.per_second, "req/s", 20, 60)
    Evening.objects.filter(pk=evening.pk).update(state=Evening.State.CANCELLED)


def filled(evening: Evening) -> str:
    """Let people enter, and make the address of the door."""
    known = entry_list_of(evening)
    entry_list_change(
        evening_id=evening.pk,
        wanted=EntrySettings(walk_ins=True),
        seen_version=known.version if known.pk else 0,
        actor=TESTS,
    )
    wishes = [Wish(people=[f"Deur Speler{number:03}"]) for number in range(ENTERED)]
    entries_add(evening_id=evening.pk, wishes=wishes, actor=TESTS)
    return door_path(door_make(evening_id=evening.pk, actor=TESTS))


def presses(door: str, people: list[tuple[int, str]], device: int) -> Iterator[bytes]:
    """What one device asks: half of the people, the other half of which another device has too."""
    kind = "application/x-www-form-urlencoded"
    mine = [each for at, each in enumerate(people) if at % 2 == device % 2]
    for pk, name in mine:
        yield get(f"{door}?q={quote(name[-3:])}")
        yield post(door, f"person={pk}".encode(), content_type=kind)
    for number in range(device % 2, WALK_INS, 2):
        name = quote(f"Nieuw Gezicht{number:03}")
        yield post(door, f"name={name}&town=".encode(), content_type=kind)
