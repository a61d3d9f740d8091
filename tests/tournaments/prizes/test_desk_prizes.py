"""The prizes of an evening and of a season: chosen, taken over, read out."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, director_of, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.pairs import played_in_pairs
from tournaments.closing.services import evening_close
from tournaments.models import Evening, Season
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.giving import (
    evening_prizes,
    evening_prizes_choose,
    prizes_and_fees_of,
    season_awards,
)
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create, season_prizes_choose, season_rule_add
from tournaments.seasons.standings import season_standings
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

PRIZES = f"{EVENING}prizes/"
EDIT = f"{PRIZES}edit/"
FIRST = dt.date(2026, 11, 14)
SEASON = "/clubs/vrolijke-boer/desk/seasons/2026-2027/prizes/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026-2027", actor=TESTS)


@pytest.fixture
def played(club: Club, season: Season) -> Evening:
    """Nine people, one round of one deal; Lies sits out for 1.600. Table 1: Jan and Piet 120, Mia
    and Truus 42. Table 2: Kees and Henk pit, 262, Annie and Riet 0."""
    evening = evening_with_draw(
        club=club, players=9, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    write_deal(table(evening, 1), 1, points={"NS": 120})
    write_deal(table(evening, 2), 1, points={"NS": 162}, pit="NS")
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def choose(evening: Evening, scheme: PrizeScheme) -> None:
    evening_prizes_choose(evening_id=evening.pk, scheme=scheme, actor=TESTS)


def read_out(page: Any) -> list[tuple[str, str, str]]:
    lines = page.context["lines"]
    return [(line.title, ", ".join(line.names), line.figure) for line in lines]


@pytest.mark.full
def test_the_usual_prizes_are_the_first_three_and_the_poedel(club: Club, played: Evening) -> None:
    page = desk_of(club).get(PRIZES)
    assert read_out(page) == [
        ("Poedelprijs", "Annie Smit-de Boer, Riet van den Berg", "0 punten"),
        ("Plaats 2", "Henk Bos, Kees Mulder", "262 punten"),
        ("De winnaar", "Wim Łuczak", "1.600 punten"),
    ]
    assert "Een prijs voor de eerste 3 plaatsen. En verder: de poedelprijs." in text(page)
    assert "Gelijk: er is voor elk van hen een prijs." in text(page)
    assert "Gelijk: 1 prijs voor 2 mensen. Zij delen hem of loten erom." in text(page)


@pytest.mark.full
def test_side_prizes_are_for_rounds_that_were_played(club: Club, played: Evening) -> None:
    scheme = PrizeScheme("none", poedel=False, sides=("pits", "roem", "last_round", "best_round"))
    choose(played, scheme)
    assert read_out(desk_of(club).get(PRIZES)) == [
        ("Het vaakst pit", "Henk Bos, Kees Mulder", "één keer"),
        ("Beste laatste ronde", "Henk Bos, Kees Mulder", "262 punten"),
        ("Hoogste ronde", "Henk Bos, Kees Mulder", "262 punten"),
    ]


@pytest.mark.full
def test_the_last_round_is_that_of_the_evening(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=3, deals_per_round=1)
    for number, ns in ((1, 120), (2, 100)):
        round_ = evening.rounds.get(number=number)
        if number > 1:
            round_start(round_id=round_.pk, actor=TESTS)
        write_deal(table(evening, 1, number), 1, points={"NS": ns})
        round_close(round_id=round_.pk, actor=TESTS)
    scheme = PrizeScheme("none", poedel=False, sides=("last_round", "best_round"))
    choose(evening, scheme)
    evening = Evening.objects.get()
    lines = evening_prizes(evening, evening_standings(evening))
    assert [(line.title, line.figure, len(line.names)) for line in lines] == [
        ("Beste laatste ronde", "100 punten", 2),
        ("Hoogste ronde", "120 punten", 2),
    ]


@pytest.mark.full
def test_fixed_pairs_win_together(club: Club) -> None:
    played_in_pairs(club)
    lines = desk_of(club).get(PRIZES).context["lines"]
    assert [(line.title, len(line.members), line.figure) for line in lines] == [
        ("Poedelprijs", 2, "42 punten"),
        ("Plaats 3", 2, "62 punten"),
        ("Plaats 2", 2, "100 punten"),
        ("De winnaar", 2, "120 punten"),
    ]
    assert [len(line.names) for line in lines] == [1, 1, 1, 1]


def test_a_director_chooses_the_prizes(club: Club, played: Evening) -> None:
    desk = desk_of(club)
    answers = {"kind": "given", "given": "25, 1 18", "poedel": "no", "sides": ["pits"]}
    page = desk.post(EDIT, answers, follow=True)
    assert messages_in(page) == ["De prijzen zijn bewaard."]
    assert Evening.objects.get().prizes == {
        "kind": "given",
        "first": 3,
        "given": [1, 18, 25],
        "poedel": False,
        "sides": ["pits"],
        "periods": False,
    }
    assert "Prijzen voor de plaatsen 1, 18, 25. En verder: het vaakst pit." in text(page)
    assert 'value="1, 18, 25"' in text(desk.get(EDIT))


@pytest.mark.parametrize(
    ("answers", "errors"),
    [
        ({"kind": "first", "first": ""}, {"first": ["Vul in hoeveel plaatsen een prijs krijgen."]}),
        (
            {"kind": "first", "first": "0"},
            {"first": ["Zorg ervoor dat deze waarde minstens 1 is."]},
        ),
        ({"kind": "given", "given": ""}, {"given": ["Vul in welke plaatsen een prijs krijgen."]}),
        (
            {"kind": "given", "given": "1, acht"},
            {"given": ["“acht” is geen plaats. Schrijf getallen, zoals 1, 18, 25."]},
        ),
    ],
)
def test_what_is_not_sound_is_reported(
    club: Club, played: Evening, answers: dict[str, str], errors: dict[str, list[str]]
) -> None:
    page = desk_of(club).post(EDIT, answers | {"poedel": "yes"})
    assert (page.status_code, dict(page.context["form"].errors)) == (422, errors)
    assert Evening.objects.get().prizes == {}


def test_the_next_evening_starts_from_these_prizes(played: Evening) -> None:
    choose(played, PrizeScheme("formula_of_four"))
    taken = prizes_and_fees_of(Evening.objects.get(pk=played.pk))
    assert taken.prizes == PrizeScheme("formula_of_four").as_json()


def test_an_evening_without_a_result_has_nobody_to_call(club: Club) -> None:
    evening_with_draw(club=club, players=4, started=False)
    assert read_out(desk_of(club).get(PRIZES)) == []


@pytest.mark.full
def test_it_says_so_while_a_round_is_still_on(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=1, deals_per_round=1)
    write_deal(table(evening), 1)
    assert "Nog niet alle rondes zijn klaar" in text(desk_of(club).get(PRIZES))


@pytest.mark.full
def test_a_season_has_prizes_of_its_own(club: Club, played: Evening, season: Season) -> None:
    evening_close(evening_id=played.pk, actor=TESTS)
    desk = desk_of(club)
    answers = {"kind": "first", "first": "1", "poedel": "yes", "periods": "no", "sides": ["pits"]}
    page = desk.post(f"{SEASON}edit/", answers, follow=True)
    assert messages_in(page) == ["De prijzen zijn bewaard."]
    assert read_out(page) == [
        ("Poedelprijs", "Annie Smit-de Boer, Riet van den Berg", "0 punten"),
        ("Het vaakst pit", "Henk Bos, Kees Mulder", "één keer"),
        ("De winnaar", "Wim Łuczak", "1.600 punten"),
    ]


@pytest.mark.full
def test_the_best_last_round_of_the_season_wins(club: Club, season: Season) -> None:
    # Rounds of 262 and 100 on the first evening, of 120 on the second: 262 is the best round,
    # and 120 the best last round.
    first = evening_with_draw(
        club=club, players=4, rounds=2, deals_per_round=1, season=season, date=FIRST
    )
    write_deal(table(first), 1, points={"NS": 162}, pit="NS")
    round_close(round_id=first.rounds.get(number=1).pk, actor=TESTS)
    round_start(round_id=first.rounds.get(number=2).pk, actor=TESTS)
    write_deal(table(first, 1, 2), 1, points={"NS": 100})
    round_close(round_id=first.rounds.get(number=2).pk, actor=TESTS)
    second = evening_with_draw(
        club=club, players=4, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    write_deal(table(second), 1, points={"NS": 120})
    round_close(round_id=second.rounds.get().pk, actor=TESTS)
    for evening in (first, second):
        evening_close(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    offered = dict(desk.get(f"{SEASON}edit/").context["form"].fields["sides"].choices)
    assert offered["last_round"] == "Beste laatste ronde"
    answers = {"kind": "none", "poedel": "no", "periods": "no", "sides": ["last_round"]}
    page = desk.post(f"{SEASON}edit/", answers, follow=True)
    assert read_out(page) == [("Beste laatste ronde", "Jan Bakker, Piet Visser", "120 punten")]
    assert "En verder: beste laatste ronde." in text(page)


def test_the_best_of_each_period_wins(club: Club, played: Evening, season: Season) -> None:
    evening_close(evening_id=played.pk, actor=TESTS)
    periods = [["2026-09-01", "2026-10-31"], ["2026-11-01", "2026-12-31"]]
    season_rule_add(season=season, name="Klassement", settings={"periods": periods}, actor=TESTS)
    scheme = PrizeScheme("none", poedel=False, periods=True)
    season_prizes_choose(season=season, scheme=scheme, actor=TESTS)
    page = desk_of(club).get(SEASON)
    assert read_out(page) == [
        ("Beste van 1 november tot en met 31 december", "Wim Łuczak", "1.600 punten")
    ]


def test_a_season_without_evenings_has_no_prizes(season: Season) -> None:
    assert season_awards({}, season_standings(season)) == ()


def test_prizes_that_cannot_be_read_are_the_usual_ones(club: Club, played: Evening) -> None:
    Evening.objects.update(prizes={"kind": "lottery"})
    assert len(read_out(desk_of(club).get(PRIZES))) == 3


def test_a_director_reads_the_season_but_does_not_choose(club: Club, season: Season) -> None:
    director = Client()
    director.force_login(director_of(club))
    statuses = [director.get(url).status_code for url in (SEASON, f"{SEASON}edit/")]
    assert statuses == [200, 403]


@pytest.mark.parametrize("players", [4, 16])
def test_more_people_ask_no_more_questions(
    club: Club, season: Season, players: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = evening_with_draw(
        club=club, players=players, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    for number in range(1, players // 4 + 1):
        write_deal(table(evening, number), 1, points={"NS": 162}, pit="NS")
    scheme = PrizeScheme(kind="everybody", sides=("pits",))
    choose(evening, scheme)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    season_prizes_choose(season=season, scheme=scheme, actor=TESTS)
    desk = desk_of(club)
    with django_assert_num_queries(18):
        desk.get(PRIZES)
    with django_assert_num_queries(11):
        desk.get(SEASON)
