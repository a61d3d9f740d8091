"""A season for printing: each standing with its explanation and its evenings."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member
from scoring.words import pit_word
from tournaments.models import Evening, Season
from tournaments.pdf.season import PaperStanding
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_choice import Standing
from tournaments.season_standings import evenings_counting, season_results, standings_of
from tournaments.standings.core import METRICS, CountingRule, SeasonTable


def season_papers(season: Season, standings: Iterable[Standing]) -> Iterator[PaperStanding]:
    """Each of these standings of the season, whose club is loaded. The results are read once for
    all of them."""
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    results = season_results(closed)
    members = Member.objects.in_bulk({int(result.player_id) for result in results})
    names = {str(pk): member.shown_name for pk, member in members.items()}
    for standing in standings:
        table = standings_of(closed, standing.rule, results)
        total = evenings_counting(evenings, standing.rule)
        yield _paper(standing, table, names, total, pit_word(season.club))


def _paper(
    standing: Standing, table: SeasonTable, names: Mapping[str, str], total: int, pit: str
) -> PaperStanding:
    rule = standing.rule
    by_average = rule.aggregate != "sum" and not rule.rank_by
    return PaperStanding(
        name=standing.name,
        table=table,
        names=names,
        evenings=[(slug, short_date(slug)) for slug in table.evenings],
        sentences=[what_counts(rule, total), *what_else_counts(rule, pit)],
        figure=_figure(rule, by_average=by_average),
        decimals=2 if by_average else None,
        counted=rule.rank_by is not None and METRICS[rule.rank_by].is_count,
        pit_word=pit,
    )


def short_date(slug: str) -> str:
    """The day of the evening with this key, in short: 21 nov."""
    return date_format(dt.date.fromisoformat(slug[:10]), "j b")


def _figure(rule: CountingRule, *, by_average: bool) -> str:
    if rule.rank_by:
        return _("score")
    return _("average") if by_average else _("counts")
