"""Every operation of the API, asked for what its description allows and for what it does not: never
a fault of the server, and never an answer that the description does not name."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker, Settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from clubs.models import Club, Member
from tests.api.caller import secret_of
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    organiser_of,
    table,
    write_deal,
)
from tests.tournaments.leagues import division_of, league_of, play
from tests.tournaments.one_round import one_deal, seated
from tournaments.closing.services import evening_cancel
from tournaments.draw.services import draw_make, draw_publish
from tournaments.duplicate.night_results import release_make
from tournaments.duplicate.nights import night_make
from tournaments.leagues.lineups import captain_link_make, captain_secret, line_up_write
from tournaments.leagues.people import link_code, number_elsewhere_write, person_link_make
from tournaments.leagues.pulling import pull_link_make, source_add
from tournaments.leagues.season_end import penalty_give
from tournaments.leagues.services import division_add, leader_add
from tournaments.models import Evening, LeagueMatch, LeagueRanking, LeagueTeam, MatchDay
from tournaments.money.services import fee_year_open
from tournaments.registration.check_in import presence_replace
from tournaments.seasons.services import season_ensure

# The properties of hypothesis, of which a soak takes eighty times as many examples.
pytestmark = [pytest.mark.django_db, pytest.mark.hypothesis]

TAGS = (
    *("clubs", "members", "seasons", "evenings", "registrations"),
    *("draw", "rounds", "tables", "deals", "score", "money", "leagues"),
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    allow_header_conformance,
]
EXAMPLES = 6
SATURDAY = dt.date(2026, 11, 21)


@cache
def operations() -> dict[str, list[Any]]:
    """Every operation by the chapter it stands in, as the server tells programs."""
    schema = schemathesis.openapi.from_dict(Client().get("/api/schema/").json())
    schema.app = get_wsgi_application()
    found: dict[str, list[Any]] = defaultdict(list)
    each: Iterable[Any] = schema.get_all_operations()
    for operation in (one.ok() for one in each):
        found[operation.tags[0]].append(operation)
    return dict(found)


@pytest.fixture(autouse=True)
def _connection_kept() -> Iterator[None]:
    """A server lets its connection go between requests, and the transaction of the test with it."""
    operations()  # by the client of Django, which connects the signals anew
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def places(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, list[Any]]]:
    """What in an address leads to something of a club that is made once: each test works in a
    savepoint, which is taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield _club_made()
        transaction.set_rollback(True)


def _club_made() -> dict[str, list[Any]]:
    """A club with an evening in each state: what in an address leads to something of it."""
    season = season_ensure(club=ClubFactory.create(), name="2026", actor=TESTS)
    fee_year_open(club=season.club, year=2027, actor=TESTS)
    one_deal(season, 0, "1234", ns=90)
    running = seated(season, 1, "12345678", deals_per_round=2)
    write_deal(table(running), 1, roem={"NS": [20]})
    for week, act in enumerate((_draft, _final, _cancel), start=2):
        act(EveningFactory.create(club=season.club, date=SATURDAY + dt.timedelta(weeks=week)))
    return {
        "slug": [season.club.slug],
        "season_slug": [season.slug],
        "evening_slug": [running.slug, *(evening.slug for evening in Evening.objects.all())],
        "id": [member.pk for member in Member.objects.all()[:2]],
        "pk": [1],
        "person": [1],
        "number": [1, 2],
        "round_number": [1],
        "table_number": [1, 2],
        "year": [2026, 2027],
        **_league_made(season.club),
    }


