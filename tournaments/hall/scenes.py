"""The pictures of the hall's screen: the standings in pages, where to sit, tables, climbers, pits,
the code to follow, and the prizes one by one.

Letters on the screen have one size (`hall.css`), legible at ten metres, so what fits is counted in
lines: fewer with an announcement below.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.http.network import absolute_url, qr_svg
from clubs.text.names import initials, sort_key, surname_first, without_brackets
from scoring.display.words import pit_word
from tournaments.evenings.public_pages import evening_url
from tournaments.hall.queries import PRIZES, last_pits, message_now, turn_now
from tournaments.models import Evening, HallScreen, Round, Table
from tournaments.prizes.giving import evening_prizes
from tournaments.releases.queries import PublicRow, by_pair, public_standings, visible_rounds
from tournaments.releases.services import stale_release
from tournaments.results.views.evening import current_round
from tournaments.results.views.seating import Seated
from tournaments.standings.queries import evening_standings

Scene = HallScreen.Scene
RUNNING, DRAWN = Round.State.RUNNING, Round.State.DRAWN
LINES, LINES_ABOVE_MESSAGE = 10, 7
COLUMNS = 2
TILES_ACROSS, TILES_DOWN, TILES_DOWN_ABOVE_MESSAGE = 4, 5, 3
FEW_TABLES = 6
"""So few are drawn larger."""
LARGE_HALL = 96
"""With more names than this people would wait too long for theirs, so there is a third column."""
LONGEST_NAME = 15
"""So many letters fit beside a place and a total."""
PODIUM = 3
CLIMBERS = 6

T = TypeVar("T")


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
    since the round before, below 0 if they fell; None if there is no round to compare with."""

    id: int
    rank: int
    names: Sequence[str]
    total: int
    up: int | None

    @property
    def is_on_podium(self) -> bool:
        """Whether this is one of the first three places of all."""
        return self.rank <= PODIUM


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Somebody in the list of who sits where, sorted by `key`; without a table they sit out."""

    id: int
    name: str
    key: str
    table: int | None


@dataclass(frozen=True, slots=True)
class SeatColumn:
    """A column of that list, with the letters it begins and ends with."""

    first: str
    last: str
    lines: Sequence[SeatLine]


@dataclass(frozen=True, slots=True)
class Climber:
    """Somebody who rose."""

    name: str
    up: int
    rank: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What the screen shows now: a picture, which of how many it is, and what goes with it."""

    picture: Picture
    number: int
    of: int
    round: Round | None
    message: str


def shown_now(evening: Evening, hall: HallScreen) -> Shown:
    """What the screen of this evening shows now."""
    rounds = visible_rounds(evening)
    message = message_now(hall)
    turn = turn_now(hall)
    maker = Pictures(evening, rounds, has_message=bool(message))
    if hall.scene == PRIZES:
        picture = maker.prizes(turn)
        return Shown(picture, picture.page, picture.pages, maker.round, message)
    pictures = list(maker.of_scene(hall.scene) if hall.scene else maker.turning())
    number = turn % len(pictures)
    return Shown(pictures[number], number + 1, len(pictures), maker.round, message)


