"""Results of a match day: from the evening of the host to the league, what the visitors say of
them, and binding."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models import Member
from clubs.text.errors import DomainError
from clubs.text.names import name_key, tidy_name
from scoring.deals.entries import closed_sheet_changed
from scoring.models import Scoresheet
from tournaments.closing.services import evening_closed
from tournaments.leagues.evenings import (
    TABLES_PER_MATCH,
    placements_of,
    places_of,
    tables_of,
)
from tournaments.leagues.lineup_queries import Chosen, answer_due, line_ups_of, visitors_of
from tournaments.leagues.lineups import people_to_begin_with
from tournaments.leagues.matches import scores_set, teams_of
from tournaments.leagues.queries import CARDS, absent_team, evening_of, mean_of
from tournaments.leagues.services import (
    about,
    league_audit,
    league_lock,
    require_version,
    row_write,
)
from tournaments.models import (
    AWAY,
    HOME,
    SIDES,
    Evening,
    LeagueMatch,
    LeaguePlayer,
    LeagueSeason,
    MatchAnswer,
    MatchDay,
    Placement,
    Round,
    Table,
)

MOST_WORDS = 500
FOLLOWING = Actor.of_program("correction")


@transaction.atomic
def match_day_take_over(
    *, day: MatchDay, actor: Actor, only_there: bool = False
) -> tuple[int, list[LeagueMatch]]:
    """Take the results over from the closed evening; what is binding stays, and so does a match
    at whose tables others sat than its teams, or that a team did not appear at and nobody played.
    With `only_there` matches without a result stay so. Returns how many, and those others sat at.

    What was said of a result goes when it becomes another. Raises DomainError `evening_is_open`.
    """
    league = league_lock(day.division.season.league_id)
    evening = evening_of(day)
    if evening is None or evening.state != Evening.State.CLOSED:
        message = _("The evening of this match day is not closed yet.")
        raise DomainError("evening_is_open", message)
    taken, otherwise = 0, []
    teams = _teams_by_member(evening, day)
    results = evening_results(day, evening)
    for number in range(1, evening.rounds_planned + 1):
        matches = list(day.matches.filter(round=number).order_by("pk").select_related(*SIDES))
        placed = placements_of(evening, number)
        strange = _seated_otherwise(matches, placed, teams, _named_for(matches))
        for match in matches:
            found = results.get(match.pk)
            if match.binding or found is None or match.scores == found:
                continue
            if match.walkover_id and not any(map(any, found)):
                continue
            if only_there and not match.is_over:
                continue
            if strange & {match.home_id, match.away_id}:
                otherwise.append(match)
                continue
            scores_set(match, found)
            taken += 1
    if taken:
        data = {"number": day.number, "results": taken}
        league_audit(league, actor, "match_day_taken_over", about(day), data=data)
    return taken, otherwise


def evening_results(day: MatchDay, evening: Evening) -> dict[int, list[list[int]]]:
    """What the sheets of the evening come to, by match: of every table the points of both teams.

    Where a table was not played because a team was incomplete, that team has 0 there, and the other
    the mean of its tables of this day, or half the points of the cards. Matches without a table are
    left out. Three queries.
    """
    sheets = Scoresheet.objects.filter(table__round__evening=evening).annotate(
        round_number=F("table__round__number"), table_number=F("table__number")
    )
    scores = {
        (sheet.round_number, sheet.table_number): [sheet.score_ns, sheet.score_ew]
        for sheet in sheets
    }
    played: dict[int, list[list[int] | None]] = {}
    own: dict[int, list[int]] = defaultdict(list)
    matches = _in_order(day)
    tables = tables_of(matches, scores)
    for match in matches:
        found = [scores.get((match.round, at)) if at else None for at in tables[match.pk]]
        played[match.pk] = found
        for one, two in filter(None, found):
            own[match.home_id].append(one)
            own[match.away_id].append(two)
    short = _short_tables(matches)
    half = CARDS * day.division.season.deals // 2
    results = {}
    for match in matches:
        whole = []
        at_tables = zip(played[match.pk], tables[match.pk], strict=True)
        for table, (score, at) in enumerate(at_tables, 1):
            instead = [
                0 if (match.pk, side, table) in short else mean_of(own[team]) or half
                for side, team in ((HOME, match.home_id), (AWAY, match.away_id))
            ]
            whole.append(instead if at is None else score)
        if any(played[match.pk]) and all(whole):
            results[match.pk] = [score for score in whole if score]
    return results


def _in_order(day: MatchDay) -> list[LeagueMatch]:
    return list(day.matches.select_related(*SIDES).order_by("round", "pk"))


def _short_tables(matches: Sequence[LeagueMatch]) -> set[tuple[int, str, int]]:
    """Where a team has fewer than two people by its line-up, or by the last one before: match, side
    and table."""
    last: dict[int, set[int]] = {}
    short = set()
    line_ups = line_ups_of(matches)
    for match in matches:
        for side, team in ((HOME, match.home_id), (AWAY, match.away_id)):
            line_up = line_ups.get((match.pk, side))
            if line_up is not None:
                tables = Counter(seat.table for seat in line_up.seats.all())
                both = range(1, TABLES_PER_MATCH + 1)
                last[team] = {table for table in both if tables[table] < len(SIDES)}
            short |= {(match.pk, side, table) for table in last.get(team, set())}
    return short


def differences(
    day: MatchDay, evening: Evening | None
) -> list[tuple[LeagueMatch, list[list[int]]]]:
    """The binding results that the closed evening gives otherwise by now, each with what it says:
    a deal was corrected since, or the leader corrected the match."""
    if evening is None or evening.state != Evening.State.CLOSED:
        return []
    results = evening_results(day, evening)
    return [
        (match, results[match.pk])
        for match in _in_order(day)
        if match.binding and match.scores and results.get(match.pk, match.scores) != match.scores
    ]


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table of a match: who sit there, the points of both teams so far, the deals of how many.
    Without a number it is not played; points are None while they are secret or there are none."""

    number: int | None
    home: Sequence[str]
    away: Sequence[str]
    points: tuple[int, int] | None
    deals: int
    of: int


