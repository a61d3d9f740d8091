"""A season's standing for the wall: what counts, the plain sum, and every evening's points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Member
from clubs.text.numbers import NO_VALUE, money, number
from scoring.pdf.paper import REGULAR, Paper, wrap
from tournaments.models import Season
from tournaments.printing.page import (
    FOOT_HEIGHT,
    MARGIN,
    Cell,
    Column,
    Leaf,
    Line,
    ListHeading,
    club_logo,
    draw_list_heading,
    draw_ruled,
    in_chunks,
    leaves_pdf,
    room_below,
    width_between,
)
from tournaments.standings.core import SeasonCell, SeasonRow, SeasonTable

SMALLEST_ROW, LARGEST_ROW = 17.0, 25.0
RANK, NAME, EVENING = 34.0, 128.0, 36.0
WIDEST_EVENING = 52.0
WORDS_SIZE, WORDS_LEADING = 9.0, 11.5

Drawn = tuple[Column, Callable[[SeasonRow], Cell]]


@dataclass(frozen=True, slots=True)
class PaperStanding:
    """One standing of a season. `names` are those that the public reads, by the ids of the rows;
    `evenings` are keys with short dates; `sentences` say what counts, `figure` is what the place
    goes by, `decimals` how many of those it has, and `counted` whether it is how often rather than
    how many points."""

    name: str
    table: SeasonTable
    names: Mapping[str, str]
    evenings: Sequence[tuple[str, str]]
    sentences: Sequence[str]
    figure: str
    decimals: int | None
    counted: bool
    pit_word: str


@dataclass(frozen=True, slots=True)
class _Part:
    """Columns that stand on one page, and which part of all columns they are; both 1 for all."""

    columns: Sequence[Drawn]
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """What all pages of a standing share: what it is, the words at the foot, how high a line is."""

    heading: ListHeading
    standing: PaperStanding
    words: Sequence[str]
    height: float


def season_leaves(heading: ListHeading, standing: PaperStanding) -> list[Leaf]:
    """Everybody in order of place, with a column for each evening.

    What is wide lies on its side; evenings that do not fit beside each other go on on the next
    page, with places and names again. No line is split, and headings stand on every page.
    """
    wide = len(standing.evenings) > _evenings_beside(wide=False)
    parts = _parts(standing, wide=wide)
    words = _sentences(standing, wide=wide)
    room = room_below(wide=wide) - len(words) * WORDS_LEADING
    chunks = in_chunks(standing.table.rows, int(room // SMALLEST_ROW))
    layout = _Layout(heading, standing, words, min(LARGEST_ROW, room / max(1, len(chunks[0]))))
    return [
        Leaf(partial(_draw, layout, part, rows), wide=wide) for rows in chunks for part in parts
    ]


def _draw(layout: _Layout, part: _Part, rows: Sequence[SeasonRow], paper: Paper) -> None:
    people = len(layout.standing.table.rows)
    said = ngettext("%(n)s player", "%(n)s players", people) % {"n": people}
    corner = f"{part.number} / {part.of}" if part.of > 1 else ""
    top = draw_list_heading(paper, layout.heading, said, corner)
    columns = [column for column, _cell in part.columns]
    lines: list[Line] = [[cell(row) for _column, cell in part.columns] for row in rows]
    draw_ruled(paper, top, columns, lines, layout.height)
    for index, sentence in enumerate(layout.words, start=1):
        y = 28 + FOOT_HEIGHT - 14 + (len(layout.words) - index) * WORDS_LEADING
        paper.text(MARGIN, y, sentence, size=WORDS_SIZE)


def _sentences(standing: PaperStanding, *, wide: bool) -> Sequence[str]:
    """What counts, as lines that fit the page."""
    cells = [cell for row in standing.table.rows for cell in row.by_evening.values()]
    dropped = any(cell.dropped for cell in cells)
    given = any(cell.score is None and cell.value is not None for cell in cells)
    signs = [
        *([_("What is struck through is dropped.")] if dropped else []),
        *([_("With a *: not played, these points are for being absent.")] if given else []),
    ]
    text = " ".join([*standing.sentences, *signs])
    return wrap(text, REGULAR, WORDS_SIZE, width_between(wide=wide))


def _parts(standing: PaperStanding, *, wide: bool) -> list[_Part]:
    """The columns over as many pages as they need: the sums on the first."""
    names = _names(standing)
    first = [*names, *_sums(standing)]
    evenings = _evenings(standing)
    fit, more = _evenings_beside(wide=wide), _evenings_beside(wide=wide, without_sums=True)
    rest = in_chunks(evenings[fit:], more) if evenings[fit:] else []
    groups = [[*first, *evenings[:fit]], *([*names, *group] for group in rest)]
    return [
        _Part(_widened(group, wide=wide), n, len(groups)) for n, group in enumerate(groups, start=1)
    ]


def _evenings_beside(*, wide: bool, without_sums: bool = False) -> int:
    """How many evenings fit beside the names, and beside the sums unless told otherwise."""
    taken = RANK + NAME + (0 if without_sums else SUMS_WIDTH)
    return int((width_between(wide=wide) - taken) // EVENING)


def _widened(columns: Sequence[Drawn], *, wide: bool) -> list[Drawn]:
    """The same columns over the whole width: evenings a little wider, the rest for the name."""
    spare = width_between(wide=wide) - sum(column.width for column, _cell in columns)
    evenings = [column for column, _cell in columns if column.width == EVENING]
    each = min(WIDEST_EVENING - EVENING, spare / (len(evenings) + 1))
    widths = {EVENING: EVENING + each, NAME: NAME + spare - each * len(evenings)}
    return [
        (Column(one.label, widths.get(one.width, one.width), one.align, one.bold), cell)
        for one, cell in columns
    ]


def _names(standing: PaperStanding) -> list[Drawn]:
    names = standing.names
    return [
        (Column(_("place"), RANK, bold=True), lambda row: Cell(number(row.rank))),
        (Column(_("name"), NAME, "left", bold=True), lambda row: Cell(names[row.player_id])),
    ]


SUM_WIDTHS = (54.0, 52.0, 44.0, 36.0, 32.0)
SUMS_WIDTH = sum(SUM_WIDTHS)


def _sums(standing: PaperStanding) -> list[Drawn]:
    """What the place goes by, how far that is from the leader's, the plain sum, evenings, pits."""
    decimals = standing.decimals
    value, total, gap, evenings, pits = SUM_WIDTHS
    return [
        (
            Column(standing.figure, value, bold=True),
            lambda row: Cell(number(row.value, decimals)),
        ),
        (Column(_("plain sum"), total), lambda row: Cell(number(row.total))),
        (Column(_("behind"), gap), lambda row: Cell(number(row.gap, decimals) if row.gap else "")),
        (Column(_("evenings"), evenings), lambda row: Cell(str(row.evenings))),
        (Column(standing.pit_word, pits), lambda row: Cell(str(row.pits))),
    ]


