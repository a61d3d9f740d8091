"""What stands in the log, and what does not."""

import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils.module_loading import import_string

from clubs.http.middleware import JsonFormatter, LineFormatter, without_personal
from clubs.members.services import member_create
from clubs.models import Club, Member, User
from tests.factories import TESTS, evening_with_draw, organiser_of
from tests.tournaments.table_pages import link

pytestmark = pytest.mark.django_db


class Log:
    """All that would have been written to standard error."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(LineFormatter())

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def last(self) -> dict[str, Any]:
        line: dict[str, Any] = json.loads(self.text.splitlines()[-1])
        return line


@pytest.fixture
def log() -> Iterator[Log]:
    log, root = Log(), logging.getLogger()
    before = root.level
    root.addHandler(log.handler)
    root.setLevel(logging.INFO)
    yield log
    root.removeHandler(log.handler)
    root.setLevel(before)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("0123456789abcdef0123456789abcdef", True),
        ("6ccbe4ab-1a9e-463c-b657-459c2853907c", True),
        ("deadbeef", True),
        ("", False),
        ("abc", False),
        ("jan.bakker@example.org", False),
        ("DEADBEEF", False),
        ("deadbeef\ndeadbeef", False),
        ("a" * 37, False),
    ],
)
def test_a_proxy_may_give_the_request_an_id(client: Client, given: str, kept: bool) -> None:
    response = client.get("/healthz", headers={"x-request-id": given})

    assert (response["X-Request-ID"] == given) is kept
    assert kept or re.fullmatch(r"[0-9a-f]{8}", response["X-Request-ID"])


def test_a_stranger_may_not(client: Client) -> None:
    response = client.get("/healthz", headers={"x-request-id": "deadbeef"}, REMOTE_ADDR="192.0.2.7")

    assert response["X-Request-ID"] != "deadbeef"


def test_what_strangers_say_of_themselves_is_gone_before_anything_reads_it(
    rf: RequestFactory, settings: Any
) -> None:
    forged = {
        "HTTP_X_FORWARDED_FOR": "127.0.0.1",
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_X_REQUEST_ID": "deadbeef",
    }
    stranger: dict[str, Any] = {**forged, "REMOTE_ADDR": "192.0.2.7"}
    seen: list[HttpRequest] = []

    def answer(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse()

    import_string(settings.MIDDLEWARE[0])(answer)(rf.get("/", **stranger))
    assert seen[0].META["REMOTE_ADDR"] == "192.0.2.7"
    assert forged.keys() & seen[0].META.keys() == set()


def test_json_has_a_key_for_each_thing(client: Client, log: Log) -> None:
    log.handler.setFormatter(JsonFormatter())
    client.get("/healthz", headers={"x-request-id": "deadbeef"})
    line = log.last

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}", line.pop("time"))
    assert line.pop("ms") >= 0
    assert line == {
        "level": "INFO",
        "logger": "clubs.http.middleware",
        "request": "deadbeef",
        "method": "GET",
        "route": "healthz",
        "status": 200,
    }


def test_a_fault_in_json_is_one_line(client: Client, log: Log) -> None:
    log.handler.setFormatter(JsonFormatter())
    try:
        raise IntegrityError("no\nDETAIL:  Key (email)=(jan@example.org) already exists.")
    except IntegrityError:
        logging.getLogger("clubs").exception("It went wrong for %s", "jan@example.org")

    assert (log.last["message"], len(log.text.splitlines())) == ("It went wrong for …@…", 1)
    assert log.last["trace"].endswith("IntegrityError: no\nDETAIL:  …")


@pytest.mark.each_case
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("GET /t/3f2a/rounds/1/", "GET /t/…/rounds/1/"),
        ("GET /d/3f2a/?q=jan", "GET /d/…/?q=jan"),
        (f"POST /enter/{UUID(int=1)}/c0de/", f"POST /enter/{UUID(int=1)}/…/"),
        ("GET /leagues/noord/number/3f2a-11/c0de/end/", "GET /leagues/noord/number/…"),
        ("user <jan.bakker@example.org>", "user <…@…>"),
        ("DETAIL:  Failing row contains (7, Jan).\nnext", "DETAIL:  …\nnext"),
        ("nothing of that", "nothing of that"),
    ],
)
def test_what_is_personal_is_taken_out(text: str, left: str) -> None:
    assert without_personal(text) == left


def test_an_evening_with_people_leaves_nobody_in_the_log(client: Client, log: Log) -> None:
    evening = evening_with_draw(players=8, rounds=1)
    club = evening.club
    jan = member_create(
        club=club, name="Xander Quaadgras", email="xander@quaad.example", actor=TESTS
    )
    organiser = organiser_of(club)
    table, client.raise_request_exception = link(evening), False
    here, desk = f"/clubs/{club.slug}", f"/clubs/{club.slug}/desk"
    client.post("/login/", {"username": organiser.email, "password": "wrong-secret-word"})
    client.force_login(organiser)
    for address in (
        *(f"{here}/", f"{here}/players/{jan.pk}/", f"{here}/?q=Quaadgras", "/nowhere/Quaadgras/"),
        *(f"{desk}/", f"{desk}/members/?q=Quaadgras", f"{desk}/evenings/{evening.slug}/"),
        *(table, f"{table}nowhere/", "/t/no-such-secret/", "/password/set/MQ/s3cr3t-t0k3n/"),
        *("/login/link/1.s3cr3t-t0k3n/", "/account/email/confirm/1.s3cr3t-t0k3n/"),
    ):
        client.get(address, headers={"x-forwarded-for": "203.0.113.77", "user-agent": "Nosy/7"})
    message = {
        "name": "Yolanda Quaadgras",
        "email": "y@quaad.example",
        "kind": "member",
        "public_as": "name",
    }
    assert client.post(f"{desk}/members/add/", message).status_code == 302
    client.get(f"{here}/", headers={"host": "quaadgras.example"})

    lines, secret = log.text, table.split("/")[2]
    assert len(lines.splitlines()) >= 13
    for personal in (
        *("Quaadgras", "quaadgras", "Yolanda", "xander", "quaad.example", organiser.email),
        *("wrong-secret-word", "s3cr3t-t0k3n", "no-such-secret", secret, "203.0.113.77", "Nosy"),
        *(one.name for one in [*Member.objects.all(), *User.objects.exclude(name="")]),
        *(str(uuid) for uuid in Member.objects.values_list("uuid", flat=True)),
        *Club.objects.values_list("name", flat=True),
    ):
        assert personal not in lines


@pytest.mark.full
def test_wrong_passwords_leave_no_address_in_the_log(client: Client, log: Log) -> None:
    """Repeated ones did, until and after the login was closed from there."""
    for _ in range(12):
        data = {"username": "jan@example.org", "password": "wrong"}
        client.post("/login/", data, REMOTE_ADDR="203.0.113.7")
    assert "AXES" in log.text
    assert "203.0.113.7" not in log.text


def test_a_host_that_somebody_made_up_fills_no_log(log: Log) -> None:
    answer = Client(raise_request_exception=False).get("/", headers={"host": "a@evil.example"})
    assert answer.status_code == 400
    assert len(log.text.splitlines()) == 1
    assert "evil" not in log.text
