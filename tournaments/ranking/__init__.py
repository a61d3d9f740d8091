"""Scores in, places out: the standing of an evening and of a season.

Imports the standard library only.
"""

from tournaments.ranking.entries import EveningEntry, RoundScore
from tournaments.ranking.errors import CODES, InvalidRule, RuleFault
from tournaments.ranking.evening import EveningRow, rank_evening
from tournaments.ranking.figures import MetricKey, Points, TieBreak, mean, whole_mean
from tournaments.ranking.metrics import METRICS, Metric
from tournaments.ranking.parse import parse_season_rule
from tournaments.ranking.results import Absence, Encounter, EveningResult
from tournaments.ranking.rule import (
    AGGREGATES,
    EVENING_TIE_BREAKS,
    RANK_BY,
    TIE_BREAKS,
    AbsenceRule,
    Aggregate,
    SeasonRule,
)
from tournaments.ranking.season import rank_season
from tournaments.ranking.side import SidePlace, evening_side, season_side
from tournaments.ranking.table import PeriodScore, SeasonCell, SeasonRow, SeasonTable
from tournaments.ranking.what_if import BY_POINTS, NextEvening, Outcome, WhatIf
from tournaments.ranking.why import (
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
