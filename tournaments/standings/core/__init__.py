"""Scores in, places out: the standing of an evening and of a season.

Imports the standard library only.
"""

from tournaments.standings.core.entries import EveningEntry, RoundScore
from tournaments.standings.core.errors import CODES, InvalidRule, RuleFault
from tournaments.standings.core.evening import EveningRow, rank_evening
from tournaments.standings.core.figures import MetricKey, Points, TieBreak, mean, whole_mean
from tournaments.standings.core.metrics import METRICS, Metric
from tournaments.standings.core.parse import parse_season_rule
from tournaments.standings.core.results import Absence, Encounter, EveningResult
from tournaments.standings.core.rule import (
    AGGREGATES,
    EVENING_TIE_BREAKS,
    RANK_BY,
    TIE_BREAKS,
    AbsenceRule,
    Aggregate,
    SeasonRule,
)
from tournaments.standings.core.season import rank_season
from tournaments.standings.core.side import SidePlace, evening_side, season_side
from tournaments.standings.core.table import PeriodScore, SeasonCell, SeasonRow, SeasonTable
from tournaments.standings.core.what_if import BY_POINTS, NextEvening, Outcome, WhatIf
from tournaments.standings.core.why import (
    EveningWhy,
    SeasonWhy,
    TieStep,
    TieWhy,
    Verdict,
    why_season,
)

__all__ = [
    "AGGREGATES",
    "BY_POINTS",
    "CODES",
    "EVENING_TIE_BREAKS",
    "METRICS",
    "RANK_BY",
    "TIE_BREAKS",
    "Absence",
    "AbsenceRule",
    "Aggregate",
    "Encounter",
    "EveningEntry",
    "EveningResult",
    "EveningRow",
    "EveningWhy",
    "InvalidRule",
    "Metric",
    "MetricKey",
    "NextEvening",
    "Outcome",
    "PeriodScore",
    "Points",
    "RoundScore",
    "RuleFault",
    "SeasonCell",
    "SeasonRow",
    "SeasonRule",
    "SeasonTable",
    "SeasonWhy",
    "SidePlace",
    "TieBreak",
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
