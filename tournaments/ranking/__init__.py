"""Scores in, places out: the standing of an evening and of a season.

Imports the standard library only.
"""

from tournaments.ranking.errors import CODES, InvalidRule, RuleFault
from tournaments.ranking.evening import EveningEntry, EveningRow, RoundScore, rank_evening
from tournaments.ranking.parse import parse_season_rule
from tournaments.ranking.results import Absence, Encounter, EveningResult
from tournaments.ranking.rule import (
    AGGREGATES,
    TIE_BREAKS,
    AbsenceRule,
    Aggregate,
    SeasonRule,
    TieBreak,
)
from tournaments.ranking.season import rank_season
from tournaments.ranking.table import PeriodScore, Points, SeasonCell, SeasonRow, SeasonTable

__all__ = [
    "AGGREGATES",
    "CODES",
    "TIE_BREAKS",
    "Absence",
    "AbsenceRule",
    "Aggregate",
    "Encounter",
    "EveningEntry",
    "EveningResult",
    "EveningRow",
    "InvalidRule",
    "PeriodScore",
    "Points",
    "RoundScore",
    "RuleFault",
    "SeasonCell",
    "SeasonRow",
    "SeasonRule",
    "SeasonTable",
    "TieBreak",
    "parse_season_rule",
    "rank_evening",
    "rank_season",
]
