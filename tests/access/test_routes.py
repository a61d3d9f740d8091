"""Everybody at every address, page and API alike, with every method: who gets in, who does not.

`routes.txt` is no output: it says for each route and method what it should answer, and to whom at
the least. An address that it does not name fails, and so does one that is not there.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from clubs.models import User
from tests.access.routes import address, routes
from tests.access.world import World
from tests.factories import ClubFactory, organiser_of

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

PAGE, API = ["get", "post"], ["get", "post", "put", "patch", "delete"]
CAST = ["organiser", "director", "scorekeeper", "elsewhere", "nobody"]
"""From who may most to who may least; `elsewhere` organises another club and has no task here."""

LEAST = {"x": -1, "o": 0, "d": 1, "s": 2, "u": 3, "*": 4, "l": 4}
"""To whom something is answered at the least: organiser, director, scorekeeper, whoever is logged
in, anybody, and whoever holds the table's link (whose secret is in the address); `x` for none of
these."""

Expected = Sequence[tuple[int, int]]


@cache
def table() -> Mapping[str, Sequence[Expected]]:
    """What `routes.txt` says: by route, for each method the answers with the last who gets it."""
    lines = (Path(__file__).parent / "routes.txt").read_text().splitlines()
    rows = (line.split() for line in lines if line and not line.startswith("#"))
    return {route: [_expected(cell) for cell in cells] for route, *cells in rows}


def _expected(cell: str) -> Expected:
    answers = (answer.split(":") for answer in cell.split("/"))
    return [(int(status), LEAST[least]) for status, least in answers]


def methods(route: str) -> list[str]:
    return API if route.startswith("api_") else PAGE


def expected(route: str, who: str) -> dict[str, int | str]:
    """What this person should be answered, by method. What anybody is answered alike is tried as
    who may most and as nobody."""
    place, api = CAST.index(who), route.startswith("api_")
    return {
        method: _answer(cell, place, api=api)
        for method, cell in zip(methods(route), table()[route], strict=True)
        if who in ("organiser", "nobody") or cell[0][1] < LEAST["*"]
    }


ALONE = {"pin", "copy_folder"}
"""Where it matters that there is one club only."""


def tried(route: str, who: str, where: str) -> dict[str, int | str]:
    """Without the pages of the organiser that `test_isolation.py` reads, and on PostgreSQL without
    the methods that a view does not have, which query nothing."""
    everything = connection.vendor == "sqlite"
    read_there = "get" if who == "organiser" and route not in ALONE else ""
    cells = dict(zip(methods(route), table()[route], strict=True))
    return {
        how: answer
        for how, answer in expected(route, who).items()
        if (everything or answer != 405) and how != read_there
        if _is_at_the_line(cells[how], who) is (where == "line")
    }


def _is_at_the_line(cell: Expected, who: str) -> bool:
    """Whether this person is the last who gets an answer or the first who does not. Of the club's
    own staff only these are tried in the gate; of an answer 405 only who may most."""
    place = CAST.index(who)
    if cell[0][0] == 405:
        return who == "organiser"
    return who not in ("director", "scorekeeper") or any(
        place in (least, least + 1) for _status, least in cell
    )


def routes_to_walk() -> list[tuple[str, list[str]]]:
    """Every route; who logs out is out, whatever is taken back of it."""
    return sorted(routes().items(), key=lambda route: "logout" in route[0])


def _answer(cell: Expected, place: int, *, api: bool) -> int | str:
    for status, least in cell:
        if place <= least:
            return status
    if place < CAST.index("nobody"):
        return 403
    return 401 if api else "log in"


def user_of(who: str, world: World) -> User | None:
    if who == "elsewhere":
        return organiser_of(ClubFactory.create())
    return world.staff.get(who)


def ask(key: str, method: str, url: str) -> "Answer":
    """What this is answered to the login with this key; nothing of it stays."""
    client = Client()
    if key:
        client.cookies[settings.SESSION_COOKIE_NAME] = key
    json: dict[str, Any] = {"content_type": "application/json"} if "/api/v1/" in url else {}
    with transaction.atomic():
        answer: Answer = getattr(client, method)(url, **({} if method == "get" else json))
        transaction.set_rollback(True)
    return answer


def login(user: User | None) -> str:
    """The key of a login of this person; empty for nobody."""
    if user is None:
        return ""
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def message(answer: "Answer") -> int | str:
    asks_login = answer.status_code == 302 and "?next=" in answer.headers["Location"]
    return "log in" if asks_login else answer.status_code


def test_every_route_is_named() -> None:
    assert sorted(table()) == sorted(routes())


@pytest.mark.each_case
@pytest.mark.parametrize("where", ["line", pytest.param("away from it", marks=pytest.mark.full)])
@pytest.mark.parametrize("who", CAST)
def test_everybody_at_every_address(who: str, where: str, world: World) -> None:
    key = login(user_of(who, world))
    last = routes_to_walk()
    wanted = {route: tried(route, who, where) for route, _fields in last}
    found = {
        route: {
            method: message(ask(key, method, address(route, fields, world)))
            for method in wanted[route]
        }
        for route, fields in last
    }
    assert {route: said for route, said in found.items() if said != wanted[route]} == {}


def test_a_forged_link_opens_nothing(world: World) -> None:
    behind = {route: fields for route, fields in routes().items() if LINKS & {*fields}}
    forged = dict.fromkeys(LINKS, "0" * 40)
    found = {
        (route, method): ask("", method, address(route, fields, world, **forged)).status_code
        for route, fields in behind.items()
        for method in PAGE
    }
    assert set(found.values()) == {404, 405}


def test_a_login_alone_writes_nothing_from_elsewhere(world: World) -> None:
    """Without the word that our own pages send along (CSRF) a login writes nothing, on no page and
    over the API. Behind a table's link there is no login to ride on."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.staff["organiser"])
    heard = set()
    for route, fields in routes().items():
        for method in methods(route)[1:]:
            url = address(route, fields, world)
            if getattr(client, method)(url, content_type="application/json").status_code != 403:
                heard.add(route)
    assert heard - {route for route, fields in routes().items() if LINKS & {*fields}} == NO_LOGIN


LINKS = {"secret", "door", "pull", "captain", "camera"}
"""The parts of addresses that are secrets themselves: of a table, of the check-in at a door, of
a team's captain, of a league that reads a club's evenings, and of a phone's camera."""
NO_LOGIN = {
    *("api_score", "api_not_found", "club_pin", "csp_report", "entry_new", "entry_own"),
    *("follow_push", "set_language"),
}
"""What hears anybody's post, whoever is logged in: no login is needed, and none is looked at."""
