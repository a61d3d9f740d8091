"""A player's card of an evening, to share: a picture (1200 by 630) made here, and its preview."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.evenings.texts import day_words
from tournaments.models import Evening, Release
from tournaments.releases.lines import OwnLine, own_line, own_place, release_lines
from tournaments.releases.queries import release_rows
from tournaments.results.link_previews import (
    BOLD,
    EDGE,
    FELT,
    HEADING,
    HEIGHT,
    ON_FELT,
    PAPER,
    RULE,
    SOFT,
    TEXT,
    WIDTH,
    LinkPreview,
    draw_header,
    font_of,
    kept_png,
    png_of,
    write_line,
)
from tournaments.seasons.standings import keeping_people
from tournaments.story.queries import evening_story
from tournaments.story.texts import card_lines

if TYPE_CHECKING:
    from PIL import ImageDraw

MOST_LINES, MOST_ROUNDS = 2, 6
STEP_TOP, STEP_WIDTH, STEP_HEIGHT = 330, 236, 216


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """What stands on a player's card. `place` is None where it is no feat: below the middle and not
    among the first three. `rounds` has numbers and scores. Place and points are those of `whose`, a
    pair or team, where that is what ranks."""

    name: str
    day: str
    place: int | None
    players: int
    total: int
    rounds: Sequence[tuple[int, int]]
    lines: Sequence[str]
    whose: str = ""

    @property
    def version(self) -> str:
        """Changes whenever the picture would."""
        return f"{zlib.crc32(repr(self).encode()):08x}"

    @property
    def points_words(self) -> str:
        """The total in words."""
        return _("%(points)s points") % {"points": number(self.total)}

    @property
    def sentence(self) -> str:
        """What a link to it says."""
        words = {"place": self.place, "players": self.players, "points": number(self.total)}
        first = (
            _("Place %(place)s of %(players)s with %(points)s points.") % words
            if self.place
            else _("%(points)s points.") % words
        )
        lines = (f"{line}." for line in self.lines)
        whose = [f"{self.whose}."] if self.whose else []
        return " ".join([*whose, first, *lines])


def last_release(evening: Evening) -> Release | None:
    """What is published of a closed evening. At most one query."""
    return evening.releases.first() if evening.state == Evening.State.CLOSED else None


def player_card(evening: Evening, member: Member) -> PlayerCard | None:
    """The card of somebody with a page; none before the result is published, or where they are not
    in it."""
    release = last_release(evening)
    if release is None:
        return None
    rows = release_rows(release)
    own = own_line(member.pk, rows, release_lines(release, rows))
    return card_of(evening, release, member, own) if own else None


def card_of(evening: Evening, release: Release, member: Member, own: OwnLine) -> PlayerCard:
    """The card of somebody who has this line in the release, with what is told of them and of the
    team they are in."""
    facts = evening_story(evening, release)
    row, people = own.line, {member.pk, own.line.member_id}
    lines = card_lines(facts, people, pit_word(evening.club))
    beside = own_place(own).rstrip(".") if keeping_people([evening]) else ""
    is_feat = row.place <= max(3, (own.lines + 1) // 2)
    return PlayerCard(
        name=member.shown_name,
        day=evening.name or capfirst(day_words(evening, "l j F Y")),
        place=row.rank if is_feat else None,
        players=own.lines,
        total=row.total,
        rounds=sorted(row.rounds.items())[:MOST_ROUNDS],
        lines=[line for line in (beside, *lines) if line][:MOST_LINES],
        whose=own.whose,
    )


def card_preview(evening: Evening, member: Member, card: PlayerCard) -> LinkPreview:
    """What a link to the player's evening says, with the card as its picture."""
    return LinkPreview(
        title=card.name,
        description=f"{card.day}. {card.sentence}",
        heading=card.version,
        top=(),
        notice="",
        picture=reverse("player_card", args=[evening.club.slug, evening.slug, member.pk]),
    )


def player_card_png(club: Club, card: PlayerCard) -> bytes:
    """The picture as PNG, from the cache if it has been drawn before."""
    return kept_png(club, f"player {card.version}", lambda: _drawn(club, card))


def _drawn(club: Club, card: PlayerCard) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    draw_header(image, draw, club)
    write_line(draw, (EDGE, 180), card.name, size=72, width=WIDTH - 2 * EDGE, face=HEADING)
    day = f"{card.whose} · {card.day}" if card.whose else card.day
    write_line(draw, (EDGE, 268), day, size=36, width=WIDTH - 2 * EDGE, face=TEXT, ink=SOFT)
    left = EDGE
    if card.place:
        _step(draw, card.place, card.players)
        left += STEP_WIDTH + 48
    room = WIDTH - EDGE - left
    write_line(draw, (left, STEP_TOP - 8), card.points_words, size=84, width=room)
    _rounds(draw, (left, STEP_TOP + 92), card.rounds, room, large=not card.lines)
    _lines(draw, (left, STEP_TOP + 150), card.lines, room)
    return png_of(image)


def _step(draw: "ImageDraw.ImageDraw", place: int, players: int) -> None:
    """The place on a step of the podium."""
    box = (EDGE, STEP_TOP, EDGE + STEP_WIDTH, STEP_TOP + STEP_HEIGHT)
    draw.rounded_rectangle(box, radius=14, fill=FELT)
    middle = EDGE + STEP_WIDTH // 2
    figure = font_of(132, HEADING)
    draw.text((middle, STEP_TOP + 88), str(place), font=figure, fill=ON_FELT, anchor="mm")
    of = _("of %(players)s") % {"players": players}
    draw.text((middle, STEP_TOP + 178), of, font=font_of(40, TEXT), fill=ON_FELT, anchor="mm")


def _rounds(
    draw: "ImageDraw.ImageDraw",
    at: tuple[int, int],
    rounds: Iterable[tuple[int, int]],
    room: int,
    *,
    large: bool,
) -> None:
    """The score of each round on one line, smaller where there are many."""
    words = "  ·  ".join(number(score) for _round, score in rounds)
    if words:
        write_line(draw, at, words, size=56 if large else 40, width=room, face=TEXT, ink=SOFT)


def _lines(
    draw: "ImageDraw.ImageDraw", at: tuple[int, int], lines: Iterable[str], room: int
) -> None:
    x, y = at
    for line in lines:
        draw.line((x, y + 4, x + room, y + 4), fill=RULE, width=2)
        write_line(draw, (x, y + 16), line, size=40, width=room, face=BOLD, ink=FELT)
        y += 64
