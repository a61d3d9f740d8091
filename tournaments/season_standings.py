"""A season's evenings as the ranking reads them, and the standings it makes of them."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import permutations
from typing import cast

from django.db.models.functions import Coalesce

from clubs.models import Member
from scoring.models import Seat
from scoring.rules import Seat as SeatName
from scoring.rules import side_of
from tournaments.models import Evening, PastResult, Registration, Season
from tournaments.ranking import (
    Encounter,
    EveningResult,
    RoundScore,
    SeasonRule,
    SeasonTable,
    parse_season_rule,
    rank_season,
)
from tournaments.scores import WHOLE_EVENING, scores_by_evening

Absences = dict[tuple[int, int], str]


def season_standings(season: Season, rule: SeasonRule | None = None) -> SeasonTable:
    """The season's standings over its closed evenings, by `rule` or else by the season's first."""
    evenings = list(season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence"))
    rule = rule or season_rule(season)
    return rank_season(
        season_results(evenings, head_to_head="head_to_head" in rule.tie_breaks),
        rule,
        evenings=[evening.slug for evening in evenings],
    )


def season_rule(season: Season) -> SeasonRule:
    """The rule of the season's first standing; without one everything counts."""
    first = season.rules.order_by("position").first()
    return parse_season_rule(first.settings) if first else SeasonRule()


def season_results(evenings: list[Evening], *, head_to_head: bool = False) -> list[EveningResult]:
    """One result per evening and person who played it or is recorded as absent; with
    `head_to_head` also what people scored against each other."""
    scores = scores_by_evening(evenings)
    absences = _absences(evenings)
    members = {pk for by_member in scores.values() for pk in by_member}
    names = dict(
        Member.objects.filter(pk__in=members | {who for _, who in absences}).values_list(
            "pk", "name"
        )
    )
    met = _encounters(evenings) if head_to_head else {}
    played = [
        _played(
            evening,
            member_id,
            names[member_id],
            list(by_round.values()),
            met.get((evening.pk, member_id), []),
        )
        for evening in evenings
        for member_id, by_round in scores[evening.pk].items()
    ]
    by_id = {evening.pk: evening for evening in evenings}
    absent = [
        _absent(by_id[evening_id], member_id, names[member_id], absence)
        for (evening_id, member_id), absence in absences.items()
        if member_id not in scores[evening_id]
    ]
    return played + absent


def _absences(evenings: Iterable[Evening]) -> Absences:
    rows = [
        *Registration.objects.filter(evening__in=evenings)
        .exclude(absence="")
        .values_list("evening_id", "member_id", "absence"),
        *PastResult.objects.filter(evening__in=evenings)
        .exclude(absence="")
        .values_list("evening_id", "member_id", "absence"),
    ]
    return {(evening_id, member_id): absence for evening_id, member_id, absence in rows}


def _encounters(evenings: Iterable[Evening]) -> dict[tuple[int, int], list[Encounter]]:
    """Per evening and person: at each table, his points and those of each opponent."""
    sheets: dict[tuple[int, int], list[tuple[int, str, int]]] = defaultdict(list)
    seats = Seat.objects.filter(sheet__table__round__evening__in=evenings).annotate(
        who=Coalesce("counts_for", "member")
    )
    for evening_id, sheet_id, who, seat, score in seats.filter(who__isnull=False).values_list(
        "sheet__table__round__evening", "sheet", "who", "seat", "score"
    ):
        sheets[evening_id, sheet_id].append((who, side_of(cast("SeatName", seat)), score))
    met: dict[tuple[int, int], list[Encounter]] = defaultdict(list)
    for (evening_id, _sheet), people in sheets.items():
        for (who, side, scored), (other, other_side, conceded) in permutations(people, 2):
            if side != other_side:
                met[evening_id, who].append(Encounter(str(other), scored, conceded))
    return met


def _played(
    evening: Evening,
    member_id: int,
    name: str,
    rounds: list[RoundScore],
    encounters: list[Encounter],
) -> EveningResult:
    whole = [score for score in rounds if score.round == WHOLE_EVENING]
    known = [score for score in rounds if score.round != WHOLE_EVENING]
    return EveningResult(
        player_id=str(member_id),
        name=name,
        date=evening.date,
        evening=evening.slug,
        score=sum(score.score for score in whole or known),
        boompjes=max(len(known), 1),
        pits=sum(score.pits for score in rounds),
        roem=sum(score.roem for score in rounds),
        nats=sum(score.nats for score in rounds),
        best_round=max((score.score for score in known), default=None),
        encounters=tuple(encounters),
    )


def _absent(evening: Evening, member_id: int, name: str, absence: str) -> EveningResult:
    return EveningResult(
        player_id=str(member_id),
        name=name,
        date=evening.date,
        evening=evening.slug,
        score=None,
        absence="notice" if absence == Registration.Absence.NOTICE else "none",
    )
