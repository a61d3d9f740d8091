"""The page that says how to follow, the feeds, and what a browser that asks for messages hears."""

import datetime as dt
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.limits.table import FOLLOWS
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw
from tests.tournaments.competitor_files import side_table, text_of
from tests.tournaments.files import Files
from tests.tournaments.following.push_service import Browser
from tests.tournaments.public_pages import close_evening, get, speak_english, words
from tournaments.closing.services import evening_cancel
from tournaments.models import Evening, Follower

pytestmark = pytest.mark.django_db

CLUB = "/clubs/vrolijke-boer/"
FOLLOW = f"{CLUB}follow/"
FEED = f"{CLUB}feed/"
PUSH = f"{FOLLOW}push/"
ELSEWHERE = "https://updates.push.example/send/a"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
TODAY = dt.date(2026, 11, 24)
Titles = list[tuple[str, str]]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def played(club: Club, day: dt.date = dt.date(2026, 11, 21)) -> Evening:
    """An evening of four people, won by Jan and Piet with 90 points."""
    evening = evening_with_draw(players=4, club=club, date=day, method=Evening.Method.TYPED_IN)
    close_evening(evening)
    return evening


def ask(client: Client, browser: Browser, **more: object) -> tuple[int, dict[str, object]]:
    response = client.post(PUSH, {**browser.asks, **more}, secure=True)
    return response.status_code, response.json()


def entries(client: Client, path: str) -> Titles:
    """Title and text of what a feed tells, in its order."""
    response = get(client, path)
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(response.content)
    return [
        (entry.findtext("a:title", "", ATOM), entry.findtext("a:summary", "", ATOM))
        for entry in feed.findall("a:entry", ATOM)
    ]


def test_a_clubs_feed_tells_of_results_with_the_winner_and_of_evenings_to_come(
    client: Client, club: Club
) -> None:
    assert entries(client, FEED) == []
    played(club)
    day = timezone.localdate() + dt.timedelta(days=10)
    evening = EveningFactory.create(club=club, date=day, name="Kerst & <b>drive</b>")
    written = entries(client, FEED)
    assert written[1] == (
        "Uitslag van 21 november 2026: gewonnen door Jan Bakker en Piet Visser",
        "1. Jan Bakker (90), 1. Piet Visser (90), 3. Mia van der Meer (72), 3. Truus de Vries (72)",
    )
    title, text = written[0]
    assert (title.startswith("Klaverjasavond op "), text) == (
        True,
        "Kerst &amp; &lt;b&gt;drive&lt;/b&gt;. Wij spelen 3 rondes van 16 spellen.",
    )
    assert written[2:] == [
        ("Clubrecord: Hoogste boompje ooit, 90 (Jan Bakker en Piet Visser)", ""),
        ("Clubrecord: Hoogste avond ooit, 90 (Jan Bakker en Piet Visser)", ""),
    ]
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert entries(client, FEED)[0][0].startswith("Gaat niet door: ")
    speak_english(client)
    assert entries(client, FEED)[1][0] == (
        "Result of 21 November 2026: won by Jan Bakker and Piet Visser"
    )


@pytest.mark.full
def test_a_feed_keeps_its_own_addresses_and_answers_who_has_it_already(
    client: Client, club: Club
) -> None:
    evening = played(club)
    first, second = get(client, FEED), get(client, FEED)
    assert first.content == second.content
    known = client.get(FEED, headers={"if-none-match": first.headers["ETag"]})
    assert known.status_code == 304
    feed = ElementTree.fromstring(first.content)
    link = feed.find("a:entry/a:link", ATOM)
    assert link is not None
    assert link.attrib["href"].endswith(f"{CLUB}evenings/{evening.slug}/")
    assert "testserver" not in first.content.decode()


