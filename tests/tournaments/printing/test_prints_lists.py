"""The draw and the standings printed for the wall."""

import re
from pathlib import Path

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from clubs.models import Club, Member
from clubs.profile.services import logo_choose
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.clubs.profile.test_logo import picture
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
)
from tests.pdfs import fonts, page_texts, words_off_the_page
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.closing.services import evening_close
from tournaments.draw.extra_tables import extra_table_make
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = [pytest.mark.django_db, pytest.mark.once]

OWN_LETTERS = {
    "AtkinsonHyperlegibleNext-Regular",
    "AtkinsonHyperlegibleNext-Bold",
    "Fraunces-SemiBold",
}
DRAW = f"{EVENING}print/draw.pdf"
STANDINGS = f"{EVENING}print/standings.pdf"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def pages_of(club: Club, path: str) -> list[str]:
    """The words on each page of this PDF, printed by the organiser."""
    response = desk_of(club).get(path)
    assert response.status_code == 200
    return page_texts(response.content)


def hand_in(evening: Evening, number: int, ns: int) -> None:
    """Totals of a table for a round of sixteen deals: so much for NS, the rest for EW."""
    totals = {"NS": HandedIn(ns, pits=1 if ns > 2000 else 0), "EW": HandedIn(16 * 162 - ns)}
    side_totals_write(sheet_id=table(evening, number).sheet_id, totals=totals, actor=TESTS)


def closed_evening(club: Club) -> Evening:
    """Eight people, one round: table 1 1500–1092, table 2 1500–1092."""
    evening = evening_with_draw(club=club, players=8, rounds=1)
    for number in (1, 2):
        hand_in(evening, number, 1500)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return evening


def test_the_draw_names_everybody_twice_with_the_table(club: Club) -> None:
    evening = evening_with_draw(club=club, players=34)
    by_name, by_table = pages_of(club, DRAW)
    assert "Waar zit ik? Ronde 1 tot en met 3" in by_name
    assert "De tafels Ronde 1 tot en met 3" in by_table
    for member in Member.objects.of(club):
        assert member.name in by_name
        assert member.name in by_table
    for placement in evening.rounds.get(number=1).placements.select_related("member", "table"):
        number = placement.table.number if placement.table else None
        who = re.escape(placement.member.name)
        said = re.search(rf"{who} (?:met [^\d]+ (\d+)|stilzitten)", by_name)
        assert said is not None
        assert said[1] == (str(number) if number else None)
    assert re.search(r"stilzitten: [^,]+, [^,]+$", by_table)


@pytest.mark.full
def test_names_stand_in_the_dutch_order(club: Club) -> None:
    for name in ["Jan van der Meer", "Piet Łuczak", "Lies 't Hart", "Anna Özdemir"]:
        MemberFactory.create(club=club, name=name)
    evening_with_draw(club=club, players=4)
    page = pages_of(club, DRAW)[0]
    order = ["H Lies 't Hart", "L Piet Łuczak", "M Jan van der Meer", "O Anna Özdemir"]
    assert sorted(order, key=page.index) == order


@pytest.mark.full
def test_a_lottery_gives_side_and_partner_of_the_round_that_comes(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, method="lottery", started=False)
    page = pages_of(club, DRAW)[0]
    assert "Waar zit ik? Ronde 1 " in page
    at_one = evening.rounds.get().placements.filter(table__number=1)
    north, south = (at_one.get(seat=seat).member.name for seat in "NS")
    assert f"{north} Wij met {south} 1" in page
    assert all(word not in page for word in ("Noord", "Oost", "Zuid", "West"))


def printable(club: Club) -> list[tuple[str, str]]:
    """The queries and words of the links to print a draw, on the board."""
    page = text(desk_of(club).get(f"{EVENING}board/"))
    return re.findall(rf'href="{DRAW}([^"]*)">([^<]*)<', page)


