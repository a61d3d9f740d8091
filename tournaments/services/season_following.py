"""A new season that starts as the one before it."""

import datetime as dt
from dataclasses import replace

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Coalesce

from clubs.audit import Actor
from clubs.models import Club
from tournaments.models import Season
from tournaments.prizes.core import parse_prizes
from tournaments.services.prizes import season_prizes_choose
from tournaments.services.season_rules import season_rule_add
from tournaments.services.seasons import season_create
from tournaments.standings.core import CountingRule, parse_season_rule


def season_before(club: Club) -> Season | None:
    """The season that a new one copies: of those with a standing the one played last, or else the
    one that begins last. None where there is none. One query."""
    last = Coalesce(Max("evenings__date"), F("starts"))
    seasons = club.seasons.filter(rules__isnull=False).annotate(last=last)
    return seasons.order_by(F("last").desc(nulls_last=True), "-pk").first()


def is_of_its_days(rule: CountingRule) -> bool:
    """Whether a standing has periods or leaves evenings out: days that no other season has."""
    return bool(rule.periods or rule.excluded)


@transaction.atomic
def season_follow(
    *,
    club: Club,
    name: str,
    before: Season,
    actor: Actor,
    starts: dt.date | None = None,
    ends: dt.date | None = None,
    fee: int | None = None,
) -> Season:
    """A new season with the standings and the prizes of the one `before`, without the periods and
    the evenings left out: those are days of that season. `fee` is in cents.

    Raises DomainError like `season_create`.
    """
    season = season_create(club=club, name=name, starts=starts, ends=ends, fee=fee, actor=actor)
    for rule in before.rules.order_by("position"):
        counted = replace(
            parse_season_rule(rule.settings), periods=(), best_periods=None, excluded=()
        )
        season_rule_add(season=season, name=rule.name, settings=counted.as_json(), actor=actor)
    if before.prizes:
        season_prizes_choose(season=season, scheme=parse_prizes(before.prizes), actor=actor)
    return season
