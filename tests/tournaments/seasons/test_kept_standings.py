"""What the pages of a season work out is kept, and never longer than it is so."""

import io
import time
from typing import Any

import openpyxl
import pytest
from django.db.models import F
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_change
from clubs.models import Member
from scoring.models import Seat
from tests.factories import TESTS
from tests.load.big_club import Size, big_club_make
from tests.tournaments.public_pages import words
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_rule_change
from tournaments.seasons.standings import season_standings

pytestmark = [pytest.mark.django_db(transaction=True)]
PAGE = "/clubs/zaal/seasons/seizoen/"


@pytest.fixture
def season() -> Season:
    return big_club_make("zaal", Size(members=12, evenings=3, rounds=1, deals=4)).seasons.get()


def shown(path: str = PAGE) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return words(answer)


@pytest.mark.full
def test_a_page_is_made_once_for_who_is_not_logged_in(
    season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = shown()
    with django_assert_num_queries(1):
        assert shown() == first


@pytest.mark.full
def test_a_standing_is_worked_out_once(
    season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(10):
        first = Client().get(f"{PAGE}?q=")
    with django_assert_num_queries(8):
        kept = Client().get(f"{PAGE}?q=")
    assert words(kept) == words(first)
    assert season_standings(season).rows[0].name in words(first)


def test_a_correction_changes_the_page_at_once(season: Season) -> None:
    last = season_standings(season).rows[-1]
    before = shown()
    Seat.objects.filter(member=int(last.player_id)).update(score=9_000)
    Evening.objects.update(revision=F("revision") + 1)
    after = shown()
    assert "18.000" in after
    assert "18.000" not in before


def test_another_name_changes_both_pages_at_once(season: Season) -> None:
    met = f"{PAGE}met/"
    assert "Zwaantje" not in shown() + shown(met)
    member = Member.objects.get(pk=season_standings(season).rows[0].player_id)
    named: dict[str, Any] = {"name": "Zwaantje Zwart", "number": member.number, "kind": member.kind}
    member_change(member=member, seen_version=member.version, actor=TESTS, **named)
    assert "Zwaantje Zwart" in shown()
    assert "Zwaantje Zwart" in shown(met)


def test_another_rule_changes_the_page_at_once(season: Season) -> None:
    before = shown()
    (rule,) = season.rules.all()
    season_rule_change(
        rule=rule,
        name=rule.name,
        settings={"best_per_period": 1},
        seen_version=rule.version,
        reason="zo wilden de leden het",
        actor=TESTS,
    )
    assert shown() != before


@pytest.mark.full
def test_a_large_spreadsheet_is_made_aside() -> None:
    big_club_make("zaal", Size(members=84, evenings=30, rounds=1, deals=1))
    answer = Client().get(f"{PAGE}?format=xlsx")
    assert (answer.status_code, answer.headers["Retry-After"]) == (202, "1")
    end = time.monotonic() + 60
    while answer.status_code == 202 and time.monotonic() < end:
        time.sleep(0.05)
        answer = Client().get(f"{PAGE}?format=xlsx")
    assert answer.status_code == 200
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert sheet is not None
    assert (sheet.max_row, sheet["B1"].value) == (85, "Naam")
    assert Client().get(f"{PAGE}?format=csv").status_code == 200
