"""A season of evenings planned in one go, and taken back."""

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from clubs.models import AuditEvent, Club
from clubs.text.errors import DomainError
from scoring.audit.verify import faults
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of, messages_in, text
from tests.tournaments.desk.test_desk_evenings import plan
from tests.tournaments.public_pages import speak_english, words
from tournaments.closing.services import evening_cancel
from tournaments.evenings.kinds import last_start
from tournaments.models import Evening
from tournaments.planner.services import PlannedEvening, evenings_plan
from tournaments.registration.check_in import presence_replace
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db

PLANNER = "/clubs/vrolijke-boer/desk/planner/"
DECEMBER = {"weekday": 4, "often": "week-1", "starts_at": "20:00", "first": "2026-12-01"}
DECEMBER |= {"last": "2027-01-10"}
"""Fridays: 4, 11, 18, 25 December, 1 and 8 January."""


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def asked(**changed: Any) -> str:
    given = {**DECEMBER, "regulation": "preset:amsterdam"} | changed
    return PLANNER + "?" + "&".join(f"{name}={value}" for name, value in given.items())


def listed(page: Any) -> list[tuple[str, bool, bool, str]]:
    """Of each day: the date, whether it is ticked, whether it is taken, and which holiday it is."""
    return [
        (str(row.date), bool(row.tick.value()), row.is_taken, row.holiday)
        for row in page.context["days"].rows
    ]


def sent(page: Any, **changed: Any) -> dict[str, Any]:
    """What a browser sends of the list as it stands, with these changes."""
    answers: dict[str, Any] = {}
    for row in page.context["days"].rows:
        answers[row.starts_at.html_name] = "20:00"
        if row.tick.value() and not row.is_taken:
            answers[row.tick.html_name] = "on"
    return {name: value for name, value in (answers | changed).items() if value is not None}


def planned() -> list[tuple[str, str]]:
    evenings = Evening.objects.order_by("date", "sequence")
    return [(evening.slug, f"{evening.starts_at:%H:%M}") for evening in evenings]


@pytest.mark.full
def test_the_days_are_shown_with_holidays_and_evenings_that_are_there(club: Club) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 12, 11))
    gone = EveningFactory.create(club=club, date=dt.date(2026, 12, 18))
    evening_cancel(evening_id=gone.pk, actor=TESTS)
    page = desk_of(club).get(asked())
    assert listed(page) == [
        ("2026-12-04", True, False, ""),
        ("2026-12-11", False, True, ""),
        ("2026-12-18", True, False, ""),
        ("2026-12-25", False, False, "Eerste kerstdag"),
        ("2027-01-01", False, False, "Nieuwjaarsdag"),
        ("2027-01-08", True, False, ""),
    ]
    assert "vr 11 dec 2026 er is al een avond" in words(page)
    assert Evening.objects.count() == 2


@pytest.mark.full
def test_a_season_is_made_in_one_go_and_taken_back(club: Club) -> None:
    starts, ends = dt.date(2026, 9, 1), dt.date(2026, 12, 31)
    season = season_create(club=club, name="Najaar", starts=starts, ends=ends, actor=TESTS)
    desk = desk_of(club)
    page = desk.get(asked())
    ticks = {"day_2026-12-11": None, "time_2026-12-04": "19:30", "day_2026-12-25": "on"}
    assert "vr 1 jan 2027 Nieuwjaarsdag · nog in geen seizoen" in words(page)
    done = desk.post(asked(), sent(page, **ticks), follow=True)
    assert planned() == [
        ("2026-12-04", "19:30"),
        ("2026-12-18", "20:00"),
        ("2026-12-25", "20:00"),
        ("2027-01-08", "20:00"),
    ]
    seasons = Evening.objects.order_by("date").values_list("season", flat=True)
    assert [*seasons] == [season.pk, season.pk, season.pk, None]
    assert "4 avonden zijn in één keer gemaakt" in words(done)
    (event,) = AuditEvent.objects.filter(action="evenings_planned")
    assert event.data["count"] == 4
    back = desk.post(done.redirect_chain[-1][0], follow=True)
    assert messages_in(back) == ["4 avonden zijn teruggenomen."]
    assert Evening.objects.count() == 0


@pytest.mark.full
def test_what_somebody_is_ticked_for_is_not_taken_back(club: Club) -> None:
    desk = desk_of(club)
    done = desk.post(asked(), sent(desk.get(asked())), follow=True)
    first = Evening.objects.get(date=dt.date(2026, 12, 4))
    members = [MemberFactory.create(club=club)]
    presence_replace(evening_id=first.pk, members=members, actor=TESTS)
    series = done.redirect_chain[-1][0]
    assert "3 avonden terugnemen" in text(desk.get(series))
    desk.post(series)
    assert planned() == [("2026-12-04", "20:00")]
    assert f'href="{series}"' in text(
        desk.get(f"/clubs/vrolijke-boer/desk/evenings/{first.slug}/edit/")
    )


