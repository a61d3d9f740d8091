"""The score sheet on paper, read back from the PDF."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from clubs.models import PitWord
from scoring.disputes.submissions import sheet_answer
from scoring.models import Scoresheet
from scoring.pdf.head import Heading, PhoneCode, RoundPartners
from scoring.pdf.sheet import PaperSheet, sheets_pdf
from scoring.regulations.services import regulation_save
from scoring.sheets.services import seat_take_over, sheet_swap_sides, sheet_views
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.pdfs import codes, fonts, page_texts, words_off_the_page
from tests.scoring.sheets import sheet_of, write, write_four

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LINK = "http://192.168.1.20:8000/t/0123456789abcdef0123456789abcdef01234567/"
NAMES = ["Anna Łuczak", "Ayşe Özdemir", "Thị Đặng", "Lies 't Hart"]


def fresh(sheet: Scoresheet) -> Scoresheet:
    """The sheet as the database has it now, with what a view of it needs."""
    return Scoresheet.objects.select_related("club", "regulation").get(pk=sheet.pk)


def paper(sheet: Scoresheet, *, filled: bool = False, **heading: Any) -> bytes:
    """The sheet as table 4, round 2 of an evening."""
    (view,) = sheet_views([fresh(sheet)])
    head = Heading("Tafel 4", "Ronde 2", "zaterdag 21 november 2026", **heading)
    return sheets_pdf([PaperSheet(view, head, filled)], title="Tellijst", author="Klaver Vier")


def grid_of(text: str) -> str:
    """What stands under the headings of the columns."""
    return text.rpartition("totaal")[2]


def named_sheet(deals: int = 16, preset: str = "amsterdam") -> Scoresheet:
    club = ClubFactory.create()
    members = [MemberFactory.create(club=club, name=name) for name in NAMES]
    return sheet_of(*members, deals=deals, preset=preset)


@pytest.mark.full
def test_a_blank_sheet_has_all_that_club_members_know() -> None:
    (page,) = page_texts(paper(named_sheet()))
    for words in ["De Vrolijke Boer", "Tafel 4", "Ronde 2", "16 spellen", *NAMES]:
        assert words in page
    heads = "spel gever speelt troef Wij punten roem totaal Zij punten roem totaal"
    assert heads in page
    lines = [
        f"{number} {('Ayşe', 'Thị', 'Lies', 'Anna')[number % 4 - 1]}" for number in range(1, 17)
    ]
    assert " ".join(lines) in page
    assert "Ayşe Özdemir geeft eerst" in page
    assert all(word not in page for word in ("Noord", "Oost", "Zuid", "West"))
    assert "Controle 16 × 162 = 2.592 + roem + 100 × pit = wij + zij Punten:" in page


@pytest.mark.full
@pytest.mark.parametrize(
    ("deals", "pages"),
    [(1, 1), (12, 1), (16, 1), (20, 1), (24, 1), (25, 1), (26, 2), (40, 2), (99, 4)],
)
def test_a_sheet_of_any_length_keeps_its_headings_on_every_page(deals: int, pages: int) -> None:
    partners = [RoundPartners(f"Ronde {n}", "Anna – Thị", "Ayşe – Lies", n == 2) for n in (1, 2, 3)]
    texts = page_texts(paper(named_sheet(deals), partners=partners))
    assert len(texts) == pages
    for text in texts:
        assert text.count("spel gever speelt troef") == 1
        assert all(name in text for name in NAMES)
    lines = [re.findall(r"\b(\d+) (?:Ayşe|Thị|Lies|Anna)\b", grid_of(text)) for text in texts]
    assert [int(number) for page in lines for number in page] == list(range(1, deals + 1))
    assert [text.count("Tot hier") for text in texts] == [1] * (pages - 1) + [0]


def test_the_sheet_says_who_partners_whom_in_each_round() -> None:
    partners = [
        RoundPartners("Ronde 1", "Anna Łuczak – Thị Đặng", "Ayşe Özdemir – Lies 't Hart"),
        RoundPartners("Ronde 2", "Anna Łuczak – Ayşe Özdemir", "Thị Đặng – Lies 't Hart", now=True),
    ]
    (page,) = page_texts(paper(named_sheet(), partners=partners))
    assert "Ronde 1 Anna Łuczak – Thị Đặng Ayşe Özdemir – Lies 't Hart" in page
    assert "Ronde 2 Anna Łuczak – Ayşe Özdemir Thị Đặng – Lies 't Hart" in page


@pytest.mark.full
def test_the_code_on_the_paper_says_exactly_the_link(tmp_path: Path) -> None:
    code = PhoneCode(LINK, "scan")
    assert codes(paper(named_sheet(), codes=[code]), tmp_path) == [[LINK]]


@pytest.mark.full
def test_where_both_sides_write_each_has_its_code(tmp_path: Path) -> None:
    other = LINK.replace("/t/", "/t/a")
    both = [PhoneCode(LINK, "Wij scannen"), PhoneCode(other, "Zij scannen")]
    unscanned = "Zonder scannen: klaver.example/t, pincode wij 12340, zij 54321"
    content = paper(named_sheet(), codes=both, unscanned=unscanned)
    assert codes(content, tmp_path) == [sorted([LINK, other])]
    (page,) = page_texts(content)
    assert "Wij scannen" in page
    assert "Zij scannen" in page
    assert unscanned in page


@pytest.mark.full
def test_without_a_link_there_is_no_code(tmp_path: Path) -> None:
    content = paper(named_sheet())
    assert codes(content, tmp_path) == [[]]
    assert "telefoon" not in page_texts(content)[0]


def test_the_fonts_are_in_the_file_and_cut_to_what_it_uses() -> None:
    found = fonts(paper(named_sheet()))
    used = sorted(name.partition("+")[2] for name in found)
    assert used == [
        "AtkinsonHyperlegibleNext-Bold",
        "AtkinsonHyperlegibleNext-Regular",
        "Fraunces-SemiBold",
    ]
    assert all(found.values())


def test_names_are_no_markup_and_long_ones_stay_in_their_place() -> None:
    club = ClubFactory.create()
    long = "Maria Johanna Antoinette van den Nieuwenhuizen-Oosterveld tot Lingen"
    names = ["<b>Jan</b> & Zoon", "&amp; </para>", long, "😀 Truus"]
    members = [MemberFactory.create(club=club, name=name) for name in names]
    (page,) = page_texts(paper(sheet_of(*members)))
    assert "<b>Jan</b> & Zoon" in page
    assert "&amp; </para>" in page
    assert long not in page
    assert "Maria Johanna Antoinette" in page


@pytest.mark.full
def test_the_letters_of_the_club_for_roem_stand_on_its_sheet() -> None:
    sheet = named_sheet()
    (digits,) = page_texts(paper(sheet))
    assert "Roem: in cijfers, zodra hij gemeld is" in digits
    sheet.club.roem_letters = "D=20 V=50"
    sheet.club.save()
    (letters,) = page_texts(paper(sheet))
    assert "Roem: in cijfers of letters (D = 20, V = 50), zodra hij gemeld is" in letters


@pytest.mark.parametrize("deals", [12, 16, 25, 40])
def test_nothing_stands_off_the_page_however_long_the_names(deals: int, tmp_path: Path) -> None:
    club = ClubFactory.create(slug="w", name="W" * 100)
    members = [MemberFactory.create(club=club, name="W" * n) for n in (100, 60, 30, 1)]
    partners = [RoundPartners(f"Ronde {n}", "W" * 100, "W" * 40, n == 2) for n in range(1, 8)]
    content = paper(sheet_of(*members, deals=deals), partners=partners, unscanned="W" * 200)
    assert words_off_the_page(content, tmp_path) == []


@pytest.mark.full
def test_a_filled_sheet_says_what_was_written_and_adds_up() -> None:
    sheet = named_sheet(deals=4)
    write_four(sheet)
    (page,) = page_texts(paper(sheet, filled=True))
    # 97 + 70 = 167 · nat: 162 + 40 = 202, so 369 · pit 162 + 20 + 100, so 651 · counter-pit 262.
    assert grid_of(page).startswith(
        " 1 Ayşe Wij ♥ 97 70 167 65 65"
        " 2 Thị Zij ♠ 162 40 369 nat 65"
        " 3 Lies Wij ♣ pit 162 120 651 0 65"
        " 4 Anna Wij ♦ nat 651 tegenpit 162 100 327"
        " Totaal 421 230 651 227 100 327"
    )
    assert "4 × 162 + roem 130 + pit 200 = 978. Wij en zij samen 978: klopt." in page


def test_a_sheet_nobody_wrote_on_says_so() -> None:
    (page,) = page_texts(paper(named_sheet(), filled=True))
    assert "Op deze tellijst is nog niets geschreven." in page


def test_the_check_tells_a_stored_total_that_is_wrong() -> None:
    sheet = named_sheet(deals=4)
    write_four(sheet)
    Scoresheet.objects.filter(pk=sheet.pk).update(score_ns=650)
    (page,) = page_texts(paper(sheet, filled=True))
    assert "= 978. Wij en zij samen 977: klopt niet!" in page


def test_a_no_trump_deal_counts_130() -> None:
    sheet = named_sheet(deals=2, preset="thousand-and-one")
    write(sheet, 1, written={"declarer": "N", "trump": "NT", "points": {"NS": 80}})
    write(sheet, 2, written={"declarer": "N", "trump": "C", "points": {"NS": 100}})
    (page,) = page_texts(paper(sheet, filled=True))
    assert "Controle: 1 × 130 + 1 × 162 = 292. Wij en zij samen 292: klopt." in page


def test_penalties_corrections_and_changes_are_shown_in_words() -> None:
    sheet = named_sheet(deals=4)
    write(sheet, 1)
    write(
        sheet,
        1,
        1,
        written={"declarer": "NS", "trump": "H", "points": {"NS": 98}},
        reason="verteld",
    )
    write(sheet, 2, written={"declarer": "N", "trump": "S", "reneged": "E"})
    late = [{"seat": "S", "points": -50, "reason": "te laat <b>"}]
    write(
        sheet, 3, written={"declarer": "W", "trump": "D", "points": {"NS": 60}, "corrections": late}
    )
    write(sheet, 4, written={"declarer": "W", "trump": "D", "replayed": True})
    (page,) = page_texts(paper(sheet, filled=True))
    assert "Spel 1: 90–72 werd 98–64: verteld" in page
    assert "Spel 2: Ayşe Özdemir heeft verzaakt" in page
    assert "Thị Đặng: correctie −50 (te laat <b>)" in page
    assert "2 Thị Anna ♠ 162 100 360 verzaakt 0 64" in page
    assert "4 Anna ♦ opnieuw gegeven Totaal" in page


def test_many_changes_go_on_overleaf_and_none_is_lost() -> None:
    sheet = named_sheet(deals=16)
    for number in range(1, 17):
        write(sheet, number)
        for turn in range(1, 4):
            points = {"NS": 90 + number + turn}
            write(
                sheet,
                number,
                turn,
                written={"declarer": "NS", "trump": "H", "points": points},
                reason=f"reden {number}.{turn}",
            )
    first, second = page_texts(paper(sheet, filled=True))
    message = re.findall(r"reden (\d+\.\d)", second)
    assert message == [f"{number}.{turn}" for number in range(1, 17) for turn in range(1, 4)]
    assert "Totaal" in first
    assert "Wat er aan deze tafel gebeurde" in second
    assert "pagina 2 van 2" in second


def test_who_took_over_and_whole_sheets_that_were_swapped_are_shown() -> None:
    sheet = named_sheet(deals=4)
    write(sheet, 1)
    guest = MemberFactory.create(club=sheet.club, name="Jan Bos")
    seat_take_over(
        sheet_id=sheet.pk, seat="N", member=guest, from_deal=2, counts_for=None, actor=TESTS
    )
    sheet_swap_sides(sheet_id=sheet.pk, reason="andersom", actor=TESTS)
    (page,) = page_texts(paper(sheet, filled=True))
    assert "Vanaf spel 2 speelt Jan Bos voor Anna Łuczak." in page
    assert "Wij en zij zijn op de hele tellijst verwisseld." in page


@pytest.mark.full
def test_totals_that_were_handed_in_are_printed_and_checked() -> None:
    sheet = named_sheet(deals=16)
    totals = {"NS": HandedIn(1500, roem=120, pits=1), "EW": HandedIn(1092, roem=40)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    (page,) = page_texts(paper(sheet, filled=True))
    assert "Deze tafel heeft alleen totalen ingeleverd." in page
    assert "kaartpunten 2.592 + roem 160 + pit 100 = 2.852" in page
    assert "Wij en zij samen 2.852: klopt." in page


@pytest.mark.full
def test_the_sides_that_agreed_need_not_sign_again() -> None:
    sheet = named_sheet(deals=4)
    write_four(sheet)
    sheet_answer(
        sheet_id=sheet.pk, side="NS", seen_version=fresh(sheet).version, agrees=True, actor=TESTS
    )
    sheet_answer(
        sheet_id=sheet.pk,
        side="EW",
        seen_version=fresh(sheet).version,
        agrees=False,
        actor=TESTS,
        note="spel 2 klopt niet",
    )
    (page,) = page_texts(paper(sheet, filled=True))
    assert re.search(r"Akkoord wij: akkoord om \d\d:\d\d Akkoord zij: Akkoord schrijver:", page)
    assert re.search(r"Zij zijn het niet eens \(\d\d:\d\d\)\. spel 2 klopt niet", page)


@pytest.mark.full
def test_the_club_s_own_word_and_english() -> None:
    sheet = named_sheet(deals=4)
    sheet.club.pit_word = PitWord.MARS
    sheet.club.save()
    write_four(sheet)
    with translation.override("en"):
        (blank,), (filled,) = page_texts(paper(sheet)), page_texts(paper(sheet, filled=True))
    assert "deal dealer plays trump We points roem total They points roem total" in blank
    assert "All eight tricks: write “mars”; that is 100 extra." in blank
    assert "mars 162 120 651" in filled
    assert "We and they together 978: right." in filled


def test_more_sheets_take_no_more_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = ClubFactory.create()
    sheets = [fresh(sheet_of(*MemberFactory.create_batch(4, club=club), deals=4)) for _ in range(3)]
    for several in (sheets[:1], sheets):
        with django_assert_num_queries(4):
            views = sheet_views(several)
            papers = [PaperSheet(view, Heading("Tafel", "Ronde", "nu"), True) for view in views]
            assert len(page_texts(sheets_pdf(papers, title="x", author="y"))) == len(several)


def test_the_bid_stands_behind_who_plays() -> None:
    sheet = named_sheet(4)
    rules = {"bidding": "free", "bid_needed": True}
    sheet.regulation = regulation_save(club=sheet.club, name="Leids", settings=rules, actor=TESTS)
    sheet.save()
    (blank,) = page_texts(paper(sheet))
    assert "spel gever speelt, bod troef Wij" in blank
    assert "Het bod: achter wie speelt. Wie speelt, moet dat minstens halen." in blank


def test_of_another_game_the_paper_has_no_rules_of_ours() -> None:
    sheet = named_sheet(4)
    other = {"game": "other"}
    sheet.regulation = regulation_save(club=sheet.club, name="Joker", settings=other, actor=TESTS)
    sheet.save()
    (blank,) = page_texts(paper(sheet))
    words = "Er wordt een ander spel dan klaverjassen gespeeld: alleen de totalen onderaan tellen."
    assert words in blank
    assert "162" not in blank
    totals = {"NS": HandedIn(total=311), "EW": HandedIn(total=245)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    (filled,) = page_texts(paper(sheet, filled=True))
    assert "Controle: wij 311 + zij 245 = 556. Wij en zij samen 556: klopt." in filled
