"""Kinds of evening: a club that plays in more than one way gets the right one."""

import datetime as dt
import uuid
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from clubs.models import Club
from clubs.text.errors import DomainError
from tests.api.caller import Caller
from tests.factories import TESTS, ClubFactory, EveningFactory, organiser_of, regulation_of
from tests.tournaments.desk import desk_of, text
from tests.tournaments.desk.test_desk_evenings import plan
from tests.tournaments.entries import enter, open_entries
from tests.tournaments.planner.test_planner import asked, sent
from tests.tournaments.public_pages import words
from tournaments.evenings.kinds import kind_add, kind_remove, parse_kind, start_of, start_of_kind
from tournaments.models import DeletedEvening, EntriesStart, EntryList, Evening, EveningKind

pytestmark = pytest.mark.django_db

DESK = "/clubs/vrolijke-boer/desk/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def kind_of(evening: Evening, name: str) -> EveningKind:
    return kind_add(club=evening.club, name=name, start=start_of(evening), actor=TESTS)


@pytest.fixture
def kinds(club: Club) -> tuple[EveningKind, EveningKind]:
    """Individual as on 7 November, pairs as on the 14th."""
    alone = EveningFactory.create(
        club=club, date=dt.date(2026, 11, 7), starts_at=dt.time(19, 30), tie="play_off"
    )
    Evening.objects.filter(pk=alone.pk).update(stake_member=250)
    alone.refresh_from_db()
    pairs = EveningFactory.create(
        club=club, date=dt.date(2026, 11, 14), method="pairs", rounds_planned=4
    )
    return kind_of(alone, "Individueel"), kind_of(pairs, "Koppel")


def begins(page: Any) -> tuple[Any, ...]:
    form = page.context["form"]
    return tuple(form[name].value() for name in ("method", "rounds_planned"))


@pytest.mark.full
def test_without_kinds_the_forms_do_not_speak_of_them(club: Club) -> None:
    page = desk_of(club).get(f"{DESK}evenings/new/")
    assert "Soort avond" not in words(page)
    assert "kind" not in page.context["form"].fields