def _evenings(standing: PaperStanding) -> list[Drawn]:
    return [
        (Column(label, EVENING), partial(_evening_cell, slug)) for slug, label in standing.evenings
    ]


def _evening_cell(slug: str, row: SeasonRow) -> Cell:
    found = row.by_evening.get(slug)
    return Cell("") if found is None else Cell(points_words(found), struck=found.dropped)


def points_words(found: SeasonCell) -> str:
    """What an evening gave somebody, or how he was absent from it."""
    if found.score is not None:
        return number(found.score)
    return NO_VALUE if found.value is None else f"{number(found.value)}*"


# The club's people on paper: who they are and how they are reached, and who paid the fee.

SMALLEST_PERSON_ROW, LARGEST_PERSON_ROW = 18.0, 25.0


def members_pdf(club: Club, members: Sequence[Member]) -> bytes:
    """Number, name, telephone and e-mail of each, in the order they come in."""
    columns = [
        Column(_("number"), 44),
        Column(_("name"), 196, "left", bold=True),
        Column(_("telephone"), 98, "left"),
        Column(_("e-mail"), width_between(wide=False) - 338, "left"),
    ]
    lines = [
        [Cell(_number(who)), Cell(who.name), Cell(who.phone), Cell(who.email)] for who in members
    ]
    heading = ListHeading(club, "", _("Members"), club_logo(club))
    return leaves_pdf(_leaves(heading, columns, lines), title=heading.title, author=club.name)


def fees_pdf(season: Season, members: Sequence[Member]) -> bytes:
    """A box to tick for each member, the season's fee, and room for the date; `season` has its
    club at hand. Where the club has set no fee the sum is left open."""
    fee = "" if season.fee is None else money(season.fee)
    columns = [
        Column(_("number"), 44),
        Column(_("name"), width_between(wide=False) - 324, "left", bold=True),
        Column(_("fee"), 70),
        Column(_("paid"), 50, "centre"),
        Column(_("date and how"), 160, "left"),
    ]
    lines = [
        [Cell(_number(who)), Cell(who.name), Cell(fee), Cell("", box=True), Cell("")]
        for who in members
    ]
    title = _("Membership fees")
    heading = ListHeading(season.club, season.name, title, club_logo(season.club))
    sums = _people_sums(season.fee, len(members))
    return leaves_pdf(_leaves(heading, columns, lines, sums), title=title, author=season.club.name)


def _people_sums(fee: int | None, people: int) -> str:
    if fee is None:
        return ""
    words = {"people": people, "fee": money(fee), "sum": money(fee * people)}
    return _("%(people)s × %(fee)s = %(sum)s") % words


@dataclass(frozen=True, slots=True)
class _List:
    """What every page of a list has."""

    heading: ListHeading
    people: str
    columns: Sequence[Column]


def _leaves(
    heading: ListHeading, columns: Sequence[Column], lines: Sequence[Line], foot: str = ""
) -> list[Leaf]:
    chunks = in_chunks(lines, int(room_below(wide=False) // SMALLEST_PERSON_ROW))
    people = ngettext("%(n)s member", "%(n)s members", len(lines)) % {"n": len(lines)}
    shared = _List(heading, people, columns)
    return [
        Leaf(partial(_draw_people, shared, chunk, foot if chunk is chunks[-1] else ""))
        for chunk in chunks
    ]


def _draw_people(shared: _List, lines: Sequence[Line], foot: str, paper: Paper) -> None:
    top = draw_list_heading(paper, shared.heading, shared.people)
    height = min(LARGEST_PERSON_ROW, room_below(wide=False) / max(1, len(lines)))
    draw_ruled(paper, top, shared.columns, lines, height)
    paper.text(MARGIN, 28 + FOOT_HEIGHT - 16, foot, size=12, bold=True)


def _number(who: Member) -> str:
    return "" if who.number is None else str(who.number)
