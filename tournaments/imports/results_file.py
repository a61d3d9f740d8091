"""Results with a column for each round, as a standing has them: unfolded into a line a round."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext as _

from clubs.files.reading import FileFault, FileFaults, FileRow, Source, read_rows
from clubs.members.people import People, Person
from tournaments.models import Registration
from tournaments.models.slugs import parse_evening_date

ROUND_COLUMNS: Final = {
    f"round_{n}": tuple(
        f"{word}{between}{n}" for word in ("round", "ronde", "boompje") for between in ("", "_")
    )
    for n in range(1, 9)
}
"""A column for each round of an evening, with the headings it may have."""
_OF_THE_EVENING = {"pits": "", "roem": ""}


def unfolded(rows: Iterable[FileRow], faults: list[FileFault]) -> Iterator[FileRow]:
    """Each line that has scores in columns of rounds as one line for each of those rounds, the
    other lines as they are. What it tells of the whole evening goes with its first round; adds to
    `faults` where its score is not what the rounds come to. With a column `round` of its own a
    file is not unfolded."""
    for row in rows:
        played = [] if "round" in row.headings else _played(row)
        if played:
            _check_sum(row, played, faults)
        else:
            yield row
        for column in played:
            yield _of_round(row, column, is_first=column == played[0])


def _played(row: FileRow) -> list[str]:
    return [column for column in ROUND_COLUMNS if row[column]]


def _of_round(row: FileRow, column: str, *, is_first: bool) -> FileRow:
    told = {"round": column.removeprefix("round_"), "score": row[column]}
    cells = {**row.cells, **({} if is_first else _OF_THE_EVENING), **told}
    return replace(row, cells=cells, headings={**row.headings, "score": row.headings[column]})


def _check_sum(row: FileRow, played: list[str], faults: list[FileFault]) -> None:
    """What is no number at all is said of each round and of the score by itself."""
    amiss: list[FileFault] = []
    score = row.whole_number("score", amiss, in_thousands=True)
    rounds = [row.whole_number(column, [], in_thousands=True) for column in played]
    faults += amiss
    if score is not None and None not in rounds and sum(filter(None, rounds)) != score:
        message = _("the rounds come to %(sum)s") % {"sum": sum(filter(None, rounds))}
        faults.append(row.fault("score", message))


# Results from before as a file: one line per person and evening, or per round.

_COLUMNS = {
    "evening": ("evening", "date", "avond", "speelavond", "datum"),
    "player": ("player", "name", "speler", "naam", "deelnemer"),
    "round": ("round", "ronde", "boompje"),
    "score": ("score", "points", "total", "punten", "totaal"),
    "pits": ("pits", "pit", "pitten"),
    "roem": ("roem",),
    "absence": ("absence", "absent", "afwezig", "afwezigheid"),
}
_ABSENCES = {
    "": "",
    **dict.fromkeys(("notice", "met bericht", "afgemeld"), Registration.Absence.NOTICE.value),
    **dict.fromkeys(
        ("none", "zonder bericht", "niet afgemeld", "weggebleven"), Registration.Absence.NONE.value
    ),
}
_DEAL_AT_MOST = 162 + 100 + 200
"""What one deal gives at the very most on average: a pit and two fours of a kind."""
_ROUND_AT_MOST = 16 * _DEAL_AT_MOST
_EVENING_AT_MOST = 3 * _ROUND_AT_MOST
_FINES_AT_MOST = 1_000
_LIMITS = {"round": (1, 20), "pits": (0, 99), "roem": (0, _EVENING_AT_MOST)}

Named = tuple[dt.date, int]
"""An evening: its date, and its number on that day."""


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What somebody scored in one round, or with no `round` in a whole evening; or how he was
    absent, and then there is no score."""

    row: FileRow
    evening: Named
    player: Person
    round: int | None
    score: int | None
    pits: int | None
    roem: int | None
    absence: str

    @property
    def whose(self) -> tuple[Named, Person]:
        """The evening and the person."""
        return self.evening, self.player


