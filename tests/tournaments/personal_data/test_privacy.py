"""Whoever does not want his name on public pages is on none of them."""

import datetime as dt
import html
import io
import re
import zipfile
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from PIL import ImageDraw
from pytest_django import DjangoDbBlocker

from clubs.members.services import member_change, member_create
from clubs.merges.services import guest_merge
from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    UserFactory,
    table,
    type_in,
    write_deal,
)
from tests.pdfs import page_texts
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import get, rows, speak_english, words
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_publish
from tournaments.leagues.matches import fixtures_draw
from tournaments.leagues.people import person_confirm, person_link_make
from tournaments.leagues.ranked_results import ranking_on
from tournaments.leagues.rankings import ranked_evening_enter, ranking_publish, ranking_seen
from tournaments.leagues.services import league_create, league_season_create
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import (
    Division,
    Evening,
    League,
    LeagueRanking,
    LeagueTeam,
    MatchDay,
    Season,
)
from tournaments.ratings.services import ratings_make
from tournaments.registration.check_in import presence_replace
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Page

pytestmark = pytest.mark.django_db

FULL = "Hubertus", "Zonderling", "Ingeborg", "Verborgen"
LINK = re.compile(r'(?:(?:href|hx-get|data-poll|src)="|content="(?=http))([^"]+)"')
PLAYED, NOW = dt.date(2026, 11, 14), dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The club of this module, made once: each test works in a savepoint, which is taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        make_club()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def club(world: None) -> Club:
    return Club.objects.get()


def make_club() -> None:
    """Number 1 is hidden and number 2 wants initials; they win the first evening together, and
    play the second one, which goes on."""
    club: Club = ClubFactory.create()
    member_create(club=club, name="Hubertus Zonderling", number=1, actor=TESTS)
    member_create(club=club, name="Ingeborg Verborgen", number=2, actor=TESTS)
    for _number in range(7):
        MemberFactory.create(club=club)
    season = season_create(club=club, name="2026", actor=TESTS)
    closed = evening(club, PLAYED, season)
    finish(closed)
    release_publish(evening=closed, reason="nageteld", actor=TESTS)
    ratings_make(club_id=club.pk)
    evening(club, NOW, season)
    play_in_a_league(club)
    show(1, "hidden")
    show(2, "initials")


def play_in_a_league(club: Club) -> None:
    """The two play in a team of a league."""
    organiser = UserFactory.create()
    league = league_create(name="Streek", leader=organiser, actor=TESTS)
    division = league_season_create(league=league, name="2026", actor=TESTS).divisions.get()
    lines = [TeamLine(f"Team {number}", club.name) for number in range(1, 5)]
    team, *_others = teams_add(division=division, lines=lines, actor=TESTS)
    for member in club.members.filter(number__lte=2):
        team.players.create(name=member.name, member_uuid=member.uuid, position=member.number or 0)
    fixtures_draw(division=division, seed=1, first=NOW, actor=TESTS)
    stand_in_a_ranking(league, club)


def stand_in_a_ranking(league: League, club: Club) -> None:
    """The two confirmed their numbers, and stand in an official list of the first evening."""
    for member in club.members.filter(number__lte=2).order_by("number"):
        link = person_link_make(league=league, member=member, actor=TESTS)
        person_confirm(link=link, actor=TESTS)
    played = Evening.objects.get(date=PLAYED)
    ranked_evening_enter(league=league, evening=played, actor=TESTS)
    ranking = LeagueRanking.objects.create(
        league=league,
        name="Sterkte",
        slug="sterkte",
        system="strength",
        ranks="player",
        minimum_rounds=0,
    )
    seen = ranking_seen(ranking, NOW, ranking_on(ranking, NOW))
    ranking_publish(ranking=ranking, on=NOW, actor=TESTS, seen=seen)


def evening(club: Club, date: dt.date, season: Season) -> Evening:
    """Table 1 has numbers 1, 3, 2 and 4, so that 1 and 2 are partners; 9 sits out."""
    people = {member.number: member for member in club.members.all()}
    seated = [people[number] for number in (1, 3, 2, 4, 5, 6, 7, 8, 9)]
    made = EveningFactory.create(
        club=club,
        date=date,
        season=season,
        method=Evening.Method.TYPED_IN,
        rounds_planned=1,
        deals_per_round=2,
    )
    presence_replace(evening_id=made.pk, members=seated, actor=TESTS)
    type_in(made, seated)
    draw_publish(evening_id=made.pk, actor=TESTS)
    round_start(round_id=made.rounds.get().pk, actor=TESTS)
    write_deal(table(made), 1, points={"NS": 120}, declarer="N")
    return Evening.objects.get(pk=made.pk)


def finish(evening: Evening) -> None:
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="kort")
    evening_close(evening_id=evening.pk, actor=TESTS)


def show(number: int, how: str) -> None:
    member = Member.objects.get(number=number)
    member_change(
        member=member,
        seen_version=member.version,
        name=member.name,
        number=number,
        kind=member.kind,
        public_as=how,
        actor=TESTS,
    )


