"""What a link says of itself where it is shared: a title, a sentence and a picture's few lines."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Club
from clubs.words import number
from tournaments.evening_words import length_line
from tournaments.models import Evening
from tournaments.published import PublicRow, by_pair
from tournaments.start_words import day_words

LINES = 3
CLOSED, RUNNING = Evening.State.CLOSED, Evening.State.RUNNING


@dataclass(frozen=True, slots=True)
class TopLine:
    """A place, who has it, and with how many points, as they are shown."""

    rank: int
    name: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A page as others tell of it. `heading` and `top` stand in its picture, and `notice` in place
    of a top that there is not; `picture` is the picture's address."""

    title: str
    description: str
    heading: str
    top: Sequence[TopLine]
    notice: str
    picture: str

    @property
    def version(self) -> str:
        """Another one whenever the picture would be."""
        seen = (self.title, self.heading, self.notice, *map(repr, self.top))
        return f"{zlib.crc32('|'.join(seen).encode()):08x}"


def top_lines(rows: Iterable[PublicRow]) -> list[TopLine]:
    """The first places of an evening, a pair in one line; all who share one of them."""
    found = [row for row in by_pair(list(rows)) if row.rank <= LINES]
    return [TopLine(row.rank, row.name, number(row.total)) for row in found]


def evening_preview(evening: Evening, rows: Sequence[PublicRow], *, final: bool) -> Preview:
    """An evening with the standings that the public may see of it, none while they are frozen;
    `final` says that they are a result."""
    played = any(row.total for row in rows)
    top = top_lines(rows) if played else []
    notice = "" if played else _notice(evening)
    return Preview(
        title=_title(evening),
        description=_result(top, len(rows), final=final) if played else notice,
        heading=_("Final standings") if final else _("Standings so far"),
        top=top[:LINES],
        notice=notice,
        picture=reverse("evening_card", args=[evening.club.slug, evening.slug]),
    )


def draw_preview(evening: Evening, round_number: int) -> Preview:
    """The draw of a round; its picture is that of the evening."""
    where = _("Where do I sit? The draw of round %(n)s.") % {"n": round_number}
    return replace(evening_preview(evening, (), final=False), description=where)


def club_preview(
    club: Club, following: Evening | None, last: Sequence[TopLine], season: Sequence[TopLine]
) -> Preview:
    """A club: its next evening, who won the last one and who leads the season."""
    known = [
        _next(following) if following else "",
        _("Won last time: %(who)s.") % {"who": leaders(last)} if last else "",
        _("Leads the season: %(who)s.") % {"who": leaders(season)} if season else "",
    ]
    told = [sentence for sentence in known if sentence]
    heading = _("Standings of the season") if season else _("The last evening")
    return Preview(
        title=club.name,
        description=" ".join(told) or _("Klaverjas evenings: where you sit and how you stand."),
        heading=heading if season or last else _("Klaverjas evenings"),
        top=(season or last)[:LINES],
        notice="" if season or last else known[0],
        picture=reverse("club_card", args=[club.slug]),
    )


def season_preview(name: str, top: Sequence[TopLine], evenings: int, picture: str) -> Preview:
    """A standing of a season after so many evenings."""
    notice = _("No evening of this season has been played yet.")
    after = ngettext("after %(n)s evening", "after %(n)s evenings", evenings) % {"n": evenings}
    description = _("Leads: %(who)s, %(after)s.") % {"who": leaders(top), "after": after}
    return Preview(
        title=_("Standings %(name)s") % {"name": name},
        description=description if top else notice,
        heading=after.capitalize(),
        top=top[:LINES],
        notice="" if top else notice,
        picture=picture,
    )


def leaders(top: Sequence[TopLine]) -> str:
    """Who share the first place, by name, and with how much; empty where nobody has it."""
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
    """What there is to say while there are no points."""
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


def _result(top: Sequence[TopLine], players: int, *, final: bool) -> str:
    words = {"who": leaders(top), "players": _players(players)}
    if final:
        return _("Won by %(who)s. %(players)s.") % words
    return _("Being played now. In the lead: %(who)s. %(players)s.") % words


def _players(count: int) -> str:
    return ngettext("%(n)s player", "%(n)s players", count) % {"n": count}
