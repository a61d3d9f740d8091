"""The public pages of leagues, with their files."""

import datetime as dt
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from clubs.audit.services import Actor
from clubs.models import AuditText
from clubs.privacy.dossier import dossier_of
from clubs.privacy.erasing import member_erase
from clubs.profile.services import role_grant, role_revoke
from scoring.audit.verify import trail_faults
from tests.api.caller import Caller
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.pdfs import page_texts
from tests.tournaments.leagues import FIRST, division_of, league_of, match_of, play
from tests.tournaments.leagues.test_desk_leagues import division_url
from tests.tournaments.public_pages import get, rows, speak_english, words
from tournaments.leagues.matches import fixtures_draw, match_day_move, walkover_write
from tournaments.leagues.queries import shown_days
from tournaments.leagues.season_end import penalty_give
from tournaments.leagues.services import (
    division_add,
    leader_add,
    leader_remove,
    league_season_create,
)
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import (
    Division,
    LeagueMatch,
    LeaguePlayer,
    LeagueSeason,
    LeagueTeam,
    MatchDay,
)

pytestmark = pytest.mark.django_db


def played(division: Division) -> None:
    play(division, "De Azen", "Boeren", (1400, 1300), (1400, 1300))
    play(division, "Negens", "Vrouwen", (1350, 1350), (1350, 1350))


@pytest.mark.full
def test_a_table_with_its_form_and_the_reasons(client: Client) -> None:
    division = division_of(league_of())
    played(division)
    play(division, "De Azen", "Negens", (1300, 1400), (1300, 1400))
    page = get(client, division_url(division))
    assert rows(page) == [
        ["1", "Negens", "3", "2", "1", "1", "0", "5.500", "5.300", "200", "W G"],
        ["2", "De Azen", "2", "2", "1", "0", "1", "5.400", "5.400", "0", "V W"],
        ["3", "Vrouwen", "1", "1", "0", "1", "0", "2.700", "2.700", "0", "G"],
        ["4", "Boeren", "0", "1", "0", "0", "1", "2.600", "2.800", "−200", "V"],
    ]
    assert "1. Negens: 3 wedstrijdpunten uit 2 wedstrijden." in words(page)


@pytest.mark.full
def test_fewer_points_than_none_have_a_minus_and_programs_read_a_number(client: Client) -> None:
    league = league_of()
    division = division_of(league)
    team = LeagueTeam.objects.select_related("division__season").get(name="Boeren")
    penalty_give(team=team, points=Decimal("1.5"), reason="Te laat", actor=TESTS)
    last = rows(get(client, division_url(division)))[-1]
    assert last[1:3] == ["Boeren", "−1,5"]
    read = Caller(None, f"/api/v1/leagues/{league.slug}/").get(f"divisions/{division.pk}/table/")
    assert read["rows"][-1]["points"] == "-1.5"


def test_one_table_one_deal_and_one_hour_are_said_as_one(client: Client) -> None:
    league = league_of()
    division_of(league, tables=1, deals=1, deadline_hours=1, answer_hours=1)
    said = words(get(client, league.get_absolute_url()))
    assert "speelt iedereen daar tegen iedereen, aan 1 tafel per wedstrijd, elk 1 spel." in said
    speak_english(client)
    said = words(get(client, league.get_absolute_url()))
    assert "everybody there plays everybody, at 1 table a match, 1 deal each." in said
    assert "Results are in within 1 hour after the match day." in said
    assert "For 1 hour the visitors can confirm a result or object to it." in said


@pytest.mark.full
def test_what_decided_is_said(client: Client) -> None:
    division = division_of(league_of())
    play(division, "De Azen", "Boeren", (1500, 1300), (1400, 1300))
    play(division, "Negens", "Vrouwen", (1400, 1300), (1400, 1300))
    said = words(get(client, division_url(division)))
    assert (
        "2. Negens: 2 wedstrijdpunten uit 1 wedstrijd, evenveel als De Azen, beslist door het saldo"
        " van punten voor en tegen (200)." in said
    )
    speak_english(client)
    said = words(get(client, division_url(division)))
    assert (
        "2. Negens: 2 match points from 1 match, as many as De Azen, decided by the difference"
        " between points for and against (200)." in said
    )


