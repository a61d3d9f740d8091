"""Who met whom in a season, counted from the draws of started rounds, and in words; and the public
pages of it, for one player and for everybody."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import may, owned, public_view
from clubs.api.requests import content_hash
from clubs.files.exports import ListFile, list_format, list_response
from clubs.models import Club, Member
from tournaments.draw.core.explain import TimesTogether, season_pair_counts
from tournaments.draw.core.models import TABLE_SIZE, RoundDraw
from tournaments.evenings.pages import people_by_name
from tournaments.evenings.permissions import SEE_EVENING
from tournaments.models import Evening, Placement, Round, Season
from tournaments.players.views.player import public_people, requested_season
from tournaments.results.views.live import visitors_page
from tournaments.seasons.shown import Kept
from tournaments.seasons.views.public import season_list_response
from tournaments.seating.store import past_evening, started_rounds
from tournaments.standings.scores import STARTED

Couple = tuple[Member, Member, TimesTogether]
Encounters = Mapping[int, Mapping[int, TimesTogether]]
"""By member id, the people they met and how often."""


@dataclass(frozen=True, slots=True)
class DrawnEvening:
    """An evening with the rounds that were started, at least one."""

    evening: Evening
    rounds: Sequence[RoundDraw]

    def people(self) -> set[int]:
        """The ids of everybody who was there."""
        return {member_id for drawn in self.rounds for member_id in _people(drawn)}


@dataclass(frozen=True, slots=True)
class Met:
    """How often a member was met as partner and as opponent, and when last. People at a table of
    three are opponents."""

    member_id: int
    partners: int
    opponents: int
    last: Evening

    @property
    def times(self) -> int:
        """How often they were at one table."""
        return self.partners + self.opponents


@dataclass(frozen=True, slots=True)
class TurnShare:
    """How often it was a player's turn in the rounds they attended, how many turns there were in
    all, and their fair share of these, to one decimal."""

    times: int
    in_all: int
    share: float


def played_evenings(club: Club, season: Season | None) -> list[DrawnEvening]:
    """The season's evenings with a round that was started, oldest first; without a season, those
    that are in none. Two queries."""
    chosen = Evening.objects.of(club).filter(season=season, is_history=False)
    evenings = list(chosen.exclude(state=Evening.State.CANCELLED).order_by("date", "sequence"))
    rounds = started_rounds(evenings)
    return [
        DrawnEvening(evening, rounds[evening.pk]) for evening in evenings if evening.pk in rounds
    ]


def everybody(played: Iterable[DrawnEvening]) -> set[int]:
    """The ids of everybody who was at these evenings."""
    return {member_id for evening in played for member_id in evening.people()}


def met_by(member_id: int, played: Iterable[DrawnEvening]) -> list[Met]:
    """The people this person met, most often first."""
    together: Counter[str] = Counter()
    partners: Counter[str] = Counter()
    last: dict[str, Evening] = {}
    me = str(member_id)
    for evening in played:
        tables = [
            table for drawn in evening.rounds for table in drawn.tables if me in table.people()
        ]
        for table in tables:
            others = table.people() - {me}
            together.update(others)
            last |= dict.fromkeys(others, evening.evening)
            partners.update(other for pair in table.partners() if me in pair for other in pair)
    return [
        Met(int(other), partners[other], times - partners[other], last[other])
        for other, times in together.most_common()
    ]


def rounds_there(member_id: int, played: Iterable[DrawnEvening]) -> int:
    """How many rounds a member was there for, sitting out or not."""
    return sum(member_id in _people(drawn) for evening in played for drawn in evening.rounds)


def turns_out(member_id: int, played: Iterable[DrawnEvening]) -> TurnShare:
    """A member's turns of sitting out."""
    return _turns(member_id, played, lambda drawn: drawn.sit_out)


def turns_at_three(member_id: int, played: Iterable[DrawnEvening]) -> TurnShare:
    """A member's turns at a table of three."""
    return _turns(member_id, played, _at_three)


def season_encounters(played: Sequence[DrawnEvening]) -> dict[int, dict[int, TimesTogether]]:
    """For everybody who was there, how often they were with and against each other person; people
    they never met are left out."""
    people = [str(member_id) for member_id in everybody(played)]
    counts = season_pair_counts(people, [past_evening(evening.rounds) for evening in played])
    return {
        int(member_id): {int(other): times for other, times in others.items()}
        for member_id, others in counts.items()
    }


def _turns(
    member_id: int,
    played: Iterable[DrawnEvening],
    turns_in: Callable[[RoundDraw], Sequence[str]],
) -> TurnShare:
    """The fair share is the rounds attended times the average rate of turns per round attended."""
    rounds = [drawn for evening in played for drawn in evening.rounds]
    attended = Counter(person for drawn in rounds for person in _people(drawn))
    turns = Counter(int(person) for drawn in rounds for person in turns_in(drawn))
    in_all = turns.total()
    share = attended[member_id] * in_all / attended.total() if attended else 0.0
    return TurnShare(times=turns[member_id], in_all=in_all, share=round(share, 1))


