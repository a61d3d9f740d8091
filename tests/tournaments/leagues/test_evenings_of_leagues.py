"""A match day as an evening of the host: seated, played, taken over, binding."""

import datetime as dt

import pytest
from django.test import Client

from clubs.models import Club, Member
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, MemberFactory, director_of, regulation_of
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of
from tests.tournaments.leagues.test_desk_leagues import division_url
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_undo
from tournaments.leagues.evenings import match_day_evening_make, match_day_seat
from tournaments.leagues.matches import fixtures_take_back
from tournaments.leagues.people import person_confirm, person_link_make
from tournaments.leagues.ranked_results import person_results
from tournaments.models import (
    Division,
    Evening,
    LeagueMatch,
    LeaguePlayer,
    LeagueTeam,
    LineUp,
    LineUpSeat,
    MatchDay,
    Placement,
    Table,
)
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db


def ready() -> tuple[Club, Division, MatchDay]:
    """A match day at a club, all four teams with four players; one visitor is hidden at home."""
    club = ClubFactory.create(name="Boeren", slug="boeren")
    regulation_of(club)
    away = ClubFactory.create(name="Negens", slug="negens")
    shy = MemberFactory.create(club=away, name="Negens 1", public_as="hidden")
    division = division_of(league_of())
    for team in division.teams.all():
        for number in range(1, 5):
            name = f"{team.name} {number}"
            own = MemberFactory.create(club=club, name=name).uuid if team.name == "Boeren" else None
            LeaguePlayer.objects.create(
                team=team,
                name=name,
                position=number,
                member_uuid=shy.uuid if name == shy.name else own,
            )
    day = division.days.get()
    host = division.teams.get(name="Boeren")
    MatchDay.objects.filter(pk=day.pk).update(host=host, date=dt.date(2026, 12, 4))
    return club, division, day


def play_round(evening: Evening, number: int) -> None:
    """Each table hands in totals: North and South have 1,300 and its number of tens more."""
    round_ = evening.rounds.get(number=number)
    round_start(round_id=round_.pk, actor=TESTS)
    for table in Table.objects.filter(round=round_).select_related("sheet"):
        side_totals_write(
            sheet_id=table.sheet_id,
            totals={
                "NS": HandedIn(total=1300 + 10 * table.number),
                "EW": HandedIn(total=1292 - 10 * table.number),
            },
            actor=TESTS,
        )
    round_close(round_id=round_.pk, actor=TESTS)


def test_a_match_day_is_played_as_an_evening_of_the_host(client: Client) -> None:
    club, division, day = ready()
    desk = desk_of(club)
    url = f"/clubs/boeren/desk/leagues/{day.pk}/"
    assert "Boeren, De Azen, Negens, Vrouwen" in words(get(desk, "/clubs/boeren/desk/leagues/"))
    page = desk.post(url, follow=True)
    assert messages_in(page) == ["De avond is gemaakt en ronde 1 staat klaar."]
    evening = Evening.objects.get()
    assert (evening.club, str(evening.date), evening.rounds_planned) == (club, "2026-12-04", 3)
    assert Member.objects.of(club).filter(kind="guest").count() == 12
    assert Member.objects.get(club=club, name="Negens 1").shown_name == "Anoniem"
    for number in (1, 2, 3):
        if number > 1:
            desk.post(url)
        seated_as_the_fixtures_say(division, evening, number)
        play_round(evening, number)
    again = desk.post(url, follow=True)
    assert messages_in(again)[-1] == "Alle rondes staan al klaar."

    leader = leader_client(division.season.league)
    take = f"/leagues/{division.season.league.slug}/desk/days/{day.pk}/"
    page = leader.post(f"{take}results/", follow=True)
    assert messages_in(page) == ["De avond van deze speeldag is nog niet afgesloten."]
    evening_close(evening_id=evening.pk, actor=TESTS)
    page = leader.post(f"{take}results/", follow=True)
    assert messages_in(page) == ["0 uitslagen zijn overgenomen."]
    assert [match.scores for match in LeagueMatch.objects.order_by("round", "pk")] == [
        [[1310, 1282], [1320, 1272]],
        [[1330, 1262], [1340, 1252]],
    ] * 3
    assert words(get(client, division_url(division))).count("nog niet definitief") == 6
    versions = {f"bind_{match.pk}": match.version for match in LeagueMatch.objects.all()}
    page = leader.post(f"{take}binding/", versions, follow=True)
    assert messages_in(page) == ["6 uitslagen zijn nu bindend."]
    assert "nog niet definitief" not in words(get(client, division_url(division)))
    page = leader.post(f"{take}results/", follow=True)
    assert messages_in(page) == ["0 uitslagen zijn overgenomen."]
    move = leader.get(f"{take}move/").context["form"]
    given = {bound.name: bound.value() or "" for bound in move}
    assert leader.post(f"{take}move/", {**given, "reason": "x"}).status_code == 422