@pytest.mark.full
def test_lines_for_who_goes_up_and_down(client: Client) -> None:
    league = league_of()
    upper = division_of(league, exchange=1)
    lower = division_add(season=upper.season, name="Klasse 2", actor=TESTS)
    lines = [TeamLine(name) for name in ("Kleurlozen", "Seinen", "Stukken", "Roemers")]
    teams_add(division=lower, lines=lines, actor=TESTS)
    fixtures_draw(division=lower, seed=2, actor=TESTS)
    played(upper)
    play(lower, "Seinen", "Stukken", (1400, 1300), (1400, 1300))
    page = get(client, league.get_absolute_url())
    assert [row[1] for row in rows(page)][-1] == "Boeren ↓ degradeert"
    assert next(row[1] for row in rows(page, table=1)) == "Seinen ↑ promoveert"
    assert next(row[1] for row in rows(page)) == "De Azen"


def test_what_can_still_happen_is_said_once_few_matches_are_left(client: Client) -> None:
    division = division_of(league_of())
    assert "Wat er nog kan gebeuren" in words(get(client, division_url(division)))
    played(division)
    play(division, "De Azen", "Negens", (1300, 1400), (1300, 1400))
    play(division, "Boeren", "Vrouwen", (1300, 1400), (1300, 1400))
    said = words(get(client, division_url(division)))
    assert "Er zijn nog 2 wedstrijden te spelen." in said
    # Negens and Vrouwen have 3, De Azen 2 and Boeren 0; De Azen meet Vrouwen, Boeren Negens.
    assert (
        "Wint Negens, dan plaats 1 tot en met 2; verliest het, dan plaats 2 tot en met 3." in said
    )
    assert "Wint Boeren, dan plaats 3 tot en met 4; verliest het, dan plaats 4." in said
    play(division, "De Azen", "Vrouwen", (1300, 1400), (1300, 1400))
    assert "Vrouwen speelt niet meer, en eindigt op plaats 1 tot en met 2." in words(
        get(client, division_url(division))
    )
    play(division, "Boeren", "Negens", (1300, 1400), (1300, 1400))
    assert "Wat er nog kan gebeuren" not in words(get(client, division_url(division)))


def test_nothing_is_said_of_a_round_that_is_partly_entered_where_the_group_decides(
    client: Client,
) -> None:
    division = division_of(league_of(), points="rank_of_group")
    assert "Wat er nog kan gebeuren" in words(get(client, division_url(division)))
    play(division, "De Azen", "Negens", (1300, 1400), (1300, 1400))
    assert "Wat er nog kan gebeuren" not in words(get(client, division_url(division)))


@pytest.mark.full
def test_a_match_of_two_teams_that_withdrew_is_waited_for_no_more(client: Client) -> None:
    division = division_of(league_of())
    now = dt.date(2026, 11, 1)
    gone = division.teams.filter(name__in=("Negens", "Vrouwen"))
    gone.update(withdrawn_on=now, withdrawn_why="Te weinig mensen")
    assert "van de 5 wedstrijden" in words(get(client, division_url(division)))
    play(division, "De Azen", "Boeren", (1300, 1400), (1300, 1400))
    assert "Wat er nog kan gebeuren" not in words(get(client, division_url(division)))
    (shown,) = shown_days(division.days.all())
    assert shown.is_over


@pytest.mark.full
def test_the_table_on_paper(client: Client) -> None:
    division = division_of(league_of())
    played(division)
    page = get(client, f"{division_url(division)}table.pdf")
    (text,) = page_texts(page.content)
    assert "Klasse 1" in text
    assert "2 van de 6 wedstrijden gespeeld" in text
    assert text.index("De Azen") < text.index("Negens") < text.index("Boeren")


