"""The file format of earlier results: a line for each person and evening, or for each round.

A line may also have a column for each round, as standings do; it is unfolded into a line a round.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from clubs.files.reading import FileFault, FileFaults, FileRow, Source, read_rows
from clubs.members.imports import People, Person
from clubs.models import Club
from clubs.text.names import name_key, tidy_name
from scoring.models import Regulation
from scoring.rules import TRUMP_DEAL_POINTS, RuleSet, most_bonus
from scoring.sheets.side_totals import LARGEST_TOTAL
from tournaments.models import Competitor, Registration
from tournaments.models.evening import MOST_ROUNDS, parse_evening_date

ROUND_COLUMNS: Final = {
    f"round_{n}": tuple(
        f"{word}{between}{n}" for word in ("round", "ronde", "boompje") for between in ("", "_")
    )
    for n in range(1, 9)
}
"""A column for each round of an evening, with the headings it may have."""
_OF_THE_EVENING = {"pits": "", "roem": ""}
"""Figures of the whole evening, which go with its first round."""

_COLUMNS = {
    "evening": ("evening", "date", "avond", "speelavond", "datum"),
    "player": ("player", "name", "speler", "naam", "deelnemer"),
    "pair": ("pair", "paar"),
    "team": ("team", "ploeg"),
    "round": ("round", "ronde", "boompje"),
    "score": ("score", "points", "total", "punten", "totaal"),
    "pits": ("pits", "pit", "pitten"),
    "roem": ("roem",),
    "absence": ("absence", "absent", "afwezig", "afwezigheid"),
}
_COMPETITORS = "pair", "team"
_ABSENCES = {
    "": "",
    **dict.fromkeys(("notice", "met bericht", "afgemeld"), Registration.Absence.NOTICE.value),
    **dict.fromkeys(
        ("none", "zonder bericht", "niet afgemeld", "weggebleven"), Registration.Absence.NONE.value
    ),
}
_ROEM_AT_MOST = 200
"""The most that deals can give on average: two fours of a kind."""
_USUAL_DEALS, _USUAL_ROUNDS = 16, 3
_PAIRS_AT_MOST = 50
"""In a team."""
_FINES_AT_MOST = 1_000
_LIMITS = {"round": (1, MOST_ROUNDS), "pits": (0, 99)}

Named = tuple[dt.date, int]
"""An evening: its date, and its number on that day."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that somebody can have in a round, and in so many rounds of an evening."""

    round: int
    rounds: int

    @property
    def evening(self) -> int:
        """In all rounds."""
        return self.round * self.rounds

    @classmethod
    def of(
        cls,
        rules: RuleSet,
        *,
        deals: int = _USUAL_DEALS,
        rounds: int = _USUAL_ROUNDS,
        target: int | None = None,
    ) -> "Bounds":
        """By these rules, and never less than is usual."""
        deal = TRUMP_DEAL_POINTS + max(most_bonus(rules), RuleSet().pit_bonus) + _ROEM_AT_MOST
        most = deal * max(deals, _USUAL_DEALS)
        if target is not None:
            most = max(most, target + deal)
        if rules.game != "klaverjas":
            most = max(most, LARGEST_TOTAL)
        return cls(most, max(rounds, _USUAL_ROUNDS))


USUAL_BOUNDS: Final = Bounds.of(RuleSet())


