"""Every page there is, read for what the content policy forbids: nothing is inline anywhere."""

import re
from collections import deque
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.conf import settings
from django.http import HttpResponseBase
from django.test import Client
from django.urls import resolve, reverse

from clubs.accounts.invitations import invitation_make
from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    organiser_of,
    table,
    write_deal,
)
from tests.inline import Reader
from tests.tournaments.table_pages import link
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.django_db, pytest.mark.once]

MISCHIEF = """'"><img src=x onerror=x()><script>x()</script>{{x}}"""
OF_A_ROUTE = 2
"""So many addresses of one route are read."""


@pytest.fixture
def club() -> Club:
    """A club with an evening that is being played, one to come and one that was called off."""
    club: Club = ClubFactory.create()
    evening = evening_with_draw(club=club, players=9)
    write_deal(table(evening), 1)
    write_deal(table(evening), 1, points={"NS": 40})
    EveningFactory.create(club=club, date="2026-12-05")
    MemberFactory.create(club=club, name=f"Piet {MISCHIEF}", kind=Member.Kind.GUEST)
    for member in club.members.filter(number__in=(1, 2)):
        Member.objects.filter(pk=member.pk).update(name=f"{member.number} {MISCHIEF}")
    Member.objects.filter(club=club, number=3).update(public_as="initials", public_name=MISCHIEF)
    Club.objects.update(name=f"De {MISCHIEF}", sit_out_word=MISCHIEF[:20], pit_word=MISCHIEF[-20:])
    club.evenings.update(name=f"Avond {MISCHIEF}")
    season_create(club=club, name=f"Seizoen {MISCHIEF}"[:60], actor=TESTS)
    invitation_make(club=club, email="wim@example.org", name=MISCHIEF, kind="director", actor=TESTS)
    return Club.objects.get(pk=club.pk)


def walk(client: Client, starts: list[str]) -> Iterator[tuple[str, str, HttpResponseBase]]:
    """Every page that links lead to from here, some of each route: route, address, answer."""
    waiting, seen, counts = deque(starts), set(starts), dict[str, int]()
    while waiting:
        address = waiting.popleft()
        route = resolve(urlsplit(address).path).route
        counts[route] = counts.get(route, 0) + 1
        if counts[route] > OF_A_ROUTE:
            continue
        answer = client.get(address)
        yield route, address, answer
        for onward in _links(address, answer):
            if onward not in seen:
                seen.add(onward)
                waiting.append(onward)


def _links(address: str, answer: HttpResponseBase) -> list[str]:
    """Where this answer leads, on our own server and not to a file."""
    found = [answer.headers["Location"]] if "Location" in answer.headers else []
    if _is_page(answer):
        found += Reader(answer.content.decode()).links  # type: ignore[attr-defined]
    whole = [urldefrag(urljoin(f"http://testserver{address}", one)).url for one in found]
    parts = [urlsplit(one) for one in whole]
    return [
        f"{one.path}?{one.query}" if one.query else one.path
        for one in parts
        if one.netloc == "testserver" and "format=" not in one.query and ".pdf" not in one.path
    ]


def _is_page(answer: HttpResponseBase) -> bool:
    return answer.headers.get("Content-Type", "").startswith("text/html")


@pytest.mark.full
def test_no_page_has_anything_inline_or_from_elsewhere(client: Client, club: Club) -> None:
    organiser = organiser_of(club)
    client.force_login(organiser)
    evening = club.evenings.order_by("date")[0]
    invitation = club.invitations.get()
    starts = ["/", reverse("desk", args=[club.slug]), link(evening)]
    starts += [reverse("invitation", args=[invitation.uuid, invitation.code]), reverse("account")]
    faults: dict[str, list[str]] = {}
    read: set[str] = set()
    hurt = False
    for people in (client, Client()):
        for route, address, answer in walk(people, starts):
            policy = answer.headers["Content-Security-Policy"]
            assert "unsafe" not in policy, address
            assert "script-src 'self'" in policy, address
            assert answer.status_code < 500, address
            if _is_page(answer):
                read.add(route)
                hurt |= "x()" in answer.content.decode()  # type: ignore[attr-defined]
                if found := Reader(answer.content.decode()).faults:  # type: ignore[attr-defined]
                    faults[address] = found
    assert faults == {}
    assert len(read) > 80
    assert hurt, "The names that could do harm are on no page."


TAG = re.compile(r"{%.*?%}|{#.*?#}|{{.*?}}", re.DOTALL)
IN_PYTHON = re.compile(r"""<script|<style|<[^>]*\s(?:style|on[a-z]+)=""")


@pytest.mark.full
def test_no_template_has_anything_inline_either() -> None:
    """All but a file that is handed over, which is read without a server."""
    templates = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
    faults = {
        path.name: found
        for path in templates
        if (found := Reader(TAG.sub("x", path.read_text())).faults)
    }
    assert len(templates) > 200
    frame = '<iframe class="frame-preview" src="x" title="x" loading="lazy">'
    assert faults == {"member_data_file.html": ["<style>"], "outside.html": [frame]}


@pytest.mark.full
def test_no_program_writes_anything_inline_either() -> None:
    apps = [settings.BASE_DIR / name for name in ("clubs", "scoring", "tournaments")]
    files = [path for app in apps for kind in ("*.py", "*.js") for path in app.rglob(kind)]
    faults = {str(path): found for path in files if (found := IN_PYTHON.findall(path.read_text()))}
    assert len(files) > 300
    assert faults == {}


@pytest.mark.parametrize(
    "page",
    [
        '<p style="color: red">',
        "<style>p {}</style>",
        "<p onclick='x()'>",
        "<script>x()</script>",
        '<script src="https://cdn.example/x.js"></script>',
        '<a href=" JavaScript:x()">',
        '<img src="data:image/png;base64,AA">',
        '<form action="https://evil.example/">',
        '<base href="/">',
        '<iframe src="/"></iframe>',
        '<p hx-on:click="x()">',
    ],
)
def test_what_is_looked_for_is_seen(page: str) -> None:
    assert Reader(f"<html><body>{page}</body></html>").faults != []


def test_what_is_allowed_is_allowed() -> None:
    page = '<link rel="canonical" href="http://192.0.2.1/"><script src="/x.js"></script>'
    assert Reader(page + '<script type="application/json">{}</script><a href="/x">').faults == []