class Pictures:
    """Makes the pictures of an evening as it is now."""

    def __init__(self, evening: Evening, rounds: Sequence[Round], *, has_message: bool) -> None:
        self.evening, self.rounds = evening, rounds
        self.round = current_round(rounds)
        self.lines = LINES_ABOVE_MESSAGE if has_message else LINES
        self.tiles = TILES_ACROSS * (TILES_DOWN_ABOVE_MESSAGE if has_message else TILES_DOWN)
        for round_ in rounds:
            round_.evening = evening

    def of_scene(self, scene: str) -> Iterator[Picture]:
        """The pictures of one scene; at least one, if only to say that there is nothing yet."""
        made = list(self._of_scene(scene))
        yield from made or [
            Picture(scene, str(Scene(scene).label), {"nothing": self._nothing(scene)})
        ]

    def turning(self) -> Iterator[Picture]:
        """The pictures that take turns by themselves at this stage of the evening."""
        made = [picture for scene in self._scenes() for picture in self._of_scene(scene)]
        if all(picture.scene == Scene.CODE for picture in made):
            yield Picture("", "", {"calm": True})
        yield from made

    def _scenes(self) -> Sequence[str]:
        evening = self.evening
        if evening.state == Evening.State.CANCELLED:
            return ()
        is_played = any(round_.state == RUNNING for round_ in self.rounds)
        if not is_played and any(round_.state == DRAWN for round_ in self.rounds):
            return (Scene.SEATS,)
        if is_played:
            return Scene.STANDINGS, Scene.TABLES, Scene.MOVERS, Scene.PITS, Scene.CODE
        return Scene.STANDINGS, Scene.MOVERS, Scene.CODE

    def _of_scene(self, scene: str) -> Iterator[Picture]:
        makers = {
            Scene.SEATS: self._seats,
            Scene.STANDINGS: self._standings,
            Scene.TABLES: self._tables,
            Scene.MOVERS: self._movers,
            Scene.PITS: self._pits,
            Scene.CODE: self._code,
        }
        return makers[Scene(scene)]()

    def _nothing(self, scene: str) -> str:
        match scene:
            case Scene.SEATS:
                return _("The draw will appear here as soon as it is made.")
            case Scene.PITS:
                return _("Nobody made a %(pit)s yet.") % {"pit": pit_word(self.evening.club)}
            case Scene.MOVERS:
                return _("When a round is over you see here who climbed.")
            case Scene.TABLES:
                return _("No round is being played.")
        return _("The first points appear here as soon as a table writes a deal.")

    # The scenes, one by one.

    def _standings(self) -> Iterator[Picture]:
        evening = self.evening
        is_closed = evening.state == Evening.State.CLOSED
        title = _("Final standings") if is_closed else _("Standings so far")
        if evening.is_frozen:
            if any(round_.state != DRAWN for round_ in self.rounds):
                yield Picture(Scene.STANDINGS, title, {"secret": True})
            return
        stale = is_closed and bool(stale_release(evening))
        lines = place_lines(self._rows)
        in_pairs = any(len(line.names) > 1 for line in lines)
        down = self.lines // 2 if in_pairs else self.lines
        parts = _parts(lines, COLUMNS * down)
        for page, part in enumerate(parts, 1):
            content = {
                "columns": _columns(part, down if page > 1 else -(-len(part) // COLUMNS)),
                "stale": stale,
            }
            yield Picture(Scene.STANDINGS, title, content, page, len(parts))

    @property
    def _rows(self) -> list[PublicRow]:
        rows = by_pair(public_standings(self.evening))
        return rows if any(row.total for row in rows) else []

    def _movers(self) -> Iterator[Picture]:
        """Who climbed by the last round that is over at every table."""
        if self.evening.is_frozen or any(round_.state == RUNNING for round_ in self.rounds):
            return
        lines = place_lines(self._rows)
        climbers = [
            Climber(" – ".join(line.names), line.up, line.rank)
            for line in sorted(lines, key=lambda line: (-(line.up or 0), line.rank))
            if line.up is not None and line.up > 0
        ]
        if climbers:
            most = min(CLIMBERS, self.lines)
            yield Picture(Scene.MOVERS, _("The climbers"), {"climbers": climbers[:most]})

    def _tables(self) -> Iterator[Picture]:
        for round_ in self.rounds:
            if round_.state != RUNNING:
                continue
            tables = list(Table.objects.filter(round=round_).select_related("sheet"))
            ready = sum(table.sheet.is_full for table in tables)
            title = ngettext(
                "%(ready)s of %(tables)s table ready",
                "%(ready)s of %(tables)s tables ready",
                len(tables),
            ) % {"ready": ready, "tables": len(tables)}
            # Points of the leading side would tell who leads.
            counts = not (self.evening.is_frozen and self.evening.target)
            parts = _parts(tables, self.tiles)
            for page, part in enumerate(parts, 1):
                content = {"tables": part, "counts": counts, "few": len(tables) <= FEW_TABLES}
                yield Picture(Scene.TABLES, title, content, page, len(parts))

    def _pits(self) -> Iterator[Picture]:
        pits = [] if self.evening.is_frozen else last_pits(self.evening, self.lines // 2)
        if pits:
            title = _("Who made a %(pit)s?") % {"pit": pit_word(self.evening.club)}
            yield Picture(Scene.PITS, title, {"pits": pits})

    def _code(self) -> Iterator[Picture]:
        club = self.evening.club
        url = absolute_url(club, evening_url(club, self.evening.slug))
        yield Picture(Scene.CODE, _("Follow along on your phone"), {"code": qr_svg(url)})

    def _seats(self) -> Iterator[Picture]:
        if self.round is None:
            return
        lines = seat_lines(self.round)
        columns = seat_columns(lines, self.lines - 1)
        parts = _parts(columns, COLUMNS + (len(lines) > LARGE_HALL))
        for page, part in enumerate(parts, 1):
            yield Picture(Scene.SEATS, _("Where do I sit?"), {"seats": part}, page, len(parts))

    def prizes(self, revealed: int) -> Picture:
        """The prize that was revealed last, and those of the podium revealed so far."""
        rows = evening_standings(self.evening)
        names = {row.member_id: row.shown_name for row in rows}
        lines = evening_prizes(self.evening, rows)
        seen = lines[:revealed]
        podium = {line.place: line for line in seen if line.place and line.place <= PODIUM}
        people = {
            place: [names[pk] for pk in podium[place].members] if place in podium else []
            for place in (2, 1, 3)
        }
        newest = seen[-1] if seen else None
        content = {
            "prize": newest,
            "winners": [names[pk] for pk in newest.members] if newest else [],
            "podium": people if podium else {},
            "count": len(lines),
        }
        return Picture(PRIZES, _("The prizes"), content, len(seen), len(lines))


def place_lines(rows: Sequence[PublicRow]) -> list[PlaceLine]:
    """The lines of the standings, with who rose and fell since the round before the last one that
    anybody has points of."""
    numbers = sorted({number for row in rows for number in row.rounds})
    before = _ranks(rows, numbers[:-1])
    return [
        PlaceLine(
            id=row.member_id,
            rank=row.rank,
            names=[short_name(name) for name in row.name.split(" – ")]
            if row.pair
            else [short_name(row.name)],
            total=row.total,
            up=before[row.member_id] - row.rank if row.member_id in before else None,
        )
        for row in rows
    ]


def _ranks(rows: Sequence[PublicRow], numbers: Sequence[int]) -> dict[int, int]:
    """The places after these rounds, of everybody who played one of them; ties share a place."""
    totals = {
        row.member_id: sum(row.rounds.get(number, 0) for number in numbers)
        for row in rows
        if any(number in row.rounds for number in numbers)
    }
    ordered = sorted(totals.values(), reverse=True)
    places: dict[int, int] = {}
    for place, total in enumerate(ordered, 1):
        places.setdefault(total, place)
    return {member: places[total] for member, total in totals.items()}


def short_name(name: str) -> str:
    """A name that fits beside a total: a long one has initials for first names.

    >>> short_name("Jan Bakker"), short_name("Johanna Petronella van der Meer")
    ('Jan Bakker', 'J. P. van der Meer')
    """
    if len(name) <= LONGEST_NAME:
        return name
    surname, _comma, first = surname_first(without_brackets(name)).partition(", ")
    words = first.split()
    given = [word for word in words if word[:1].isupper()]
    prefix = [word for word in words if not word[:1].isupper()]
    return " ".join([*([initials(" ".join(given))] if given else []), *prefix, surname])


def seat_lines(round_: Round) -> list[SeatLine]:
    """Everybody of a round and their table, surname first, as they look themselves up. Who was
    replaced is left out. One query."""
    placements = list(
        round_.placements.select_related("member", "table").order_by("table__number", "pk")
    )
    seated = Seated(placements)
    lines = [
        SeatLine(
            placement.pk,
            surname_first(placement.member.shown_name),
            sort_key(placement.member.shown_name),
            placement.table.number if placement.table else None,
        )
        for placement in placements
        if seated.holder(placement) == placement
    ]
    return sorted(lines, key=lambda line: (line.key, line.table or 0))


def seat_columns(lines: Sequence[SeatLine], most: int) -> list[SeatColumn]:
    """The list in columns of at most so many lines. The letters of one column never overlap those
    of the next: as many as it takes to tell the last name of one from the first of the next."""
    parts = _parts(lines, most)
    ends = [_told_apart(one[-1], two[0]) for one, two in pairwise(parts)]
    firsts = [lines[0].name[:1] if lines else "", *(first for _last, first in ends)]
    lasts = [*(last for last, _first in ends), lines[-1].name[:1] if lines else ""]
    return [
        SeatColumn(first, last, part)
        for first, last, part in zip(firsts, lasts, parts, strict=False)
    ]


def _told_apart(last: SeatLine, first: SeatLine) -> tuple[str, str]:
    """The first letters of two neighbours, as many as make them differ."""
    longest = max(len(last.key), len(first.key))
    length = next((n for n in range(1, longest) if last.key[:n] != first.key[:n]), longest)
    return last.name[:length].strip(" ,"), first.name[:length].strip(" ,")


def _parts(items: Sequence[T], most: int) -> list[Sequence[T]]:
    return [items[at : at + most] for at in range(0, len(items), most)]


def _columns(items: Sequence[T], down: int) -> list[Sequence[T]]:
    """The items of a picture in columns of so many."""
    return _parts(items, max(down, 1))
