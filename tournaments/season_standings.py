"""The results of a season's evenings, and the standings made of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from clubs.merges.queries import first_lots
from clubs.models import Member
from tournaments.encounters import HEAD_TO_HEAD, evening_encounters
from tournaments.models import Evening, Registration, Season
from tournaments.standings.core import (
    Absence,
    CountingRule,
    EveningResult,
    SeasonTable,
    parse_season_rule,
    rank_season,
)
from tournaments.summaries import PersonsEvening, evening_summaries

ABSENCES: Mapping[str, Absence] = {
    Registration.Absence.NOTICE: "notice",
    Registration.Absence.NONE: "none",
}


def season_standings(season: Season, rule: CountingRule | None = None) -> SeasonTable:
    """The standing over the season's closed evenings, by `rule` or else by the season's first."""
    evenings = list(season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence"))
    rule = rule or season_rule(season)
    return standings_of(evenings, rule)


def standings_of(
    evenings: list[Evening], rule: CountingRule, results: list[EveningResult] | None = None
) -> SeasonTable:
    """The standing that the rule makes of these evenings; `results` are theirs, if already loaded.

    Head-to-head scores are looked up only for players who are still tied at that tie-break.
    """
    results = season_results(evenings) if results is None else results
    columns = [evening.slug for evening in evenings]
    if HEAD_TO_HEAD in rule.tie_breaks:
        before = rule.tie_breaks[: rule.tie_breaks.index(HEAD_TO_HEAD)]
        table = rank_season(results, replace(rule, tie_breaks=before), evenings=columns)
        if tied := _tied(table):
            results = _with_encounters(results, evenings, tied)
    return rank_season(results, rule, evenings=columns, lots=_lots(results, rule))


def _lots(results: Iterable[EveningResult], rule: CountingRule) -> dict[str, str]:
    """What the lots of players from another server are drawn from, if the rule has lots."""
    if "lot" not in rule.tie_breaks:
        return {}
    moved = first_lots(int(result.player_id) for result in results)
    return {str(pk): lot for pk, lot in moved.items()}


def _tied(table: SeasonTable) -> set[str]:
    """The players who share their place, or who have no place and the same value as another."""
    places = Counter((row.rank, row.value) for row in table.rows)
    return {row.player_id for row in table.rows if places[row.rank, row.value] > 1}


def season_rule(season: Season) -> CountingRule:
    """The rule of the season's first standing; without one every evening counts."""
    first = season.rules.order_by("position").first()
    return parse_season_rule(first.settings) if first else CountingRule()


def evenings_counting(evenings: Iterable[Evening], rule: CountingRule) -> int:
    """How many of these evenings the rule counts, including those still to come."""
    planned = (evening for evening in evenings if evening.state != Evening.State.CANCELLED)
    return sum(evening.slug not in rule.excluded for evening in planned)


def season_results(evenings: list[Evening]) -> list[EveningResult]:
    """A result for each evening and person who played it or is recorded as absent."""
    summaries = evening_summaries(evenings)
    people = {line.member_id for lines in summaries.values() for line in lines}
    names = dict(Member.objects.filter(pk__in=people).values_list("pk", "name"))
    return [
        result for evening in evenings for result in _results(evening, summaries[evening.pk], names)
    ]


def _results(
    evening: Evening, people: Iterable[PersonsEvening], names: Mapping[int, str]
) -> Iterable[EveningResult]:
    slug = evening.slug
    for member_id, score, boompjes, pits, roem, nats, best_round, last_round, absence in people:
        yield EveningResult(
            str(member_id),
            names[member_id],
            evening.date,
            score,
            slug,
            boompjes,
            pits,
            roem,
            nats,
            best_round,
            last_round,
            ABSENCES.get(absence),
        )


def _with_encounters(
    results: list[EveningResult], evenings: Iterable[Evening], people: Collection[str]
) -> list[EveningResult]:
    """The results, with encounters added for these people."""
    met = evening_encounters(evenings, people)
    slugs = {evening.slug: evening.pk for evening in evenings}
    return [
        replace(result, encounters=tuple(met.get((slugs[result.evening], result.player_id), ())))
        if result.player_id in people
        else result
        for result in results
    ]
