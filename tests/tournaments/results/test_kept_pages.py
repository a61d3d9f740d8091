"""Pages that a process keeps for everybody who is not logged in: made once, and never a moment
behind."""

import gzip
import time
from collections.abc import Callable
from threading import Lock, Thread

import pytest
from django.db import OperationalError, connections
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_change
from clubs.models import Member
from tests.clubs.http.test_unavailable import broken
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tests.load.hall import elsewhere
from tests.tournaments.desk import desk_of
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import (
    close_evening,
    evening_path,
    get,
    speak_english,
    words,
)
from tournaments.closing.services import evening_reopen
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.practice.services import practice_make
from tournaments.results.views import live
from tournaments.results.views.live import SEEN_SECONDS
from tournaments.rounds.services import round_start
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.django_db(transaction=True)]

READ = 1
"""Queries of a page that is kept: which version it has now."""


@pytest.fixture
def evening() -> Evening:
    evening = evening_with_draw(players=4, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    return evening


@pytest.fixture
def season_evening() -> Evening:
    evening = evening_with_draw(players=4, rounds=1, method=Evening.Method.TYPED_IN)
    evening.season = season_create(club=evening.club, name="Seizoen", actor=TESTS)
    evening.save(update_fields=["season"])
    close_evening(evening)
    return Evening.objects.get(pk=evening.pk)


def season_path(evening: Evening) -> str:
    assert evening.season
    return reverse("season_page", args=[evening.club.slug, evening.season.slug])


def met_path(evening: Evening) -> str:
    assert evening.season
    return reverse("season_met", args=[evening.club.slug, evening.season.slug])


def first(evening: Evening) -> Member:
    return Member.objects.get(club=evening.club, number=1)


def hide(member: Member) -> None:
    member_change(
        member=member,
        seen_version=member.version,
        name=member.name,
        public_as=Member.PublicAs.HIDDEN,
        actor=TESTS,
    )


HIDE = """
from clubs.audit.services import Actor
from clubs.members.services import member_change
from clubs.models import Member
member = Member.objects.get(pk={pk})
member_change(member=member, seen_version=member.version, name=member.name, public_as="hidden",
    actor=Actor.of_program("tests"))
"""
FREEZE = """
from clubs.audit.services import Actor
from tournaments.evenings.services import evening_freeze
evening_freeze(evening_id={pk}, frozen=True, actor=Actor.of_program("tests"))
"""


@pytest.mark.full
@pytest.mark.parametrize("query", ["", "?show=names", "?show=tables", "?show=names&round=1"])
def test_a_page_is_made_once_and_sets_no_cookie(
    evening: Evening, query: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = evening_path(evening, query)
    made = get(Client(), path)
    with django_assert_num_queries(READ):
        kept = get(Client(), path)
    assert (kept.content, kept.cookies) == (made.content, {})
    own = {"X-Request-ID", "Content-Length"}
    assert {**kept.headers} | dict.fromkeys(own) == {**made.headers} | dict.fromkeys(own)
    assert set(kept.headers["Vary"].split(", ")) == {"Accept-Encoding", "Cookie"}


def test_without_a_database_it_asks_to_wait_like_any_other_page(evening: Evening) -> None:
    path = evening_path(evening)
    page = get(Client(), path)
    with broken(OperationalError("disk full")):
        response = Client().get(path)
    assert response.status_code == 503
    same = "Content-Security-Policy", "X-Frame-Options", "Permissions-Policy"
    assert {name: response.headers.get(name) for name in same} == {
        name: page.headers[name] for name in same
    }
    assert response.headers["X-Robots-Tag"] == "noindex"


@pytest.mark.full
def test_who_has_it_is_not_sent_it_again(evening: Evening) -> None:
    path = evening_path(evening)
    tag = get(Client(), path).headers["ETag"]
    same = Client().get(path, headers={"If-None-Match": tag})
    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", tag)
    write_deal(table(evening), 2)
    assert Client().get(path, headers={"If-None-Match": tag}).status_code == 200


def test_it_is_compressed_for_who_takes_that(evening: Evening) -> None:
    path = evening_path(evening)
    plain = get(Client(), path).content
    for _time in range(2):
        packed = Client().get(path, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) == len(packed.content)
        assert gzip.decompress(packed.content) == plain


@pytest.mark.parametrize("path_of", [evening_path, season_path, met_path])
def test_a_name_that_is_hidden_is_gone_at_the_next_request(
    season_evening: Evening, path_of: Callable[[Evening], str]
) -> None:
    path, member = path_of(season_evening), first(season_evening)
    assert member.name in words(get(Client(), path))
    hide(member)
    assert member.name not in words(get(Client(), path))


@pytest.mark.both
def test_also_when_another_process_hides_it(evening: Evening) -> None:
    path, member = evening_path(evening), first(evening)
    assert member.name in words(get(Client(), path))
    elsewhere(HIDE.format(pk=member.pk))
    assert member.name not in words(get(Client(), path))


@pytest.mark.full
@pytest.mark.parametrize("is_here", [True, False])
def test_frozen_points_are_gone_at_the_next_request(evening: Evening, is_here: bool) -> None:
    path = evening_path(evening)
    shown = words(get(Client(), path))
    if is_here:
        evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    else:
        elsewhere(FREEZE.format(pk=evening.pk))
    page = get(Client(), path).content.decode()
    frozen = words(page)
    assert 'id="hidden"' in page
    assert first(evening).name in shown
    assert first(evening).name not in frozen


@pytest.mark.both
def test_a_deal_that_is_corrected_moves_the_pages_of_its_season(season_evening: Evening) -> None:
    path = season_path(season_evening)
    before = get(Client(), path).headers["ETag"]
    evening_reopen(evening_id=season_evening.pk, actor=TESTS)
    assert get(Client(), path).headers["ETag"] != before


@pytest.mark.both
def test_a_round_that_begins_moves_who_met_whom(season_evening: Evening) -> None:
    path, club = met_path(season_evening), season_evening.club
    second = evening_with_draw(
        club=club, players=4, rounds=2, season=season_evening.season, started=False
    )
    shown = [words(get(Client(), path))]
    for round_ in second.rounds.order_by("number"):
        round_start(round_id=round_.pk, actor=TESTS)
        shown.append(words(get(Client(), path)))
    assert len(set(shown)) == 3


@pytest.mark.full
def test_a_deal_moves_the_standing_of_a_live_season_while_it_is_played(evening: Evening) -> None:
    season = season_create(club=evening.club, name="Toernooi", live=True, actor=TESTS)
    Evening.objects.filter(pk=evening.pk).update(season=season)
    path = reverse("season_page", args=[evening.club.slug, season.slug])
    before = get(Client(), path).headers["ETag"]
    write_deal(table(evening), 2)
    assert get(Client(), path).headers["ETag"] != before


@pytest.mark.full
def test_who_is_logged_in_gets_a_page_of_their_own(evening: Evening) -> None:
    path, desk = evening_path(evening), desk_of(evening.club)
    visitors = get(Client(), path).content.decode()
    for _time in range(2):
        own = get(desk, path)
        assert 'name="csrfmiddlewaretoken"' in own.content.decode()
        assert "ETag" not in own.headers
    assert get(Client(), path).content.decode() == visitors
    assert "csrf" not in visitors.lower()


def test_a_message_is_shown_once_and_to_nobody_else(evening: Evening) -> None:
    path, browser = evening_path(evening), Client()
    get(Client(), path)
    browser.post(reverse("login"), {"username": "a@example.org", "password": "x"})
    browser.cookies["messages"] = "anything"
    assert "ETag" not in get(browser, path).headers


@pytest.mark.full
def test_each_language_and_each_theme_is_a_page_of_its_own(evening: Evening) -> None:
    path, english, dark = evening_path(evening), Client(), Client()
    speak_english(english)
    dark.cookies["theme"] = "dark"
    for _time in range(2):
        assert '<html lang="nl">' in get(Client(), path).content.decode()
        assert '<html lang="en">' in get(english, path).content.decode()
        assert '<html lang="nl" data-theme="dark">' in get(dark, path).content.decode()


@pytest.mark.full
def test_a_page_in_another_theme_is_not_called_unchanged(evening: Evening) -> None:
    path, browser = evening_path(evening), Client()
    tag = get(browser, path).headers["ETag"]
    assert browser.get(path, headers={"If-None-Match": tag}).status_code == 304
    browser.cookies["theme"] = "dark"
    assert browser.get(path, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("part", ["live/", "live/?release=1", "screen/?live=1"])
def test_parts_of_an_evening_that_is_over_follow_a_name_that_is_hidden(
    evening: Evening, part: str
) -> None:
    close_evening(evening)
    screen_held(evening, "standings")
    path, member = evening_path(evening, part), first(evening)
    before = get(Client(), path)
    assert member.name in before.content.decode()
    hide(member)
    time.sleep(SEEN_SECONDS)
    after = Client().get(path, headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert member.name not in after.content.decode()


@pytest.mark.full
def test_who_makes_an_answer_does_not_wait_for_themselves(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if every answer and every part had drawn the same lock."""
    monkeypatch.setattr(live, "_making_answers", [Lock()])
    monkeypatch.setattr(live, "_making_parts", [Lock()])
    path, answers = evening_path(evening, "live/"), []
    get(Client(), path)
    write_deal(table(evening), 2)
    time.sleep(SEEN_SECONDS)

    def ask() -> None:
        answers.append(Client().get(path).status_code)
        connections.close_all()

    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(timeout=20)
    assert answers == [200]


@pytest.mark.full
def test_a_name_that_is_looked_up_is_not_kept(evening: Evening) -> None:
    assert "ETag" not in get(Client(), evening_path(evening, "?q=jan")).headers


@pytest.mark.full
def test_the_language_is_switched_without_a_cookie_before(evening: Evening) -> None:
    browser = Client(enforce_csrf_checks=True)
    path = evening_path(evening)
    get(browser, path)
    browser.post(reverse("set_language"), {"language": "en", "next": path})
    assert '<html lang="en">' in get(browser, path).content.decode()


def test_at_a_practice_evening_nothing_is_kept(evening: Evening) -> None:
    practice = practice_make(club=evening.club, actor=TESTS)
    assert "ETag" not in get(Client(), evening_path(practice)).headers
