"""Two people of one name, told apart on every list, sheet, page and file."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from clubs.members.services import member_change, member_create
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.personal_data.test_privacy import (
    NOW,
    PLAYED,
    evening,
    finish,
    pictured,
    play_in_a_league,
    readable,
    walked,
)
from tests.tournaments.public_pages import words
from tests.tournaments.table_pages import link
from tournaments.models import Evening, Release, Table
from tournaments.ratings.services import ratings_make
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

__all__ = ["pictured"]
MARK = r'(?: |</span> <span class="hall-mark">)\('
"""What follows a name on pages, and in the hall, where a long name is cut and its mark is not."""
ALIKE = re.compile(rf"(?:Jan de Vries|J\. d\. V\.)(?!{MARK})")
TOWNS = "Katwoude", "Volendam"
"""Of which no example in the description of the API speaks."""
DESK = f"/clubs/vrolijke-boer/desk/evenings/{NOW}/"


@pytest.fixture
def club() -> Club:
    """Numbers 1 and 2 are both called Jan de Vries, and win the first evening together; 3 and 4
    are shown with the same initials."""
    club: Club = ClubFactory.create()
    for number, town in enumerate(TOWNS, start=1):
        member_create(club=club, name="Jan de Vries", number=number, town=town, actor=TESTS)
    for number, name in enumerate(("Jo de Vos", "Jet de Vroom"), start=3):
        member_create(club=club, name=name, number=number, public_as="initials", actor=TESTS)
    for _number in range(5):
        MemberFactory.create(club=club)
    season = season_create(club=club, name="2026", actor=TESTS)
    closed = evening(club, PLAYED, season)
    finish(closed)
    release_publish(evening=closed, reason="nageteld", actor=TESTS)
    ratings_make(club_id=club.pk)
    evening(club, NOW, season)
    play_in_a_league(club)
    return club


def alike(pages: dict[str, str]) -> list[tuple[str, str]]:
    """Where a name stands that two people have, with what stands around it."""
    return [
        (path, text[max(0, found.start() - 60) : found.end() + 30])
        for path, page in pages.items()
        for text in [html.unescape(page)]
        for found in ALIKE.finditer(text)
    ]


@pytest.mark.full
def test_the_public_tells_them_apart_and_reads_no_town(
    client: Client, club: Club, pictured: list[str]
) -> None:
    pages = walked(client, club)
    assert len(pages) > 40
    assert alike(pages) == []
    assert alike({"picture": "\n".join(pictured)}) == []
    assert [path for path, text in pages.items() if any(town in text for town in TOWNS)] == []
    standing = words(pages[f"/clubs/vrolijke-boer/evenings/{PLAYED}/"])
    for name in ("Jan de Vries (1)", "Jan de Vries (2)", "J. d. V. (3)", "J. d. V. (4)"):
        assert name in standing


PLAYING = (
    *("present/", "draw/", "draw/type-in/", "draw/type-in/lots/", "board/", "stake/"),
    *("rounds/1/tables/1/", "rounds/1/tables/1/grid/", "rounds/1/close/"),
    *("print/draw.pdf", "print/sheets/1.pdf", "print/links.pdf"),
)
OVER = ("close/", "prizes/", "print/standings.pdf", "print/certificates.pdf")
OF_THE_CLUB = (
    *("", "members/", "members/merges/", "couples/", "cups/", "print/members.pdf"),
    *("seasons/2026/print/standing.pdf", "seasons/2026/print/fees.pdf", "seasons/2026/prizes/"),
)


@pytest.mark.full
def test_the_desk_and_paper_tell_them_apart(club: Club) -> None:
    desk, root = desk_of(club), "/clubs/vrolijke-boer/desk/"
    paths = [f"{DESK}{more}" for more in PLAYING]
    paths += [f"{root}evenings/{PLAYED}/{more}" for more in OVER]
    paths += [root + more for more in OF_THE_CLUB]
    pages = {}
    for path in paths:
        response: Any = desk.get(path)
        assert response.status_code == 200, path
        pages[path] = readable(response)
    assert alike(pages) == []
    for more in (
        "present/",
        "board/",
        "rounds/1/tables/1/",
        "print/draw.pdf",
        "print/sheets/1.pdf",
    ):
        assert "Jan de Vries (Katwoude)" in pages[f"{DESK}{more}"], more


@pytest.mark.full
def test_a_phone_at_the_table_tells_them_apart(client: Client, club: Club) -> None:
    now = Evening.objects.get(date=NOW)
    tables = Table.objects.filter(round__evening=now).values_list("number", flat=True).distinct()
    pages = {f"{number}": words(client.get(link(now, number))) for number in tables}
    assert alike(pages) == []
    assert {town for town in TOWNS for page in pages.values() if f"({town})" in page} == set(TOWNS)


@pytest.mark.full
def test_a_published_standing_keeps_its_names_and_figures(club: Club) -> None:
    """Towns are no part of what was published; who asks later reads the names as they are now."""
    release = Release.objects.latest("number")
    assert {row["name"] for row in release.standings} >= {"Jan de Vries"}
    assert not any(town in str(release.standings) for town in TOWNS)
    before = release.standings
    change(Member.objects.get(number=1), addition="sr.")
    release.refresh_from_db()
    assert release.standings == before
    page = words(Client().get(f"/clubs/vrolijke-boer/evenings/{PLAYED}/"))
    assert ("Jan de Vries (sr.)" in page, "Jan de Vries (1)" in page) == (True, False)


@pytest.mark.full
def test_a_page_that_is_open_follows_when_the_second_comes() -> None:
    club: Club = ClubFactory.create()
    first = member_create(club=club, name="Jan de Vries", number=1, actor=TESTS)
    for _number in range(8):
        MemberFactory.create(club=club)
    evening(club, NOW, season_create(club=club, name="2026", actor=TESTS))
    path = f"/clubs/vrolijke-boer/evenings/{NOW}/live/?show=names"
    client = Client()
    page: Any = client.get(path)
    member_create(club=club, name="Jan de Vries", number=90, actor=TESTS)
    again: Any = client.get(path, headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 200
    assert ("Jan de Vries (1)" in words(page), "Jan de Vries (1)" in words(again)) == (False, True)
    first.refresh_from_db()
    assert first.version == 2


@pytest.mark.full
def test_who_is_left_alone_with_the_name_has_it_back(club: Club) -> None:
    Evening.objects.filter(date=NOW).delete()
    member_erase(member=Member.objects.get(number=1), actor=TESTS)
    left = Member.objects.get(number=2)
    assert (left.desk_name, left.shown_name) == ("Jan de Vries", "Jan de Vries")


def change(member: Member, **details: Any) -> Member:
    return member_change(
        member=member, seen_version=member.version, name=member.name, actor=TESTS, **details
    )