@dataclass(slots=True)
class LiveMatch:
    """A match as it stands: its tables, and the points of both teams over all of them."""

    match: LeagueMatch
    tables: Sequence[LiveTable]
    state: str

    @property
    def totals(self) -> tuple[int, int] | None:
        """The points so far; None while there are none to show."""
        if self.match.scores:
            return self.match.totals
        points = [table.points for table in self.tables if table.points]
        return (sum(one for one, _ in points), sum(two for _, two in points)) if points else None


def live_matches(
    day: MatchDay, evening: Evening | None, *, in_public: bool = True
) -> list[LiveMatch]:
    """The matches of a day as they stand on the evening; people as the host's club shows them, or
    unless `in_public` by their own names. Points are left out while the evening keeps them secret.
    Four queries at most."""
    matches = _in_order(day)
    if evening is None:
        return [LiveMatch(match, [], "") for match in matches]
    rounds = evening.rounds.exclude(state=Round.State.DRAFT)
    states = dict(rounds.values_list("number", "state"))
    found = Table.objects.filter(round__evening=evening, round__number__in=states)
    found = found.select_related("sheet", "round").prefetch_related("placements__member")
    at = {(table.round.number, table.number): table for table in found}
    tables = tables_of(matches, at)
    return [
        LiveMatch(
            match,
            [
                _live_table(evening, at.get((match.round, number or 0)), in_public=in_public)
                for number in tables[match.pk]
                if match.round in states
            ],
            states.get(match.round, ""),
        )
        for match in matches
    ]


def matches_on_paper(day: MatchDay, evening: Evening | None) -> list[LiveMatch]:
    """Like `live_matches`; of a match that is not seated yet, who is to play: by its line-up, else
    by the round before, else the first fixed players. For who runs it: by their own names."""
    found = live_matches(day, evening, in_public=False)
    tables = tables_of([live.match for live in found], [])
    for live in found:
        if live.tables:
            continue
        live.match.day = day
        home, away = (
            [person.name if person else "" for person in people_to_begin_with(live.match, side)]
            for side in SIDES
        )
        count = len(home) // 2
        numbers = tables[live.match.pk]
        live.tables = [
            LiveTable(
                numbers[nth] if len(numbers) == count else nth + 1,
                home[2 * nth : 2 * nth + 2],
                away[2 * nth : 2 * nth + 2],
                None,
                0,
                0,
            )
            for nth in range(count)
        ]
    return found


def _live_table(evening: Evening, table: Table | None, *, in_public: bool) -> LiveTable:
    if table is None:
        return LiveTable(None, [], [], None, 0, 0)
    names: dict[str, str] = {}
    for each in sorted(table.placements.all(), key=lambda each: each.substitute):
        names[each.seat] = each.member.shown_name if in_public else each.member.name
    sheet = table.sheet
    begun = sheet.deals_entered > 0 or bool(sheet.score_ns or sheet.score_ew)
    points = (sheet.score_ns, sheet.score_ew) if begun and evening.shows_scores else None
    home, away = ([names[seat] for seat in side if seat in names] for side in ("NS", "EW"))
    return LiveTable(table.number, home, away, points, sheet.deals_entered, sheet.deals_planned)


@receiver(evening_closed)
def results_follow_the_evening(evening: Evening, actor: Actor, **_kwargs: object) -> None:
    """When the evening of a match day closes its results go to the league at once."""
    for day in _days_of(evening.uuid):
        match_day_take_over(day=day, actor=actor)


@receiver(closed_sheet_changed)
def results_follow_corrections(sheet: Scoresheet, **_kwargs: object) -> None:
    """A correction on a closed evening goes on to the result that is not binding yet."""
    closed = Evening.objects.filter(rounds__tables__sheet=sheet, state=Evening.State.CLOSED)
    for uuid in closed.values_list("uuid", flat=True):
        for day in _days_of(uuid):
            match_day_take_over(day=day, actor=FOLLOWING, only_there=True)


def _days_of(uuid: UUID) -> list[MatchDay]:
    days = MatchDay.objects.filter(evening_uuid=uuid)
    return list(days.select_related("division__season__league"))


