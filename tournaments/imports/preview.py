"""Preview of importing a file of results: what each evening would get, and likely mistakes.

A likely mistake may be right; it is shown before anything is saved.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.files.reading import FileFault
from clubs.models import Member
from clubs.namesakes.services import Duplicates
from tournaments.imports.results import ResultsPlan
from tournaments.imports.results_file import Named, ResultLine
from tournaments.models import Season
from tournaments.models.evening import format_evening_slug
from tournaments.standings.core.results import whole_mean

_USUAL = {True: 0.4, False: 0.7}
"""How far from the median whole evenings (True) and rounds may always be, as a fraction of it:
partners have equal scores, so that few people can seem to lie closer together."""
_ENOUGH = 5


def _doubts(
    lines: Sequence[ResultLine], *, season: Season | None, today: dt.date
) -> list[FileFault]:
    """What is unlikely in these lines, though not wrong by itself, in order of line."""
    doubts = [
        *_unlike_the_others(lines),
        *_numbers(lines),
        *_dates(lines, season, today),
        *_rounds_left_out(lines),
    ]
    return sorted(doubts, key=lambda doubt: doubt.line or 0)


def _unlike_the_others(lines: Sequence[ResultLine]) -> Iterator[FileFault]:
    """Scores far from those of others in that round or evening."""
    groups: dict[object, list[ResultLine]] = defaultdict(list)
    for line in lines:
        if line.score is not None:
            groups[line.evening, line.round].append(line)
    for together in groups.values():
        whole = together[0].round is None
        others = together
        if len(together) < _ENOUGH:
            # Too few to compare with: take all lines of the file of the same kind.
            scored = [line for line in lines if line.score is not None]
            others = [line for line in scored if whole == (not line.round)]
        yield from _far_ones(together, [line.score or 0 for line in others], _USUAL[whole])


def _far_ones(
    lines: Iterable[ResultLine], scores: Sequence[int], usual: float
) -> Iterator[FileFault]:
    if len(scores) < _ENOUGH:
        return
    middle = median(scores)
    limit = max(5 * median(abs(score - middle) for score in scores), usual * middle)
    for line in lines:
        score = line.score or 0
        if abs(score - middle) > limit or not middle / 4 <= score <= middle * 2:
            words = {"score": score, "middle": round(middle)}
            yield line.row.fault("score", _far_words(score, middle) % words)


def _far_words(score: int, middle: float) -> str:
    if middle / 2 <= score / 10 <= middle * 1.5:
        return _("%(score)s is ten times what others have (around %(middle)s): a digit too many?")
    if middle / 2 <= score * 10 <= middle * 1.5:
        return _("%(score)s is a tenth of what others have (around %(middle)s): a digit too few?")
    return _("%(score)s is far from what others have (around %(middle)s)")


def _numbers(lines: Sequence[ResultLine]) -> Iterator[FileFault]:
    for line in lines:
        for column, number in (("score", line.score), ("roem", line.roem)):
            text = line.row[column]
            if "," in text:
                words = {"text": text, "number": number}
                message = _("“%(text)s” has been read as %(number)s, and not as a fraction")
                yield line.row.fault(column, message % words)
        if line.roem and line.score is not None and line.roem > line.score:
            yield line.row.fault("roem", _("this is more than the score"))


def _dates(
    lines: Sequence[ResultLine], season: Season | None, today: dt.date
) -> Iterator[FileFault]:
    """The first line of each evening with an unlikely date."""
    first = {line.evening: line for line in reversed(lines)}
    for (date, _sequence), line in first.items():
        if date > today:
            yield line.row.fault("evening", _("this day is still to come"))
        elif season and season.starts and date < season.starts:
            yield line.row.fault("evening", _("this is before the first day of the season"))
        elif season and season.ends and date > season.ends:
            yield line.row.fault("evening", _("this is after the last day of the season"))


@dataclass(frozen=True, slots=True)
class DoubtfulName:
    """A new name in the results that may be a misspelt member, or a misspelt earlier name there."""

    name: str
    line: ResultLine
    members: Sequence[Member]
    earlier: Sequence[str]

    @property
    def question(self) -> str:
        others = [*(member.name for member in self.members), *self.earlier]
        words = {"name": self.name, "other": _(" or ").join(others)}
        return _("“%(name)s” would be a new guest. Is this %(other)s?") % words


def doubtful_names(
    lines: Iterable[ResultLine], members: Iterable[Member]
) -> Iterator[DoubtfulName]:
    """The new names that are like another, in order of line."""
    known = Duplicates((member.name, member) for member in members)
    new = {line.player: line for line in reversed([*lines]) if isinstance(line.player, str)}
    within = Duplicates((name, name) for name in new)
    earlier: set[str] = set()
    for name, line in sorted(new.items(), key=lambda item: item[1].row.line):
        like = known.like(name)
        before = [] if like else [other for other in within.like(name) if other in earlier]
        earlier.add(name)
        if like or before:
            yield DoubtfulName(name, line, like, before)


def _rounds_left_out(lines: Sequence[ResultLine]) -> Iterator[FileFault]:
    """Players without a score in a round that most others of that evening have."""
    rounds: dict[object, dict[object, list[ResultLine]]] = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line.round is not None:
            rounds[line.evening][line.player].append(line)
    for people in rounds.values():
        played = [line.round for own in people.values() for line in own]
        for own in people.values():
            missing = set(played) - {line.round for line in own}
            for number in sorted(missing, key=lambda n: n or 0):
                if played.count(number) > len(people) / 2:
                    message = _("there is no line for round %(number)s of this player")
                    yield own[-1].row.fault("round", message % {"number": number})


@dataclass(frozen=True, slots=True)
class EveningPreview:
    """An evening of the file: whether it is new or would change, how many people have a result or
    were absent, and the lowest, highest and mean result in the file."""

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
        """The evening's name in addresses and files."""
        return format_evening_slug(self.date, self.sequence)


@dataclass(frozen=True, slots=True)
class ResultsPreview:
    """Everything to look at before confirming the import. `names` are asked about by themselves
    where that can be answered; `doubts` has the other doubts."""

    plan: ResultsPlan
    evenings: Sequence[EveningPreview]
    doubts: Sequence[FileFault]
    names: Sequence[DoubtfulName]

    @property
    def all_doubts(self) -> list[FileFault]:
        """All doubts in order of line, those about names included."""
        asked = [doubt.line.row.fault("player", doubt.question) for doubt in self.names]
        return sorted([*self.doubts, *asked], key=lambda doubt: doubt.line or 0)


def results_preview(plan: ResultsPlan) -> ResultsPreview:
    """The plan summarised by evening, with its doubts."""
    members = Member.objects.of(plan.club).filter(erased_at=None).by_surname()
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
        doubts=_doubts(plan.lines, season=plan.season, today=timezone.localdate()),
        names=list(doubtful_names(plan.lines, members)),
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
