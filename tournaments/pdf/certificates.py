"""Certificates to hang on the wall: for the winner and who came next, the poedel, the most pits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from clubs.models import Club, ClubLogo
from scoring.pdf.paper import INK, RULE, SOFT, Paper
from tournaments.pdf.leaf import Leaf, leaves_pdf
from tournaments.pdf.page import club_logo

FRAME = 30.0
SUITS = "♣ ♦ ♥ ♠"


@dataclass(frozen=True, slots=True)
class Honour:
    """Who gets a certificate, for what, and with what figure: `1e plaats`, `6.214 punten`."""

    name: str
    what: str
    figure: str = ""


def certificates_pdf(club: Club, occasion: str, honours: Sequence[Honour]) -> bytes:
    """A page on its side for each of them; `occasion` is the evening or season it is for."""
    logo = club_logo(club)
    leaves = [
        Leaf(partial(_draw, club, logo, occasion, honour), wide=True, numbered=False)
        for honour in honours
    ]
    return leaves_pdf(leaves, title=_("Certificates"), author=club.name)


def _draw(club: Club, logo: ClubLogo | None, occasion: str, honour: Honour, paper: Paper) -> None:
    _draw_frame(paper)
    middle, room = paper.width / 2, paper.width - 6 * FRAME
    if logo:
        width, height = 200.0, 80.0
        scale = min(width / logo.width, height / logo.height)
        left = middle - logo.width * scale / 2
        paper.logo(left, paper.height - 58, logo, width=width, height=height)
    else:
        paper.text(middle, paper.height - 108, SUITS, size=34, align="centre")
    lines = [
        (172.0, club.name, 20.0, True, SOFT),
        (232.0, _("Certificate"), 46.0, True, INK),
        (270.0, _("for"), 14.0, False, SOFT),
        (322.0, honour.name, 42.0, True, INK),
        (372.0, honour.what, 26.0, True, INK),
        (400.0, honour.figure, 18.0, False, INK),
        (432.0, occasion, 16.0, False, SOFT),
    ]
    for down, words, size, bold, colour in lines:
        paper.text(
            middle,
            paper.height - down,
            words,
            size=size,
            bold=bold,
            align="centre",
            width=room,
            smallest=9,
            colour=colour,
        )
    _draw_signatures(paper)


def _draw_frame(paper: Paper) -> None:
    for inset, thick in ((FRAME, 3.0), (FRAME + 8, 0.8)):
        paper.box(inset, inset, paper.width - 2 * inset, paper.height - 2 * inset, thick=thick)


def _draw_signatures(paper: Paper) -> None:
    date = _("Date: %(date)s") % {"date": date_format(localdate(), "j F Y")}
    paper.text(3 * FRAME, 92, date, size=12)
    start = paper.width - 3 * FRAME - 230
    paper.line(start, 90, start + 230, 90, colour=RULE)
    paper.text(start, 76, _("for the club"), size=10, colour=SOFT)