def test_the_calendar_has_days_that_move_under_one_name(client: Client) -> None:
    league = league_of()
    division = division_of(league)
    assert events(client, f"{league.get_absolute_url()}calendar.ics") == []
    day = division.days.get()
    day.update_if(1, date=dt.date(2026, 12, 4), starts_at=dt.time(20))
    (first,) = events(client, f"{league.get_absolute_url()}calendar.ics")
    day.update_if(2, date=dt.date(2026, 12, 11), moved_why="Zaal bezet")
    team = division.teams.get(name="Boeren")
    url = f"{league.get_absolute_url()}teams/{team.pk}/calendar.ics"
    (moved,) = events(client, url)
    assert (moved["UID"], moved["SEQUENCE"]) == (first["UID"], first["SEQUENCE"] + 1)
    assert moved.start.date() == dt.date(2026, 12, 11)
    assert moved["DESCRIPTION"] == "Verplaatst: Zaal bezet"


@pytest.mark.both
def test_the_feed_tells_of_results_days_that_moved_and_lists(client: Client) -> None:
    league = league_of()
    division = division_of(league)
    feed = f"{league.get_absolute_url()}feed/"
    assert entries_in(client, feed) == []
    play(division, "De Azen", "Boeren", (1400, 1300), (1400, 1300))
    day = MatchDay.objects.select_related("division__season").get()
    for number in (4, 11):
        moved(day, dt.date(2026, 12, number))
    absent = match_of(division, "Negens", "Vrouwen")
    team = absent.home if absent.home.name == "Vrouwen" else absent.away
    walkover_write(match=absent, team=team, reason="Autopech", version=absent.version, actor=TESTS)
    page = get(client, league.get_absolute_url()).content.decode()
    assert f'type="application/atom+xml" title="{league}" href="{feed}">' in page
    there = f"/leagues/{league.slug}/days/{day.pk}/"
    played_match = match_of(division, "De Azen", "Boeren")
    totals = "2.800 – 2.600" if played_match.home.name == "De Azen" else "2.600 – 2.800"
    results, later = entries_in(client, feed)
    assert (results[0], results[2]) == ("Klasse 1, speeldag 1: uitslagen", there)
    assert sorted(results[1].split("; ")) == sorted(
        [f"{played_match}: {totals}", f"{absent}: Vrouwen was er niet"]
    )
    assert later == ("Klasse 1, speeldag 1: nu op 11 december 2026", "Dorpshuis", there)
    answer = get(client, feed)
    again = client.get(feed, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, answer["Content-Type"]) == (
        304,
        "application/atom+xml; charset=utf-8",
    )


@pytest.mark.full
def test_the_feed_tells_of_each_day_that_moved_once(client: Client) -> None:
    league = league_of()
    days = division_of(league, meeting="two").days
    days.update(date=dt.date(2026, 11, 6))
    moved(days.filter(number=1)[0], dt.date(2026, 12, 4))
    again = days.filter(number=2)[0]
    for number in range(1, 11):
        moved(again, dt.date(2027, 1, number))
    feed = entries_in(client, f"{league.get_absolute_url()}feed/")
    assert [title for title, _text, _path in feed] == [
        "Klasse 1, speeldag 2: nu op 10 januari 2027",
        "Klasse 1, speeldag 1: nu op 4 december 2026",
    ]


def moved(day: MatchDay, date: dt.date) -> None:
    day.refresh_from_db()
    match_day_move(
        day=day,
        date=date,
        starts_at=None,
        host=None,
        place="Dorpshuis",
        reason="Zaal bezet",
        version=day.version,
        actor=TESTS,
    )


