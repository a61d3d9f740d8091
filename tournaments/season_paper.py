"""A season as its prints want it: every standing with what is said of it, and its evenings."""

import datetime as dt

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member
from scoring.words import pit_word
from tournaments.models import Season
from tournaments.pdf.season import PaperStanding
from tournaments.prize_words import COUNTED
from tournaments.ranking import SeasonRule
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_choice import Standing
from tournaments.season_standings import evenings_counting, season_standings


def season_standing(season: Season, standing: Standing) -> PaperStanding:
    """This standing of the season, which has its club at hand."""
    rule = standing.rule
    table = season_standings(season, rule)
    members = Member.objects.in_bulk([int(row.player_id) for row in table.rows])
    pit = pit_word(season.club)
    by_average = rule.aggregate != "sum" and not rule.rank_by
    return PaperStanding(
        name=standing.name,
        table=table,
        names={str(pk): member.shown_name for pk, member in members.items()},
        evenings=[(slug, short_date(slug)) for slug in table.evenings],
        sentences=[
            what_counts(rule, evenings_counting(season.evenings.all(), rule)),
            *what_else_counts(rule, pit),
        ],
        figure=_figure(rule, by_average=by_average),
        decimals=2 if by_average else None,
        counted=rule.rank_by in COUNTED,
        pit_word=pit,
    )


def short_date(slug: str) -> str:
    """The day of the evening with this key, as short as it is still read: 21 nov."""
    return date_format(dt.date.fromisoformat(slug[:10]), "j b")


def _figure(rule: SeasonRule, *, by_average: bool) -> str:
    if rule.rank_by:
        return _("score")
    return _("average") if by_average else _("counts")