def _teams_by_member(evening: Evening, day: MatchDay) -> dict[int, int]:
    """The team of each person by their id: of whom it lists by that name, and else for which they
    sat in round 1."""
    listed: dict[object, set[int]] = defaultdict(set)
    for player in LeaguePlayer.objects.filter(team__in=teams_of(day)):
        listed[player.member_uuid or name_key(player.name)].add(player.team_id)
        listed[name_key(player.name)].add(player.team_id)
    seats = placements_of(evening, 1)
    matches = list(day.matches.filter(round=1).order_by("pk"))
    first = {
        seats[at].member_id: team
        for team, places in places_of(matches, seats).items()
        for at in places
        if at in seats
    }
    people = Member.objects.filter(placements__round__evening=evening).distinct()
    known = {}
    for member in people:
        by_list = listed.get(member.uuid) or listed.get(name_key(member.name)) or set()
        team = next(iter(by_list)) if len(by_list) == 1 else first.get(member.pk)
        if team is not None:
            known[member.pk] = team
    return known


def _named_for(matches: Sequence[LeagueMatch]) -> set[tuple[int, object]]:
    """Whom captains named for these matches: the team, with what they are known by."""
    return {
        (line_up.team.pk, key)
        for line_up in line_ups_of(matches).values()
        for seat in line_up.seats.all()
        for key in Chosen(seat.name, seat.member_uuid).keys
    }


def _seated_otherwise(
    matches: Sequence[LeagueMatch],
    placed: Mapping[tuple[int, str], Placement],
    teams: Mapping[int, int],
    named: Collection[tuple[int, object]],
) -> set[int]:
    """The teams in whose seats somebody of another team sat, whom their captain did not name, but
    to help out beside their own."""
    return {
        team
        for team, places in places_of(matches, placed).items()
        for at in places
        if at in placed and not placed[at].substitute
        for member in [placed[at].member]
        if teams.get(member.pk, team) != team
        if not {(team, member.uuid), (team, name_key(member.name))}.intersection(named)
    }


@transaction.atomic
def match_day_bind(*, day: MatchDay, versions: Mapping[int, int], actor: Actor) -> int:
    """Make the results of a day binding that were read at these versions, by match: from now on one
    is corrected with a reason only. Returns how many were not binding.

    Raises VersionConflict where a result became another, or somebody objected, meanwhile.
    """
    league = league_lock(day.division.season.league_id)
    waiting = [
        match
        for match in day.matches.filter(binding=False, pk__in=versions)
        if match.scores or match.walkover_id
    ]
    for match in waiting:
        row_write(match, versions[match.pk], binding=True)
    if waiting:
        data = {"number": day.number, "results": len(waiting)}
        league_audit(league, actor, "match_day_binding", about(day), data=data)
    return len(waiting)


# What visitors say of a result.


@transaction.atomic
def result_answer(
    *, match: LeagueMatch, side: str, agrees: bool, words: str, version: int, actor: Actor
) -> MatchAnswer:
    """The captain of visitors says that a result is right, or what is wrong with it.

    Raises DomainError `no_result`, `result_binding`, `not_visitors`, `answer_late`, `words_missing`
    or `words_too_long`; and VersionConflict where the result is another by now. Only an objection
    makes it another version, so that nobody makes it binding unread.
    """
    season = match.day.division.season
    league = league_lock(season.league_id)
    match = LeagueMatch.objects.select_related("home", "away", "day").get(pk=match.pk)
    words = tidy_name(words)
    _require_answerable(match, side, season)
    if not agrees and not words:
        raise DomainError("words_missing", _("Say what is wrong with it."))
    if len(words) > MOST_WORDS:
        raise DomainError("words_too_long", _("That is more than 500 characters."))
    if agrees:
        require_version(match, version)
    else:
        row_write(match, version)
    answer, _made = MatchAnswer.objects.update_or_create(
        match=match,
        side=side,
        defaults={"agrees": agrees, "words": words, "at": timezone.now()},
    )
    action = "match_confirmed" if agrees else "match_objected"
    names = {"home": match.home.name, "away": match.away.name, "team": answer.team.name}
    data = {"number": match.day.number, "scores": match.scores}
    texts = names | ({"reason": words} if words else {})
    league_audit(league, actor, action, about(match), data=data, texts=texts)
    return answer


def _require_answerable(match: LeagueMatch, side: str, season: LeagueSeason) -> None:
    if side not in visitors_of(match, match.day.host_id):
        raise DomainError("not_visitors", _("The visitors look at the result, not the host."))
    if match.binding:
        message = _("The result is binding already. Ask the leader of the league.")
        raise DomainError("result_binding", message)
    if not match.is_over and absent_team(match) is None:
        raise DomainError("no_result", _("There is no result yet."))
    due = answer_due(match, season)
    if due and due < timezone.now():
        message = ngettext(
            "The hour in which you could say so is over. Ask the leader.",
            "The %(n)s hours in which you could say so are over. Ask the leader.",
            season.answer_hours,
        )
        raise DomainError("answer_late", message % {"n": season.answer_hours})
