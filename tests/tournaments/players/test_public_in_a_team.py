"""What somebody's pages, card, feed and followers say of an evening that ranks teams or pairs."""

import datetime as dt
import html
import re
from pathlib import Path

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from clubs.models import Member
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tournaments.competitor_files import side_table, text_of
from tests.tournaments.files import Files
from tests.tournaments.following.test_public_follow import entries
from tests.tournaments.public_pages import get, rows, words
from tournaments.closing.services import evening_close
from tournaments.following.services import News
from tournaments.models import Competitor, Evening, Follower, Registration, Season
from tournaments.registration.competitors import competitor_create
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db

NIGHT = dt.datetime(2026, 11, 21, 20, 0, tzinfo=dt.UTC)
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')


@pytest.fixture(autouse=True)
def tonight(settings: LazySettings) -> object:
    settings.PUBLIC_URL = "https://klaver.example"
    with time_machine.travel(NIGHT, tick=False):
        yield


@pytest.fixture
def evening() -> Evening:
    """De Boeren sit N/S at both tables, with 100 and 82, De Vrouwen E/W, with 62 and 80."""
    evening = evening_with_draw(
        players=8, rounds=1, deals_per_round=1, method=Evening.Method.TYPED_IN
    )
    evening.ranks = Evening.Ranks.TEAM
    evening.season = season_create(club=evening.club, name="2026", actor=TESTS)
    evening.save_changes("ranks", "season")
    people = list(Member.objects.of(evening.club).order_by("number"))
    for name, theirs in (("De Boeren", people[::2]), ("De Vrouwen", people[1::2])):
        team = competitor_create(
            club=evening.club,
            kind="team",
            name=name,
            people=theirs,
            since=evening.date,
            actor=TESTS,
        )
        Registration.objects.filter(evening=evening, member__in=theirs).update(team=team)
    write_deal(table(evening, 1), 1, points={"NS": 100})
    write_deal(table(evening, 2), 1, points={"NS": 82})
    return evening


def closed(evening: Evening) -> Evening:
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def member_of(evening: Evening, number: int) -> Member:
    return Member.objects.get(club=evening.club, number=number)


def own(evening: Evening, member: Member) -> str:
    return reverse("evening_player", args=[evening.club.slug, evening.slug, member.pk])


def card_of(evening: Evening, member: Member) -> str:
    return words(get(Client(), reverse("player_now", args=[evening.club.slug, member.pk])))


def message_for(evening: Evening, member: Member) -> str:
    """What a follower of this player is told."""
    follower = Follower(club=evening.club, member=member, language="nl")
    return (News.of(evening).for_follower(follower) or {})["body"]


def feed_of(evening: Evening, member: Member) -> list[tuple[str, str]]:
    return entries(Client(), reverse("player_feed", args=[evening.club.slug, member.pk]))


def test_the_team_has_the_place_and_its_name_stands_there(evening: Evening) -> None:
    jan = member_of(evening, 1)
    mia = card_of(evening, member_of(evening, 2))
    assert "Plaats 2 van 2 (De Vrouwen): 142 punten. Mijn avond" in mia
    evening = closed(evening)
    read = get(Client(), own(evening, jan))
    assert "Team De Boeren Plaats 1 van 2 Totaal 182" in words(read)
    assert "Als speler" not in words(read)
    said = html.unescape(DESCRIPTION.findall(read.content.decode())[0])
    assert said.startswith("Zaterdag 21 november 2026. De Boeren. Plaats 1 van 2 met 182 punten.")
    assert "plaats 1 van 2 (De Boeren), 182 punten. Mijn seizoen" in card_of(evening, jan)
    told = "De Boeren (Jan Bakker): plaats 1 van 2 op 21 november 2026, met 182 punten."
    assert message_for(evening, jan) == told
    assert feed_of(evening, jan) == [(told, "ronde 1: 182")]
    page = get(Client(), reverse("player_page", args=[evening.club.slug, jan.pk]))
    assert rows(page)[0][:3] == ["21 nov 2026", "1 van 2 De Boeren", "100"]
    assert "Plaats in het seizoen 1 · De Boeren" in words(page)


def test_their_own_place_stands_beside_it_where_the_club_keeps_both(evening: Evening) -> None:
    season, jan = evening.season, member_of(evening, 1)
    assert season is not None
    season_rule_add(season=season, name="Personen", settings={}, actor=TESTS)
    season_rule_add(season=season, name="Teams", settings={"ranks": "team"}, actor=TESTS)
    evening = closed(evening)
    aside = "Als speler: plaats 1 van 8, met 100 punten."
    assert f"182 punten. {aside} Mijn seizoen" in card_of(evening, jan)
    read = get(Client(), own(evening, jan))
    assert aside in words(read)
    said = html.unescape(DESCRIPTION.findall(read.content.decode())[0])
    assert f"De Boeren. Plaats 1 van 2 met 182 punten. {aside}" in said
    assert message_for(evening, jan).endswith(f"met 182 punten. {aside}")
    assert feed_of(evening, jan)[0][1] == f"ronde 1: 182. {aside}"
    page = words(get(Client(), reverse("player_page", args=[evening.club.slug, jan.pk])))
    assert "Plaats in het seizoen 1" in page
    assert "Andere klassementen Teams, De Boeren: plaats 1" in page


@pytest.mark.full
def test_in_a_season_of_pairs_the_page_has_the_place_of_the_pair(tmp_path: Path) -> None:
    files = Files(ClubFactory.create(), tmp_path)
    lines = []
    for at, (one, two, score) in enumerate([("Ann", "Bob", 2800), ("Cor", "Dik", 2700)], start=1):
        names = {"pair_ns": f"{one} & {two}", "pair_ew": f"E{at} & W{at}"}
        lines += side_table("2026-09-05", 1, at, [one, f"E{at}", two, f"W{at}"], score, names)
    files.evening(text_of(lines), season="2026")
    season = Season.objects.get()
    season_rule_add(season=season, name="Paren", settings={"ranks": "pair"}, actor=TESTS)
    cor, pair = Member.objects.get(name="Cor"), Competitor.objects.get(name="Cor & Dik")
    page = get(Client(), reverse("player_page", args=[files.club.slug, cor.pk]))
    assert "Plaats in het seizoen 2 · Cor & Dik" in words(page)
    assert rows(page)[0][:2] == ["5 sep 2026", "2 van 4 Cor – Dik"]
    why = reverse("season_why", args=[files.club.slug, "2026", pair.pk])
    assert f'href="{why}?standing=1"' in page.content.decode()
    assert Client().get(f"{why}?standing=1").status_code == 200
