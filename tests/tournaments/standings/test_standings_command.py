"""`standings`, as contract.md section 3 has it."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.factories import TESTS as ACTOR
from tests.factories import ClubFactory, evening_with_draw
from tests.tournaments.files import Files, rows
from tournaments.models import Season
from tournaments.seasons.services import season_rule_add

pytestmark = [pytest.mark.django_db, pytest.mark.once]

RESULTS = """evening,player,round,score,pits,absence
2026-09-05,Ann,,4500,1,
2026-09-12,Ann,,4800,,
2026-09-19,Ann,,4500,,
2026-09-05,Bob,,4600,,
2026-09-12,Bob,,,,notice
2026-09-19,Bob,,4700,2,
2026-09-05,Cor,1,1500,,
2026-09-05,Cor,2,1501,,
2026-09-12,Cor,,,,none
2026-09-12,Dik,,5000,,
"""
NOT_EVENING = "--format json, --rule and --standing are for a season."
COLUMNS = "rank player total counted evenings average pits 2026-09-05 2026-09-12 2026-09-19".split()


@pytest.fixture
def files(tmp_path: Path) -> Files:
    files = Files(ClubFactory.create(), tmp_path)
    files.results(RESULTS)
    return files


def season(files: Files, **options: object) -> list[list[str]]:
    """The rows of the season's standing."""
    return rows(files.standings(season="2026", **options))


def rule(**settings: object) -> str:
    """A rule as `--rule` takes it."""
    return json.dumps(settings)


@pytest.mark.full
def test_without_a_rule_everything_counts(files: Files) -> None:
    assert season(files) == [
        COLUMNS,
        ["1", "Ann", "13800", "13800", "3", "4600.00", "1", "4500", "4800", "4500"],
        ["2", "Bob", "9300", "9300", "2", "4650.00", "2", "4600", "", "4700"],
        ["3", "Dik", "5000", "5000", "1", "5000.00", "0", "", "5000", ""],
        ["4", "Cor", "3001", "3001", "1", "1500.50", "0", "3001", "", ""],
    ]


@pytest.mark.full
def test_the_seasons_own_rule(files: Files) -> None:
    settings = {"best_per_period": 2, "minimum_evenings": 2}
    season_rule_add(season=Season.objects.get(), name="Klassement", settings=settings, actor=ACTOR)
    assert season(files) == [
        COLUMNS,
        ["1", "Ann", "13800", "9300", "3", "4650.00", "1", "4500", "4800", "(4500)"],
        ["1", "Bob", "9300", "9300", "2", "4650.00", "2", "4600", "", "4700"],
        ["", "Dik", "5000", "5000", "1", "5000.00", "0", "", "5000", ""],
        ["", "Cor", "3001", "3001", "1", "1500.50", "0", "3001", "", ""],
    ]


@pytest.mark.full
def test_a_rule_that_stands_in_for_the_seasons_own(files: Files) -> None:
    season_rule_add(
        season=Season.objects.get(),
        name="Klassement",
        settings={"best_per_period": 1},
        actor=ACTOR,
    )
    rule_json = rule(
        aggregate="mean_per_round",
        excluded=["2026-09-19"],
        absence={"with_notice": "lowest", "without_notice": 0},
    )
    # Bob gets 4800, the lowest of the 12th. Cor has two boompjes on the 5th and nought on the 12th.
    assert season(files, rule=rule_json) == [
        COLUMNS[:-1],
        ["1", "Dik", "5000", "5000", "1", "5000.00", "0", "", "5000"],
        ["2", "Bob", "4600", "9400", "1", "4700.00", "0", "4600", ""],
        ["3", "Ann", "9300", "9300", "2", "4650.00", "1", "4500", "4800"],
        ["4", "Cor", "3001", "3001", "1", "1000.33", "0", "3001", ""],
    ]


@pytest.mark.full
def test_the_best_evening_breaks_a_tie(files: Files) -> None:
    # Both 9300 from two evenings; Ann's best is 4800, Bob's 4700.
    settings = rule(best_per_period=2, tie_breaks=["best_evening"])
    assert [row[:4] for row in season(files, rule=settings)[1:3]] == [
        ["1", "Ann", "13800", "9300"],
        ["2", "Bob", "9300", "9300"],
    ]


