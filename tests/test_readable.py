"""Requests that no browser sends: answered, and never with a fault of the server."""

import io
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.core import signals
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections
from django.test import Client
from django.urls import reverse

from clubs.http.middleware import LARGEST, READ_AWAY, ReadableOnly
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db

SECRET = "a" * 32
BOUNDARY = "multipart/form-data; boundary=xx"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """As for Django's own client: a request does not close what the test goes on with."""
    signals.request_started.disconnect(close_old_connections)
    yield
    signals.request_started.connect(close_old_connections)


class Body(io.BytesIO):
    """A body that never ends, and tells how much of it was read."""

    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        self.taken += size or 0
        return b"x" * (size or 0)


def answer(path: str = "/login/", body: bytes | Body = b"", **said: str) -> int:
    """The status that a server of ours answers with; a fault is let through."""
    message: list[str] = []
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "192.0.2.9",
        "CONTENT_TYPE": FORM,
        "CONTENT_LENGTH": str(len(body)) if isinstance(body, bytes) else "0",
        # Anybody can have such a pair, so that is no hurdle.
        "HTTP_COOKIE": f"csrftoken={SECRET}",
        "HTTP_X_CSRFTOKEN": SECRET,
        "wsgi.input": io.BytesIO(body) if isinstance(body, bytes) else body,
        "wsgi.url_scheme": "http",
    }
    application = ReadableOnly(WSGIHandler())
    answered: Iterable[bytes] = application(
        environ | said, lambda status, _headers: message.append(status)
    )
    b"".join(answered)
    return int(message[0].split()[0])


def part(head: str, content: str = "x") -> bytes:
    return f"--xx\r\n{head}\r\n\r\n{content}\r\n--xx--\r\n".encode("latin-1")


FILE = 'Content-Disposition: form-data; name="file"; filename="b.csv"'


@pytest.mark.parametrize(
    ("status", "content_type"),
    [
        (400, "text/plain; a*=foo''b"),
        (400, "multipart/form-data; boundary*=foo''b"),
        (400, f"{FORM}; charset=nonsense"),
        (400, f"{FORM}; charset=utf-16"),
        (400, f"{FORM}; charset=base64"),
        (400, f"{FORM}; charset=\0"),
        (400, "multipart/form-data"),
        (400, "multipart/form-data; boundary=\xe9"),
        (200, f"{FORM}; charset=UTF-8"),
        (200, "text/plain; a*=utf-8''%ff%"),
        (200, "text/plain; " + "a=b; " * 20_000),
        (200, ";;;"),
    ],
)
def test_a_content_type_of_every_kind_is_answered(status: int, content_type: str) -> None:
    assert answer(body=b"a=b", CONTENT_TYPE=content_type) == status


@pytest.mark.parametrize("length", ["abc", "-5", "٣", "1e3", "0x10"])
def test_a_length_that_is_none_is_refused(length: str) -> None:
    assert answer(body=b"a=b", CONTENT_LENGTH=length) == 400


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, part("Content-Disposition: form-data; name=\"a\"; filename*=foo''b.csv")),
        (200, part(f"{FILE}\r\nContent-Type: text/plain; a*=foo''b")),
        (200, part(f"{FILE}\r\nContent-Type: text/plain; charset=nonsense")),
        (200, part('Content-Disposition: form-data; name="file"; filename="../../\0.csv"')),
        (400, part(f"{FILE}\r\nContent-Transfer-Encoding: base64", "!!!")),
        (200, part("Content-Disposition: form-data; na")),
        (200, b"--xx\r\nContent-Disposition: form-data; na"),
        (400, b"".join(part(f'{FILE[:30]}; name="f{n}"; filename="a"')[:-6] for n in range(200))),
        (
            400,
            b"".join(
                part(f'Content-Disposition: form-data; name="f{n}"')[:-6] for n in range(1500)
            ),
        ),
    ],
)
def test_a_form_in_parts_of_every_kind_is_answered(status: int, body: bytes) -> None:
    assert answer(body=body, CONTENT_TYPE=BOUNDARY) == status


def test_more_fields_than_a_page_has_and_a_field_too_long_are_refused() -> None:
    assert answer(body=b"&".join([b"a=b"] * 3000)) == 400
    assert answer(body=b"a=" + b"x" * 3_000_000) == 400


@pytest.mark.parametrize("length", [LARGEST + 1, READ_AWAY + 1, 10**30])
def test_what_is_too_large_is_read_away_up_to_a_point_and_refused(length: int) -> None:
    body = Body()
    assert answer(body=body, CONTENT_LENGTH=str(length), CONTENT_TYPE=BOUNDARY) == 413
    assert body.taken <= min(length, READ_AWAY)


@pytest.mark.parametrize(
    "said",
    [
        {"HTTP_COOKIE": 'sessionid="abcdefgh\\000"; messages=\xff.x; csrftoken=\x01; =;;'},
        {"HTTP_COOKIE": "sessionid=" + "a" * 5000},
        {"HTTP_REFERER": "http://["},
        {"HTTP_ORIGIN": "http://["},
        {"HTTP_ACCEPT_LANGUAGE": "x" * 5000},
        {"HTTP_IF_MODIFIED_SINCE": "Thu, 99 Foo 99999999999 99:99:99 GMT"},
        {"HTTP_X_FORWARDED_FOR": "\0,,," * 1000, "REMOTE_ADDR": "127.0.0.1"},
        {"REMOTE_ADDR": "fe80::1%eth0"},
        {"REQUEST_METHOD": "FOO"},
        {"PATH_INFO": "/clubs/\xff\xfe/"},
        {"PATH_INFO": "/login\r\nSet-Cookie: a=b"},
        {"PATH_INFO": "//evil.example/%2e%2e"},
        {"PATH_INFO": "/static/../../config/settings.py"},
        {"HTTP_HOST": "a b\0c"},
        {"HTTP_AUTHORIZATION": "Token \xff\0", "PATH_INFO": "/api/v1/clubs/"},
        {"HTTP_AUTHORIZATION": "Basic !!!!", "PATH_INFO": "/api/v1/clubs/"},
    ],
)
def test_headers_of_every_kind_are_answered(said: dict[str, str]) -> None:
    for method in ("GET", "POST"):
        assert answer(**{"REQUEST_METHOD": method, **said}) < 500  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["member_import", "club_logo"])
@pytest.mark.parametrize(
    "content", [b"", b"\0", b"PK\x03\x04", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"]
)
def test_a_file_of_every_kind_is_answered(client: Client, name: str, content: bytes) -> None:
    club = ClubFactory.create()
    client.force_login(organiser_of(club))
    for field in ("file", "picture"):
        sent = io.BytesIO(content)
        sent.name = "\u202e../../x.csv"
        asked = client.post(reverse(name, args=[club.slug]), {field: sent})
        assert asked.status_code in (200, 422)
