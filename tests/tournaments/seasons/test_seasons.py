import datetime as dt
from typing import Any

import pytest

from clubs.models import AuditEvent
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory
from tournaments.models import Season
from tournaments.seasons.services import season_change, season_create, season_ensure, season_named

pytestmark = pytest.mark.django_db

FIRST, LAST = dt.date(2026, 9, 1), dt.date(2027, 5, 31)


def season(name: str = "Seizoen 2026", **given: Any) -> Season:
    return season_create(club=ClubFactory.create(), name=name, actor=TESTS, **given)


def test_a_season_has_a_name_an_address_and_days() -> None:
    made = season("  Seizoen  2026/2027 ", starts=FIRST, ends=LAST)
    assert (made.name, made.slug) == ("Seizoen 2026/2027", "seizoen-20262027")
    assert (made.starts, made.ends) == (FIRST, LAST)
    assert AuditEvent.objects.filter(action="season_added").count() == 1


@pytest.mark.both
def test_names_that_look_alike_in_an_address_get_addresses_of_their_own() -> None:
    one = season("Najaar!")
    other = season_create(club=one.club, name="Najaar?", actor=TESTS)
    nameless = season_create(club=one.club, name="★", actor=TESTS)
    assert [one.slug, other.slug, nameless.slug] == ["najaar", "najaar-2", "season"]


@pytest.mark.parametrize(
    ("name", "starts", "code"),
    [
        (" ", None, "name_missing"),
        ("x" * 61, None, "name_too_long"),
        ("SEIZOEN  2026", None, "season_exists"),
        ("Voorjaar", dt.date(2027, 6, 1), "season_dates"),
        ("Voorjaar", dt.date(1899, 12, 31), "season_dates"),
    ],
)
def test_is_refused(name: str, starts: dt.date | None, code: str) -> None:
    club = season().club
    with pytest.raises(DomainError) as caught:
        season_create(club=club, name=name, starts=starts, ends=LAST, actor=TESTS)
    assert (caught.value.code, Season.objects.count()) == (code, 1)


def test_a_change_keeps_the_address() -> None:
    changed = season_change(
        season=season(), name="Seizoen 27", starts=FIRST, ends=None, fee=1750, actor=TESTS
    )
    changed.refresh_from_db()
    assert (changed.name, changed.slug, changed.starts) == ("Seizoen 27", "seizoen-2026", FIRST)
    assert changed.fee == 1750


def test_a_season_is_found_however_its_name_is_spelt_and_made_when_there_is_none() -> None:
    made = season()
    assert season_named(made.club, " seizoen   2026") == made
    assert season_ensure(club=made.club, name="SEIZOEN 2026", actor=TESTS) == made
    assert season_ensure(club=made.club, name="Voorjaar", actor=TESTS).slug == "voorjaar"
