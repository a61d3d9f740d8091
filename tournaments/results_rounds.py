"""Results with a column for each round, as a standing has them: unfolded into a line a round."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from clubs.files import Fault, Row

ROUND_COLUMNS: Final = {
    f"round_{n}": tuple(
        f"{word}{between}{n}" for word in ("round", "ronde", "boompje") for between in ("", "_")
    )
    for n in range(1, 9)
}
"""A column for each round of an evening, with the headings it may have."""
_OF_THE_EVENING = {"pits": "", "roem": ""}


def unfolded(rows: Iterable[Row], faults: list[Fault]) -> Iterator[Row]:
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


def _played(row: Row) -> list[str]:
    return [column for column in ROUND_COLUMNS if row[column]]


def _of_round(row: Row, column: str, *, is_first: bool) -> Row:
    told = {"round": column.removeprefix("round_"), "score": row[column]}
    cells = {**row.cells, **({} if is_first else _OF_THE_EVENING), **told}
    return replace(row, cells=cells, headings={**row.headings, "score": row.headings[column]})


def _check_sum(row: Row, played: list[str], faults: list[Fault]) -> None:
    """What is no number at all is said of each round and of the score by itself."""
    amiss: list[Fault] = []
    score = row.whole_number("score", amiss, in_thousands=True)
    rounds = [row.whole_number(column, [], in_thousands=True) for column in played]
    faults += amiss
    if score is not None and None not in rounds and sum(filter(None, rounds)) != score:
        message = _("the rounds come to %(sum)s") % {"sum": sum(filter(None, rounds))}
        faults.append(row.fault("score", message))
