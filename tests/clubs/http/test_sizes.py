"""How large answers are on their way: what is compressed, for whom, and what a 304 says."""

import gzip
import re
from functools import partial
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from clubs.http.pages import SizeMiddleware, lean, packed
from clubs.models import Club
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db
PACKED = {"Accept-Encoding": "gzip, deflate, br"}
TOKEN = re.compile(rb"[A-Za-z0-9]{64}")


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


@pytest.mark.full
def test_a_page_is_compressed_and_its_length_tells_little(client: Client, club: Club) -> None:
    path = club.get_absolute_url()
    plain = client.get(path)
    answers = [client.get(path, headers=PACKED) for _ in range(20)]
    assert "Content-Encoding" not in plain.headers
    assert {answer.headers["Content-Encoding"] for answer in answers} == {"gzip"}
    unpacked = gzip.decompress(answers[0].content)
    assert TOKEN.sub(b"", unpacked) == TOKEN.sub(b"", lean(plain.content))
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in (plain, *answers))
    lengths = {int(answer.headers["Content-Length"]) for answer in answers}
    assert lengths == {len(answer.content) for answer in answers}
    paddings = [
        len(answer.content) - len(packed(gzip.decompress(answer.content))) for answer in answers
    ]
    assert len(set(paddings)) > 5
    # A byte more than there are of padding: the zero at its end.
    assert min(paddings) >= 0
    assert max(paddings) <= 101
    assert max(lengths) < len(plain.content) / 2


def test_only_a_page_without_typed_text_loses_what_its_lines_begin_with() -> None:
    assert lean(b"<p>\n\n  a b\n\t</p>") == b"<p>\na b\n</p>"
    for typed in (b"<pre>\n\n  a</pre>", b"<textarea name=x>\n  a</textarea>"):
        assert lean(typed) == typed


@pytest.mark.parametrize(
    ("site", "has_cookie", "is_packed"),
    [
        ("same-origin", True, True),
        ("none", True, True),
        ("", True, True),
        ("cross-site", True, False),
        ("same-site", True, False),
        ("cross-site", False, True),
    ],
)
def test_what_another_site_asks_in_somebodys_name_is_not_compressed(
    client: Client, club: Club, site: str, has_cookie: bool, is_packed: bool
) -> None:
    if has_cookie:
        client.cookies["sessionid"] = "x" * 32
    headers = PACKED | ({"Sec-Fetch-Site": site} if site else {})
    answer = client.get(club.get_absolute_url(), headers=headers)
    assert ("Content-Encoding" in answer.headers) == is_packed


@pytest.mark.parametrize(("given", "sent"), [('"7"', 'W/"7"'), ('W/"7"', 'W/"7"'), ("", "")])
def test_what_is_compressed_has_a_weak_tag(rf: RequestFactory, given: str, sent: str) -> None:
    made = HttpResponse("x" * 900, "application/json", headers={"ETag": given} if given else {})
    answer = SizeMiddleware(lambda _request: made)(rf.get("/", headers=PACKED))
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers.get("ETag", "") == sent


def test_what_is_short_packed_or_no_text_stays_as_it_is(rf: RequestFactory) -> None:
    answers: list[Any] = [
        HttpResponse("x" * 499),
        HttpResponse("x" * 900, "application/pdf"),
        HttpResponse("x" * 900, headers={"Content-Encoding": "br"}),
        StreamingHttpResponse(["x" * 900]),
    ]
    for answer in answers:
        headers = dict(answer.headers)
        assert SizeMiddleware(partial(_given, answer))(rf.get("/", headers=PACKED)) is answer
        assert dict(answer.headers) == headers


def _given(answer: Any, _request: HttpRequest) -> Any:
    return answer
