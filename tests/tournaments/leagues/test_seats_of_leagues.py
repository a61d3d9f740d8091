"""What the seats and results of a match day follow: absent teams, draws by hand, late corrections,
other line-ups."""

import pytest
from django.test import Client

from clubs.models import Member
from clubs.text.errors import DomainError, VersionConflict
from tests.factories import TESTS, ClubFactory, MemberFactory, correct_deal, write_deal
from tests.tournaments.desk import desk_of
from tests.tournaments.leagues.test_captains import (
    captain_of,
    match_in,
    name_people,
    played,
    seated,
    team_of,
)
from tests.tournaments.leagues.test_evenings_of_leagues import made, play_round, ready
from tournaments.closing.services import evening_close
from tournaments.leagues.evenings import match_day_evening_make, tables_of
from tournaments.leagues.lineup_queries import side_of_team
from tournaments.leagues.lineups import line_up_write
from tournaments.leagues.matches import result_take_away
from tournaments.leagues.results import live_matches, matches_on_paper, result_answer
from tournaments.models import LeagueMatch, LeagueTeam, MatchDay, Table
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db


def test_a_line_up_for_a_day_that_became_an_evening_meanwhile_is_refused() -> None:
    club, division, day = ready()
    match = match_in(division, "Vrouwen", 1)
    day = MatchDay.objects.select_related("division__season__league").get(pk=day.pk)
    match_day_evening_make(day=day, club=club, actor=TESTS)
    side = side_of_team(match, team_of(division, "Vrouwen").pk)
    people = [f"Vrouwen {number}" for number in (4, 3, 2, 1)]
    with pytest.raises(VersionConflict) as refused:
        line_up_write(match=match, side=side, people=people, version=0, actor=TESTS)
    assert refused.value.code == "changed_meanwhile"


def test_seats_follow_a_team_that_did_not_appear_and_its_matches_stay_lost() -> None:
    desk, day, evening = made()
    absent = team_of(day.division, "Vrouwen")
    url = f"/clubs/boeren/desk/leagues/{day.pk}/absent/{absent.pk}/"
    desk.post(url, {"reason": "Autopech"})
    assert seated(evening, 1, "Vrouwen") == {}
    assert Table.objects.filter(round__evening=evening).count() == 2
    play_round(evening, 1)
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert LeagueMatch.objects.filter(walkover=absent).count() == 3


def test_only_a_team_that_plays_on_the_day_can_be_absent() -> None:
    club, division, day = ready()
    other = LeagueTeam.objects.create(division=division, name="Elders")
    url = f"/clubs/boeren/desk/leagues/{day.pk}/absent/{other.pk}/"
    assert desk_of(club).get(url).status_code == 404


def test_a_walkover_stays_where_sheets_were_not_played() -> None:
    _desk, day, evening = made()
    match = day.matches.filter(round=1).order_by("pk")[0]
    LeagueMatch.objects.filter(pk=match.pk).update(walkover=match.away)
    round_ = evening.rounds.get(number=1)
    round_start(round_id=round_.pk, actor=TESTS)
    round_close(round_id=round_.pk, actor=TESTS, unfinished_reason="Brand")
    evening_close(evening_id=evening.pk, actor=TESTS)
    match.refresh_from_db()
    assert (match.walkover_id, match.scores) == (match.away_id, [])


def test_a_result_that_was_taken_away_stays_away_after_a_correction() -> None:
    _desk, day, evening = made()
    round_ = evening.rounds.get(number=1)
    round_start(round_id=round_.pk, actor=TESTS)
    for table in Table.objects.filter(round=round_).select_related("sheet"):
        write_deal(table, 1)
    round_close(round_id=round_.pk, actor=TESTS, unfinished_reason="Brand")
    evening_close(evening_id=evening.pk, actor=TESTS)
    gone, stays = day.matches.filter(round=1).order_by("pk")
    result_take_away(match=gone, reason="Overspelen", version=gone.version, actor=TESTS)
    correct_deal(Table.objects.get(round=round_, number=1), 1, ns=100, reason="Telfout")
    correct_deal(Table.objects.get(round=round_, number=3), 1, ns=100, reason="Telfout")
    gone.refresh_from_db()
    stays.refresh_from_db()
    assert (gone.scores, stays.scores) == ([], [[100, 62], [90, 72]])


def test_after_a_draw_by_hand_of_more_tables_matches_are_at_the_usual_ones() -> None:
    one, two = LeagueMatch(pk=1, round=1, tables=[1, None]), LeagueMatch(pk=2, round=1)
    two.tables = [2, 3]
    as_seated = tables_of([one, two], [(1, 1), (1, 2), (1, 3)])
    anew = tables_of([one, two], [(1, 1), (1, 2), (1, 3), (1, 4)])
    assert as_seated == {1: [1, None], 2: [2, 3]}
    assert anew == {1: [1, 2], 2: [3, 4]}


