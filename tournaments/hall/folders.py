"""The pictures of an evening of folders: places by line, who won, and which folders go where."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from django.utils.translation import gettext as _

from tournaments.hall.pictures import (
    COLUMNS,
    PODIUM,
    STEPS,
    WINNERS,
    Picture,
    PlaceLine,
    in_columns,
    on_step,
)
from tournaments.hall.screen import HallName, cut_name, hall_name, in_one_line, in_parts, team_lines
from tournaments.models import Evening, FolderPlay, HallScreen, Round
from tournaments.releases.folders import (
    LINE_WORDS,
    FolderLine,
    boards_words,
    folder_lines_public,
)
from tournaments.releases.services import stale_release

Scene = HallScreen.Scene


@dataclass(frozen=True, slots=True)
class FolderTable:
    """A table of a round: the pairs in both lines by number, and the folders they play."""

    table: int
    ns: int
    ew: int
    folders: str


def folder_places(evening: Evening, title: str, *, lines: int, stale: bool) -> Iterator[Picture]:
    """The places as everybody may see them, each line on pages of its own."""
    for line, rows in _by_line(evening):
        parts = in_columns([_place_line(row) for row in rows], lines)
        for page, columns in enumerate(parts, 1):
            content = {"columns": columns, "stale": stale, "placed": True, "by_average": True}
            yield Picture(Scene.STANDINGS, _titled(title, line), content, page, len(parts))


def folder_winners(evening: Evening) -> Iterator[Picture]:
    """The podium of each line of a closed evening; none while a correction waits."""
    if stale_release(evening):
        return
    for line, rows in _by_line(evening):
        steps = {place: [row for row in rows if row.place == place] for place in STEPS}
        podium = {place: on_step([_names(row) for row in tied]) for place, tied in steps.items()}
        figures = {place: tied[0].words for place, tied in steps.items() if tied}
        content = {"podium": podium, "totals": figures}
        if len(rows) >= PODIUM:
            yield Picture(WINNERS, _titled(_("The winners"), line), content)


def folder_tables(round_: Round, lines: int) -> Iterator[Picture]:
    """Which pairs meet at which table in a round, and over which folders. One query."""
    plays = FolderPlay.objects.filter(deal__sheet__table__round=round_).order_by(
        "deal__sheet__table__number", "deal__number"
    )
    columns = "deal__sheet__table__number", "line", "pair", "folder__number"
    at: dict[int, dict[str, int]] = defaultdict(dict)
    folders: dict[int, list[int]] = defaultdict(list)
    for table, line, pair, folder in plays.values_list(*columns):
        at[table][line] = pair
        if folder not in folders[table]:
            folders[table].append(folder)
    tables = [
        FolderTable(table, pairs["NS"], pairs["EW"], boards_words(folders[table]))
        for table, pairs in at.items()
    ]
    title = _("Round %(n)s: who plays which folders") % {"n": round_.number}
    # The heads of the columns take a line.
    parts = in_parts(tables, COLUMNS * (lines - 1))
    for page, part in enumerate(parts, 1):
        content = {"folders": in_parts(part, -(-len(part) // COLUMNS))}
        yield Picture(Scene.SEATS, title, content, page, len(parts))


def _by_line(evening: Evening) -> list[tuple[str | None, list[FolderLine]]]:
    lines = folder_lines_public(evening)
    return [(line, [*rows]) for line, rows in groupby(lines, key=attrgetter("line"))]


def _titled(title: str, line: str | None) -> str:
    return title if line is None else f"{title}: {LINE_WORDS[line]}"


def _place_line(row: FolderLine) -> PlaceLine:
    return PlaceLine(
        id=row.pairs[0].number,
        rank=row.place,
        names=_hall_names(row),
        figure=row.words,
        up=None,
    )


def _hall_names(row: FolderLine) -> Sequence[HallName]:
    if row.pairs[0].public_team:
        return team_lines(row.pairs[0].public_team)
    if len(row.pairs) > 1:
        people = [[member.shown_name for member in pair.people] for pair in row.pairs]
        return [in_one_line(both) for both in people if both]
    return [hall_name(name) for name in _names(row)]


def _names(row: FolderLine) -> list[str]:
    """The names on a line: of a team, else of both of the pair."""
    if row.pairs[0].public_team:
        return [cut_name(row.pairs[0].public_team)]
    people = [member.shown_name for pair in row.pairs for member in pair.people]
    return people or [str(row.pairs[0].number)]
