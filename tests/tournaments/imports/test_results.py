"""`import_results`, as contract.md section 3 has it."""

from pathlib import Path

import pytest

from clubs.models import Member
from tests.factories import ClubFactory, MemberFactory
from tests.tournaments.files import DATA, Files, evening_text, everything, rows, xlsx
from tournaments.models import Evening, PastResult, Release, Season

pytestmark = pytest.mark.django_db

PUBLISHED = DATA / "published-club-evenings.csv"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


def standing(files: Files, evening: str) -> list[list[str]]:
    """Rank, name and what stands behind it."""
    return rows(files.standings(evening=evening))[1:]


@pytest.mark.full
def test_the_published_evenings_rank_in_the_order_of_the_file(files: Files) -> None:
    assert files.results(PUBLISHED) == "2026: 30 added, 0 changed, 0 unchanged, 18 new guests\n"
    by_evening: dict[str, list[tuple[str, str]]] = {}
    for date, player, _round, score in rows(PUBLISHED.read_text())[1:]:
        by_evening.setdefault(date, []).append((player, score))
    assert len(by_evening) == 5
    for date, published in by_evening.items():
        assert [tuple(row[1:3]) for row in standing(files, date)] == published
        assert [row[0] for row in standing(files, date)] == ["1", "2", "3", "4", "5", "6"]


def test_the_same_file_again_changes_nothing(files: Files) -> None:
    files.results(PUBLISHED)
    before = everything()
    assert files.results(PUBLISHED) == "2026: 0 added, 0 changed, 30 unchanged, 0 new guests\n"
    assert everything() == before


@pytest.mark.full
def test_each_evening_is_closed_published_and_in_the_season(files: Files) -> None:
    files.results(PUBLISHED, season="2023-2024")
    assert {
        (one.state, one.is_history, str(one.season), one.releases.get().number)
        for one in Evening.objects.all()
    } == {("closed", True, "2023-2024", 1)}


@pytest.mark.both
def test_a_corrected_score_is_published_anew_on_its_evening_only(files: Files) -> None:
    text = "evening,player,round,score\n2025-01-06,Ann,,4500\n2025-01-13,Ann,,4600\n"
    files.results(text)
    assert files.results(text.replace("4600", "4700") + "2025-01-13,Bob,,4700\n") == (
        "2026: 1 added, 1 changed, 1 unchanged, 1 new guests\n"
    )
    assert standing(files, "2025-01-13") == [
        ["1", "Ann", "4700", "0"],
        ["1", "Bob", "4700", "0"],
    ]
    assert list(Release.objects.order_by("evening__date", "number").values_list("number")) == [
        (1,),
        (1,),
        (2,),
    ]


@pytest.mark.full
def test_headings_in_dutch_and_all_columns(files: Files) -> None:
    MemberFactory.create(club=files.club, number=4, name="Jan van der Meer")
    files.results(
        "Datum;Speler;Ronde;Punten;Pit;Roem;Afwezig\r\n"
        "2025-01-06;4;1;1600;2;180;\r\n"
        "2025-01-06;JAN VAN DER MEER;2;1500;;;\r\n"
        "2025-01-06; Bob ;1;1700;0;90;\r\n"
        "2025-01-06;Cor;;;;;Notice\r\n"
    )
    assert standing(files, "2025-01-06") == [
        ["1", "Jan van der Meer", "3100", "1600", "1500", "2"],
        ["2", "Bob", "1700", "1700", "", "0"],
    ]
    assert list(PastResult.objects.order_by("pk").values_list("roem", "absence")) == [
        (180, ""),
        (None, ""),
        (90, ""),
        (None, "notice"),
    ]


@pytest.mark.full
def test_a_spreadsheet(files: Files, tmp_path: Path) -> None:
    lines: list[list[object]] = [
        ["evening", "player", "score"],
        ["2025-01-06", "Ann", 4500.0],
    ]
    files.results(xlsx(tmp_path / "results.xlsx", lines))
    assert standing(files, "2025-01-06") == [["1", "Ann", "4500", "0"]]


@pytest.mark.full
def test_a_second_evening_on_a_day(files: Files) -> None:
    files.results("evening,player,score\n2025-01-06,Ann,4500\n2025-01-06-2,Ann,4600\n")
    assert [row[2] for row in standing(files, "2025-01-06-2")] == ["4600"]