def _league_made(club: Club) -> dict[str, list[Any]]:
    """A league of the club's organiser with fixtures and a result, and a division without."""
    league = league_of(club=club)
    division = division_of(league)
    play(division, "De Azen", "Boeren", (1400, 1300), (1400, 1300))
    empty = division_add(season=division.season, name="2", actor=TESTS)
    LeagueTeam.objects.filter(name="Negens").update(club_uuid=club.uuid)
    team = division.teams.select_related("division__season__league").get(name="Negens")
    link = captain_link_make(team=team, actor=TESTS)
    match = LeagueMatch.objects.filter(scores=[], home=team) | LeagueMatch.objects.filter(
        scores=[], away=team
    )
    line_up = line_up_write(
        match=match.select_related(
            "home__division", "away__division", "day__division__season__league"
        )[0],
        side="home" if match[0].home_id == team.pk else "away",
        people=["A", "B", "C", ""],
        version=0,
        actor=TESTS,
    )
    member = Member.objects.filter(club=club)[0]
    own = person_link_make(league=league, member=member, actor=TESTS)
    LeagueRanking.objects.create(league=league, name="x", slug="x", family="rotterdam-16")
    days = MatchDay.objects.all()
    penalty = penalty_give(team=team, points=Decimal(1), reason="x", actor=TESTS)
    source = source_add(league=league, address="https://klaver.example/x/", actor=TESTS)
    pull_link = pull_link_make(club=club, league="elders", actor=TESTS).link
    number = number_elsewhere_write(
        member=member, league="elders", number=7, code="AAAAA-AAAAA", actor=TESTS
    )
    night = night_make(league=league, name="x", date=SATURDAY, clubs=2, folders=6, actor=TESTS)
    release_make(night, TESTS)
    leader = leader_add(league=league, email="bea@example.org", actor=TESTS)
    return {
        "league": [league.slug],
        "leader": [leader.pk],
        "link": [pull_link.pk],
        "number_pk": [number.pk],
        "penalty": [penalty.pk],
        "source": [source.pk],
        "league_season": [division.season.slug],
        "division": [division.pk, empty.pk],
        "team": [team.pk for team in division.teams.all()[:2]],
        "day": [day.pk for day in days],
        "match": [match.pk for match in days[0].matches.all()[:2]],
        "line_up": [line_up.pk],
        "captain": [captain_secret(link)],
        "uuid": [str(own.uuid)],
        "code": [link_code(own)],
        "ranking": ["x"],
        "night": [night.pk],
    }


def _draft(evening: Evening) -> None:
    people = list(Member.objects.all())
    presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)


def _final(evening: Evening) -> None:
    _draft(evening)
    draw_publish(evening_id=evening.pk, actor=TESTS)


def _cancel(evening: Evening) -> None:
    evening_cancel(evening_id=evening.pk, actor=TESTS)


@pytest.mark.each_case
@pytest.mark.parametrize("tag", TAGS)
def test_every_answer_is_one_that_is_described(
    tag: str, places: dict[str, list[Any]], settings: Settings
) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 10**9)
    secret = secret_of(organiser_of(Club.objects.get()))
    for operation in operations()[tag]:
        _try(operation, places, secret)


def test_every_chapter_is_tried() -> None:
    assert set(operations()) == set(TAGS)


def _try(operation: Any, places: dict[str, list[Any]], secret: str) -> None:
    """Ask for it in many ways; whatever that writes is taken back."""

    @settings(
        max_examples=_examples(),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=_cases(operation, places), known=st.sampled_from([True, True, True, False]))
    def answers_as_described(case: Any, known: bool) -> None:
        headers = {"Accept-Encoding": "identity"}
        if known:
            headers["Authorization"] = f"Token {secret}"
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        case.validate_response(answer, checks=CHECKS)

    answers_as_described()


def _cases(operation: Any, places: dict[str, list[Any]]) -> st.SearchStrategy[Any]:
    """What it may be asked, of things that are there; and what it may not be asked."""
    names = [
        one["name"] for one in operation.definition.raw.get("parameters", ()) if one["in"] == "path"
    ]
    there = st.fixed_dictionaries({name: st.sampled_from(places[name]) for name in names})
    positive, negative = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
    asked = [there.flatmap(_of_them(operation, mode)) for mode in [positive] * 3 + [negative]]
    return st.one_of(*asked, operation.as_strategy(negative))


def _of_them(operation: Any, mode: GenerationMode) -> Callable[[Any], st.SearchStrategy[Any]]:
    def cases(there: Any) -> st.SearchStrategy[Any]:
        strategy: st.SearchStrategy[Any] = operation.as_strategy(mode, path_parameters=there)
        return strategy

    return cases


def _examples() -> int:
    """So many of each operation in the suite, and as many times more in a soak."""
    most = settings.default.max_examples if settings.default else 50
    return max(2, EXAMPLES * most // 50)
