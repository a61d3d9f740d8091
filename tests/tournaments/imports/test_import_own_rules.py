"""Evenings in files that are not as others: with bids by a club's own regulation, of another game
by totals, of folders."""

from pathlib import Path

import pytest
from django.core.management import CommandError
from django.test import Client

from scoring.models import Regulation
from scoring.regulations.services import regulation_save
from tests.factories import TESTS, ClubFactory, regulation_of, table
from tests.scoring.audit.test_verify import verify
from tests.tournaments.desk import desk_of
from tests.tournaments.duplicate.played import play_all, started
from tests.tournaments.files import HEADINGS, Files, evening_text, everything, rows
from tests.tournaments.table_pages import link, playing
from tournaments.closing.services import evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

BID: dict[str, object] = {"bidding": "free", "bid_needed": True}
VERIFIED = "{} sheets and every trail are as they were written."
BIDS = (
    "2026-10-10,1,1,Ann,Bob,,Cor,1,N,H,100,,20,,,,,N E W,110",
    "2026-10-10,1,1,Ann,Bob,Cor,,2,E,S,,70,,20,,,,N E S,100",
)
"""Ann bid 110 and has 120; Bob bid 100 and has 90, so he is nat: 162 + 20 to the others."""
TOTALS = (
    "2026-10-10,1,1,Ann,Bob,Cor,Dik,16,,,,,,,,,,311,245",
    "2026-10-10,1,2,Eva,Fay,Gus,Han,16,,,,,,,,,,0,1840",
    "2026-10-10,2,2,Ann,Fay,Gus,Dik,16,,,,,,,,,,402,118",
)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


def file_of(*lines: str, more: str) -> str:
    return "\r\n".join([f"{HEADINGS},{more}", *lines, ""])


def own(files: Files, name: str, **settings: object) -> Regulation:
    return regulation_save(club=files.club, name=name, settings=settings, actor=TESTS)


def standing(files: Files) -> list[list[str]]:
    return [line[:3] for line in rows(files.standings(evening="2026-10-10"))[1:]]


def test_three_people_who_bid(files: Files) -> None:
    leids = own(files, "Leids", **BID)
    text = file_of(*BIDS, more="seats,bid")
    assert "imported" in files.evening(text, regulation=" leids ")
    assert files.club.evenings.get().regulation == leids
    assert standing(files) == [["1", "Ann", "302"], ["2", "Cor", "244"], ["3", "Bob", "62"]]
    assert files.export("2026-10-10") == text
    assert verify() == [VERIFIED.format(1)]
    before = everything()
    assert "nothing changed" in files.evening(text, regulation="Leids")
    assert everything() == before


@pytest.mark.full
def test_a_bid_is_refused_where_nobody_bids(files: Files) -> None:
    faults = files.refused("import_evening", file_of(*BIDS, more="seats,bid"))
    assert [fault.partition(": ")[2].partition(":")[0] for fault in faults] == ["bid", "bid"]


def test_another_game_by_totals(files: Files) -> None:
    own(files, "Jokeren", game="other")
    text = file_of(*TOTALS, more="total_ns,total_ew")
    files.evening(text, regulation="Jokeren", season="2026")
    assert files.club.evenings.get().deals_per_round == 16
    assert standing(files)[:2] == [["1", "Fay", "1958"], ["2", "Han", "1840"]]
    season = rows(files.standings(season="2026", format="csv"))
    assert [line[1:3] for line in season[1:3]] == [["Fay", "1958"], ["Han", "1840"]]
    assert files.export("2026-10-10") == text
    assert verify() == [VERIFIED.format(3)]
    before = everything()
    files.evening(text, regulation="Jokeren")
    assert everything() == before


@pytest.mark.full
def test_what_was_played_here_of_another_game_comes_back(files: Files, tmp_path: Path) -> None:
    rules = own(files, "Jokeren", game="other")
    evening = playing(club=files.club, regulation=rules)
    Client().post(f"{link(evening)}rounds/1/totals/", {"total_ns": 311, "total_ew": 245})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    text = files.export(evening.slug)
    assert [line[-2:] for line in rows(text)[1:]] == [["311", "245"]]
    elsewhere = Files(ClubFactory.create(), tmp_path)
    own(elsewhere, "Jokeren", game="other")
    elsewhere.evening(text, regulation="Jokeren")
    assert elsewhere.export(evening.slug) == text


@pytest.mark.full
def test_totals_of_klaverjas_with_what_they_are_made_of(files: Files) -> None:
    line = "2026-10-10,1,1,Ann,Bob,Cor,Dik,2,,,200,124,40,,,,,240,124,0,0,-10"
    more = "total_ns,total_ew,pits_ns,pits_ew,correction_ns"
    text = file_of(line, more=more)
    files.evening(text)
    sheet = table(files.club.evenings.get()).sheet
    assert (sheet.score_ns, sheet.score_ew, sheet.deals_planned) == (230, 124, 2)
    assert files.export("2026-10-10") == text


