"""A season's evenings as the ranking reads them, and the standings it makes of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from clubs.merges.queries import first_lots
from clubs.models import Member
from tournaments.encounters import HEAD_TO_HEAD, evening_encounters
from tournaments.models import Evening, Registration, Season
from tournaments.ranking import (
    Absence,
    EveningResult,
    SeasonRule,
    SeasonTable,
    parse_season_rule,
    rank_season,
)
from tournaments.summaries import PersonsEvening, evening_summaries

ABSENCES: Mapping[str, Absence] = {
    Registration.Absence.NOTICE: "notice",
    Registration.Absence.NONE: "none",
}


def season_standings(season: Season, rule: SeasonRule | None = None) -> SeasonTable:
    """The season's standings over its closed evenings, by `rule` or else by the season's first."""
    evenings = list(season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence"))
    rule = rule or season_rule(season)
    return standings_of(evenings, rule)


def standings_of(
    evenings: list[Evening], rule: SeasonRule, results: list[EveningResult] | None = None
) -> SeasonTable:
    """The standings that the rule makes of these evenings; `results` are theirs, where they are at
    hand already.

    What people scored against each other is looked up only for who is tied when it comes to that.
    """
    results = season_results(evenings) if results is None else results
    columns = [evening.slug for evening in evenings]
    if HEAD_TO_HEAD in rule.tie_breaks:
        before = rule.tie_breaks[: rule.tie_breaks.index(HEAD_TO_HEAD)]
        table = rank_season(results, replace(rule, tie_breaks=before), evenings=columns)
        if tied := _tied(table):
            results = _with_encounters(results, evenings, tied)
    return rank_season(results, rule, evenings=columns, lots=_lots(results, rule))


def _lots(results: Iterable[EveningResult], rule: SeasonRule) -> dict[str, str]:
    """From what the lots are drawn of people who came from another server, where that matters."""
    if "lot" not in rule.tie_breaks:
        return {}
    moved = first_lots(int(one.player_id) for one in results)
    return {str(pk): lot for pk, lot in moved.items()}


def _tied(table: SeasonTable) -> set[str]:
    """Who shares his place, or is as good as another who has none either."""
    places = Counter((row.rank, row.value) for row in table.rows)
    return {row.player_id for row in table.rows if places[row.rank, row.value] > 1}


def season_rule(season: Season) -> SeasonRule:
    """The rule of the season's first standing; without one everything counts."""
    first = season.rules.order_by("position").first()
    return parse_season_rule(first.settings) if first else SeasonRule()


def evenings_counting(evenings: Iterable[Evening], rule: SeasonRule) -> int:
    """How many of these evenings the rule counts, those still to come included."""
    planned = (one for one in evenings if one.state != Evening.State.CANCELLED)
    return sum(one.slug not in rule.excluded for one in planned)


def season_results(evenings: list[Evening]) -> list[EveningResult]:
    """One result per evening and person who played it or is recorded as absent."""
    summaries = evening_summaries(evenings)
    people = {one.member_id for lines in summaries.values() for one in lines}
    names = dict(Member.objects.filter(pk__in=people).values_list("pk", "name"))
    return [
        result for evening in evenings for result in _results(evening, summaries[evening.pk], names)
    ]


def _results(
    evening: Evening, people: Iterable[PersonsEvening], names: Mapping[int, str]
) -> Iterable[EveningResult]:
    slug = evening.slug
    for who, score, boompjes, pits, roem, nats, best_round, last_round, absence in people:
        yield EveningResult(
            str(who),
            names[who],
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
    """The results of these people with what they scored against each other; the others' as they
    are."""
    met = evening_encounters(evenings, people)
    slugs = {evening.slug: evening.pk for evening in evenings}
    return [
        replace(one, encounters=tuple(met.get((slugs[one.evening], one.player_id), ())))
        if one.player_id in people
        else one
        for one in results
    ]
