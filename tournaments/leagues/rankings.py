"""Rankings of people over the clubs of a league: their rules, and official lists.

A list that was published stays: the database refuses to change it.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.models import Club
from clubs.text.errors import DomainError, VersionConflict
from clubs.text.names import name_key, tidy_name
from clubs.text.numbers import number, signed
from tournaments.leagues.people import nobody, people_shown, require_plays
from tournaments.leagues.ranked_results import Counted, RankingRow, ranking_on
from tournaments.leagues.services import (
    about,
    free_slug,
    league_audit,
    league_lock,
    require_name,
    row_write,
)
from tournaments.models import (
    Evening,
    League,
    LeagueRanking,
    MatchDay,
    RankedEvening,
    RankingList,
)

RULE = (
    "system",
    "ranks",
    "family",
    "months",
    "minimum_rounds",
    "event_players",
    "event_rounds",
    "full",
    "half",
    "weights",
)


# Rankings: making and changing one, and its official lists.


@transaction.atomic
def ranking_write(
    *,
    league: League,
    name: str,
    rule: Mapping[str, Any],
    actor: Actor,
    ranking: LeagueRanking | None = None,
    version: int = 0,
) -> LeagueRanking:
    """A new ranking, or another name and rule for one that is there; its lists stay as they are.

    Raises DomainError `name_missing`, `name_too_long`, `ranking_exists`, `mixed_rules`,
    `bad_weights` or `bad_rule`, and VersionConflict.
    """
    league = league_lock(league.pk)
    name = tidy_name(name)
    require_name(name, 60)
    others = league.rankings.exclude(pk=ranking.pk) if ranking else league.rankings.all()
    known = list(others.values_list("name", "slug"))
    if any(name_key(other) == name_key(name) for other, _slug in known):
        raise DomainError("ranking_exists", _("There is already a ranking called %s.") % name)
    columns = {column: rule[column] for column in RULE}
    _require_rule(columns)
    if ranking is None:
        slug = free_slug(name, "ranking", {slug for _name, slug in known})
        ranking = LeagueRanking.objects.create(league=league, name=name, slug=slug, **columns)
        league_audit(league, actor, "ranking_added", about(ranking), texts={"name": name})
        return ranking
    row_write(ranking, version, name=name, **columns)
    league_audit(league, actor, "ranking_changed", about(ranking), texts={"name": name})
    return LeagueRanking.objects.select_related("league").get(pk=ranking.pk)


def _require_rule(rule: Mapping[str, Any]) -> None:
    if rule["system"] == LeagueRanking.System.MEAN and not rule["family"]:
        message = _("A mean of points is of one kind of rules: choose which.")
        raise DomainError("mixed_rules", message)
    weights = rule["weights"]
    if not weights or len(weights) > 10 or not all(0 <= weight <= 100 for weight in weights):
        message = _("Give one to ten seasons a weight from 0 to 100.")
        raise DomainError("bad_weights", message)
    try:
        LeagueRanking(**rule).clean_fields(exclude=["league", "name", "slug"])
    except ValidationError as error:
        field_of = LeagueRanking._meta.get_field
        faults = [
            f"{getattr(field_of(column), 'verbose_name', column)}: {' '.join(said)}"
            for column, said in error.message_dict.items()
        ]
        raise DomainError("bad_rule", " ".join(faults), lines=faults) from error


@transaction.atomic
def ranking_publish(*, ranking: LeagueRanking, on: dt.date, actor: Actor, seen: str) -> RankingList:
    """Publish the ranking as it is on a day as the next official list.

    Raises DomainError `to_come`, `earlier_than_the_last` or `nobody_ranked`, and VersionConflict
    where it is no longer what was `seen`.
    """
    league = league_lock(ranking.league_id)
    ranking = LeagueRanking.objects.select_related("league").get(pk=ranking.pk)
    last = ranking.lists.first()
    if on > timezone.localdate():
        raise DomainError("to_come", _("This day is still to come."))
    if last and on < last.on:
        raise DomainError("earlier_than_the_last", _("There is a list of a later day already."))
    standing = ranking_on(ranking, on)
    rows = [asdict(row) for row in standing]
    if not any(row["place"] for row in rows):
        message = _("Nobody has a place in this ranking yet, so there is nothing to publish.")
        raise DomainError("nobody_ranked", message)
    if seen != ranking_seen(ranking, on, standing):
        message = _("The ranking changed meanwhile. Look at it again, then publish it.")
        raise VersionConflict("changed_meanwhile", message)
    rule = {column: getattr(ranking, column) for column in RULE}
    made = RankingList(
        ranking=ranking, number=last.number + 1 if last else 1, on=on, rule=rule, rows=rows
    )
    made.seal = list_seal(made)
    made.save(force_insert=True)
    league_audit(
        league,
        actor,
        "ranking_published",
        about(ranking),
        data={"number": made.number, "on": on.isoformat(), "seal": made.seal},
        texts={"name": ranking.name},
    )
    return made


def ranking_seen(ranking: LeagueRanking, on: dt.date, rows: Iterable[RankingRow]) -> str:
    """A hash over what would be published of a ranking on a day: its rule, and its rows."""
    rule = {column: getattr(ranking, column) for column in RULE}
    said = [on.isoformat(), rule, [asdict(row) for row in rows]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def list_seal(made: RankingList) -> str:
    """A hash over all that a list says, which the trail of the league has too."""
    said = [made.number, made.on.isoformat(), made.rule, made.rows]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def list_rows(made: RankingList) -> list[RankingRow]:
    """The rows of an official list."""
    return [
        RankingRow(**(row | {"results": [Counted(**result) for result in row["results"]]}))
        for row in made.rows
    ]


# Evenings that a club enters.


@transaction.atomic
def ranked_evening_enter(*, league: League, evening: Evening, actor: Actor) -> bool:
    """A club has one of its evenings count for the rankings of a league; whether it did not yet.

    Raises DomainError `not_in_the_league`.
    """
    league = league_lock(league.pk)
    require_plays(league, evening.club)
    _row, is_new = RankedEvening.objects.get_or_create(league=league, evening_uuid=evening.uuid)
    if is_new:
        _audit_evening(league, evening, actor, "ranked_evening_entered")
    return is_new


@transaction.atomic
def ranked_evening_take_back(*, league: League, evening: Evening, actor: Actor) -> None:
    """An evening of a club counts no more for the rankings; published lists stay."""
    league = league_lock(league.pk)
    gone, _of_each = league.ranked_evenings.filter(evening_uuid=evening.uuid).delete()
    if gone:
        _audit_evening(league, evening, actor, "ranked_evening_taken_back")


def _audit_evening(league: League, evening: Evening, actor: Actor, action: str) -> None:
    data = {"date": evening.date.isoformat()}
    texts = {"club": evening.club.name}
    league_audit(league, actor, action, f"evening:{evening.uuid}", data=data, texts=texts)


def entered_evenings(league: League, club: Club) -> list[tuple[Evening, bool]]:
    """The closed evenings of a club in the last two years that are of no match day, newest first,
    and whether each counts for the rankings. Three queries."""
    since = timezone.localdate() - dt.timedelta(days=731)
    of_days = MatchDay.objects.exclude(evening_uuid=None).values("evening_uuid")
    entered = set(league.ranked_evenings.values_list("evening_uuid", flat=True))
    closed = Evening.objects.of(club).filter(state=Evening.State.CLOSED, date__gte=since)
    evenings = closed.exclude(uuid__in=of_days).order_by("-date", "-sequence")[:100]
    return [(evening, evening.uuid in entered) for evening in evenings]


# What is known of one person.


@dataclass(frozen=True, slots=True)
class ListedPlace:
    """A place of somebody in an official list."""

    made: RankingList
    row: RankingRow


def places_of(person: str, lists: Iterable[RankingList]) -> list[ListedPlace]:
    """Where somebody stands in each of these lists."""
    return [
        ListedPlace(made, row)
        for made in lists
        for row in list_rows(made)
        if row.person == person and row.place is not None
    ]


def latest_lists(league: League) -> QuerySet[RankingList]:
    """The newest official list of each ranking. One query."""
    of_ranking = RankingList.objects.filter(ranking=OuterRef("ranking")).order_by("-number")
    newest = RankingList.objects.filter(pk=Subquery(of_ranking.values("pk")[:1]))
    lists = newest.filter(ranking__league=league).select_related("ranking__league")
    return lists.order_by("ranking__name", "ranking")


# How they are read.


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a ranking as it is read."""

    row: RankingRow
    name: str
    number: int | None
    value: str


def shown_rows(
    league: League, ranking: LeagueRanking, rows: Sequence[RankingRow]
) -> list[ShownRow]:
    """The rows with the names that their clubs show. Two queries."""
    people = people_shown(league, [row.person for row in rows])
    return [
        ShownRow(row, person.name, person.number, shown_value(ranking.system, row))
        for row in rows
        for person in [people.get(row.person, nobody())]
    ]


def shown_value(system: str, row: RankingRow) -> str:
    """What somebody has in a ranking, as it is read."""
    if not row.value:
        return ""
    if system == LeagueRanking.System.STRENGTH:
        return signed(int(row.figure))
    return str(number(row.figure, 2))


def result_value(system: str, result: Counted) -> str:
    """What a result is worth in a ranking, as it is read."""
    if system == LeagueRanking.System.BEST_OF:
        return str(number(result.figure, 2))
    whole = int(result.figure)
    return signed(whole) if system == LeagueRanking.System.STRENGTH else str(number(whole))
