"""What the pictures of the hall's screen consist of; and those of an evening of folders: places by
line, who won, and which folders go where."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from django.utils.translation import gettext as _

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
COLUMNS = 2
PODIUM = 3
STEPS = 2, 1, 3
"""The steps of the podium from left to right."""
MOST_NAMES = 3
"""So many share a step of the podium legibly."""
WINNERS = "winners"
"""The picture of the podium once an evening is closed: part of what takes turns."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a scene: `page` of `pages`, what its template shows, and its title."""

    scene: str
    title: str
    content: Mapping[str, object]
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place in the standings: of one person, or of a pair. `up` is how many places they rose
    since the round before, below 0 if they fell; None if there is no round to compare with. Without
    a place `deals` says how many deals their points are from."""

    id: int
    rank: int | None
    names: Sequence[HallName]
    figure: str
    up: int | None
    deals: str = ""

    @property
    def is_on_podium(self) -> bool:
        """Whether this is one of the first three places of all."""
        return self.rank is not None and self.rank <= PODIUM


def in_columns(lines: Sequence[PlaceLine], most: int) -> list[list[Sequence[PlaceLine]]]:
    """The lines over as few pages as there can be, evenly, in columns of at most so many lines, or
    half of that where they are of pairs."""
    in_pairs = any(len(line.names) > 1 for line in lines)
    down = most // 2 if in_pairs else most
    pages = -(-len(lines) // (COLUMNS * down)) or 1
    parts = in_parts(lines, -(-len(lines) // pages) or 1)
    return [in_parts(part, -(-len(part) // COLUMNS)) for part in parts]


def on_step(winners: Sequence[Sequence[str]]) -> list[HallName]:
    """The lines of one step of the podium: of one winner a line for each of the pair, of several a
    line for each winner."""
    if len(winners) == 1:
        return [hall_name(name) for name in winners[0]]
    return some_names([in_one_line(winner) for winner in winners], MOST_NAMES)


def some_names(names: Sequence[HallName], most: int) -> list[HallName]:
    """So many names, the last of which says how many more there are."""
    if len(names) <= most:
        return list(names)
    return [*names[: most - 1], HallName(_("and %(n)s more") % {"n": len(names) - most + 1})]


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
