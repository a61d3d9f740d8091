"""What the pictures of the hall's screen consist of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.hall.screen import HallName, hall_name, in_one_line, in_parts

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
