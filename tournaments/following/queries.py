"""What the feeds of a club and of a player tell, newest first."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from clubs.models import AuditEvent, Club, Member
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.desk.views.public import winners_of
from tournaments.evenings.pages import evening_page_url
from tournaments.evenings.texts import length_line
from tournaments.models import Evening, Release
from tournaments.releases.lines import OwnLine, lines_of_each, own_lines_of, own_place
from tournaments.releases.queries import PublicRow
from tournaments.seasons.standings import keeping_people
from tournaments.story.queries import records_of
from tournaments.story.texts import names_in_words, record_title

RESULTS, TO_COME, PODIUM = 20, 10, 3
CALLED_OFF_FOR = dt.timedelta(days=14)
"""How long an evening that was called off stays in the feed after its day."""
SET_IN_AN_EVENING = "round", "evening", "pits", "streak"
ANNOUNCED = "evening_created", "evening_restored"
CANCELLED = "evening_cancelled"


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to tell. `key` is its own for ever; `updated` rises when it says something else."""

    key: UUID
    title: str
    text: str
    path: str
    updated: dt.datetime


def club_entries(club: Club) -> list[Entry]:
    """Evenings that were announced or called off, results with the winners, and the records that
    were set on those evenings."""
    releases = _last_releases(club, RESULTS)
    return _newest([*_announced(club), *_results(club, releases), *_records(club, releases)])


def player_entries(club: Club, member: Member) -> list[Entry]:
    """A player's published results. Three queries, and those for the names of pairs and teams."""
    releases = _last_releases(club, RESULTS)
    found = own_lines_of(releases, member)
    keeping = keeping_people(release.evening for release in releases)
    return _newest(
        Entry(
            key=_key(release.evening, f"result of {member.uuid}"),
            title=result_words(found[release.evening_id], release.evening),
            text=_own_figures(found[release.evening_id], keeps=release.evening_id in keeping),
            path=evening_page_url(club, release.evening.slug),
            updated=release.published_at,
        )
        for release in releases
        if release.evening_id in found
    )


def _own_figures(own: OwnLine, *, keeps: bool) -> str:
    """The points by round, and their own place where the club keeps that too."""
    parts = _rounds(own.line.rounds), own_place(own) if keeps else ""
    return ". ".join(part for part in parts if part)


def _newest(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.updated, reverse=True)


def _announced(club: Club) -> Iterable[Entry]:
    today = timezone.localdate()
    planned = Evening.objects.of(club).filter(state=Evening.State.PLANNED, date__gte=today)
    off = Evening.objects.of(club).filter(
        state=Evening.State.CANCELLED, date__gte=today - CALLED_OFF_FOR
    )
    evenings = [*planned.order_by("date", "sequence")[:TO_COME], *off[:TO_COME]]
    said = _said_at(club, evenings)
    for evening in evenings:
        is_off = evening.state == Evening.State.CANCELLED
        day = {"day": date_format(evening.date, "l j F Y")}
        yield Entry(
            key=_key(evening, "called off" if is_off else "announced"),
            title=(_("Called off: %(day)s") if is_off else _("Klaverjas evening on %(day)s")) % day,
            text="" if is_off else _plan(evening),
            path=evening_page_url(club, evening.slug),
            updated=said.get(evening.pk) or _long_before(evening),
        )


def _plan(evening: Evening) -> str:
    start = evening.starts_at
    parts = [
        f"{evening.name}." if evening.name else "",
        _("It begins at %(time)s.") % {"time": time_format(start, "H.i")} if start else "",
        length_line(evening),
    ]
    return " ".join(part for part in parts if part)


