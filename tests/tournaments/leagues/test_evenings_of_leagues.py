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
from tournaments.models import Division, Evening, LeagueMatch, LeaguePlayer, MatchDay, Table
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
    assert messages_in(page) == ["6 uitslagen zijn overgenomen."]
    assert [match.scores for match in LeagueMatch.objects.order_by("round", "pk")] == [
        [[1310, 1282], [1320, 1272]],
        [[1330, 1262], [1340, 1252]],
    ] * 3
    assert words(get(client, division_url(division))).count("nog niet definitief") == 6
    page = leader.post(f"{take}binding/", follow=True)
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
