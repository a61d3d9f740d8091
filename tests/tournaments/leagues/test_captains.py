"""Captains by link: who plays, incomplete teams, substitutes, and what visitors say of results."""

import datetime as dt
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone

from clubs.models import Member
from clubs.privacy.erasing import member_erase
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, MemberFactory, correct_deal, write_deal
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import division_of, leader_client, league_of, match_of, play
from tests.tournaments.leagues.test_evenings_of_leagues import made, play_round, ready
from tests.tournaments.leagues.test_what_leagues_keep import filled_in
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.leagues.lineups import captain_link_make, captain_path, line_up_write
from tournaments.leagues.matches import results_write
from tournaments.leagues.results import match_day_bind, result_answer
from tournaments.leagues.services import division_add
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import (
    Division,
    Evening,
    LeagueMatch,
    LeaguePlayer,
    LeagueTeam,
    MatchAnswer,
    MatchDay,
    Placement,
    Table,
)
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db


def captain_of(team: LeagueTeam) -> str:
    """The address of a new link for this team's captain."""
    return captain_path(captain_link_make(team=team, actor=TESTS))


def team_of(division: Division, name: str) -> LeagueTeam:
    teams = LeagueTeam.objects.select_related("division__season__league")
    return teams.get(division=division, name=name)


def match_in(division: Division, team: str, number: int) -> LeagueMatch:
    """The match of a team in a round."""
    matches = LeagueMatch.objects.select_related(
        "home__division", "away__division", "day__division__season__league"
    ).filter(day__division=division, round=number)
    return next(match for match in matches if team in (match.home.name, match.away.name))


def name_people(client: Client, url: str, *people: str) -> Any:
    """Fill in the form of a line-up: listed people are chosen, others typed."""
    given = filled_in(client, url)
    form = client.get(url).context["form"]
    for (table, partner), name in zip(form.places, people, strict=True):
        seat, other = f"seat_{table}_{partner}", f"other_{table}_{partner}"
        listed = name in dict(form.fields[seat].choices)
        given[seat], given[other] = (name, "") if listed else ("", name)
    return client.post(url, given)


def seated(evening: Evening, number: int, team: str) -> dict[int, set[str]]:
    """Who of a team (or is named for it) sits at which table of a round."""
    tables: dict[int, set[str]] = {}
    placed = Placement.objects.filter(round__evening=evening, round__number=number)
    for each in placed.exclude(table=None).select_related("table", "member"):
        if each.table and each.member.name.startswith(team):
            tables.setdefault(each.table.number, set()).add(each.member.name)
    return tables


def test_a_link_is_given_renewed_and_ended(client: Client) -> None:
    club, division, _day = ready()
    team = team_of(division, "Boeren")
    LeagueTeam.objects.filter(pk=team.pk).update(club="Boeren", club_uuid=club.uuid)
    league = division.season.league
    desk, url = desk_of(club), f"/clubs/boeren/desk/leagues/teams/{team.pk}/link/"
    page = desk.post(url, {"do": "make"}, follow=True)
    assert messages_in(page) == [
        "De aanvoerder van Boeren heeft een link. Stuur die aan de aanvoerder."
    ]
    first = "/captain/" + dict(page.context["teams"])[team].partition("/captain/")[2]
    said = words(get(client, first))
    assert "Aanvoerder van Boeren" in said
    assert "Stuur de link niet door" in said
    leader = leader_client(league)
    again = leader.post(f"/leagues/{league.slug}/desk/teams/{team.pk}/link/", {"do": "renew"})
    assert again.status_code == 302
    gone = client.get(first)
    assert gone.status_code == 410
    assert "Deze link werkt niet meer" in words(gone)
    page = desk.get("/clubs/boeren/desk/leagues/")
    second = dict(page.context["teams"])[team]
    assert client.get("/captain/" + second.partition("/captain/")[2]).status_code == 200
    desk.post(url, {"do": "withdraw"})
    assert client.get("/captain/" + second.partition("/captain/")[2]).status_code == 410
    assert client.get("/captain/niets/").status_code == 404
    log = words(get(leader, f"/leagues/{league.slug}/desk/trail/"))
    assert "De aanvoerder van Boeren kreeg een andere link" in log
    other = LeagueTeam.objects.get(name="Negens")
    assert desk.post(f"/clubs/boeren/desk/leagues/teams/{other.pk}/link/").status_code == 404


