"""What a league refuses, and what of its people it keeps to itself."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.accounts.invitations import invitation_join
from clubs.models import Club, User
from clubs.text.errors import DomainError
from tests.clubs.accounts.test_invitations import PASSWORD, invited, path
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of, match_of, play
from tests.tournaments.leagues.test_desk_leagues import division_url
from tests.tournaments.public_pages import get, words
from tournaments.leagues.services import leader_add
from tournaments.models import Division, LeagueMatch, LeaguePlayer, LeagueTeam, MatchDay

pytestmark = pytest.mark.django_db


def filled_in(client: Client, url: str) -> dict[str, Any]:
    """The form of a page as it is filled in to begin with."""
    form = client.get(url).context["form"]
    return {bound.html_name: "" if bound.value() is None else bound.value() for bound in form}


def boeren(*players: str) -> tuple[Client, LeagueTeam, str, str]:
    """A team with these players, saved on its page, its leader, and its two addresses."""
    league = league_of()
    team = division_of(league).teams.get(name="Boeren")
    leader, url = leader_client(league), f"/leagues/{league.slug}/desk/teams/{team.pk}/"
    given = {**filled_in(leader, url), "club": "Boeren", "players": "\n".join(players)}
    assert leader.post(url, given).status_code == 302
    return leader, team, url, f"/leagues/{league.slug}/teams/{team.pk}/"


def test_a_league_does_not_tell_who_is_behind_another_name(client: Client) -> None:
    club = ClubFactory.create(name="Boeren")
    MemberFactory.create(club=club, name="Jan de Vries", public_name="Roemer")
    _leader, _team, _url, public = boeren("Jan de Vries")
    said = words(get(client, public))
    assert "Spelers J. d. V." in said
    assert "Roemer" not in said


@pytest.mark.full
@pytest.mark.parametrize(("now", "text"), [("Boeren", "boeren"), ("Boeren 1950", "Boeren")])
def test_a_team_stays_linked_to_its_club(client: Client, now: str, text: str) -> None:
    club = ClubFactory.create(name="Boeren")
    MemberFactory.create(club=club, name="Mia Smit", public_as="hidden")
    leader, team, url, public = boeren("Mia Smit")
    Club.objects.filter(pk=club.pk).update(name=now)
    assert leader.post(url, {**filled_in(leader, url), "club": text}).status_code == 302
    team.refresh_from_db()
    assert team.club_uuid == club.uuid
    assert "Spelers Anoniem" in words(get(client, public))


def test_whom_their_club_calls_otherwise_since_stays_hidden(client: Client) -> None:
    member = MemberFactory.create(
        club=ClubFactory.create(name="Boeren"), name="Mia Smit", public_as="hidden"
    )
    leader, _team, url, public = boeren("Mia Smit")
    type(member).objects.filter(pk=member.pk).update(name="Mia Bos")
    leader.post(url, filled_in(leader, url))
    assert "Spelers Anoniem" in words(get(client, public))


def test_of_two_namesakes_the_one_who_is_public_least_counts(client: Client) -> None:
    club = ClubFactory.create(name="Boeren")
    for kind in ("name", "hidden", "initials"):
        MemberFactory.create(club=club, name="Mia Smit", public_as=kind)
    *_page, public = boeren("Mia Smit")
    assert "Spelers Anoniem" in words(get(client, public))


@pytest.mark.full
def test_a_player_of_two_teams_is_looked_for_in_the_new_club() -> None:
    leader, team, url, _public = boeren()
    other = team.division.teams.get(name="De Azen")
    LeagueTeam.objects.filter(pk=other.pk).update(club="De Azen")
    LeaguePlayer.objects.create(team=other, name="Jan Bos")
    given = {**filled_in(leader, url), "players": "Jan Bos"}
    page = leader.post(url, {**given, "club": "de azen"})
    assert page.status_code == 422
    assert "Jan Bos speelt al voor De Azen" in words(page)
    assert leader.post(url, given).status_code == 302


def rule_page(division: Division) -> tuple[Client, str]:
    league = division.season.league
    return leader_client(league), reverse("league_rule", args=[league.slug, division.season.slug])


@pytest.mark.full
def test_a_version_may_be_written_as_a_fraction() -> None:
    leader, url = rule_page(division_of(league_of()))
    given = filled_in(leader, url)
    assert leader.post(url, {**given, "version": f"{given['version']}.0"}).status_code == 302


def test_the_number_of_tables_stays_once_there_are_results() -> None:
    division = division_of(league_of())
    leader, url = rule_page(division)
    assert leader.post(url, {**filled_in(leader, url), "tables": "3"}).status_code == 302
    assert leader.post(url, {**filled_in(leader, url), "tables": "2"}).status_code == 302
    division.season.refresh_from_db()
    play(division, "De Azen", "Boeren", (2800, 2600))
    given = filled_in(leader, url)
    page = leader.post(url, {**given, "tables": "1"})
    assert page.status_code == 422
    assert "dus het aantal tafels blijft" in words(page)
    page = leader.post(url, {**given, "points": "tables_and_total"})
    assert page.status_code == 422
    assert "alleen het totaal bekend" in words(page)
    assert leader.post(url, {**given, "points": "victory_points"}).status_code == 302


@pytest.mark.full
def test_only_what_was_there_is_called_corrected(client: Client) -> None:
    division = division_of(league_of())
    play(division, "De Azen", "Boeren", (1400, 1200), (1400, 1200))
    old, new = match_of(division, "De Azen", "Boeren"), match_of(division, "Negens", "Vrouwen")
    league = division.season.league
    leader, url = leader_client(league), f"/leagues/{league.slug}/desk/days/{old.day_id}/"
    given = filled_in(leader, url)
    cells = {f"m{new.pk}_{table}_{side}": "1400" for table in (0, 1) for side in (0, 1)}
    given |= {**cells, f"m{old.pk}_0_0": "1500", "reason": "Telfout"}
    assert "2 uitslagen zijn bewaard." in messages_in(leader.post(url, given, follow=True))
    assert words(get(client, division_url(division))).count("Gecorrigeerd: Telfout") == 1
    said = words(get(leader, f"/leagues/{league.slug}/desk/trail/"))
    assert said.count("de uitslag is gecorrigeerd") == 1


@pytest.mark.full
def test_a_page_that_was_opened_earlier_does_not_put_a_correction_back() -> None:
    division = division_of(league_of())
    play(division, "De Azen", "Boeren", (1400, 1200), (1400, 1200))
    match, other = match_of(division, "De Azen", "Boeren"), match_of(division, "Negens", "Vrouwen")
    league = division.season.league
    leader, url = leader_client(league), f"/leagues/{league.slug}/desk/days/{match.day_id}/"
    earlier = filled_in(leader, url)
    play(division, "De Azen", "Boeren", (1500, 1200), (1400, 1200), why="Telfout")
    cells = {f"m{other.pk}_{table}_{side}": "1400" for table in (0, 1) for side in (0, 1)}
    page = leader.post(url, {**earlier, **cells, "reason": "Nieuw"})
    assert page.status_code == 422
    assert "Iemand anders heeft dit intussen gewijzigd" in words(page)
    match.refresh_from_db()
    assert match.reason == "Telfout"
    assert LeagueMatch.objects.exclude(scores=[]).count() == 1
    assert f'name="m{match.pk}_version"' in leader.get(url).content.decode()


def test_settings_and_a_division_are_changed_once_by_each_page() -> None:
    division = division_of(league_of())
    league = division.season.league
    leader = leader_client(league)
    for url in (
        f"/leagues/{league.slug}/desk/settings/",
        reverse("division_edit", args=[league.slug, division.pk]),
    ):
        given = filled_in(leader, url)
        assert leader.post(url, {**given, "name": "Eerst"}).status_code == 302
        assert leader.post(url, {**given, "name": "Later"}).status_code == 422
        assert filled_in(leader, url)["name"] == "Eerst"


def test_a_first_date_is_told_as_that() -> None:
    division = division_of(league_of())
    league, day = division.season.league, division.days.get()
    leader, url = leader_client(league), f"/leagues/{league.slug}/desk/days/{day.pk}/move/"
    host = division.teams.get(name="Boeren").pk
    for date in ("2026-12-04", "2026-12-11", ""):
        given = {**filled_in(leader, url), "date": date, "host": host, "reason": "Zaal"}
        assert leader.post(url, given).status_code == 302
    said = words(get(leader, f"/leagues/{league.slug}/desk/trail/"))
    assert "None" not in said
    assert "Speeldag 1 van Klasse 1 is op 4 december 2026 (Boeren)" in said
    assert "Speeldag 1 van Klasse 1 heeft geen datum (Boeren)" in said


@pytest.mark.parametrize("days", [1, 4])
def test_the_page_of_a_club_asks_as_much_however_many_days_it_hosts(
    days: int, django_assert_num_queries: Any
) -> None:
    club = ClubFactory.create(name="De Azen", slug="de-azen")
    teams = tuple(f"Team {number}" for number in range(16))
    division = division_of(league_of(), teams)
    LeagueTeam.objects.update(club_uuid=club.uuid)
    MatchDay.objects.update(host=None, date=dt.date(2026, 12, 4))
    chosen = list(division.days.values_list("pk", flat=True)[:days])
    MatchDay.objects.filter(pk__in=chosen).update(host=division.teams.all()[0])
    desk = desk_of(club)
    get(desk, "/clubs/de-azen/desk/leagues/")
    with django_assert_num_queries(12):
        page = get(desk, "/clubs/de-azen/desk/leagues/")
    assert len(page.context["hosted"]) == days


def test_a_leaders_login_is_not_taken_over_by_an_invitation_unless_by_mail() -> None:
    leader_add(league=league_of(), email="wim@example.org", actor=TESTS)
    invitation = invited(ClubFactory.create())
    Client().post(path(invitation), {"name": "Eve", **PASSWORD})
    user = User.objects.get(email="wim@example.org")
    assert (user.has_usable_password(), user.roles.exists()) == (False, False)
    with pytest.raises(DomainError) as refused:
        invitation_join(invitation=invitation, name="Eve", password="klaver-aas-9")
    assert refused.value.code == "login_exists"
    joined = invitation_join(
        invitation=invitation, name="Wim", password="klaver-aas-9", by_mail=True
    )
    assert joined == user