def _at_three(drawn: RoundDraw) -> list[str]:
    threes = (table for table in drawn.tables if len(table.seats) == TABLE_SIZE - 1)
    return [person for table in threes for person in table.seats.values()]


def _people(drawn: RoundDraw) -> set[int]:
    seated = (person for table in drawn.tables for person in table.seats.values())
    return {int(person) for person in (*seated, *drawn.sit_out)}


def times_together(together: TimesTogether) -> int:
    """How often two people shared a table."""
    return together.partners + together.opponents


def couples_met(people: Sequence[Member], encounters: Encounters) -> list[Couple]:
    """Every couple that met, once; most often together first, then by surname."""
    turn = {member.pk: place for place, member in enumerate(people)}
    met = [
        (member, people[turn[other]], together)
        for member in people
        for other, together in encounters[member.pk].items()
        if turn[member.pk] < turn[other]
    ]
    return sorted(
        met, key=lambda couple: (-times_together(couple[2]), turn[couple[0].pk], turn[couple[1].pk])
    )


def encounters_in_words(people: Sequence[Member], encounters: Encounters, evenings: int) -> str:
    """One sentence about these people, sorted by name; empty if nobody met anybody."""
    couples = couples_met(people, encounters)
    if not couples:
        return ""
    never = len(people) * (len(people) - 1) // 2 - len(couples)
    times = [times_together(together) for _member, _other, together in couples] + [0] * never
    most = [couple for couple, often in zip(couples, times, strict=False) if often == times[0]]
    return _("%(people)s, %(evenings)s: most couples were together %(usual)s; %(most)s.") % {
        "people": ngettext("%(n)s person", "%(n)s people", len(people)) % {"n": len(people)},
        "evenings": ngettext("%(n)s evening", "%(n)s evenings", evenings) % {"n": evenings},
        "usual": _usual(times),
        "most": _most(most),
    }


def _usual(times: Sequence[int]) -> str:
    """How often the middle half of the couples met; `times` is descending."""
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
    """The couples that met most often."""
    member, other, together = couples[0]
    times = times_together(together)
    if len(couples) == 1:
        return ngettext(
            "most often %(one)s and %(other)s: %(n)s time",
            "most often %(one)s and %(other)s: %(n)s times",
            times,
        ) % {"n": times, "one": member.shown_name, "other": other.shown_name}
    return ngettext(
        "the most was %(n)s time, for %(couples)s couples",
        "the most was %(n)s times, for %(couples)s couples",
        times,
    ) % {"n": times, "couples": len(couples)}


# The pages.


MOST_PEOPLE = 80
"""With more people a table of everybody against everybody becomes unreadable."""
SHADES = 4
LAG = 600


@dataclass(frozen=True, slots=True)
class MetLine:
    """Somebody who was met, how often and when last."""

    member: Member
    met: Met