@pytest.mark.full
def test_each_round_that_is_final_and_not_closed_has_its_print(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, method="balanced", rounds=4)
    assert printable(club) == [(f"?round={n}", f"Loting van ronde {n}") for n in (1, 2, 3, 4)]
    hand_in(evening, 1, 1500)
    hand_in(evening, 2, 1500)
    round_close(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    assert [query for query, _ in printable(club)] == ["?round=2", "?round=3", "?round=4"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("rounds", "links"),
    [
        (3, [("", "De loting")]),
        (
            5,
            [
                ("?round=1", "Loting van ronde 1"),
                ("?round=4", "Loting van ronde 4"),
            ],
        ),
    ],
)
def test_rounds_in_which_the_tables_stay_together_have_one_print(
    club: Club, rounds: int, links: list[tuple[str, str]]
) -> None:
    evening_with_draw(club=club, players=12, rounds=rounds)
    assert printable(club) == links


@pytest.mark.full
def test_who_plays_twice_reads_which_table_is_beside_his_own(club: Club) -> None:
    evening = evening_with_draw(club=club, players=7, method="lottery", started=False)
    twice = table(evening).placements.get(seat="N").member
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[twice], actor=TESTS)
    by_name, _by_table = pages_of(club, DRAW)
    found = re.findall(r"([^\d,]+) (?:Wij|Zij) met [^\d,]+, speelt hier ook (\d)", by_name)
    assert [table for _who, table in found] == ["2"]
    assert twice.name in found[0][0]


def test_the_wall_shows_public_names(club: Club) -> None:
    MemberFactory.create(club=club, name="Johanna Petronella Bos", public_name="J. Bos")
    evening_with_draw(club=club, players=4)
    for page in pages_of(club, DRAW):
        assert "J. Bos" in page
        assert "Petronella" not in page


def test_a_large_draw_loses_nobody_over_its_pages(club: Club) -> None:
    evening_with_draw(club=club, players=120, rounds=1)
    pages = pages_of(club, DRAW)
    names = " ".join(page for page in pages if "Waar zit ik?" in page)
    tables = " ".join(page for page in pages if "De tafels" in page)
    for member in Member.objects.of(club):
        assert member.name in names
        assert member.name in tables
    assert [f"pagina {n} van {len(pages)}" in page for n, page in enumerate(pages, 1)] == [
        True
    ] * len(pages)


@pytest.mark.full
def test_markup_in_names_is_only_words(club: Club) -> None:
    MemberFactory.create(club=club, name="<b>Jan</b> & <i>Zoon</i>")
    evening_with_draw(club=club, players=4)
    for path in (DRAW, STANDINGS):
        assert "<b>Jan</b> & <i>Zoon</i>" in pages_of(club, path)[0]


@pytest.mark.full
def test_without_a_final_draw_there_is_nothing_to_print(club: Club) -> None:
    EveningFactory.create(club=club)
    client = desk_of(club)
    draw, standings = client.get(DRAW), client.get(STANDINGS)
    assert (draw.status_code, standings.status_code) == (404, 404)
    assert "Van ronde 1 is de loting nog niet definitief" in text(draw)
    assert "Er is nog geen stand" in text(standings)


