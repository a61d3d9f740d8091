"""Scores in, places out: the standing of an evening and of a season.

Imports the standard library only.
"""

from tournaments.standings.core.evening import EveningRow, rank_evening
from tournaments.standings.core.metrics import (
    BY_POINTS,
    COLUMNS,
    EVENING_PRIZES,
    EVENING_TIE_BREAKS,
    MEASURES,
    METRICS,
    RANK_BY,
    SEASON_PRIZES,
    SEASON_TIE_BREAKS,
    Measure,
    Metric,
)
from tournaments.standings.core.places import SidePlace, evening_side, season_side
from tournaments.standings.core.results import (
    Absence,
    Encounter,
    EveningEntry,
    EveningResult,
    Points,
    RoundScore,
    mean,
    whole_mean,
)
from tournaments.standings.core.rule_json import InvalidRule, RuleFault, parse_season_rule
from tournaments.standings.core.season import rank_season
from tournaments.standings.core.table import (
    AGGREGATES,
    AbsenceRule,
    Aggregate,
    CountingRule,
    Period,
    PeriodScore,
    SeasonCell,
    SeasonRow,
    SeasonTable,
)
from tournaments.standings.core.why import (
    EveningWhy,
    NextEvening,
    Outcome,
    SeasonWhy,
    TieStep,
    TieWhy,
    Verdict,
    WhatIf,
    why_season,
)

__all__ = [
    "AGGREGATES",
    "BY_POINTS",
    "COLUMNS",
    "EVENING_PRIZES",
    "EVENING_TIE_BREAKS",
    "MEASURES",
    "METRICS",
    "RANK_BY",
    "SEASON_PRIZES",
    "SEASON_TIE_BREAKS",
    "Absence",
    "AbsenceRule",
    "Aggregate",
    "CountingRule",
    "Encounter",
    "EveningEntry",
    "EveningResult",
    "EveningRow",
    "EveningWhy",
    "InvalidRule",
    "Measure",
    "Metric",
    "NextEvening",
    "Outcome",
    "Period",
    "PeriodScore",
    "Points",
    "RoundScore",
    "RuleFault",
    "SeasonCell",
    "SeasonRow",
    "SeasonTable",
    "SeasonWhy",
    "SidePlace",
    "TieStep",
    "TieWhy",
    "Verdict",
    "WhatIf",
    "evening_side",
    "mean",
    "parse_season_rule",
    "rank_evening",
    "rank_season",
    "season_side",
    "whole_mean",
    "why_season",
]
