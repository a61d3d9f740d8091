"""Two clubs filled alike: of one, no page and no answer of the API holds a word of the other, and
with the other's ids nothing is found and nothing happens."""

import datetime as dt
import gzip
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from clubs.models import AuditEvent, Club
from clubs.models.member import MemberQuerySet
from tests.access.routes import BY_NAME, BY_ROUTE, address, routes, thing
from tests.access.test_routes import ALONE, API, PAGE, ask, expected, login, message, routes_to_walk
from tests.access.world import World
from tests.factories import TESTS
from tests.pdfs import page_texts
from tests.tournaments.desk.test_desk_evenings import plan
from tournaments.closing.services import person_correct
from tournaments.models.evening import EveningQuerySet
from tournaments.regulations import views as regulation_views

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

OWN, OTHER = "roodhart", "zilverberg"
LINK = re.compile(r'(?:href|hx-get|data-poll|src|content)="([^"]+)"')
NOT_OF_A_CLUB = {
    "home",
    "league_list",
    "login",
    "pin",
    "api_clubs",
    "api_leagues",
    "api_schema",
    "api_docs",
}
FOUND_NOTHING = {404, 405}
TWICE_IS_NO_FAULT = {
    "competitor_correction_remove",
    "competitor_leave",
    "competitor_return",
    "couple_remove",
    "cup_take_away",
    "cup_win_take_back",
    "evening_correction_remove",
    "package_remove",
    "pot_entry_remove",
    "season_correction_remove",
    "sheet_photo_remove",
    "standing_raise",
    "standing_remove",
}
"""Where a second press is answered like the first: what is not there (any more) is gone."""

NOT_OF_ONE_CLUB = {"slug", "secret", "year"}
"""What stands for the club itself, and what is the same for all."""

SAID_IN_WORDS = {
    "get api_club_league_people": 422,
    "post api_club_league_people": 422,
    "delete api_club_league_person": 204,
    "get api_rankable_evenings": 422,
    "get player_now": 410,
}
"""A league is everybody's: the answer is that no team of the club plays in it, and who is unknown
to it already need not be taken away. The page of somebody who is gone stops asking."""


@pytest.fixture
def own(world: World) -> World:
    return world


def readable(answer: "Answer") -> str:
    """All that can be read in an answer; of a picture nothing."""
    content = b"".join(answer)
    if answer.headers.get("Content-Encoding") == "gzip":
        content = gzip.decompress(content)
    if content.startswith(b"%PDF"):
        texts = page_texts(content) if content.rstrip().endswith(b"%%EOF") else [str(content)]
        return " ".join(texts)
    if content.startswith(b"PK"):
        parts = zipfile.ZipFile(io.BytesIO(content))
        content = b" ".join(parts.read(name) for name in parts.namelist())
    return content.decode("utf-8", "replace")


def leaks(world: World, word: str, pages: Iterable[str]) -> set[str]:
    """On which of these pages an organiser of this club reads a word of another one."""
    key = login(world.staff["organiser"])
    return {url for url in pages if _tells(ask(key, "get", url), word)}


def _tells(answer: "Answer", word: str) -> bool:
    return word in readable(answer).lower() or word in str(answer.headers)


def own_addresses(world: World) -> set[str]:
    return {
        address(route, fields, world)
        for route, fields in routes().items()
        if route not in NOT_OF_A_CLUB and "logout" not in route
    }


def _page_asked_for(url: str) -> tuple[str, tuple[str, ...]]:
    """The page behind an address, and which fields of a query it is asked with."""
    parts = urlsplit(url)
    with suppress(Resolver404):
        return resolve(parts.path).view_name, tuple(sorted(dict(parse_qsl(parts.query))))
    return "", ()


def _leads_to(answer: "Answer", url: str, world: World) -> Iterator[str]:
    is_page = answer.headers.get("Content-Type", "").startswith("text/html")
    for target in LINK.findall(answer.content.decode()) if is_page else []:
        there = urlsplit(urljoin(f"http://testserver{url}", unescape(target)))
        if there.netloc == "testserver" and there.path.startswith(f"/clubs/{world.word}/"):
            yield there.path + (f"?{there.query}" if there.query else "")


@pytest.mark.postgres
def test_no_page_of_a_club_holds_a_word_of_another(own: World, other: World) -> None:
    """Every address, answered to the organiser as `routes.txt` says, and what the pages of the club
    lead to: tabs, files, what was asked for. Of addresses that ask the same page for the same
    things, the first."""
    key = login(own.staff["organiser"])
    addresses = own_addresses(own)
    answers: dict[str, int | str] = {}
    leads_to: set[str] = set()
    leaking: set[str] = set()
    for route, fields in routes_to_walk():
        url = address(route, fields, own)
        answer = ask(key, "get", url)
        if route not in ALONE:
            answers[route] = message(answer)
        if url in addresses:
            leads_to.update(_leads_to(answer, url, own))
            leaking.update([url] if _tells(answer, OTHER) else [])
    others = {_page_asked_for(url): url for url in sorted(leads_to - addresses, reverse=True)}
    leaking |= leaks(own, OTHER, others.values())

    assert len(addresses) > 200
    assert len(others) > 20
    assert leaking == set()
    assert answers == {route: expected(route, "organiser")["get"] for route in answers}