@pytest.mark.full
def test_a_round_that_is_not_there_is_not_found(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    desk = desk_of(club)
    for wanted in ("9", "0", "x", "", "9" * 5000):
        assert desk.get(DRAW, {"round": wanted}).status_code == 404


def test_standings_share_places_and_are_provisional_until_published(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, rounds=1)
    hand_in(evening, 1, 1500)
    hand_in(evening, 2, 2100)
    (page,) = pages_of(club, STANDINGS)
    assert "Tussenstand 8 spelers plaats naam ronde 1 pit totaal" in page
    # 2100 + 100 for the pit; 1500; 1092; 492.
    scores = re.findall(r"(\d) \D+? ([\d.]+) ([01]) ([\d.]+)(?= |$)", page.partition("totaal")[2])
    assert [(rank, total, pits) for rank, _round, pits, total in scores] == [
        ("1", "2.200", "1"),
        ("1", "2.200", "1"),
        ("3", "1.500", "0"),
        ("3", "1.500", "0"),
        ("5", "1.092", "0"),
        ("5", "1.092", "0"),
        ("7", "492", "0"),
        ("7", "492", "0"),
    ]
    assert "Voorlopig: deze stand is nog niet gepubliceerd." in page


@pytest.mark.full
def test_standings_say_what_decided_between_equal_totals(club: Club) -> None:
    decided = "Bij een gelijk totaal beslissen, in deze volgorde: het vaakst pit,"
    evening = evening_with_draw(club=club, players=8, rounds=1, tie="tie_breaks")
    hand_in(evening, 1, 2000)
    hand_in(evening, 2, 2000)
    assert decided not in pages_of(club, STANDINGS)[0]
    # 1900 and a pit of 100 at table 1 are as much as 2000 at table 2, and go first.
    totals = {"NS": HandedIn(1900, pits=1), "EW": HandedIn(16 * 162 - 1900)}
    side_totals_write(sheet_id=table(evening, 1).sheet_id, totals=totals, actor=TESTS)
    (page,) = pages_of(club, STANDINGS)
    assert decided in page


def test_published_standings_carry_their_number_and_seal(club: Club) -> None:
    evening = closed_evening(club)
    (page,) = pages_of(club, STANDINGS)
    release = evening.releases.get()
    seal = " ".join(release.seal[at : at + 8] for at in range(0, 64, 8))
    assert "Eindstand 8 spelers" in page
    assert "Uitslag 1, gepubliceerd " in page
    assert f"niets aan deze uitslag is veranderd: {seal}" in page
    assert f"Afgedrukt {date_format(timezone.localtime(), 'j F Y')}" in page
    assert all(member.name in page for member in Member.objects.of(club))


@pytest.mark.full
def test_headings_stand_on_every_page_of_long_standings(club: Club) -> None:
    evening_with_draw(club=club, players=80, rounds=1)
    pages = pages_of(club, STANDINGS)
    assert len(pages) == 3
    for number, page in enumerate(pages, start=1):
        assert "plaats naam ronde 1 nu spellen pit totaal" in page
        assert f"pagina {number} van 3" in page
    assert all(member.name in " ".join(pages) for member in Member.objects.of(club))


@pytest.mark.full
def test_many_rounds_turn_the_page_on_its_side(club: Club) -> None:
    evening = closed_evening(club)
    release = evening.releases.get()
    for row in release.standings:
        row["rounds"] = {str(number): 1500 for number in range(1, 21)}
    release.save()
    (page,) = pages_of(club, STANDINGS)
    assert "plaats naam r. 1 r. 2" in page
    assert page.count("1.500") >= 20 * 8


@pytest.mark.full
def test_what_is_printed_has_its_own_letters(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    client = desk_of(club)
    for path in (DRAW, STANDINGS):
        found = fonts(client.get(path).content)
        assert all(found.values())
        assert {name.partition("+")[2] for name in found} == OWN_LETTERS | {"DejaVuSans"}


@pytest.mark.full
@pytest.mark.parametrize("language", ["nl", "en"])
def test_long_names_and_a_logo_leave_everything_on_its_page(
    club: Club, tmp_path: Path, language: str
) -> None:
    Club.objects.update(name="Klaverjasvereniging De Vrolijke Boer van Groot-Ammers en Omstreken")
    logo_choose(club=club, content=picture((300, 300)), actor=TESTS)
    for length in (100, 60, 45, 30):
        MemberFactory.create(club=club, name=("Wilhelmina " * 10)[:length])
    evening_with_draw(club=club, players=12, name="De avond van de " + "lange " * 10)
    client = desk_of(club)
    client.cookies["django_language"] = language
    papers = [DRAW, STANDINGS, f"{EVENING}print/links.pdf", f"{EVENING}print/numbers.pdf"]
    for path in papers:
        assert words_off_the_page(client.get(path).content, tmp_path) == []
