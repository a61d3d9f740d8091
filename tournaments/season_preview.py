"""Preview of a season's standing under other settings, beside the present one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.words import pit_word
from tournaments.models import Evening, Season, SeasonRule
from tournaments.rule_words import what_counts, what_else_counts
from tournaments.season_standings import evenings_counting, season_results, standings_of
from tournaments.standings.core import Points, parse_season_rule


@dataclass(frozen=True, slots=True)
class PreviewLine:
    """A line of the preview. `before` is the place under the saved settings, if there is one."""

    rank: int | None
    name: str
    value: Points
    total: int
    evenings: int
    before: int | None


@dataclass(frozen=True, slots=True)
class SeasonPreview:
    """What counts, in words, and the standing; `is_new` if there is none to compare it with."""

    what_counts: str
    what_else: Sequence[str]
    lines: Sequence[PreviewLine]
    is_new: bool


def season_preview(
    season: Season, settings: Mapping[str, object], standing: SeasonRule | None
) -> SeasonPreview:
    """These settings in words and their standing, compared with the saved one, if there is one.

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
