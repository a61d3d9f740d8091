"""Who the players of a match day are at its host: by their league number first, then by name, and
never somebody else of that name."""

from typing import Any

import pytest
from django.db.models import Q

from clubs.models import Club, Member
from tests.factories import TESTS, MemberFactory
from tests.tournaments.desk import messages_in
from tests.tournaments.leagues.test_captains import match_in, team_of
from tests.tournaments.leagues.test_evenings_of_leagues import play_round, ready
from tests.tournaments.leagues.test_events_of_clubs import document_of, played, the_league, upload
from tests.tournaments.leagues.test_numbers_over_servers import move_away
from tests.tournaments.leagues.test_rankings import known
from tournaments.leagues.evenings import match_day_evening_make, match_day_seat
from tournaments.leagues.event_documents import sign
from tournaments.leagues.lineup_queries import side_of_team
from tournaments.leagues.lineups import line_up_write
from tournaments.leagues.people import person_code, person_confirm, person_link_make
from tournaments.leagues.ranked_results import person_results
from tournaments.models import (
    Evening,
    League,
    LeagueEvent,
    LeagueMatch,
    LeaguePlayer,
    Placement,
)

pytestmark = pytest.mark.django_db
Json = dict[str, Any]
NAMESAKES = (
    "Speeldag 1: 2 mensen daar hebben een naam die ook iemand anders kan zijn, dus die is niet"
    " gebruikt. Aan de naam van hun team is te zien wie het zijn, of aan hun competitienummer."
)


def guest_known_as(league: League, club: Club, name: str, player: Member) -> Member:
    """A guest of the club under this name, with the number of that player."""
    person = known(league, player)
    guest = MemberFactory.create(club=club, name=name, kind="guest")
    link = person_link_make(league=league, member=guest, actor=TESTS)
    person_confirm(link=link, number=person.number, code=person_code(person), actor=TESTS)
    return guest


@pytest.mark.both
def test_a_guest_is_found_by_their_number_before_their_name() -> None:
    club, division, day = ready()
    league, player = division.season.league, Member.objects.get(name="Negens 1")
    own = guest_known_as(league, club, "N. Eén", player)
    other = MemberFactory.create(club=club, name=player.name, kind="guest")
    day.refresh_from_db()
    evening = match_day_evening_make(day=day, club=club, actor=TESTS)
    seated = set(Placement.objects.filter(round__evening=evening).values_list("member", flat=True))
    assert (own.pk in seated, other.pk in seated, len(seated)) == (True, False, 16)
    own.refresh_from_db()
    assert own.public_as == "hidden"


@pytest.mark.both
def test_who_has_another_number_is_somebody_else() -> None:
    club, division, day = ready()
    league, player = division.season.league, Member.objects.get(name="Negens 1")
    person = known(league, player)
    namesake = MemberFactory.create(club=club, name=player.name, kind="guest")
    other = known(league, namesake)
    day.refresh_from_db()
    evening = match_day_evening_make(day=day, club=club, actor=TESTS)
    placed = Placement.objects.filter(round__evening=evening, member__name=player.name)
    (seat,) = placed.select_related("member")
    assert seat.member != namesake
    assert person.number != other.number


@pytest.mark.both
@pytest.mark.parametrize("name", ["Vrouwen", "Negens"])
def test_guests_of_one_name_stay_with_their_teams(name: str) -> None:
    """The captain of one of two teams names somebody who is called as a player of the other."""
    club, division, day = ready()
    LeaguePlayer.objects.filter(name__in=["Vrouwen 4", "Negens 4"]).update(name="Jan Bakker")
    day.refresh_from_db()
    evening = match_day_evening_make(day=day, club=club, actor=TESTS)
    play_round(evening, 1)
    team, match = team_of(division, name), match_in(division, name, 2)
    people = [f"{name} 3", f"{name} 1", f"{name} 2", "Jan Bakker"]
    side = side_of_team(match, team.pk)
    day.refresh_from_db()
    line_up_write(match=match, side=side, people=people, version=0, actor=TESTS)
    match_day_seat(day=day, evening=evening, actor=TESTS)
    assert who_sat(evening, 1, "Vrouwen") == who_sat(evening, 2, "Vrouwen")
    assert who_sat(evening, 1, "Negens") == who_sat(evening, 2, "Negens")
    assert Member.objects.filter(club=club, name="Jan Bakker").count() == 2


def who_sat(evening: Evening, number: int, team: str) -> set[int]:
    """The people who sat for a team in a round."""
    matches = LeagueMatch.objects.filter(day__evening_uuid=evening.uuid, round=number)
    match = matches.get(Q(home__name=team) | Q(away__name=team))
    seats = "NS" if match.home.name == team else "EW"
    placed = Placement.objects.filter(round__evening=evening, round__number=number)
    there = placed.filter(table__number__in=match.tables)
    return {each.member_id for each in there if each.seat in seats}


def from_elsewhere() -> Json:
    """The document of a match day whose host is on another server, and lists nobody by team."""
    club, _day, evening = played()
    document = document_of(evening)
    move_away(club)
    LeaguePlayer.objects.filter(team__name="Boeren").update(member_uuid=None)
    return document


def signed(document: Json) -> Json:
    """With a signature that fits."""
    content = {name: value for name, value in document.items() if name != "signature"}
    club = Club(uuid=document["club"]["id"])
    return sign(club, content)


def called(document: Json, before: str, name: str) -> Json:
    """Who was called so is called otherwise now."""
    named: list[Json] = [each for each in document["participants"] if each["name"] == before]
    named[0]["name"] = name
    return named[0]


@pytest.mark.both
def test_in_a_document_a_number_tells_who_plays() -> None:
    """Two of one name play for two teams, and their partners are on no list."""
    document = from_elsewhere()
    league, away = the_league(), Club.objects.get(slug="negens")
    LeaguePlayer.objects.filter(name__in=["Negens 3", "Vrouwen 3"]).delete()
    LeaguePlayer.objects.filter(name__in=["Negens 4", "Vrouwen 4"]).update(name="Jan Bakker")
    own = MemberFactory.create(club=away, name="Jan Bakker")
    LeaguePlayer.objects.filter(name=own.name, team__name="Negens").update(member_uuid=own.uuid)
    person = known(league, own)
    numbered = called(document, "Negens 4", "Jan Bakker")
    called(document, "Vrouwen 4", "Jan Bakker")
    page = upload(signed(document))
    assert NAMESAKES in messages_in(page)
    assert LeagueMatch.objects.exclude(scores=[]).count() == 1
    LeagueEvent.objects.all().delete()
    LeagueMatch.objects.update(scores=[])
    numbered["number"], numbered["code"] = str(person.number), person_code(person)
    page = upload(signed(document))
    assert NAMESAKES not in messages_in(page)
    assert LeagueMatch.objects.exclude(scores=[]).count() == 6
    ((counted, _discipline),) = person_results(league, str(person.uuid))
    assert counted.rounds == 3
