"""A score sheet to write on that can be read from a photograph: a box for each digit, a box to tick
for what else there is to say, and markers in the corners."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.utils.translation import gettext as _

from clubs.text.numbers import SIDE_NAMES
from scoring.display.sheet_view import SheetView
from scoring.display.words import pit_word, side_words
from scoring.models import Scoresheet
from scoring.pdf.foot import (
    can_be_checked,
    check_parts,
    draw_lines,
    draw_row,
    draw_signatures,
    lines_of,
)
from scoring.pdf.head import ON_A4, ON_A5, Heading, draw_heading
from scoring.pdf.legend import check_rule, legend
from scoring.pdf.paper import (
    FELT,
    INK,
    QUIET,
    REGULAR,
    RULE,
    SHADE,
    SMALLEST,
    SOFT,
    WHITE,
    WOOD,
    Colour,
    Paper,
    composed,
    width_of,
)
from scoring.pdf.sheet import SUITS
from scoring.reading.layout import (
    CODE,
    CODE_MODULES,
    GRID_TOP,
    LEFT,
    MARKER,
    MARKER_EDGE,
    MARKERS,
    PAGE,
    RIGHT,
    ROWS_TOP,
    Box,
    Layout,
    Row,
    layouts_of,
    size_of,
)
from scoring.reading.layout import Form as SheetForm
from scoring.rules import SIDES, THREE

MM = 72 / 25.4
BLACK: Colour = (0, 0, 0)
PALE: Colour = (0.68, 0.68, 0.66)
"""Of boxes, and of what is in boxes to tick: dark enough to write in, pale beside any pen."""
PRINTED: Colour = (0.78, 0.78, 0.76)

HALF = 0.5**0.5
"""How large a page of A5 is beside one of A4."""
ON_HALF = replace(ON_A5, title_height=66, seats_height=38)
TO_READ = replace(
    ON_A4,
    title_height=85,
    seats_height=46,
    partners_height=26,
    qr=76,
    title=30,
    name=14.5,
    side_width=44,
    legend=8.5,
    leading=10.2,
)


@dataclass(frozen=True, slots=True)
class ReadableSheet:
    """A score sheet to print; `code` is what its QR code says on each page, in digits."""

    view: SheetView
    heading: Heading
    codes: Sequence[str]


def sheet_forms(sheet: Scoresheet) -> list[SheetForm]:
    """The forms in which this sheet may have been printed: two on a page as well."""
    form = sheet_form(sheet)
    return [form, form._replace(compact=True)]


def sheet_form(sheet: Scoresheet) -> SheetForm:
    """What the places of the boxes of this sheet depend on; its regulation is loaded. One that is
    not kept is a spare one."""
    return SheetForm(
        sheet.deals_planned,
        sheet.three_handed,
        no_trump=sheet.regulation.rules.no_trump,
        spare=not sheet.pk,
    )


def readable_sheets_pdf(
    sheets: Iterable[ReadableSheet], *, title: str, author: str, compact: bool = False
) -> bytes:
    """A PDF of A4 pages, upright, or `compact` of A5, two on a page; a sheet of more deals than fit
    continues on a page of its own."""
    paper = Paper(title, author=author, halved=compact)
    for sheet in sheets:
        pages = layouts_of(sheet_form(sheet.view.sheet)._replace(compact=compact))
        for layout, code in zip(pages, sheet.codes, strict=True):
            part = (
                _("page %(n)s of %(total)s") % {"n": layout.page, "total": len(pages)}
                if len(pages) > 1
                else ""
            )
            _Page(paper, sheet, layout, last=layout is pages[-1]).draw(code, part)
            paper.next_page()
    return paper.finish()


_Place = tuple[float, float, float]
"""Of a line of words: from where to where across, and its foot."""


class _Page:
    """One page, drawn by the numbers of its layout."""

    def __init__(self, paper: Paper, sheet: ReadableSheet, layout: Layout, *, last: bool) -> None:
        self.paper, self.layout, self.last = paper, layout, last
        self.view, self.heading = sheet.view, sheet.heading
        self.letters = _letters(sheet.view)
        self.small = layout.form.compact
        self.mm = MM * (HALF if self.small else 1)
        inset = MARKER_EDGE + MARKER + 3 - LEFT
        self.form = replace(
            ON_HALF if self.small else TO_READ,
            left=LEFT * self.mm,
            right=RIGHT * self.mm,
            inset=inset * self.mm,
            top=(PAGE[1] - 6.5) * self.mm,
            bottom=13 * self.mm,
        )

    def draw(self, code: str, part: str) -> None:
        self._draw_markers()
        sheet, names = self.view.sheet, self.view.names(self.view.sheet.deals_planned)
        for seat, name in names.items():
            letter = self.letters.get(seat, "")
            if letter.isdigit() and letter != name:
                names[seat] = f"{letter} {name}"
        # On the compact sheet the partners of other rounds stand at the foot.
        heading = replace(self.heading, partners=()) if self.small else self.heading
        draw_heading(self.paper, self.form, heading, sheet, names=names, part=part)
        if self.layout.form.spare:
            self._draw_named()
        self._draw_head()
        for row in self.layout.rows:
            self._draw_row(row)
        self._draw_totals()
        self._draw_frame()
        self._draw_foot()
        x, y, size = CODE
        module = size / CODE_MODULES
        across = size + 2 * QUIET * module
        self.paper.qr(
            (x - QUIET * module) * self.mm,
            (PAGE[1] - y + QUIET * module - across) * self.mm,
            across * self.mm,
            code,
        )
        middle, above = (x + size / 2) * self.mm, (PAGE[1] - y + QUIET * module + 0.8) * self.mm
        words = "" if self.small else _("for the photograph")
        self.paper.text(middle, above, words, size=SMALLEST, align="centre", colour=SOFT)

    def _draw_named(self) -> None:
        """On a spare sheet: boxes for its table and round, and who of three people is which."""
        size = 12 if self.small else 15
        for words, boxes in zip((_("Table"), _("Round")), self.layout.named.values(), strict=True):
            x, y, _width, high = boxes[0]
            foot = (PAGE[1] - y - high / 2) * self.mm - 5
            self.paper.text(x * self.mm - 6, foot, words, size=size, bold=True, align="right")
            for box in boxes:
                self._outline(box)
        if self.layout.form.three:
            order = _("1, 2 and 3 are the people of the table in the order of the draw.")
            foot = (PAGE[1] - GRID_TOP + 1.4) * self.mm
            self.paper.text(LEFT * self.mm + 6, foot, order, size=self.form.legend, colour=SOFT)

    def _draw_markers(self) -> None:
        for (x, y, size, _high), bits in zip(self.layout.marker_boxes, MARKERS, strict=True):
            self._fill((x, y, size, size), BLACK)
            module = size / 6
            for down, line in enumerate(bits, start=1):
                # Bits that touch are drawn as one, or a reader of PDF shows a hair between them.
                for is_dark, run in groupby(
                    enumerate(line, start=1), key=lambda bit: bit[1] == "#"
                ):
                    places = [place for place, _bit in run]
                    if not is_dark:
                        left, top = x + places[0] * module, y + down * module
                        self._fill((left, top, len(places) * module, module), WHITE)

    def _draw_head(self) -> None:
        row, paper, sheet = self.layout.rows[0], self.paper, self.view.sheet
        self._fill((LEFT, GRID_TOP, RIGHT - LEFT, ROWS_TOP - GRID_TOP), SHADE)
        self._label(_("deal"), LEFT, row.dealer[0])
        if row.dealer[2]:
            self._label(_("dealer"), row.dealer[0], row.dealer[0] + row.dealer[2])
        self._label(_("plays"), *_span(list(row.declarer.values())))
        self._label(_("trump"), *_span(list(row.trump.values())))
        words = side_words(sheet)
        for side, colour in zip(
            SIDES, (INK, INK) if sheet.three_handed else (FELT, WOOD), strict=True
        ):
            left, end = _span([*row.points[side], *row.roem[side]])
            middle = (left + end) / 2 * self.mm
            high = (PAGE[1] - GRID_TOP - 4.4) * self.mm
            size = 9.5 if self.small else 11
            paper.text(
                middle, high, str(words[side]), size=size, bold=True, align="centre", colour=colour
            )
            self._label(_("points"), *_span(row.points[side]))
            self._label(_("roem"), *_span(row.roem[side]))
        over = self.view.people if sheet.three_handed else [_("total")] * len(SIDES)
        # The compact sheet has no such cells.
        for name, cell in zip(over, row.running, strict=False):
            self._label(str(name), cell[0], cell[0] + cell[2])
        self._label(_("nat"), *_span([row.nat]))
        self._label(pit_word(sheet.club), *_span([row.pit]))
        other = _("etc.") if self.small else _("else")
        self._label(other, row.pit[0] + row.pit[2] + 0.8, RIGHT - 0.8, size=SMALLEST)

    def _label(self, words: str, left: float, right: float, *, size: float = 0) -> None:
        """A word at the foot of the heading of columns, between two millimetres across."""
        size = size or (8 if self.small else 9)
        y = (PAGE[1] - ROWS_TOP + 1.6) * self.mm
        middle, width = (left + right) / 2 * self.mm, (right - left + 0.9) * self.mm
        self.paper.text(middle, y, words, size=size, align="centre", width=width)

    def _draw_row(self, row: Row) -> None:
        paper, foot = self.paper, (PAGE[1] - row.line[1] - row.line[3] / 2) * self.mm - 4
        paper.text(
            row.dealer[0] * self.mm - 4, foot, str(row.deal), size=10.5, bold=True, align="right"
        )
        if row.dealer[2]:
            x, room = row.dealer[0] * self.mm + 2, row.dealer[2] * self.mm - 3
            dealer = self.view.dealer_name(row.deal)
            paper.text(x, foot + 0.5, dealer, size=9.5, width=room, colour=SOFT)
        for who, box in row.declarer.items():
            self._tick(box, self.letters[who])
        for suit, box in row.trump.items():
            self._tick(box, SUITS.get(suit, _("NT")))
        for boxes in (*row.points.values(), *row.roem.values()):
            for box in boxes:
                self._outline(box)
        for box in (row.nat, row.pit, row.other):
            self._outline(box)

    def _tick(self, box: Box, words: str) -> None:
        x, y, width, height = box
        size = 11.0 * self.mm / MM
        foot = (PAGE[1] - y - height / 2) * self.mm - size * 0.35
        self.paper.text(
            (x + width / 2) * self.mm, foot, words, size=size, align="centre", colour=PRINTED
        )
        self._outline(box)

    def _draw_totals(self) -> None:
        x, y, _width, height = self.layout.totals_line
        label = _("Total") if self.last else _("So far")
        foot = (PAGE[1] - y - height / 2) * self.mm - 5
        self.paper.text((x + 2) * self.mm, foot, label, size=13, bold=True)
        names: Mapping[str, str] = dict(zip(THREE, map(str, self.view.people), strict=False))
        for who, boxes in self.layout.totals.items():
            words = names.get(who) or str(side_words(self.view.sheet)[who])  # type: ignore[index]
            left = boxes[0][0]
            room = (17.0 if self.small and names else 9.5) * self.mm
            self.paper.text(
                left * self.mm - 4,
                foot + 1,
                words,
                size=9.5,
                align="right",
                width=room,
                colour=SOFT,
            )
            for box in boxes:
                self._outline(box)

    def _draw_frame(self) -> None:
        """Lines between deals, a thicker one where everybody has dealt, and around it all."""
        rows, (left, totals, width, height) = self.layout.rows, self.layout.totals_line
        dealers = 3 if self.view.sheet.three_handed else 4
        for row in rows[:-1]:
            y = (PAGE[1] - row.line[1] - row.line[3]) * self.mm
            thick, colour = (0.9, INK) if row.deal % dealers == 0 else (0.4, RULE)
            self.paper.line(
                left * self.mm, y, (left + width) * self.mm, y, thick=thick, colour=colour
            )
        for y in (GRID_TOP, ROWS_TOP, totals, totals + height):
            up = (PAGE[1] - y) * self.mm
            self.paper.line(left * self.mm, up, (left + width) * self.mm, up, thick=1.6)
        first = rows[0]
        blocks = [first.points[side][0][0] - 0.5 for side in SIDES]
        for x in (
            left,
            *blocks,
            first.nat[0] - (size_of(self.layout.form).slot - first.nat[2]) / 2 - 0.3,
            left + width,
        ):
            bottom = totals + height
            self._upright(x, GRID_TOP, bottom if x in (left, left + width) else totals, 1.6)
        for cell in first.running:
            self._upright(cell[0] - 0.4, GRID_TOP + 5, totals, 0.5, RULE)

    def _upright(
        self, x: float, top: float, bottom: float, thick: float, colour: Colour = INK
    ) -> None:
        ends = (PAGE[1] - top) * self.mm, (PAGE[1] - bottom) * self.mm
        self.paper.line(x * self.mm, ends[0], x * self.mm, ends[1], thick=thick, colour=colour)

    def _draw_foot(self) -> None:
        paper, form, sheet = self.paper, self.form, self.view.sheet
        _x, top, _width, height = self.layout.totals_line
        y = (PAGE[1] - top - height - 6) * self.mm
        inside = replace(form, left=form.left + 2, right=form.right - 2)
        if self.small:
            self._draw_small_print(y + 8, list(self._in_short()))
        else:
            if can_be_checked(sheet):
                draw_row(paper, inside, y, list(check_parts(sheet)))
            else:
                draw_lines(paper, inside, y + form.leading, lines_of([check_rule(sheet)], form))
            self._draw_small_print(y - 5, list(self._legend()))
        signed = replace(
            form, left=form.left + form.inset, right=(CODE[0] - 5) * self.mm, bottom=8 * self.mm
        )
        draw_signatures(paper, signed, self.view, filled=False)

    def _draw_small_print(self, top: float, sentences: Sequence[str]) -> None:
        """Sentences from `top` down, each on a line of its own if there is room for that."""
        places, size = list(self._places(top)), self.form.legend
        lines = _flowed(sentences, places, size)
        if len(lines) > len(places):
            lines = _flowed([" ".join(sentences)], places, size)
        for (left, right, foot), words in zip(places, lines, strict=False):
            self.paper.text(left, foot, words, size=size, width=right - left, colour=SOFT)

    def _places(self, top: float) -> Iterator[_Place]:
        """Where lines of small print go: over the whole width, further down beside the code, then
        beside the marker as well, as far as where people sign."""
        form = self.form
        module = CODE[2] / CODE_MODULES
        code = (PAGE[1] - CODE[1] + QUIET * module + 1.6) * self.mm + SMALLEST
        marker = (MARKER_EDGE + MARKER + 2) * self.mm
        foot = top - form.leading + 3
        while foot > 8 * self.mm + 2 * form.leading:
            right = form.right - 2 if foot > code else (CODE[0] - 6) * self.mm
            left = form.left + (2 if foot - 3 > marker else form.inset)
            yield left, right, foot
            foot -= form.leading

    def _legend(self) -> Iterator[str]:
        yield _("One digit in each box; leave boxes empty that you do not need. Tick with a cross.")
        yield from legend(self.view.sheet, self.form, ticked=True)

    def _in_short(self) -> Iterator[str]:
        """The same on the compact sheet."""
        yield _("One digit in each box. Tick with a cross.")
        if self.heading.partners:
            rounds = (
                f"{round_.label}: {round_.ns}, {round_.ew}"
                for round_ in self.heading.partners
                if not round_.now
            )
            yield " · ".join(rounds)

    def _outline(self, box: Box) -> None:
        self.paper.box(*self._points(box), thick=0.6, edge=PALE)

    def _fill(self, box: Box, colour: Colour) -> None:
        self.paper.box(*self._points(box), fill=colour)

    def _points(self, box: Box) -> Box:
        """A box of the layout as the paper has it: in points, from the lower left."""
        x, y, width, height = (side * self.mm for side in box)
        return x, PAGE[1] * self.mm - y - height, width, height


def _letters(view: SheetView) -> Mapping[str, str]:
    """What is ticked for who plays: the first letters of both sides, or of three people; numbers
    where two of those begin alike."""
    if not view.sheet.three_handed:
        return {side: str(SIDE_NAMES[side])[0] for side in SIDES}
    letters = [name[0] for name in view.people]
    alike = len(set(letters)) < len(letters)
    return dict(zip(THREE, "123" if alike else letters, strict=True))


def _flowed(sentences: Sequence[str], places: Sequence[_Place], size: float) -> list[str]:
    """Sentences as lines that fit the places from the first on, maybe more than there are."""
    lines: list[str] = []
    for sentence in sentences:
        lines.append("")
        for word in composed(sentence).split():
            left, right, _foot = places[min(len(lines), len(places)) - 1]
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and width_of(longer, REGULAR, size) > right - left:
                lines.append(word)
            else:
                lines[-1] = longer
    return lines


def _span(boxes: Sequence[Box]) -> tuple[float, float]:
    """From where to where these boxes reach across."""
    return min(box[0] for box in boxes), max(box[0] + box[2] for box in boxes)
