"""What a picture of a sheet says, deal by deal, beside what stands on the sheet."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from django.db.models import QuerySet

from clubs.text.errors import DomainError
from clubs.text.numbers import SIDE_NAMES
from scoring import rules
from scoring.deals.entries import EvaluatedLine, line_of, same_deal
from scoring.deals.services import deal_preview
from scoring.display.history import line_words
from scoring.display.sheet_view import SheetView
from scoring.models import Deal, Scoresheet
from scoring.rules import SIDES, THREE, side_of
from scoring.sheets.services import sheet_views
from tournaments.models import Evening, SheetPhoto, Table

Line = Mapping[str, Any]
Kind = Literal["look", "sure", "same", "blank", "decided"]
MARKS: Final = ("nat", "pit")
OPEN: Final = "open"
"""The doubt about a blank line before others that are written."""


@dataclass(frozen=True, slots=True)
class LineChoice:
    """A line that the writing can stand for, and the same in words."""

    line: Line
    words: str


@dataclass(slots=True)
class PhotoLine:
    """A deal on a picture. `line` is what was read, as a form has it; `standing` is what the sheet
    has instead, in words, where that is something else.

    `view_box` is the part of the page that shows it; the writing `can_be` these lines. `kind` says
    what there is to do: `look`, or accept what is `sure`; or nothing: the sheet says the same, the
    paper is blank, or it was decided. A blank line before others that are written was left `open`,
    and somebody looks at it; after the last one it was not played.
    """

    deal: Deal
    view_box: str
    line: Line | None
    kind: Kind
    doubts: Sequence[str] = ()
    can_be: Sequence[Line] = ()
    standing: str = ""
    score: Mapping[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return self.deal.number

    @property
    def is_open(self) -> bool:
        """Whether somebody has to decide it."""
        return self.kind in ("look", "sure")

    @property
    def was_left_open(self) -> bool:
        """Whether nothing is written on it, and something is on a later one."""
        return OPEN in self.doubts


def photo_lines(photo: SheetPhoto, view: SheetView) -> list[PhotoLine]:
    """The deals of the page on this picture; `view` is its sheet as it stands."""
    strips = photo.strips
    lines = [
        _line(read, deal, view, photo, strips[deal.number])
        for read in photo.read.get("deals", ())
        if (deal := view.deal(read["deal"])) is not None
    ]
    if not photo.is_blank:
        last = max(
            *photo.written, *(deal.number for deal in view.deals if line_of(deal.current)), 0
        )
        for line in lines:
            if line.kind == "blank" and not line.standing and line.number < last:
                line.kind, line.doubts = "look", [OPEN]
    return lines


def is_done(lines: Collection[PhotoLine]) -> bool:
    """Whether nothing on the picture waits for a decision."""
    return not any(line.is_open for line in lines)


def looks_of(photos: Iterable[SheetPhoto]) -> dict[int, int]:
    """How many lines somebody has to look at on each of these pictures that waits for a decision,
    by its id. Four queries; none where no picture waits."""
    waiting = [photo for photo in photos if photo.state == SheetPhoto.State.READ]
    sheets = [photo.sheet for photo in waiting if photo.sheet is not None]
    views = sheet_views(sheets)
    return {
        photo.pk: sum(line.kind == "look" for line in photo_lines(photo, view))
        for photo, view in zip(waiting, views, strict=True)
    }


def photos_of(evening: Evening, *, sent_by: str | None = None) -> list[SheetPhoto]:
    """The pictures of an evening without their content, the newest first, each with its sheet; or
    only those of one sender."""
    photos = SheetPhoto.objects.filter(evening=evening).defer("content")
    if sent_by is not None:
        photos = photos.filter(sent_by=sent_by)
    sheets = "sheet__table__round", "sheet__regulation", "sheet__club"
    return list(photos.select_related(*sheets).order_by("-pk"))


def photo_table(photo: SheetPhoto) -> Table | None:
    """The table whose sheet is on the picture, in its round."""
    return None if photo.sheet is None else getattr(photo.sheet, "table", None)


def sheet_of(photo: SheetPhoto) -> Scoresheet:
    """The sheet on a picture, as it stands now."""
    return Scoresheet.objects.select_related("regulation", "club").get(pk=photo.sheet_id or 0)


def other_pictures(photo: SheetPhoto) -> QuerySet[SheetPhoto]:
    """The other picture of the same page that is used; at most one."""
    same = SheetPhoto.objects.filter(sheet=photo.sheet, page=photo.page, state__in=SheetPhoto.USED)
    return same.exclude(pk=photo.pk)


def written_of(line: Line, sheet: Scoresheet) -> dict[str, object]:
    """A line that was read as `deal_write` takes it."""
    written: dict[str, object] = {"declarer": line["declarer"], "trump": line.get("trump") or None}
    for key in ("points", "roem"):
        given = {side: line[key][side] for side in SIDES if line.get(key, {}).get(side) not in NONE}
        if given:
            written[key] = given
    written |= {mark: line[mark] for mark in MARKS if line.get(mark)}
    if sheet.two_handed:
        written["seats"] = list(rules.TWO)
    return rules.line_of_three(written) if sheet.three_handed else written


NONE: Final[tuple[object, ...]] = (None, [])


def totals_of(
    photo: SheetPhoto, lines: Sequence[PhotoLine], view: SheetView
) -> list[tuple[str, int | None, int]]:
    """For each side, or each of three people, by name: what stands at the foot of the paper, and
    what their deals come to. Nothing where the page has no totals of its own deals alone."""
    three = view.sheet.three_handed
    names = dict(zip(THREE, view.people, strict=True)) if three else SIDE_NAMES
    on_paper = photo.read.get("totals") or {}
    if set(on_paper) != set(names) or len(lines) != view.sheet.deals_planned:
        return []
    return [
        (str(name), on_paper[who], sum(line.score.get(who, 0) for line in lines))
        for who, name in names.items()
    ]


def _scores(line: EvaluatedLine, sheet: Scoresheet) -> dict[str, int]:
    """What a deal brings each side, or each of three people."""
    written, result = line
    if sheet.three_handed:
        return dict(rules.shares_of_three(written["declarer"], result["score"]).items())
    return dict(result["score"])


def _line(
    read: Mapping[str, Any], deal: Deal, view: SheetView, photo: SheetPhoto, strip: str
) -> PhotoLine:
    sheet, number = view.sheet, deal.number
    taken = as_entered(read["line"], view, number) if read["line"] else None
    can_be = [choice["line"] for choice in read["choices"]]
    found = PhotoLine(deal, strip, taken, "look", read["doubts"], can_be)
    standing = line_of(deal.current)
    if standing is not None:
        found.score = _scores(standing, sheet)
    if number in photo.decided:
        found.kind = "decided"
        return found
    result = _result(taken, view, number)
    if taken is not None and result is not None:
        if standing is not None:
            same = same_deal(standing, (written_of(taken, sheet), result))
            found.kind = "same" if same else "look"
        else:
            found.score = _scores((written_of(taken, sheet), result), sheet)
            found.kind = "sure" if read["sure"] else "look"
    elif taken is None and read["sure"]:
        found.kind = "blank"
    if found.kind in ("look", "blank") and standing is not None and deal.current is not None:
        found.standing = line_words(
            deal.current.written, sheet, view.short_names(number).__getitem__
        )
    return found


def line_choices(found: PhotoLine, view: SheetView) -> list[LineChoice]:
    """The lines that the writing can stand for, in words, as they are entered."""
    lines = [as_entered(line, view, found.number) for line in found.can_be]
    return [LineChoice(line, words) for line in lines for words in _words(line, view, found.number)]


def as_entered(line: Line, view: SheetView, number: int) -> dict[str, Any]:
    """A line that was read, with the seat where the rules say who of the side plays; without the
    points of a nat where they are not those that were taken."""
    sheet = view.sheet
    if line.get("nat"):
        meant, _result = rules.announced_line(
            line, sheet.regulation.rules, three=sheet.three_handed
        )
        line = {key: value for key, value in line.items() if key in meant}
    by_rule = {"forehand_must": sheet.forehand, "dealer_must": sheet.dealer}
    must_play = by_rule.get(sheet.regulation.rules.bidding)
    seat = must_play(number) if must_play and not sheet.three_handed else None
    forced = seat is not None and side_of(seat) == line["declarer"]
    return {**line, "declarer": seat} if forced else dict(line)


def _result(line: Line | None, view: SheetView, number: int) -> Mapping[str, Any] | None:
    """What the line comes to on this sheet; None where it cannot be."""
    if line is None:
        return None
    try:
        written = written_of(line, view.sheet)
        return deal_preview(sheet=view.sheet, number=number, written=written).as_json()
    except DomainError:
        return None


def _words(line: Line, view: SheetView, number: int) -> Iterator[str]:
    try:
        names = view.short_names(number)
        yield line_words(written_of(line, view.sheet), view.sheet, names.__getitem__)
    except (DomainError, rules.InvalidDeal):
        # The rules changed since it was read: it fits no more.
        return
