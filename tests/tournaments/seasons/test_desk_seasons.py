"""Seasons and their rule at the desk."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, EveningFactory
from tests.tournaments.desk import desk_of, messages_in, text
from tournaments.models import Season, SeasonRule
from tournaments.prizes.core import PrizeScheme
from tournaments.seasons.services import season_create, season_prizes_choose, season_rule_add
from tournaments.standings.core.results import CountingRule
from tournaments.standings.core.rule_json import parse_season_rule

pytestmark = pytest.mark.django_db

SEASONS = "/clubs/vrolijke-boer/desk/seasons/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def answers(**changed: Any) -> dict[str, Any]:
    return {"name": "2026-2027", "aggregate": "sum"} | changed


def test_a_season_is_added_with_its_rule(club: Club) -> None:
    desk_of(club).post(
        f"{SEASONS}new/",
        answers(
            starts="2026-09-01",
            ends="2027-05-31",
            best=5,
            minimum=3,
            aggregate="mean_per_evening",
        ),
    )
    season = Season.objects.get()
    rule = parse_season_rule(season.rules.get().settings)
    assert (season.name, season.slug, str(season.starts), str(season.ends)) == (
        "2026-2027",
        "2026-2027",
        "2026-09-01",
        "2027-05-31",
    )
    assert (rule.best_per_period, rule.minimum_evenings, rule.aggregate) == (
        5,
        3,
        "mean_per_evening",
    )


@pytest.mark.full
def test_left_empty_every_evening_counts(club: Club) -> None:
    desk_of(club).post(f"{SEASONS}new/", answers())
    rule = parse_season_rule(SeasonRule.objects.get().settings)
    assert (rule.best_per_period, rule.minimum_evenings, rule.aggregate) == (None, 0, "sum")


def test_the_same_name_is_not_taken_twice(club: Club) -> None:
    desk = desk_of(club)
    desk.post(f"{SEASONS}new/", answers())
    response = desk.post(f"{SEASONS}new/", answers(name=" 2026-2027 "))
    assert response.context["form"].errors == {"name": ["Er is al een seizoen dat 2026-2027 heet."]}
    assert Season.objects.count() == 1


def follow(club: Club, **changed: Any) -> Season:
    """A season of last year with two standings, a fee and prizes; then this year's is added."""
    before = season_create(club=club, name="2025-2026", fee=4250, actor=TESTS)
    best = {"best_per_period": 5, "excluded": ["2025-12-19"]}
    nested = {"periods": [["2025-09-01", "2025-12-31"]], "best_per_period": 2, "best_periods": 1}
    season_rule_add(season=before, name="Beste vijf", settings=best, actor=TESTS)
    season_rule_add(season=before, name="Herfst", settings=nested, actor=TESTS)
    season_rule_add(season=before, name="Alles", settings={}, actor=TESTS)
    scheme = PrizeScheme(kind="everybody", poedel=False)
    season_prizes_choose(season=before, scheme=scheme, actor=TESTS)
    desk = desk_of(club)
    page = desk.get(f"{SEASONS}new/")
    assert "<strong>Herfst:</strong> In elke periode tellen de beste 2 avonden." in text(page)
    assert page.context["form"]["fee"].value() == "42,50"
    response = desk.post(f"{SEASONS}new/", answers(fee="45") | changed, follow=True)
    season = Season.objects.get(name="2026-2027")
    assert response.redirect_chain == [(f"{SEASONS}{season.slug}/", 302)]
    assert messages_in(response)[0] == "Het seizoen is toegevoegd."
    left_out = (
        "Zonder hun periodes en de avonden die niet meetelden, zijn overgenomen: Beste vijf,"
        " Herfst. Kijk of ze nog zeggen wat u wilt."
    )
    assert messages_in(response)[1:] == ([left_out] if changed else [])
    return season


def test_a_new_season_starts_as_the_one_before_without_its_days(club: Club) -> None:
    season = follow(club, take_over="on")
    rules = [(one.name, parse_season_rule(one.settings)) for one in season.rules.all()]
    assert rules == [
        ("Beste vijf", CountingRule(best_per_period=5)),
        ("Herfst", CountingRule(best_per_period=2)),
        ("Alles", CountingRule()),
    ]
    assert (season.fee, season.prizes["kind"], season.prizes["poedel"]) == (
        4500,
        "everybody",
        False,
    )


@pytest.mark.full
def test_a_season_may_start_with_nothing_of_the_one_before(club: Club) -> None:
    season = follow(club)
    assert (season.rules.count(), season.prizes, season.fee) == (0, {}, 4500)


@pytest.mark.full
def test_a_season_made_with_an_evening_starts_as_the_one_last_played(club: Club) -> None:
    dated = season_create(club=club, name="Ooit", starts=dt.date(2020, 9, 1), actor=TESTS)
    season_rule_add(season=dated, name="Oud", settings={}, actor=TESTS)
    before = season_create(club=club, name="2025-2026", fee=4250, actor=TESTS)
    season_rule_add(season=before, name="Beste vijf", settings={"best_per_period": 5}, actor=TESTS)
    EveningFactory.create(club=club, date=dt.date(2026, 5, 2), season=before)
    season_create(club=club, name="Ingelezen", starts=dt.date(2026, 8, 1), actor=TESTS)
    desk_of(club).post(
        "/clubs/vrolijke-boer/desk/evenings/new/",
        {
            "date": "2026-11-21",
            "new_season": "2026-2027",
            "regulation": "preset:amsterdam",
            "rounds_planned": 3,
            "deals_per_round": 16,
            "method": "rotation",
            "leftover": "sit_out",
            "writing": "one",
            "sit_out_score": 1600,
            "missed_score": 0,
        },
    )
    season = Season.objects.get(name="2026-2027")
    assert [one.name for one in season.rules.all()] == ["Beste vijf"]
    assert season.fee == 4250


