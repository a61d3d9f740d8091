"""A season's standings: numbered from 1, computed from the evenings, and previewed."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.core.cache import caches
from django.utils.translation import gettext as _

from clubs.merges.services import first_lots
from clubs.models import Member
from scoring.display.words import pit_word
from tournaments.models import (
    Competitor,
    CompetitorCorrection,
    Evening,
    PersonCorrection,
    Registration,
    Season,
    SeasonRule,
)
from tournaments.seasons.texts import changed_line, what_counts, what_else_counts
from tournaments.standings.competitors import (
    competitor_id_of,
    competitor_key,
    competitor_names,
    season_encounters,
)
from tournaments.standings.core.results import (
    Absence,
    CountingRule,
    EveningResult,
    Points,
    Ranks,
    SeasonRow,
    SeasonTable,
)
from tournaments.standings.core.rule_json import parse_season_rule
from tournaments.standings.core.season import places_before, rank_season
from tournaments.standings.queries import HEAD_TO_HEAD, evening_encounters
from tournaments.standings.summaries import (
    PersonsEvening,
    competitor_summaries,
    evening_summaries,
    lines_for,
)

ABSENCES: Mapping[str, Absence] = {
    Registration.Absence.NOTICE: "notice",
    Registration.Absence.NONE: "none",
}
CACHE_SECONDS = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Standing:
    """One of a season's standings; `changed` says when and why its rule was changed after the
    first result, empty if it was not."""

    number: int
    name: str
    rule: CountingRule
    changed: str = ""


def season_choices(season: Season) -> Sequence[Standing]:
    """The season's standings in order; if it has none of its own, one in which every evening
    counts. One query, or two."""
    own = [
        Standing(number, rule.name, parse_season_rule(rule.settings), changed_line(rule))
        for number, rule in enumerate(season.rules.order_by("position"), start=1)
    ]
    return own or [Standing(1, _("Season standing"), CountingRule(ranks=_usual_ranks(season)))]


def _usual_ranks(season: Season) -> Ranks:
    """Who is ranked in a season without a standing of its own: who is on all its evenings."""
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by()
    ranks: list[Ranks] = list(closed.values_list("ranks", flat=True).distinct())  # type: ignore[arg-type]
    return ranks[0] if len(ranks) == 1 else "player"


def keeping_people(evenings: Iterable[Evening]) -> set[int]:
    """The ids of those of these evenings that rank pairs or teams while the club keeps people's own
    places too: a standing of the season is of people, or without one of its own some evening. At
    most three queries for a season."""
    seasons: dict[int, list[Evening]] = defaultdict(list)
    for evening in evenings:
        if evening.ranks != Evening.Ranks.PLAYER and evening.season_id is not None:
            seasons[evening.season_id].append(evening)
    return {
        evening.pk
        for of_season in seasons.values()
        if (season := of_season[0].season) and "player" in _ranks_of(season)
        for evening in of_season
    }


def _ranks_of(season: Season) -> set[str]:
    own = {str(parse_season_rule(rule.settings).ranks) for rule in season.rules.all()}
    return own or set(season.evenings.order_by().values_list("ranks", flat=True))


def usual_rule(season: Season) -> CountingRule | None:
    """The rule of what everybody sees of a season without a standing of its own; else None."""
    return None if season.rules.exists() else season_choices(season)[0].rule


def counts_now(season: Season, evening: Evening) -> bool:
    """Whether the evening is in the standing: when it is closed, and in a live season while it is
    played and its points are not hidden."""
    if evening.state == Evening.State.CLOSED:
        return True
    return season.live and evening.shows_scores


def season_choice(season: Season, number: int) -> Standing | None:
    """The season's standing with this number, if there is one. One query."""
    return next((choice for choice in season_choices(season) if choice.number == number), None)