@pytest.fixture(autouse=True)
def pictured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is written in the pictures that are drawn from now on."""
    cache.clear()
    texts: list[str] = []
    draw = ImageDraw.ImageDraw.text

    def noted(self: ImageDraw.ImageDraw, xy: Any, text: Any, *args: Any, **given: Any) -> None:
        texts.append(str(text))
        draw(self, xy, text, *args, **given)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    return texts


SECRET = (
    "/t/",
    "/password/set",
    "/invitations/",
    "/account/email/confirm/",
    "/account/security/",
    "/login/link/<",
)


def public_patterns() -> Iterator[str]:
    """The address of every page but those of the desk and of the tables, as they are written."""

    def under(found: Iterable[URLPattern | URLResolver], before: str) -> Iterator[str]:
        for one in found:
            path = before + str(one.pattern)
            if isinstance(one, URLResolver):
                yield from under(one.url_patterns, path)
            elif "/desk/" not in path and not path.startswith(SECRET):
                yield path

    return under(get_resolver().url_patterns, "/")


def addresses(club: Club) -> set[str]:
    """Every public page, for each evening and each person."""
    filled = {
        "slug:slug": [club.slug],
        "slug:evening_slug": [PLAYED.isoformat(), NOW.isoformat()],
        "slug:season_slug": ["2026"],
        "int:round_number": ["1"],
        "int:number": ["1"],
        "int:year": ["2027"],
        "int:table_number": ["1"],
        "uuid:uuid": [str(uuid4())],
        "slug:chapter": ["player", "organiser"],
        "str:code": ["nothing"],
        "str:door": ["nothing"],
        "str:captain": ["nothing"],
        "str:pull": ["nothing"],
        "uuid:event": [str(uuid4())],
        "int:match": ["1"],
        "int:night": ["1"],
        "int:line_up": ["1"],
        "int:leader": ["1"],
        "int:link": ["1"],
        "int:number_pk": ["1"],
        "int:penalty": ["1"],
        "int:source": ["1"],
        "str:camera": ["nothing"],
        "int:division": [str(pk) for pk in Division.objects.values_list("pk", flat=True)],
        "int:day": [str(pk) for pk in MatchDay.objects.values_list("pk", flat=True)],
        "uuid:entry_uuid": [str(uuid4())],
        "int:club": [str(club.pk)],
        "slug:league": [League.objects.get().slug],
        "slug:league_season": ["2026"],
        "int:position": ["1"],
        "int:person": ["1", "2"],
        "slug:ranking": ["sterkte"],
        "int:team": [str(pk) for pk in LeagueTeam.objects.values_list("pk", flat=True)],
        "int:pk": [str(pk) for pk in club.members.values_list("pk", flat=True)],
    }
    found = set()
    for pattern in public_patterns():
        paths = [pattern]
        for name in re.findall(r"<([^>]+)>", pattern):
            assert name in filled, f"say here what {name} of {pattern} can be"
            paths = [path.replace(f"<{name}>", one) for path in paths for one in filled[name]]
        found |= set(paths)
    return found


def linked(response: "Page", address: str) -> Iterator[str]:
    """The public pages of this site that a page leads to."""
    if not response.headers.get("Content-Type", "").startswith("text/html"):
        return
    for link in LINK.findall(response.content.decode()):
        target = urlsplit(urljoin(f"http://testserver{address}", html.unescape(link)))
        inside = target.scheme in ("http", "webcal") and target.netloc == "testserver"
        if inside and not target.path.startswith(("/static/", "/t/", "/log", "/language/")):
            yield f"{target.path}?{target.query}" if target.query else target.path


def readable(response: "Page") -> str:
    """What a page or a file says: of an Excel file what is packed in it, of a PDF its text."""
    kind = response.headers.get("Content-Type", "")
    if response.streaming:
        return b"".join(response).decode()
    if "spreadsheet" in kind:
        with zipfile.ZipFile(io.BytesIO(response.content)) as packed:
            return " ".join(packed.read(name).decode() for name in packed.namelist())
    if "pdf" in kind:
        return " ".join(page_texts(response.content))
    if kind.startswith("image/"):
        return ""
    return response.content.decode()


def walked(client: Client, club: Club) -> dict[str, str]:
    """What every public page says, by address: all that there are, and all that these lead to."""
    waiting = deque(sorted(addresses(club)))
    seen = set(waiting)
    pages = {}
    while waiting:
        address = waiting.popleft()
        response: Any = client.get(address)
        if response.status_code != 200:
            assert response.status_code in (301, 302, 304, 401, 403, 404, 405, 410), address
            continue
        pages[address] = readable(response)
        for link in linked(response, address):
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    return pages


def unveiled(pages: dict[str, str], names: Iterable[str]) -> list[tuple[str, str]]:
    """On which pages which of these names stands."""
    return [(path, name) for path, text in pages.items() for name in names if name in text]


@pytest.mark.parametrize("language", ["nl", pytest.param("en", marks=pytest.mark.full)])
def test_no_public_page_names_who_does_not_want_it(
    client: Client, club: Club, language: str, pictured: list[str]
) -> None:
    client.cookies["django_language"] = language
    pages = walked(client, club)
    assert unveiled(pages, FULL) == []
    hidden = Member.objects.get(number=1)
    assert unveiled(pages, [f"/players/{hidden.pk}/"]) == []
    assert unveiled(dict(enumerate(pictured)), FULL) == []  # type: ignore[arg-type]
    assert len(pages) > 40
    neutral = "Anoniem" if language == "nl" else "Anonymous"
    assert neutral in pictured
    standing = pages[f"/clubs/vrolijke-boer/evenings/{PLAYED}/"]
    assert (neutral in standing, "I. V." in standing) == (True, True)


@pytest.mark.full
def test_no_public_page_names_who_was_erased(client: Client, club: Club) -> None:
    finish(Evening.objects.get(date=NOW))
    for number in (1, 2):
        member_erase(member=Member.objects.get(number=number), actor=TESTS)
    pages = walked(client, club)
    assert unveiled(pages, FULL) == []
    assert "Oud-lid 1" in pages[f"/clubs/vrolijke-boer/evenings/{PLAYED}/"]


@pytest.mark.full
def test_no_public_page_names_a_guest_who_turned_out_to_be_hidden(
    client: Client, club: Club
) -> None:
    guest = Member.objects.get(number=3)
    Member.objects.filter(pk=guest.pk).update(kind="guest", number=None)
    hidden = member_create(
        club=club, name="Karel Schuil", number=33, public_as="hidden", actor=TESTS
    )
    guest_merge(guest=Member.objects.get(pk=guest.pk), member=hidden, actor=TESTS)
    pages = walked(client, club)
    assert unveiled(pages, [guest.name, "Schuil"]) == []
    finish(Evening.objects.get(date=NOW))
    member_erase(member=hidden, actor=TESTS)
    released = words(get(client, f"/clubs/vrolijke-boer/evenings/{PLAYED}/?release=1"))
    assert ("Oud-lid 1" in released, guest.name in released) == (True, False)


def test_of_who_is_hidden_there_is_no_page(client: Client, club: Club) -> None:
    hidden, initials = (Member.objects.get(number=number).pk for number in (1, 2))
    for path in ("", "met/"):
        assert client.get(f"/clubs/vrolijke-boer/players/{hidden}/{path}").status_code == 404
        assert client.get(f"/clubs/vrolijke-boer/players/{initials}/{path}").status_code == 200


def test_who_is_hidden_is_not_found_by_his_name(client: Client, club: Club) -> None:
    path = f"/clubs/vrolijke-boer/evenings/{NOW}/?show=names"
    assert "Anoniem" in [row[0] for row in rows(get(client, path))]
    for name in ("Zonderling", "hubertus"):
        assert rows(get(client, f"{path}&q={name}")) == []


def test_who_leads_sees_whom_a_hidden_player_met(club: Club) -> None:
    hidden = Member.objects.get(number=1).pk
    assert desk_of(club).get(f"/clubs/vrolijke-boer/players/{hidden}/met/").status_code == 200


@pytest.mark.full
def test_the_hall_and_the_desk_keep_the_name(club: Club) -> None:
    desk = desk_of(club)
    path = f"/clubs/vrolijke-boer/desk/evenings/{NOW}"
    drawn: Any = desk.get(f"{path}/print/draw.pdf")
    for page in page_texts(drawn.content):
        assert "Hubertus Zonderling" in page or "Ingeborg Verborgen" in page
    for more in ("present/", "board/", "rounds/1/tables/1/"):
        assert "Hubertus Zonderling" in words(get(desk, f"{path}/{more}"))


@pytest.mark.full
def test_somebody_changes_his_mind(client: Client, club: Club) -> None:
    show(1, "name")
    path = f"/clubs/vrolijke-boer/evenings/{PLAYED}/"
    assert "Hubertus Zonderling" in words(get(client, path))
    assert "Hubertus Zonderling" in words(get(client, f"{path}?release=1"))


def test_the_neutral_name_is_in_the_readers_language(client: Client, club: Club) -> None:
    speak_english(client)
    page = words(get(client, f"/clubs/vrolijke-boer/evenings/{PLAYED}/"))
    assert ("Anonymous" in page, "Anoniem" in page) == (True, False)


def test_it_shows_at_once_on_an_evening_that_is_on(client: Client, club: Club) -> None:
    path = f"/clubs/vrolijke-boer/evenings/{NOW}/live/?show=names"
    name = Member.objects.get(number=3).name
    page: Any = client.get(path)
    assert name in words(page)
    show(3, "hidden")
    again: Any = client.get(path, headers={"If-None-Match": page.headers["ETag"]})
    assert again.status_code == 200
    assert name not in words(again)