@pytest.mark.full
def test_a_date_may_have_the_day_first(files: Files) -> None:
    files.results(
        "datum;speler;punten\n6-1-2025;Ann;4500\n06-01-2025;Bob;4400\n13/01/2025;Ann;4300\n"
        "20.1.2025;Ann;4200\n"
    )
    dates = sorted(evening.date.isoformat() for evening in Evening.objects.all())
    assert dates == ["2025-01-06", "2025-01-13", "2025-01-20"]
    assert [row[1:3] for row in standing(files, "2025-01-06")] == [["Ann", "4500"], ["Bob", "4400"]]


def test_a_line_may_have_a_column_for_each_round(files: Files) -> None:
    files.results(
        "datum;naam;ronde 1;ronde 2;Ronde_3;totaal;pitten\n"
        "6-1-2025;Ann;1.500;1600;1700;4800;2\n"
        "6-1-2025;Bob;1400;;1300;;\n"
        "6-1-2025;Cor;;;;4100;1\n"
    )
    assert standing(files, "2025-01-06") == [
        ["1", "Ann", "4800", "1500", "1600", "1700", "2"],
        ["2", "Cor", "4100", "", "", "", "1"],
        ["3", "Bob", "2700", "1400", "", "1300", "0"],
    ]


@pytest.mark.full
def test_the_standings_that_klaverclub_gives_can_be_read_in(files: Files) -> None:
    content = "rank,player,total,round_1,round_2,pits,date\n1,Ann,3100,1500,1600,1,2025-01-06\n"
    files.results(content)
    assert standing(files, "2025-01-06") == [["1", "Ann", "3100", "1500", "1600", "1"]]


@pytest.mark.full
def test_what_is_wrong_in_a_column_of_a_round_is_named(files: Files) -> None:
    text = (
        "datum;naam;ronde 1;ronde 2;totaal;afwezig\n"
        "6-1-2025;Ann;1500;1600;3200;\n"
        "6-1-2025;Bob;1500;abc;3200;\n"
        "6-1-2025;Cor;1500;7393;;\n"
        "6-1-2025;Dik;;;;\n"
    )
    assert files.refused("import_results", text, season="2025") == [
        "line 2: totaal: the rounds come to 3100",
        "line 3: ronde 2: 'abc' is not a whole number",
        "line 4: ronde 2: 7393 is more than any number of deals could give",
        "line 5: totaal: the score is missing",
    ]


@pytest.mark.full
@pytest.mark.parametrize("date", ["31-02-2025", "6-13-2025", "6-1/2025", "6-1-25", "6-1-3025"])
def test_a_day_that_does_not_exist_is_no_date(files: Files, date: str) -> None:
    text = f"datum;speler;punten\n{date};Ann;4500\n"
    assert files.refused("import_results", text, season="2025") == [
        "line 2: datum: write the date as 2026-09-05"
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        (",4500,", "1,1500,|2,1600,", ["Ann", "3100", "1500", "1600", "0"]),
        ("1,1500,|2,1600,", ",4500,", ["Ann", "4500", "0"]),
        ("1,1500,", "2,1600,", ["Ann", "3100", "1500", "1600", "0"]),
        (",,notice", "1,1500,", ["Ann", "1500", "1500", "0"]),
        (",,none", ",4500,", ["Ann", "4500", "0"]),
    ],
)
def test_what_a_later_file_knows_better(
    files: Files, first: str, second: str, wanted: list[str]
) -> None:
    for cells in (first, second):
        lines = [f"2025-01-06,Ann,{line}" for line in cells.split("|")]
        files.results("\n".join(["evening,player,round,score,absence", *lines]))
    assert standing(files, "2025-01-06") == [["1", *wanted]]
    assert not PastResult.objects.exclude(absence="").exists()


@pytest.mark.full
def test_who_turns_out_to_have_been_absent_has_no_score(files: Files) -> None:
    headings = "evening,player,round,score,absence\n"
    files.results(headings + "2025-01-06,Ann,1,1500,\n2025-01-06,Bob,1,1400,\n")
    files.results(headings + "2025-01-06,Ann,,,notice\n")
    assert standing(files, "2025-01-06") == [["1", "Bob", "1400", "1400", "0"]]
    assert [(one.score, one.absence) for one in PastResult.objects.filter(member__name="Ann")] == [
        (None, "notice")
    ]


