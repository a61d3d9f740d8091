"""The page for frames of other websites."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    organiser_of,
    table,
    write_deal,
)
from tests.tournaments.one_round import finish, seated
from tests.tournaments.public_pages import words
from tournaments.models import Evening
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db


def played(*, frozen: bool = False) -> Evening:
    """An evening with a deal, which is being played."""
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    evening = seated(season, 0, "1234", deals_per_round=1)
    write_deal(table(evening), 1, points={"NS": 100})
    Evening.objects.update(frozen=frozen)
    return evening


def club_on(sites: list[str], **more: str) -> Club:
    """A club that lets these websites show its standings."""
    club = ClubFactory.create(**more)
    club.frame_sites = sites
    club.save()
    return club


def frame(club: Club, show: str = "") -> str:
    address = reverse("club_frame", args=[club.slug])
    return f"{address}?show={show}" if show else address


def ancestors(answer: object) -> str:
    """The directive of the content policy."""
    policy: str = answer.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";") if part.strip())
    return directives["frame-ancestors"]


class TestWhoMayShowIt:
    def test_nobody_but_ourselves_at_first(self) -> None:
        answer = Client().get(frame(ClubFactory.create()))
        assert ancestors(answer) == "'self'"
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"

    def test_the_websites_of_its_own_club_only(self) -> None:
        mine = club_on(["https://club.nl", "http://localhost:8080"])
        other = club_on(["https://other.nl"], slug="other")
        answer = Client().get(frame(mine))
        assert ancestors(answer) == "'self' https://club.nl http://localhost:8080"
        assert "X-Frame-Options" not in answer.headers
        assert ancestors(Client().get(frame(other))) == "'self' https://other.nl"

    @pytest.mark.full
    @pytest.mark.parametrize("name", ["club_page", "club_calendar", "rules_page", "ratings_page"])
    def test_every_other_page_stays_out_of_frames(self, name: str) -> None:
        club = club_on(["https://club.nl"])
        answer = Client().get(reverse(name, args=[club.slug]))
        assert ancestors(answer) == "'none'"
        assert answer.headers["X-Frame-Options"] == "DENY"

    def test_not_even_the_page_on_which_it_is_set_up(self) -> None:
        club = club_on(["https://club.nl"])
        client = Client()
        client.force_login(organiser_of(club))
        answer = client.get(reverse("club_outside", args=[club.slug]))
        assert ancestors(answer) == "'none'"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-src 'self'" in answer.headers["Content-Security-Policy"]


class TestWhatItShows:
    def test_it_needs_no_cookie_no_script_and_sends_nothing(self) -> None:
        answer = Client().get(frame(club_on(["https://club.nl"])))
        page = answer.content.decode()
        assert [word for word in ("<script", "<form", "hx-", "csrf") if word in page] == []
        assert answer.cookies == {}
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'none'" in policy
        assert "form-action 'none'" in policy
        assert answer.headers["Cache-Control"] == "public, max-age=300"

    @pytest.mark.full
    def test_it_is_the_same_for_an_organiser(self) -> None:
        evening = played(frozen=True)
        client = Client()
        client.force_login(organiser_of(evening.club))
        client.cookies["django_language"] = "en"
        address = frame(evening.club)
        assert client.get(address).content == Client().get(address).content

    def test_points_that_are_hidden_are_not_in_it(self) -> None:
        evening = played(frozen=True)
        name = Member.objects.first()
        assert name is not None
        for show in ("", "evening", "season", "next"):
            assert name.name not in words(Client().get(frame(evening.club, show)))

    @pytest.mark.full
    def test_the_last_evening_under_public_names_without_links(self) -> None:
        evening = finish(played())
        hidden, short = Member.objects.order_by("pk")[:2]
        Member.objects.filter(pk=hidden.pk).update(public_as="hidden")
        Member.objects.filter(pk=short.pk).update(public_as="initials")
        page = Client().get(frame(evening.club, "evening"))
        assert hidden.name not in words(page)
        assert short.name not in words(page)
        assert page.content.decode().count("<a ") == 1
        assert 'target="_blank" rel="noopener"' in page.content.decode()

    @pytest.mark.full
    def test_it_names_the_next_evening(self) -> None:
        club = ClubFactory.create()
        assert "Er staat nu geen avond op het programma." in words(Client().get(frame(club)))
        EveningFactory.create(club=club, date="2099-11-24", name="Kerstdrive")
        for show, is_there in (("", True), ("next", True), ("season", False), ("evening", False)):
            assert ("Kerstdrive" in words(Client().get(frame(club, show)))) is is_there

    @pytest.mark.full
    def test_while_an_evening_is_played_it_comes_again_by_itself(self) -> None:
        evening = played()
        assert Evening.objects.get().state == "running"
        page = Client().get(frame(evening.club))
        assert '<meta http-equiv="refresh" content="60">' in page.content.decode()
        assert page.headers["Cache-Control"] == "public, max-age=60"
        season = Client().get(frame(evening.club, "season"))
        assert "http-equiv" not in season.content.decode()
        assert season.headers["Cache-Control"] == "public, max-age=300"

    @pytest.mark.full
    def test_what_it_does_not_know_is_not_found(self) -> None:
        assert Client().get(frame(ClubFactory.create(), "desk")).status_code == 404
