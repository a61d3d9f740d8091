"""What the feed of a league tells, newest first: results of match days, days that moved and
official lists of rankings."""

from collections.abc import Iterator
from uuid import UUID, uuid5

from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import AuditEvent
from clubs.text.numbers import number
from tournaments.following.queries import Entry
from tournaments.leagues.queries import shown_days
from tournaments.leagues.rankings import latest_lists
from tournaments.leagues.services import about
from tournaments.models import League, LeagueMatch, MatchDay

DAYS, MOVES = 20, 10


def league_entries(league: League) -> list[Entry]:
    """Of the latest season, and its rankings. Seven queries at most."""
    entries = [*_results(league), *_moves(league), *_lists(league)]
    return sorted(entries, key=lambda entry: entry.updated, reverse=True)


def _days(league: League) -> QuerySet[MatchDay]:
    return MatchDay.objects.filter(division__season__in=league.seasons.all()[:1])


def _results(league: League) -> Iterator[Entry]:
    days = _days(league)
    written = days.annotate(written=Max("matches__written_at")).exclude(written=None)
    newest = dict(written.order_by("-written").values_list("pk", "written")[:DAYS])
    for shown in shown_days(MatchDay.objects.filter(pk__in=newest)):
        yield Entry(
            key=_key(league, shown.day, "results"),
            title=_("%(division)s, match day %(n)s: results") % _words(shown.day),
            text="; ".join(_result(match) for match in shown.matches if match.is_over),
            path=reverse("league_day", args=[league.slug, shown.day.pk]),
            updated=newest[shown.day.pk],
        )


def _result(match: LeagueMatch) -> str:
    if match.walkover is not None:
        return f"{match}: " + _("%(name)s did not appear") % {"name": match.walkover.name}
    home, away = match.totals
    return f"{match}: {number(home)} – {number(away)}"


def _moves(league: League) -> Iterator[Entry]:
    """The last time that each day was moved."""
    dated = _days(league).exclude(date=None).select_related("division")
    days = {about(day): day for day in dated}
    events = AuditEvent.objects.filter(
        chain=league.chain_name, action="match_day_moved", object_ref__in=days
    )
    moved = events.values_list("object_ref").annotate(at=Max("at")).order_by("-at", "object_ref")
    for ref, at in moved[:MOVES]:
        day = days[ref]
        words = {**_words(day), "day": day.date and date_format(day.date, "j F Y")}
        yield Entry(
            key=_key(league, day, "moved"),
            title=_("%(division)s, match day %(n)s: now on %(day)s") % words,
            text=day.place,
            path=reverse("league_day", args=[league.slug, day.pk]),
            updated=at,
        )


def _lists(league: League) -> Iterator[Entry]:
    for made in latest_lists(league).defer("rows", "rule"):
        day = date_format(made.on, "j F Y")
        yield Entry(
            key=uuid5(league.uuid, f"list {made.ranking_id} {made.number}"),
            title=f"{made.ranking.name}: "
            + _("List %(n)s: %(day)s") % {"n": made.number, "day": day},
            text="",
            path=reverse("league_ranking_list", args=[league.slug, made.ranking.slug, made.number]),
            updated=made.published_at,
        )


def _key(league: League, day: MatchDay, what: str) -> UUID:
    return uuid5(league.uuid, f"{what} of day {day.pk}")


def _words(day: MatchDay) -> dict[str, object]:
    return {"division": day.division.name, "n": day.number}
