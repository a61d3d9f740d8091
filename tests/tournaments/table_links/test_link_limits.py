"""How much a table's link takes, and until when: what the attack did over replaced links."""

import datetime as dt
import uuid
from collections import Counter
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from clubs.models import AuditEvent
from config import settings as served
from scoring.models import DealClaim, DealEntry
from tests.factories import TESTS
from tests.tournaments.public_pages import close_evening
from tests.tournaments.table_pages import link, playing
from tournaments.closing.services import evening_reopen
from tournaments.models import Evening
from tournaments.table_links.services import token_renew

pytestmark = pytest.mark.django_db

HALL = "192.0.2.1"


@pytest.fixture(autouse=True)
def as_served(settings: Settings) -> None:
    """The limits of the product."""
    settings.TABLE_WRITES = served.TABLE_WRITES


def post(address: str, number: int, points: int, *, client: Client | None = None) -> Any:
    """What a phone's outbox sends of a deal, each time under another id."""
    fields = {
        "seen_version": "0",
        "uuid": str(uuid.uuid4()),
        "declarer": "NS",
        "points_ew": str(points),
        "why_else": "x",
    }
    client = client or Client(REMOTE_ADDR=HALL)
    return client.post(
        f"{address}rounds/1/deals/{number}/", fields, headers={"Accept": "application/json"}
    )


def replaced(evening: Evening) -> str:
    """The address of a table whose link was replaced since."""
    address = link(evening)
    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    return address


@pytest.mark.full
def test_a_replaced_link_is_stopped_after_two_evenings_worth() -> None:
    address = replaced(playing())
    events = AuditEvent.objects.count()
    with time_machine.travel("2026-11-21T20:00:40Z", tick=False) as clock:
        answers = [post(address, 1 + at % 16, 2 + at % 100) for at in range(500)]
        statuses = Counter(answer.status_code for answer in answers)
        assert statuses == {202: 100, 429: 400}
        assert DealClaim.objects.count() <= 100
        assert AuditEvent.objects.count() - events <= 200
        assert answers[-1].headers["Retry-After"] == str(59 * 60 + 20)
        assert answers[-1].json() == {
            "status": "too_often",
            "message": "Hier wordt te veel geschreven. Probeer het over een minuut opnieuw.",
        }
        clock.shift(3_600)
        assert post(address, 1, 65).status_code == 202


@pytest.mark.full
def test_a_phone_brings_a_whole_evening_over_a_link_that_was_replaced() -> None:
    address = replaced(playing())
    assert {post(address, 1 + at % 16, 10 + at).status_code for at in range(48)} == {202}


@pytest.mark.full
def test_a_link_writes_much_and_not_without_end() -> None:
    evening = playing(players=8)
    address, other = link(evening), link(evening, 2)
    with time_machine.travel("2026-11-21T20:00:40Z", tick=False) as clock:
        statuses = [post(address, 1 + at % 16, 2 + at % 100).status_code for at in range(150)]
        assert 429 not in statuses[:120]
        assert set(statuses[120:]) == {429}
        assert post(other, 1, 65).status_code == 200
        clock.shift(20)
        assert post(address, 1, 65).status_code != 429


@pytest.mark.usefixtures("still_clock")
def test_a_form_without_scripts_says_that_nothing_was_saved(settings: Settings) -> None:
    settings.TABLE_WRITES = {"link": 1, "address": 100}
    address, client = link(playing()), Client(REMOTE_ADDR=HALL)
    post(address, 1, 65)
    answer = client.post(f"{address}rounds/1/deals/2/", {"declarer": "NS", "points_ew": "65"})
    assert answer.status_code == 429
    assert "Wat u net verstuurde, is niet bewaard." in answer.content.decode()
    assert DealEntry.objects.count() == 1


def test_who_has_the_links_of_a_hall_is_stopped_by_the_address(settings: Settings) -> None:
    settings.TABLE_WRITES = {"link": 100, "address": 6}
    evening = playing(players=8)
    addresses = [link(evening), link(evening, 2)]
    with time_machine.travel("2026-11-21T20:00:40Z", tick=False):
        statuses = [post(addresses[at % 2], 1 + at, 65).status_code for at in range(8)]
        assert statuses == [200] * 6 + [429] * 2
        elsewhere = Client(REMOTE_ADDR="192.0.2.2")
        assert post(addresses[0], 9, 65, client=elsewhere).status_code == 200


@pytest.mark.full
def test_a_replaced_link_ends_after_a_week() -> None:
    evening = playing()
    address = replaced(evening)
    with time_machine.travel(timezone.now() + dt.timedelta(days=6, hours=23)):
        assert post(address, 1, 65).status_code == 202
    with time_machine.travel(timezone.now() + dt.timedelta(days=7, minutes=1)):
        answer = post(address, 2, 65)
        assert (answer.status_code, answer.json()["status"]) == (410, "over")
    assert DealClaim.objects.get().deal.number == 1


@pytest.mark.full
def test_a_link_ends_a_week_after_its_evening_and_lives_on_when_that_is_opened_again() -> None:
    evening = playing()
    address = link(evening)
    close_evening(evening)
    soon, later = (timezone.now() + dt.timedelta(days=days) for days in (6, 8))
    with time_machine.travel(soon):
        assert post(address, 1, 65).status_code == 202
    with time_machine.travel(later):
        assert post(address, 2, 65).status_code == 410
        evening_reopen(evening_id=evening.pk, actor=TESTS)
        assert post(address, 2, 65).status_code == 202