@pytest.mark.full
def test_every_fault_is_named(club: Club) -> None:
    response = desk_of(club).post(
        f"{SEASONS}new/", answers(name="", starts="ooit", best=0, aggregate="grootste")
    )
    assert set(response.context["form"].errors) == {"name", "starts", "best", "aggregate"}
    assert Season.objects.count() == 0


@pytest.mark.full
def test_the_last_day_comes_after_the_first(club: Club) -> None:
    response = desk_of(club).post(f"{SEASONS}new/", answers(starts="2027-01-01", ends="2026-12-31"))
    assert set(response.context["form"].errors) == {"ends"}
    assert Season.objects.count() == 0


def test_changing_keeps_the_address_and_the_standings(club: Club) -> None:
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    season_rule_add(
        season=season, name="Klassement", settings={"excluded": ["2026-12-19"]}, actor=TESTS
    )
    desk_of(club).post(f"{SEASONS}2026-2027/", {"name": "Winter", "fee": "17,50"})
    season.refresh_from_db()
    rule = parse_season_rule(season.rules.get().settings)
    assert (season.name, season.slug, season.fee) == ("Winter", "2026-2027", 1750)
    assert rule.excluded == ("2026-12-19",)


@pytest.mark.full
def test_a_refused_change_changes_nothing(club: Club) -> None:
    season_create(club=club, name="Zomer", actor=TESTS)
    season = season_create(club=club, name="Winter", actor=TESTS)
    response = desk_of(club).post(f"{SEASONS}winter/", {"name": "zomer", "fee": "5"})
    season.refresh_from_db()
    assert (response.status_code, season.name, season.fee) == (422, "Winter", None)


@pytest.mark.full
def test_the_form_shows_what_stands(club: Club) -> None:
    season_create(club=club, name="Winter", fee=1750, actor=TESTS)
    page = text(desk_of(club).get(f"{SEASONS}winter/"))
    assert 'value="Winter"' in page
    assert 'value="17,50"' in page


@pytest.mark.full
def test_the_season_tells_what_counts_in_each_of_its_standings(club: Club) -> None:
    season = season_create(club=club, name="Winter", actor=TESTS)
    for week in range(7):
        day = dt.date(2026, 11, 21) + dt.timedelta(weeks=week)
        EveningFactory.create(club=club, season=season, date=day)
    desk = desk_of(club)
    assert "alle avonden tellen en alle punten worden opgeteld" in text(
        desk.get(f"{SEASONS}winter/")
    )
    season_rule_add(season=season, name="Beste vijf", settings={"best_per_period": 5}, actor=TESTS)
    season_rule_add(season=season, name="Pitten", settings={"rank_by": "pits"}, actor=TESTS)
    page = text(desk.get(f"{SEASONS}winter/"))
    assert "De beste 5 van de 7 avonden tellen." in page
    assert "Alle avonden tellen mee. De plaats hangt af van: het vaakst pit." in page


@pytest.mark.full
def test_two_seasons_whose_names_read_alike_have_different_addresses(club: Club) -> None:
    first = season_create(club=club, name="2026/2027", actor=TESTS)
    second = season_create(club=club, name="2026 2027", actor=TESTS)
    assert (first.slug, second.slug) == ("20262027", "2026-2027")


def test_the_list_asks_as_many_questions_for_three_seasons_as_for_one(
    club: Club, django_assert_num_queries: Callable[..., Any]
) -> None:
    desk = desk_of(club)
    season = season_create(club=club, name="Winter", actor=TESTS)
    EveningFactory.create(club=club, season=season)
    with django_assert_num_queries(6):
        assert "Winter" in text(desk.get(SEASONS))
    for name in ("Zomer", "Herfst"):
        season_create(club=club, name=name, actor=TESTS)
    with django_assert_num_queries(6):
        desk.get(SEASONS)


def test_the_first_form_also_asks_absence_ties_and_the_name_of_the_standing(club: Club) -> None:
    desk = desk_of(club)
    page = text(desk.get(f"{SEASONS}new/"))
    assert page.count('<details class="more">') == 1
    more = {
        "standing": "Beste vijf",
        "with_notice": "fixed",
        "notice_points": "4000",
        "without_notice": "100",
        "tie_1": "pits",
    }
    desk.post(f"{SEASONS}new/", answers(best=5, **more))
    standing = SeasonRule.objects.get()
    assert standing.name == "Beste vijf"
    assert parse_season_rule(standing.settings) == parse_season_rule(
        {
            "best_per_period": 5,
            "absence": {"with_notice": 4000, "without_notice": 100},
            "tie_breaks": ["pits"],
        }
    )


@pytest.mark.full
def test_a_fault_that_is_folded_away_is_opened(club: Club) -> None:
    page = desk_of(club).post(
        f"{SEASONS}new/", answers(with_notice="fixed", tie_1="pits", tie_2="pits")
    )
    assert page.context["form"].errors == {
        "notice_points": ["Vul in hoeveel punten."],
        "tie_2": ["Dit staat hierboven al."],
    }
    assert '<details class="more" open>' in text(page)
    assert Season.objects.count() == 0