@pytest.mark.full
def test_made_again_there_is_nothing_left_to_make(club: Club) -> None:
    desk = desk_of(club)
    first = sent(desk.get(asked()))
    desk.post(asked(), first)
    again = desk.post(asked(), first)
    assert again.status_code == 422
    assert [taken for _day, _tick, taken, _holiday in listed(again)] == [
        *(True, True, True, False, False, True),
    ]
    assert Evening.objects.count() == 4


@pytest.mark.full
def test_the_evenings_begin_as_the_last_one(club: Club) -> None:
    EveningFactory.create(
        club=club, rounds_planned=4, method="lottery", starts_at=dt.time(19, 45), tie="play_off"
    )
    Evening.objects.update(stake_member=250)
    desk = desk_of(club)
    assert "regulation" not in desk.get(PLANNER).context["form"].fields
    page = desk.get(asked())
    desk.post(asked(), sent(page))
    made = Evening.objects.filter(date__gte=dt.date(2026, 12, 1))
    figures = "rounds_planned", "method", "tie", "stake_member"
    assert set(made.values_list(*figures)) == {(4, "lottery", "play_off", 250)}


@pytest.mark.full
def test_what_is_changed_on_one_evening_goes_on_to_the_later_ones(club: Club) -> None:
    desk = desk_of(club)
    desk.post(asked(), sent(desk.get(asked())))
    _first, second, third, _last = Evening.objects.order_by("date")
    members = [MemberFactory.create(club=club)]
    presence_replace(evening_id=third.pk, members=members, actor=TESTS)
    changed = {"rounds_planned": 4, "method": "lottery", "tie": "play_off", "stake_member": 250}
    Evening.objects.filter(pk=second.pk).update(name="Kerstdrive", **changed)
    here = f"/clubs/vrolijke-boer/desk/evenings/{second.slug}/later/"
    EveningFactory.create(club=club, date=dt.date(2027, 2, 1), starts_at=dt.time(14))
    assert "2 latere avonden spelen zoals deze?" in words(desk.get(here))
    page = desk.post(here, follow=True)
    assert messages_in(page) == ["2 latere avonden worden gespeeld zoals deze."]
    read = Evening.objects.order_by("date").values_list("name", *changed)
    usual, new = (3, "rotation", "shared", None), tuple(changed.values())
    assert [*read] == [("", *usual), ("Kerstdrive", *new), ("", *usual), ("", *new), ("", *new)]
    times = Evening.objects.order_by("date").values_list("starts_at", "version")
    assert [*times][-2:] == [(dt.time(20), 2), (dt.time(14), 2)]
    assert list(faults(club)) == []
    assert "Na deze staat geen avond gepland." in words(
        desk.get("/clubs/vrolijke-boer/desk/evenings/2027-02-01/later/")
    )


def test_one_day_that_is_taken_meanwhile_makes_none(club: Club) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 12, 11))
    start = last_start(club)
    assert start is not None
    days = [dt.date(2026, 12, 4), dt.date(2026, 12, 11)]
    evenings = [PlannedEvening(date=day, starts_at=None, season=None, start=start) for day in days]
    with pytest.raises(DomainError) as refused:
        evenings_plan(club=club, evenings=evenings, actor=TESTS)
    assert refused.value.code == "evening_exists"
    assert "11 december 2026" in refused.value.message
    assert Evening.objects.count() == 1


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"first": "ooit"}, "first"),
        ({"last": "2026-11-30"}, "last"),
        ({"last": "2999-01-01"}, "last"),
        ({"weekday": 9}, "weekday"),
        ({"often": "year"}, "often"),
        ({"last": "2029-01-01"}, "last"),
        ({"regulation": "preset:poker"}, "regulation"),
    ],
)
def test_what_cannot_be_is_said(club: Club, changed: dict[str, Any], field: str) -> None:
    page = desk_of(club).get(asked(**changed))
    assert ([*page.context["form"].errors], page.context["days"]) == ([field], None)


@pytest.mark.full
def test_a_first_season_is_made_along_with_its_evenings(club: Club) -> None:
    desk = desk_of(club)
    page = desk.get(asked())
    assert page.context["days"]["new_season"].value() == "2026-2027"
    desk.post(asked(), sent(page, new_season=" 2026-2027 "))
    season = club.seasons.get()
    assert (season.name, str(season.starts), str(season.ends)) == (
        *("2026-2027", "2026-12-01", "2027-01-10"),
    )
    assert {evening.season for evening in Evening.objects.all()} == {season}
    assert Evening.objects.count() == 4


