"""The club's people on paper: who they are and how they are reached, and who paid the fee."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club, Member
from clubs.money import money
from scoring.pdf.paper import Paper
from tournaments.models import Season
from tournaments.pdf.leaf import Leaf, leaves_pdf
from tournaments.pdf.page import FOOT_HEIGHT, MARGIN, ListHeading, club_logo, draw_list_heading
from tournaments.pdf.ruled import (
    Cell,
    Column,
    Line,
    draw_ruled,
    in_chunks,
    room_below,
    width_between,
)

SMALLEST_ROW, LARGEST_ROW = 18.0, 25.0


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
    sums = _sums(season.fee, len(members))
    return leaves_pdf(_leaves(heading, columns, lines, sums), title=title, author=season.club.name)


def _sums(fee: int | None, people: int) -> str:
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
    chunks = in_chunks(lines, int(room_below(wide=False) // SMALLEST_ROW))
    people = ngettext("%(n)s member", "%(n)s members", len(lines)) % {"n": len(lines)}
    shared = _List(heading, people, columns)
    return [
        Leaf(partial(_draw, shared, chunk, foot if chunk is chunks[-1] else "")) for chunk in chunks
    ]


def _draw(shared: _List, lines: Sequence[Line], foot: str, paper: Paper) -> None:
    top = draw_list_heading(paper, shared.heading, shared.people)
    height = min(LARGEST_ROW, room_below(wide=False) / max(1, len(lines)))
    draw_ruled(paper, top, shared.columns, lines, height)
    paper.text(MARGIN, 28 + FOOT_HEIGHT - 16, foot, size=12, bold=True)


def _number(who: Member) -> str:
    return "" if who.number is None else str(who.number)