class BoundsOfEvenings:
    """The bounds of each evening of a club by the rules it is played by. Those of an evening that
    is not there yet are the widest that the club has anywhere. Two queries, at the first
    question."""

    def __init__(self, club: Club) -> None:
        self.club = club

    @cached_property
    def _known_and_widest(self) -> tuple[dict[Named, Bounds], Bounds]:
        plan = "regulation", "deals_per_round", "rounds_planned", "target"
        evenings = self.club.evenings.exclude(regulation=None).values_list(
            "date", "sequence", *plan
        )
        rules = {known.pk: known.rules for known in Regulation.objects.filter(club=self.club)}
        known_of: dict[Named, Bounds] = {
            (date, sequence): Bounds.of(rules[pk], deals=deals, rounds=rounds, target=target)
            for date, sequence, pk, deals, rounds, target in evenings
            if pk in rules
        }
        widest = [USUAL_BOUNDS, *map(Bounds.of, rules.values()), *known_of.values()]
        return known_of, Bounds(
            max(bounds.round for bounds in widest), max(bounds.rounds for bounds in widest)
        )

    def of(self, evening: Named | None) -> Bounds:
        """The bounds of the evening of this date and number."""
        known, widest = self._known_and_widest
        return widest if evening is None else known.get(evening, widest)


def unfolded(rows: Iterable[FileRow], faults: list[FileFault]) -> Iterator[FileRow]:
    """Unfold each line with round columns into a line for each of those rounds.

    Other lines stay as they are, and so does a file with a column `round`. Adds to `faults` if a
    line's score is not the sum of its rounds.
    """
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
    own = {"round": column.removeprefix("round_"), "score": row[column]}
    cells = {**row.cells, **({} if is_first else _OF_THE_EVENING), **own}
    return replace(row, cells=cells, headings={**row.headings, "score": row.headings[column]})


def _check_sum(row: FileRow, played: list[str], faults: list[FileFault]) -> None:
    score = row.whole_number("score", faults, in_thousands=True)
    # Rounds that are not numbers get their own fault once they are unfolded.
    rounds = [row.whole_number(column, [], in_thousands=True) for column in played]
    if score is not None and None not in rounds and sum(filter(None, rounds)) != score:
        message = _("the rounds come to %(sum)s") % {"sum": sum(filter(None, rounds))}
        faults.append(row.fault("score", message))


@dataclass(frozen=True, slots=True)
class NamedCompetitor:
    """A pair or a team in a file; spelt otherwise it is the same."""

    kind: str
    key: str
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class ResultLine:
    """Somebody's score in one round, or without a `round` in a whole evening; or their absence,
    and then there is no score."""

    row: FileRow
    evening: Named
    player: Person | NamedCompetitor
    round: int | None
    score: int | None
    pits: int | None
    roem: int | None
    absence: str

    @property
    def whose(self) -> tuple[Named, Person | NamedCompetitor]:
        """The evening and the person, pair or team."""
        return self.evening, self.player


def read_results(source: Source, people: People, played: Iterable[Named]) -> list[ResultLine]:
    """The lines of a CSV or XLSX file with headings in English or Dutch.

    `played` are the evenings that have deals, which take no results from a file. Raises FileFaults
    with everything that is wrong, line by line.
    """
    columns = {**_COLUMNS, **ROUND_COLUMNS}
    required = ["evening", "player", "score"]
    instead = {"score": ROUND_COLUMNS, "player": _COMPETITORS}
    rows = read_rows(source, columns=columns, required=required, instead=instead)
    faults: list[FileFault] = []
    lines = result_lines(unfolded(rows, faults), people, played, faults)
    if faults:
        raise FileFaults(faults)
    return lines


def result_lines(
    rows: Iterable[FileRow], people: People, played: Iterable[Named], faults: list[FileFault]
) -> list[ResultLine]:
    """The results in these lines; adds to `faults` everything that is wrong with them."""
    bounds = BoundsOfEvenings(people.club)
    lines = [line for row in rows if (line := _line(row, people, bounds, faults))]
    faults += _faults_between(lines)
    taken = frozenset(played)
    message = _("this evening is in Klaverclub with its deals, which make its results")
    faults += [line.row.fault("evening", message) for line in lines if line.evening in taken]
    return lines