@pytest.mark.once
def test_it_would_be_noticed(own: World, other: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views that forget whose members, evenings and regulations they ask for."""

    def everybodys(rows: QuerySet[Any], club: Club) -> QuerySet[Any]:
        return rows

    monkeypatch.setattr(MemberQuerySet, "of", everybodys)
    monkeypatch.setattr(EveningQuerySet, "of", everybodys)
    pages = [reverse(name, args=[OWN]) for name in ("member_list", "evening_list", "club_calendar")]
    assert leaks(own, OTHER, pages) == set(pages)


def strange_addresses(own: World, other: World) -> Iterator[tuple[str, str]]:
    """Each address of the own club, and of its table, with one thing of the other in it."""
    for route, fields in routes().items():
        name = route.partition("/")[0]
        for field in fields:
            is_id = field in BY_ROUTE or field in BY_NAME
            of_a_club = "slug" in fields or "secret" in fields
            if of_a_club and is_id and field not in NOT_OF_ONE_CLUB:
                yield route, address(route, fields, own, **{field: thing(name, field, other)})


def not_refused(own: World, other: World) -> dict[str, int]:
    """Where the other club's ids are answered otherwise than with "not found"."""
    key = login(own.staff["organiser"])
    return {
        f"{method} {route}": answer.status_code
        for route, url in strange_addresses(own, other)
        for method in (API if "/api/v1/" in url else PAGE)
        if (answer := ask(key, method, url)).status_code not in FOUND_NOTHING
    }


@pytest.mark.once
@pytest.mark.full
def test_with_another_clubs_ids_nothing_is_found(own: World, other: World) -> None:
    twice = {f"post {route}": 302 for route in TWICE_IS_NO_FAULT}
    assert not_refused(own, other) == twice | SAID_IN_WORDS


@pytest.mark.once
@pytest.mark.full
def test_a_view_that_forgets_would_be_noticed(
    own: World, other: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(club: Club, model: Any, **lookup: Any) -> Any:
        return get_object_or_404(model, **lookup)

    monkeypatch.setattr(regulation_views, "of_club", forgetful)
    assert not_refused(own, other)["get regulation_edit"] == 200


def rows() -> dict[str, list[dict[str, Any]]]:
    """All that is written anywhere."""
    return {
        model._meta.label: list(QuerySet(model).order_by("pk").values())
        for model in apps.get_models()
    }


@pytest.mark.once
def test_pressing_twice_takes_nothing_of_another_club(own: World, other: World) -> None:
    client = Client()
    client.force_login(own.staff["organiser"])
    person_correct(
        about=other.season, member=other.people[0], points=10, reason="te laat", actor=TESTS
    )
    before = rows()
    addresses = [url for route, url in strange_addresses(own, other) if route in TWICE_IS_NO_FAULT]
    for url in addresses:
        client.post(url)
    assert len(addresses) >= len(TWICE_IS_NO_FAULT)
    assert rows() == before


Form = Callable[[World, World], dict[str, object]]
FORMS: dict[str, Form] = {
    "evening_new": lambda own, other: plan(
        date=own.date + dt.timedelta(days=14), regulation=other.regulation.pk
    ),
    "couple_rules": lambda own, other: {
        "one": own.people[0].pk,
        "two": other.people[1].pk,
        "kind": "apart",
    },
    "present_tick": lambda own, other: {"member": other.people[0].pk, "present": "1"},
    "present_sign_off": lambda own, other: {"who": other.people[0].pk, "absence": "notice"},
    "stake_tick": lambda own, other: {"member": other.people[0].pk, "paid": "1"},
    "table_substitute": lambda own, other: {
        "seat": "N",
        "who": other.people[8].pk,
        "from_deal": 1,
        "for_himself": "1",
    },
    "evening_cup": lambda own, other: {"cup": own.cup.pk, "member": other.people[0].pk},
    "season_cup": lambda own, other: {"cup": other.cup.pk, "member": own.people[0].pk},
    "cup_page": lambda own, other: {"member": other.people[0].pk, "won_on": "2026-06-01"},
    "member_merge": lambda own, other: {"member": other.people[0].pk},
    "table_settle": lambda own, other: {"dispute": other.dispute.pk},
}
"""What is sent to a form of the own club with something of the other in it."""


def sent(own: World, other: World) -> dict[str, tuple[int, int]]:
    """Each form with things of the other club: how it is answered, and how much was written."""
    key = login(own.staff["organiser"])
    message = {}
    for route, form in FORMS.items():
        before = AuditEvent.objects.count()
        with transaction.atomic():
            client = Client()
            client.cookies[settings.SESSION_COOKIE_NAME] = key
            answer = client.post(address(route, routes()[route], own), form(own, other))
            message[route] = answer.status_code, AuditEvent.objects.count() - before
            transaction.set_rollback(True)
    return message


@pytest.mark.once
def test_no_form_takes_anything_of_another_club(own: World, other: World) -> None:
    not_there, not_among_them = (404, 0), (422, 0)
    assert sent(own, other) == {
        "evening_new": not_among_them,
        "couple_rules": not_among_them,
        "present_tick": not_there,
        "present_sign_off": not_among_them,
        "stake_tick": not_there,
        "table_substitute": not_among_them,
        "evening_cup": not_there,
        "season_cup": not_there,
        "cup_page": not_among_them,
        "member_merge": not_among_them,
        "table_settle": not_there,
    }
    assert {route: events > 0 for route, (_status, events) in sent(own, own).items()} == (
        dict.fromkeys(FORMS, True)
    )
