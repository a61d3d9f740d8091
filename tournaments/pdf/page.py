"""What the lists for the wall share: the division into pages, their heading and foot."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TypeVar

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo
from scoring.pdf.paper import SOFT, Paper
from tournaments.models import Evening

Item = TypeVar("Item")

MARGIN = 40.0
HEADING_HEIGHT = 78.0
FOOT_HEIGHT = 32.0


def list_room(paper: Paper) -> float:
    """The height between heading and foot, in points."""
    return paper.height - 2 * 28 - HEADING_HEIGHT - FOOT_HEIGHT


def in_pages(items: Sequence[Item], most: int, *, beside: int = 1) -> list[Sequence[Item]]:
    """The items over as few pages as it takes with at most so many on each, about equally many.

    So many of them stand beside each other: only the last page may have a row that is not full.
    """
    rows = ceil(len(items) / beside)
    pages = max(1, ceil(rows / (most // beside)))
    ends = [ceil(rows * page / pages) * beside for page in range(pages + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True, slots=True)
class ListHeading:
    """What stands at the top of every page of a list: whose it is, of when, what it is."""

    club: Club
    occasion: str
    title: str
    logo: ClubLogo | None = None


def evening_heading(evening: Evening, title: str) -> ListHeading:
    """The heading of a list of this evening, which has its club at hand. A query for a logo."""
    date = date_format(evening.date, "l j F Y")
    occasion = " · ".join(filter(None, [evening.name, date]))
    return ListHeading(evening.club, occasion, title, club_logo(evening.club))


def club_logo(club: Club) -> ClubLogo | None:
    """The club's logo, where it has one. At most one query."""
    return ClubLogo.objects.filter(club=club).first() if club.logo_version else None


def draw_list_heading(paper: Paper, heading: ListHeading, subtitle: str, corner: str = "") -> float:
    """Draw the heading with what else there is to say of this list, and in the corner which part
    of it is on this page; returns where the list may start."""
    top, left, right = paper.height - 28, MARGIN, paper.width - MARGIN
    if heading.logo:
        left += paper.logo(left, top + 2, heading.logo, width=110, height=56) + 14
    x = left + paper.text(left, top - 12, heading.club.name, size=12, bold=True, width=300) + 12
    paper.text(x, top - 12, heading.occasion, size=11, width=right - x, colour=SOFT)
    x = left + paper.text(left, top - 50, heading.title, size=30, bold=True, width=350) + 16
    room = right - x - paper.text(right, top - 50, corner, size=30, bold=True, align="right")
    paper.text(x, top - 50, subtitle, size=18, width=room)
    paper.line(MARGIN, top - 62, right, top - 62, thick=1.6)
    return top - HEADING_HEIGHT


def draw_list_foot(paper: Paper, page: int, pages: int, words: str = "") -> None:
    """Draw when this was printed and which page it is, with `words` on a line above."""
    now = date_format(timezone.localtime(), "j F Y H:i")
    width = paper.width - 2 * MARGIN
    paper.text(MARGIN, 28, _("Printed %(when)s") % {"when": now}, size=8, colour=SOFT)
    part = _("page %(n)s of %(total)s") % {"n": page, "total": pages}
    paper.text(paper.width - MARGIN, 28, part, size=8, align="right", colour=SOFT)
    if words:
        paper.text(MARGIN, 41, words, size=10, width=width, smallest=5)