def _line(
    row: FileRow, people: People, bounds_of: BoundsOfEvenings, faults: list[FileFault]
) -> ResultLine | None:
    named = parse_evening_date(row["evening"])
    if named is None:
        faults.append(row.fault("evening", _("write the date as 2026-09-05")))
    player = _player(row, people, faults)
    bounds = USUAL_BOUNDS if _is_usual(row) else bounds_of.of(named)
    limits = {**_LIMITS, "roem": (0, bounds.evening)}
    numbers = {column: _between(row, column, limits[column], faults) for column in limits}
    score = _score(row, bounds, faults)
    faults += _absence_faults(row)
    if named is None or player is None:
        return None
    return ResultLine(row, named, player, score=score, absence=_absence(row) or "", **numbers)


def _is_usual(row: FileRow) -> bool:
    """Whether its numbers are within what is possible at every club."""
    unread: list[FileFault] = []
    score = row.whole_number("score", unread, in_thousands=True) or 0
    roem = row.whole_number("roem", unread, in_thousands=True) or 0
    most = USUAL_BOUNDS.round if row["round"] else USUAL_BOUNDS.evening
    return score <= most and roem <= USUAL_BOUNDS.evening


def _player(
    row: FileRow, people: People, faults: list[FileFault]
) -> Person | NamedCompetitor | None:
    """Whose result it is: a person, or in their place a pair or a team."""
    named = [kind for kind in _COMPETITORS if row.cells.get(kind)]
    if not named:
        column = next((kind for kind in _COMPETITORS if kind in row.headings), "player")
        if column != "player" and not row["player"]:
            faults.append(row.fault(column, _("the name is missing")))
            return None
        try:
            return people.find(row["player"])
        except LookupError as error:
            faults.append(row.fault("player", str(error)))
            return None
    if row["player"] or len(named) > 1:
        message = _("give a player, a pair or a team: one of the three")
        faults.append(row.fault(named[-1], message))
        return None
    name = tidy_name(row[named[0]])
    if len(name) > Competitor.LONGEST_NAME:
        message = _("a name has at most %(n)s characters") % {"n": Competitor.LONGEST_NAME}
        faults.append(row.fault(named[0], message))
        return None
    return NamedCompetitor(named[0], name_key(name), name)


def _between(
    row: FileRow, column: str, limits: tuple[int, int], faults: list[FileFault]
) -> int | None:
    least, most = limits
    number = row.whole_number(column, faults, in_thousands=column == "roem")
    if number is not None and not least <= number <= most:
        message = _("give a number from %(least)s to %(most)s") % {"least": least, "most": most}
        faults.append(row.fault(column, message))
    return number


def _score(row: FileRow, bounds: Bounds, faults: list[FileFault]) -> int | None:
    number = row.whole_number("score", faults, in_thousands=True)
    most = bounds.round if row["round"] else bounds.evening
    most *= _PAIRS_AT_MOST if row.cells.get("team") else 1
    if number is not None and number > most:
        message = _("%(score)s is more than any number of deals could give")
        faults.append(row.fault("score", message % {"score": number}))
    if number is not None and number < -_FINES_AT_MOST:
        message = _("%(score)s is less than any number of deals could give")
        faults.append(row.fault("score", message % {"score": number}))
    return number


def _absence(row: FileRow) -> str | None:
    """The kind of absence; empty for none, None if it cannot be read."""
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
    """Duplicate results, and people who were both absent and playing."""
    by_person: Mapping[object, list[ResultLine]] = defaultdict(list)
    for line in lines:
        by_person[line.whose].append(line)
    faults: list[FileFault] = []
    for own in by_person.values():
        first: dict[int | None, ResultLine] = {}
        for line in own:
            other = first.setdefault(line.round, line)
            if other is not line:
                message = _("line %(n)s has the same result") % {"n": other.row.line}
                faults.append(line.row.fault(None, message))
        absent = first.get(None)
        if absent and absent.absence and len(first) > 1:
            message = _("somebody who was absent has no score in a round")
            faults.append(absent.row.fault("absence", message))
    return faults