def season_standings(season: Season, rule: CountingRule | None = None) -> SeasonTable:
    """The standing over the season's closed evenings, by `rule` or else by the season's first of
    persons."""
    evenings = list(season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence"))
    rule = rule or season_rule(season)
    return standings_of(evenings, rule, season_results(evenings, season, rule))


def main_standing(season: Season) -> SeasonTable:
    """The first standing of the season, of persons or not."""
    return season_standings(season, season_choices(season)[0].rule)


def standings_of(
    evenings: list[Evening], rule: CountingRule, results: list[EveningResult] | None = None
) -> SeasonTable:
    """The standing that the rule makes of these evenings; `results` are theirs, if already loaded.

    Head-to-head scores are looked up only for players who are still tied at that tie-break.
    """
    results = season_results(evenings, rule=rule) if results is None else results
    columns = [evening.slug for evening in evenings]
    if HEAD_TO_HEAD in rule.tie_breaks:
        before = rule.tie_breaks[: rule.tie_breaks.index(HEAD_TO_HEAD)]
        table = rank_season(results, replace(rule, tie_breaks=before), evenings=columns)
        if tied := _tied(table):
            results = _with_encounters(results, evenings, tied, rule)
    return rank_season(results, rule, evenings=columns, lots=_lots(results, rule))


def _lots(results: Iterable[EveningResult], rule: CountingRule) -> dict[str, str]:
    """What the lots of players from another server are drawn from, if the rule has lots."""
    if "lot" not in rule.tie_breaks:
        return {}
    ids = {result.player_id for result in results}
    if rule.ranks != "player":
        own = Competitor.objects.filter(pk__in=[competitor_id_of(key) or 0 for key in ids])
        return {competitor_key(pk): str(uuid) for pk, uuid in own.values_list("pk", "uuid")}
    moved = first_lots(map(int, ids))
    return {str(pk): lot for pk, lot in moved.items()}


def _tied(table: SeasonTable) -> set[str]:
    """The players who share their place, or who have no place and the same value as another."""
    places = Counter((row.rank, row.value) for row in table.rows)
    return {row.player_id for row in table.rows if places[row.rank, row.value] > 1}


def season_rule(season: Season) -> CountingRule:
    """The rule of the season's first standing of persons; without one every evening counts."""
    rules = (parse_season_rule(rule.settings) for rule in season.rules.order_by("position"))
    return next((rule for rule in rules if rule.ranks == "player"), CountingRule())


def evenings_counting(evenings: Iterable[Evening], rule: CountingRule) -> int:
    """How many of these evenings the rule counts, including those still to come."""
    planned = (evening for evening in evenings if evening.state != Evening.State.CANCELLED)
    return sum(evening.slug not in rule.excluded for evening in planned)


def season_results(
    evenings: list[Evening], season: Season | None = None, rule: CountingRule | None = None
) -> list[EveningResult]:
    """A result for each evening and person who played it or is recorded as absent, with what the
    director corrected for the `season` they are of; for each pair or team, if those are in the
    standing of the rule."""
    if rule is not None and rule.ranks != "player":
        return _competitors_results(evenings, rule, season)
    summaries = evening_summaries(evenings)
    corrections = _corrections(season)
    people = {line.member_id for lines in summaries.values() for line in lines}
    names = Member.objects.filter(pk__in=people).desk_names()
    return [
        result
        for evening in evenings
        for result in _results(evening, summaries[evening.pk], names, corrections)
    ]


def _corrections(season: Season | None) -> Mapping[int, int]:
    """What the director gave people, or took off, for the season as a whole, by member id. A query
    if there is any."""
    given: Counter[int] = Counter()
    if season is not None and season.corrected:
        made = PersonCorrection.objects.filter(season=season)
        for member_id, points in made.values_list("member", "points"):
            given[member_id] += points
    return given


def _results(
    evening: Evening,
    people: Iterable[PersonsEvening],
    names: Mapping[int, str],
    corrections: Mapping[int, int],
) -> Iterable[EveningResult]:
    slug, day = evening.slug, evening.date
    for person in people:
        member_id, score, boompjes, pits, roem, nats, best_round, last_round, absence, _ = person
        yield EveningResult(
            str(member_id),
            names[member_id],
            day,
            score,
            slug,
            boompjes,
            pits,
            roem,
            nats,
            best_round,
            last_round,
            ABSENCES.get(absence),
            correction=corrections.get(member_id, 0),
        )


def _competitors_results(
    evenings: list[Evening], rule: CountingRule, season: Season | None
) -> list[EveningResult]:
    corrections: Counter[int] = Counter()
    if season is not None and season.corrected:
        made = CompetitorCorrection.objects.filter(season=season)
        for competitor_id, points in made.values_list("competitor", "points"):
            corrections[competitor_id] += points
    summaries = competitor_summaries(evenings)
    results = [
        (evening, line)
        for evening in evenings
        for line in lines_for(summaries[evening.pk], rule.ranks, rule.team_best)
    ]
    names = competitor_names({line.competitor_id for _evening, line in results})
    return [
        EveningResult(
            key,
            names[key],
            evening.date,
            line.score,
            evening.slug,
            *line[4:10],
            absence=ABSENCES.get(line.absence),
            correction=corrections[line.competitor_id],
        )
        for evening, line in results
        if (key := competitor_key(line.competitor_id)) in names
    ]


def _with_encounters(
    results: list[EveningResult],
    evenings: Iterable[Evening],
    people: Collection[str],
    rule: CountingRule,
) -> list[EveningResult]:
    """The results, with encounters added for these people, pairs or teams."""
    if rule.ranks != "player":
        of_each = season_encounters(evenings, rule.ranks)
        return [
            replace(result, encounters=tuple(of_each.get((result.evening, result.player_id), ())))
            for result in results
        ]
    met = evening_encounters(evenings, people)
    slugs = {evening.slug: evening.pk for evening in evenings}
    return [
        replace(result, encounters=tuple(met.get((slugs[result.evening], result.player_id), ())))
        if result.player_id in people
        else result
        for result in results
    ]


def season_places_before(results: Sequence[EveningResult], table: SeasonTable) -> dict[str, int]:
    """Everybody's place before the last evening of this standing.

    Who met whom and lots play no part: they would ask the database again.
    """
    if len(table.evenings) < 2:
        return {}
    ties = [key for key in table.rule.tie_breaks if key not in (HEAD_TO_HEAD, "lot")]
    return places_before(table, results, ties)


@dataclass(frozen=True, slots=True)
class SeasonLeader:
    """A place in the season, None where nobody has one yet; `value` is what decides it, `before`
    the place before the last evening. `scores` has a figure for each evening, None where they did
    not play."""

    rank: int | None
    player_id: str
    value: Points
    before: int | None
    scores: Sequence[int | None]


def season_leaders(season: Season, places: int) -> list[SeasonLeader]:
    """The first places of the season's main standing, in order; the order so far where nobody has
    a place yet.

    Cached in each process under a hash of their input, the revision of every evening and the rule,
    so that they are never stale. Two queries, and two more on a cache miss.
    """
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence")
    evenings = list(closed)
    rule = season_rule(season)
    revisions = [(evening.uuid, evening.slug, evening.revision) for evening in evenings]
    content = repr([places, rule, season.corrected, *revisions])
    key = f"leaders-{hashlib.sha256(content.encode()).hexdigest()}"
    leaders: list[SeasonLeader] | None = caches["small"].get(key)
    if leaders is None:
        results = season_results(evenings, season)
        table = standings_of(evenings, rule, results)
        before = season_places_before(results, table)
        rows = table.rows
        placed = [row for row in rows if row.rank and row.rank <= places] or rows[:places]
        leaders = [
            SeasonLeader(
                row.rank, row.player_id, row.value, before.get(row.player_id), scores_of(row, table)
            )
            for row in placed
        ]
        caches["small"].set(key, leaders, CACHE_SECONDS)
    return leaders


def scores_of(row: SeasonRow, table: SeasonTable) -> list[int | None]:
    """What they scored on each evening of the standing."""
    cells = (row.by_evening.get(slug) for slug in table.evenings)
    return [cell.score if cell else None for cell in cells]


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """A line of the preview. `before` is the place, and `value_before` what decides it, under the
    saved settings or those compared with; `moved` how many places up that is, if both are known."""

    rank: int | None
    name: str
    value: Points
    total: int
    evenings: int
    before: int | None
    value_before: Points | None = None

    @property
    def moved(self) -> int | None:
        """How many places up, negative if down; `None` where there is no place before or after."""
        return None if self.rank is None or self.before is None else self.before - self.rank


@dataclass(frozen=True, slots=True)
class SeasonPreview:
    """What counts, in words, and the standing; `is_new` if there is none to compare it with, else
    `compared_with` is the name of that."""

    what_counts: str
    what_else: Sequence[str]
    lines: Sequence[PreviewLine]
    is_new: bool
    compared_with: str = ""


def season_preview(
    season: Season, settings: Mapping[str, object], standing: SeasonRule | None
) -> SeasonPreview:
    """These settings in words and their standing, compared with the saved one; with the one that
    everybody sees where the season has none of its own.

    Raises InvalidRule.
    """
    rule = parse_season_rule(settings)
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if counts_now(season, evening)]
    results = season_results(closed, season, rule)
    before: dict[str, SeasonRow] = {}
    saved = parse_season_rule(standing.settings) if standing else usual_rule(season)
    if saved is not None:
        same = (saved.ranks, saved.team_best) == (rule.ranks, rule.team_best)
        other = results if same else season_results(closed, season, saved)
        before = {row.player_id: row for row in standings_of(closed, saved, other).rows}
    return SeasonPreview(
        what_counts=what_counts(rule, evenings_counting(evenings, rule)),
        what_else=list(what_else_counts(rule, pit_word(season.club))),
        lines=[
            PreviewLine(
                rank=row.rank,
                name=row.name,
                value=row.value,
                total=row.total,
                evenings=row.evenings,
                before=was.rank if (was := before.get(row.player_id)) else None,
                value_before=was.value if was else None,
            )
            for row in standings_of(closed, rule, results).rows
        ],
        is_new=standing is None,
        compared_with=standing.name if standing else "",
    )