@pytest.mark.full
def test_the_season_as_json(files: Files) -> None:
    rule_json = rule(best_per_period=2)
    found: list[dict[str, Any]] = json.loads(
        files.standings(season="2026", format="json", rule=rule_json)
    )
    assert [row["player"] for row in found] == ["Ann", "Bob", "Dik", "Cor"]
    assert found[0] == {
        "rank": 1,
        "player": "Ann",
        "total": 13800,
        "counted": 9300,
        "evenings": 3,
        "average": 4650.0,
        "pits": 1,
        "by_date": {
            "2026-09-05": {"score": 4500, "dropped": False},
            "2026-09-12": {"score": 4800, "dropped": False},
            "2026-09-19": {"score": 4500, "dropped": True},
        },
    }
    assert found[1]["by_date"].keys() == {"2026-09-05", "2026-09-19"}


@pytest.mark.full
def test_ties_stand_by_name_and_share_their_place(files: Files) -> None:
    files.results("evening,player,score\n2026-01-03,bo,9\n2026-01-03,Al,9\n2026-01-03,Éd,9\n", "S")
    found = rows(files.standings(evening="2026-01-03"))
    assert [row[:2] for row in found[1:]] == [["1", "Al"], ["1", "bo"], ["1", "Éd"]]


@pytest.mark.full
def test_each_standing_of_the_season_is_shown_by_its_number(files: Files) -> None:
    made = Season.objects.get()
    season_rule_add(season=made, name="Beste", settings={"best_per_period": 1}, actor=ACTOR)
    season_rule_add(season=made, name="Pitten", settings={"rank_by": "pits"}, actor=ACTOR)
    # Of the best evening: Dik's 5000, Ann's 4800, Bob's 4700 and Cor's 3001 in two rounds, whose
    # absence without a word takes the place of it. By pits: Bob two, Ann one.
    assert [[*row[:2], row[3]] for row in season(files)[1:]] == [
        ["1", "Dik", "5000"],
        ["2", "Ann", "4800"],
        ["3", "Bob", "4700"],
        ["4", "Cor", "0"],
    ]
    assert season(files, standing=1) == season(files)
    assert [[*row[:2], row[6]] for row in season(files, standing=2)[1:]] == [
        ["1", "Bob", "2"],
        ["2", "Ann", "1"],
        ["3", "Cor", "0"],
        ["3", "Dik", "0"],
    ]


@pytest.mark.full
def test_names_like_formulas_stay_as_they_are(files: Files) -> None:
    files.results("evening,player,score\n2026-01-03,=1+1,9\n", "S")
    assert rows(files.standings(season="S"))[1][1] == "=1+1"


@pytest.mark.full
def test_an_evening_that_has_not_begun_has_only_headings(files: Files) -> None:
    evening_with_draw(club=files.club, players=4, started=False)
    assert rows(files.standings(evening="2026-11-21")) == [["rank", "player", "total", "pits"]]


@pytest.mark.parametrize(
    ("options", "rule_json"),
    [
        ({"evening": "2026-09-06"}, "There is no evening '2026-09-06' at De Vrolijke Boer."),
        ({"evening": "x"}, "There is no evening 'x' at De Vrolijke Boer."),
        ({"season": "2027"}, "There is no season '2027' at De Vrolijke Boer."),
        ({"season": "2026", "rule": ""}, "--rule: this is not JSON"),
        ({"season": "2026", "rule": "{"}, "--rule: this is not JSON"),
        ({"season": "2026", "rule": "[" * 100_000}, "--rule: this is not JSON"),
        ({"season": "2026", "rule": "[]"}, "--rule: "),
        ({"season": "2026", "rule": '{"best": 5}'}, "--rule: best"),
        ({"evening": "2026-09-05", "rule": "{}"}, NOT_EVENING),
        ({"evening": "2026-09-05", "format": "json"}, NOT_EVENING),
        ({"evening": "2026-09-05", "standing": 1}, NOT_EVENING),
        ({"season": "2026", "standing": 2}, "'2026' has no standing 2."),
        ({"season": "2026", "standing": 0}, "'2026' has no standing 0."),
    ],
)
def test_what_cannot_be_answered(files: Files, options: dict[str, object], rule_json: str) -> None:
    with pytest.raises(CommandError) as caught:
        files.standings(**options)
    assert str(caught.value).startswith(rule_json)
    assert caught.value.returncode == 1