def _said_at(club: Club, evenings: Sequence[Evening]) -> dict[int, dt.datetime]:
    """When each of these was planned, or called off if it is, by the trail."""
    by_reference = {f"evening:{evening.uuid}": evening for evening in evenings}
    events = AuditEvent.objects.filter(
        chain=club.chain_name, object_ref__in=by_reference, action__in=[*ANNOUNCED, CANCELLED]
    )
    said = events.values_list("object_ref", "action").annotate(at=Max("at"))
    return {
        by_reference[reference].pk: at
        for reference, action, at in said
        if (action == CANCELLED) == (by_reference[reference].state == Evening.State.CANCELLED)
    }


def _long_before(evening: Evening) -> dt.datetime:
    """For an evening that came here without a trail: a moment that stays the same."""
    day = evening.date - dt.timedelta(weeks=8)
    return timezone.make_aware(dt.datetime.combine(day, dt.time(12)))


def _results(club: Club, releases: Sequence[Release]) -> Iterable[Entry]:
    winners = winners_of(club) if releases else {}
    for release, lines in zip(releases, lines_of_each(club, releases), strict=True):
        evening = release.evening
        names = winners.get(evening.pk, "")
        words = {"day": date_format(evening.date, "j F Y"), "names": names}
        yield Entry(
            key=_key(evening, "result"),
            title=_("Result of %(day)s: won by %(names)s") % words
            if names
            else _("Result of %(day)s") % words,
            text=_podium(lines),
            path=evening_page_url(club, evening.slug),
            updated=release.published_at,
        )


def _records(club: Club, releases: Sequence[Release]) -> Iterable[Entry]:
    if not releases:
        return
    by_evening = {release.evening.slug: release for release in releases}
    records, names = records_of(club)
    for record in records:
        first = record.holders[0]
        release = by_evening.get(first.evening or "")
        if release is None or record.kind not in SET_IN_AN_EVENING:
            continue
        together = {
            pk: None
            for holder in record.holders
            if (holder.figure, holder.evening) == (first.figure, first.evening)
            for pk in holder.people
        }
        people = [names[pk].shown_name for pk in together if pk in names]
        words = {
            "what": record_title(record.kind, pit_word(club)),
            "figure": number(first.figure),
            "names": names_in_words(people),
        }
        yield Entry(
            key=_key(release.evening, f"record {record.kind}"),
            title=_("Club record: %(what)s, %(figure)s (%(names)s)") % words,
            text="",
            path=reverse("club_records", args=[club.slug]),
            updated=release.published_at,
        )


def _last_releases(club: Club, most: int) -> list[Release]:
    """The result of each of the last closed evenings as it was published last."""
    closed = Evening.objects.of(club).filter(state=Evening.State.CLOSED)[:most]
    evenings = {evening.pk: evening for evening in closed}
    for evening in evenings.values():
        evening.club = club
    last = {
        release.evening_id: release
        for release in Release.objects.filter(evening__in=evenings).order_by("number")
    }
    for release in last.values():
        release.evening = evenings[release.evening_id]
    return list(last.values())


def _podium(rows: Sequence[PublicRow]) -> str:
    lines = [line for line in rows if line.place <= PODIUM]
    return ", ".join(f"{line.rank}. {line.name} ({number(line.total)})" for line in lines)


def _rounds(rounds: Mapping[int, int]) -> str:
    scores = [
        _("round %(n)s: %(points)s") % {"n": n, "points": number(score)}
        for n, score in sorted(rounds.items())
    ]
    return ", ".join(scores)


def _key(evening: Evening, what: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"evening:{evening.uuid} {what}")


def result_words(own: OwnLine, evening: Evening) -> str:
    """What somebody, or the pair or team they are in, came to on an evening, in a sentence."""
    words = {
        "name": _called(own),
        "rank": own.line.rank,
        "lines": own.lines,
        "points": number(own.line.total),
        "day": date_format(evening.date, "j F Y"),
    }
    return _("%(name)s: place %(rank)s of %(lines)s on %(day)s, with %(points)s points.") % words


def _called(own: OwnLine) -> str:
    name = own.own.name
    return f"{own.whose} ({name})" if own.whose and name not in own.whose else own.whose or name