def seated_as_the_fixtures_say(division: Division, evening: Evening, number: int) -> None:
    """At tables 1 and 2 the first match of the round, at 3 and 4 the second; the home team sits
    North and South, in the same pairs all evening."""
    matches = LeagueMatch.objects.filter(day__division=division, round=number).order_by("pk")
    for place, match in enumerate(matches.select_related("home", "away")):
        for table, pair in ((2 * place + 1, (1, 2)), (2 * place + 2, (3, 4))):
            at = Table.objects.get(round__evening=evening, round__number=number, number=table)
            names = dict(at.placements.values_list("seat", "member__name"))
            for team, seats in ((match.home, "NS"), (match.away, "EW")):
                assert {names[seat] for seat in seats} == {f"{team.name} {n}" for n in pair}


@pytest.mark.full
def test_what_an_evening_lacks_is_said(client: Client) -> None:
    club, _division, day = ready()
    desk = desk_of(club)
    LeaguePlayer.objects.filter(team__name__in=["Negens", "Vrouwen"], position=4).delete()
    page = desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    assert messages_in(page) == [
        (
            "Van elk team zijn vier vaste spelers nodig. Van deze teams zijn er minder bekend:"
            " Negens (3), Vrouwen (3)."
        )
    ]
    assert Evening.objects.count() == 0
    director = Client()
    director.force_login(director_of(ClubFactory.create(name="De Azen")))
    assert director.post(f"/clubs/boeren/desk/leagues/{day.pk}/").status_code == 403
    elsewhere = desk_of(Club.objects.get(slug="negens"))
    assert elsewhere.post(f"/clubs/negens/desk/leagues/{day.pk}/").status_code == 404


def made() -> tuple[Client, MatchDay, Evening]:
    """The desk of the host, a match day, and the evening that was made of it."""
    club, _division, day = ready()
    desk = desk_of(club)
    desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    return desk, MatchDay.objects.get(pk=day.pk), Evening.objects.get()


def test_the_evening_stays_with_the_club_that_made_it() -> None:
    _desk, day, evening = made()
    ClubFactory.create(name="Nieuwe Boeren", slug="nieuwe")
    team = LeagueTeam.objects.get(name="Boeren")
    league = day.division.season.league
    url = f"/leagues/{league.slug}/desk/teams/{team.pk}/"
    given = {"name": "Boeren", "players": "", "reserves": "", "version": team.version}
    page = leader_client(league).post(url, {**given, "club": "Nieuwe Boeren"})
    assert page.status_code == 422
    assert "Van een speeldag die Boeren ontvangt is een avond gemaakt" in words(page)
    other = Club.objects.get(slug="nieuwe")
    LeagueTeam.objects.filter(pk=team.pk).update(club_uuid=other.uuid)
    assert desk_of(other).post(f"/clubs/nieuwe/desk/leagues/{day.pk}/").status_code == 404
    assert evening.rounds.count() == 1


@pytest.mark.full
def test_guests_are_public_no_more_than_at_home_and_are_one_player_each() -> None:
    club, _division, day = ready()
    away = Club.objects.get(slug="negens")
    alias = MemberFactory.create(club=away, name="Negens 2", public_name="Roemer")
    LeaguePlayer.objects.filter(name=alias.name).update(member_uuid=alias.uuid)
    LeaguePlayer.objects.filter(name="Vrouwen 3").update(name="Vrouwen 4")
    for name in ("Negens 1", "Negens 2", "Vrouwen 4"):
        MemberFactory.create(club=club, name=name, kind="guest", public_as="name")
    page = desk_of(club).post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    assert messages_in(page) == ["De avond is gemaakt en ronde 1 staat klaar."]
    guests = Member.objects.of(club).filter(kind="guest")
    kinds = dict(guests.values_list("name", "public_as"))
    assert (kinds["Negens 1"], kinds["Negens 2"]) == ("hidden", "initials")
    assert guests.filter(name="Vrouwen 4").count() == 2
    assert guests.count() == 12


