"""Previews of shared links: a title, a sentence and a picture (1200 by 630) with a few lines.

A picture is drawn once and cached as long as it says the same.
"""

import hashlib
import io
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache as cached
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

import scoring.pdf
from clubs.models import Club, ClubLogo
from clubs.text.numbers import number
from tournaments.evenings.pages import evening_view
from tournaments.evenings.texts import day_words, length_line
from tournaments.models import Evening
from tournaments.releases.lines import public_lines
from tournaments.releases.queries import PublicRow, by_pair
from tournaments.standings.competitors import PAIR, PLAYER, TEAM

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

LINES = 3
CLOSED, RUNNING = Evening.State.CLOSED, Evening.State.RUNNING

WIDTH, HEIGHT = 1200, 630
EDGE = 64
HEADER, RAIL = 150, 12
LINE_TOP, LINE_HEIGHT = 340, 88
LOGO = 118
PAPER, INK, SOFT = "#f6f0e1", "#231c13", "#4a3f30"
FELT, ON_FELT, WOOD, RULE = "#14523a", "#fbf6e8", "#7a4a22", "#d2c4a3"
CACHE_SECONDS = 24 * 60 * 60
ELLIPSIS = "…"

_FONTS = Path(scoring.pdf.__file__).parent / "fonts"
TEXT, BOLD, HEADING = (
    "AtkinsonHyperlegibleNext-Regular.ttf",
    "AtkinsonHyperlegibleNext-Bold.ttf",
    "Fraunces-SemiBold.ttf",
)
OTHER_SCRIPTS = "DejaVuSans-Bold.ttf"
"""For suits, and for a text with a letter that the face asked for does not have."""


@dataclass(frozen=True, slots=True)
class TopLine:
    """One of the first places: the name, and the points as they are written."""

    rank: int
    name: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPreview:
    """The preview of a page. `heading` and `top` are drawn in its picture, `notice` if there is no
    `top`; `picture` is the picture's address."""

    title: str
    description: str
    heading: str
    top: Sequence[TopLine]
    notice: str
    picture: str

    @property
    def version(self) -> str:
        """Changes whenever the picture would."""
        seen = (self.title, self.heading, self.notice, *map(repr, self.top))
        return f"{zlib.crc32('|'.join(seen).encode()):08x}"


def top_lines(rows: Iterable[PublicRow]) -> list[TopLine]:
    """The first places of an evening with everybody who shares one; a pair has one line."""
    return [
        TopLine(row.rank, row.name, number(row.total))
        for row in by_pair(list(rows))
        if row.rank is not None and row.rank <= LINES
    ]


def evening_preview(evening: Evening, rows: Sequence[PublicRow], *, final: bool) -> LinkPreview:
    """An evening with its public standings, which are empty while frozen; `final` if they are the
    result."""
    top = top_lines(rows)
    # While the first round is played there are points, and no places yet.
    played = bool(top) and any(row.total for row in rows)
    top = top if played else []
    notice = "" if played else _notice(evening)
    return LinkPreview(
        title=_title(evening),
        description=_result(top, rows, final=final) if played else notice,
        heading=_("Final standings") if final else _("Standings so far"),
        top=top[:LINES],
        notice=notice,
        picture=reverse("evening_card", args=[evening.club.slug, evening.slug]),
    )


def draw_preview(evening: Evening, round_number: int) -> LinkPreview:
    """The draw of a round; its picture is that of the evening."""
    where = _("Where do I sit? The draw of round %(n)s.") % {"n": round_number}
    return replace(evening_preview(evening, (), final=False), description=where)


def club_preview(
    club: Club, following: Evening | None, last: Sequence[TopLine], season: Sequence[TopLine]
) -> LinkPreview:
    """A club: its next evening, who won the last one and who leads the season."""
    sentences = [
        _next(following) if following else "",
        _("Won last time: %(who)s.") % {"who": leaders(last)} if last else "",
        _("Leads the season: %(who)s.") % {"who": leaders(season)} if season else "",
    ]
    heading = _("Standings of the season") if season else _("The last evening")
    return LinkPreview(
        title=club.name,
        description=" ".join(filter(None, sentences))
        or _("Klaverjas evenings: where you sit and how you stand."),
        heading=heading if season or last else _("Klaverjas evenings"),
        top=(season or last)[:LINES],
        notice="" if season or last else sentences[0],
        picture=reverse("club_card", args=[club.slug]),
    )


