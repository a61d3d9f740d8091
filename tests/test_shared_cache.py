"""A cache in front of the server: what it may keep, and that it forgets."""

import http.client
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import SimpleQueue
from urllib.parse import urlsplit

import pytest
from django.core.signals import request_started
from django.db import transaction
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from clubs.caches import shared
from clubs.members.services import member_change
from clubs.models import Member
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tests.nginx import free_port
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import close_evening, evening_path, get
from tests.varnish import varnish_before
from tests.waiting import wait_until
from tournaments.evenings.services import evening_freeze
from tournaments.hosting.services import club_suspend
from tournaments.models import Evening
from tournaments.practice.services import practice_make

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(players=4, rounds=1, method=Evening.Method.TYPED_IN)


def live_path(evening: Evening) -> str:
    return evening_path(evening, "live/")


def all_was_told() -> None:
    """The next test has a club of the same name, of which nothing is to be forgotten then."""
    time.sleep(shared.AGAIN_AFTER + 0.2)


# What the server says to a cache.

SOON_AGAIN = 0.5


@pytest.fixture
def asked(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator["SimpleQueue[tuple[str, str]]"]:
    """What a cache is asked to do, and for which clubs."""
    monkeypatch.setattr(shared, "AGAIN_AFTER", SOON_AGAIN)
    requests: SimpleQueue[tuple[str, str]] = SimpleQueue()

    class Cache(BaseHTTPRequestHandler):
        def do_PURGE(self) -> None:
            requests.put((self.command, self.headers["xkey"]))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Cache) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.SHARED_CACHES = [f"http://127.0.0.1:{server.server_port}"]
        yield requests
        all_was_told()
        server.shutdown()


def test_what_everybody_sees_may_be_kept_and_names_its_club(
    evening: Evening, asked: object
) -> None:
    organiser = desk_of(evening.club)
    for path in (evening_path(evening), live_path(evening)):
        for _made_then_kept in range(2):
            headers = get(Client(), path).headers
            assert headers["xkey"] == f"club:{evening.club.slug}"
            assert headers["Surrogate-Control"] == "max-age=30"
    for path in (evening_path(evening), f"/clubs/{evening.club.slug}/desk/"):
        assert "xkey" not in get(organiser, path).headers
    missing = Client().get(f"/clubs/{evening.club.slug}/evenings/2001-01-01/live/")
    assert (missing.status_code, "xkey" in missing.headers) == (404, False)


def test_without_a_cache_no_answer_speaks_of_one(evening: Evening) -> None:
    for path in (evening_path(evening), live_path(evening)):
        assert not {"xkey", "Surrogate-Control"} & get(Client(), path).headers.keys()


def test_what_was_done_is_forgotten_at_once_and_once_more(
    evening: Evening, asked: "SimpleQueue[tuple[str, str]]"
) -> None:
    of_club = ("PURGE", f"club:{evening.club.slug}")
    with transaction.atomic():
        write_deal(table(evening), 1)
        time.sleep(0.1)
        assert asked.empty()
    began = time.monotonic()
    assert asked.get(timeout=20) == of_club
    assert asked.get(timeout=20) == of_club
    assert time.monotonic() - began >= SOON_AGAIN / 2


def test_a_practice_evening_is_forgotten_too(
    evening: Evening, asked: "SimpleQueue[tuple[str, str]]"
) -> None:
    practice = practice_make(club=evening.club, actor=TESTS)
    evening_freeze(evening_id=practice.pk, frozen=True, actor=TESTS)
    of_practice = ("PURGE", f"club:{practice.club.slug}")
    assert {asked.get(timeout=20) for _time in range(2)} == {of_practice}
    club_suspend(club=evening.club, actor=TESTS)
    both, told = {f"club:{evening.club.slug}", of_practice[1]}, set[str]()
    while told != both:
        told |= {*asked.get(timeout=20)[1].split()}