@pytest.mark.full
def test_evenings_move_to_the_season_that_is_named(files: Files) -> None:
    files.results(PUBLISHED, season="2023")
    files.results(PUBLISHED, season=" 2024 ")
    files.results(PUBLISHED, season="2024")
    assert [str(season) for season in Season.objects.order_by("name")] == ["2023", "2024"]
    assert {str(one.season) for one in Evening.objects.all()} == {"2024"}


@pytest.mark.both
def test_every_fault_is_named_at_once_and_nothing_written(files: Files) -> None:
    MemberFactory.create(club=files.club, number=1, name="Jan Bos")
    MemberFactory.create(club=files.club, number=2, name="Jan Bos")
    files.evening(evening_text([{}]))
    text = """evening,player,round,score,pits,roem,absence
2025-01-06,Ann,,53811,,,
2025-01-06,Bob,1,7393,,,
2025-01-06,Bob,2,7392,,,
2025-01-06,Cor,,abc,-1,x,
2025-13-06,,41,1500,,,
2025-01-06,Jan Bos,,4500,,,
2025-01-06,99,,4500,,,
2025-01-06,Dik,,,,,
2025-01-06,Eva,1,1500,,,ill
2025-01-06,Fie,1,1500,2,,notice
2025-01-06,Gea,,4500,,,
2025-01-06,GEA,,4500,,,
2026-10-10,Hans,,4500,,,
2025-01-06,Ina,1,1500,,,
2025-01-06,Ina,,,,,none
2025-01-06,Jo,,-1001,,,
"""
    assert files.refused("import_results", text, season="2025") == [
        "line 2: score: 53811 is more than any number of deals could give",
        "line 3: score: 7393 is more than any number of deals could give",
        "line 5: pits: give a number from 0 to 99",
        "line 5: roem: 'x' is not a whole number",
        "line 5: score: 'abc' is not a whole number",
        "line 6: evening: write the date as 2026-09-05",
        "line 6: player: the player is missing",
        "line 6: round: give a number from 1 to 40",
        "line 7: player: more than one person is called 'Jan Bos': give the number",
        "line 8: player: nobody has number 99",
        "line 9: score: the score is missing",
        "line 10: absence: write notice or none, or nothing",
        "line 11: score: leave this empty for somebody who was absent",
        "line 11: round: leave this empty for somebody who was absent",
        "line 11: pits: leave this empty for somebody who was absent",
        "line 13: line 12 has the same result",
        "line 14: evening: this evening is in Klaverclub with its deals, which make its results",
        "line 16: absence: somebody who was absent has no score in a round",
        "line 17: score: -1001 is less than any number of deals could give",
    ]


def test_the_fault_of_the_contract(files: Files) -> None:
    good = "".join(f"2026-09-05,P{number},,4500\n" for number in range(2, 14))
    text = f"evening,player,round,score\n{good}2026-09-05,Ann,,abc\n"
    assert files.refused("import_results", text, season="2026") == [
        "line 14: score: 'abc' is not a whole number"
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("season", "fault"),
    [
        ("", "Fill in a name."),
        ("   ", "Fill in a name."),
        ("x" * 61, "The name may have at most 60 characters."),
    ],
)
def test_a_season_without_a_proper_name(files: Files, season: str, fault: str) -> None:
    assert files.refused("import_results", PUBLISHED, season=season) == [fault]


@pytest.mark.full
def test_a_column_is_missing(files: Files) -> None:
    assert files.refused("import_results", "evening,player\n2025-01-06,Ann\n", season="2025") == [
        "line 1: score: there is no column with this heading, only: evening, player"
    ]


@pytest.mark.full
def test_who_played_in_two_clubs_is_two_people(files: Files, tmp_path: Path) -> None:
    other = Files(ClubFactory.create(), tmp_path)
    for club_files in (files, other):
        club_files.results("evening,player,score\n2025-01-06,Ann,4500\n")
    assert Member.objects.filter(name="Ann").count() == 2
    assert Evening.objects.count() == 2
