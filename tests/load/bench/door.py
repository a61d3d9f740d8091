"""Four devices at a door at which four hundred people come in: each finds a name and presses."""

from collections.abc import Iterator
from urllib.parse import quote

from tests.factories import TESTS
from tests.load.bench.bench import Bench
from tests.load.bench.clients import Pace, get, paced, post
from tournaments.entries.arrivals import door_make
from tournaments.entries.queries import entry_list_of
from tournaments.entries.services import EntrySettings, entries_add, entry_list_change
from tournaments.entries.texts import door_path
from tournaments.models import EntryPerson, Evening
from tournaments.models.entry import Wish

DEVICES, ENTERED, WALK_INS = 4, 300, 100


def let_in(bench: Bench, evening: Evening) -> Pace:
    """Three hundred who entered and a hundred who did not; all are here afterwards, and nobody
    twice."""
    door = filled(evening)
    people = list(EntryPerson.objects.filter(evening=evening).values_list("pk", "name"))
    pace = paced(
        bench.port,
        lambda device: presses(door, people, device, groups=DEVICES),
        clients=DEVICES,
        seconds=600,
        warm_up=0,
    )
    assert set(pace.statuses) == {200}
    here = evening.registrations.filter(present=True)
    assert (here.count(), here.values("member").distinct().count()) == (
        ENTERED + WALK_INS,
        ENTERED + WALK_INS,
    )
    return pace


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


def presses(
    door: str, people: list[tuple[int, str]], device: int, *, groups: int = 2
) -> Iterator[bytes]:
    """What one device asks of its group of the people; with two groups each is asked by two. Each
    has a network of its own: together they are faster here than one network may be."""
    kind, address = "application/x-www-form-urlencoded", f"10.{device}.0.1"
    mine = [each for at, each in enumerate(people) if at % groups == device % groups]
    for pk, name in mine:
        yield get(f"{door}?q={quote(name[-3:])}", x_forwarded_for=address)
        person = f"person={pk}".encode()
        yield post(door, person, content_type=kind, x_forwarded_for=address)
    for number in range(device % groups, WALK_INS, groups):
        newcomer = f"name={quote(f'Nieuw Gezicht{number:03}')}&town=".encode()
        yield post(door, newcomer, content_type=kind, x_forwarded_for=address)
