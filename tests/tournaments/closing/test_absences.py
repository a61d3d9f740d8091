"""Members who are neither present nor signed off, found when the evening is closed."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club, Member
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.models import Evening, Registration, Season
from tournaments.registration.check_in import presence_set
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create, season_rule_add
from tournaments.seasons.standings import season_standings

pytestmark = pytest.mark.django_db

CLOSE = f"{EVENING}close/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def played(club: Club, **plan: Any) -> Evening:
    """40 members, of whom 31 are present and 4 signed off. One round, closed."""
    season = season_create(club=club, name="Winter", actor=TESTS)
    season_rule_add(season=season, name="Klassement", settings={}, actor=TESTS)
    evening = evening_with_draw(
        club=club, players=31, rounds=1, method="lottery", season=season, **plan
    )
    away = MemberFactory.create_batch(9, club=club)
    for member in away[:4]:
        presence_set(
            evening_id=evening.pk, member=member, present=False, absence="notice", actor=TESTS
        )
    MemberFactory.create(club=club, name="Een Gast", kind=Member.Kind.GUEST)
    gone = MemberFactory.create(club=club, name="Oud Lid", number=900)
    Member.objects.filter(pk=gone.pk).update(is_active=False)
    later = MemberFactory.create(club=club, name="Nieuw Lid", number=901)
    Member.objects.filter(pk=later.pk).update(member_since=evening.date + dt.timedelta(days=1))
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    return evening


def numbers(absence: str) -> list[int | None]:
    listed = Registration.objects.filter(absence=absence).order_by("member__number")
    return list(listed.values_list("member__number", flat=True))


def test_five_of_forty_stayed_away(club: Club) -> None:
    evening = played(club, absence_found=True)
    desk = desk_of(club)
    page = desk.get(CLOSE)
    assert "5 leden zijn niet aangevinkt en niet afgemeld." in words(page)
    form = page.context["absences"]
    assert {form[name].value() for name in form.fields} == {"none"}
    found = [member.number for member in page.context["absences"].members]
    assert sorted(found) == [36, 37, 38, 39, 40]
    desk.post(CLOSE)
    assert (numbers("none"), numbers("notice")) == ([36, 37, 38, 39, 40], [32, 33, 34, 35])
    (event,) = AuditEvent.objects.filter(action="absences_found")
    assert event.data["count"] == 5
    season = Season.objects.get(evenings=evening)
    rows = season_standings(season).rows
    zero = [row for row in rows if [cell.absence for cell in row.by_evening.values()] == ["none"]]
    assert [(row.counted, row.counting) for row in zero] == [(0, 1)] * 5
    rules = words(get(Client(), "/clubs/vrolijke-boer/rules/?evening=2026-11-21"))
    assert (
        "Een lid dat er niet is en zich niet heeft afgemeld, is weggebleven zonder bericht."
        in rules
    )


def test_the_organiser_mends_the_list(club: Club) -> None:
    played(club, absence_found=True)
    by_number = {member.number: member.pk for member in Member.objects.all()}
    answers = {
        f"absence_{by_number[36]}": "notice",
        f"absence_{by_number[37]}": "ignored",
        f"absence_{by_number[38]}": "none",
    }
    desk_of(club).post(CLOSE, answers)
    assert (numbers("none"), numbers("notice")) == ([38, 39, 40], [32, 33, 34, 35, 36])


def test_an_evening_that_does_not_ask_records_nothing(club: Club) -> None:
    played(club)
    desk = desk_of(club)
    assert "niet aangevinkt" not in words(desk.get(CLOSE))
    desk.post(CLOSE)
    assert numbers("none") == []


@pytest.mark.full
def test_who_was_found_is_not_asked_again(club: Club) -> None:
    evening = played(club, absence_found=True)
    evening_close(evening_id=evening.pk, actor=TESTS)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    assert "niet aangevinkt" not in words(desk_of(club).get(CLOSE))
