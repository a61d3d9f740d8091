"""What leagues do when a person is erased, and when a club is moved, put back or backed up."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest
from django.test import Client

from clubs.archives.container import archive_open
from clubs.archives.whole import working_on
from clubs.audit.services import chain_faults
from clubs.models import AuditEvent, AuditText, Club, Member
from clubs.privacy.erasing import member_erase
from scoring.audit.verify import faults, trail_faults
from tests.factories import TESTS, ClubFactory, MemberFactory
from tests.other_databases import empty_database, migrated
from tests.tournaments.leagues import division_of, league_of, match_of, play
from tests.tournaments.leagues.test_desk_leagues import division_url, table_of
from tests.tournaments.leagues.test_events_of_clubs import document_of, played
from tests.tournaments.public_pages import get, words
from tests.tournaments.transfer.whole_clubs import exported, said
from tournaments.leagues.exchange import event_import
from tournaments.leagues.matches import match_day_move, walkover_write
from tournaments.leagues.season_end import penalty_give
from tournaments.leagues.teams import team_withdraw
from tournaments.models import (
    Division,
    EventSource,
    League,
    LeagueEvent,
    LeagueMatch,
    LeaguePenalty,
    LeagueTeam,
    MatchDay,
)
from tournaments.transfer.out import KIND
from tournaments.transfer.replacing import club_replace

pytestmark = pytest.mark.django_db


def named_everywhere() -> tuple[Division, Club]:
    """A league whose reasons and team names name Mia Smit of club Boeren."""
    club = ClubFactory.create(name="Boeren", slug="boeren")
    division = division_of(league_of(), ("Team Smit", "De Azen", "Negens", "Vrouwen"))
    team = division.teams.get(name="Team Smit")
    LeagueTeam.objects.filter(pk=team.pk).update(club="Boeren", club_uuid=club.uuid)
    day = MatchDay.objects.select_related("division__season").get()
    for number, place in enumerate(("Zaal", "Thuis bij Mia Smit"), 1):
        match_day_move(
            day=day,
            date=dt.date(2026, 12, number),
            starts_at=None,
            host=team,
            place=place,
            reason="Mia is ziek",
            version=day.version,
            actor=TESTS,
        )
        day = MatchDay.objects.select_related("division__season").get()
    penalty_give(team=team, points=Decimal(1), reason="Smit was te laat", actor=TESTS)
    absent = match_of(division, "Team Smit", "De Azen")
    walkover_write(
        match=absent, team=team, reason="Mia Smit belde af", version=absent.version, actor=TESTS
    )
    play(division, "Negens", "Vrouwen", (1500, 1200), (1500, 1200))
    play(division, "Negens", "Vrouwen", (1500, 1300), (1500, 1200), why="Gezien door mia smit")
    team = LeagueTeam.objects.select_related("division__season").get(pk=team.pk)
    team_withdraw(
        team=team, reason="Mia stopt", results_stand=True, version=team.version, actor=TESTS
    )
    return division, club


def test_who_is_erased_goes_from_reasons_names_and_the_trail_of_leagues(client: Client) -> None:
    division, club = named_everywhere()
    mia = MemberFactory.create(club=club, name="Mia Smit")
    team = division.teams.get(name="Team Smit")
    team.players.create(name="Mia Smit", member_uuid=mia.uuid, position=1)
    before = words(get(client, division_url(division)))
    assert "Smit" in before
    member_erase(member=mia, actor=TESTS)
    for url in (division_url(division), f"/leagues/{division.season.league.slug}/"):
        said_now = words(get(client, url))
        assert "smit" not in said_now.lower()
        assert "Mia" not in said_now
    team.refresh_from_db()
    assert (team.name, team.withdrawn_why, team.players.count()) == ("Team 1", "gewist", 0)
    assert LeaguePenalty.objects.get().reason == "gewist"
    day = MatchDay.objects.get()
    assert (day.place, day.moved_why) == ("", "")
    assert set(LeagueMatch.objects.values_list("reason", flat=True)) == {"", "gewist"}
    league = League.objects.get()
    assert not AuditText.objects.filter(
        event__chain=league.chain_name, text__iregex="mia|smit"
    ).exists()
    told = AuditEvent.objects.filter(chain=league.chain_name).order_by("-number")[0]
    assert told.action == "texts_erased"
    assert chain_faults(league) == ()
    assert list(trail_faults()) == []


@pytest.mark.full
def test_what_names_others_stays(client: Client) -> None:
    division, club = named_everywhere()
    other = MemberFactory.create(club=club, name="Jan Bos")
    before = words(get(client, division_url(division)))
    member_erase(member=other, actor=TESTS)
    assert words(get(client, division_url(division))) == before
    assert (
        not AuditEvent.objects.filter(chain=League.objects.get().chain_name)
        .filter(action="texts_erased")
        .exists()
    )


def test_who_is_erased_goes_from_the_events_that_came() -> None:
    club, _day, evening = played()
    league = League.objects.get()
    document = document_of(evening)
    event_import(league=league, document=document, actor=TESTS)
    mia = Member.objects.get(club=club, name="Boeren 1")
    event = LeagueEvent.objects.get()
    event.document["participants"][0]["team"] = "Ploeg van Boeren 1"
    event.save()
    EventSource.objects.update(fault="2026-12-04: Boeren 1 speelt hier voor Boeren.")
    count = json.dumps(event.document).count(str(mia.uuid))
    assert count == 4  # a participant, and at a table of three rounds
    member_erase(member=mia, actor=TESTS)
    kept = LeagueEvent.objects.get().document
    assert str(mia.uuid) not in json.dumps(kept)
    ids = [person["id"] for person in kept["participants"]]
    known = {person["id"] for person in document["participants"]}
    (fresh,) = set(ids) - known
    assert (len(ids), json.dumps(kept).count(fresh)) == (16, count)
    assert kept["participants"][0]["team"] is None
    assert EventSource.objects.get().fault == ""


@pytest.mark.both
@pytest.mark.full
def test_a_league_is_in_a_backup_and_verifies_there(tmp_path: Path, client: Client) -> None:
    division, club = named_everywhere()
    member_erase(member=MemberFactory.create(club=club, name="Mia Smit"), actor=TESTS)
    before = table_of(client, division)
    said("backup", tmp_path / "copy")
    with empty_database(tmp_path) as elsewhere, working_on(elsewhere):
        said("restore", tmp_path / "copy")
        assert list(faults()) == []
        assert table_of(client, Division.objects.select_related("season__league").get()) == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
@pytest.mark.full
def test_a_league_goes_on_without_a_club_that_moved_and_knows_it_when_it_is_put_back(
    tmp_path: Path, client: Client
) -> None:
    division, club = named_everywhere()
    earlier = exported(club, tmp_path / "boeren.zip")
    member_erase(member=MemberFactory.create(club=club, name="Mia Smit"), actor=TESTS)
    before = table_of(client, division)
    # An earlier copy knows nothing of the erasing: the league's own trail tells of it.
    with archive_open(earlier, kind=KIND, is_foreign=True) as archive:
        club_replace(archive=archive, club=club, actor=TESTS)
    assert table_of(client, division) == before
    league = League.objects.get()
    assert chain_faults(league) == ()
    assert [fault for fault in trail_faults() if "league" in fault] == []
    team = LeagueTeam.objects.get(club="Boeren")
    assert team.club_uuid == Club.objects.get(slug="boeren").uuid
    assert "Boeren" in words(get(client, f"/leagues/{league.slug}/teams/{team.pk}/"))
    with empty_database(tmp_path) as elsewhere, migrated(elsewhere):
        said("import_club", earlier)
        assert League.objects.count() == LeagueTeam.objects.count() == 0
        assert list(faults()) == []
