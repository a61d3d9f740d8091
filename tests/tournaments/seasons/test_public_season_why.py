"""Why somebody stands where he does in a season, and what one evening more would do."""

import datetime as dt
from io import BytesIO

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, evening_with_draw
from tests.tournaments.public_pages import close_evening, get, rows, speak_english, words
from tournaments.imports.results import results_import
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db

SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026", actor=TESTS)


def ruled(season: Season, name: str = "Klassement", **settings: object) -> None:
    season_rule_add(season=season, name=name, settings=settings, actor=TESTS)


def played(season: Season, *points: int) -> None:
    """Closed evenings of four people, a week apart from 21 November. Jan and Piet took so many of
    162, and Mia and Truus the rest, in the one deal of each evening."""
    for week, ns in enumerate(points):
        evening = evening_with_draw(
            players=4,
            club=season.club,
            season=season,
            date=SATURDAY + dt.timedelta(weeks=week),
            method=Evening.Method.TYPED_IN,
        )
        close_evening(evening, ns=ns)


def path(page: str, number: int, more: str = "") -> str:
    member = Member.objects.get(club__slug="vrolijke-boer", number=number)
    return f"/clubs/vrolijke-boer/seasons/2026/{page}/{member.pk}/{more}"


@pytest.mark.full
def test_why_tells_of_each_evening_whether_it_counts(client: Client, season: Season) -> None:
    ruled(season, best_per_period=2)
    played(season, 100, 85, 90)
    page = get(client, path("why", 1))
    assert rows(page) == [
        ["21 nov 2026 telt mee", "100"],
        ["28 nov 2026 weggestreept: er zijn genoeg betere", "(85)"],
        ["5 dec 2026 telt mee", "90"],
    ]
    text = words(page)
    assert "Waarom staat Jan Bakker op plaats 1?" in text
    assert "100 + 90 = 190" in text
    assert "Alles opgeteld 275" in text
    assert "Zij staan gelijk: Jan Bakker, Piet Visser." in text
    assert "De plaats wordt dus gedeeld met Piet Visser." in text
    assert "Wat de plaats bepaalt 149 · 41 achter de koploper" in words(get(client, path("why", 2)))


def test_why_tells_what_decided_a_tie(client: Client, season: Season) -> None:
    ruled(season, tie_breaks=["pits", "best_round", "lot"])
    played(season, 100)
    season_page = get(client, "/clubs/vrolijke-boer/seasons/2026/")
    first, second = (row[1] for row in rows(season_page)[:2])
    assert {first, second} == {"Jan Bakker", "Piet Visser"}
    text = words(get(client, path("why", 1)))
    assert f"Het vaakst pit: {first} 0, {second} 0" in text
    assert f"De hoogste ronde: {first} 100, {second} 100" in text
    assert f"gaf deze volgorde: {first}, {second}" in text
    assert "gedeeld" not in text


@pytest.mark.full
def test_why_names_the_best_evening_that_broke_a_tie(client: Client, season: Season) -> None:
    ruled(season, tie_breaks=["best_evening"])
    lines = ["date,player,score,absence", "2026-01-03,Aad,5100,", "2026-01-10,Aad,5200,"]
    lines += ["2026-01-03,Bep,5300,", "2026-01-10,Bep,5000,"]
    source = BytesIO("\n".join(lines).encode())
    results_import(club=season.club, season_name="2026", source=source, actor=TESTS)
    aad = Member.objects.get(name="Aad")
    text = words(get(client, f"/clubs/vrolijke-boer/seasons/2026/why/{aad.pk}/"))
    assert "Waarom staat Aad op plaats 2?" in text
    assert "De hoogste avond: Bep 5.300, Aad 5.200" in text


@pytest.mark.full
def test_why_divides_where_the_mean_is_what_matters(client: Client, season: Season) -> None:
    ruled(season, aggregate="mean_per_evening", minimum_evenings=3)
    played(season, 100, 85)
    text = words(get(client, path("why", 1)))
    assert "Waarom heeft Jan Bakker nog geen plaats?" in text
    assert "er is nog 1 avond nodig" in text
    assert "100 + 85 = 185; 185 gedeeld door 2 avonden = 92,50" in text


