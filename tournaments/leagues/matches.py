"""The fixtures of a division: drawing, moving a match day, and the results of matches."""

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import combinations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name
from clubs.text.numbers import FIRST_DAY, LAST_DAY, number
from tournaments.leagues.core.fixtures import FEWEST, Fixtures, make_fixtures
from tournaments.leagues.queries import evening_of, have_an_evening
from tournaments.leagues.services import (
    about,
    league_audit,
    league_lock,
    require_undrawn,
    require_version,
    row_write,
)
from tournaments.leagues.teams import reason_read
from tournaments.models import Division, LeagueMatch, LeagueSeason, LeagueTeam, MatchDay

Score = tuple[int, int]
MOST_SEED = 999_999
MOST_POINTS = 99_999


def fixtures_preview(division: Division, seed: int) -> Fixtures:
    """The days as this seed draws them, by the names of the teams; teams of one club are apart.

    Raises DomainError `too_few_teams`.
    """
    season = division.season
    teams = list(division.teams.order_by("pk"))
    fewest = FEWEST[season.meeting]  # type: ignore[index]
    if len(teams) < fewest:
        message = ngettext(
            "There is %(count)s team; it takes %(fewest)s to draw fixtures.",
            "There are %(count)s teams; it takes %(fewest)s to draw fixtures.",
            len(teams),
        )
        raise DomainError("too_few_teams", message % {"count": len(teams), "fewest": fewest})
    apart = [
        (one.name, two.name)
        for one, two in combinations(teams, 2)
        if one.club and one.club == two.club
    ]
    return make_fixtures(
        [team.name for team in teams],
        meeting=season.meeting,  # type: ignore[arg-type]
        cycles=season.cycles,
        apart=apart,
        seed=seed,
    )


@transaction.atomic
def fixtures_draw(
    *,
    division: Division,
    seed: int,
    actor: Actor,
    first: dt.date | None = None,
    weeks: int = 2,
    starts_at: dt.time | None = None,
) -> list[MatchDay]:
    """Make the days and matches that `fixtures_preview` shows for this seed; the first day on
    `first`, each later one so many weeks after.

    Raises DomainError `fixtures_drawn`, `too_few_teams` or `day_out_of_reach`.
    """
    league = league_lock(division.season.league_id)
    require_undrawn(division)
    division = Division.objects.select_related("season").get(pk=division.pk)
    fixtures = fixtures_preview(division, seed)
    if first:
        _require_within_reach(first)
        _require_within_reach(first + dt.timedelta(weeks=weeks * len(fixtures.days)))
    teams = {team.name: team for team in division.teams.all()}
    days = [
        MatchDay(
            division=division,
            number=day.number,
            group=number,
            host=teams[group.host] if group.host else None,
            place=teams[group.host].club if group.host else "",
            date=first and first + dt.timedelta(weeks=weeks * (day.number - 1)),
            starts_at=starts_at,
        )
        for day in fixtures.days
        for number, group in enumerate(day.groups, 1)
    ]
    MatchDay.objects.bulk_create(days)
    groups = [group for day in fixtures.days for group in day.groups]
    LeagueMatch.objects.bulk_create(
        LeagueMatch(day=day, round=number, home=teams[home], away=teams[away])
        for day, group in zip(days, groups, strict=True)
        for number, matches in enumerate(group.rounds, 1)
        for home, away in matches
    )
    division.seed = seed
    division.save_changes("seed")
    data = {"seed": seed, "days": len(fixtures.days), "teams": len(teams)}
    texts = {"name": division.name}
    league_audit(league, actor, "fixtures_drawn", about(division), data=data, texts=texts)
    return days


