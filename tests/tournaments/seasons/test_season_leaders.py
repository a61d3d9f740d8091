"""Who leads a season is kept, and never longer than it is so."""

import pytest
from django.db.models import F
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.models import Seat
from tests.factories import TESTS
from tests.load.big_club import Size, big_club_make
from tests.tournaments.public_pages import get, words
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_rule_change
from tournaments.seasons.standings import season_leaders, season_standings
from tournaments.standings.core.results import Points

Place = tuple[int | None, str, Points]

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return big_club_make("zaal", Size(members=12, evenings=3, rounds=1, deals=4)).seasons.get()


def worked_out(season: Season, places: int = 5) -> list[Place]:
    rows = season_standings(season).rows
    return [(row.rank, row.player_id, row.value) for row in rows if row.rank and row.rank <= places]


def leaders(season: Season, places: int = 5) -> list[Place]:
    return [
        (leader.rank, leader.player_id, leader.value) for leader in season_leaders(season, places)
    ]


@pytest.mark.full
def test_they_are_worked_out_once(
    season: Season, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        first = season_leaders(season, 5)
    with django_assert_num_queries(2):
        kept = season_leaders(season, 5)
    assert kept == first
    assert leaders(season) == worked_out(season)
    assert leaders(season, 1) == worked_out(season, 1)


@pytest.mark.full
def test_each_has_their_scores_and_the_place_before_the_last_evening(season: Season) -> None:
    season.rules.all().delete()
    columns = season_standings(season).evenings
    by_player = {row.player_id: row for row in season_standings(season).rows}
    closed = season.evenings.filter(state=Evening.State.CLOSED)
    last = closed.order_by("date", "sequence").last()
    assert last is not None
    shown = {leader.player_id: leader for leader in season_leaders(season, 12)}
    assert {pk: leader.scores for pk, leader in shown.items()} == {
        pk: [row.by_evening[slug].score for slug in columns] for pk, row in by_player.items()
    }
    Evening.objects.filter(pk=last.pk).update(season=None)
    assert {pk: leader.before for pk, leader in shown.items()} == {
        row.player_id: row.rank for row in season_standings(season).rows
    }


@pytest.mark.both
def test_a_correction_makes_others_lead(season: Season) -> None:
    last = season_standings(season).rows[-1]
    assert last.player_id not in {one.player_id for one in season_leaders(season, 5)}
    Seat.objects.filter(member=int(last.player_id)).update(score=9_000)
    Evening.objects.update(revision=F("revision") + 1)
    assert leaders(season)[0] == (1, last.player_id, 18_000)


def test_another_rule_makes_others_lead(season: Season) -> None:
    by_best_two = leaders(season)
    (rule,) = season.rules.all()
    season_rule_change(
        rule=rule, name=rule.name, settings={}, seen_version=rule.version, actor=TESTS, reason="x"
    )
    assert leaders(season) == worked_out(season) != by_best_two


def test_a_season_without_evenings_has_nobody(season: Season) -> None:
    season.evenings.update(season=None)
    assert season_leaders(season, 5) == []


def test_while_nobody_has_a_place_they_stand_in_order(season: Season) -> None:
    (rule,) = season.rules.all()
    settings = {"minimum_evenings": 9}
    season_rule_change(
        rule=rule,
        name=rule.name,
        settings=settings,
        seen_version=rule.version,
        actor=TESTS,
        reason="x",
    )
    first = season_standings(season).rows[:5]
    assert leaders(season) == [(None, row.player_id, row.value) for row in first]
    path = f"/clubs/zaal/seasons/{season.slug}/"
    for page in (get(Client(), "/clubs/zaal/"), get(Client(), path)):
        assert "Er heeft nog niemand een plaats. Dit is de volgorde tot nu toe." in words(page)