@pytest.mark.full
def test_an_evening_begins_as_its_kind_was_made(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, _pairs = kinds
    desk, here = desk_of(club), f"{DESK}evenings/new/"
    assert begins(desk.get(here)) == ("pairs", 4)
    page = desk.get(f"{here}?kind={alone.pk}")
    assert begins(page) == ("rotation", 3)
    assert "Ingevuld zoals u de soort “Individueel” hebt gemaakt." in words(page)
    desk.post(f"{here}?kind={alone.pk}", plan(date="2026-11-21", kind=alone.pk))
    made = Evening.objects.get(date=dt.date(2026, 11, 21))
    assert (made.kind, made.tie, made.stake_member) == (alone, "play_off", 250)


def test_the_next_one_of_a_kind_begins_as_the_last_of_that_kind(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, pairs = kinds
    EveningFactory.create(club=club, date=dt.date(2026, 11, 21), kind=alone, rounds_planned=5)
    EveningFactory.create(club=club, date=dt.date(2026, 11, 28), kind=pairs, method="pairs")
    desk = desk_of(club)
    with time_machine.travel(dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC), tick=False):
        page = desk_of(club).get(f"{DESK}evenings/new/?kind={alone.pk}")
    assert begins(page) == ("rotation", 5)
    assert "Ingevuld zoals op 21 november." in words(page)
    assert page.context["form"]["date"].value() == dt.date(2026, 12, 5)
    assert begins(desk.get(f"{DESK}evenings/new/?kind={pairs.pk}")) == ("pairs", 3)


def test_a_kind_is_made_of_an_evening_by_its_form(club: Club) -> None:
    EveningFactory.create(club=club, method="pairs", rounds_planned=4, tie="play_off")
    desk = desk_of(club)
    edit = text(desk.get(f"{DESK}evenings/2026-11-21/edit/"))
    assert f'href="{DESK}kinds/new/?like=2026-11-21"' in edit
    page = desk.get(f"{DESK}kinds/new/?like=2026-11-21")
    assert begins(page) == ("pairs", 4)
    answers = plan(title=" Koppel ", method="pairs", rounds_planned=6, starts_at="19:45")
    desk.post(f"{DESK}kinds/new/?like=2026-11-21", answers)
    kind = EveningKind.objects.get()
    start = start_of_kind(kind)
    assert (kind.name, start.plan["rounds_planned"], start.plan["starts_at"], start.rules.tie) == (
        *("Koppel", 6, dt.time(19, 45), "play_off"),
    )


def test_the_planner_gives_each_day_its_kind(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, pairs = kinds
    desk = desk_of(club)
    page = desk.get(asked(kind=pairs.pk))
    chosen = {f"kind_{row.date}": str(pairs.pk) for row in page.context["days"].rows}
    chosen["kind_2026-12-11"] = str(alone.pk)
    desk.post(asked(kind=pairs.pk), sent(page, **chosen))
    made = Evening.objects.filter(date__gte=dt.date(2026, 12, 1)).order_by("date")
    assert [(evening.kind, evening.method, evening.rounds_planned) for evening in made] == [
        (pairs, "pairs", 4),
        (alone, "rotation", 3),
        (pairs, "pairs", 4),
        (pairs, "pairs", 4),
    ]


@pytest.mark.full
def test_a_club_that_alternates_says_so_once(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, pairs = kinds
    page = desk_of(club).get(asked(kind=alone.pk, turns=pairs.pk))
    days = page.context["days"]
    assert [days[f"kind_{row.date}"].value() for row in days.rows] == [
        *(alone.pk, pairs.pk, alone.pk, alone.pk, alone.pk, pairs.pk),
    ], "the holidays of 25 December and 1 January take no turn"


@pytest.mark.full
def test_a_name_is_given_once(club: Club, kinds: tuple[EveningKind, EveningKind]) -> None:
    desk, (alone, _pairs) = desk_of(club), kinds
    here = f"{DESK}kinds/{alone.pk}/"
    again = desk.post(here, {"title": "koppel"})
    assert again.context["form"].errors == {"title": ["Er is al een soort avond met deze naam."]}
    desk.post(here, {"title": "Vrij"})
    alone.refresh_from_db()
    assert alone.name == "Vrij"


def test_a_kind_that_is_taken_away_leaves_its_evenings(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, pairs = kinds
    evening = EveningFactory.create(club=club, kind=alone)
    desk = desk_of(club)
    assert "De soort “Individueel” weghalen?" in words(desk.get(f"{DESK}kinds/{alone.pk}/delete/"))
    desk.post(f"{DESK}kinds/{alone.pk}/delete/")
    evening.refresh_from_db()
    assert (evening.kind, [*EveningKind.objects.all()]) == (None, [pairs])
    kind_remove(kind=alone, actor=TESTS)


def test_no_kind_or_regulation_of_another_club(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    other = ClubFactory.create(slug="zilver", name="Zilver")
    foreign = kind_of(EveningFactory.create(club=other), "Vreemd")
    desk = desk_of(club)
    assert desk.get(f"{DESK}evenings/new/?kind={foreign.pk}").status_code == 404
    page = desk.post(f"{DESK}evenings/new/", plan(kind=foreign.pk))
    assert [*page.context["form"].errors] == ["kind"]
    with pytest.raises(DomainError):
        EveningFactory.create(club=club, kind=foreign)
    with pytest.raises(DomainError):
        kind_add(club=club, name="X", start=start_of_kind(foreign), actor=TESTS)


SATURDAY = dt.date(2026, 11, 21)
AT_SIX = timezone.make_aware(dt.datetime(2026, 11, 19, 18, 0))  # noqa: DTZ001


def entries_of(date: dt.date) -> tuple[Any, ...]:
    known = EntryList.objects.get(evening__date=date)
    end = known.deadline and timezone.localtime(known.deadline).isoformat()[:16]
    return known.kind, known.is_open, known.maximum, known.keep_days, known.walk_ins, end


@pytest.mark.full
def test_the_next_of_a_kind_takes_entries_as_the_last_one_did(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    _alone, pairs = kinds
    last = EveningFactory.create(club=club, date=SATURDAY, kind=pairs, method="pairs")
    open_entries(last, kind="pair", maximum=24, keep_days=30, walk_ins=True, deadline=AT_SIX)
    desk = desk_of(club)
    assert (
        "Inschrijven kan op de pagina van de avond: paren van twee, ten hoogste 24, tot 18.00"
        " uur, 2 dagen vooraf." in words(desk.get(f"{DESK}kinds/"))
    )
    desk.post(f"{DESK}evenings/new/?kind={pairs.pk}", plan(date="2026-12-05", kind=pairs.pk))
    made = ("pair", True, 24, 30, True)
    assert entries_of(dt.date(2026, 12, 5)) == (*made, "2026-12-03T18:00")
    # And a whole series of that kind.
    page = desk.get(asked(kind=pairs.pk))
    chosen = {f"kind_{row.date}": str(pairs.pk) for row in page.context["days"].rows}
    desk.post(asked(kind=pairs.pk), sent(page, **chosen))
    planned = EntryList.objects.filter(evening__date__gt=dt.date(2026, 12, 5))
    assert planned.count() == 3
    assert entries_of(dt.date(2026, 12, 11)) == (*made, "2026-12-09T18:00")


@pytest.mark.full
def test_a_kind_that_is_made_of_an_evening_keeps_its_entries(club: Club) -> None:
    like = EveningFactory.create(club=club, date=SATURDAY)
    open_entries(like, maximum=40)
    kind = kind_of(like, "Drive")
    start = start_of_kind(EveningKind.objects.get(pk=kind.pk))
    assert start.entries == EntriesStart(is_open=True, maximum=40)
    assert kind.settings["entries"]["maximum"] == 40
    wrong: list[Any] = [{"maximum": 0}, {"kind": "horde"}, {"x": 1}, {"days_before": -1}, []]
    for bad in wrong:
        with pytest.raises(ValueError):  # noqa: PT011
            parse_kind({"entries": bad})


def test_later_evenings_follow_but_those_somebody_entered_for(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, _pairs = kinds
    days = [SATURDAY + dt.timedelta(weeks=week) for week in range(3)]
    first, second, third = (EveningFactory.create(club=club, date=day, kind=alone) for day in days)
    open_entries(second)
    enter(second, "Jan Bakker")
    open_entries(first, maximum=12, deadline=AT_SIX)
    desk = desk_of(club)
    page = words(desk.get(f"{DESK}evenings/2026-11-21/later/"))
    assert "1 latere avond spelen zoals deze?" in page
    desk.post(f"{DESK}evenings/2026-11-21/later/")
    assert entries_of(days[1])[2] is None
    assert entries_of(days[2])[2:] == (12, 14, False, "2026-12-03T18:00")
    assert second.entries.count() == 1
    assert third.entries.count() == 0


def test_a_series_is_taken_back_but_for_what_somebody_entered_for(club: Club) -> None:
    series = uuid.uuid4()
    for week in range(2):
        EveningFactory.create(club=club, date=SATURDAY + dt.timedelta(weeks=week))
    Evening.objects.update(series=series)
    enter(Evening.objects.get(date=SATURDAY), "Jan Bakker")
    desk_of(club).post(f"{DESK}planner/{series}/")
    assert [evening.date for evening in Evening.objects.all()] == [SATURDAY]


@pytest.mark.full
def test_a_deleted_evening_says_who_entered_and_comes_back_with_its_entries_open(
    club: Club,
) -> None:
    evening = EveningFactory.create(club=club, date=SATURDAY)
    open_entries(evening, maximum=12, deadline=AT_SIX)
    enter(evening, "Jan Bakker")
    desk = desk_of(club)
    page = words(desk.get(f"{DESK}evenings/2026-11-21/delete/"))
    assert "1 inschrijving gaat ook voorgoed weg." in page
    desk.post(f"{DESK}evenings/2026-11-21/delete/")
    gone = DeletedEvening.objects.get()
    desk.post(f"{DESK}evenings/deleted/", {"evening": gone.pk})
    assert entries_of(SATURDAY) == ("player", True, 12, 14, False, "2026-11-19T18:00")
    assert not Evening.objects.get().entries.exists()


@pytest.mark.full
def test_programs_read_the_kinds(club: Club, kinds: tuple[EveningKind, EveningKind]) -> None:
    alone, _pairs = kinds
    EveningFactory.create(club=club, kind=alone)
    api = Caller(organiser_of(club), "/api/v1/clubs/vrolijke-boer/")
    read = api.get("kinds/")["results"]
    assert [(kind["name"], kind["settings"]["method"]) for kind in read] == [
        ("Individueel", "rotation"),
        ("Koppel", "pairs"),
    ]
    assert api.get("evenings/2026-11-21/")["kind"] == {"id": alone.pk, "name": "Individueel"}
    assert Caller(None, "/api/v1/clubs/vrolijke-boer/").send("GET", "kinds/").status_code == 401


def test_programs_set_a_kind(club: Club, kinds: tuple[EveningKind, EveningKind]) -> None:
    alone, pairs = kinds
    foreign = kind_of(EveningFactory.create(club=ClubFactory.create(slug="zilver")), "Vreemd")
    api = Caller(organiser_of(club), "/api/v1/clubs/vrolijke-boer/")
    made = {"date": "2026-12-05", "preset": "rotterdam", "kind": alone.pk}
    assert api.ask("POST", "evenings/", made, status=201)["kind"]["name"] == "Individueel"
    here = "evenings/2026-12-05/"
    changed = []
    for given in ({"kind": pairs.pk}, {"missed_score": 100}, {"kind": None}):
        version = api.get(here)["version"]
        changed.append(api.ask("PATCH", here, {**given, "version": version})["kind"])
    assert changed == [{"id": pairs.pk, "name": "Koppel"}] * 2 + [None]
    version = api.get(here)["version"]
    refused = api.ask("PATCH", here, {"kind": foreign.pk, "version": version}, status=422)
    assert (refused["code"], refused["errors"][0]["field"]) == ("unknown_kind", "kind")


@pytest.mark.full
@pytest.mark.parametrize(
    "settings",
    [
        [],
        {"pk": 1},
        {"method": "poker"},
        {"rounds_planned": 0},
        {"rounds_planned": "veel"},
        {"starts_at": "laat"},
        {"tie_breaks": ["poker"]},
        {"prizes": {"kind": "x"}},
    ],
)
def test_settings_that_are_none_are_refused(settings: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_kind(settings)


def test_the_settings_of_an_evening_come_back_as_they_were(club: Club) -> None:
    evening = EveningFactory.create(club=club, method="lottery", starts_at=dt.time(19, 30))
    start = start_of(evening)
    again = start_of(parse_kind(start.settings))
    assert (again.plan, again.rules, again.prizes) == (start.plan, start.rules, start.prizes)
    assert regulation_of(club) == start.regulation