@transaction.atomic
def fixtures_take_back(*, division: Division, actor: Actor) -> None:
    """Take the days and matches of a division away, as long as there is no result.

    Raises DomainError `results_are_there`.
    """
    league = league_lock(division.season.league_id)
    division = Division.objects.get(pk=division.pk)
    matches = LeagueMatch.objects.filter(day__division=division)
    if any(match.is_over for match in matches):
        message = _("There are results already, so the fixtures stay. Take the results away first.")
        raise DomainError("results_are_there", message)
    if have_an_evening(division.days.all()):
        message = _("An evening was made of a match day, so the fixtures stay.")
        raise DomainError("results_are_there", message)
    if division.seed is None:
        return
    division.days.all().delete()
    data, division.seed = {"seed": division.seed}, None
    division.save_changes("seed")
    texts = {"name": division.name}
    league_audit(league, actor, "fixtures_taken_back", about(division), data=data, texts=texts)


@transaction.atomic
def match_day_move(
    *,
    day: MatchDay,
    date: dt.date | None,
    starts_at: dt.time | None,
    host: LeagueTeam | None,
    place: str,
    reason: str,
    version: int,
    actor: Actor,
) -> MatchDay:
    """Another date, time, host or place for a match day; with a reason where it had a date.

    Raises DomainError `reason_missing`, `reason_too_long`, `host_not_there`, `day_out_of_reach` or
    `evening_is_made`, and VersionConflict.
    """
    league = league_lock(day.division.season.league_id)
    if evening_of(day) is not None:
        message = _("There is an evening for this match day. Move that evening at its club.")
        raise DomainError("evening_is_made", message)
    if date is not None:
        _require_within_reach(date)
    if host is not None and host not in teams_of(day):
        raise DomainError("host_not_there", _("%s does not play on this day.") % host.name)
    why = reason_read(reason) if day.date is not None else tidy_name(reason)[:200]
    before = day.date
    place = tidy_name(place)[:100]
    columns = {"date": date, "starts_at": starts_at, "place": place, "moved_why": why}
    row_write(day, version, host_id=host.pk if host else None, **columns)
    day.host = host
    data = {
        "number": day.number,
        "before": before and before.isoformat(),
        "date": date and date.isoformat(),
    }
    texts = {"name": day.division.name, "host": host.name if host else "", "reason": why}
    action = "match_day_undated" if date is None else "match_day_moved"
    if before is None and date is not None:
        action = "match_day_dated"
    league_audit(league, actor, action, about(day), data=data, texts=texts)
    return day


def teams_of(day: MatchDay) -> list[LeagueTeam]:
    """The teams that play on this day, the host first. One query."""
    matches = day.matches.select_related("home", "away")
    teams = {team.pk: team for match in matches for team in (match.home, match.away)}
    return sorted(teams.values(), key=lambda team: (team.pk != day.host_id, team.name))


def _require_within_reach(*days: dt.date) -> None:
    if not all(FIRST_DAY <= day <= LAST_DAY for day in days):
        raise DomainError("day_out_of_reach", _("The date is from 1900 to 2199."))


# Results.


@transaction.atomic
def results_write(
    *,
    day: MatchDay,
    results: Mapping[int, Sequence[Score]],
    versions: Mapping[int, int],
    actor: Actor,
    reason: str = "",
) -> int:
    """Write the results of matches of one day, by their ids: the points of each table, or one total
    for the whole match; `versions` are those at which the matches were read. Only what was there
    before is corrected for the reason. Returns how many were new or changed.

    Raises DomainError `bad_results` that names every fault, or `reason_missing` where a result that
    was there becomes another, and VersionConflict where a match that would change did meanwhile.
    """
    league_lock(day.division.season.league_id)
    season = day.division.season
    matches = {match.pk: match for match in day.matches.select_related("home", "away")}
    for match in matches.values():
        match.day = day
    known = {pk: scores for pk, scores in results.items() if pk in matches}
    faults = [
        fault for pk, scores in known.items() for fault in score_faults(season, matches[pk], scores)
    ]
    if faults:
        raise DomainError("bad_results", " ".join(faults), lines=faults)
    changed = {
        pk: [list(score) for score in scores]
        for pk, scores in known.items()
        if matches[pk].scores != [list(score) for score in scores]
    }
    for pk in changed:
        require_version(matches[pk], versions.get(pk))
    corrected = {pk for pk in changed if matches[pk].is_over}
    reason = reason_read(reason) if corrected else ""
    for pk, scores in changed.items():
        match = matches[pk]
        before, why = match.scores, reason if pk in corrected else ""
        scores_set(match, scores, binding=True, why=why)
        action = "match_corrected" if pk in corrected else "match_written"
        data = {"before": before, "scores": scores, "number": day.number}
        _audit_match(match, actor, action, data, why)
    return len(changed)


