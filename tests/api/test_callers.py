"""Who asks: a token, a session or nobody; and how an address is told that it is none."""

import datetime as dt
import json
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from clubs.accounts.services import token_make, token_revoke
from clubs.audit.services import Actor
from clubs.models import ApiToken, Club, User
from tests.api.caller import Caller, secret_of
from tests.api.problems import not_found, problem
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db
BAD_TOKEN = problem(
    401, "bad_token", "This token opens nothing: it is wrong, withdrawn or out of date."
)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def organiser(club: Club) -> User:
    return organiser_of(club)


def with_token(secret: str, path: str = "clubs/") -> tuple[int, Any]:
    answer = Client().get(f"/api/v1/{path}", headers={"Authorization": f"Token {secret}"})
    return answer.status_code, answer.json()


def made(user: User, **more: Any) -> tuple[ApiToken, str]:
    token = token_make(user=user, name="proef", scopes=["read"], actor=Actor.of_user(user), **more)
    return token.token, token.secret


@pytest.mark.parametrize("secret", ["", "x", "x y", "é", "\x00", "a" * 5000])
def test_a_token_that_is_none_opens_nothing_not_even_what_is_open(
    organiser: User, secret: str
) -> None:
    assert with_token(secret) == (401, BAD_TOKEN)


def test_how_to_log_in_is_said() -> None:
    answer = Client().get("/api/v1/clubs/", headers={"Authorization": "Token x"})
    assert answer.headers["WWW-Authenticate"] == "Token"
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.each_case
@pytest.mark.parametrize("path", ["members/", "members/0/", "seasons/", "evenings/"])
def test_what_is_read_is_kept_by_nothing_in_between(club: Club, organiser: User, path: str) -> None:
    client = Client()
    client.force_login(organiser)
    answer = client.get(f"/api/v1/clubs/{club.slug}/{path}")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(answer.headers["Vary"].split(", "))


def test_a_token_opens_until_it_is_withdrawn(organiser: User) -> None:
    token, secret = made(organiser)
    assert with_token(secret)[0] == 200
    token_revoke(token=token, actor=Actor.of_user(organiser))
    assert with_token(secret) == (401, BAD_TOKEN)


def test_a_token_opens_until_its_end(organiser: User) -> None:
    now = timezone.now()
    secret = made(organiser, expires_at=now + dt.timedelta(days=1))[1]
    assert with_token(secret)[0] == 200
    with time_machine.travel(now + dt.timedelta(days=1)):
        assert with_token(secret) == (401, BAD_TOKEN)


def test_a_token_opens_as_long_as_its_login(organiser: User, club: Club) -> None:
    secret = made(organiser)[1]
    path = f"clubs/{club.slug}/members/"
    assert with_token(secret, path)[0] == 200
    organiser.roles.all().delete()
    assert with_token(secret, path)[0] == 403
    User.objects.update(is_active=False)
    assert with_token(secret, path) == (401, BAD_TOKEN)


def test_another_scheme_is_nobody(club: Club) -> None:
    headers = {"Authorization": "Basic d2llOmdlaGVpbQ=="}
    assert Client().get("/api/v1/clubs/", headers=headers).status_code == 200
    answer = Client().get(f"/api/v1/clubs/{club.slug}/members/", headers=headers)
    assert answer.status_code == 401


def test_who_is_logged_in_needs_no_token(organiser: User, club: Club) -> None:
    client = Client()
    client.force_login(organiser)
    assert client.get(f"/api/v1/clubs/{club.slug}/members/").json()["count"] == 0


def test_another_site_cannot_write_with_a_session(organiser: User, club: Club) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    path, sent = f"/api/v1/clubs/{club.slug}/members/", json.dumps({"name": "Jan"})
    answer = client.post(path, sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    client.cookies["csrftoken"] = "a" * 32
    answer = client.post(
        path, sent, content_type="application/json", headers={"X-CSRFToken": "a" * 32}
    )
    assert answer.status_code == 201


def test_a_token_needs_nothing_against_other_sites(organiser: User, club: Club) -> None:
    secret = secret_of(organiser, ("members",))
    answer = Client(enforce_csrf_checks=True).post(
        f"/api/v1/clubs/{club.slug}/members/",
        json.dumps({"name": "Jan"}),
        content_type="application/json",
        headers={"Authorization": f"token {secret}"},
    )
    assert answer.status_code == 201


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", ["", "nothing/", "clubs/a/b/c/d/", "clubs", "clubs/é/"])
def test_where_there_is_nothing_that_is_said_in_json(method: str, path: str) -> None:
    assert Caller(None).ask(method, path, {}, status=404) == not_found()


def test_the_reader_is_spoken_to_in_english_whatever_he_reads_else(club: Club) -> None:
    client = Client()
    client.cookies["django_language"] = "nl"
    answer = client.get("/api/v1/clubs/?page=9")
    assert answer.json()["detail"] == "Invalid page."
    assert answer.headers["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "invalid"),
        (b"{", 400, "bad_json"),
        (b"NaN", 400, "bad_json"),
        (b'{"name": NaN}', 400, "bad_json"),
        (b'{"name": "\xff"}', 400, "bad_json"),
        (b'{"name": "a\\u0000b"}', 400, "bad_json"),
        (b'{"name": "\\ud800"}', 400, "bad_json"),
        (b'{"\\ud800": 1}', 400, "bad_json"),
        (b"[" * 100_000, 400, "bad_json"),
        (b"9" * 5_000, 400, "bad_json"),
        (b"[]", 422, "invalid"),
        (b"null", 422, "invalid"),
        (b'"name"', 422, "invalid"),
        (b'{"name": "' + b"x" * 3_000_000 + b'"}', 413, "too_large"),
        (b'{"name": "' + b"x" * 16_000_000 + b'"}', 413, "too_large"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_what_cannot_be_read_is_said(
    organiser: User, club: Club, body: bytes, status: int, code: str
) -> None:
    answer = Client().post(
        f"/api/v1/clubs/{club.slug}/members/",
        body,
        content_type="application/json",
        headers={"Authorization": f"Token {secret_of(organiser, ('members',))}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data", "application/xml"])
def test_only_json_is_read(organiser: User, club: Club, kind: str) -> None:
    answer = Client().post(
        f"/api/v1/clubs/{club.slug}/members/",
        b'{"name": "Jan"}',
        content_type=kind,
        headers={"Authorization": f"Token {secret_of(organiser, ('members',))}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("accepted", ["text/html", "application/xml", "x", "image/png;q=0"])
def test_json_is_what_everybody_gets(accepted: str) -> None:
    answer = Client().get("/api/v1/clubs/", headers={"Accept": accepted})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
