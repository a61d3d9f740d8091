"""The standings of a season: added, changed, put in order and taken away."""

import pytest

from clubs.models import AuditEvent
from clubs.text.errors import DomainError, VersionConflict
from tests.factories import TESTS, ClubFactory
from tournaments.models import Season, SeasonRule
from tournaments.seasons.services import (
    season_create,
    season_rule_add,
    season_rule_change,
    season_rule_raise,
    season_rule_remove,
)
from tournaments.standings.core.rule_json import InvalidRule

pytestmark = pytest.mark.django_db

Settings = dict[str, object]


@pytest.fixture
def season() -> Season:
    return season_create(club=ClubFactory.create(), name="Winter", actor=TESTS)


def added(season: Season, name: str, settings: Settings | None = None) -> SeasonRule:
    return season_rule_add(season=season, name=name, settings=settings or {}, actor=TESTS)


def names(season: Season) -> list[str]:
    return list(season.rules.order_by("position").values_list("name", flat=True))


def trail(action: str) -> int:
    return AuditEvent.objects.filter(action=action).count()


def test_a_season_has_several_standings_in_order(season: Season) -> None:
    best = added(season, " Beste  vijf ", {"best_per_period": 5})
    added(season, "Alles opgeteld")
    assert names(season) == ["Beste vijf", "Alles opgeteld"]
    assert best.settings["best_per_period"] == 5
    assert trail("season_rule_added") == 2


@pytest.mark.full
def test_a_standing_moves_one_place_up(season: Season) -> None:
    added(season, "Een")
    added(season, "Twee")
    last = added(season, "Drie")
    assert season_rule_raise(season=season, rule_id=last.pk, actor=TESTS) == last
    assert names(season) == ["Een", "Drie", "Twee"]
    season_rule_raise(season=season, rule_id=last.pk, actor=TESTS)
    assert names(season) == ["Drie", "Een", "Twee"]
    assert season_rule_raise(season=season, rule_id=last.pk, actor=TESTS) is None
    assert (names(season), trail("season_rule_raised")) == (["Drie", "Een", "Twee"], 2)


@pytest.mark.full
def test_a_standing_is_taken_away_once_and_leaves_room(season: Season) -> None:
    one, _, three = (added(season, name) for name in ("Een", "Twee", "Drie"))
    assert season_rule_remove(season=season, rule_id=one.pk, actor=TESTS) is not None
    assert season_rule_remove(season=season, rule_id=one.pk, actor=TESTS) is None
    season_rule_raise(season=season, rule_id=three.pk, actor=TESTS)
    added(season, "Vier")
    assert names(season) == ["Drie", "Twee", "Vier"]
    assert trail("season_rule_removed") == 1


def test_a_standing_of_another_season_is_not_touched(season: Season) -> None:
    other = season_create(club=season.club, name="Zomer", actor=TESTS)
    added(other, "Een")
    theirs = added(other, "Twee")
    assert season_rule_raise(season=season, rule_id=theirs.pk, actor=TESTS) is None
    assert season_rule_remove(season=season, rule_id=theirs.pk, actor=TESTS) is None
    assert names(other) == ["Een", "Twee"]


@pytest.mark.parametrize(
    ("name", "code"),
    [(" ", "name_missing"), ("x" * 61, "name_too_long"), ("BESTE vijf", "season_rule_exists")],
)
def test_a_name_is_refused(season: Season, name: str, code: str) -> None:
    added(season, "Beste vijf")
    with pytest.raises(DomainError) as caught:
        added(season, name)
    assert (caught.value.code, names(season)) == (code, ["Beste vijf"])


def test_settings_that_are_no_rule_change_nothing(season: Season) -> None:
    rule = added(season, "Beste vijf", {"best_per_period": 5})
    with pytest.raises(InvalidRule):
        added(season, "Twee", {"best_per_period": 0})
    with pytest.raises(InvalidRule):
        season_rule_change(
            rule=rule,
            name="Twee",
            settings={"aggregate": "guess"},
            seen_version=rule.version,
            actor=TESTS,
        )
    assert names(season) == ["Beste vijf"]


def test_a_change_replaces_name_and_settings(season: Season) -> None:
    rule = added(season, "Beste vijf", {"best_per_period": 5, "minimum_evenings": 2})
    changed = season_rule_change(
        rule=rule,
        name="Beste zes",
        settings={"best_per_period": 6},
        seen_version=rule.version,
        actor=TESTS,
    )
    assert (changed.name, changed.settings["best_per_period"]) == ("Beste zes", 6)
    assert changed.settings["minimum_evenings"] == 0
    assert trail("season_rule_saved") == 1


def test_the_same_again_is_no_change(season: Season) -> None:
    rule = added(season, "Beste vijf", {"best_per_period": 5})
    season_rule_change(
        rule=rule,
        name="Beste vijf",
        settings=rule.settings,
        seen_version=rule.version,
        actor=TESTS,
    )
    assert trail("season_rule_saved") == 0


def test_who_did_not_see_what_stands_is_refused(season: Season) -> None:
    rule = added(season, "Beste vijf", {"best_per_period": 5})
    seen = rule.version
    season_rule_change(
        rule=rule, name="Beste zes", settings={"best_per_period": 6}, seen_version=seen, actor=TESTS
    )
    with pytest.raises(VersionConflict) as caught:
        season_rule_change(
            rule=rule,
            name="Beste zeven",
            settings={"best_per_period": 7},
            seen_version=seen,
            actor=TESTS,
        )
    current = caught.value.params["current"]
    assert isinstance(current, SeasonRule)
    assert (caught.value.code, current.name) == ("season_rule_outdated", "Beste zes")


@pytest.mark.full
def test_a_standing_that_is_gone_is_not_changed(season: Season) -> None:
    rule = added(season, "Beste vijf")
    seen = rule.version
    season_rule_remove(season=season, rule_id=rule.pk, actor=TESTS)
    with pytest.raises(VersionConflict) as caught:
        season_rule_change(rule=rule, name="Terug", settings={}, seen_version=seen, actor=TESTS)
    assert caught.value.params["current"] is None
    assert names(season) == []