@require_safe
@public_view
def player_met(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """The people somebody met in `?season=`, by default the newest they played in, and those they
    have not met: of the people here tonight, or else of all who played.

    Http404 for people without a public page, unless the reader leads evenings.
    """
    leads = may(request, SEE_EVENING, club)
    member = get_object_or_404(club.members if leads else public_people(club), pk=pk)
    seasons = list(_seasons(club, member))
    season = requested_season(request, seasons)
    played = played_evenings(club, season)
    tonight = [drawn for drawn in played if drawn.evening.state == Evening.State.RUNNING]
    met = met_by(member.pk, played)
    met_ids = {encounter.member_id for encounter in met}
    here = everybody(tonight or played)
    people = people_by_name(club, here | met_ids)
    lines = _lines(met, people)
    if file := list_response(request, lambda: _file(member, lines)):
        return file
    context = {
        "club": club,
        "member": member,
        "season": season,
        "seasons": seasons,
        "lines": lines,
        "rounds": rounds_there(member.pk, played),
        "out": turns_out(member.pk, played),
        "threes": turns_at_three(member.pk, played),
        "tonight": bool(tonight),
        "not_met": [other for other in people if other.pk in here - met_ids - {member.pk}],
    }
    return render(request, "tournaments/players/player_met.html", context)


def _seasons(club: Club, member: Member) -> QuerySet[Season]:
    """The seasons with a started round that this person was there for, newest first."""
    there = owned(club, Placement).filter(member=member, round__state__in=STARTED)
    return club.seasons.filter(Exists(there.filter(round__evening__season=OuterRef("pk"))))


def _lines(met: Iterable[Met], people: Iterable[Member]) -> list[MetLine]:
    """Most often first, and by surname among those met equally often."""
    turn = {member: place for place, member in enumerate(people)}
    members = {member.pk: member for member in turn}
    lines = [MetLine(members[encounter.member_id], encounter) for encounter in met]
    return sorted(lines, key=lambda line: (-line.met.times, turn[line.member]))


def _file(member: Member, lines: Iterable[MetLine]) -> ListFile:
    """The people they met: `player, partners, opponents, last`."""
    return ListFile(
        name=f"{member.shown_name} {_('Who played with whom')}",
        columns={
            "player": _("Name"),
            "partners": _("As partners"),
            "opponents": _("As opponents"),
            "last": _("Date"),
        },
        rows=[
            [
                line.member.shown_name,
                line.met.partners,
                line.met.opponents,
                line.met.last.date.isoformat(),
            ]
            for line in lines
        ],
    )


@dataclass(frozen=True, slots=True)
class EncounterCell:
    """How often two people met, as partners and as opponents, empty for never; `shade` runs from 0
    for never to 4 for the most."""

    words: str
    shade: int


@dataclass(frozen=True, slots=True)
class EncounterRow:
    """A member's row: a cell for everybody, None for themselves."""

    member: Member
    cells: Sequence[EncounterCell | None]


@require_safe
@visitors_page
@public_view
def season_met(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """How often everybody played with and against everybody else. With many people only the
    summary is shown; the file lists every couple that met."""
    season: Season = get_object_or_404(club.seasons.select_related("club"), slug=season_slug)
    kind, version = list_format(request), _version(season)
    if kind and _large.get(version, lambda: _is_large(season)):
        return season_list_response(
            request,
            season,
            title=_("Who played with whom"),
            name=_season_file_name(season),
            kind=kind,
            version=version,
            make=lambda: _season_file(season),
        )
    if file := list_response(request, lambda: _season_file(season)):
        return file
    met = _met.get(f"{version} {get_language()}", lambda: _season_met(club, season))
    context = {
        "club": club,
        "season": season,
        "people": met.people,
        "rows": met.rows,
        "summary": met.summary,
        "most_people": MOST_PEOPLE,
        "made_aside": len(met.people) > MOST_PEOPLE,
    }
    return render(request, "tournaments/seasons/season_met.html", context)


@dataclass(frozen=True, slots=True)
class SeasonMet:
    """Who met whom in a season: the people in order, a row for each unless they are too many, and
    a sentence."""

    people: Sequence[Member]
    rows: Sequence[EncounterRow]
    summary: str


_met: Kept[SeasonMet] = Kept(most=4)
_large: Kept[bool] = Kept(most=50)


def _season_met(club: Club, season: Season) -> SeasonMet:
    played = played_evenings(club, season)
    encounters = season_encounters(played)
    people = people_by_name(club, everybody(played))
    fits = len(people) <= MOST_PEOPLE
    return SeasonMet(
        people=people,
        rows=list(_rows(people, encounters)) if fits else [],
        summary=encounters_in_words(people, encounters, len(played)),
    )


def _rows(people: Sequence[Member], encounters: Encounters) -> Iterator[EncounterRow]:
    most = max(
        (times_together(times) for row in encounters.values() for times in row.values()), default=0
    )
    for member in people:
        met = encounters[member.pk]
        yield EncounterRow(
            member,
            [None if other == member else _cell(met.get(other.pk), most) for other in people],
        )


def _cell(together: TimesTogether | None, most: int) -> EncounterCell:
    if together is None:
        return EncounterCell("", 0)
    words = f"{together.partners}·{together.opponents}"
    return EncounterCell(words, -(-times_together(together) * SHADES // most))


def _is_large(season: Season) -> bool:
    """Whether so many played that the file takes seconds."""
    seated = Placement.objects.filter(round__evening__season=season, round__state__in=STARTED)
    return seated.values("member").distinct().count() > MOST_PEOPLE


def _version(season: Season) -> str:
    """Changes with the draws and names in it. While people play, each deal changes the evening:
    then only a round that begins counts at once, a change in its seats after ten minutes."""
    evenings = [
        (pk, state, int(time.time()) // LAG if state == Evening.State.RUNNING else revision)
        for pk, state, revision in season.evenings.order_by("pk").values_list(
            "pk", "state", "revision"
        )
    ]
    rounds = Round.objects.filter(evening__season=season, state__in=STARTED).order_by("pk")
    started = list(rounds.values_list("pk", flat=True))
    return content_hash([evenings, started, season.club.members.fingerprint()])


def _season_file_name(season: Season) -> str:
    return f"{season.club.name} {season.slug} {_('Who played with whom')}"


def _season_file(season: Season) -> ListFile:
    """Every couple that met, once: `player, other, partners, opponents`."""
    played = played_evenings(season.club, season)
    people = people_by_name(season.club, everybody(played))
    couples = couples_met(people, season_encounters(played))
    return ListFile(
        name=_season_file_name(season),
        columns={
            "player": _("Name"),
            "other": _("With"),
            "partners": _("As partners"),
            "opponents": _("As opponents"),
        },
        rows=[
            [member.shown_name, other.shown_name, together.partners, together.opponents]
            for member, other, together in couples
        ],
    )