def test_why_tells_of_periods(client: Client, season: Season) -> None:
    # Of the first period 100 and of the second the better of 85 and 90; the better period: 100.
    ruled(
        season,
        periods=[["2026-11-21", "2026-11-21"], ["2026-11-28", "2026-12-31"]],
        best_per_period=1,
        best_periods=1,
    )
    played(season, 100, 85, 90)
    page = get(client, path("why", 1))
    assert rows(page) == [
        ["21 nov 2026 telt mee", "100"],
        ["28 nov 2026 weggestreept: er zijn genoeg betere", "(85)"],
        ["5 dec 2026 valt af: de periode hoort niet bij de beste", "(90)"],
    ]
    assert rows(page, table=1) == [
        ["21 november – 21 november telt mee", "1", "100"],
        ["28 november – 31 december telt niet mee", "1", "(90)"],
    ]


@pytest.mark.full
def test_why_tells_of_absences(client: Client, season: Season) -> None:
    ruled(season, absence={"with_notice": 95})
    lines = [
        "evening,player,score,absence",
        "2026-01-03,Aad,100,",
        "2026-01-10,Aad,,none",
        "2026-01-17,Aad,,notice",
    ]
    source = BytesIO("\n".join(lines).encode())
    results_import(club=season.club, season_name="2026", source=source, actor=TESTS)
    aad = Member.objects.get(name="Aad")
    page = get(client, f"/clubs/vrolijke-boer/seasons/2026/why/{aad.pk}/")
    assert rows(page) == [
        ["3 jan 2026 telt mee", "100"],
        ["10 jan 2026 weggebleven zonder bericht: telt mee en kan niet worden weggestreept", "0"],
        ["17 jan 2026 afgemeld: telt mee", "95"],
    ]
    assert "100 + 0 + 95 = 195" in words(page)


def test_next_tells_which_score_drops_and_from_how_many_points_it_helps(
    client: Client, season: Season
) -> None:
    ruled(season, best_per_period=2)
    played(season, 100, 85, 90)
    EveningFactory.create(club=season.club, season=season, date=dt.date(2026, 12, 12))
    page = get(client, path("next", 2))
    text = words(page)
    # Mia has 62, 77 and 72: 77 and 72 are 149. Jan and Piet have 190: 77 + 113 is 190 too. The
    # best evening of anybody is 100, and with a quarter more than that nobody reckons.
    assert "Nu: plaats 3 met 149. De volgende avond is zaterdag 12 december." in text
    assert "Met een betere score valt de avond van 5 december af: 72 punten." in text
    assert "Vanaf 73 punten wordt het beter; met minder verandert er niets." in text
    assert rows(page) == [
        ["70 een gemiddelde avond", "149", "3"],
        ["73 vanaf hier helpt het", "150", "3"],
        ["77 de beste avond tot nu toe", "154", "3"],
        ["113 voor plaats 2, voor de eerste plaats", "190", "1"],
    ]


@pytest.mark.full
def test_next_works_out_what_is_asked(client: Client, season: Season) -> None:
    ruled(season, best_per_period=2)
    played(season, 100, 85)
    EveningFactory.create(club=season.club, season=season, date=dt.date(2026, 12, 12))
    text = words(get(client, path("next", 2, "?points=1.120")))
    assert "Met 1.120 punten wordt het 1.197 . Dat is plaats 1 , zoals de anderen nu staan." in text
    for odd in ("veel", "-3", "100000"):
        text = words(get(client, path("next", 2, f"?points={odd}")))
        assert "Schrijf een heel getal, zoals 4500." in text


@pytest.mark.full
def test_next_says_that_a_mean_can_go_down(client: Client, season: Season) -> None:
    ruled(season, aggregate="mean_per_evening")
    played(season, 100, 90)
    EveningFactory.create(club=season.club, season=season, date=dt.date(2026, 12, 12))
    text = words(get(client, path("next", 1)))
    assert "Er hoeft nog niets af te vallen: de volgende avond komt erbij." in text
    assert "Vanaf 96 punten wordt het beter; met minder gaat het gemiddelde omlaag." in text


