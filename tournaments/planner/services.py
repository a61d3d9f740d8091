"""Evenings that are planned in one go, on the days of a series, and taken back in one go; the next
session of a tournament, and its final."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.entries.texts import counted
from tournaments.evenings.kinds import EveningStart, evening_delete, start_of
from tournaments.evenings.services import (
    EveningPlan,
    answers_apply,
    entries_begin,
    evening_create,
    evening_lock,
    evening_touch,
)
from tournaments.models import Evening, EveningPair, Registration, Season
from tournaments.registration.competitors import OF_A_PAIR, evening_pairs_follow
from tournaments.seasons.services import seasons_on
from tournaments.seasons.standings import main_standing, season_choices
from tournaments.standings.competitors import (
    CompetitorsOf,
    competitor_id_of,
    competitor_key,
    competitor_people,
    evening_by,
)
from tournaments.standings.queries import evening_standings


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEvening:
    """A day on which there is to be an evening, when it begins, in which season and what it is
    like."""

    date: dt.date
    starts_at: dt.time | None
    season: Season | None
    start: EveningStart


@transaction.atomic
def evenings_plan(*, club: Club, evenings: Sequence[PlannedEvening], actor: Actor) -> uuid.UUID:
    """Make all these evenings or none. Returns what they have in common, by which they can be taken
    back.

    Raises DomainError `nothing_planned`, `too_many`, `evening_exists` if there is an evening on one
    of the days, and those of `evening_create`.
    """
    club = club_lock(club.pk)
    if not evenings:
        raise DomainError("nothing_planned", _("Tick at least one day."))
    if len(evenings) > MOST:
        raise DomainError("too_many", _("Make at most %(n)s evenings at a time.") % {"n": MOST})
    taken = days_taken(club, [planned.date for planned in evenings])
    if taken:
        days = ", ".join(date_format(day, "j F Y") for day in sorted(taken))
        message = _("There is already an evening on: %(days)s. Nothing was made.") % {"days": days}
        raise DomainError("evening_exists", message)
    series = uuid.uuid4()
    made = [evening_planned(club, planned, actor).pk for planned in evenings]
    Evening.objects.filter(pk__in=made).update(series=series)
    _note(club, actor, "evenings_planned", evenings, series)
    return series


def days_taken(club: Club, days: Sequence[dt.date]) -> set[dt.date]:
    """On which of these days the club has an evening that was not called off."""
    evenings = Evening.objects.of(club).filter(date__in=days)
    return set(evenings.exclude(state=Evening.State.CANCELLED).values_list("date", flat=True))


def seasons_of(
    club: Club, days: Sequence[dt.date], before: Season | None
) -> dict[dt.date, Season | None]:
    """The season of each of these days: the one `before` if that has no days, else the one in
    whose days it falls. At most one query."""
    if before is not None and not (before.starts or before.ends):
        return dict.fromkeys(days, before)
    return seasons_on(club, days)


def evening_planned(club: Club, planned: PlannedEvening, actor: Actor) -> Evening:
    """Make this evening. Raises DomainError `no_regulation`, and those of `evening_create`."""
    start = planned.start
    if start.regulation is None:
        raise DomainError("no_regulation", _("Choose a regulation for this evening first."))
    answers: dict[str, Any] = {**start.plan, "starts_at": planned.starts_at, "kind": start.kind}
    plan = EveningPlan(
        date=planned.date,
        season=planned.season,
        regulation=start.regulation,
        **answers,
    )
    return evening_create(
        club=club,
        plan=plan,
        rules=start.rules,
        prizes=start.prizes,
        entries=start.entries,
        actor=actor,
    )


def _note(
    club: Club, actor: Actor, action: str, evenings: Sequence[PlannedEvening], series: uuid.UUID
) -> None:
    days = [str(planned.date) for planned in evenings]
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action=action,
        object_ref=f"series:{series}",
        data={"count": len(days), "days": days},
    )


def untouched(evenings: "QuerySet[Evening]") -> "QuerySet[Evening]":
    """Those of these evenings of which nothing is known yet: not drawn, nobody on the list, nobody
    entered."""
    states = Evening.State.PLANNED, Evening.State.CANCELLED
    waiting = evenings.filter(state__in=states, rounds=None, registrations=None, entries=None)
    return waiting.filter(releases=None, cupwin=None)


def planned_after(evening: Evening) -> "QuerySet[Evening]":
    """The later evenings of the same kind of which nothing is known yet."""
    later = Evening.objects.filter(
        club=evening.club, kind=evening.kind, state=Evening.State.PLANNED
    )
    return untouched(later.filter(date__gt=evening.date)).order_by("date", "sequence")


@transaction.atomic
def evenings_follow(*, evening: Evening, actor: Actor) -> int:
    """Give the later evenings of the same kind, of which nothing is known yet, the regulation, the
    rounds, draw, rules, prizes, fees and entries of this one. Returns how many."""
    evening = evening_lock(evening.pk)
    start = start_of(evening)
    later = list(planned_after(evening).select_related("season", "kind"))
    for follower in later:
        follower.club = evening.club
        for answers in (_plan_like(start, follower), start.rules, start.prizes):
            answers_apply(follower, answers)
        follower.version += 1
        follower.save()
        if start.entries is not None:
            entries_begin(follower, start.entries)
        data = {"date": str(follower.date), "like": evening.slug}
        evening_touch(follower, actor=actor, action="evening_changed", data=data)
    return len(later)


def _plan_like(start: EveningStart, evening: Evening) -> EveningPlan:
    """The plan of `start` with the day, the time, the season and the name of this evening."""
    if start.regulation is None:
        raise DomainError("no_regulation", _("Choose a regulation for this evening first."))
    own = ("date", "starts_at", "season", "kind", "name")
    answers: dict[str, Any] = {**start.plan, **{field: getattr(evening, field) for field in own}}
    return EveningPlan(regulation=start.regulation, **answers)


@transaction.atomic
def series_take_back(*, club: Club, series: uuid.UUID, actor: Actor) -> int:
    """Delete the evenings of a series of which nothing is known yet. Returns how many."""
    club_lock(club.pk)
    evenings = untouched(Evening.objects.of(club).filter(series=series))
    ids = list(evenings.values_list("pk", flat=True))
    for evening_id in ids:
        evening_delete(evening_id=evening_id, actor=actor)
    return len(ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSession:
    """The evening that goes on from another one.

    With `first` only the first so many of the standing play, people or pairs or teams: a final.
    Where it is not to `carry` what they bring, it is in no season and has a standing of its own.
    `seated` draws the first round by the standing.
    """

    date: dt.date
    name: str
    first: int | None = None
    carry: bool = True
    seated: bool = False


@transaction.atomic
def session_start(*, evening: Evening, session: NextSession, actor: Actor) -> Evening:
    """An evening like this one, with its people, or the first of the standing, on the list.

    The standing is the season's main one, or the evening's own without a season. Who shares the
    last place of a final plays as well. Raises DomainError `session_open` while the evening is not
    closed, `session_empty` if nobody was there, `final_too_small` if the standing has fewer
    people, or pairs or teams where it ranks these, and those of `evening_create`.
    """
    evening = evening_lock(evening.pk)
    if evening.state != Evening.State.CLOSED:
        raise DomainError(
            "session_open", _("This evening is not closed yet. Close it first: then all is in.")
        )
    listed = _listed(evening, session)
    # Who plays in it is known: nobody enters.
    start = replace(start_of(evening), entries=None)
    planned = PlannedEvening(
        date=session.date,
        starts_at=evening.starts_at,
        season=evening.season if session.carry else None,
        start=start,
    )
    made = evening_planned(evening.club, planned, actor)
    made.name, made.first_ranked = session.name, session.seated
    made.save(update_fields=["name", "first_ranked"])
    for row in listed:
        row.pk, row.evening = None, made
        row.seeded = row.seeded if session.seated else None
    Registration.objects.bulk_create(listed)
    _pairs_go_along(evening, made, actor)
    data = {"from": evening.slug, "count": len(listed), "first": session.first}
    evening_touch(made, actor=actor, action="session_started", data=data)
    return made


@dataclass(frozen=True, slots=True)
class Qualified:
    """Somebody who competes, or a pair or team, with the place it brings; `members` play for it,
    and `competitor` is the id of a pair or team of the club."""

    place: int
    members: tuple[int, ...]
    competitor: int | None = None


def session_ranks(evening: Evening) -> str:
    """Who has a place in the standing that a next session goes on from: persons, pairs or teams."""
    if evening.season is None:
        return evening.ranks
    return season_choices(evening.season)[0].rule.ranks


def session_size(evening: Evening) -> int:
    """How many people, pairs or teams are in the standing that a next session goes on from."""
    return len(_standing(evening))


def _listed(evening: Evening, session: NextSession) -> list[Registration]:
    """New rows, not stored, for the list of the session: each with its place in the standing."""
    standing = _standing(evening)
    here = {row.member_id: row for row in evening.registrations.filter(present=True)}
    if not here or not standing:
        raise DomainError("session_empty", _("Nobody was there: there is no one to go on with."))
    last = len(standing) + 1
    qualified = standing
    if session.first is not None:
        if len(standing) < session.first:
            message = _(
                "There are only %(n)s in the standing: a final of %(first)s is not possible."
            )
            words = {"n": counted(session_ranks(evening), len(standing)), "first": session.first}
            raise DomainError("final_too_small", message % words)
        last = standing[session.first - 1].place
        qualified = [each for each in standing if each.place <= last]
    places: dict[int, int] = {} if session.first is not None else dict.fromkeys(here, last)
    # Whoever plays for two of them brings the better place.
    for each in reversed(qualified):
        places |= dict.fromkeys(each.members, each.place)
    rows = []
    for pk, place in sorted(places.items(), key=lambda each: (each[1], each[0])):
        before = here.get(pk)
        row = Registration(member_id=pk, seeded=place)
        if before is not None:
            row.pair, row.team = before.pair, before.team
        rows.append(row)
    _missing_join(evening, qualified, rows)
    return rows


def _missing_join(
    evening: Evening, qualified: Sequence[Qualified], rows: Sequence[Registration]
) -> None:
    """Give the people of a pair or team that was not here its team, or a number of their own."""
    by_member = {row.member_id: row for row in rows}
    taken = {row.pair for row in rows if row.pair}
    free = (number for number in count(1) if number not in taken)
    teams = session_ranks(evening) == Evening.Ranks.TEAM
    for each in qualified:
        own = [by_member[pk] for pk in each.members]
        if each.competitor is None or any(row.pair or row.team_id for row in own):
            continue
        if teams:
            for row in own:
                row.team_id = each.competitor
        elif len(own) == OF_A_PAIR:
            number = next(free)
            for row in own:
                row.pair = number


def _standing(evening: Evening) -> list[Qualified]:
    """Everybody, or each pair or team, in the season's main standing or else the evening's, from
    the first place on. Who has no place yet comes after those who have one."""
    ranks = session_ranks(evening)
    if evening.season is None:
        if ranks == Evening.Ranks.PLAYER:
            return [Qualified(row.rank, (row.member_id,)) for row in evening_standings(evening)]
        places = [(row.player_id, row.rank) for row in evening_by(evening, ranks)]
    else:
        rows = main_standing(evening.season).rows
        places = [
            (row.player_id, row.rank if row.rank is not None else place)
            for place, row in enumerate(rows, start=1)
        ]
        if ranks == Evening.Ranks.PLAYER:
            return [Qualified(place, (int(key),)) for key, place in places]
    people = _people_of(evening, [key for key, _place in places])
    found = [Qualified(place, people[key], competitor_id_of(key)) for key, place in places]
    return [each for each in found if each.members]


def _people_of(evening: Evening, keys: Collection[str]) -> dict[str, tuple[int, ...]]:
    """Who play for each pair or team: those of the evening, or else its people of today."""
    today = competitor_people(keys)
    of = CompetitorsOf(evening)
    here: dict[str, tuple[int, ...]] = defaultdict(tuple)
    for pk, number in of.pair_of.items():
        here[of.pair_key(number)] += (pk,)
    for pk, team in of.team_of.items():
        here[competitor_key(team)] += (pk,)
    return {key: here.get(key) or today.get(key, ()) for key in keys}


def _pairs_go_along(evening: Evening, made: Evening, actor: Actor) -> None:
    """Each number is the pair of the club that it was; numbers that are new follow."""
    numbers = {pair for pair in made.registrations.values_list("pair", flat=True) if pair}
    pairs = EveningPair.objects.filter(evening=evening, number__in=numbers)
    EveningPair.objects.bulk_create(
        EveningPair(evening=made, number=pair.number, competitor_id=pair.competitor_id)
        for pair in pairs
    )
    evening_pairs_follow(made, actor)


# The days of a series of evenings, and on which of them a club may not want to play.


MOST = 100
"""So many evenings are planned in one go at most: a season of two evenings a week."""

DAY = dt.timedelta(days=1)


def series_days(first: dt.date, last: dt.date, *, weekday: int, weeks: int = 1) -> list[dt.date]:
    """This day of the week (0 is Monday) from `first` up to and including `last`, every so many
    weeks.

    >>> series_days(dt.date(2026, 9, 1), dt.date(2026, 9, 30), weekday=1, weeks=2)
    [datetime.date(2026, 9, 1), datetime.date(2026, 9, 15), datetime.date(2026, 9, 29)]
    """
    start = first + (weekday - first.weekday()) % 7 * DAY
    count = (last - start).days // (7 * weeks) + 1
    return [start + at * 7 * weeks * DAY for at in range(count)]


def month_days(first: dt.date, last: dt.date, *, weekday: int, place: int) -> list[dt.date]:
    """This day of the week from `first` up to and including `last`, where it is number `place` of
    its month, such as the first Friday; 0 is the last one of each month.

    >>> month_days(dt.date(2026, 9, 1), dt.date(2026, 11, 5), weekday=4, place=1)
    [datetime.date(2026, 9, 4), datetime.date(2026, 10, 2)]
    """
    days = series_days(first, last, weekday=weekday)
    if place == 0:
        return [day for day in days if (day + 7 * DAY).month != day.month]
    return [day for day in days if (day.day + 6) // 7 == place]


def holidays(year: int) -> Mapping[dt.date, str]:
    """The days of a year on which a Dutch club often does not play, by a key for their name.

    These are the public holidays of the Netherlands as the government lists them (article 3 of the
    Algemene termijnenwet, with King's Day), and the evenings before Christmas and New Year.
    """
    easter = easter_sunday(year)
    kings_day = dt.date(year, 4, 27)
    return {
        dt.date(year, 1, 1): "new_year",
        easter - 2 * DAY: "good_friday",
        easter: "easter",
        easter + DAY: "easter_monday",
        kings_day - DAY if kings_day.weekday() == 6 else kings_day: "kings_day",
        dt.date(year, 5, 5): "liberation_day",
        easter + 39 * DAY: "ascension_day",
        easter + 49 * DAY: "whit_sunday",
        easter + 50 * DAY: "whit_monday",
        dt.date(year, 12, 24): "christmas_eve",
        dt.date(year, 12, 25): "christmas",
        dt.date(year, 12, 26): "boxing_day",
        dt.date(year, 12, 31): "new_years_eve",
    }


def easter_sunday(year: int) -> dt.date:
    """Easter of a year, by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms).

    >>> easter_sunday(2027)
    datetime.date(2027, 3, 28)
    """
    golden, century, rest = year % 19, year // 100, year % 100
    leaps = century - century // 4 - (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + leaps + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return dt.date(year, month, day + 1)