def scores_set(
    match: LeagueMatch, scores: Sequence[Sequence[int]], *, binding: bool = False, why: str = ""
) -> None:
    """Another result: what was said of the one before goes, and the time to answer begins anew."""
    match.scores, match.walkover = scores, None
    match.binding, match.reason = binding, why
    match.written_at = timezone.now()
    match.save_changes("scores", "walkover", "binding", "reason", "written_at")
    match.answers.all().delete()


def score_faults(season: LeagueSeason, match: LeagueMatch, scores: Sequence[Score]) -> list[str]:
    """What cannot be so of a result, each in a sentence."""
    by_table = season.points == LeagueSeason.Points.TABLES_AND_TOTAL
    faults = []
    if len(scores) != season.tables and (by_table or len(scores) != 1):
        message = _("%(match)s: fill in both teams at every table.")
        faults.append(message % {"match": match})
    if any(not 0 <= points <= MOST_POINTS for score in scores for points in score):
        faults.append(_("%(match)s: points are from 0 to 99,999.") % {"match": match})
    return faults


def score_doubts(season: LeagueSeason, match: LeagueMatch) -> list[str]:
    """What is odd about a result: tables that do not add up to the points of the cards and roem."""
    deals = season.deals * (season.tables if len(match.scores) == 1 else 1)
    cards = 162 * deals
    return [
        _("%(match)s: table %(table)s adds up to %(sum)s; the cards make %(cards)s, and roem tens.")
        % {"match": match, "table": table, "sum": number(one + two), "cards": number(cards)}
        for table, (one, two) in enumerate(match.scores, 1)
        if one + two < cards or (one + two - cards) % 10
    ]


@transaction.atomic
def walkover_write(
    *,
    match: LeagueMatch,
    team: LeagueTeam,
    reason: str,
    version: int,
    actor: Actor,
    binding: bool = True,
) -> LeagueMatch:
    """This team did not appear: 0 for them, and the other team's own mean for the other. Unless the
    leader writes it, it waits to be made `binding`.

    Raises DomainError `reason_missing`, `reason_too_long` or `not_of_this_match`, and
    VersionConflict.
    """
    league_lock(match.day.division.season.league_id)
    why = reason_read(reason)
    if team.pk not in (match.home_id, match.away_id):
        raise DomainError("not_of_this_match", _("%s is not one of these teams.") % team.name)
    before = match.scores
    now = timezone.now()
    columns = {"binding": binding, "reason": why, "written_at": now}
    row_write(match, version, scores=[], walkover_id=team.pk, **columns)
    match.answers.all().delete()
    match.walkover = team
    data = {"before": before, "number": match.day.number}
    _audit_match(match, actor, "match_walkover", data, why, absent=team.name)
    return match


@transaction.atomic
def result_take_away(*, match: LeagueMatch, reason: str, version: int, actor: Actor) -> LeagueMatch:
    """Take a result away: the match is to be played again. Raises like `walkover_write`."""
    league_lock(match.day.division.season.league_id)
    why = reason_read(reason)
    before = match.scores
    columns = {"binding": False, "reason": why, "written_at": None}
    row_write(match, version, scores=[], walkover_id=None, **columns)
    match.answers.all().delete()
    match.walkover = None
    data = {"before": before, "number": match.day.number}
    _audit_match(match, actor, "match_taken_away", data, why)
    return match


def _audit_match(
    match: LeagueMatch,
    actor: Actor,
    action: str,
    data: Mapping[str, object],
    reason: str,
    **texts: str,
) -> None:
    names = {"home": match.home.name, "away": match.away.name, "reason": reason, **texts}
    league = match.day.division.season.league
    league_audit(league, actor, action, about(match), data=data, texts=names)
