"""Seasons and their standings through the API."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_change
from clubs.models import Club, Member
from tests.api.caller import Caller, new_key
from tests.api.problems import not_found, problem
from tests.factories import TESTS, ClubFactory, director_of, evening_with_draw, organiser_of
from tests.tournaments.public_pages import close_evening
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db
nobody = Caller(None)
SEASONS = "clubs/vrolijke-boer/seasons/"
SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def organiser(club: Club) -> Caller:
    return Caller(organiser_of(club))


def season_of(club: Club, name: str = "2026", **dates: Any) -> Season:
    return season_create(club=club, name=name, fee=1750, actor=TESTS, **dates)


def played(season: Season, *points: int) -> list[Evening]:
    """Closed evenings of four people, a week apart; NS took so many of 162 in the only deal."""
    evenings = []
    for week, ns in enumerate(points):
        evening = evening_with_draw(
            players=4,
            club=season.club,
            season=season,
            date=SATURDAY + dt.timedelta(weeks=week),
            method=Evening.Method.TYPED_IN,
        )
        close_evening(evening, ns=ns)
        evenings.append(evening)
    return evenings


def shown(**other: Any) -> dict[str, Any]:
    return {
        "slug": "2026",
        "name": "2026",
        "starts": None,
        "ends": None,
        "live": False,
        "standings": [],
    } | other


def without_version(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "version"}


def test_anybody_reads_which_seasons_there_are_newest_first(club: Club) -> None:
    season_of(club, starts=SATURDAY)
    rule = season_rule_add(
        season=season_of(club, "2027", starts=dt.date(2027, 9, 1), ends=dt.date(2028, 6, 1)),
        name="Klassement",
        settings={"best_per_period": 2},
        actor=TESTS,
    )
    season_of(ClubFactory.create(), "Elders")
    answer = nobody.get(SEASONS)
    own = {"number": 1, "name": "Klassement", "settings": rule.settings}
    standings = [own | {"changed_on": None, "reason": ""}]
    assert answer["count"] == 2
    assert [without_version(season) for season in answer["results"]] == [
        shown(
            slug="2027", name="2027", starts="2027-09-01", ends="2028-06-01", standings=standings
        ),
        shown(starts="2026-11-21"),
    ]


@pytest.mark.full
def test_only_the_organiser_reads_the_fee(club: Club, organiser: Caller) -> None:
    season_of(club)
    assert without_version(organiser.get(f"{SEASONS}2026/")) == shown(fee=1750)
    assert organiser.get(SEASONS)["results"][0]["fee"] == 1750
    for other in (nobody, Caller(director_of(club))):
        assert without_version(other.get(f"{SEASONS}2026/")) == shown()
        assert "fee" not in other.get(SEASONS)["results"][0]


def test_the_list_takes_four_queries_however_many_there_are(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season_of(club)
    nobody.get(SEASONS)
    with django_assert_num_queries(4):
        nobody.get(SEASONS)
    season_of(club, "2027")
    season_of(club, "2028")
    with django_assert_num_queries(4):
        assert nobody.get(SEASONS)["count"] == 3


@pytest.mark.full
def test_a_season_is_added_once(organiser: Caller) -> None:
    sent, key = {"name": " 2026  2027 ", "starts": "2026-09-01", "fee": 1750}, new_key()
    made = organiser.post(SEASONS, sent, status=201, idempotency_key=key)
    assert without_version(made) == shown(
        slug="2026-2027", name="2026 2027", starts="2026-09-01", fee=1750
    )
    assert organiser.post(SEASONS, sent, status=201, idempotency_key=key) == made
    assert organiser.post(SEASONS, sent, status=422) == problem(
        422, "season_exists", "There is already a season called 2026 2027."
    )


def test_a_season_is_changed_by_who_saw_it_as_it_stands(club: Club, organiser: Caller) -> None:
    season_of(club)
    tag = organiser.send("GET", f"{SEASONS}2026/").headers["ETag"]
    changed = organiser.ask("PATCH", f"{SEASONS}2026/", {"ends": "2027-06-01"}, if_match=tag)
    assert without_version(changed) == shown(ends="2027-06-01", fee=1750)
    late = organiser.ask("PATCH", f"{SEASONS}2026/", {"name": "X"}, if_match=tag, status=409)
    message = "Somebody else changed this in the meantime."
    assert late == problem(409, "version_conflict", message, current=changed)


def test_what_cannot_be_is_refused(club: Club, organiser: Caller) -> None:
    season_of(club, starts=SATURDAY)
    version = organiser.get(f"{SEASONS}2026/")["version"]
    sent = {"ends": "2026-01-01", "version": version}
    assert organiser.ask("PATCH", f"{SEASONS}2026/", sent, status=422) == problem(
        422, "season_dates", "The last day must not be before the first day."
    )
    faults = organiser.post(SEASONS, {"starts": "soon", "fee": -1}, status=422)
    assert [(error["field"], error["code"]) for error in faults["errors"]] == [
        ("name", "required"),
        ("starts", "invalid"),
        ("fee", "min_value"),
    ]


def test_a_season_of_another_club_is_not_there(organiser: Caller) -> None:
    season_of(ClubFactory.create(), "Elders")
    assert organiser.get(f"{SEASONS}elders/", status=404) == not_found()
    sent = {"name": "X", "version": "x"}
    assert organiser.ask("PATCH", f"{SEASONS}elders/", sent, status=404) == not_found()
    assert nobody.get(f"{SEASONS}elders/standings/", status=404) == not_found()


@pytest.mark.full
def test_the_standing_is_what_the_page_shows(club: Club) -> None:
    season = season_of(club)
    season_rule_add(season=season, name="Klassement", settings={"best_per_period": 2}, actor=TESTS)
    season_rule_add(season=season, name="Alles", settings={}, actor=TESTS)
    played(season, 100, 85, 90)
    dates = ["2026-11-21", "2026-11-28", "2026-12-05"]
    ids = dict(Member.objects.of(club).values_list("name", "pk"))

    def line(rank: int, name: str, counted: int, scores: list[int], drop: int) -> Any:
        return {
            "rank": rank,
            "member": ids[name],
            "player": name,
            "competitor": None,
            "total": sum(scores),
            "counted": counted,
            "evenings": 3,
            "average": counted / 2,
            "pits": 0,
            "by_date": {
                date: {"score": score, "dropped": place == drop}
                for place, (date, score) in enumerate(zip(dates, scores, strict=True))
            },
        }

    answer = nobody.get(f"{SEASONS}2026/standings/")
    assert answer == {
        "count": 4,
        "next": None,
        "previous": None,
        "results": [
            line(1, "Jan Bakker", 190, [100, 85, 90], 1),
            line(1, "Piet Visser", 190, [100, 85, 90], 1),
            line(3, "Mia van der Meer", 149, [62, 77, 72], 0),
            line(3, "Truus de Vries", 149, [62, 77, 72], 0),
        ],
    }
    second = nobody.get(f"{SEASONS}2026/standings/?standing=2&page_size=1")
    assert (second["count"], second["results"][0]["counted"]) == (4, 275)
    assert second["next"] == (
        "/api/v1/clubs/vrolijke-boer/seasons/2026/standings/?standing=2&page_size=1&page=2"
    )
    for wrong in ("3", "0", "x"):
        path = f"{SEASONS}2026/standings/?standing={wrong}"
        assert nobody.get(path, status=404) == not_found()


@pytest.mark.full
def test_who_is_not_to_be_read_about_has_no_name_and_no_number(club: Club) -> None:
    season = season_of(club)
    played(season, 100)
    jan = Member.objects.get(name="Jan Bakker")
    before = nobody.send("GET", f"{SEASONS}2026/standings/")
    member_change(
        member=jan,
        seen_version=1,
        name=jan.name,
        number=1,
        kind="member",
        public_as="hidden",
        actor=TESTS,
    )
    after = nobody.send("GET", f"{SEASONS}2026/standings/", if_none_match=before.headers["ETag"])
    assert after.status_code == 200
    line = next(row for row in after.json()["results"] if row["player"] == "Anonymous")
    assert (line["member"], line["total"]) == (None, 100)
    assert b"Bakker" not in after.content


@pytest.mark.full
def test_the_standing_has_a_tag_that_follows_what_is_played(club: Club) -> None:
    season = season_of(club)
    played(season, 100)
    path = f"{SEASONS}2026/standings/"
    tag = nobody.send("GET", path).headers["ETag"]
    assert nobody.send("GET", path, if_none_match=tag).status_code == 304
    close_evening(
        evening_with_draw(players=4, club=club, season=season, date=SATURDAY.replace(day=28))
    )
    assert nobody.send("GET", path, if_none_match=tag).status_code == 200


def test_an_unchanged_standing_takes_six_queries(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries, time_machine: Any
) -> None:
    """Within a minute: the first request of the next one takes its portion of the limit."""
    season = season_of(club)
    played(season, 100, 90, 85)
    time_machine.move_to(timezone.now(), tick=False)
    path = f"{SEASONS}2026/standings/"
    tag = nobody.send("GET", path).headers["ETag"]
    with django_assert_num_queries(6):
        nobody.send("GET", path, if_none_match=tag)
