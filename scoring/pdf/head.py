"""The layout of an A4 score sheet in points, and its heading."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.models import ClubLogo
from clubs.text.numbers import SEAT_NAMES, SIDE_NAMES
from scoring.display.words import length_words
from scoring.models import Scoresheet
from scoring.pdf.paper import INK, SHADE, SOFT, WHITE, Paper
from scoring.rules import SIDES, THREE, Seat, side_of

LEFT, RIGHT = 40.0, 555.0
TOP, BOTTOM = 818.0, 26.0
WIDTH = RIGHT - LEFT

TITLE_HEIGHT = 95.0
SEATS_HEIGHT = 77.0
PARTNERS_HEIGHT = 38.0
QR_SIZE = 92.0
QR_GAP = 14.0
HALF = WIDTH / 2
LOGO_WIDTH, LOGO_HEIGHT = 84.0, 30.0


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

    @property
    def height(self) -> float:
        """How much of the page it takes, in points."""
        return TITLE_HEIGHT + SEATS_HEIGHT + (PARTNERS_HEIGHT if self.partners else 0)


def draw_heading(
    paper: Paper, heading: Heading, sheet: Scoresheet, names: dict[Seat, str], part: str
) -> float:
    """Draw the heading of a page; returns the height at which the rest may start.

    `part` says which page of the sheet it is, where there are several.
    """
    _draw_title(paper, heading, sheet, part)
    bottom = TOP - TITLE_HEIGHT - SEATS_HEIGHT
    _draw_seats(paper, bottom, sheet, names)
    if heading.partners:
        bottom -= PARTNERS_HEIGHT
        _draw_partners(paper, bottom, heading.partners)
    return bottom


def _draw_title(paper: Paper, heading: Heading, sheet: Scoresheet, part: str) -> None:
    width = WIDTH - len(heading.codes) * (QR_SIZE + QR_GAP)
    _draw_club(paper, heading, sheet.club.name, width)
    title = paper.text(LEFT, TOP - 62, heading.title, size=34, bold=True, width=width * 0.6)
    paper.text(LEFT + title + 18, TOP - 62, heading.subtitle, size=20, width=width - title - 18)
    facts = " · ".join(filter(None, [length_words(sheet), str(sheet.regulation), part]))
    paper.text(LEFT, TOP - 79, facts, size=9, width=width, colour=SOFT)
    paper.text(LEFT, TOP - 91, heading.unscanned, size=9, width=width, colour=SOFT)
    for place, code in enumerate(reversed(heading.codes)):
        right = RIGHT - place * (QR_SIZE + QR_GAP)
        paper.qr(right - QR_SIZE + 8, TOP - QR_SIZE + 8, QR_SIZE, code.link)
        below = TOP - QR_SIZE + 3
        paper.text(
            right, below, code.caption, size=7, align="right", width=QR_SIZE - 4, colour=SOFT
        )


def _draw_club(paper: Paper, heading: Heading, name: str, width: float) -> None:
    x = LEFT
    if heading.logo:
        x += paper.logo(LEFT, TOP, heading.logo, width=LOGO_WIDTH, height=LOGO_HEIGHT) + 10
    room = LEFT + width - x
    paper.text(x, TOP - 12, name, size=11, bold=True, width=room)
    paper.text(x, TOP - 27, heading.occasion, size=10, width=room, colour=SOFT)


def _draw_seats(paper: Paper, bottom: float, sheet: Scoresheet, names: dict[Seat, str]) -> None:
    paper.box(LEFT, bottom, WIDTH, SEATS_HEIGHT - 6, thick=1.2)
    if sheet.three_handed:
        _draw_three(paper, bottom, sheet, names)
        return
    paper.line(LEFT + HALF, bottom, LEFT + HALF, bottom + SEATS_HEIGHT - 6, thick=1.2)
    for column, side in enumerate(SIDES):
        x = LEFT + column * HALF
        paper.box(x, bottom, 44, SEATS_HEIGHT - 6, fill=SHADE, thick=1.2)
        label = str(SIDE_NAMES[side])
        paper.text(x + 22, bottom + 30, label, size=15, bold=True, align="centre", width=40)
        for row, seat in enumerate(seat for seat in sheet.people if side_of(seat) == side):
            _draw_person(
                paper,
                x + 54,
                bottom + 40 - row * 34,
                seat=seat,
                name=names[seat],
                deals_first=seat == sheet.first_dealer,
            )


def _draw_three(paper: Paper, bottom: float, sheet: Scoresheet, names: dict[Seat, str]) -> None:
    """Three people side by side: nobody is anybody's partner."""
    width, first = WIDTH / len(THREE), sheet.dealer(1)
    for column, seat in enumerate(THREE):
        x = LEFT + column * width
        if column:
            paper.line(x, bottom, x, bottom + SEATS_HEIGHT - 6, thick=1.2)
        _draw_person(
            paper,
            x + 8,
            bottom + 24,
            seat=seat,
            name=names[seat],
            deals_first=seat == first,
            room=width - 14,
        )


def _draw_person(
    paper: Paper,
    x: float,
    y: float,
    *,
    seat: Seat,
    name: str,
    deals_first: bool,
    room: float = HALF - 62,
) -> None:
    label = paper.text(x, y + 19, str(SEAT_NAMES[seat]), size=8, colour=SOFT)
    if deals_first:
        _draw_badge(paper, x + label + 8, y + 16.5, _("deals first"))
    paper.text(x, y, name, size=17, bold=True, width=room, smallest=10)


def _draw_badge(paper: Paper, x: float, y: float, words: str) -> None:
    paper.box(x, y, 66, 11, fill=INK)
    paper.text(x + 33, y + 2.8, words, size=8, bold=True, align="centre", width=62, colour=WHITE)


def _draw_partners(paper: Paper, bottom: float, partners: Sequence[RoundPartners]) -> None:
    """A column for each round."""
    width = WIDTH / len(partners)
    for column, round_ in enumerate(partners):
        x = LEFT + column * width
        if round_.now:
            paper.box(x, bottom + 2, width, PARTNERS_HEIGHT - 6, fill=SHADE)
        room, bold = width - 12, round_.now
        paper.text(x + 6, bottom + 25, round_.label, size=8, bold=bold, width=room, colour=SOFT)
        for line, couple in enumerate((round_.ns, round_.ew)):
            paper.text(x + 6, bottom + 14.5 - line * 10.5, couple, size=9, bold=bold, width=room)