def test_nobody_waits_for_a_cache_that_is_gone(
    evening: Evening, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    settings.SHARED_CACHES = [address]
    write_deal(table(evening), 1)
    wait_until(lambda: f"The cache at {address} did not forget" in caplog.text)


# Varnish itself.


class Asked:
    """How many requests reached the server."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, **_more: object) -> None:
        self.count += 1


@pytest.fixture
def reached() -> Iterator[Asked]:
    asked = Asked()
    request_started.connect(asked)
    yield asked
    request_started.disconnect(asked)


@pytest.fixture
def cache(live_server: LiveServer, settings: Settings) -> Iterator[str]:
    port = free_port()
    server = urlsplit(live_server.url).port
    assert server
    with varnish_before(server, port=port) as url:
        settings.SHARED_CACHES = [url]
        yield url
        all_was_told()


def ask(
    cache: str, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer."""
    there = urlsplit(cache)
    with closing(http.client.HTTPConnection(there.netloc, timeout=60)) as connection:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read().decode("utf-8", "replace")


@pytest.mark.full
def test_varnish_answers_until_something_happens(
    evening: Evening, cache: str, reached: Asked
) -> None:
    path = evening_path(evening)
    _status, headers, page = ask(cache, path)
    for _time in range(5):
        assert ask(cache, path)[2] == page
    tag = headers["ETag"]
    assert ask(cache, path, If_None_Match=tag)[0] == 304
    assert reached.count == 1
    shown = {"xkey", "Surrogate-Control", "Age", "Via", "X-Varnish"} & headers.keys()
    assert (shown, headers["Cache-Control"], headers["Vary"]) == (
        set(),
        "no-cache",
        "Accept-Encoding, Cookie",
    )

    write_deal(table(evening), 1)
    wait_until(lambda: ask(cache, path, If_None_Match=tag)[0] == 200, seconds=5)
    time.sleep(shared.AGAIN_AFTER + 0.5)
    before = reached.count
    for _time in range(5):
        assert ask(cache, path)[0] == 200
    assert reached.count <= before + 1


@pytest.mark.full
def test_who_polls_without_a_pause_sees_a_deal_at_once(evening: Evening, cache: str) -> None:
    """Not only once the cache has forgotten for the second time."""
    path = live_path(evening)
    seen = [ask(cache, path)[1]["ETag"]]

    def is_new() -> bool:
        return ask(cache, path, If_None_Match=seen[-1])[0] == 200

    for number in (1, 2, 3):
        write_deal(table(evening), number)
        wait_until(is_new, seconds=1)
        seen.append(ask(cache, path)[1]["ETag"])


@pytest.mark.full
def test_who_is_hidden_is_gone_from_varnish(evening: Evening, cache: str) -> None:
    close_evening(evening)
    path = evening_path(evening)
    member = Member.objects.get(club=evening.club, number=1)
    assert member.name in ask(cache, path)[2]
    member_change(
        member=member,
        seen_version=member.version,
        name=member.name,
        public_as=Member.PublicAs.HIDDEN,
        actor=TESTS,
    )
    wait_until(lambda: member.name not in ask(cache, path)[2], seconds=5)


@pytest.mark.full
def test_varnish_keeps_apart_who_sees_something_else(
    evening: Evening, cache: str, reached: Asked
) -> None:
    path = evening_path(evening)
    pages = {
        cookie: ask(cache, path, Cookie=cookie)[2]
        for cookie in ("", "django_language=en", "theme=dark", "csrftoken=abc")
    }
    assert pages["csrftoken=abc"] == pages[""]
    assert len(set(pages.values())) == 3
    assert reached.count == 3
    organiser = desk_of(evening.club)
    cookie = f"sessionid={organiser.cookies['sessionid'].value}"
    assert "/desk/" in ask(cache, path, Cookie=cookie)[2]
    assert "/desk/" not in ask(cache, path)[2]
    desk = f"/clubs/{evening.club.slug}/desk/"
    assert [ask(cache, desk, Cookie=cookie)[0], ask(cache, desk)[0]] == [200, 302]


@pytest.mark.full
def test_nobody_outside_makes_varnish_forget(evening: Evening, cache: str, reached: Asked) -> None:
    path, key = evening_path(evening), f"club:{evening.club.slug}"
    ask(cache, path)
    assert ask(cache, path, "PURGE", xkey=key, X_Forwarded_Proto="https")[0] == 405
    ask(cache, path)
    assert reached.count == 1
    assert ask(cache, path, "PURGE", xkey=key)[0] == 200
    ask(cache, path)
    assert reached.count == 2
