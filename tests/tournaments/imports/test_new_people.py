"""People who come with a list are not public by full name unless somebody chose so."""

import datetime as dt
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubs.members.imports import uploads_sweep
from clubs.models import Club, Member, Upload
from tests.factories import ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.files import DATA

pytestmark = pytest.mark.django_db

DESK = "/clubs/vrolijke-boer/desk/"
PRESENT = f"{DESK}evenings/2026-11-21/present/list/"
RESULTS = "Naam;05-09-2025\nJan Jansen;5000\n"
SEASON = {"season": "new", "season_name": "2025-2026"}


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    EveningFactory.create(club=club)
    return club


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def members(desk: Client) -> Any:
    return desk.post(f"{DESK}members/import/", {"text": "Naam\nJan Jansen"}, follow=True)


def results(desk: Client) -> Any:
    return desk.post(f"{DESK}import/results/", {**SEASON, "text": RESULTS}, follow=True)


def evening(desk: Client) -> Any:
    file = SimpleUploadedFile("avond.csv", (DATA / "evening-12-players.csv").read_bytes())
    chosen = {"preset": "amsterdam", "season": "", "file": file}
    return desk.post(f"{DESK}import/evening/", chosen, follow=True)


def present(desk: Client) -> Any:
    return desk.post(PRESENT, {"text": "Jan Jansen"})


def chosen(page: Any) -> list[str]:
    """The choice that stands on the page."""
    html = page.content.decode()
    return re.findall(r'name="public_as" value="(\w+)"[^>]* checked', html)


def confirmed(desk: Client, page: Any, **typed: str) -> list[str]:
    """How the new people are public after pressing the button."""
    seen = re.findall(r'name="seen" value="(\w+)"', page.content.decode())
    buttons = {"import": "yes", "do": "import"} if seen else {"do": "tick", "guest": "Jan Jansen"}
    answer = desk.post(page.request["PATH_INFO"], {"seen": "".join(seen), **buttons, **typed})
    assert answer.status_code == 302
    return sorted(set(Member.objects.values_list("public_as", flat=True)))


@pytest.mark.full
@pytest.mark.parametrize("asked", [members, results, evening, present])
def test_with_initials_at_first(desk: Client, asked: Any) -> None:
    page = asked(desk)
    assert (chosen(page), confirmed(desk, page)) == (["initials"], ["initials"])


@pytest.mark.full
@pytest.mark.parametrize("asked", [members, results, evening, present])
def test_as_is_chosen_on_the_page(desk: Client, asked: Any) -> None:
    assert confirmed(desk, asked(desk), public_as="name") == ["name"]


@pytest.mark.full
@pytest.mark.parametrize("asked", [members, results, evening, present])
def test_not_at_all_where_the_club_chose_that(club: Club, desk: Client, asked: Any) -> None:
    Club.objects.update(new_public_as="hidden")
    page = asked(desk)
    assert (chosen(page), confirmed(desk, page)) == (["hidden"], ["hidden"])


@pytest.mark.full
def test_looking_again_keeps_the_choice(desk: Client) -> None:
    faulty = {**SEASON, "text": RESULTS + "Mia Kok;veel\n"}
    page = desk.post(f"{DESK}import/results/", faulty, follow=True)
    line = re.findall(r'name="line" value="(\d+)"', page.content.decode())
    answers = {"do": "check", "line": line, "out": line, "public_as": "name"}
    again = desk.post(page.request["PATH_INFO"], answers, follow=True)
    assert chosen(again) == ["name"]

    page = members(desk)
    again = desk.post(
        page.request["PATH_INFO"], {"seen": "", "look": "yes", "public_as": "name"}, follow=True
    )
    assert chosen(again) == ["name"]


@pytest.mark.full
def test_what_was_mended_is_not_kept(desk: Client) -> None:
    for asked in (members, results):
        confirmed(desk, asked(desk))
    assert list(Upload.objects.values_list("content", "details")) == [(b"", {}), (b"", {})]


def test_files_that_nobody_confirmed_go_by_themselves(desk: Client) -> None:
    members(desk)
    uploads_sweep()
    assert Upload.objects.count() == 1
    Upload.objects.update(made_at=Upload.objects.get().made_at - dt.timedelta(days=1, minutes=1))
    uploads_sweep()
    assert Upload.objects.count() == 0


def test_namesakes_are_told_apart_before_they_are_ticked(club: Club, desk: Client) -> None:
    """Also those without a number."""
    for town in ("Edam", "Volendam"):
        member = MemberFactory.create(club=club, name="Jan Jansen", number=None, town=town)
        Member.objects.filter(pk=member.pk).update(mark=town)
    html = present(desk).content.decode()
    assert re.findall(r"<span>(Jan Jansen.*?)</span>", html) == [
        "Jan Jansen (Edam)",
        "Jan Jansen (Volendam)",
    ]
