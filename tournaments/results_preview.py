"""What a file of results would make, evening by evening, to be looked at before it is done."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from clubs.files import Fault
from clubs.models import Member
from tournaments.results_doubts import results_doubts
from tournaments.results_file import Named, ResultLine
from tournaments.services import ResultsPlan
from tournaments.slugs import format_evening_slug
from tournaments.standings.core import whole_mean


@dataclass(frozen=True, slots=True)
class EveningPreview:
    """An evening of the file: its date and number on that day, whether the club has it already,
    how many people have a result and how many were absent, and the lowest, highest and mean result
    of what the file tells."""

    date: dt.date
    sequence: int
    is_new: bool
    is_touched: bool
    season_before: str
    people: int
    absent: int
    lowest: int | None
    highest: int | None
    mean: int | None

    @property
    def slug(self) -> str:
        """How the evening is called in addresses and files."""
        return format_evening_slug(self.date, self.sequence)


@dataclass(frozen=True, slots=True)
class ResultsPreview:
    """Everything there is to see before saying yes."""

    plan: ResultsPlan
    evenings: Sequence[EveningPreview]
    doubts: Sequence[Fault]


def results_preview(plan: ResultsPlan) -> ResultsPreview:
    """The plan as somebody looks at it who knows these evenings."""
    by_evening: dict[Named, list[ResultLine]] = defaultdict(list)
    for line in plan.lines:
        by_evening[line.evening].append(line)
    touched = plan.touched
    return ResultsPreview(
        plan,
        evenings=[
            _evening(plan, named, lines, is_touched=named in touched)
            for named, lines in sorted(by_evening.items())
        ],
        doubts=results_doubts(
            plan.lines,
            season=plan.season,
            members=Member.objects.of(plan.club).filter(erased_at=None).by_surname(),
            today=timezone.localdate(),
        ),
    )


def _evening(
    plan: ResultsPlan, named: Named, lines: Sequence[ResultLine], *, is_touched: bool
) -> EveningPreview:
    before = plan.evenings.get(named)
    other = before and before.season_id and before.season != plan.season
    totals = _totals(lines)
    return EveningPreview(
        date=named[0],
        sequence=named[1],
        is_new=before is None,
        is_touched=is_touched,
        season_before=str(before.season) if before and other else "",
        people=len(totals),
        absent=sum(bool(line.absence) for line in lines),
        lowest=min(totals.values(), default=None),
        highest=max(totals.values(), default=None),
        mean=whole_mean(totals.values()) if totals else None,
    )


def _totals(lines: Sequence[ResultLine]) -> Mapping[object, int]:
    totals: dict[object, int] = defaultdict(int)
    for line in lines:
        if line.score is not None:
            totals[line.player] += line.score
    return totals
