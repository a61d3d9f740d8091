"""Each constraint of leagues, broken once on purpose."""

import datetime as dt
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.constraints import constraint_names, not_refused
from tests.factories import (
    ClubFactory,
    MemberFactory,
    UserFactory,
)
from tournaments.models import (
    CaptainLink,
    Division,
    EventSource,
    League,
    LeagueEvent,
    LeagueLeader,
    LeagueMatch,
    LeaguePenalty,
    LeaguePerson,
    LeaguePlayer,
    LeagueRanking,
    LeagueSeason,
    LeagueTeam,
    LineUp,
    LineUpSeat,
    MatchAnswer,
    MatchDay,
    NumberElsewhere,
    PersonLink,
    PullLink,
    RankedEvening,
    RankingList,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def league_season(**given: object) -> LeagueSeason:
    league = League.objects.create(name="x", slug="x", language=str(given.pop("language", "nl")))
    return LeagueSeason.objects.create(league=league, name="x", slug="x", **given)


def ranking(**given: object) -> LeagueRanking:
    rule = {"name": "x", "slug": "x", "family": "rotterdam-16", **given}
    return LeagueRanking.objects.create(league=league_season().league, **rule)


def ranking_list(ranking: LeagueRanking, **given: object) -> RankingList:
    columns = {"number": 1, "on": dt.date(2026, 1, 1), "rule": {}, "rows": [], "seal": "x"}
    return RankingList.objects.create(ranking=ranking, **columns | given)


def division() -> Division:
    return Division.objects.create(season=league_season(), name="x", position=1)


def penalty(**given: object) -> LeaguePenalty:
    team = LeagueTeam.objects.create(division=division(), name="A")
    return LeaguePenalty.objects.create(team=team, **given)


def league_match(
    again: tuple[str, str] | None = None, walkover: str = "", scores: object = ()
) -> None:
    """A – B; and one more of that round, or a walkover."""
    day = MatchDay.objects.create(division=division(), number=1, group=1)
    teams = {name: LeagueTeam.objects.create(division=day.division, name=name) for name in "ABC"}
    LeagueMatch.objects.create(
        day=day,
        round=1,
        home=teams["A"],
        away=teams["B"],
        walkover=teams.get(walkover),
        scores=scores or [],
    )
    if again:
        home, away = again
        LeagueMatch.objects.create(day=day, round=1, home=teams[home], away=teams[away])


def line_up(**given: object) -> LineUp:
    league_match()
    return LineUp.objects.create(match=LeagueMatch.objects.get(), **{"side": "home"} | given)


def seats(times: int = 1, **given: object) -> list[LineUpSeat]:
    row = {"line_up": line_up(), "table": 1, "name": "x"} | given
    return [LineUpSeat.objects.create(**{"partner": n} | row) for n in range(1, times + 1)]


def answers(times: int = 1, **given: object) -> list[MatchAnswer]:
    league_match()
    row = {"match": LeagueMatch.objects.get(), "side": "away", "agrees": True, "at": timezone.now()}
    return [MatchAnswer.objects.create(**row | given) for _ in range(times)]


def captain_links(*links: tuple[int, str, bool]) -> None:
    team = LeagueTeam.objects.create(division=division(), name="A")
    for generation, digest, ended in links:
        CaptainLink.objects.create(
            team=team,
            generation=generation,
            digest=digest,
            revoked_at=timezone.now() if ended else None,
        )


def sources(times: int = 1, **given: object) -> list[EventSource]:
    row = {"league": league_season().league, "club_uuid": UUID(int=1), "key": "x"} | given
    return [EventSource.objects.create(**row) for _ in range(times)]


def events(times: int = 1, number: int = 1) -> list[LeagueEvent]:
    row = {"league": league_season().league, "club_uuid": uuid4(), "event_uuid": uuid4()}
    row |= {"date": dt.date(2026, 1, 1), "digest": "x", "document": {}, "number": number}
    return [LeagueEvent.objects.create(**row) for _ in range(times)]


BREAKS: dict[str, Callable[[], object]] = {
    "league_language_known": lambda: league_season(language="xx"),
    "league_leader_once": lambda: [
        LeagueLeader.objects.create(league=season.league, user=user)
        for season, user in [(league_season(), UserFactory.create())]
        for _ in range(2)
    ],
    "league_season_slug_once": lambda: LeagueSeason.objects.create(
        league=league_season().league, name="y", slug="x"
    ),
    "league_season_meeting_known": lambda: league_season(meeting="six"),
    "league_season_points_known": lambda: league_season(points="x"),
    "league_season_rules_known": lambda: league_season(played_by="x"),
    "league_season_cycles_1_to_10": lambda: league_season(cycles=11),
    "league_season_tables_1_to_8": lambda: league_season(tables=9),
    "league_season_deals_1_to_99": lambda: league_season(deals=0),
    "league_season_a_win_is_worth_most": lambda: league_season(win=0),
    "league_season_exchange_at_most_10": lambda: league_season(exchange=11),
    "division_position_once": lambda: Division.objects.create(
        season=division().season, name="y", position=1
    ),
    "division_name_once": lambda: Division.objects.create(
        season=division().season, name="x", position=2
    ),
    "league_team_name_once": lambda: [
        LeagueTeam.objects.create(division=each, name="A")
        for each in [division()]
        for _ in range(2)
    ],
    "league_team_withdrawn_for_a_reason": lambda: LeagueTeam.objects.create(
        division=division(), name="A", withdrawn_on=dt.date(2026, 1, 1)
    ),
    "league_team_goes_on_once": lambda: [
        LeagueTeam.objects.create(division=before.division, name=name, continues=before)
        for before in [LeagueTeam.objects.create(division=division(), name="A")]
        for name in "BC"
    ],
    "league_season_rolled_over_once": lambda: [
        LeagueSeason.objects.create(league=before.league, name=name, slug=name, rolled_from=before)
        for before in [league_season()]
        for name in "bc"
    ],
    "league_penalty_takes_points": lambda: penalty(points=0, reason="x"),
    "league_penalty_has_a_reason": lambda: penalty(points=1, reason=""),
    "league_player_place_once": lambda: [
        LeaguePlayer.objects.create(team=each, name="x")
        for each in [LeagueTeam.objects.create(division=division(), name="A")]
        for _ in range(2)
    ],
    "league_player_has_a_name": lambda: LeaguePlayer.objects.create(
        team=LeagueTeam.objects.create(division=division(), name="A"), name=""
    ),
    "match_day_group_once": lambda: [
        MatchDay.objects.create(division=each, number=1, group=1)
        for each in [division()]
        for _ in range(2)
    ],
    "match_day_within_reach": lambda: MatchDay.objects.create(
        division=division(), number=1, group=1, date=dt.date(1, 1, 1)
    ),
    "league_match_home_once": lambda: league_match(again=("A", "C")),
    "league_match_away_once": lambda: league_match(again=("C", "B")),
    "league_match_is_between_two": lambda: league_match(again=("C", "C")),
    "league_match_walkover_of_one_of_them": lambda: league_match(walkover="C"),
    "league_match_played_or_a_walkover": lambda: league_match(walkover="A", scores=[[1, 2]]),
    "league_person_number_once": lambda: [
        LeaguePerson.objects.create(league=each, number=1)
        for each in [league_season().league]
        for _ in range(2)
    ],
    "league_person_number_from_1": lambda: LeaguePerson.objects.create(
        league=league_season().league, number=0
    ),
    "person_link_once_per_member": lambda: [
        PersonLink.objects.create(league=each, club_uuid=uuid, member_uuid=uuid)
        for each, uuid in [(league_season().league, uuid4())]
        for _ in range(2)
    ],
    "person_link_confirmed_by_somebody": lambda: PersonLink.objects.create(
        league=league_season().league,
        club_uuid=uuid4(),
        member_uuid=uuid4(),
        confirmed_at=timezone.now(),
    ),
    "league_ranking_slug_once": lambda: LeagueRanking.objects.create(
        league=ranking().league, name="y", slug="x", family="rotterdam-16"
    ),
    "league_ranking_system_known": lambda: ranking(system="x"),
    "league_ranking_discipline_known": lambda: ranking(ranks="club"),
    "league_ranking_mean_of_one_family": lambda: ranking(family=""),
    "league_ranking_of_something": lambda: ranking(full=0),
    "ranked_evening_once_per_league": lambda: [
        RankedEvening.objects.create(league=each, evening_uuid=uuid)
        for each, uuid in [(league_season().league, uuid4())]
        for _ in range(2)
    ],
    "number_elsewhere_once_per_member": lambda: [
        NumberElsewhere.objects.create(member=each, league="x", number=number, code="x")
        for each in [MemberFactory.create()]
        for number in (1, 2)
    ],
    "number_elsewhere_with_its_code": lambda: NumberElsewhere.objects.create(
        member=MemberFactory.create(), league="x", number=1, code=""
    ),
    "ranking_list_number_once": lambda: [
        ranking_list(each, number=1) for each in [ranking()] for _ in range(2)
    ],
    "ranking_list_number_from_1": lambda: ranking_list(ranking(), number=0),
    "ranking_list_within_reach": lambda: ranking_list(ranking(), on=dt.date(2200, 1, 1)),
    "captain_link_one_valid": lambda: captain_links((1, "x", False), (2, "y", False)),
    "captain_link_generation_once": lambda: captain_links((1, "x", True), (1, "y", False)),
    "line_up_once_a_team": lambda: LineUp.objects.create(match=line_up().match, side="home"),
    "line_up_side_known": lambda: line_up(side="N"),
    "line_up_verdict_with_a_reason": lambda: line_up(verdict="allowed"),
    "line_up_seat_once": lambda: seats(2, partner=1),
    "line_up_member_once": lambda: seats(2, member_uuid=UUID(int=1)),
    "line_up_seat_at_a_table": lambda: seats(table=9),
    "line_up_seat_has_a_name": lambda: seats(name=""),
    "match_answer_once_a_team": lambda: answers(2),
    "match_answer_side_known": lambda: answers(side="N"),
    "match_answer_objects_in_words": lambda: answers(agrees=False),
    "pull_link_for_a_league": lambda: PullLink.objects.create(
        club=ClubFactory.create(), league="", secret_hash="x"
    ),
    "event_source_club_once": lambda: sources(2),
    "event_source_address_once": lambda: sources(2, address="https://x", club_uuid=None, key=""),
    "event_source_club_with_its_key": lambda: sources(key=""),
    "event_source_address_or_club": lambda: sources(club_uuid=None, key=""),
    "league_event_once": lambda: events(2),
    "league_event_number_from_1": lambda: events(number=0),
}


def test_the_database_holds() -> None:
    assert not_refused(BREAKS) == []


def test_every_constraint_is_tried() -> None:
    models = (
        *(League, LeagueLeader, LeagueSeason, Division, LeagueTeam, LeaguePenalty, LeaguePlayer),
        *(MatchDay, LeagueMatch),
        *(LeaguePerson, PersonLink, LeagueRanking, RankedEvening, RankingList, NumberElsewhere),
        *(CaptainLink, LineUp, LineUpSeat, MatchAnswer, PullLink, EventSource, LeagueEvent),
    )
    assert constraint_names(*models) == set(BREAKS)
