"""No page offers what its reader would be refused."""

import re
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import resolve

from clubs.access.permissions import ACTIONS
from tests.access.routes import address, routes
from tests.access.test_routes import ask, expected, login, message, user_of
from tests.access.world import World
from tests.factories import TESTS
from tournaments.evenings.services import evening_freeze

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TEMPLATES = Path(__file__).parents[2] / "templates"
ASKED = re.compile(r'{% may "([^"]+)"')
LINK = re.compile(r'(?:href|hx-get|data-poll)="([^"]+)"')
POSTED = re.compile(r'<form method="post"[^>]* action="([^"]+)"|hx-post="([^"]+)"')


def offered(answer: "Answer", url: str) -> set[tuple[str, str]]:
    """What can be pressed on a page that is shown: (method, path)."""
    is_page = answer.headers.get("Content-Type", "").startswith("text/html")
    if not is_page or answer.status_code != 200:
        return set()
    html = answer.content.decode()
    found = {("get", link) for link in LINK.findall(html)}
    found |= {("post", one or other) for one, other in POSTED.findall(html)}
    paths = {(how, urlsplit(urljoin(url, unescape(there))).path) for how, there in found}
    return {(how, path) for how, path in paths if path.startswith("/clubs/")}


@pytest.mark.full
@pytest.mark.parametrize("who", ["director", "nobody", "elsewhere", "scorekeeper"])
def test_nothing_that_is_refused_is_offered(who: str, world: World) -> None:
    evening_freeze(evening_id=world.tonight.pk, frozen=True, actor=TESTS)
    key = login(user_of(who, world))
    answers: dict[tuple[str, str], int | str] = {}
    presses: set[tuple[str, str]] = set()
    for route, fields in routes().items():
        is_page = "slug" in fields and not route.startswith("api_")
        if is_page and expected(route, "organiser")["get"] == 200:
            url = address(route, fields, world)
            answer = ask(key, "get", url)
            answers["get", url] = message(answer)
            presses |= offered(answer, url)
    assert presses
    # Of buttons that differ in one number alone, as those beside names do, two are tried.
    answers |= {press: message(ask(key, *press)) for press in two_of_each(presses - answers.keys())}
    assert [press for press in sorted(presses & answers.keys()) if answers[press] == 403] == []


def two_of_each(presses: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The first and the last that press the same button of a view."""
    alike = defaultdict(list)
    for how, path in sorted(presses):
        match = resolve(path)
        others = {
            name: value for name, value in match.kwargs.items() if name not in ("pk", "number")
        }
        alike[how, match.view_name, str(others)].append((how, path))
    return [press for group in alike.values() for press in {group[0], group[-1]}]


def test_every_action_that_a_template_names_is_there() -> None:
    named = {name for path in TEMPLATES.rglob("*.html") for name in ASKED.findall(path.read_text())}
    assert len(named) > 10
    assert named <= set(ACTIONS)


def test_an_action_that_is_none_is_a_fault() -> None:
    page = Template('{% load ui %}{% may "tournaments.fly" club as flies %}')
    with pytest.raises(KeyError):
        page.render(Context({"request": RequestFactory().get("/"), "club": None}))