def test_round_1_is_seated_again_after_its_draw_was_undone() -> None:
    desk, day, evening = made()
    draw_undo(evening_id=evening.pk, actor=TESTS)
    page = desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    assert messages_in(page) == ["Ronde 1 staat klaar."]
    seated_as_the_fixtures_say(day.division, evening, 1)
    assert Member.objects.filter(club=evening.club, kind="guest").count() == 12


def test_an_empty_seat_in_round_1_is_said() -> None:
    desk, day, evening = made()
    play_round(evening, 1)
    Placement.objects.filter(round__evening=evening, table__number=3, seat="W").delete()
    page = desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    assert "Aan tafel 3 is in ronde 1 een plaats leeg" in messages_in(page)[-1]


@pytest.mark.full
def test_a_day_whose_evening_was_deleted_is_free_again() -> None:
    desk, day, evening = made()
    evening.delete()
    leader = leader_client(day.division.season.league)
    url = f"/leagues/{day.division.season.league.slug}/desk/days/{day.pk}/move/"
    given = {bound.name: bound.value() or "" for bound in leader.get(url).context["form"]}
    assert leader.post(url, {**given, "reason": "Zaal bezet"}).status_code == 302
    page = desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    assert messages_in(page) == ["De avond is gemaakt en ronde 1 staat klaar."]
    Evening.objects.all().delete()
    fixtures_take_back(division=day.division, actor=TESTS)
    assert MatchDay.objects.count() == 0


def test_a_match_at_whose_tables_others_sat_is_not_taken_over() -> None:
    desk, day, evening = made()
    play_round(evening, 1)
    for number in (2, 3):
        desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
        if number == 2:
            swap(evening, number)
        play_round(evening, number)
    evening_close(evening_id=evening.pk, actor=TESTS)
    league = day.division.season.league
    url = f"/leagues/{league.slug}/desk/days/{day.pk}/results/"
    said = messages_in(leader_client(league).post(url, follow=True))
    matches = list(day.matches.filter(round=2).select_related("home", "away").order_by("pk"))
    assert LeagueMatch.objects.exclude(scores=[]).count() == 4
    assert said[0] == "0 uitslagen zijn overgenomen."
    assert [one.partition(": aan deze tafels")[0] for one in said[1:]] == [
        f"Ronde 2, {match}" for match in matches
    ]
    assert [match.scores for match in matches] == [[], []]


def swap(evening: Evening, number: int) -> None:
    """Who were at tables 1 and 3 sat at the other one."""
    tables = Table.objects.filter(round__evening=evening, round__number=number)
    for before, after in ((1, 9), (3, 1), (9, 3)):
        tables.filter(number=before).update(number=after)


def test_a_result_is_of_nobody_where_two_of_a_name_may_have_played() -> None:
    host, division, day = ready()
    shy = Member.objects.get(name="Negens 1")
    link = person_link_make(league=division.season.league, member=shy, actor=TESTS)
    person = str(person_confirm(link=link, actor=TESTS).uuid)
    day.refresh_from_db()
    evening = match_day_evening_make(day=day, club=host, actor=TESTS)
    for number in (1, 2, 3):
        if number > 1:
            match_day_seat(day=day, evening=evening, actor=TESTS)
        play_round(evening, number)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert len(person_results(division.season.league, person)) == 1
    player = LeaguePlayer.objects.get(name="Vrouwen 4")
    LeaguePlayer.objects.filter(pk=player.pk).update(name="Negens 1")
    assert person_results(division.season.league, person) == []
    LeaguePlayer.objects.filter(pk=player.pk).update(name="Vrouwen 4")
    match = LeagueMatch.objects.filter(home__name="Vrouwen")[0]
    line_up = LineUp.objects.create(match=match, side="home")
    seat = LineUpSeat.objects.create(
        line_up=line_up, table=1, partner=1, name="Negens 1", substitute=True
    )
    assert person_results(division.season.league, person) == []
    seat.delete()
    guest = Member.objects.get(club=host, name="Negens 1")
    Member.objects.filter(club=host, name="Vrouwen 1").update(name=guest.name)
    assert person_results(division.season.league, person) == []
