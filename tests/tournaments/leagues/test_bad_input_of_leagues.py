"""What an attacker, a hurried leader or somebody with a forwarded link may try: each is told what
is wrong, nothing is half written, and what others read says only what can be seen."""

import pytest
from django.test import Client

from tests.factories import TESTS
from tests.tournaments.desk import messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of
from tests.tournaments.leagues.test_api_of_captains_and_rankings import (
    anybody,
    captain_of,
    leader_of,
)
from tests.tournaments.leagues.test_captains import match_in, team_of
from tests.tournaments.leagues.test_evenings_of_leagues import ready
from tests.tournaments.leagues.test_events_of_clubs import document_of, elsewhere, played
from tests.tournaments.public_pages import get, words
from tournaments.leagues.teams import team_withdraw
from tournaments.models import LeagueEvent, LeagueTeam, LineUp, MatchDay

pytestmark = pytest.mark.django_db


def test_a_day_beyond_all_calendars_is_refused_in_words() -> None:
    division = division_of(league_of(), drawn=False)
    api = leader_of(division.season.league)
    for first in ("9999-12-31", "0001-01-01"):
        given = {"first": first, "weeks": 2, "seed": 1}
        told = api.post(f"divisions/{division.pk}/days/", given, status=422)
        assert told["code"] == "day_out_of_reach"
    assert not MatchDay.objects.exists()


def withdrawn(team: LeagueTeam) -> None:
    team_withdraw(team=team, reason="Te oud", results_stand=True, version=team.version, actor=TESTS)


@pytest.mark.both
def test_nobody_plays_for_a_team_that_withdrew() -> None:
    _club, division, _day = ready()
    team, match = team_of(division, "Vrouwen"), match_in(division, "Vrouwen", 1)
    captain = captain_of(team)
    page = f"/captain/{captain.base.split('/')[-2]}/"
    withdrawn(team)
    given = {"people": [f"Vrouwen {number}" for number in (1, 2, 3, 4)], "version": "0"}
    told = captain.put(f"matches/{match.pk}/line-up/", given, status=422)
    assert told["code"] == "team_withdrawn"
    assert not LineUp.objects.exists()
    said = words(get(Client(), page))
    assert "Te oud Klopt dat niet? Vraag het aan wie de competitie leidt." in said
    assert "Zeg wie er speelt" not in said
    form = words(get(Client(), f"{page}matches/{match.pk}/line-up/"))
    assert "Vrouwen heeft zich teruggetrokken, dus daar speelt niemand meer voor." in form
    # Against such a team there is nothing to fill in either.
    other = captain_of(team_of(division, "Negens"))
    there = words(get(Client(), f"/captain/{other.base.split('/')[-2]}/"))
    assert there.count("Zeg wie er speelt") == 2


@pytest.mark.both
def test_a_player_for_two_clubs_is_said_to_the_leader_and_to_nobody_else() -> None:
    _club, division, _day = ready()
    league, team = division.season.league, team_of(division, "Vrouwen")
    LeagueTeam.objects.filter(pk=team.pk).update(club="Vrouwen")
    api, desk = leader_of(league), f"/leagues/{league.slug}/desk/teams/{team.pk}/"
    given = {"players": ["Vrouwen 1", "Negens 2"], "version": str(team.version)}
    changed = api.ask("PATCH", f"teams/{team.pk}/", given)
    assert changed["also_for"] == [{"name": "Negens 2", "team": "Negens"}]
    assert anybody(league).get(f"teams/{team.pk}/")["also_for"] == []
    browser = leader_client(league)
    page = browser.get(desk)
    assert "Staat ook op de lijst van een andere club Negens 2: Negens" in words(page)
    form = page.context["form"]
    sent = {name: form.initial.get(name, "") for name in form.fields}
    assert messages_in(browser.post(desk, sent, follow=True)) == [
        "Het team is bewaard.",
        "Negens 2 staat ook op de lijst van Negens, van een andere club.",
    ]


def test_what_everybody_reads_has_no_letters_that_turn_it_around() -> None:
    division = division_of(league_of())
    api, team = leader_of(division.season.league), division.teams.get(name="Boeren")
    given = {"points": "1", "reason": "Te \u202elaat\u200b"}
    made = api.post(f"teams/{team.pk}/penalties/", given, status=201)
    assert made["reason"] == "Te laat"
    day = MatchDay.objects.get()
    moved = {"date": "2026-12-04", "place": "\u202eDorpshuis", "version": str(day.version)}
    assert api.ask("PATCH", f"days/{day.pk}/", moved)["place"] == "Dorpshuis"
    unseen = {"points": "1", "reason": "\u202e"}
    told = api.post(f"teams/{team.pk}/penalties/", unseen, status=422)
    assert told["code"] == "reason_missing"


@pytest.mark.parametrize(
    ("version", "fault"),
    [
        (0, "This event was exported by an older version. Export it anew from a newer one."),
        (3, "This event was exported by a newer version than this server reads."),
        ("1", "version: this is of the wrong kind. version: this cannot be read."),
        (True, "version: this is of the wrong kind. version: this cannot be read."),
        (None, "version: this is of the wrong kind. version: this cannot be read."),
    ],
)
def test_a_document_of_another_version_is_told_which(version: object, fault: str) -> None:
    club, day, evening = played()
    document = document_of(evening)
    elsewhere(club)
    api = leader_of(day.division.season.league)
    told = api.post("events/", {**document, "version": version}, status=422)
    assert (told["code"], told["detail"]) == ("bad_event", fault)
    assert not LeagueEvent.objects.exists()