def season_link_preview(
    name: str, top: Sequence[TopLine], evenings: int, picture: str
) -> LinkPreview:
    """A standing of a season after so many evenings."""
    notice = _("No evening of this season has been played yet.")
    after = ngettext("after %(n)s evening", "after %(n)s evenings", evenings) % {"n": evenings}
    description = _("Leads: %(who)s, %(after)s.") % {"who": leaders(top), "after": after}
    return LinkPreview(
        title=_("Standings %(name)s") % {"name": name},
        description=description if top else notice,
        heading=after.capitalize(),
        top=top[:LINES],
        notice="" if top else notice,
        picture=picture,
    )


def leaders(top: Sequence[TopLine]) -> str:
    """The names of those in the first place, and their points; empty if nobody has it."""
    first = [line for line in top if line.rank == 1]
    if not first:
        return ""
    names = _(" and ").join(line.name for line in first)
    return f"{names} ({first[0].points})"


def _title(evening: Evening) -> str:
    return evening.name or capfirst(day_words(evening, "l j F Y"))


def _next(evening: Evening) -> str:
    if evening.state == RUNNING:
        return _("Being played now.")
    return _("The next evening: %(day)s.") % {"day": day_words(evening)}


def _notice(evening: Evening) -> str:
    """What to say while there are no points."""
    match evening.state:
        case Evening.State.CANCELLED:
            return _("This evening is called off.")
        case Evening.State.RUNNING if evening.frozen:
            return _("The standings are frozen until the prizes.")
        case Evening.State.RUNNING:
            return _("Being played now.")
        case Evening.State.CLOSED:
            return _("Nothing was played.")
    return length_line(evening)


def _result(top: Sequence[TopLine], rows: Sequence[PublicRow], *, final: bool) -> str:
    words = {"who": leaders(top), "players": lines_counted(rows)}
    if final:
        return _("Won by %(who)s. %(players)s.") % words
    return _("Being played now. In the lead: %(who)s. %(players)s.") % words


def lines_counted(rows: Sequence[PublicRow]) -> str:
    """How many players, pairs or teams these are, in words."""
    count, kind = len(rows), next((row.kind for row in rows), PLAYER)
    if kind == TEAM:
        return ngettext("%(n)s team", "%(n)s teams", count) % {"n": count}
    if kind == PAIR:
        return ngettext("%(n)s pair", "%(n)s pairs", count) % {"n": count}
    return ngettext("%(n)s player", "%(n)s players", count) % {"n": count}


def card_png(club: Club, preview: LinkPreview) -> bytes:
    """The picture as PNG, from the cache if it has been drawn before."""
    return kept_png(club, preview.version, lambda: _drawn(club, preview))


def kept_png(club: Club, version: str, draw: Callable[[], bytes]) -> bytes:
    """A picture with the club's name and logo on it, drawn unless this version is in the cache."""
    content = f"{club.pk} {club.name} {club.logo_version} {version}"
    key = f"card-{hashlib.sha256(content.encode()).hexdigest()}"
    png: bytes | None = cache.get(key)
    if png is None:
        png = draw()
        cache.set(key, png, CACHE_SECONDS)
    return png


def _drawn(club: Club, preview: LinkPreview) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    draw_header(image, draw, club)
    title = preview.title if preview.title != club.name else ""
    write_line(
        draw, (EDGE, 192), title or preview.heading, size=62, width=WIDTH - 2 * EDGE, face=HEADING
    )
    if title and preview.top:
        write_line(draw, (EDGE, 272), preview.heading, size=36, width=700, face=TEXT, ink=SOFT)
    if preview.top:
        _top(draw, preview.top)
    else:
        write_line(draw, (EDGE, 380), preview.notice, size=56, width=WIDTH - 2 * EDGE, ink=FELT)
    return png_of(image)