@pytest.mark.full
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (
            "2026-10-10,1,1,Ann,Bob,Cor,Dik,2,,,,,,,,,,240,125",
            "line 2: total_ns: Together this is 365.",
        ),
        ("2026-10-10,1,1,Ann,Bob,Cor,Dik,2,,,,,,,,,,240,", "line 2: total_ew: Type the total."),
        (
            "2026-10-10,1,1,Ann,Bob,Cor,Dik,2,N,,,,,,,,,240,124",
            "line 2: declarer: leave this empty on a line with totals",
        ),
        ("2026-10-10,1,1,Ann,Bob,,Dik,2,,,,,,,,,,240,124", "line 2: s: the player is missing"),
    ],
)
def test_totals_that_cannot_be(files: Files, line: str, fault: str) -> None:
    faults = files.refused("import_evening", file_of(line, more="total_ns,total_ew"))
    assert any(each.startswith(fault) for each in faults)


@pytest.mark.full
def test_a_table_has_deals_or_totals(files: Files) -> None:
    deal = "2026-10-10,1,1,Ann,Bob,Cor,Dik,1,N,H,100,,,,,,,,"
    totals = "2026-10-10,1,1,Ann,Bob,Cor,Dik,2,,,,,,,,,,240,124"
    faults = files.refused("import_evening", file_of(deal, totals, more="total_ns,total_ew"))
    assert "line 3: table: line 2 is about this table too; totals go without deals" in faults


@pytest.mark.full
def test_a_name_may_say_which_version(files: Files) -> None:
    first = own(files, "Huisregels", **BID)
    files.evening(file_of(*BIDS, more="seats,bid"), regulation="Huisregels")
    newer = own(files, "Huisregels", **BID, pit_bonus=50)
    text = file_of(*BIDS, more="seats,bid")
    assert "nothing changed" in files.evening(text, regulation="Huisregels (1)")
    assert "replaced" in files.evening(text, regulation="huisregels", replace=True)
    assert files.club.evenings.get().regulation == newer
    files.evening(text, regulation="Huisregels (1)", replace=True)
    assert files.club.evenings.get().regulation == first


def test_an_unknown_regulation_is_refused_with_what_there_is(files: Files) -> None:
    own(files, "Leids", **BID)
    before = everything()
    with pytest.raises(CommandError) as refused:
        files.evening(file_of(*BIDS, more="seats,bid"), regulation="Leidse")
    assert refused.value.returncode == 2
    assert "There are: amsterdam, rotterdam, utrecht" in str(refused.value)
    assert str(refused.value).endswith("Leids.")
    assert everything() == before


@pytest.mark.full
def test_the_page_offers_our_own_rules_first(files: Files) -> None:
    own(files, "Leids", **BID)
    page = desk_of(files.club).get(f"/clubs/{files.club.slug}/desk/import/evening/")
    choices = page.context["form"].fields["preset"].choices
    assert [group for group, _choices in choices] == ["Onze eigen regels", "Regels van anderen"]
    assert choices[0][1] == [("Leids", "Leids")]


RESULTS = "evening,player,round,score\n2025-01-06,Ann,1,20000\n2025-01-06,Bob,1,9000\n"


@pytest.mark.full
def test_results_are_bounded_by_what_the_club_plays(files: Files) -> None:
    too_many = "more than any number of deals could give"
    assert files.refused("import_results", RESULTS, season="2025") == [
        f"line 2: score: 20000 is {too_many}",
        f"line 3: score: 9000 is {too_many}",
    ]
    # Sixteen pits of 250 and two fours of a kind each.
    own(files, "Dure pit", pit_bonus=250)
    assert files.refused("import_results", RESULTS, season="2025") == [
        f"line 2: score: 20000 is {too_many}"
    ]
    # Of another game nothing is known but what is a slip.
    own(files, "Jokeren", game="other")
    files.results(RESULTS, season="2025")
    assert [row.total for row in evening_standings(Evening.objects.get())] == [20_000, 9_000]
    slip = RESULTS.replace("2025-01-06", "2025-01-13").replace("20000", "20001")
    assert files.refused("import_results", slip, season="2025") == [
        f"line 2: score: 20001 is {too_many}"
    ]
    # An evening with rules of its own is bounded by those.
    Evening.objects.update(regulation=regulation_of(files.club))
    assert files.refused("import_results", RESULTS.replace("9000", "7392"), season="2025") == [
        f"line 2: score: 20000 is {too_many}"
    ]


def test_an_evening_of_folders_is_left_alone(files: Files) -> None:
    evening = play_all(started(4, folders=6, club=files.club))
    evening_close(evening_id=evening.pk, actor=TESTS)
    text = evening_text([{}], evening=evening.slug)
    message = (
        "The evening of 2026-11-21 is played in folders. A file does not say which deal is of"
        " which folder, so it cannot replace it."
    )
    assert files.refused("import_evening", text, replace=True) == [message]
