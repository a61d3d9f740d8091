"""Pairs and teams in files and in `standings --by`, as competitions.md sections 1 and 9 have
them."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from tests.factories import ClubFactory
from tests.tournaments.competitor_files import COLUMNS, side_table, text_of
from tests.tournaments.files import Files, everything, rows
from tournaments.models import Competitor, CompetitorMember, Evening

pytestmark = pytest.mark.django_db

ANN_BOB = {"pair_ns": "Ann & Bob", "pair_ew": "Cor & Dik"}
FOUR = ["Ann", "Cor", "Bob", "Dik"]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


def one_table(names: dict[str, str], people: list[str] = FOUR, date: str = "2026-09-05") -> str:
    return text_of(side_table(date, 1, 1, people, 240, names, deals=2))


def refusal(files: Files, text: str) -> list[str]:
    """The faults of a file, of which nothing is kept."""
    return files.refused("import_evening", text)


@pytest.mark.full
def test_a_season_of_pairs_has_places_of_pairs(files: Files) -> None:
    """8,620, 8,570 and 8,530 are first, second and third."""
    files.results(
        "evening,pair,score\n"
        "2026-09-05,Ann & Bob,4320\n2026-09-12,Ann & Bob,4300\n"
        "2026-09-05,Cor & Dik,4270\n2026-09-12,Cor & Dik,4300\n"
        "2026-09-05,Els & Fie,4330\n2026-09-12,ELS &  fie,4200\n"
    )
    standing = rows(files.standings(season="2026"))
    assert standing[0][:7] == [
        *("rank", "pair", "total", "counted", "evenings", "average", "pits"),
    ]
    assert [row[:3] for row in standing[1:]] == [
        ["1", "Ann & Bob", "8620"],
        ["2", "Cor & Dik", "8570"],
        ["3", "Els & Fie", "8530"],
    ]
    assert files.standings(season="2026", by="player") == (
        "rank,player,total,counted,evenings,average,pits,2026-09-05,2026-09-12\r\n"
    )


def test_a_substitute_plays_for_the_pair(files: Files) -> None:
    """8,076 + 4,322 = 12,398 on one line, whoever sat there; he has his own points himself."""
    files.results("evening,pair,score\n2026-09-05,Ann & Bob,4000\n2026-09-12,Ann & Bob,4076\n")
    people = ["Ann", "Cor", "Zeb", "Dik"]
    lines = side_table("2026-09-19", 1, 1, people, 4322, {"pair_ns": "ann & bob"})
    files.evening(text_of(lines), season="2026")
    standing = rows(files.standings(season="2026", by="pair"))
    assert [row[:3] for row in standing[1:]] == [["1", "Ann & Bob", "12398"]]
    persons = rows(files.standings(season="2026", by="player"))
    assert {row[1]: row[2] for row in persons[1:] if row[1] in ("Ann", "Zeb")} == {
        "Ann": "4322",
        "Zeb": "4322",
    }
    assert Competitor.objects.count() == 1


@pytest.mark.full
def test_a_substitute_halfway_leaves_the_pair_whole(files: Files) -> None:
    """In the second round somebody else sits with Ann; the people of the pair stay as they were."""
    text = text_of(
        side_table("2026-09-05", 1, 1, FOUR, 240, ANN_BOB, deals=2)
        + side_table("2026-09-05", 2, 1, ["Ann", "Cor", "Zeb", "Dik"], 220, ANN_BOB, deals=2)
    )
    files.evening(text)
    assert rows(files.standings(evening="2026-09-05")) == [
        ["rank", "pair", "total", "round_1", "round_2", "pits"],
        ["1", "Ann & Bob", "460", "240", "220", "0"],
        ["2", "Cor & Dik", "188", "84", "104", "0"],
    ]
    persons = rows(files.standings(evening="2026-09-05", by="player"))
    assert [row[:3] for row in persons[1:]] == [
        ["1", "Ann", "460"],
        ["2", "Bob", "240"],
        ["3", "Zeb", "220"],
        ["4", "Cor", "188"],
        ["4", "Dik", "188"],
    ]
    pair = CompetitorMember.objects.filter(competitor__name="Ann & Bob").order_by("member__name")
    assert list(pair.values_list("member__name", "until")) == [("Ann", None), ("Bob", None)]


@pytest.mark.both
def test_what_was_imported_comes_out_as_it_went_in(files: Files) -> None:
    names = {"team_ns": "Shell", "team_ew": "KLM", **ANN_BOB}
    text = text_of(
        side_table("2026-09-05", 1, 1, FOUR, 240, names, deals=2)
        + side_table("2026-09-05", 2, 1, ["Ann", "Cor", "Zeb", "Dik"], 220, names, deals=2)
    )
    files.evening(text)
    exported = files.export("2026-09-05")
    assert rows(exported) == rows(text)
    before = everything()
    assert files.evening(exported).endswith("nothing changed\n")
    assert everything() == before


@pytest.mark.full
def test_only_the_columns_that_somebody_has_are_written(files: Files) -> None:
    files.evening(one_table({"pair_ns": "Ann & Bob"}))
    wanted = [column for column in COLUMNS if not column.startswith("team_")]
    assert rows(files.export("2026-09-05"))[0] == wanted
    assert Evening.objects.get().ranks == "pair"


def company_evening() -> str:
    """Shell with two pairs that come to 4,250 and 3,990, and KLM without pairs."""
    sides = [("Ann", "Bob", "1", 4250), ("Cor", "Dik", "2", 3990)]
    lines = []
    for table, (one, two, number, score) in enumerate(sides, start=1):
        people = [one, f"E{table}", two, f"W{table}"]
        names = {"team_ns": "Shell", "team_ew": "KLM", "pair_ns": f"Shell {number}"}
        lines += side_table("2026-09-05", 1, table, people, score, names)
    return text_of(lines)


def test_a_team_is_the_sum_of_its_pairs(files: Files) -> None:
    """4,250 + 3,990 = 8,240."""
    files.evening(company_evening(), season="2026")
    evening = rows(files.standings(evening="2026-09-05"))
    assert [row[:3] for row in evening[:2]] == [["rank", "team", "total"], ["1", "Shell", "8240"]]
    season = rows(files.standings(season="2026"))
    assert [row[:3] for row in season[:2]] == [["rank", "team", "total"], ["1", "Shell", "8240"]]
    pairs = rows(files.standings(season="2026", by="pair"))
    assert [row[:3] for row in pairs[1:]] == [["1", "Shell 1", "4250"], ["2", "Shell 2", "3990"]]
    as_json = json.loads(files.standings(season="2026", by="team", format="json"))
    assert as_json[0]["team"] == "Shell"
    assert as_json[0]["by_date"] == {"2026-09-05": {"score": 8240, "dropped": False}}


SEATED = [(1, "AB", 1550), (1, "CD", 1100), (2, "AC", 1500), (2, "BD", 1250), (3, "AD", 1350)]
"""Round, two members of the team, and the score of their side."""


@pytest.mark.full
def test_or_of_its_best_members(files: Files) -> None:
    """Of 4,400, 4,100, 3,900 and 3,700 the best three: 12,400; the six sides are 8,050."""
    lines = []
    for at, (number, both, score) in enumerate([*SEATED, (3, "BC", 1300)]):
        table = at % 2 + 1
        people = [both[0], f"E{table}", both[1], f"W{table}"]
        lines += side_table(
            "2026-09-05", number, table, people, score, {"team_ns": "Shell"}, deals=8
        )
    files.evening(text_of(lines), season="2026")
    persons = rows(files.standings(evening="2026-09-05", by="player"))
    assert [row[2] for row in persons[1:] if row[1] in "ABCD"] == ["4400", "4100", "3900", "3700"]
    best = json.dumps({"team": {"best": 3}})
    for which in ({"evening": "2026-09-05"}, {"season": "2026"}):
        assert rows(files.standings(**which))[1][:3] == ["1", "Shell", "8050"]
        assert rows(files.standings(**which, rule=best))[1][:3] == ["1", "Shell", "12400"]


@pytest.mark.parametrize(
    ("names", "people", "fault"),
    [
        (
            {"pair_ns": "Ann & Bob", "pair_ew": "ann & BOB"},
            FOUR,
            "line 2: pair_ew: a pair does not play against itself",
        ),
        (
            {"team_ns": "Shell", "team_ew": "Shell"},
            FOUR,
            "line 2: team_ew: a team does not play against itself",
        ),
        (
            {"pair_ns": "x" * 211},
            FOUR,
            "line 2: pair_ns: a name has at most 210 characters",
        ),
    ],
)
def test_a_file_with_an_impossible_name_is_refused(
    files: Files, names: dict[str, str], people: list[str], fault: str
) -> None:
    assert refusal(files, one_table(names, people))[0] == fault


def two_tables(first: dict[str, str], second: dict[str, str], *people: str) -> str:
    return text_of(
        side_table("2026-09-05", 1, 1, FOUR, 120, first, deals=1)
        + side_table("2026-09-05", 1, 2, [*people], 120, second, deals=1)
    )


@pytest.mark.full
def test_a_pair_at_two_tables_is_refused(files: Files) -> None:
    text = two_tables(ANN_BOB, ANN_BOB | {"pair_ew": "x"}, "Els", "Fie", "Gé", "Han")
    assert refusal(files, text) == [
        "line 3: pair_ns: pair 'Ann & Bob' sits at table 1 too",
        "line 3: pair_ns: pair 'Ann & Bob' is two other people on an earlier line",
    ]


@pytest.mark.full
def test_a_name_of_two_other_people_is_refused(files: Files) -> None:
    text = text_of(
        side_table("2026-09-05", 1, 1, FOUR, 120, ANN_BOB, deals=1)
        + side_table(
            "2026-09-05", 2, 1, ["Els", "x", "Fie", "y"], 120, {"pair_ns": "Ann & Bob"}, deals=1
        )
    )
    assert refusal(files, text) == [
        "line 3: pair_ns: pair 'Ann & Bob' is two other people on an earlier line"
    ]


def test_somebody_in_two_pairs_or_teams_is_refused(files: Files) -> None:
    text = text_of(
        side_table("2026-09-05", 1, 1, FOUR, 120, ANN_BOB | {"team_ns": "Shell"}, deals=1)
        + side_table(
            "2026-09-05",
            2,
            1,
            ["Ann", "Cor", "Els", "Dik"],
            120,
            {"pair_ns": "Ann & Els", "pair_ew": "Cor & Dik", "team_ns": "KLM"},
            deals=1,
        )
    )
    assert refusal(files, text) == [
        "line 3: pair_ns: 'Ann' plays for 'Ann & Bob' on line 2",
        "line 3: team_ns: 'Ann' plays for 'Shell' on line 2",
    ]


def test_results_are_of_a_player_a_pair_or_a_team(files: Files) -> None:
    before = everything()
    with pytest.raises(CommandError) as refused:
        files.results(
            "evening,player,pair,team,score\n"
            "2026-09-05,Ann,Ann & Bob,,4000\n"
            "2026-09-05,,Ann & Bob,Shell,4000\n"
            "2026-09-05,,,,4000\n"
        )
    assert str(refused.value).splitlines()[1:] == [
        "line 2: pair: give a player, a pair or a team: one of the three",
        "line 3: team: give a player, a pair or a team: one of the three",
        "line 4: pair: the name is missing",
    ]
    assert everything() == before


@pytest.mark.full
def test_the_same_results_again_change_nothing(files: Files) -> None:
    text = "evening,team,round,score\n2026-09-05,Shell,1,5000\n2026-09-05,Shell,2,5100\n"
    files.results(text)
    before = everything()
    assert files.results(text) == "2026: 0 added, 0 changed, 2 unchanged, 0 new guests\n"
    assert everything() == before
    changed = files.results(text.replace("5100", "5200"))
    assert changed == "2026: 0 added, 1 changed, 1 unchanged, 0 new guests\n"
    assert rows(files.standings(evening="2026-09-05")) == [
        ["rank", "team", "total", "round_1", "round_2", "pits"],
        ["1", "Shell", "10200", "5000", "5200", "0"],
    ]
