"""A season as its prints want it: every standing with what is said of it, and its evenings."""

import datetime as dt

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member
from scoring.words import pit_word
from tournaments.models import Evening, Season, SeasonRule
from tournaments.pdf.season import SeasonStanding
from tournaments.prize_words import COUNTED
from tournaments.ranking import SeasonRule as Rule
from tournaments.ranking import parse_season_rule
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_standings import season_standings


def season_rules(season: Season) -> list[SeasonRule]:
    """The rules of the season's standings in order; without any, one that counts everything."""
    return list(season.rules.order_by("position")) or [SeasonRule(season=season, name="")]


def season_standing(season: Season, rule: SeasonRule) -> SeasonStanding:
    """The standing by this rule, which has its season and club at hand."""
    parsed = parse_season_rule(rule.settings)
    table = season_standings(season, parsed)
    members = Member.objects.in_bulk([int(row.player_id) for row in table.rows])
    pit = pit_word(season.club)
    by_average = parsed.aggregate != "sum" and not parsed.rank_by
    return SeasonStanding(
        name=rule.name or _("Standings"),
        table=table,
        names={str(pk): member.shown_name for pk, member in members.items()},
        evenings=[(slug, short_date(slug)) for slug in table.evenings],
        sentences=[
            what_counts(parsed, _evenings_of(season, parsed)),
            *what_else_counts(parsed, pit),
        ],
        figure=_figure(parsed, by_average=by_average),
        decimals=2 if by_average else None,
        counted=parsed.rank_by in COUNTED,
        pit_word=pit,
    )


def short_date(slug: str) -> str:
    """The day of the evening with this key, as short as it is still read: 21 nov."""
    return date_format(dt.date.fromisoformat(slug[:10]), "j b")


def _figure(rule: Rule, *, by_average: bool) -> str:
    if rule.rank_by:
        return _("score")
    return _("average") if by_average else _("counts")


def _evenings_of(season: Season, rule: Rule) -> int:
    """How many evenings the season has, those still to come included."""
    planned = season.evenings.exclude(state=Evening.State.CANCELLED)
    return sum(evening.slug not in rule.excluded for evening in planned)
