"""A season's standings, numbered from 1, the main one first."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.models import Season
from tournaments.standings.core import CountingRule, parse_season_rule


@dataclass(frozen=True, slots=True)
class Standing:
    """One of a season's standings."""

    number: int
    name: str
    rule: CountingRule


def season_choices(season: Season) -> Sequence[Standing]:
    """The season's standings in order; if it has none of its own, one in which every evening
    counts. One query."""
    own = [
        Standing(number, rule.name, parse_season_rule(rule.settings))
        for number, rule in enumerate(season.rules.order_by("position"), start=1)
    ]
    return own or [Standing(1, _("Season standing"), CountingRule())]


def season_choice(season: Season, number: int) -> Standing | None:
    """The season's standing with this number, if there is one. One query."""
    return next((choice for choice in season_choices(season) if choice.number == number), None)
