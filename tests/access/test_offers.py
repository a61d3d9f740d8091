"""No page offers what its reader would be refused."""

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from clubs.access.permissions import ACTIONS
from tests.access.routes import address, routes
from tests.access.test_routes import ask, expected, login, told, user_of
from tests.access.world import World
from tests.factories import TESTS
from tournaments.evenings.services import evening_freeze

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TEMPLATES = Path(__file__).parents[2] / "templates"
ASKED = re.compile(r'{% may "([^"]+)"')
LINK = re.compile(r'(?:href|hx-get)="([^"]+)"')
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


@pytest.mark.each_case
@pytest.mark.parametrize(
    "who", ["director", "scorekeeper", pytest.param("elsewhere", marks=pytest.mark.full), "nobody"]
)
def test_nothing_that_is_refused_is_offered(who: str, world: World) -> None:
    evening_freeze(evening_id=world.tonight.pk, frozen=True, actor=TESTS)
    key = login(user_of(who, world))
    presses: set[tuple[str, str]] = set()
    for route, fields in routes().items():
        is_page = "slug" in fields and not route.startswith("api_")
        if is_page and expected(route, "organiser")["get"] == 200:
            url = address(route, fields, world)
            presses |= offered(ask(key, "get", url), url)
    assert presses
    assert [(how, path) for how, path in sorted(presses) if told(ask(key, how, path)) == 403] == []


def test_every_action_that_a_template_names_is_there() -> None:
    named = {name for path in TEMPLATES.rglob("*.html") for name in ASKED.findall(path.read_text())}
    assert len(named) > 10
    assert named <= set(ACTIONS)


def test_an_action_that_is_none_is_a_fault() -> None:
    page = Template('{% load access %}{% may "tournaments.fly" club as flies %}')
    with pytest.raises(KeyError):
        page.render(Context({"request": RequestFactory().get("/"), "club": None}))
