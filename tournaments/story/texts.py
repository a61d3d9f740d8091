"""The story of an evening in sentences, and a player's card of it: a picture (1200 by 630) made
here, with its preview."""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Club, Member, MemberName
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
from tournaments.story.core.evening import Fact, FactKind, told_of
from tournaments.story.core.records import RecordKind
from tournaments.story.queries import evening_story

if TYPE_CHECKING:
    from PIL import ImageDraw


SENTENCES: Mapping[FactKind, str] = {
    "record_round": gettext_noop(
        "A record of the club: there was never a round as high as the %(figure)s of %(names)s."
    ),
    "record_evening": gettext_noop(
        "A record of the club: there was never an evening as high as the %(figure)s of %(names)s."
    ),
    "highest_round": gettext_noop("The highest round: %(figure)s, by %(names)s."),
    "most_pits": gettext_noop("Most often %(pit)s: %(names)s, %(figure)s times."),
    "only_pit": gettext_noop("The only %(pit)s of the evening: %(names)s."),
    "closest_table": gettext_noop(
        "The closest it got: table %(table)s in round %(round)s, %(figure)s for %(names)s and"
        " %(former)s for %(others)s."
    ),
    "streak": gettext_noop(
        "The longest streak: %(names)s, who made %(figure)s deals in a row that their side played."
    ),
    "climbed": gettext_noop(
        "Up from place %(former)s to place %(figure)s in the last round: %(names)s."
    ),
    "season_leader": gettext_noop("Now at the top of the season's standing: %(names)s."),
    "season_climbed": gettext_noop(
        "Up from place %(former)s to place %(figure)s in the season's standing: %(names)s."
    ),
    "personal": gettext_noop(
        "A personal record: %(names)s with %(figure)s (until now %(former)s)."
    ),
    "evenings": gettext_noop("There for the %(figure)sth time: %(names)s."),
    "first_pit": gettext_noop("The first %(pit)s in more than a year: %(names)s."),
    "debut": gettext_noop("There for the first time: %(names)s."),
}

CARD_LINES: Mapping[FactKind, str] = {
    "record_round": gettext_noop("Highest round ever at the club: %(figure)s"),
    "record_evening": gettext_noop("Highest evening ever at the club"),
    "highest_round": gettext_noop("Highest round of the evening: %(figure)s"),
    "most_pits": gettext_noop("Most often %(pit)s: %(figure)s times"),
    "only_pit": gettext_noop("The only %(pit)s of the evening"),
    "streak": gettext_noop("%(figure)s deals made in a row"),
    "climbed": gettext_noop("From place %(former)s to %(figure)s in the last round"),
    "season_leader": gettext_noop("Top of the season's standing"),
    "season_climbed": gettext_noop("From place %(former)s to %(figure)s in the season"),
    "personal": gettext_noop("A personal record"),
    "evenings": gettext_noop("There for the %(figure)sth time"),
    "first_pit": gettext_noop("The first %(pit)s in more than a year"),
    "debut": gettext_noop("There for the first time"),
}
"""What a card says of its player. A close table is no feat of one."""

CARD_ORDER: Sequence[FactKind] = (
    "record_evening",
    "record_round",
    "personal",
    "highest_round",
    "evenings",
    "season_leader",
    "most_pits",
    "streak",
    "climbed",
    "only_pit",
    "first_pit",
    "season_climbed",
    "debut",
)


def story_sentences(facts: Iterable[Fact], names: Mapping[int, MemberName], pit: str) -> list[str]:
    """A sentence for each fact, without people who have no public page; `pit` is the club's word
    for a pit."""
    shown = told_of(facts, lambda person: person in names and names[person].has_page)
    return [_sentence(fact, names, pit) for fact in shown]


def _sentence(fact: Fact, names: Mapping[int, MemberName], pit: str) -> str:
    if fact.kind == "closest_table" and not fact.people:
        gap = fact.figure - fact.former
        return ngettext(
            "The closest it got: table %(table)s in round %(round)s, %(gap)s point apart.",
            "The closest it got: table %(table)s in round %(round)s, %(gap)s points apart.",
            gap,
        ) % {"table": fact.table, "round": fact.round, "gap": gap}
    return _filled(SENTENCES[fact.kind], fact, pit, lambda person: names[person].shown_name)


def card_lines(facts: Iterable[Fact], people: set[int], pit: str) -> list[str]:
    """What a card says of somebody besides their points, what is rarest first; `people` are they
    and the team they are in."""
    own = {fact.kind: fact for fact in facts if not people.isdisjoint(fact.people)}
    return [
        _filled(CARD_LINES[kind], own[kind], pit, lambda _person: "")
        for kind in CARD_ORDER
        if kind in own
    ]


def _filled(text: str, fact: Fact, pit: str, name_of: Callable[[int], str]) -> str:
    return _(text) % {
        "names": names_in_words([name_of(person) for person in fact.people]),
        "others": names_in_words([name_of(person) for person in fact.others]),
        "figure": number(fact.figure),
        "former": number(fact.former),
        "round": fact.round,
        "table": fact.table,
        "pit": pit,
    }


def names_in_words(words: Sequence[str]) -> str:
    """Jan; Jan and Mia; Jan, Mia and Piet."""
    if len(words) < 2:
        return "".join(words)
    return _("%(names)s and %(last)s") % {"names": ", ".join(words[:-1]), "last": words[-1]}


RECORD_TITLES: Mapping[RecordKind, str] = {
    "round": gettext_noop("Highest round ever"),
    "evening": gettext_noop("Highest evening ever"),
    "pits": gettext_noop("Most often %(pit)s on an evening"),
    "streak": gettext_noop("Most deals made in a row"),
    "season_pits": gettext_noop("Most often %(pit)s in a season"),
    "season_average": gettext_noop("Best average of a season"),
    "evenings": gettext_noop("Most evenings"),
    "in_a_row": gettext_noop("Most evenings without missing one"),
    "highest": gettext_noop("Most often the most points of the evening"),
}

RECORD_NOTES: Mapping[RecordKind, str] = {
    "streak": gettext_noop(
        "Of the deals that their side played, on one evening, with whatever partner."
    ),
    "season_average": gettext_noop(
        "Points per evening, of who played half of the evenings and six at the least."
    ),
    "evenings": gettext_noop("All evenings together, also those from before Klaverclub."),
}


def record_title(kind: RecordKind, pit: str) -> str:
    """What a record is called; `pit` is the club's word for a pit."""
    return _(RECORD_TITLES[kind]) % {"pit": pit}


def record_note(kind: RecordKind) -> str:
    """What else there is to say of it; empty if nothing."""
    return _(RECORD_NOTES[kind]) if kind in RECORD_NOTES else ""


# A player's card of an evening, to share.


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
