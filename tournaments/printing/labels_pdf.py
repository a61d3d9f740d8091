"""Address labels: 24 to a sheet of A4, as sheets of 63.5 by 33.9 millimetres have them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from clubs.models import Club, Member
from scoring.pdf.paper import Paper

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
            _draw(paper, member, place)
        paper.next_page()
    return paper.finish()


def _draw(paper: Paper, member: Member, place: int) -> None:
    """The name and the address, in the middle of the height of the label."""
    row, column = divmod(place, COLUMNS)
    lines = [member.name, member.street, f"{member.postcode}  {member.town}".strip()]
    middle = paper.height - TOP - (row + 0.5) * HEIGHT
    foot = middle + (len(lines) - 1) * LEADING / 2 - SIZE / 3
    for number, line in enumerate(lines):
        paper.text(
            LEFT + column * PITCH + INSET,
            foot - number * LEADING,
            line,
            size=SIZE,
            width=WIDTH - 2 * INSET,
        )