def test_the_seats_follow_what_captains_say(client: Client) -> None:
    desk, day, evening = made()
    division = day.division
    captain = captain_of(team_of(division, "Vrouwen"))
    LeaguePlayer.objects.create(
        team=team_of(division, "Vrouwen"), name="Vrouwen 5", position=5, is_reserve=True
    )
    match = match_in(division, "Vrouwen", 1)
    url = f"{captain}matches/{match.pk}/line-up/"
    answer = name_people(client, url, "Vrouwen 2", "Vrouwen 5", "Vrouwen 1", "Vrouwen 3")
    assert answer.status_code == 302
    one, two = seated(evening, 1, "Vrouwen").values()
    assert {frozenset(one), frozenset(two)} == {
        frozenset({"Vrouwen 2", "Vrouwen 5"}),
        frozenset({"Vrouwen 1", "Vrouwen 3"}),
    }
    assert "Vrouwen 2, Vrouwen 5, Vrouwen 1, Vrouwen 3" in words(get(client, captain))
    play_round(evening, 1)
    own = get(client, captain)
    assert words(own).count("De ronde is begonnen: de opstelling blijft zo.") == 1
    assert url not in own.content.decode()
    assert "Er is al een uitslag" not in words(get(client, url))
    assert "Ronde 1 is begonnen" in words(get(client, url))
    assert client.post(url, {"version": 1}).status_code == 422
    # The next round is as the last one that was named; a substitute comes in the third.
    desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
    assert set().union(*seated(evening, 2, "Vrouwen").values()) == {
        "Vrouwen 1",
        "Vrouwen 2",
        "Vrouwen 3",
        "Vrouwen 5",
    }
    play_round(evening, 2)
    third = f"{captain}matches/{match_in(division, 'Vrouwen', 3).pk}/line-up/"
    name_people(client, third, "Vrouwen 2", "Vrouwen vreemd", "Vrouwen 1", "Vrouwen 3")
    desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
    assert {"Vrouwen 2", "Vrouwen vreemd"} in seated(evening, 3, "Vrouwen").values()
    out = Placement.objects.filter(round__evening=evening, round__number=3, table=None)
    assert [each.member.name for each in out.select_related("member")] == ["Vrouwen 5"]
    play_round(evening, 3)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert LeagueMatch.objects.exclude(scores=[]).count() == 6