def test_no_address_in_a_file_is_what_a_request_says(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.PUBLIC_URL = "https://klaver.example"
    league = league_of()
    division_of(league).days.get().update_if(1, date=dt.date(2026, 12, 4))
    for path in ("feed/", "calendar.ics"):
        url = f"{league.get_absolute_url()}{path}"
        said = client.get(url, headers={"host": "evil.example"}).content.decode()
        assert ("evil" in said, "https://klaver.example" in said) == (False, True)


def entries_in(client: Client, url: str) -> list[tuple[str, str, str]]:
    """Title, text and path of each, newest first."""
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.fromstring(get(client, url).content)
    return [
        (
            entry.findtext(f"{atom}title", ""),
            entry.findtext(f"{atom}summary", ""),
            urlsplit(entry.find(f"{atom}link").get("href", "")).path,  # type: ignore[union-attr]
        )
        for entry in feed.iter(f"{atom}entry")
    ]


def events(client: Client, url: str) -> list:  # type: ignore[type-arg]
    return list(Calendar.from_ical(get(client, url).content).events)


def test_a_hidden_member_stays_hidden_when_the_club_is_gone(client: Client) -> None:
    league = league_of()
    team = division_of(league).teams.get(name="Boeren")
    member = MemberFactory.create(name="Mia Smit")
    LeaguePlayer.objects.create(team=team, name="Mia Smit", member_uuid=member.uuid)
    url = f"/leagues/{league.slug}/teams/{team.pk}/"
    assert "Mia Smit" in words(get(client, url))
    member.delete()
    assert "Mia Smit" not in words(get(client, url))


def test_the_front_page_leads_to_all_leagues(client: Client) -> None:
    league_of("Competitie Zuid")
    league_of("Competitie Noord")
    assert 'href="/leagues/"' in get(client, "/").content.decode()
    said = words(get(client, "/leagues/"))
    assert said.index("Competitie Noord") < said.index("Competitie Zuid")


@pytest.mark.full
@pytest.mark.parametrize("teams", [4, 16])
def test_pages_ask_as_much_however_many_teams_there_are(
    client: Client, teams: int, django_assert_num_queries: object
) -> None:
    names = FIRST if teams == 4 else tuple(f"Team {number}" for number in range(teams))
    division = division_of(league_of(), names)
    LeagueMatch.objects.update(scores=[[1400, 1300], [1400, 1300]], binding=True)
    division_page, league_page = division_url(division), division.season.league.get_absolute_url()
    with django_assert_num_queries(11):  # type: ignore[operator]
        get(client, division_page)
    with django_assert_num_queries(6):  # type: ignore[operator]
        get(client, league_page)
    LeagueMatch.objects.update(written_at=timezone.now())
    MatchDay.objects.update(date=dt.date(2026, 12, 4))
    with django_assert_num_queries(8):  # type: ignore[operator]
        get(client, f"{league_page}feed/")
    assert MatchDay.objects.filter(division=division).count() == (1 if teams == 4 else 20)
    assert LeagueSeason.objects.count() == 1


def test_who_is_erased_leaves_the_teams_and_is_in_the_dossier_until_then() -> None:
    club = ClubFactory.create(name="Boeren")
    member = MemberFactory.create(club=club, name="Mia Smit")
    team = division_of(league_of()).teams.get(name="Boeren")
    for position, uuid in enumerate((member.uuid, None), 1):
        LeaguePlayer.objects.create(team=team, name="Mia Smit", position=position, member_uuid=uuid)
    LeaguePlayer.objects.create(team=team, name="Jan Bos", position=3)
    sections = {section.key: section.rows for section in dossier_of(member)}
    assert sections["leagues"] == [("Competitie Noord, 2026-2027", "Boeren", "Mia Smit")]
    member_erase(member=member, actor=TESTS)
    assert [player.name for player in team.players.all()] == ["Jan Bos"]


def test_a_leader_is_erased_from_the_trail_of_the_league_and_it_verifies() -> None:
    club = ClubFactory.create()
    member = MemberFactory.create(club=club, name="Mia Smit", email="mia@example.org")
    role = role_grant(
        club=club, email="mia@example.org", kind="director", name="Mia Smit", actor=TESTS
    )
    league = league_of()
    leader = leader_add(league=league, email="mia@example.org", actor=TESTS)
    actor = Actor.of_user(leader.user)
    league_season_create(league=league, name="2027", actor=actor)
    leader_remove(leader=leader, actor=actor)
    role_revoke(role=role, actor=TESTS)
    texts = AuditText.objects.filter(event__chain=league.chain_name)
    assert texts.filter(text__in=["Mia Smit", "mia@example.org"]).count() == 4
    member_erase(member=member, actor=TESTS)
    assert texts.filter(text__in=["Mia Smit", "mia@example.org"]).count() == 0
    assert list(trail_faults()) == []
