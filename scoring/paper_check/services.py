"""Storing the totals of a paper sheet, to compare them with what was typed of its lines."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from scoring.deals.entries import reason_checked, require_open, sheet_lock, sheet_tell
from scoring.models import ControlTotal, Scoresheet
from scoring.rules import other_side


@dataclass(frozen=True, slots=True)
class PaperTotals:
    """What the paper has for one side: card points after nat, roem, number of pits; for one of
    three people their total. None is a figure that was not typed."""

    points: int | None = None
    roem: int | None = None
    pits: int | None = None
    total: int | None = None

    @property
    def is_blank(self) -> bool:
        return all(figure is None for figure in asdict(self).values())


@transaction.atomic
def paper_totals_write(
    *, sheet_id: int, on_paper: Mapping[str, PaperTotals], actor: Actor
) -> Scoresheet:
    """Replace the paper totals of each side, or of each of three people by seat; blanks remove
    them. The sheet itself does not change.

    Raises DomainError `sheet_gone`, `sheet_closed` or `sheet_not_started`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    _put(sheet, [(side, asdict(paper)) for side, paper in on_paper.items() if not paper.is_blank])
    data = {side: asdict(paper) for side, paper in on_paper.items()}
    sheet_tell(sheet, actor=actor, action="control_typed", data=data)
    return sheet


@transaction.atomic
def paper_check_accept(
    *, sheet_id: int, seen_version: int, actor: Actor, reason: str = ""
) -> Scoresheet:
    """Accept the sheet as it is, though the paper adds up to something else.

    Raises DomainError `sheet_gone`, `sheet_closed`, `sheet_not_started`, `reason_too_long`, or
    `sheet_moved_on` when the sheet changed since `seen_version`.
    """
    sheet = sheet_lock(sheet_id)
    require_open(sheet)
    reason = reason_checked(reason, needed=False)
    if sheet.version != seen_version:
        raise DomainError("sheet_moved_on", _("The sheet has changed. Please check it again."))
    sheet.control_totals.update(accepted_version=sheet.version)
    sheet_tell(
        sheet,
        actor=actor,
        action="control_accepted",
        data={"version": sheet.version},
        texts={"reason": reason},
    )
    return sheet


def paper_totals_mirror(sheet: Scoresheet) -> None:
    """Swap the paper totals of the two sides; the sheet must be locked."""
    _put(sheet, [(other_side(side), figures) for side, figures in _typed(sheet)])  # type: ignore[arg-type]


def paper_totals_exchange(first: Scoresheet, second: Scoresheet) -> None:
    """Exchange the paper totals of two sheets; both must be locked."""
    contents = _typed(first), _typed(second)
    _put(first, contents[1])
    _put(second, contents[0])


Figures = dict[str, int | None]


def _typed(sheet: Scoresheet) -> list[tuple[str, Figures]]:
    names = PaperTotals.__dataclass_fields__
    return [
        (row.side, {name: getattr(row, name) for name in names})
        for row in sheet.control_totals.order_by("pk")
    ]


def _put(sheet: Scoresheet, rows: list[tuple[str, Figures]]) -> None:
    sheet.control_totals.all().delete()
    ControlTotal.objects.bulk_create(
        ControlTotal(sheet=sheet, side=side, **figures) for side, figures in rows
    )
