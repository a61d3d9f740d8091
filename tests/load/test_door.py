"""Four hundred people at a door with four devices, over HTTP: all are here, and nobody twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from clubs.audit.services import chain_faults
from clubs.models import Club
from tests.factories import EveningFactory
from tests.load.bench.clients import Client
from tests.load.bench.door import DEVICES, ENTERED, WALK_INS, filled, presses
from tests.load.hall import served
from tournaments.models import EntryPerson

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.full,
    pytest.mark.once,
]


def test_four_hundred_come_in_by_four_devices_and_nobody_twice() -> None:
    evening = EveningFactory.create()
    door = filled(evening)
    people = list(EntryPerson.objects.filter(evening=evening).values_list("pk", "name"))
    with served() as (server,), ThreadPoolExecutor(DEVICES) as pool:

        def press(device: int) -> Counter[int]:
            with Client(server.port) as client:
                asked = presses(door, people, device)
                return Counter(client.ask(request).status for request in asked)

        answers = sum(pool.map(press, range(DEVICES)), Counter[int]())
    here = evening.registrations.filter(present=True)
    assert here.count() == ENTERED + WALK_INS
    assert here.values("member__name").distinct().count() == ENTERED + WALK_INS
    # Of two devices that add the same newcomer the second is told that the name is known.
    assert answers == {200: 4 * ENTERED + WALK_INS, 409: WALK_INS}
    assert chain_faults(Club.objects.get(pk=evening.club_id)) == ()