def draw_header(image: "Image.Image", draw: "ImageDraw.ImageDraw", club: Club) -> None:
    """The band on top with the club's name, and its logo or a club of clubs."""
    draw.rectangle((0, 0, WIDTH, HEADER), fill=FELT)
    draw.rectangle((0, HEADER, WIDTH, HEADER + RAIL), fill=WOOD)
    logo = _logo(club)
    room = WIDTH - 2 * EDGE
    if logo is None:
        at, font = (WIDTH - EDGE, HEADER // 2), font_of(110, OTHER_SCRIPTS)
        draw.text(at, "♣", font=font, fill=ON_FELT, anchor="rm")
        room -= 130
    else:
        box = (WIDTH - EDGE - logo.width, (HEADER - logo.height) // 2)
        draw.rectangle((box[0] - 8, 8, WIDTH - EDGE + 8, HEADER - 8), fill="white")
        image.paste(logo, box, logo)
        room -= logo.width + 40
    at = EDGE, HEADER // 2
    write_line(draw, at, club.name, size=64, width=room, ink=ON_FELT, anchor="lm", face=HEADING)


def _logo(club: Club) -> "Image.Image | None":
    from PIL import Image

    stored = ClubLogo.objects.filter(club=club).first() if club.logo_version else None
    if stored is None:
        return None
    logo = Image.open(io.BytesIO(bytes(stored.png)), formats=["PNG"]).convert("RGBA")
    logo.thumbnail((400, LOGO))
    return logo


def _top(draw: "ImageDraw.ImageDraw", top: Sequence[TopLine]) -> None:
    """Draw a line for each place: rank, name and points."""
    for index, line in enumerate(top):
        y = LINE_TOP + index * LINE_HEIGHT
        middle = y + LINE_HEIGHT // 2
        draw.line((EDGE, y, WIDTH - EDGE, y), fill=RULE, width=2)
        draw.text(
            (EDGE + 60, middle), str(line.rank), font=font_of(48, TEXT), fill=SOFT, anchor="rm"
        )
        points = font_of(56, BOLD)
        draw.text((WIDTH - EDGE, middle), line.points, font=points, fill=INK, anchor="rm")
        room = WIDTH - 2 * EDGE - 130 - int(points.getlength(line.points))
        write_line(draw, (EDGE + 90, middle), line.name, size=54, width=room, anchor="lm")


def write_line(
    draw: "ImageDraw.ImageDraw",
    at: tuple[int, int],
    text: str,
    *,
    size: int,
    width: int,
    face: str = BOLD,
    ink: str = INK,
    anchor: str = "la",
) -> None:
    """Write the text on one line no wider than `width`: smaller if needed, then cut short."""
    text = " ".join(text.split())
    if any(ord(letter) not in _letters(face) for letter in text):
        face = OTHER_SCRIPTS
    while size > 34 and font_of(size, face).getlength(text) > width:
        size -= 2
    font = font_of(size, face)
    if font.getlength(text) > width:
        while text and font.getlength(text + ELLIPSIS) > width:
            text = text[:-1].rstrip()
        text += ELLIPSIS
    draw.text(at, text, font=font, fill=ink, anchor=anchor)


@cached
def font_of(size: int, face: str) -> "ImageFont.FreeTypeFont":
    """A typeface at a size."""
    from PIL import ImageFont

    return ImageFont.truetype(str(_FONTS / face), size)


@cached
def _letters(face: str) -> frozenset[int]:
    """The letters that the typeface has."""
    from reportlab.pdfbase.ttfonts import TTFontFile

    return frozenset(TTFontFile(_FONTS / face).charToGlyph)


def png_of(image: "Image.Image") -> bytes:
    """The picture as a small PNG."""
    file = io.BytesIO()
    # 64 colours make the file ten times smaller, and the difference cannot be seen.
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


@require_safe
@evening_view
def evening_card(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The picture of an evening; if the standings are frozen it says only that."""
    final = evening.state == Evening.State.CLOSED
    preview = evening_preview(evening, public_lines(evening), final=final)
    return card_response(evening.club, preview)


def card_response(club: Club, preview: LinkPreview) -> HttpResponse:
    """The picture of a preview."""
    return png_response(card_png(club, preview))


def png_response(png: bytes) -> HttpResponse:
    """A picture that may be cached for ten minutes; its words are in the reader's language, which a
    cookie says."""
    return HttpResponse(
        png,
        content_type="image/png",
        headers={"Cache-Control": "public, max-age=600", "Vary": "Cookie"},
    )
