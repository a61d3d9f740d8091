"""Reading a season rule from JSON, reporting every fault instead of stopping at the first."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeVar

from tournaments.standings.core.metrics import RANK_BY, SEASON_TIE_BREAKS
from tournaments.standings.core.results import (
    AGGREGATES,
    RANKS,
    AbsenceRule,
    CountingRule,
    Period,
)

Choice = TypeVar("Choice", bound=str)

MESSAGES: Mapping[str, str] = {
    "bad_type": "must be {expected}",
    "unknown_key": "there is no such key; there are {known}",
    "bad_value": "must be one of {known}",
    "too_small": "must be at least {least}",
    "bad_date": "{value!r} is not a date like 2026-09-05",
    "bad_evening": "{value!r} is not an evening like 2026-09-05 or 2026-09-05-2",
    "period_order": "the period ends before it starts",
    "period_overlap": "the period overlaps the one from {start} to {end}",
    "duplicate": "{value!r} is named more than once",
}

ABSENCE_KEYS = ("with_notice", "without_notice", "may_be_dropped")
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""A date outside these years is mistyped."""

_EVENING = re.compile(r"(\d{4}-\d\d-\d\d)(-([2-9]|[1-9]\d+))?", re.ASCII)


@dataclass(frozen=True)
class RuleFault:
    """One fault: where (`periods.0.1`; empty for the rule itself), a code, and its details."""

    path: str
    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The fault in English, without the place."""
        return MESSAGES[self.code].format_map(self.params)

    def __str__(self) -> str:
        return f"{self.path or 'rule'}: {self.message}"


class InvalidRule(ValueError):
    """A season rule that cannot be used. `faults` has all of them, in order of the keys."""

    def __init__(self, faults: Sequence[RuleFault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


class _Reader:
    """Checks the shape of decoded JSON. Each method returns a value of the right type, and adds to
    `faults` if the input was something else."""

    def __init__(self) -> None:
        self.faults: list[RuleFault] = []

    def fault(self, path: str, code: str, **params: object) -> None:
        """Record a fault."""
        self.faults.append(RuleFault(path, code, params))

    def keys(self, path: str, value: object, known: Sequence[str]) -> Mapping[str, object]:
        """The object without the keys that are not `known`; empty if it is no object."""
        if not isinstance(value, dict):
            self.fault(path, "bad_type", expected="an object")
            return {}
        for key in value:
            if key not in known:
                where = f"{path}.{key}" if path else str(key)
                self.fault(where, "unknown_key", known=", ".join(known))
        return {key: value[key] for key in known if key in value}

    def items(self, path: str, value: object) -> Sequence[object]:
        """The list; empty if it is no list."""
        if isinstance(value, list):
            return value
        self.fault(path, "bad_type", expected="a list")
        return []

    def whole(self, path: str, value: object, least: int | None = None) -> int:
        """The whole number, neither `true` nor 4.0; 0 if it is none."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(path, "bad_type", expected="a whole number")
            return 0
        if least is not None and value < least:
            self.fault(path, "too_small", least=least)
        return value

    def yes_no(self, path: str, value: object) -> bool:
        """True or false; false if it is neither."""
        if not isinstance(value, bool):
            self.fault(path, "bad_type", expected="true or false")
            return False
        return value

    def choice(self, path: str, value: object, known: Sequence[Choice]) -> Choice:
        """The member of `known` that equals the value; the first if none does."""
        for choice in known:
            if value == choice:
                return choice
        self.fault(path, "bad_value", known=", ".join(known))
        return known[0]


