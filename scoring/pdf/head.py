"""The layout of a score sheet in points, on A4 and on A5, and its heading."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from clubs.models import ClubLogo
from clubs.text.numbers import SIDE_NAMES
from scoring.display.words import length_words
from scoring.models import Scoresheet
from scoring.pdf.paper import (
    BOLD,
    FELT,
    INK,
    NARROWEST,
    RULE,
    SHADE,
    SMALLEST,
    SOFT,
    WHITE,
    WOOD,
    Paper,
    width_of,
)
from scoring.rules import SIDES, THREE, Seat, side_of


@dataclass(frozen=True, slots=True)
class Form:
    """The measures of a sheet on one size of paper.

    Heights are of the parts of the heading, of the headings of columns, and of the totals. Widths
    are of the columns: deal, dealer, plays, trump; points, roem and total of a side; points and
    roem at a table of three. The title stands `inset` from the sides, where markers are.
    """

    left: float = 40
    right: float = 555
    top: float = 818
    bottom: float = 26
    title_height: float = 88
    seats_height: float = 62
    partners_height: float = 34
    head_height: float = 30
    total_height: float = 26
    qr: float = 88
    logo: tuple[float, float] = (84, 30)
    title: float = 34
    text: float = 10.5
    small: float = 9.5
    name: float = 17
    side_width: float = 50
    figure: float = 11
    total: float = 13
    smallest_row: float = 17.2
    largest_row: float = 27
    shared_widths: Sequence[float] = (26, 62, 62, 33)
    side_widths: Sequence[float] = (74, 40, 52)
    three_widths: Sequence[float] = (62, 36)
    legend: float = 9.5
    leading: float = 11.4
    sign_height: float = 34
    inset: float = 0
    is_small: bool = field(default=False, kw_only=True)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def grid(self) -> float:
        """Where the columns of the sides begin."""
        return self.left + sum(self.shared_widths)


ON_A4 = Form()
ON_A5 = Form(
    left=22,
    right=399,
    top=577,
    bottom=18,
    title_height=67,
    seats_height=40,
    partners_height=26,
    head_height=24,
    total_height=20,
    qr=66,
    logo=(52, 20),
    title=23,
    text=8.5,
    small=8,
    name=11,
    side_width=32,
    figure=10,
    total=11,
    smallest_row=17.2,
    largest_row=22,
    shared_widths=(20, 49, 47, 24),
    side_widths=(47, 30, 41.5),
    three_widths=(44, 27),
    legend=8,
    leading=9.6,
    sign_height=22,
    is_small=True,
)


@dataclass(frozen=True, slots=True)
class RoundPartners:
    """The partners of one round at this table; `now` is the round of this sheet."""

    label: str
    ns: str
    ew: str
    now: bool = False


@dataclass(frozen=True, slots=True)
class PhoneCode:
    """A QR code that opens `link` on a phone, with its caption."""

    link: str
    caption: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The words at the top: such as `Tafel 4`, `Ronde 2`, and the evening. `codes` are for the
    table's phones, and `unscanned` says what to do without scanning; both may be empty. `logo` is
    the club's, where it has one."""

    title: str
    subtitle: str
    occasion: str
    codes: Sequence[PhoneCode] = ()
    unscanned: str = ""
    partners: Sequence[RoundPartners] = ()
    logo: ClubLogo | None = None

    def height(self, form: Form) -> float:
        """How much of the page it takes, in points."""
        partners = form.partners_height if self.partners else 0
        return form.title_height + form.seats_height + partners


def draw_heading(
    paper: Paper,
    form: Form,
    heading: Heading,
    sheet: Scoresheet,
    *,
    names: dict[Seat, str],
    part: str,
) -> float:
    """Draw the heading of a page; returns the height at which the rest may start.

    `part` says which page of the sheet it is, where there are several.
    """
    _draw_title(paper, form, heading, sheet, part)
    bottom = form.top - form.title_height - form.seats_height
    _draw_seats(paper, form, bottom, sheet, names)
    if heading.partners:
        bottom -= form.partners_height
        _draw_partners(paper, form, bottom, heading.partners)
    return bottom


def _draw_title(paper: Paper, form: Form, heading: Heading, sheet: Scoresheet, part: str) -> None:
    gap = form.text * 1.2
    width = form.width - 2 * form.inset - len(heading.codes) * (form.qr + gap)
    _draw_club(paper, form, heading, sheet.club.name, width)
    x, y = form.left + form.inset, form.top - form.text * 2.6 - form.title
    drawn = paper.text(
        x, y, heading.title, size=form.title, heading=True, width=width * 0.62, colour=FELT
    )
    start = x + drawn + form.title * 0.5
    paper.text(start, y, heading.subtitle, size=form.title * 0.6, width=x + width - start)
    facts = " · ".join(filter(None, [length_words(sheet), str(sheet.regulation), part]))
    for line, words in enumerate((facts, heading.unscanned), start=1):
        down = line * form.small * 1.25 + 3
        paper.text(x, y - down, words, size=form.small, width=width, colour=SOFT)
    for place, code in enumerate(reversed(heading.codes)):
        right = form.right - form.inset - place * (form.qr + gap)
        foot = form.top - form.qr + 6
        paper.qr(right - form.qr + 6, foot, form.qr, code.link)
        paper.text(
            right,
            foot - 4,
            code.caption,
            size=SMALLEST,
            align="right",
            width=form.qr + gap - 8,
            colour=SOFT,
        )