@pytest.mark.full
def test_next_passes_over_evenings_that_do_not_count(client: Client, season: Season) -> None:
    ruled(season, excluded=["2026-12-05"])
    played(season, 100)
    for day in (5, 12):
        EveningFactory.create(club=season.club, season=season, date=dt.date(2026, 12, day))
    assert "De volgende avond is zaterdag 12 december." in words(get(client, path("next", 1)))


@pytest.mark.full
def test_next_outside_the_periods_says_so(client: Client, season: Season) -> None:
    ruled(season, periods=[["2026-11-01", "2026-11-30"]])
    played(season, 100)
    EveningFactory.create(club=season.club, season=season, date=dt.date(2026, 12, 12))
    assert "die valt buiten de perioden" in words(get(client, path("next", 1)))


@pytest.mark.full
def test_next_has_nothing_to_say_where_points_do_not_matter_or_the_season_is_over(
    client: Client, season: Season
) -> None:
    ruled(season, "Pitten", rank_by="pits")
    ruled(season, "Punten")
    played(season, 100)
    assert "bepalen niet de punten van een avond de plaats" in words(get(client, path("next", 1)))
    Season.objects.update(ends=SATURDAY)
    assert "Dit seizoen is voorbij" in words(get(client, path("next", 1, "?standing=2")))


@pytest.mark.full
def test_without_a_planned_evening_the_next_one_is_like_the_last(
    client: Client, season: Season
) -> None:
    ruled(season)
    played(season, 100)
    text = words(get(client, path("next", 1)))
    assert "Elk punt telt." in text
    assert "De volgende avond is" not in text


@pytest.mark.full
@pytest.mark.parametrize("page", ["why", "next"])
def test_both_keep_to_the_standing_that_was_asked_for(
    client: Client, season: Season, page: str
) -> None:
    ruled(season, "Alles")
    ruled(season, "Beste", best_per_period=1)
    played(season, 100, 90)
    found = get(client, path(page, 1, "?standing=2"))
    assert "De beste van de 2 avonden telt." in words(found)
    assert "/seasons/2026/?standing=2" in found.content.decode()


@pytest.mark.full
@pytest.mark.parametrize("page", ["why", "next"])
def test_who_has_no_line_or_wants_no_page_is_not_found(
    client: Client, season: Season, page: str
) -> None:
    played(season, 100)
    MemberFactory.create(club=season.club)
    Member.objects.filter(number=2).update(public_as=Member.PublicAs.HIDDEN)
    assert [client.get(path(page, number)).status_code for number in (1, 2, 5)] == [200, 404, 404]
    assert client.get(path(page, 1, "?standing=9")).status_code == 404


@pytest.mark.full
def test_names_are_those_that_the_public_reads(client: Client, season: Season) -> None:
    played(season, 100)
    Member.objects.filter(number=3).update(public_as=Member.PublicAs.HIDDEN)
    Member.objects.filter(number=1).update(public_name="J.")
    page = words(get(client, path("why", 1)))
    assert "Waarom staat J. op plaats 1?" in page
    assert "Visser" not in page


@pytest.mark.full
@pytest.mark.parametrize("page", ["why", "next"])
def test_both_speak_english_to_who_asks(client: Client, season: Season, page: str) -> None:
    played(season, 100)
    speak_english(client)
    asked = {
        "why": "Why does Jan Bakker stand in place 1?",
        "next": "What if Jan Bakker plays the next evening?",
    }
    assert asked[page] in words(get(client, path(page, 1)))


@pytest.mark.parametrize("evenings", [1, 3])
def test_more_evenings_cost_no_more_queries(
    client: Client,
    season: Season,
    django_assert_num_queries: DjangoAssertNumQueries,
    evenings: int,
) -> None:
    ruled(season)
    played(season, *[90] * evenings)
    why, following = path("why", 1), path("next", 1)
    with django_assert_num_queries(9):
        get(client, why)
    with django_assert_num_queries(8):
        get(client, following)
