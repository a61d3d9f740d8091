"""`import_results --preview`: what a file would make, and what looks like a slip of the pen."""

import datetime as dt
from pathlib import Path

import pytest

from clubs.merges.services import guest_merge
from clubs.models import Member
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.tournaments.files import DATA, Files, everything
from tournaments.models import PastResult
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

HEADINGS = "evening,player,round,score,pits,roem,absence\n"
USUAL = [4510, 4620, 4480, 4700, 4590, 4410]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


def preview(files: Files, text: str | Path, season: str = "2025") -> list[str]:
    """What is printed; nothing at all has changed."""
    before = everything()
    path = str(files.file(text))
    printed = files.run("import_results", path, season=season, preview=True).splitlines()
    assert everything() == before
    return printed


def doubts(files: Files, *lines: str) -> list[str]:
    """What looks like a slip of the pen in these lines, after six usual ones of one evening."""
    usual = [f"2025-01-06,{name},,{score},,," for name, score in zip("ABCDEF", USUAL, strict=True)]
    text = HEADINGS + "\n".join([*usual, *lines])
    return [line for line in preview(files, text) if line.startswith("look at")]


@pytest.mark.full
def test_what_would_be_made_evening_by_evening(files: Files) -> None:
    files.results("evening,player,round,score\n2025-01-06,Ann,,4500\n2025-01-06,Bob,,4000\n")
    assert preview(
        files,
        "datum;speler;ronde;punten;afwezig\n"
        "2025-01-06;Ann;;4.700;\n"
        "2025-01-06;Bob;;4000;\n"
        "2025-01-13;Ann;1;1500;\n"
        "2025-01-13;Ann;2;1700;\n"
        "2025-01-13;Cor Kok;;;met bericht\n",
        season="2026",
    ) == [
        "2025-01-06: changed, 2 people, lowest 4000, highest 4700, mean 4350",
        "2025-01-13: new, 1 people, lowest 3200, highest 3200, mean 3200",
        "new guest: Cor Kok",
        "2026: 3 would be added, 1 changed, 1 unchanged, 1 new guests; nothing has been written",
    ]


@pytest.mark.full
def test_what_was_really_published_looks_right(files: Files) -> None:
    printed = preview(files, DATA / "published-club-evenings.csv")
    assert [line for line in printed if line.startswith("look at")] == []
    assert printed[0] == "2023-10-02: new, 6 people, lowest 3599, highest 5871, mean 5061"
    assert len(printed) == 5 + 18 + 1


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("9801", "9801 is far from what others have (around 4590)"),
        ("458", "458 is a tenth of what others have (around 4510): a digit too few?"),
        ("1010", "1010 is far from what others have (around 4510)"),
    ],
)
def test_a_score_unlike_the_others(files: Files, score: str, said: str) -> None:
    assert doubts(files, f"2025-01-06,G,,{score},,,") == [f"look at line 8: score: {said}"]


@pytest.mark.full
def test_a_round_with_a_digit_too_many(files: Files) -> None:
    lines = [f"2025-01-06,{name},1,150{at},,," for at, name in enumerate("ABCD")]
    text = HEADINGS + "\n".join([*lines, "2025-01-06,E,2,1500,,,", "2025-01-06,F,2,5100,,,"])
    assert [line for line in preview(files, text) if "score" in line] == [
        "look at line 7: score: 5100 is far from what others have (around 1502)"
    ]


@pytest.mark.full
@pytest.mark.parametrize("score", ["3010", "6300", "4.510"])
def test_a_good_and_a_bad_evening_are_no_slips(files: Files, score: str) -> None:
    assert doubts(files, f"2025-01-06,G,,{score},,,") == []


@pytest.mark.full
def test_a_fraction_is_no_score_and_a_comma_between_thousands_is_reported(files: Files) -> None:
    assert doubts(files, '2025-01-06,G,,"5,811",,,') == [
        "look at line 8: score: “5,811” has been read as 5811, and not as a fraction"
    ]
    for text in ("58,11", "5.81", "1.2345", "5811,00"):
        assert files.refused("import_results", HEADINGS + f'2025-01-06,G,,"{text}",,,', season="x")