def side_mark(
    paper: Paper, x: float, y: float, side: str, *, width: float, height: float, size: float
) -> None:
    """Draw what we and they are called in the colour of the side. Ours is filled and theirs only
    has an edge, so that they differ without colour too."""
    ours, words = side == SIDES[0], str(SIDE_NAMES[side])
    colour = FELT if ours else WOOD
    thick = min(2.4, height / 9)
    inset = 0 if ours else thick / 2
    paper.box(
        x + inset,
        y + inset,
        width - 2 * inset,
        height - 2 * inset,
        fill=FELT if ours else WHITE,
        thick=0 if ours else thick,
        edge=colour,
    )
    paper.text(
        x + width / 2,
        y + height / 2 - size * 0.35,
        words,
        size=size,
        bold=True,
        align="centre",
        width=width - 4,
        colour=WHITE if ours else WOOD,
    )


def _draw_club(paper: Paper, form: Form, heading: Heading, name: str, width: float) -> None:
    x, top = form.left + form.inset, form.top
    if heading.logo:
        wide, high = form.logo
        x += paper.logo(x, top, heading.logo, width=wide, height=high) + form.text * 0.8
    room = form.left + form.inset + width - x
    paper.text(x, top - form.text, name, size=form.text + 0.5, bold=True, width=room)
    below = top - form.text * 2.25
    paper.text(x, below, heading.occasion, size=form.text, width=room, colour=SOFT)


def _draw_seats(
    paper: Paper, form: Form, bottom: float, sheet: Scoresheet, names: dict[Seat, str]
) -> None:
    """Who plays with whom: the two of a side in one box, which has its colour."""
    height = form.seats_height - 6
    if sheet.three_handed:
        _draw_three(paper, form, bottom, sheet, names)
        return
    half = form.width / 2
    for column, side in enumerate(SIDES):
        x = form.left + column * half
        side_mark(
            paper, x, bottom, side, width=form.side_width, height=height, size=form.name * 0.9
        )
        seats = [seat for seat in sheet.people if side_of(seat) == side]
        for row, seat in enumerate(seats, start=1):
            y = bottom + height - (row - 0.5) * height / 2 - form.name * 0.34
            start = x + form.side_width + 6
            room = half - form.side_width - 10
            first = seat == sheet.first_dealer
            _draw_person(paper, form, start, y, name=names[seat], deals_first=first, room=room)
    paper.box(form.left, bottom, form.width, height, thick=1.2)
    paper.line(form.left + half, bottom, form.left + half, bottom + height, thick=1.2)


def _draw_three(
    paper: Paper, form: Form, bottom: float, sheet: Scoresheet, names: dict[Seat, str]
) -> None:
    """Three people side by side: nobody is anybody's partner."""
    width, first, height = form.width / len(THREE), sheet.dealer(1), form.seats_height - 6
    paper.box(form.left, bottom, form.width, height, thick=1.2)
    for column, seat in enumerate(THREE):
        x = form.left + column * width
        if column:
            paper.line(x, bottom, x, bottom + height, thick=1.2)
        y = bottom + height * 0.3
        paper.text(x + 6, y, names[seat], size=form.name, bold=True, width=width - 12)
        if seat == first:
            words = _("deals first")
            paper.text(x + 6, bottom + height * 0.72, words, size=form.small, colour=SOFT)


def _draw_person(
    paper: Paper,
    form: Form,
    x: float,
    y: float,
    *,
    name: str,
    deals_first: bool,
    room: float,
) -> None:
    """A name, and behind it that this person deals first; a long name has the room for itself,
    since the first line of the grid says so too."""
    badge, size = _("deals first"), form.name
    wide = width_of(badge, BOLD, SMALLEST) + 8
    least = width_of(name, BOLD, SMALLEST) * NARROWEST
    if not deals_first or least > room - wide:
        paper.text(x, y, name, size=size, bold=True, width=room)
        return
    start = x + paper.text(x, y, name, size=size, bold=True, width=room - wide) + 5
    paper.box(start, y - 1.5, wide - 4, SMALLEST + 3, fill=INK, round_=2)
    paper.text(start + 2, y + 1, badge, size=SMALLEST, bold=True, colour=WHITE)


def _draw_partners(
    paper: Paper, form: Form, bottom: float, partners: Sequence[RoundPartners]
) -> None:
    """A column for each round: who plays with whom."""
    width, high = form.width / len(partners), form.partners_height - 4
    size = 8.0 if form.is_small else 9.5
    for column, round_ in enumerate(partners):
        x = form.left + column * width
        if round_.now:
            paper.box(x, bottom + 1, width, high, fill=SHADE)
        elif column:
            paper.line(x, bottom + 3, x, bottom + high - 1, colour=RULE)
        paper.text(
            x + 5,
            bottom + high / 2 - form.text * 0.3,
            round_.label,
            size=form.text + 2,
            bold=round_.now,
            width=width * 0.28,
            colour=INK if round_.now else SOFT,
        )
        start = x + 5 + width * 0.28 + 3
        for line, couple in enumerate((round_.ns, round_.ew)):
            y = bottom + 1 + high * (0.75 - 0.5 * line) - size * 0.34
            room = x + width - start - 3
            paper.text(start, y, couple, size=size, bold=round_.now, width=room)
