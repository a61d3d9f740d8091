"""Who met whom in a season: everybody with everybody."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.models import Club, Member
from clubs.permissions import public_view
from tournaments.draw.explain import Together
from tournaments.exports import Rows, csv_text
from tournaments.meetings import everybody, played_evenings, season_meetings
from tournaments.views.public.common import people_by_name

MOST_PEOPLE = 80
"""Beyond this a table of everybody with everybody can no longer be read."""
SHADES = 4

Couple = tuple[Member, Member, Together]
Meetings = Mapping[int, Mapping[int, Together]]


@dataclass(frozen=True, slots=True)
class Cell:
    """How often two people were together: as partners and as opponents, empty for never; `shade`
    goes from 0 for never to 4 for the most."""

    words: str
    shade: int


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody's line: a cell for everybody, None where he meets himself."""

    member: Member
    cells: Sequence[Cell | None]


@require_safe
@public_view
def season_met(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """How often everybody was with and against everybody else; of many people only the list."""
    season = get_object_or_404(club.seasons, slug=season_slug)
    played = played_evenings(club, season)
    meetings = season_meetings(played)
    people = people_by_name(everybody(played))
    fits = len(people) <= MOST_PEOPLE
    context = {
        "club": club,
        "season": season,
        "people": people,
        "rows": list(_rows(people, meetings)) if fits else [],
        "summary": _summary(people, meetings, len(played)),
        "most_people": MOST_PEOPLE,
    }
    return render(request, "tournaments/public/season_met.html", context)


@require_safe
@public_view
def season_met_csv(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """Every two people who met, once, as a file."""
    season = get_object_or_404(club.seasons, slug=season_slug)
    played = played_evenings(club, season)
    people = people_by_name(everybody(played))
    rows = _couple_rows(_couples(people, season_meetings(played)))
    name = f"{slugify(club.name)}-{season.slug}-{slugify(_('who met whom'))}.csv"
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return HttpResponse(
        csv_text(rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": disposition or "attachment"},
    )


def _rows(people: Sequence[Member], meetings: Meetings) -> Iterator[Row]:
    most = max((_times(one) for row in meetings.values() for one in row.values()), default=0)
    for who in people:
        met = meetings[who.pk]
        yield Row(
            who,
            [None if other == who else _cell(met.get(other.pk), most) for other in people],
        )


def _cell(together: Together | None, most: int) -> Cell:
    if together is None:
        return Cell("", 0)
    words = f"{together.partners}·{together.opponents}"
    return Cell(words, -(-_times(together) * SHADES // most))


def _times(together: Together) -> int:
    return together.partners + together.opponents


def _couples(people: Sequence[Member], meetings: Meetings) -> list[Couple]:
    """Every two people who met, once; most often together first, then by surname."""
    turn = {who.pk: place for place, who in enumerate(people)}
    met = [
        (one, people[turn[other]], together)
        for one in people
        for other, together in meetings[one.pk].items()
        if turn[one.pk] < turn[other]
    ]
    return sorted(
        met, key=lambda couple: (-_times(couple[2]), turn[couple[0].pk], turn[couple[1].pk])
    )


def _couple_rows(couples: Iterable[Couple]) -> Rows:
    """Headings and lines: player, other, partners, opponents."""
    rows: Rows = [["player", "other", "partners", "opponents"]]
    for one, other, together in couples:
        rows.append([one.shown_name, other.shown_name, together.partners, together.opponents])
    return rows


def _summary(people: Sequence[Member], meetings: Meetings, evenings: int) -> str:
    """In one sentence how even it was; empty where nobody met anybody."""
    couples = _couples(people, meetings)
    if not couples:
        return ""
    never = len(people) * (len(people) - 1) // 2 - len(couples)
    times = [_times(together) for _one, _other, together in couples] + [0] * never
    most = [couple for couple, often in zip(couples, times, strict=False) if often == times[0]]
    return _("%(people)s, %(evenings)s: most couples were together %(usual)s; %(most)s.") % {
        "people": ngettext("%(n)s person", "%(n)s people", len(people)) % {"n": len(people)},
        "evenings": ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings},
        "usual": _usual(times),
        "most": _most(most),
    }


def _usual(times: Sequence[int]) -> str:
    """How often the middle half of the couples were together; `times` is from most to fewest."""
    low, high = times[3 * len(times) // 4], times[len(times) // 4]
    if not high:
        return _("never")
    if low == high:
        return ngettext("%(n)s time", "%(n)s times", low) % {"n": low}
    words = {"low": low, "high": high}
    if high == low + 1:
        return _("%(low)s or %(high)s times") % words
    return _("%(low)s to %(high)s times") % words


def _most(couples: Sequence[Couple]) -> str:
    """Who were together most often."""
    one, other, together = couples[0]
    times = _times(together)
    if len(couples) == 1:
        return ngettext(
            "most often %(one)s and %(other)s: %(n)s time",
            "most often %(one)s and %(other)s: %(n)s times",
            times,
        ) % {"n": times, "one": one.shown_name, "other": other.shown_name}
    return ngettext(
        "the most was %(n)s time, for %(couples)s couples",
        "the most was %(n)s times, for %(couples)s couples",
        times,
    ) % {"n": times, "couples": len(couples)}
