"""Reading a season rule from JSON."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

from tournaments.standings.core.errors import InvalidRule
from tournaments.standings.core.figures import MetricKey, TieBreak
from tournaments.standings.core.reader import Reader
from tournaments.standings.core.rule import (
    AGGREGATES,
    RANK_BY,
    TIE_BREAKS,
    AbsenceRule,
    Period,
    SeasonRule,
)

_EVENING = re.compile(r"(\d{4}-\d\d-\d\d)(-([2-9]|[1-9]\d+))?", re.ASCII)


def parse_season_rule(obj: object) -> SeasonRule:
    """The rule that this decoded JSON object describes; a key left out has its default.

    Raises `InvalidRule` with every fault at once.
    """
    read = Reader()
    given = read.keys("", obj, tuple(SeasonRule().as_json()))
    rule = SeasonRule(
        periods=_periods(read, given.get("periods")),
        best_per_period=_limit(read, "best_per_period", given),
        best_periods=_limit(read, "best_periods", given),
        aggregate=read.choice("aggregate", given.get("aggregate", "sum"), AGGREGATES),
        minimum_evenings=_limit(read, "minimum_evenings", given, least=0) or 0,
        excluded=_excluded(read, given.get("excluded", [])),
        absence=_absence(read, given.get("absence", {})),
        tie_breaks=_tie_breaks(read, given.get("tie_breaks", [])),
        rank_by=_rank_by(read, given.get("rank_by")),
    )
    if read.faults:
        raise InvalidRule(read.faults)
    return rule


def _limit(read: Reader, key: str, given: Mapping[str, object], *, least: int = 1) -> int | None:
    return None if given.get(key) is None else read.whole(key, given[key], least)


def _periods(read: Reader, value: object) -> tuple[Period, ...]:
    periods: list[Period] = []
    for at, entry in enumerate([] if value is None else read.items("periods", value)):
        path = f"periods.{at}"
        period = _period(read, path, entry)
        if period is not None:
            _refuse_overlap(read, path, period, periods)
            periods.append(period)
    return tuple(periods)


def _refuse_overlap(read: Reader, path: str, period: Period, earlier: Sequence[Period]) -> None:
    for start, end in earlier:
        if start <= period[1] and period[0] <= end:
            read.fault(path, "period_overlap", start=start, end=end)


def _period(read: Reader, path: str, value: object) -> Period | None:
    ends = value if isinstance(value, list) else []
    if len(ends) != 2:
        read.fault(path, "bad_type", expected="a list of two dates")
        return None
    start, end = (_date(read, f"{path}.{at}", text) for at, text in enumerate(ends))
    if start is None or end is None:
        return None
    if end < start:
        read.fault(path, "period_order")
        return None
    return start, end


def _date(read: Reader, path: str, value: object) -> date | None:
    if isinstance(value, str):
        found = _as_date(value)
        if found is None:
            read.fault(path, "bad_date", value=value)
        return found
    read.fault(path, "bad_type", expected="a date as text")
    return None


def _as_date(text: str) -> date | None:
    match = _EVENING.fullmatch(text)
    if match is None or match[2]:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _excluded(read: Reader, value: object) -> tuple[str, ...]:
    evenings = read.items("excluded", value)
    for at, evening in enumerate(evenings):
        match = _EVENING.fullmatch(evening) if isinstance(evening, str) else None
        if match is None or _as_date(match[1]) is None:
            read.fault(f"excluded.{at}", "bad_evening", value=evening)
    return tuple(str(evening) for evening in evenings)


def _absence(read: Reader, value: object) -> AbsenceRule:
    given = read.keys("absence", value, ("with_notice", "without_notice"))
    return AbsenceRule(
        with_notice=_with_notice(read, given.get("with_notice")),
        without_notice=read.whole("absence.without_notice", given.get("without_notice", 0)),
    )


def _with_notice(read: Reader, value: object) -> int | Literal["lowest"] | None:
    if value is None or value == "lowest":
        return None if value is None else "lowest"
    if isinstance(value, str):
        read.fault("absence.with_notice", "bad_value", known="null, a whole number, lowest")
        return None
    return read.whole("absence.with_notice", value)


def _tie_breaks(read: Reader, value: object) -> tuple[TieBreak, ...]:
    chain: list[TieBreak] = []
    entries = read.items("tie_breaks", value)
    for at, entry in enumerate(entries):
        path = f"tie_breaks.{at}"
        if entry in entries[:at]:
            read.fault(path, "duplicate", value=entry)
        chain.append(read.choice(path, entry, TIE_BREAKS))
    return tuple(chain)


def _rank_by(read: Reader, value: object) -> MetricKey | None:
    return None if value is None else read.choice("rank_by", value, RANK_BY)