def read_results(source: Source, people: People, played: Iterable[Named]) -> list[ResultLine]:
    """The lines of a CSV or XLSX file, headings in English or Dutch; a line may have a column for
    each round instead of telling one round.

    `played` are the evenings that have deals, which take no results from a file. Raises FileFaults
    with everything that is wrong, line by line.
    """
    columns = {**_COLUMNS, **ROUND_COLUMNS}
    required = ["evening", "player", "score"]
    rows = read_rows(source, columns=columns, required=required, instead={"score": ROUND_COLUMNS})
    faults: list[FileFault] = []
    lines = [line for row in unfolded(rows, faults) if (line := _line(row, people, faults))]
    faults += _faults_between(lines)
    taken = frozenset(played)
    message = _("this evening is in Klaverclub with its deals, which make its results")
    faults += [line.row.fault("evening", message) for line in lines if line.evening in taken]
    if faults:
        raise FileFaults(faults)
    return lines


def _line(row: FileRow, people: People, faults: list[FileFault]) -> ResultLine | None:
    named = parse_evening_date(row["evening"])
    if named is None:
        faults.append(row.fault("evening", _("write the date as 2026-09-05")))
    player: Person | None = None
    try:
        player = people.find(row["player"])
    except LookupError as error:
        faults.append(row.fault("player", str(error)))
    numbers = {column: _between(row, column, faults) for column in _LIMITS}
    score = _score(row, faults)
    faults += _absence_faults(row)
    if named is None or player is None:
        return None
    return ResultLine(row, named, player, score=score, absence=_absence(row) or "", **numbers)


def _between(row: FileRow, column: str, faults: list[FileFault]) -> int | None:
    least, most = _LIMITS[column]
    number = row.whole_number(column, faults, in_thousands=column == "roem")
    if number is not None and not least <= number <= most:
        message = _("give a number from %(least)s to %(most)s") % {"least": least, "most": most}
        faults.append(row.fault(column, message))
    return number


def _score(row: FileRow, faults: list[FileFault]) -> int | None:
    number = row.whole_number("score", faults, in_thousands=True)
    most = _ROUND_AT_MOST if row["round"] else _EVENING_AT_MOST
    if number is not None and number > most:
        message = _("%(score)s is more than any number of deals could give")
        faults.append(row.fault("score", message % {"score": number}))
    if number is not None and number < -_FINES_AT_MOST:
        message = _("%(score)s is less than any number of deals could give")
        faults.append(row.fault("score", message % {"score": number}))
    return number


def _absence(row: FileRow) -> str | None:
    """How somebody was absent; empty for who was not, None where that cannot be read."""
    return _ABSENCES.get(" ".join(row["absence"].casefold().split()))


def _absence_faults(row: FileRow) -> Iterable[FileFault]:
    absence = _absence(row)
    if absence is None:
        yield row.fault("absence", _("write notice or none, or nothing"))
    elif absence:
        for column in ("score", "round", "pits", "roem"):
            if row[column]:
                yield row.fault(column, _("leave this empty for somebody who was absent"))
    elif not row["score"]:
        yield row.fault("score", _("the score is missing"))


def _faults_between(lines: Iterable[ResultLine]) -> list[FileFault]:
    """A result that stands there twice, and somebody who both was absent and played."""
    by_person: Mapping[object, list[ResultLine]] = defaultdict(list)
    for line in lines:
        by_person[line.whose].append(line)
    faults: list[FileFault] = []
    for own in by_person.values():
        first: dict[int | None, ResultLine] = {}
        for line in own:
            other = first.setdefault(line.round, line)
            told = {"n": other.row.line}
            if other is not line:
                faults.append(line.row.fault(None, _("line %(n)s tells this too") % told))
        absent = first.get(None)
        if absent and absent.absence and len(first) > 1:
            message = _("somebody who was absent has no score in a round")
            faults.append(absent.row.fault("absence", message))
    return faults