@pytest.mark.full
def test_more_roem_than_points(files: Files) -> None:
    assert doubts(files, "2025-01-06,G,,4500,,4510,") == [
        "look at line 8: roem: this is more than the score"
    ]


def test_a_round_that_one_of_them_misses(files: Files) -> None:
    lines = [f"2025-01-13,{who},{number},1500,,," for who in "ABC" for number in (1, 2)]
    assert doubts(files, *lines[:-1]) == [
        "look at line 12: round: there is no line for round 2 of this player"
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("date", "said"),
    [
        ("2024-08-31", "this is before the first day of the season"),
        ("2025-06-01", "this is after the last day of the season"),
        ("2199-01-01", "this day is still to come"),
    ],
)
def test_a_day_that_cannot_well_be(files: Files, date: str, said: str) -> None:
    season_create(
        club=files.club,
        name="2025",
        starts=dt.date(2024, 9, 1),
        ends=dt.date(2025, 5, 31),
        actor=TESTS,
    )
    assert doubts(files, f"{date},A,,4500,,,", f"{date},B,,4500,,,") == [
        f"look at line 8: evening: {said}"
    ]


@pytest.mark.full
def test_names_that_are_spelt_nearly_alike(files: Files) -> None:
    for name in ("Jan Bakker", "Jo Smit", "Jan Smit"):
        MemberFactory.create(club=files.club, name=name)
    said = doubts(
        files,
        "2025-01-06,Jan Baker,,4500,,,",
        "2025-01-06,J. Smit,,4500,,,",
        "2025-01-06,Mia Kok,,4500,,,",
        "2025-01-13,Mia Kock,,4500,,,",
    )
    assert said == [
        "look at line 8: player: “Jan Baker” would be a new guest. Is this Jan Bakker?",
        "look at line 9: player: “J. Smit” would be a new guest. Is this Jan Smit or Jo Smit?",
        "look at line 11: player: “Mia Kock” would be a new guest. Is this Mia Kok?",
    ]


@pytest.mark.full
def test_a_fault_is_a_fault_in_the_preview_too(files: Files) -> None:
    text = HEADINGS + "2025-01-06,Ann,,53811,,,\n"
    assert files.refused("import_results", text, season="2025", preview=True) == [
        "line 2: score: 53811 is more than any number of deals could give"
    ]


@pytest.mark.full
def test_an_old_file_knows_who_the_guest_turned_out_to_be(files: Files) -> None:
    """The same file after a merge changes nothing, and makes no second guest."""
    text = "evening,player,round,score\n2025-01-06,Jo Gast,,4500\n"
    files.results(text, season="2025")
    member = MemberFactory.create(club=files.club, name="Jo Gastman")
    guest_merge(guest=Member.objects.get(name="Jo Gast"), member=member, actor=TESTS)
    assert files.results(text, season="2025") == (
        "2025: 0 added, 0 changed, 1 unchanged, 0 new guests\n"
    )
    assert list(PastResult.objects.values_list("member", "score")) == [(member.pk, 4500)]


@pytest.mark.full
@pytest.mark.parametrize(
    ("word", "kept"),
    [
        ("met bericht", "notice"),
        ("Afgemeld", "notice"),
        ("zonder  bericht", "none"),
        ("niet afgemeld", "none"),
        ("weggebleven", "none"),
    ],
)
def test_absence_in_dutch(files: Files, word: str, kept: str) -> None:
    files.results(f"datum;deelnemer;totaal;afwezigheid\n2025-01-06;Ann;;{word}\n")
    assert PastResult.objects.get().absence == kept


@pytest.mark.full
@pytest.mark.parametrize("text", ["4.810", "4,810", "4 810", "4\u00a0810", "4810"])
def test_thousands(files: Files, text: str) -> None:
    files.results(f"\ufeffdatum;naam;totaal;pitten\r\n2025-01-06;Ann;{text};2\r\n")
    assert list(PastResult.objects.values_list("score", "pits")) == [(4810, 2)]
