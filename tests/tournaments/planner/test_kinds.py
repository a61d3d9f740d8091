"""Kinds of evening: a club that plays in more than one way gets the right one."""

import datetime as dt
from typing import Any

import pytest
import time_machine

from clubs.models import Club
from clubs.text.errors import DomainError
from tests.api.caller import Caller
from tests.factories import TESTS, ClubFactory, EveningFactory, organiser_of, regulation_of
from tests.tournaments.desk import desk_of, text
from tests.tournaments.desk.test_desk_evenings import plan
from tests.tournaments.planner.test_planner import asked, sent
from tests.tournaments.public_pages import words
from tournaments.evenings.kinds import kind_add, kind_remove, parse_kind, start_of, start_of_kind
from tournaments.models import Evening, EveningKind

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


def test_without_kinds_the_forms_do_not_speak_of_them(club: Club) -> None:
    page = desk_of(club).get(f"{DESK}evenings/new/")
    assert "Soort avond" not in words(page)
    assert "kind" not in page.context["form"].fields


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


def test_a_club_that_alternates_says_so_once(
    club: Club, kinds: tuple[EveningKind, EveningKind]
) -> None:
    alone, pairs = kinds
    page = desk_of(club).get(asked(kind=alone.pk, turns=pairs.pk))
    days = page.context["days"]
    assert [days[f"kind_{row.date}"].value() for row in days.rows] == [
        *(alone.pk, pairs.pk, alone.pk, alone.pk, alone.pk, pairs.pk),
    ], "the holidays of 25 December and 1 January take no turn"


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
