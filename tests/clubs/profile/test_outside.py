"""What a club shows outside: to search engines, on other websites, of new people."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_create
from clubs.models import AuditEvent, Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, director_of, organiser_of
from tests.tournaments.one_round import one_deal
from tests.tournaments.public_pages import words
from tournaments.registration.check_in import guest_add
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db
ASKED = {"search_engines": "plain", "new_public_as": "name", "frame_sites": ""}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(club: Club) -> Client:
    """The browser of the club's organiser."""
    client = Client()
    client.force_login(organiser_of(club))
    return client


def page(club: Club) -> str:
    return reverse("club_outside", args=[club.slug])


def chosen(desk: Client, club: Club, **choices: str) -> int:
    status = desk.post(page(club), {**ASKED, **choices}).status_code
    club.refresh_from_db()
    return status


class TestSearchEngines:
    def noindex(self, *addresses: str) -> list[bool]:
        answers = [Client().get(address) for address in addresses]
        found = {answer.request["PATH_INFO"]: answer.status_code for answer in answers}
        assert set(found.values()) == {200}, found
        return [answer.headers.get("X-Robots-Tag") == "noindex" for answer in answers]

    def pages(self, club: Club) -> list[str]:
        """The calendar and the rules; then what has names."""
        season = season_create(club=club, name="2026", actor=TESTS)
        evening = one_deal(season, 0, "1234", ns=100)
        member = club.members.all()[0]
        return [
            reverse("club_calendar", args=[club.slug]),
            reverse("rules_page", args=[club.slug]),
            club.get_absolute_url(),
            reverse("club_card", args=[club.slug]),
            reverse("evening_page", args=[club.slug, evening.slug]),
            reverse("player_page", args=[club.slug, member.pk]),
            reverse("ratings_page", args=[club.slug]),
        ]

    @pytest.mark.full
    def test_pages_with_names_are_left_out_until_the_club_wants_them(
        self, desk: Client, club: Club
    ) -> None:
        pages = self.pages(club)
        assert self.noindex(*pages) == [False, False, True, True, True, True, True]
        chosen(desk, club, search_engines="names")
        assert self.noindex(*pages) == [False] * 7
        chosen(desk, club, search_engines="none")
        assert self.noindex(*pages) == [True] * 7

    @pytest.mark.full
    def test_what_is_no_page_of_a_club_is_left_out_but_the_front_page(self, desk: Client) -> None:
        assert self.noindex("/", "/login/", "/api/v1/clubs/", reverse("pin")) == [
            False,
            True,
            True,
            True,
        ]
        assert desk.get("/clubs/vrolijke-boer/desk/").headers["X-Robots-Tag"] == "noindex"
        assert Client().get("/nothing/").headers["X-Robots-Tag"] == "noindex"

    def test_robots_txt_leaves_them_readable(self) -> None:
        """What must not be read cannot say that it is to be left out."""
        answer = Client().get("/robots.txt")
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        rules = answer.content.decode().splitlines()
        assert rules[0] == "User-agent: *"
        assert "Disallow: /t/" in rules
        assert "Disallow: /" not in rules
        assert "Set-Cookie" not in answer.headers

    def test_it_costs_no_query(
        self, club: Club, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(0):
            Client().get("/robots.txt")


class TestNewPeople:
    @pytest.mark.full
    def test_they_are_named_as_the_club_wants(self, desk: Client, club: Club) -> None:
        chosen(desk, club, new_public_as="initials")
        form = desk.get(reverse("member_add", args=[club.slug])).content.decode()
        assert 'name="public_as" value="initials"' in " ".join(form.split()).replace(
            ' required=""', ""
        )
        evening = EveningFactory.create(club=club)
        guest_add(evening_id=evening.pk, name="Wim Zwart", actor=TESTS)
        member_create(club=club, name="Riet Bos", actor=TESTS)
        member_create(club=club, name="Kees Bakker", public_as="name", actor=TESTS)
        named = {member.name: member.shown_name for member in Member.objects.all()}
        assert named == {"Wim Zwart": "W. Z.", "Riet Bos": "R. B.", "Kees Bakker": "Kees Bakker"}

    def test_those_who_are_in_the_list_stay_as_they_are(self, desk: Client, club: Club) -> None:
        member = member_create(club=club, name="Riet Bos", actor=TESTS)
        chosen(desk, club, new_public_as="hidden")
        member.refresh_from_db()
        assert member.public_as == "name"


class TestWebsites:
    def test_they_are_kept_as_browsers_compare_them(self, desk: Client, club: Club) -> None:
        typed = "WWW.Vrolijke-Boer.nl/stand?x=1\n\nhttp://localhost:8080\nhttps://m\u00fcnchen.nl"
        assert chosen(desk, club, frame_sites=typed) == 302
        assert club.frame_sites == [
            "https://www.vrolijke-boer.nl",
            "http://localhost:8080",
            "https://xn--mnchen-3ya.nl",
        ]
        assert AuditEvent.objects.filter(action="outside_changed").count() == 1

    @pytest.mark.parametrize(
        "site",
        [
            "*",
            "https://*",
            "https://*.nl",
            "data:",
            "javascript:alert(1)",
            "ftp://example.org",
            "https://a.nl; script-src *",
            "https://a.nl, https://b.nl",
            "https://a.nl 'unsafe-inline'",
            "https://me@a.nl",
            "https://a.nl:99999",
            "https://a.nl:",
            "https://[::1",
            "https://-a.nl",
            "https://a..nl",
            "https://",
            "a" * 300,
            "https://a.nl\x00",
        ],
    )
    def test_others_are_refused(self, site: str, desk: Client, club: Club) -> None:
        assert chosen(desk, club, frame_sites=site) == 422
        assert club.frame_sites == []

    def test_ten_at_most(self, desk: Client, club: Club) -> None:
        sites = "\n".join(f"https://site{number}.nl" for number in range(11))
        assert chosen(desk, club, frame_sites=sites) == 422
        assert club.frame_sites == []

    @pytest.mark.full
    def test_the_line_to_paste_comes_once_there_is_a_website(
        self, desk: Client, club: Club
    ) -> None:
        assert "Om te plakken" not in words(desk.get(page(club)))
        chosen(desk, club, frame_sites="https://club.nl")
        shown = desk.get(page(club) + "?show=season").content.decode()
        assert "&lt;iframe src=&quot;http" in shown
        assert "/clubs/vrolijke-boer/frame/?show=season&quot;" in shown

    def test_only_organisers_choose(self, club: Club) -> None:
        client = Client()
        client.force_login(director_of(club))
        assert chosen(client, club, frame_sites="https://club.nl") == 403
        assert club.frame_sites == []

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("address", "warned"),
        [
            ("https://klaver.example.org", False),
            ("http://klaver.example.org", True),
            ("https://192.168.1.7:8000", True),
            ("", True),
        ],
    )
    def test_an_address_that_no_website_can_show_is_told(
        self, desk: Client, club: Club, address: str, warned: bool
    ) -> None:
        """Also before a website is named: then there is still time to choose another address."""
        Club.objects.update(address=address)
        said = "Bezoekers van uw website zien dit niet"
        assert (said in words(desk.get(page(club)))) is warned