def test_an_incomplete_team_starts_with_three_and_the_fourth_joins(client: Client) -> None:
    desk, day, evening = made()
    division = day.division
    captain = captain_of(team_of(division, "Vrouwen"))
    match = match_in(division, "Vrouwen", 1)
    name_people(client, f"{captain}matches/{match.pk}/line-up/", "Vrouwen 1", "Vrouwen 2", "", "")
    page = client.get(f"{captain}matches/{match.pk}/line-up/")
    assert evening.rounds.get().tables.count() == 4
    answer = name_people(
        client, f"{captain}matches/{match.pk}/line-up/", "Vrouwen 1", "Vrouwen 2", "Vrouwen 3", ""
    )
    assert answer.status_code == 302
    assert page.status_code == 200
    assert Table.objects.filter(round__evening=evening).count() == 3
    out = Placement.objects.filter(round__evening=evening, table=None).count()
    assert out == 3
    live = f"/leagues/{division.season.league.slug}/days/{day.pk}/"
    assert "Eén tafel wordt niet gespeeld: een team is niet volledig" in words(get(client, live))
    play_round(evening, 1)
    second = match_in(division, "Vrouwen", 2)
    url = f"{captain}matches/{second.pk}/line-up/"
    name_people(client, url, "Vrouwen 1", "Vrouwen 2", "Vrouwen 3", "Vrouwen 4")
    for number in (2, 3):
        desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
        assert Table.objects.filter(round__evening=evening, round__number=number).count() == 4
        play_round(evening, number)
    evening_close(evening_id=evening.pk, actor=TESTS)
    match.refresh_from_db()
    side = 0 if match.home.name == "Vrouwen" else 1
    other = match.away if side == 0 else match.home
    own = [
        score[0 if one.home_id == other.pk else 1]
        for one in LeagueMatch.objects.filter(day=day)
        if other.pk in (one.home_id, one.away_id)
        for nth, score in enumerate(one.scores)
        if not (one.pk == match.pk and nth == 1)
    ]
    assert len(own) == 5
    assert (match.scores[1][side], match.scores[1][1 - side]) == (0, (2 * sum(own) + 5) // 10)


def test_whoever_perhaps_may_not_play_is_marked_and_the_leader_decides(client: Client) -> None:
    league = league_of()
    division = division_of(league, drawn=True, higher_turns=1)
    season = division.season
    lower = division_add(season=season, name="Klasse 2", actor=TESTS)
    teams_add(division=lower, lines=[TeamLine("De Azen 2", "De Azen")], actor=TESTS)
    LeagueTeam.objects.filter(name="De Azen").update(club="De Azen")
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren")
    second, guest = LeagueTeam.objects.get(name="De Azen 2"), LeagueTeam.objects.get(name="Boeren")
    LeaguePlayer.objects.create(team=second, name="Jan Bos", position=1)
    LeaguePlayer.objects.create(team=guest, name="Mia Smit", position=1)
    for number, name in enumerate(("Ans Kok", "Bep Vos", "Cor Mol"), 1):
        LeaguePlayer.objects.create(team=team_of(division, "De Azen"), name=name, position=number)
    match = match_in(division, "De Azen", 1)
    side = "home" if match.home.name == "De Azen" else "away"
    captain = captain_of(team_of(division, "De Azen"))
    url = f"{captain}matches/{match.pk}/line-up/"
    name_people(client, url, "Ans Kok", "Bep Vos", "Mia Smit", "Jan Bos")
    seats = {seat.name: seat.marks for seat in match.line_ups.get(side=side).seats.all()}
    assert seats == {
        "Ans Kok": [],
        "Bep Vos": [],
        "Mia Smit": ["other_club"],
        "Jan Bos": ["higher_team"],
    }
    assert "Mia Smit: speelt dit seizoen voor een andere club" in words(get(client, url))
    leader = leader_client(league)
    desk = f"/leagues/{league.slug}/desk/"
    said = words(get(leader, f"{desk}seasons/{season.slug}/"))
    assert "mag iedereen spelen in de opstelling van De Azen?" in said
    line_up = match.line_ups.get(side=side)
    decide = f"{desk}line-ups/{line_up.pk}/"
    given = {"verdict": "not_allowed", "reason": "", "version": line_up.version}
    assert leader.post(decide, given).status_code == 422
    page = leader.post(decide, {**given, "reason": "Speelt voor Boeren"}, follow=True)
    assert "De opstelling van De Azen mag niet" in messages_in(page)[0]
    stale = leader.post(decide, {**given, "verdict": "allowed", "reason": "x"}, follow=True)
    assert "Iemand anders heeft dit intussen gewijzigd" in messages_in(stale)[0]
    assert "Reden: Speelt voor Boeren" in words(get(client, url))
    assert "mag iedereen spelen" not in words(get(leader, f"{desk}seasons/{season.slug}/"))
    assert "Ans Kok, Bep Vos, Mia Smit, Jan Bos" in words(get(leader, f"{desk}trail/"))


def test_a_turn_in_a_higher_team_is_used_a_match_day(client: Client) -> None:
    league = league_of()
    teams = tuple(f"Team {number}" for number in range(16))
    division = division_of(league, teams, higher_turns=1)
    lower = division_add(season=division.season, name="Klasse 2", actor=TESTS)
    teams_add(division=lower, lines=[TeamLine("Team 0 B", "Club")], actor=TESTS)
    LeagueTeam.objects.filter(name__in=["Team 0", "Team 0 B"]).update(club="Club")
    LeaguePlayer.objects.create(team=LeagueTeam.objects.get(name="Team 0 B"), name="Jan Bos")
    mine = LeagueMatch.objects.filter(home__name="Team 0") | LeagueMatch.objects.filter(
        away__name="Team 0"
    )
    mine = mine.select_related(
        "home__division", "away__division", "day__division__season__league"
    ).order_by("day__number", "round")
    marks = []
    for match in (mine[0], mine[1], mine[3]):
        side = "home" if match.home.name == "Team 0" else "away"
        people = ["A", "B", "C", "Jan Bos"]
        line_up = line_up_write(match=match, side=side, people=people, version=0, actor=TESTS)
        marks.append(line_up.seats.get(name="Jan Bos").marks)
    assert marks == [["higher_team"], ["higher_team"], ["higher_team", "too_often"]]


def test_everything_wrong_with_a_line_up_is_said_at_once(client: Client) -> None:
    _club, division, _day = ready()
    captain = captain_of(team_of(division, "Vrouwen"))
    url = f"{captain}matches/{match_in(division, 'Vrouwen', 1).pk}/line-up/"
    page = name_people(client, url, "Vrouwen 1", "Vrouwen 1", "", "")
    assert page.status_code == 422
    assert "Noem ten minste 3 spelers; één plaats mag open blijven." in words(page)
    page = name_people(client, url, "Vrouwen 1", "Vrouwen 1", "Vrouwen 2", "")
    assert "Vrouwen 1 staat er meer dan één keer." in words(page)
    given = {**filled_in(client, url), "other_1_1": "Nog iemand"}
    page = client.post(url, given)
    assert "Er zijn er twee ingevuld" in words(page)
    name_people(client, url, "Vrouwen 1", "Vrouwen 2", "Vrouwen 3", "Vrouwen 4")
    page = client.post(url, {**filled_in(client, url), "version": 0})
    assert page.status_code == 422
    assert "Iemand anders heeft dit intussen gewijzigd" in words(page)
    elsewhere = match_in(division, "De Azen", 1)
    others = match_in(division, "Vrouwen", 1)
    if elsewhere.pk == others.pk:
        elsewhere = match_in(division, "Boeren", 1)
    assert client.get(f"{captain}matches/{elsewhere.pk}/line-up/").status_code == 404


@pytest.mark.full
def test_the_host_types_a_line_up_and_says_that_a_team_is_not_there(client: Client) -> None:
    club, division, day = ready()
    desk = desk_of(club)
    team = team_of(division, "Negens")
    match = match_in(division, "Negens", 1)
    url = f"/clubs/boeren/desk/leagues/{day.pk}/line-ups/{match.pk}/{team.pk}/"
    name_people(desk, url, "Negens 4", "Negens 3", "Negens 2", "Negens 1")
    said = words(get(desk, f"/clubs/boeren/desk/leagues/{day.pk}/"))
    assert "Negens 4, Negens 3, Negens 2, Negens 1" in said
    absent = team_of(division, "Vrouwen")
    away = f"/clubs/boeren/desk/leagues/{day.pk}/absent/{absent.pk}/"
    assert desk.post(away, {"reason": ""}).status_code == 422
    desk.post(away, {"reason": "Autopech"})
    assert LeagueMatch.objects.filter(walkover=absent, binding=False).count() == 3
    LeaguePlayer.objects.filter(team=absent).delete()
    page = desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/", follow=True)
    assert messages_in(page)[-1] == "De avond is gemaakt en ronde 1 staat klaar."
    evening = Evening.objects.get()
    assert Table.objects.filter(round__evening=evening).count() == 2
    live = f"/leagues/{division.season.league.slug}/days/{day.pk}/"
    assert words(get(client, live)).count("Vrouwen was er niet.") == 3
    assert desk.get(f"/clubs/boeren/desk/leagues/{day.pk}/forms.pdf").content[:4] == b"%PDF"
    elsewhere = desk_of(ClubFactory.create(name="Elders", slug="elders"))
    path = url.replace("/boeren/", "/elders/")
    assert elsewhere.get(path).status_code == 404


@pytest.mark.full
def test_a_match_day_is_followed_live(client: Client) -> None:
    _desk, day, evening = made()
    live = f"/leagues/{day.division.season.league.slug}/days/{day.pk}/"
    before = client.get(f"{live}live/")
    tag = before.headers["ETag"]
    assert client.get(f"{live}live/", headers={"If-None-Match": tag}).status_code == 304
    play_round(evening, 1)
    after = client.get(f"{live}live/", headers={"If-None-Match": tag})
    assert after.status_code == 200
    said = words(get(client, live))
    assert "2.630 – 2.554" in said
    assert "Tafel 1" in said
    assert "Anoniem" in said
    assert "Negens 1" not in said
    Evening.objects.filter(pk=evening.pk).update(frozen=True)
    assert "2.630" not in words(get(client, live))


def played() -> tuple[MatchDay, Evening, LeagueMatch, str, str]:
    """A played day; a match of visitors of the host with its captain's address and side."""
    desk, day, evening = made()
    for number in (1, 2, 3):
        if number > 1:
            desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
        play_round(evening, number)
    evening_close(evening_id=evening.pk, actor=TESTS)
    match = match_of(day.division, "Boeren", "Negens")
    side = "home" if match.home.name == "Negens" else "away"
    return day, evening, match, captain_of(team_of(day.division, "Negens")), side


def test_visitors_confirm_or_object_and_the_leader_makes_it_binding(client: Client) -> None:
    day, _evening, match, captain, _side = played()
    league = day.division.season.league
    url = f"{captain}matches/{match.pk}/answer/"
    host = captain_of(team_of(day.division, "Boeren"))
    refused = client.post(
        f"{host}matches/{match.pk}/answer/", {"do": "confirm", "version": match.version}
    )
    assert refused.status_code == 422
    assert "De bezoekers kijken de uitslag na" in words(refused)
    assert client.post(url, {"do": "object", "version": match.version}).status_code == 422
    given = {"do": "object", "words": "Tafel 2 was 1.340", "version": match.version}
    assert client.post(url, given).status_code == 302
    assert "U maakt bezwaar: Tafel 2 was 1.340" in words(get(client, captain))
    again = client.post(url, {**given, "do": "confirm"})
    assert again.status_code == 409
    assert "De uitslag is intussen anders" in words(again)
    leader, desk = leader_client(league), f"/leagues/{league.slug}/desk/days/{day.pk}/"
    said = words(get(leader, desk))
    assert "Negens maakt bezwaar: Tafel 2 was 1.340" in said
    page = leader.post(f"{desk}binding/", {f"bind_{match.pk}": match.version}, follow=True)
    assert "Iemand anders heeft dit intussen gewijzigd" in messages_in(page)[0]
    match.refresh_from_db()
    leader.post(f"{desk}binding/", {f"bind_{match.pk}": match.version})
    match.refresh_from_db()
    assert match.binding
    late = client.post(url, {"do": "confirm", "version": match.version})
    assert "De uitslag is al bindend" in words(late)
    log = words(get(leader, f"/leagues/{league.slug}/desk/trail/"))
    assert "Negens maakt bezwaar tegen de uitslag" in log
    assert "aanvoerder van Negens, met link 1" in log


def test_after_the_hours_are_over_the_leader_decides(client: Client) -> None:
    _day, _evening, match, captain, _side = played()
    match.refresh_from_db()
    with time_machine.travel(timezone.now() + dt.timedelta(hours=49)):
        answer = client.post(
            f"{captain}matches/{match.pk}/answer/", {"do": "confirm", "version": match.version}
        )
    assert answer.status_code == 422
    assert "De 48 uur" in words(answer)
    assert not MatchAnswer.objects.exists()


def test_a_correction_after_release_follows_until_it_is_binding() -> None:
    _desk, day, evening = made()
    round_ = evening.rounds.get(number=1)
    round_start(round_id=round_.pk, actor=TESTS)
    for table in Table.objects.filter(round=round_).select_related("sheet"):
        write_deal(table, 1)
    round_close(round_id=round_.pk, actor=TESTS, unfinished_reason="Brand")
    evening_close(evening_id=evening.pk, actor=TESTS)
    match = day.matches.filter(round=1).order_by("pk")[0]
    assert match.scores == [[90, 72], [90, 72]]
    visitors = [
        side for side, team in (("home", match.home), ("away", match.away)) if team != day.host
    ]
    result_answer(
        match=match, side=visitors[0], agrees=True, words="", version=match.version, actor=TESTS
    )
    table = Table.objects.get(round=round_, number=1)
    correct_deal(table, 1, ns=100, reason="Telfout")
    match.refresh_from_db()
    assert match.scores == [[100, 62], [90, 72]]
    assert not match.answers.exists()
    match_day_bind(day=day, versions={match.pk: match.version}, actor=TESTS)
    correct_deal(table, 1, ns=110, reason="Telfout")
    match.refresh_from_db()
    assert match.scores == [[100, 62], [90, 72]]
    league = day.division.season.league
    said = words(get(leader_client(league), f"/leagues/{league.slug}/desk/days/{day.pk}/"))
    assert "De avond zegt iets anders dan de uitslag die bindend is" in said
    assert "110 – 52; 90 – 72" in said


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_a_confirmation_and_a_correction_at_once_the_correction_stays() -> None:
    division = division_of(league_of())
    play(division, "De Azen", "Boeren", (1400, 1200), (1400, 1200))
    LeagueMatch.objects.update(binding=False)
    match = match_of(division, "De Azen", "Boeren")
    MatchDay.objects.update(host=match.home)

    def confirm() -> str:
        answer = result_answer(
            match=match, side="away", agrees=True, words="", version=match.version, actor=TESTS
        )
        return str(answer.side)

    def correct() -> int:
        return results_write(
            day=match.day,
            results={match.pk: [(1500, 1200), (1400, 1200)]},
            versions={match.pk: match.version},
            reason="Telfout",
            actor=TESTS,
        )

    def tried(act: Callable[[], object]) -> str:
        try:
            return str(act())
        except DomainError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(tried, (confirm, correct)))
    match.refresh_from_db()
    assert said[1] == "1"
    assert said[0] in ("away", "changed_meanwhile", "result_binding")
    assert (match.scores[0], MatchAnswer.objects.count()) == ([1500, 1200], 0)


def test_a_substitute_who_is_erased_is_forgotten_in_line_ups() -> None:
    club, division, _day = ready()
    team = team_of(division, "Boeren")
    LeagueTeam.objects.filter(pk=team.pk).update(club="Boeren", club_uuid=club.uuid)
    member = MemberFactory.create(club=club, name="Kees Invaller")
    match = match_in(division, "Boeren", 1)
    side = "home" if match.home.name == "Boeren" else "away"
    people = ["Boeren 1", "Boeren 2", "Boeren 3", "Kees Invaller"]
    line_up = line_up_write(match=match, side=side, people=people, version=0, actor=TESTS)
    assert line_up.seats.get(name="Kees Invaller").member_uuid == member.uuid
    member_erase(member=member, actor=TESTS)
    assert not line_up.seats.filter(name__contains="Kees").exists()
    assert line_up.seats.count() == 4
    assert Member.objects.filter(pk=member.pk, erased_at=None).count() == 0