def test_a_feed_takes_as_many_queries_for_one_evening_as_for_three(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    played(club)
    EveningFactory.create(club=club, date=timezone.localdate() + dt.timedelta(weeks=9))
    with django_assert_num_queries(13):
        get(client, FEED)
    for week in (1, 2):
        played(club, dt.date(2026, 11, 21) - dt.timedelta(weeks=week))
        EveningFactory.create(club=club, date=timezone.localdate() + dt.timedelta(weeks=week))
    with django_assert_num_queries(13):
        get(client, FEED)


def test_results_of_pairs_take_as_many_queries_for_one_as_for_three(
    client: Client, club: Club, tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    files = Files(club, tmp_path)

    def play(day: str) -> None:
        names = {"pair_ns": "Ann & Bob", "pair_ew": "Cor & Dik"}
        names |= {"team_ns": "Shell", "team_ew": "KLM"}
        people = ["Ann", "Cor", "Bob", "Dik"]
        files.evening(text_of(side_table(day, 1, 1, people, 240, names, deals=2)))

    play("2026-09-05")
    with django_assert_num_queries(18):
        get(client, FEED)
    for day in ("2026-09-12", "2026-09-19"):
        play(day)
    with django_assert_num_queries(18):
        get(client, FEED)
    results = [text for title, text in entries(client, FEED) if title.startswith("Uitslag")]
    assert results == ["1. Shell (240), 2. KLM (84)"] * 3


def test_a_players_feed_has_their_results_and_is_gone_when_they_are_erased(
    client: Client, club: Club
) -> None:
    played(club)
    jan, mia = (
        Member.objects.get(club=club, name=name) for name in ("Jan Bakker", "Mia van der Meer")
    )
    of_jan, of_mia = (f"{CLUB}players/{member.pk}/feed/" for member in (jan, mia))
    assert entries(client, of_jan) == [
        ("Jan Bakker: plaats 1 van 4 op 21 november 2026, met 90 punten.", "ronde 1: 90")
    ]
    assert entries(client, of_mia) == [
        ("Mia van der Meer: plaats 3 van 4 op 21 november 2026, met 72 punten.", "ronde 1: 72")
    ]
    Member.objects.filter(pk=jan.pk).update(public_as=Member.PublicAs.HIDDEN)
    member_erase(member=mia, actor=TESTS)
    for path in (of_jan, of_mia, f"{FOLLOW}?player={jan.pk}", f"{FOLLOW}?player={mia.pk}"):
        assert client.get(path).status_code == 404
    assert "Jan" not in get(client, FEED).content.decode()


@pytest.mark.full
def test_a_page_says_in_words_how_to_follow_and_programs_find_the_feeds(
    client: Client, club: Club
) -> None:
    played(club)
    jan = Member.objects.get(club=club, name="Jan Bakker")
    own = f"{CLUB}players/{jan.pk}/"
    assert f'href="{FEED}"' in get(client, CLUB).content.decode()
    player = get(client, own).content.decode()
    assert f'href="{FEED}"' in player
    assert f'href="{own}feed/"' in player
    assert f'href="{FOLLOW}?player={jan.pk}"' in player
    page = get(client, f"{FOLLOW}?player={jan.pk}")
    assert "Jan Bakker volgen" in words(page)
    assert f"{own}feed/</code>" in page.content.decode()
    assert 'href="webcal:' in get(client, FOLLOW).content.decode()


ODD_ADDRESSES = [
    "http://updates.push.example/send/a",
    "https://localhost/send/a",
    "https://127.0.0.1/send/a",
    "https://10.0.0.1/a",
    "https://[::1]/a",
    "https://hal.local/a",
    "https://8.8.8.8/a",
    "https://[2001:4860:4860::8888]/a",
    "https://updates.push.example:/a",
    "https://up dates.push.example/a",
    "https://updates.push.example:8443/a",
    "https://somebody@updates.push.example/a",
    "https://updates.push.example/a b",
    "javascript:alert(1)",
    "https://",
    "",
]


def test_messages_go_to_services_on_the_internet_only(
    client: Client, club: Club, settings: Settings
) -> None:
    settings.WEB_PUSH = True
    for endpoint in ODD_ADDRESSES:
        status, answer = ask(client, Browser(endpoint), follow="yes")
        assert (status, list(answer)) == (422, ["error"]), endpoint
    assert Follower.objects.count() == 0


def test_keys_that_are_none_are_refused(client: Client, club: Club, settings: Settings) -> None:
    settings.WEB_PUSH = True
    for change in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "é"}, {"auth": ""}):
        assert ask(client, Browser(ELSEWHERE), follow="yes", **change)[0] == 422
    assert Follower.objects.count() == 0


@pytest.mark.usefixtures("still_clock")
def test_a_club_and_a_browser_have_so_many_and_an_address_asks_so_often(
    client: Client, club: Club, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEB_PUSH = True
    monkeypatch.setattr(Follower, "MOST_OF_A_CLUB", 1)
    assert ask(client, Browser(ELSEWHERE), follow="yes")[0] == 200
    assert ask(client, Browser(ELSEWHERE), follow="yes")[0] == 200
    assert ask(client, Browser(f"{ELSEWHERE}b"), follow="yes")[0] == 422
    statuses = [ask(client, Browser(ELSEWHERE))[0] for _time in range(FOLLOWS.most)]
    assert (statuses[0], statuses[-1]) == (200, 429)


def test_without_https_or_where_it_is_off_nothing_of_it_is_shown(
    client: Client, club: Club, settings: Settings
) -> None:
    assert "data-push" not in get(client, FOLLOW).content.decode()
    assert "data-push" not in client.get(FOLLOW, secure=True).content.decode()
    settings.WEB_PUSH = True
    assert "data-push" not in get(client, FOLLOW).content.decode()
    assert "data-push" in client.get(FOLLOW, secure=True).content.decode()
    assert client.post(PUSH, Browser(ELSEWHERE).asks).status_code == 404
