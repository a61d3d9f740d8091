"""Printed lists of a season and of the club's people: standings, members, membership fees; and
address labels, 24 to a sheet of A4, as sheets of 63.5 by 33.9 millimetres have them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Member
from clubs.text.numbers import NO_VALUE, money, number
from scoring.pdf.paper import REGULAR, Paper, wrap
from tournaments.models import FeePayment
from tournaments.money.queries import FeeList, FeeRow
from tournaments.printing.page import (
    FOOT_HEIGHT,
    MARGIN,
    Leaf,
    ListCell,
    ListColumn,
    ListHeading,
    ListRow,
    club_logo,
    draw_list_heading,
    draw_ruled,
    in_chunks,
    leaves_pdf,
    room_below,
    width_between,
)
from tournaments.standings.core.results import SeasonCell, SeasonRow, SeasonTable

SMALLEST_ROW, LARGEST_ROW = 17.0, 25.0
RANK, NAME, EVENING = 34.0, 128.0, 36.0
WIDEST_EVENING = 52.0
WORDS_SIZE, WORDS_LEADING = 9.0, 11.5
SUM_WIDTHS = (54.0, 52.0, 44.0, 36.0, 32.0)
SUMS_WIDTH = sum(SUM_WIDTHS)
SMALLEST_PERSON_ROW, LARGEST_PERSON_ROW = 18.0, 25.0

Drawn = tuple[ListColumn, Callable[[SeasonRow], ListCell]]


@dataclass(frozen=True, slots=True)
class PaperStanding:
    """One standing of a season. `names` are public names by player's id; `evenings` are keys with
    short dates; `sentences` say what counts. `figure` names the value that decides the place, with
    `decimals`; `counted` if it counts times and not points."""

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
    """The columns on one page, as part `number` of `of`."""

    columns: Sequence[Drawn]
    number: int
    of: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """What all pages of a standing share: heading, standing, words at the foot, row height."""

    heading: ListHeading
    standing: PaperStanding
    words: Sequence[str]
    height: float


def season_leaves(heading: ListHeading, standing: PaperStanding) -> list[Leaf]:
    """Everybody in order of place, with a column for each evening.

    Wide standings are printed in landscape; evenings that do not fit continue on the next page,
    with places and names again. No row is split, and every page has headings.
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
    subtitle = ngettext("%(n)s player", "%(n)s players", people) % {"n": people}
    corner = f"{part.number} / {part.of}" if part.of > 1 else ""
    top = draw_list_heading(paper, layout.heading, subtitle, corner)
    columns = [column for column, _cell in part.columns]
    lines: list[ListRow] = [[cell(row) for _column, cell in part.columns] for row in rows]
    draw_ruled(paper, top, columns, lines, layout.height)
    for index, sentence in enumerate(layout.words, start=1):
        y = 28 + FOOT_HEIGHT - 14 + (len(layout.words) - index) * WORDS_LEADING
        paper.text(MARGIN, y, sentence, size=WORDS_SIZE)


def count_sentences(standing: PaperStanding, *, signs: bool = True) -> list[str]:
    """What counts; and with `signs` what the marks of evenings mean, where they occur."""
    cells = [cell for row in standing.table.rows for cell in row.by_evening.values()]
    dropped = signs and any(cell.dropped for cell in cells)
    given = signs and any(cell.score is None and cell.value is not None for cell in cells)
    return [
        *standing.sentences,
        *([_("What is struck through is dropped.")] if dropped else []),
        *([_("With a *: not played, these points are for being absent.")] if given else []),
    ]


def _sentences(standing: PaperStanding, *, wide: bool) -> Sequence[str]:
    """What counts and what the marks mean, as lines that fit the page."""
    words = " ".join(count_sentences(standing))
    return wrap(words, REGULAR, WORDS_SIZE, width_between(wide=wide))


def sum_columns(standing: PaperStanding, width: float) -> list[Drawn]:
    """Place, name and sums in so much width, without the evenings."""
    columns = [*_names(standing), *_sums(standing)]
    narrow = [column.width * 0.88 for column, _cell in columns]
    name = width - sum(narrow) + narrow[1]
    return [
        (replace(column, width=name if index == 1 else narrow[index]), cell)
        for index, (column, cell) in enumerate(columns)
    ]


