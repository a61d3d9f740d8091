"""The lines of folders in words, for pages and for paper: what each table played and got."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Club
from clubs.text.numbers import SEAT_NAMES
from scoring.display.words import pit_word
from tournaments.duplicate.core.scoring import Line
from tournaments.duplicate.queries import DuplicateResults, TableResult
from tournaments.duplicate.texts import SHORT_LINES, percent_words, points_words
from tournaments.releases.folders import NamedPair


@dataclass(frozen=True, slots=True)
class PlayRow:
    """What one pair made of a folder, or one table did: who sat there, what was played, what each
    line got for it."""

    result: TableResult
    ns: NamedPair
    ew: NamedPair
    declarer: str
    trump: str
    marks: tuple[str, ...]
    worth: Mapping[Line, str]
    percent: Mapping[Line, str]

    @property
    def ns_score(self) -> int | None:
        """The points of North-South."""
        return self.result.score[0] if self.result.score else None

    @property
    def ew_score(self) -> int | None:
        """The points of East-West."""
        return self.result.score[1] if self.result.score else None


def play_rows(
    club: Club, results: DuplicateResults, played: Sequence[TableResult]
) -> list[PlayRow]:
    """What each table made of a folder, the best for North-South first."""
    best = sorted(played, key=lambda result: -result.worth.get("NS", 0))
    return [_play_row(club, results, result) for result in best]


def pair_rows(
    club: Club, results: DuplicateResults, number: int
) -> list[tuple[PlayRow, str, NamedPair, Line]]:
    """The folders of a pair: each with its line in words, its opponents and its line."""
    rows = []
    for result in results.of_pair(number):
        line: Line = "NS" if result.sides["NS"] == number else "EW"
        row = _play_row(club, results, result)
        rows.append((row, str(SHORT_LINES[line]), row.ew if line == "NS" else row.ns, line))
    return rows


def _declarer(written: Mapping[str, Any]) -> str:
    """Who played, as far as the sheet says: a seat or a line."""
    declarer = written.get("declarer", "")
    return str(SHORT_LINES[declarer] if declarer in SHORT_LINES else SEAT_NAMES.get(declarer, ""))


def _play_row(club: Club, results: DuplicateResults, result: TableResult) -> PlayRow:
    written = result.written or {}
    lines: tuple[Line, Line] = ("NS", "EW")
    marks = []
    if result.nat:
        marks.append(_("nat"))
    if result.pit:
        marks.append(f"{pit_word(club)} {SHORT_LINES[result.pit]}")  # type: ignore[index]
    if result.is_over and result.score is None and not result.ruled:
        marks.append(_("not played"))
    for line, (percent, _reason) in result.ruled.items():
        marks.append(
            _("director: %(n)s%% for %(line)s") % {"n": percent, "line": SHORT_LINES[line]}
        )
    named = [results.pairs.get(result.sides[line], NamedPair(result.sides[line])) for line in lines]
    return PlayRow(
        result=result,
        ns=named[0],
        ew=named[1],
        declarer=_declarer(written),
        trump=written.get("trump") or "",
        marks=tuple(marks),
        worth={line: points_words(value) for line, value in result.worth.items()},
        percent={line: percent_words(result.percent(line)) for line in lines},
    )
