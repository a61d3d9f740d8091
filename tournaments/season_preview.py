"""A season's standing as it would be under other settings, beside what it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.words import pit_word
from tournaments.models import Evening, Season, SeasonRule
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_standings import evenings_counting, season_results, standings_of
from tournaments.standings.core import Points, parse_season_rule


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """A line as it would be. `before` is the place under what stands now, None for none."""

    rank: int | None
    name: str
    value: Points
    total: int
    evenings: int
    before: int | None


@dataclass(frozen=True, slots=True)
class SeasonPreview:
    """What counts, in words, and the standing; `is_new` where nothing stands to compare with."""

    what_counts: str
    what_else: Sequence[str]
    lines: Sequence[PreviewLine]
    is_new: bool


def season_preview(
    season: Season, settings: Mapping[str, object], standing: SeasonRule | None
) -> SeasonPreview:
    """What these settings say and give, compared with the standing as it is saved, if it is.

    Raises InvalidRule.
    """
    rule = parse_season_rule(settings)
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    results = season_results(closed)
    before: dict[str, int | None] = {}
    if standing is not None:
        now = standings_of(closed, parse_season_rule(standing.settings), results)
        before = {row.player_id: row.rank for row in now.rows}
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
                before=before.get(row.player_id),
            )
            for row in standings_of(closed, rule, results).rows
        ],
        is_new=standing is None,
    )