def parse_season_rule(obj: object) -> CountingRule:
    """The rule that this decoded JSON object describes; a key left out has its default.

    Raises `InvalidRule` with every fault at once.
    """
    read = _Reader()
    given = read.keys("", obj, tuple(CountingRule().as_json()))
    rule = CountingRule(
        periods=_periods(read, given.get("periods")),
        best_per_period=_limit(read, "best_per_period", given),
        best_periods=_limit(read, "best_periods", given),
        aggregate=read.choice("aggregate", given.get("aggregate", "sum"), AGGREGATES),
        minimum_evenings=_limit(read, "minimum_evenings", given, least=0) or 0,
        excluded=_excluded(read, given.get("excluded", [])),
        absence=_absence(read, given.get("absence", {})),
        tie_breaks=_tie_breaks(read, given.get("tie_breaks", [])),
        rank_by=_rank_by(read, given.get("rank_by")),
        ranks=read.choice("ranks", given.get("ranks", "player"), RANKS),
        team_best=_team_best(read, given.get("team")),
    )
    if read.faults:
        raise InvalidRule(read.faults)
    return rule


def _limit(read: _Reader, key: str, given: Mapping[str, object], *, least: int = 1) -> int | None:
    return None if given.get(key) is None else read.whole(key, given[key], least)


def _periods(read: _Reader, value: object) -> tuple[Period, ...]:
    periods: list[Period] = []
    for at, entry in enumerate([] if value is None else read.items("periods", value)):
        path = f"periods.{at}"
        period = _period(read, path, entry)
        if period is not None:
            _refuse_overlap(read, path, period, periods)
            periods.append(period)
    return tuple(periods)


def _refuse_overlap(read: _Reader, path: str, period: Period, earlier: Sequence[Period]) -> None:
    for start, end in earlier:
        if start <= period[1] and period[0] <= end:
            read.fault(path, "period_overlap", start=start, end=end)


def _period(read: _Reader, path: str, value: object) -> Period | None:
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


def _date(read: _Reader, path: str, value: object) -> date | None:
    if isinstance(value, str):
        day = _as_date(value)
        if day is None:
            read.fault(path, "bad_date", value=value)
        return day
    read.fault(path, "bad_type", expected="a date as text")
    return None


def _as_date(text: str) -> date | None:
    match = _EVENING.fullmatch(text)
    if match is None or match[2]:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


def _excluded(read: _Reader, value: object) -> tuple[str, ...]:
    evenings = read.items("excluded", value)
    for at, evening in enumerate(evenings):
        match = _EVENING.fullmatch(evening) if isinstance(evening, str) else None
        if match is None or _as_date(match[1]) is None:
            read.fault(f"excluded.{at}", "bad_evening", value=evening)
    return tuple(str(evening) for evening in evenings)


def _absence(read: _Reader, value: object) -> AbsenceRule:
    given = read.keys("absence", value, ABSENCE_KEYS)
    return AbsenceRule(
        with_notice=_with_notice(read, given.get("with_notice")),
        without_notice=read.whole("absence.without_notice", given.get("without_notice", 0)),
        may_be_dropped=read.yes_no("absence.may_be_dropped", given.get("may_be_dropped", False)),
    )


def _with_notice(read: _Reader, value: object) -> int | Literal["lowest"] | None:
    if value is None or value == "lowest":
        return None if value is None else "lowest"
    if isinstance(value, str):
        read.fault("absence.with_notice", "bad_value", known="null, a whole number, lowest")
        return None
    return read.whole("absence.with_notice", value)


def _tie_breaks(read: _Reader, value: object) -> tuple[str, ...]:
    chain: list[str] = []
    entries = read.items("tie_breaks", value)
    for at, entry in enumerate(entries):
        path = f"tie_breaks.{at}"
        if entry in entries[:at]:
            read.fault(path, "duplicate", value=entry)
        chain.append(read.choice(path, entry, SEASON_TIE_BREAKS))
    return tuple(chain)


def _rank_by(read: _Reader, value: object) -> str | None:
    return None if value is None else read.choice("rank_by", value, RANK_BY)


def _team_best(read: _Reader, value: object) -> int | None:
    given = {} if value is None else read.keys("team", value, ("best",))
    best = given.get("best")
    return None if best is None else read.whole("team.best", best, least=1)