def test_a_hidden_player_who_is_typed_as_a_substitute_stays_hidden() -> None:
    _club, division, _day = ready()
    away = ClubFactory.create(name="Vrouwen", slug="vrouwen")
    team = team_of(division, "Vrouwen")
    shy = MemberFactory.create(club=away, name="Anna de Vries", public_as="hidden")
    team.players.filter(name="Vrouwen 4").update(member_uuid=shy.uuid)
    LeagueTeam.objects.filter(pk=team.pk).update(club="Vrouwen", club_uuid=away.uuid)
    match = match_in(division, "Vrouwen", 1)
    side = side_of_team(match, team.pk)
    people = ["Vrouwen 1", "Vrouwen 2", "Vrouwen 3", "Anna de Vries"]
    line_up = line_up_write(match=match, side=side, people=people, version=0, actor=TESTS)
    seat = line_up.seats.get(member_uuid=shy.uuid)
    assert (seat.name, seat.substitute) == ("Vrouwen 4", False)
    twice = ["Vrouwen 1", "Vrouwen 2", "Vrouwen 4", "Anna de Vries"]
    with pytest.raises(DomainError) as refused:
        line_up_write(match=match, side=side, people=twice, version=line_up.version, actor=TESTS)
    assert refused.value.message == "Vrouwen 4 staat er meer dan één keer."


@pytest.mark.full
def test_two_captains_agree_with_a_result_one_after_the_other(client: Client) -> None:
    day, _evening, match, captain, side = played()
    MatchDay.objects.filter(pk=day.pk).update(host=None)
    match.refresh_from_db()
    url = f"{captain}matches/{match.pk}/answer/"
    assert client.post(url, {"do": "confirm", "version": match.version}).status_code == 302
    other = "away" if side == "home" else "home"
    result_answer(
        match=match, side=other, agrees=True, words="", version=match.version, actor=TESTS
    )
    assert match.answers.filter(agrees=True).count() == 2
    given = {"do": "object", "words": "Nee\0 fout", "version": match.version}
    assert client.post(url, given).status_code == 302
    assert match.answers.get(side=side).words == "Nee fout"


def test_on_paper_people_have_their_own_names() -> None:
    _desk, day, evening = made()
    paper = [name for live in matches_on_paper(day, evening) for table in live.tables
             for name in (*table.home, *table.away)]  # fmt: skip
    public = [name for live in live_matches(day, evening) for table in live.tables
              for name in (*table.home, *table.away)]  # fmt: skip
    assert ("Anoniem" in public, "Negens 1" in public) == (True, False)
    assert ("Anoniem" in paper, "Negens 1" in paper) == (False, True)


def test_a_captain_cannot_fill_the_list_of_people_of_the_host(client: Client) -> None:
    desk, day, evening = made()
    captain = captain_of(team_of(day.division, "Vrouwen"))
    url = f"{captain}matches/{match_in(day.division, 'Vrouwen', 1).pk}/line-up/"
    for name in ("Vreemd 1", "Vreemd 2", "Vreemd 3"):
        answer = name_people(client, url, "Vrouwen 1", "Vrouwen 2", "Vrouwen 3", name)
        assert answer.status_code == 302
    strange = Member.objects.filter(club=evening.club, name__startswith="Vreemd")
    assert list(strange.values_list("name", flat=True)) == ["Vreemd 3"]
    play_round(evening, 1)
    desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
    url = f"{captain}matches/{match_in(day.division, 'Vrouwen', 2).pk}/line-up/"
    for name in ("Vreemd 4", "Vreemd 5"):
        name_people(client, url, "Vrouwen 1", "Vrouwen 2", "Vrouwen 3", name)
    names = strange.order_by("name").values_list("name", flat=True)
    assert list(names) == ["Vreemd 3", "Vreemd 5"]


@pytest.mark.full
def test_a_second_press_keeps_the_first_link_of_a_captain(client: Client) -> None:
    club, division, _day = ready()
    team = team_of(division, "Boeren")
    LeagueTeam.objects.filter(pk=team.pk).update(club="Boeren", club_uuid=club.uuid)
    desk, url = desk_of(club), f"/clubs/boeren/desk/leagues/teams/{team.pk}/link/"
    for _press in range(2):
        desk.post(url, {"do": "make"})
    assert team.captain_links.get().revoked_at is None
    desk.post(url, {"do": "renew"})
    assert team.captain_links.filter(revoked_at=None).get().generation == 2