def _parts(standing: PaperStanding, *, wide: bool) -> list[_Part]:
    """The columns divided over pages, with the sums on the first."""
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
    """How many evenings fit beside the names, and the sums unless `without_sums`."""
    taken = RANK + NAME + (0 if without_sums else SUMS_WIDTH)
    return int((width_between(wide=wide) - taken) // EVENING)


def _widened(columns: Sequence[Drawn], *, wide: bool) -> list[Drawn]:
    """The columns stretched over the page: evenings a little wider, the rest for the name."""
    spare = width_between(wide=wide) - sum(column.width for column, _cell in columns)
    evenings = [column for column, _cell in columns if column.width == EVENING]
    each = min(WIDEST_EVENING - EVENING, spare / (len(evenings) + 1))
    widths = {EVENING: EVENING + each, NAME: NAME + spare - each * len(evenings)}
    return [
        (replace(column, width=widths.get(column.width, column.width)), cell)
        for column, cell in columns
    ]


def _names(standing: PaperStanding) -> list[Drawn]:
    names = standing.names
    return [
        (ListColumn(_("place"), RANK, bold=True), lambda row: ListCell(number(row.rank))),
        (
            ListColumn(_("name"), NAME, "left", bold=True),
            lambda row: ListCell(names[row.player_id]),
        ),
    ]


def _sums(standing: PaperStanding) -> list[Drawn]:
    """The value that decides the place, the plain sum, the gap to the leader, evenings, pits."""
    decimals = standing.decimals
    value, total, gap, evenings, pits = SUM_WIDTHS
    return [
        (
            ListColumn(standing.figure, value, bold=True),
            lambda row: ListCell(number(row.value, decimals)),
        ),
        (ListColumn(_("plain sum"), total), lambda row: ListCell(number(row.total))),
        (
            ListColumn(_("behind"), gap),
            lambda row: ListCell(number(row.gap, decimals) if row.gap else ""),
        ),
        (ListColumn(_("evenings"), evenings), lambda row: ListCell(str(row.evenings))),
        (ListColumn(standing.pit_word, pits), lambda row: ListCell(str(row.pits))),
    ]


def _evenings(standing: PaperStanding) -> list[Drawn]:
    return [
        (ListColumn(label, EVENING), partial(_evening_cell, slug))
        for slug, label in standing.evenings
    ]


def _evening_cell(slug: str, row: SeasonRow) -> ListCell:
    result = row.by_evening.get(slug)
    return ListCell("") if result is None else ListCell(points_words(result), struck=result.dropped)


def points_words(result: SeasonCell) -> str:
    """Somebody's points of an evening; with a * those for being absent."""
    if result.score is not None:
        return number(result.score)
    return NO_VALUE if result.value is None else f"{number(result.value)}*"


def members_pdf(club: Club, members: Sequence[Member]) -> bytes:
    """Number, name, telephone and e-mail of each member, in the given order."""
    columns = [
        ListColumn(_("number"), 44),
        ListColumn(_("name"), 196, "left", bold=True),
        ListColumn(_("telephone"), 98, "left"),
        ListColumn(_("e-mail"), width_between(wide=False) - 338, "left"),
    ]
    lines = [
        [
            ListCell(_number(member)),
            ListCell(member.desk_name),
            ListCell(member.phone),
            ListCell(member.email),
        ]
        for member in members
    ]
    heading = ListHeading(club, "", _("Members"), club_logo(club))
    people = ngettext("%(n)s member", "%(n)s members", len(lines)) % {"n": len(lines)}
    leaves = _leaves(heading, people, columns, lines)
    return leaves_pdf(leaves, title=heading.title, author=club.name)


def fees_pdf(fees: FeeList) -> bytes:
    """For each person of whom a membership fee is asked what they pay, what is noted of it, a box
    to tick where something is still to come, and room for the date; `period.club` is loaded."""
    club = fees.period.club
    columns = [
        ListColumn(_("number"), 44),
        ListColumn(_("name"), width_between(wide=False) - 334, "left", bold=True),
        ListColumn(_("fee"), 70),
        ListColumn(_("paid"), 60, "centre"),
        ListColumn(_("date and how"), 160, "left"),
    ]
    title = _("Membership fees")
    heading = ListHeading(club, fees.period.name, title, club_logo(club))
    people = ngettext("%(n)s person", "%(n)s people", len(fees.rows)) % {"n": len(fees.rows)}
    leaves = _leaves(
        heading, people, columns, [_fee_line(row) for row in fees.rows], _fee_sums(fees)
    )
    return leaves_pdf(leaves, title=title, author=club.name)


def _fee_line(row: FeeRow) -> ListRow:
    payment = row.payment
    is_free = payment.rate == FeePayment.Rate.FREE
    is_open = not is_free and (payment.paid is None or row.owes > 0)
    fee = "" if row.due is None else money(row.due)
    noted = [] if payment.paid_on is None else [date_format(payment.paid_on, "j b Y")]
    if payment.paid is not None and row.owes:
        noted.append(_("%(sum)s paid") % {"sum": money(payment.paid)})
    return [
        ListCell(_number(row.member)),
        ListCell(row.member.desk_name),
        ListCell(payment.get_rate_display() if is_free else fee),
        ListCell("" if is_open or payment.paid is None else money(payment.paid), box=is_open),
        ListCell(" · ".join(filter(None, [*noted, payment.remark]))),
    ]


def _fee_sums(fees: FeeList) -> str:
    """What is asked in all, by how much: 3 × € 17,50 + 1 × € 10,00 = € 62,50."""
    asked = Counter(row.due or 0 for row in fees.owing)
    if not asked:
        return ""
    parts = " + ".join(f"{people} × {money(fee)}" for fee, people in sorted(asked.items())[::-1])
    return f"{parts} = {money(sum(fee * people for fee, people in asked.items()))}"


@dataclass(frozen=True, slots=True)
class _List:
    """What the pages of a list of people share."""

    heading: ListHeading
    people: str
    columns: Sequence[ListColumn]


def _leaves(
    heading: ListHeading,
    people: str,
    columns: Sequence[ListColumn],
    lines: Sequence[ListRow],
    foot: str = "",
) -> list[Leaf]:
    chunks = in_chunks(lines, int(room_below(wide=False) // SMALLEST_PERSON_ROW))
    shared = _List(heading, people, columns)
    return [
        Leaf(partial(_draw_people, shared, chunk, foot if chunk is chunks[-1] else ""))
        for chunk in chunks
    ]


def _draw_people(shared: _List, lines: Sequence[ListRow], foot: str, paper: Paper) -> None:
    top = draw_list_heading(paper, shared.heading, shared.people)
    height = min(LARGEST_PERSON_ROW, room_below(wide=False) / max(1, len(lines)))
    draw_ruled(paper, top, shared.columns, lines, height)
    paper.text(MARGIN, 28 + FOOT_HEIGHT - 16, foot, size=12, bold=True)


def _number(member: Member) -> str:
    return "" if member.number is None else str(member.number)


MM = 72 / 25.4
COLUMNS, ROWS = 3, 8
WIDTH, HEIGHT = 63.5 * MM, 33.9 * MM
LEFT, TOP = 7.2 * MM, 12.9 * MM
PITCH = 66.0 * MM
"""From the left edge of one column to that of the next; rows touch."""
INSET = 4.5 * MM
SIZE, LEADING = 10.0, 14.0


def labels_pdf(club: Club, members: Sequence[Member]) -> bytes:
    """A label for each of these people, who have an address, row by row."""
    title = _("Address labels")
    paper = Paper(title, author=club.name)
    per_sheet = COLUMNS * ROWS
    for start in range(0, len(members), per_sheet):
        for place, member in enumerate(members[start : start + per_sheet]):
            _label_draw(paper, member, place)
        paper.next_page()
    return paper.finish()


def _label_draw(paper: Paper, member: Member, place: int) -> None:
    """The name and the address, in the middle of the height of the label."""
    row, column = divmod(place, COLUMNS)
    lines = [member.name, member.street, f"{member.postcode}  {member.town}".strip()]
    middle = paper.height - TOP - (row + 0.5) * HEIGHT
    foot = middle + (len(lines) - 1) * LEADING / 2 - SIZE / 3
    for index, line in enumerate(lines):
        paper.text(
            LEFT + column * PITCH + INSET,
            foot - index * LEADING,
            line,
            size=SIZE,
            width=WIDTH - 2 * INSET,
        )
