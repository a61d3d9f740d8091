"""Score sheets printed from the desk."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.models import Club
from clubs.profile.services import logo_choose
from scoring.models import Seat
from tests.clubs.profile.test_logo import picture
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.pdfs import codes, page_texts, sizes, words_off_the_page
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.models import Evening, TableToken
from tournaments.rounds.services import table_substitute
from tournaments.table_links.services import token_pin, token_secret

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SHEETS = f"{EVENING}print/sheets/1.pdf"
ALL_SHEETS = f"{EVENING}print/sheets.pdf"
BASE = "https://klaver.example"
NOT_THERE = [
    "print/sheets/4.pdf",
    "print/sheets/0.pdf",
    f"print/sheets/{'9' * 30}.pdf",
    f"print/sheets/{'9' * 5000}.pdf",
    "print/sheets/1.pdf?table=9",
    "print/sheets/1.pdf?table=twee",
    "print/sheets/1.pdf?table=",
    f"print/sheets/1.pdf?table={'9' * 5000}",
]


@pytest.fixture
def club(settings: Settings) -> Club:
    settings.PUBLIC_URL = BASE
    return ClubFactory.create()


def links(evening: Evening) -> list[str]:
    """The addresses that the tables have now, in order of tables."""
    tokens = TableToken.objects.filter(evening=evening, revoked_at=None).order_by("table_number")
    return [f"{BASE}/t/{token_secret(token)}/" for token in tokens]


def names_at(evening: Evening, number: int, round_number: int = 1) -> list[str]:
    """Who sits at a table."""
    seats = Seat.objects.filter(sheet=table(evening, number, round_number).sheet)
    return list(seats.values_list("member__name", flat=True))


@pytest.mark.full
def test_every_table_has_a_page_with_its_names_and_its_code(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=14)
    desk = desk_of(club)
    response = desk.get(SHEETS)
    pages = page_texts(response.content)
    assert len(pages) == 3
    for number, page in enumerate(pages, start=1):
        assert f"Tafel {number} Ronde 1" in page
        assert "zaterdag 21 november 2026" in page
        assert all(name in page for name in names_at(evening, number))
    assert codes(response.content, tmp_path) == [[link] for link in links(evening)]
    (page,) = page_texts(desk.get(SHEETS, {"table": 3}).content)
    assert page == pages[2]


@pytest.mark.full
def test_the_file_has_a_name_and_is_not_kept(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    desk = desk_of(club)
    response = desk.get(SHEETS)
    assert response["Content-Type"] == "application/pdf"
    assert response["Cache-Control"] == "no-store"
    assert "Content-Security-Policy" not in response
    assert response["Content-Disposition"] == (
        'inline; filename="de-vrolijke-boer-2026-11-21-tellijsten-ronde-1.pdf"'
    )
    assert desk.post(SHEETS).status_code == 405
    paths = {f"{EVENING}{path}" for path in NOT_THERE}
    assert {path: desk.get(path).status_code for path in paths} == dict.fromkeys(paths, 404)


@pytest.mark.full
def test_a_table_of_three_has_one_code_also_where_both_sides_write(
    club: Club, tmp_path: Path
) -> None:
    plan: dict[str, Any] = {"method": "lottery", "leftover": "three_handed", "writing": "both"}
    evening = evening_with_draw(club=club, players=7, rounds=1, **plan)
    content = desk_of(club).get(SHEETS).content
    four, three = (2, 1) if table(evening, 1).sheet.three_handed else (1, 2)
    ns, ew = (evening.tokens.get(table_number=four, side=side) for side in ("NS", "EW"))
    one = evening.tokens.get(table_number=three, side="NS")
    printed = codes(content, tmp_path)
    assert printed[four - 1] == sorted(f"{BASE}/t/{token_secret(token)}/" for token in (ns, ew))
    assert printed[three - 1] == [f"{BASE}/t/{token_secret(one)}/"]
    pages = page_texts(content)
    assert "groen: scan deze" in pages[four - 1]
    assert f"pincode {token_pin(one)}" in pages[three - 1]


@pytest.mark.full
def test_sheets_can_be_printed_before_the_round_starts(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    client = desk_of(club)
    first, again = client.get(SHEETS).content, client.get(SHEETS).content
    assert len(links(evening)) == 2
    assert codes(first, tmp_path) == codes(again, tmp_path) == [[link] for link in links(evening)]


@pytest.mark.full
def test_a_rotation_shows_the_partners_of_all_three_rounds(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    (page,) = page_texts(desk_of(club).get(SHEETS).content)
    strip = page.partition("spel gever")[0]
    rounds = re.findall(r"Ronde (\d) (\w+) – (\w+) (\w+) – (\w+)", strip)
    assert [number for number, *_names in rounds] == ["1", "2", "3"]
    couples = {frozenset(names) for _n, *four in rounds for names in (four[:2], four[2:])}
    assert couples == set(map(frozenset, combinations(["Jan", "Mia", "Piet", "Truus"], 2)))


@pytest.mark.full
def test_namesakes_at_one_table_are_told_apart_as_partners_too(club: Club) -> None:
    for number, name in enumerate(["Jan de Vries", "Jan de Vries", "Mia Kok", "Piet Smit"], 1):
        MemberFactory.create(club=club, number=number, name=name)
    evening_with_draw(club=club, players=4)
    (page,) = page_texts(desk_of(club).get(SHEETS).content)
    assert len(re.findall(r"Jan de Vries \(1\)", page)) == page.count("Jan de Vries") // 2
    assert not re.findall(r"Jan de Vries(?! \([12]\))", page)


@pytest.mark.full
def test_a_lottery_shows_only_its_own_round_until_the_next_is_drawn(club: Club) -> None:
    evening_with_draw(club=club, players=8, method="lottery")
    desk = desk_of(club)
    pages = page_texts(desk.get(SHEETS).content)
    assert all("Ronde 2" not in page for page in pages)
    response = desk.get(f"{EVENING}print/sheets/2.pdf")
    assert response.status_code == 404
    assert "Van ronde 2 is de loting nog niet definitief" in text(response)
    assert f'href="{EVENING}"' in text(response)


@pytest.mark.full
def test_an_evening_without_phones_has_no_codes(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=8, phones=False)
    content = desk_of(club).get(SHEETS).content
    assert codes(content, tmp_path) == [[], []]
    assert "telefoon" not in "".join(page_texts(content))
    assert evening.phones is False


@pytest.mark.full
def test_the_sheets_of_all_rounds_are_one_print(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    desk = desk_of(club)
    response = desk.get(ALL_SHEETS)
    pages = page_texts(response.content)
    assert [re.findall(r"Tafel (\d) Ronde (\d)", page)[0] for page in pages] == [
        (table, round_) for round_ in "123" for table in "12"
    ]
    assert response["Content-Disposition"] == (
        'inline; filename="de-vrolijke-boer-2026-11-21-tellijsten.pdf"'
    )
    assert len(page_texts(desk.get(ALL_SHEETS, {"halved": 1, "table": 2}).content)) == 2
    EveningFactory.create(club=club, date="2026-11-28")
    assert desk.get(ALL_SHEETS.replace("11-21", "11-28")).status_code == 404


@pytest.mark.full
def test_filled_sheets_hold_what_was_written_and_no_code(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=8)
    write_deal(table(evening, 2), 1, points={"NS": 77}, trump="C")
    response = desk_of(club).get(SHEETS, {"filled": 1})
    first, second = page_texts(response.content)
    assert "Op deze tellijst is nog niets geschreven." in first
    # 77 is less than half of 162: nat.
    assert "♣ nat 0 162 162" in second
    assert codes(response.content, tmp_path) == [[], []]


@pytest.mark.full
def test_a_substitute_stands_on_the_sheets_to_come(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    guest = MemberFactory.create(club=club, name="Nel Invaller")
    leaving = Seat.objects.get(sheet=table(evening).sheet, seat="N").member
    assert leaving is not None
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=guest,
        from_deal=1,
        for_himself=True,
        actor=TESTS,
    )
    client = desk_of(club)
    for number in (1, 2):
        (page,) = page_texts(client.get(f"{EVENING}print/sheets/{number}.pdf").content)
        assert "Nel Invaller" in page
        assert leaving.name not in page


def test_more_tables_take_no_more_queries(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = desk_of(club)
    evening_with_draw(club=club, players=12)
    for query in ({"table": 1}, {}):
        parameters: dict[str, Any] = {**query, "filled": 1}
        with django_assert_num_queries(13):
            client.get(SHEETS, parameters)


@pytest.mark.full
def test_two_tables_share_a_page_and_both_codes_are_read(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=12)
    content = desk_of(club).get(f"{SHEETS}?halved=1").content
    pages = page_texts(content)
    assert [re.findall(r"Tafel (\d) Ronde 1", page) for page in pages] == [["1", "2"], ["3"]]
    assert set(sizes(content)) == {(841, 595)}
    first, second, third = links(evening)
    assert codes(content, tmp_path) == [sorted([first, second]), [third]]
    assert words_off_the_page(content, tmp_path) == []


@pytest.mark.full
def test_filled_sheets_may_share_a_page_too(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    write_deal(table(evening, 2), 1, points={"NS": 97})
    (page,) = page_texts(desk_of(club).get(f"{SHEETS}?halved=1&filled=1").content)
    left, right = page.split("Tafel 2")
    assert "Op deze tellijst is nog niets geschreven." in left
    assert " 97 97 65 65" in right


@pytest.mark.full
def test_the_club_s_logo_is_on_each_sheet_and_once_in_the_file(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    plain = desk_of(club).get(SHEETS).content
    assert plain.count(b"/Subtype /Image") == 0
    logo_choose(club=club, content=picture((400, 100)), actor=TESTS)
    content = desk_of(club).get(SHEETS).content
    assert content.count(b"/Subtype /Image") == 1
    assert len(sizes(content)) == 2


@pytest.mark.full
def test_each_table_has_a_number_to_stand_on_it(club: Club) -> None:
    evening_with_draw(club=club, players=12)
    first, second = page_texts(desk_of(club).get(f"{EVENING}print/numbers.pdf").content)
    suits = "♣ ♦ ♥ ♠"
    assert first == f"tafel 1 {suits} De Vrolijke Boer tafel 2 {suits} De Vrolijke Boer"
    assert second == f"tafel 3 {suits} De Vrolijke Boer"


@pytest.mark.full
def test_without_a_draw_no_table_has_a_number(club: Club) -> None:
    EveningFactory.create(club=club)
    response = desk_of(club).get(f"{EVENING}print/numbers.pdf")
    assert response.status_code == 404
    assert "is de loting nog niet definitief" in text(response)


@pytest.mark.full
def test_a_spare_sheet_has_the_evening_s_rules_and_no_names(club: Club, tmp_path: Path) -> None:
    EveningFactory.create(club=club, deals_per_round=12)
    MemberFactory.create(club=club)
    client = desk_of(club)
    content = client.get(f"{EVENING}print/spare.pdf").content
    (page,) = page_texts(content)
    assert "Tafel ___ Ronde ___" in page
    assert "12 × 162 = 1.944" in page
    assert page.partition("Zij punten roem totaal")[2].startswith(
        " 1 2 3 4 5 6 7 8 9 10 11 12 Totaal Controle"
    )
    assert "Jan" not in page
    assert codes(content, tmp_path) == [[]]
    (two,) = page_texts(client.get(f"{EVENING}print/spare.pdf?halved=1").content)
    assert two.count("Tafel ___") == 2


@pytest.mark.full
def test_a_spare_sheet_of_a_round_to_a_target_has_lines_enough(club: Club) -> None:
    EveningFactory.create(club=club, target=1001)
    pages = page_texts(desk_of(club).get(f"{EVENING}print/spare.pdf").content)
    # Both may have 1000 after 12 deals of 162, and then need a thirteenth.
    assert "12 13 Totaal" in pages[-1]
