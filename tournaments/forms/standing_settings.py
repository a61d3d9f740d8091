"""Between the settings of a season's standing and the fields of its form."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

FEWEST_PERIODS, SPARE_PERIODS, MOST_PERIODS = 8, 2, 60
FEWEST_TIES = 5

Data = Mapping[str, Any]


def form_data(settings: Data) -> dict[str, Any]:
    """These settings as the fields show them."""
    absence = settings.get("absence") or {}
    notice = absence.get("with_notice")
    return {
        "best": settings.get("best_per_period"),
        "aggregate": settings.get("aggregate", "sum"),
        "rank_by": settings.get("rank_by") or "",
        "minimum": settings.get("minimum_evenings") or None,
        "best_periods": settings.get("best_periods"),
        "excluded": settings.get("excluded", []),
        "with_notice": _notice_kind(notice),
        "notice_points": notice if isinstance(notice, int) else None,
        "without_notice": absence.get("without_notice", 0),
        **_period_fields(settings.get("periods") or []),
        **{f"tie_{at}": tie for at, tie in enumerate(settings.get("tie_breaks", []), start=1)},
    }


def rule_settings(answers: Data, periods: Sequence[int], ties: Sequence[int]) -> dict[str, object]:
    """The settings that were filled in; `periods` and `ties` are the rows that have something."""
    spans = [
        [_iso(answers.get(f"period_{row}_{end}")) for end in ("from", "to")] for row in periods
    ]
    return {
        "periods": spans or None,
        "best_per_period": answers.get("best"),
        "best_periods": answers.get("best_periods") if spans else None,
        "aggregate": answers.get("aggregate") or "sum",
        "rank_by": answers.get("rank_by") or None,
        "minimum_evenings": answers.get("minimum") or 0,
        "excluded": answers.get("excluded") or [],
        "absence": {
            "with_notice": _notice(answers),
            "without_notice": answers.get("without_notice") or 0,
        },
        "tie_breaks": [answers[f"tie_{row}"] for row in ties],
    }


def period_rows(data: Data, settings: Data) -> range:
    """The numbers of the rows for periods: those there are and a few to fill in."""
    sent = [int(key.split("_")[1]) for key in data if _is_period(key)]
    wanted = max([len(settings.get("periods") or []) + SPARE_PERIODS, *sent])
    return range(1, 1 + min(max(FEWEST_PERIODS, wanted), MOST_PERIODS))


def tie_rows(settings: Data) -> range:
    """The numbers of the rows for what decides equal points."""
    return range(1, 1 + max(FEWEST_TIES, len(settings.get("tie_breaks", []))))


def _is_period(key: str) -> bool:
    kind, *number = key.split("_")
    return kind == "period" and number[:1] != [] and number[0].isdecimal() and len(number[0]) < 4


def _period_fields(periods: Sequence[Sequence[str]]) -> dict[str, str]:
    return {
        f"period_{row}_{end}": day
        for row, span in enumerate(periods, start=1)
        for end, day in zip(("from", "to"), span, strict=True)
    }


def _notice_kind(notice: object) -> str:
    if notice is None:
        return "nothing"
    return "lowest" if notice == "lowest" else "fixed"


def _notice(answers: Data) -> object:
    kind = answers.get("with_notice")
    return (
        answers.get("notice_points") if kind == "fixed" else "lowest" if kind == "lowest" else None
    )


def _iso(day: dt.date | None) -> str | None:
    return day.isoformat() if day else None
