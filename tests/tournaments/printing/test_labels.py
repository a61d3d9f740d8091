"""Address labels on paper."""

import shutil
import subprocess
from pathlib import Path

import pytest

from clubs.models import Club, Member
from tests.factories import ClubFactory, MemberFactory
from tests.missing import missing
from tests.pdfs import WORD, page_texts, sizes, words_off_the_page
from tests.tournaments.desk import desk_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LABELS = "/clubs/vrolijke-boer/desk/print/labels.pdf"
MM = 72 / 25.4


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


def at_home(club: Club, count: int) -> None:
    for number in range(count):
        MemberFactory.create(
            club=club, street=f"Zeeweg {number + 1}", postcode="1135 AB", town="Edam"
        )


@pytest.mark.full
def test_a_label_for_everybody_with_an_address(club: Club) -> None:
    at_home(club, 2)
    MemberFactory.create(club=club, name="Zonder Adres")
    away = MemberFactory.create(club=club, name="Weg Wouters", street="Kade 1", town="Hoorn")
    Member.objects.filter(pk=away.pk).update(is_active=False)
    answer = desk_of(club).get(LABELS)
    assert page_texts(answer.content) == [
        "Jan Bakker Zeeweg 1 1135 AB Edam Mia van der Meer Zeeweg 2 1135 AB Edam"
    ]
    page = desk_of(club).get("/clubs/vrolijke-boer/desk/members/").content.decode()
    assert "Etiketten met adressen afdrukken: 2 mensen hebben een adres" in page


@pytest.mark.full
def test_without_addresses_there_is_nothing_to_print(club: Club) -> None:
    MemberFactory.create(club=club)
    assert desk_of(club).get(LABELS).status_code == 404
    page = desk_of(club).get("/clubs/vrolijke-boer/desk/members/").content.decode()
    assert LABELS not in page


@pytest.mark.full
def test_twenty_four_fit_on_a_sheet_each_within_its_label(club: Club, tmp_path: Path) -> None:
    at_home(club, 24)
    long = "Maria Johanna Wilhelmina van den Heuvel-Nieuwenhuizen tot Abcoude"
    MemberFactory.create(club=club, name=long, street="Z" * 60, town="Edam")
    content = desk_of(club).get(LABELS).content
    assert sizes(content) == [(595, 841)] * 2
    assert words_off_the_page(content, tmp_path) == []
    for left, top, right, bottom in boxes(content, tmp_path):
        column, row = (left / MM - 7.2) // 66.0, (top / MM - 12.9) // 33.9
        assert (0 <= column < 3, 0 <= row < 8) == (True, True)
        assert right / MM < 7.2 + column * 66.0 + 63.5
        assert bottom / MM < 12.9 + (row + 1) * 33.9


def boxes(content: bytes, folder: Path) -> list[tuple[float, float, float, float]]:
    """Where the words of all pages stand, in points from the upper left corner."""
    program = shutil.which("pdftotext") or missing("pdftotext", "poppler-utils")
    (folder / "labels.pdf").write_bytes(content)
    subprocess.run([program, "-bbox", folder / "labels.pdf", folder / "labels.html"], check=True)
    words = WORD.findall((folder / "labels.html").read_text())
    assert len(words) > 24 * 6
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d, _word in words]