def test_what_a_season_leaves_over_goes_into_a_new_one_like_it(club: Club) -> None:
    ends = dt.date(2026, 12, 31)
    old = season_create(
        club=club, name="Najaar", starts=dt.date(2026, 9, 1), ends=ends, actor=TESTS
    )
    season_rule_add(season=old, name="Beste 5", settings={"best_per_period": 5}, actor=TESTS)
    desk = desk_of(club)
    page = desk.get(asked(last="2027-01-31"))
    assert page.context["days"]["new_season"].value() == "2027"
    taken = desk.post(asked(last="2027-01-31"), sent(page, new_season="NAJAAR"))
    assert taken.status_code == 302
    assert {evening.season for evening in Evening.objects.all()} == {old}
    Evening.objects.all().delete()
    desk.post(asked(last="2027-01-31"), sent(page, new_season="Voorjaar"))
    new = club.seasons.get(name="Voorjaar")
    assert (str(new.starts), str(new.ends)) == ("2027-01-08", "2027-01-29")
    assert [rule.name for rule in new.rules.all()] == ["Beste 5"]
    made = Evening.objects.order_by("date").values_list("season", flat=True)
    assert [*made] == [old.pk] * 3 + [new.pk] * 4


@pytest.mark.full
def test_the_first_friday_of_each_month(club: Club) -> None:
    page = desk_of(club).get(asked(often="month-1", last="2027-03-31"))
    assert [day for day, _tick, _taken, _holiday in listed(page)] == [
        *("2026-12-04", "2027-01-01", "2027-02-05", "2027-03-05"),
    ]


def test_a_list_of_any_length_asks_the_database_the_same(
    club: Club, django_assert_num_queries: Any
) -> None:
    season_create(club=club, name="Ooit", starts=dt.date(2026, 9, 1), actor=TESTS)
    desk = desk_of(club)
    for last in ("2026-12-05", "2027-10-31"):
        with django_assert_num_queries(13):
            desk.get(asked(last=last))


@pytest.mark.full
def test_nothing_ticked_and_a_wrong_time_are_said(club: Club) -> None:
    desk = desk_of(club)
    page = desk.post(asked(), {})
    assert page.context["days"].errors == {"__all__": ["Vink minstens één dag aan."]}
    wrong = desk.post(asked(), {"day_2026-12-04": "on", "time_2026-12-04": "laat"})
    assert wrong.context["days"].errors == {"time_2026-12-04": ["Schrijf de tijd als 19:30."]}
    assert Evening.objects.count() == 0


@pytest.mark.full
def test_the_page_is_there_in_english(club: Club) -> None:
    desk = desk_of(club)
    speak_english(desk)
    page = words(desk.get(asked()))
    assert "Plan a season Choose other days" in page
    assert "Fri 25 Dec 2026 Christmas Day" in page


@pytest.mark.full
def test_the_list_of_evenings_begins_with_the_next_few(club: Club) -> None:
    here = "/clubs/vrolijke-boer/desk/evenings/"
    for day in range(1, 29):
        EveningFactory.create(club=club, date=dt.date(2027, 1, day))
    EveningFactory.create(club=club, date=dt.date(2026, 12, 1))
    with time_machine.travel(dt.datetime(2026, 12, 30, 12, tzinfo=dt.UTC), tick=False):
        first = words(desk_of(club).get(here))
        later = words(desk_of(club).get(f"{here}?later=1"))
    assert re.findall(r"(\d+ \w{3} 202\d)", first) == [
        *("3 jan 2027", "2 jan 2027", "1 jan 2027", "1 dec 2026"),
    ]
    assert "25 avonden na deze" in first
    assert re.findall(r"(\d+ jan 2027)", later) == [f"{day} jan 2027" for day in range(4, 29)]


@pytest.mark.full
def test_the_next_evening_begins_as_the_last_one_that_was_held(club: Club) -> None:
    EveningFactory.create(club=club, date=dt.date(2026, 12, 1), rounds_planned=4)
    EveningFactory.create(club=club, date=dt.date(2027, 5, 25), rounds_planned=6)
    with time_machine.travel(dt.datetime(2026, 12, 3, 12, tzinfo=dt.UTC), tick=False):
        page = desk_of(club).get("/clubs/vrolijke-boer/desk/evenings/new/")
    form = page.context["form"]
    assert (form["rounds_planned"].value(), str(form["date"].value())) == (4, "2027-06-01")


@pytest.mark.full
def test_an_evening_that_is_moved_out_of_its_season_is_told(club: Club) -> None:
    starts, ends = dt.date(2026, 9, 1), dt.date(2026, 12, 31)
    season = season_create(club=club, name="Najaar", starts=starts, ends=ends, actor=TESTS)
    evening = EveningFactory.create(club=club, season=season, date=dt.date(2026, 12, 1))
    desk, said = desk_of(club), []
    for day in ("2026-12-08", "2027-01-05"):
        here = f"/clubs/vrolijke-boer/desk/evenings/{evening.slug}/edit/"
        page = desk.post(here, plan(date=day, season=season.pk), follow=True)
        said.append(messages_in(page)[1:])
        evening.refresh_from_db()
    assert said == [[], ["De avond valt buiten de dagen van Najaar, en telt daar toch in mee."]]


@pytest.mark.full
def test_the_planner_is_reached_from_the_evenings(club: Club, client: Client) -> None:
    page = text(desk_of(club).get("/clubs/vrolijke-boer/desk/evenings/"))
    assert re.search(rf'href="{PLANNER}">Een seizoen plannen</a>', page)
