"""A table of three in a file of deals: three names a line, nobody opposite who plays."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from scoring.models import Seat
from scoring.rules import line_of_three
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, table, write_deal
from tests.scoring.audit.test_verify import verify
from tests.tournaments.files import HEADINGS, Files, everything, rows
from tests.tournaments.table_pages import playing_three
from tournaments.closing.services import evening_close
from tournaments.models import Placement
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

LINES = (
    "2026-10-10,1,1,Ann,Bob,,Cor,1,N,H,100,,20,,,,,N E W",
    "2026-10-10,1,1,Ann,Bob,Cor,,2,E,S,,70,,20,,,,N E S",
    "2026-10-10,1,1,,Bob,Cor,Ann,3,S,C,,,,,NS,,,E S W",
)
"""Ann 120, the others 62; Bob has 70 + 20 and is nat, so 162 + 20 to the others; Cor takes every
trick. So Ann 120 + 182, Bob 62, Cor 62 + 182 + 262."""


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


def file_of(*lines: str, headings: str = f"{HEADINGS},seats") -> str:
    return "\r\n".join([headings, *lines, ""])


def standing(files: Files, date: str) -> dict[str, str]:
    return {line[1]: line[2] for line in rows(files.standings(evening=date))[1:]}


@pytest.mark.full
def test_three_people_come_to_their_standing(files: Files) -> None:
    files.evening(file_of(*LINES))
    assert standing(files, "2026-10-10") == {"Cor": "506", "Ann": "302", "Bob": "62"}
    placed = Placement.objects.values_list("member__name", "seat", "substitute")
    assert sorted(placed) == [("Ann", "N", False), ("Bob", "E", False), ("Cor", "S", False)]
    assert Seat.objects.get(seat="W").member is None
    assert verify() == ["1 sheets and every trail are as they were written."]


@pytest.mark.full
def test_it_comes_out_as_it_went_in(files: Files) -> None:
    files.evening(file_of(*LINES))
    assert files.export("2026-10-10") == file_of(*LINES)
    before = everything()
    files.evening(file_of(*LINES))
    assert everything() == before


@pytest.mark.full
def test_the_empty_name_says_enough(files: Files) -> None:
    lines = [line.rpartition(",")[0] for line in LINES]
    files.evening(file_of(*lines, headings=HEADINGS))
    assert files.export("2026-10-10") == file_of(*LINES)


@pytest.mark.full
def test_a_substitute_plays_on_from_his_first_deal(files: Files) -> None:
    last = LINES[2].replace("Ann", "Eva")
    files.evening(file_of(*LINES[:2], last))
    assert standing(files, "2026-10-10") == {"Cor": "506", "Ann": "302", "Bob": "62", "Eva": "0"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("2026-10-10,1,1,Ann,,Bob,Cor,1,N,H,100,,,,,,,", "line 2: e: the player is missing"),
        ("2026-10-10,1,1,Ann,,Bob,,1,N,H,100,,,,,,,", "line 2: e: the player is missing"),
        ("2026-10-10,1,1,Ann,,Bob,Cor,1,W,H,100,,,,,,,", "line 2: e: the player is missing"),
        (
            "2026-10-10,1,1,Ann,Bob,,Cor,1,N,H,100,,,,,,,N E S",
            "line 2: seats: with the dummy opposite the declarer, three people sit at N E W",
        ),
    ],
)
def test_nobody_sits_opposite_who_plays(files: Files, line: str, fault: str) -> None:
    with pytest.raises(CommandError) as refused:
        files.evening(file_of(line))
    assert fault in str(refused.value)
    assert everything()["Evening"] == []


@pytest.mark.full
def test_a_table_has_three_people_or_four(files: Files) -> None:
    four = "2026-10-10,1,1,Ann,Bob,Cor,Dik,2,N,H,100,,,,,,,"
    with pytest.raises(CommandError) as refused:
        files.evening(file_of(LINES[0], four))
    assert "line 3: table: a table has as many people in each deal: here it had 3" in str(
        refused.value
    )


@pytest.mark.full
def test_an_evening_that_was_played_here_comes_back_the_same(files: Files) -> None:
    evening, three = playing_three(club=files.club, deals_per_round=2)
    other = table(evening, 3 - three.number)
    write_deal(three, 1, **line_of_three({"declarer": "S", "trump": "H", "points": {"NS": 90}}))
    write_deal(three, 2, **line_of_three({"declarer": "N", "trump": "D", "points": {"EW": 90}}))
    for number in (1, 2):
        write_deal(other, number)
    round_close(round_id=three.round_id, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    text, scores = files.export("2026-11-21"), standing(files, "2026-11-21")
    files.evening(text, replace=True)
    assert files.export("2026-11-21") == text
    assert standing(files, "2026-11-21") == scores


TOTALS = f"{HEADINGS},total_n,total_e,total_s,points_n,roem_n,pits_n,correction_s"
HANDED_IN = "2026-10-10,1,1,Ann,Bob,Cor,,16,,,,,,,,,,1784,1352,1296,1664,20,1,-50"


@pytest.mark.full
def test_totals_of_three_come_back_as_they_were_handed_in(files: Files) -> None:
    evening, three = playing_three(club=files.club, deals_per_round=2)
    totals = {
        "N": HandedIn(points=162, roem=20, pits=1),
        "E": HandedIn(total=62),
        "S": HandedIn(total=162, correction=-50),
    }
    side_totals_write(sheet_id=three.sheet_id, totals=totals, actor=TESTS)
    other = table(evening, 3 - three.number)
    for number in (1, 2):
        write_deal(other, number)
    round_close(round_id=three.round_id, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    text, scores = files.export("2026-11-21"), standing(files, "2026-11-21")
    assert {"282", "62", "112"} <= set(scores.values())
    files.evening(text, replace=True)
    assert files.export("2026-11-21") == text
    assert standing(files, "2026-11-21") == scores
    assert sorted(
        Seat.objects.filter(sheet__three_handed=True, member=None).values_list("seat", flat=True)
    ) == ["W"]
    before = everything()
    files.evening(text)
    assert everything() == before


@pytest.mark.full
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("Cor,,16", "Cor,Dik,16", "total_n: a table of three has a total for n, e and s"),
        ("Cor,,16", ",,16", "s: the player is missing"),
        (",1352,", ",,", "total_e: Type the total."),
        (",1784,", ",1785,", "total_n: "),
        (",16,,,,", ",16,N,,,", "declarer: leave this empty on a line with totals"),
        (",16,,,,", ",16,,,50,", "points_ns: leave this empty on a line with totals"),
    ],
)
def test_totals_of_three_that_cannot_be(files: Files, old: str, new: str, fault: str) -> None:
    assert HANDED_IN.count(old) == 1
    with pytest.raises(CommandError) as refused:
        files.evening(file_of(HANDED_IN.replace(old, new), headings=TOTALS))
    assert f"line 2: {fault}" in str(refused.value)
    assert everything()["Evening"] == []
