"""The picture of a link: 1200 by 630, drawn once and kept as long as it says the same."""

import hashlib
import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from django.core.cache import cache as kept
from PIL import Image, ImageDraw, ImageFont

import scoring.pdf
from clubs.models import Club, ClubLogo
from tournaments.previews import Preview, TopLine

WIDTH, HEIGHT = 1200, 630
EDGE = 64
HEADER, RAIL = 150, 12
LINE_TOP, LINE_HEIGHT = 340, 88
LOGO = 118
PAPER, INK, SOFT = "#f6f0e1", "#231c13", "#4a3f30"
FELT, ON_FELT, WOOD, RULE = "#14523a", "#fbf6e8", "#7a4a22", "#d2c4a3"
KEPT_SECONDS = 24 * 60 * 60
ELLIPSIS = "…"

_FONTS = Path(scoring.pdf.__file__).parent / "fonts"


def card_png(club: Club, preview: Preview) -> bytes:
    """The picture as PNG, drawn once for all who ask."""
    said = f"{club.pk} {club.name} {club.logo_version} {preview.version}"
    key = f"card-{hashlib.sha256(said.encode()).hexdigest()}"
    found: bytes | None = kept.get(key)
    if found is None:
        found = _drawn(club, preview)
        kept.set(key, found, KEPT_SECONDS)
    return found


def _drawn(club: Club, preview: Preview) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    _header(image, draw, club)
    title = preview.title if preview.title != club.name else ""
    _write(draw, (EDGE, 192), title or preview.heading, size=58, width=WIDTH - 2 * EDGE)
    if title and preview.top:
        _write(draw, (EDGE, 272), preview.heading, size=34, width=700, bold=False, ink=SOFT)
    if preview.top:
        _top(draw, preview.top)
    else:
        _write(draw, (EDGE, 380), preview.notice, size=52, width=WIDTH - 2 * EDGE, ink=FELT)
    return _png(image)


def _header(image: Image.Image, draw: ImageDraw.ImageDraw, club: Club) -> None:
    draw.rectangle((0, 0, WIDTH, HEADER), fill=FELT)
    draw.rectangle((0, HEADER, WIDTH, HEADER + RAIL), fill=WOOD)
    logo = _logo(club)
    room = WIDTH - 2 * EDGE
    if logo is None:
        at, font = (WIDTH - EDGE, HEADER // 2), _font(110, bold=True)
        draw.text(at, "♣", font=font, fill=ON_FELT, anchor="rm")
        room -= 130
    else:
        box = (WIDTH - EDGE - logo.width, (HEADER - logo.height) // 2)
        draw.rectangle((box[0] - 8, 8, WIDTH - EDGE + 8, HEADER - 8), fill="white")
        image.paste(logo, box, logo)
        room -= logo.width + 40
    _write(draw, (EDGE, HEADER // 2), club.name, size=60, width=room, ink=ON_FELT, anchor="lm")


def _logo(club: Club) -> Image.Image | None:
    found = ClubLogo.objects.filter(club=club).first() if club.logo_version else None
    if found is None:
        return None
    logo = Image.open(io.BytesIO(bytes(found.png))).convert("RGBA")
    logo.thumbnail((400, LOGO))
    return logo


def _top(draw: ImageDraw.ImageDraw, top: Sequence[TopLine]) -> None:
    """Places, names and points in lines, as many as the picture holds."""
    for index, line in enumerate(top):
        y = LINE_TOP + index * LINE_HEIGHT
        middle = y + LINE_HEIGHT // 2
        draw.line((EDGE, y, WIDTH - EDGE, y), fill=RULE, width=2)
        draw.text((EDGE + 60, middle), str(line.rank), font=_font(46), fill=SOFT, anchor="rm")
        points = _font(52, bold=True)
        draw.text((WIDTH - EDGE, middle), line.points, font=points, fill=INK, anchor="rm")
        room = WIDTH - 2 * EDGE - 130 - int(points.getlength(line.points))
        _write(draw, (EDGE + 90, middle), line.name, size=50, width=room, anchor="lm")


def _write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    *,
    size: int,
    width: int,
    bold: bool = True,
    ink: str = INK,
    anchor: str = "la",
) -> None:
    """The text in one line, no wider than `width`: somewhat smaller, and cut where that is not
    enough."""
    text = " ".join(text.split())
    while size > 34 and _font(size, bold=bold).getlength(text) > width:
        size -= 2
    font = _font(size, bold=bold)
    if font.getlength(text) > width:
        while text and font.getlength(text + ELLIPSIS) > width:
            text = text[:-1].rstrip()
        text += ELLIPSIS
    draw.text(at, text, font=font, fill=ink, anchor=anchor)


@cache
def _font(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(_FONTS / name), size)


def _png(image: Image.Image) -> bytes:
    """Few colours: a tenth of the size, and nobody sees it."""
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()
