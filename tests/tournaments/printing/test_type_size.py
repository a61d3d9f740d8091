"""Paper is read by people of seventy and over: no small type, and no name cut off."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from clubs.profile.services import logo_choose
from scoring.pdf.paper import SMALLEST
from tests.clubs.profile.test_logo import picture
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tests.pdfs import page_texts, smallest_type
from tests.tournaments.desk import EVENING, desk_of
from tests.tournaments.public_pages import close_evening
from tests.tournaments.season_papers import PRINTS, season_of
from tournaments.printing.booklets import booklet_form, season_booklet

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LONG = "Wilhelmina Johanna van Nieuwenhuizen"
WRITTEN: list[dict[str, Any]] = [
    {"declarer": "N", "trump": "S", "accused_wrongly_by": "E"},
    {"declarer": "N", "trump": "D", "reneged": "W"},
    {"declarer": "N", "trump": "H", "points": {"NS": 98}, "roem": {"NS": [100, 20]}},
]
STRANGE = ("Đặng Thị Hường", "Łukasz Şahin", "Иван Ελένη")
LISTS = "links numbers follow spare standings".split()
MEMBERS = "/clubs/vrolijke-boer/desk/print/members.pdf"
LABELS = "/clubs/vrolijke-boer/desk/print/labels.pdf"


@pytest.fixture
def club() -> Club:
    """A club with a logo, whose people have long and rare names."""
    club: Club = ClubFactory.create()
    Club.objects.update(roem_letters="D=20 V=50")
    home = {"street": "Zeeweg 12", "postcode": "1135 AB", "town": "Edam"}
    for name in (LONG, f"{LONG[:-3]}den", *STRANGE):
        MemberFactory.create(club=club, name=name, phone="0299-123456", **home)
    logo_choose(club=club, content=picture((400, 100)), actor=TESTS)
    return club


def papers_of(club: Club, paths: list[str]) -> Iterator[tuple[str, bytes]]:
    """Each of these with its content, printed by the organiser."""
    client: Client = desk_of(club)
    for path in paths:
        response = client.get(path)
        assert response.status_code == 200, path
        yield path, response.content


def too_small(papers: Iterator[tuple[str, bytes]]) -> dict[str, Any]:
    """The papers with type below eight points, and their smallest words."""
    found = {path: smallest_type(content) for path, content in papers}
    return {path: smallest for path, smallest in found.items() if smallest[0] < SMALLEST}


@pytest.mark.full
@pytest.mark.parametrize(
    "plan",
    [
        {},
        {"writing": "both", "method": "lottery", "leftover": "three_handed"},
        {"target": 1001, "rounds": 1},
    ],
    ids=["rotation", "both write, and three", "to a target"],
)
def test_nothing_of_an_evening_is_below_eight_points(club: Club, plan: dict[str, Any]) -> None:
    evening = evening_with_draw(club=club, players=11 if "leftover" in plan else 8, **plan)
    if "leftover" not in plan:
        for number, written in enumerate(WRITTEN, start=1):
            write_deal(table(evening), number, **written)
    sheets = [
        f"{EVENING}print/sheets/1.pdf{query}"
        for query in ("", "?halved=1", "?filled=1", "?filled=1&halved=1")
    ]
    lists = ["draw.pdf?round=1", *(f"{name}.pdf" for name in LISTS)]
    papers = [*sheets, *(f"{EVENING}print/{name}" for name in lists)]
    assert too_small(papers_of(club, papers)) == {}


def test_nothing_of_a_season_is_below_eight_points(club: Club) -> None:
    season, _members = season_of(club, evenings=20, players=6, fee=1750)
    papers = [f"{PRINTS}{name}.pdf" for name in ("standing", "certificates", "fees")]
    assert too_small(papers_of(club, [*papers, MEMBERS, LABELS])) == {}
    content = season_booklet(season)
    for folded in (False, True):
        assert smallest_type(booklet_form(content, folded=folded))[0] >= SMALLEST


def test_a_name_of_thirty_five_letters_is_whole_on_every_paper(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=1, method="lottery")
    names = set(Member.objects.filter(club=club).values_list("name", flat=True)[:4])
    papers = ["print/sheets/1.pdf", "print/sheets/1.pdf?halved=1", "print/draw.pdf"]
    for path, content in papers_of(club, [f"{EVENING}{name}" for name in papers]):
        words = " ".join(page_texts(content))
        assert [name for name in names if name not in words] == [], path
    close_evening(evening)
    for path, content in papers_of(club, [f"{EVENING}print/standings.pdf"]):
        words = " ".join(page_texts(content))
        assert [name for name in names if name not in words] == [], path


@pytest.mark.full
def test_a_long_name_is_whole_in_a_season_and_its_booklet(club: Club) -> None:
    season, members = season_of(club, evenings=8, players=3)
    Member.objects.filter(pk=members[0].pk).update(name=LONG)
    standing = dict(papers_of(club, [f"{PRINTS}standing.pdf"])).popitem()[1]
    assert LONG in " ".join(page_texts(standing))
    words = " ".join(page_texts(booklet_form(season_booklet(season))))
    assert len(re.findall(LONG, words)) == 1 + 8 + 8 + 1
