"""The standing of a season that a page or the API was asked for, and its figures in words."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from threading import Lock
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Q
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from clubs.models import Club, Member
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.evenings.pages import (
    PublicPerson,
    asked_number,
    competitors_version,
    shown_competitors,
    shown_people,
)
from tournaments.models import Evening, Season
from tournaments.releases.queries import stale_evenings, touched_since
from tournaments.releases.services import stale_release
from tournaments.seasons.standings import (
    Standing,
    counts_now,
    evenings_counting,
    season_choices,
    season_places_before,
    season_results,
    standings_of,
)
from tournaments.seasons.texts import what_counts, what_else_counts
from tournaments.standings.competitors import competitor_id_of, competitor_key
from tournaments.standings.core.metrics import COLUMNS, METRICS
from tournaments.standings.core.results import (
    RANKS,
    CountingRule,
    EveningResult,
    Points,
    SeasonRow,
    SeasonTable,
)
from tournaments.standings.texts import metric_heading, metric_words

T = TypeVar("T")


class Kept(Generic[T]):
    """The last few values, by a version that differs whenever the value could.

    The value is shared, so nobody may change it. Unlike a cache of Django's it is not copied:
    a season's standing is 10,000 objects, and reading a copy takes half as long as making it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def get(self, version: str, make: Callable[[], T]) -> T:
        """The value of this version, made if it is not there. Inside a transaction, where what was
        read may still be rolled back, it is made each time."""
        if connection.in_atomic_block:
            return make()
        with self._lock:
            if version in self._values:
                self._values.move_to_end(version)
                return self._values[version]
        value = make()
        with self._lock:
            self._values[version] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value


VALUE = "value"
"""The column of what decides the place, if that has no column of its own."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The columns of a standing, the one that decides the place first. Averages of a column in
    `whole` are written in whole points."""

    keys: Sequence[str]
    headings: Sequence[str]
    whole: frozenset[str] = frozenset()

    def of(self, row: SeasonRow) -> list[str]:
        """A player's figures as they are written."""
        return [self._words(key, _figure(key, row)) for key in self.keys]

    def written_for(self, rows: Iterable[SeasonRow]) -> "Figures":
        """These columns without decimals where none of these rows has any, or where they decide
        nothing."""
        figures = [(key, _figure(key, row)) for row in rows for key in self.keys]
        broken = {key for key, figure in figures if isinstance(figure, Decimal) and figure % 1}
        return replace(self, whole=self.whole | frozenset(self.keys) - broken)

    def _words(self, key: str, figure: Points | None) -> str:
        is_whole = figure is not None and key in self.whole
        if is_whole and figure is not None:
            return number(rounded(figure))
        return number(figure, 2 if isinstance(figure, Decimal) else None)


def figures_of(rule: CountingRule, pit: str) -> Figures:
    """The columns of a standing by this rule; `pit` is the club's word for a pit."""
    by = rule.rank_by or ("counted" if rule.aggregate == "sum" else "average")
    of_what_counts = METRICS[by].of_what_counts and not rule.is_plain
    first = by if by in COLUMNS and not of_what_counts else VALUE
    others = [key for key in COLUMNS if key != first]
    heading = metric_words(by, pit) if first == VALUE else metric_heading(first, pit)
    if of_what_counts:
        heading = _("%(what)s, of what counts") % {"what": heading}
    headings = [heading, *(metric_heading(key, pit) for key in others)]
    deciding = {first, by, *rule.tie_breaks}
    return Figures(
        [first, *others], [capfirst(text) for text in headings], frozenset(others) - deciding
    )


def rounded(figure: Points) -> int:
    """In whole points, half up."""
    return int(Decimal(figure).quantize(Decimal(1), ROUND_HALF_UP))


def average_words(average: Points | None) -> str:
    """A figure that stands alone: an average with decimals only where it has any."""
    return number(average, 2 if average is not None and average % 1 else 0)


def _figure(key: str, row: SeasonRow) -> Points | None:
    return row.value if key == VALUE else METRICS[key].of_row(row)


_standings: Kept[tuple[list[EveningResult], SeasonTable, dict[str, int]]] = Kept(most=4)


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """One standing of a season: the evenings, including cancelled ones, everybody's results of
    the closed ones, and the table that the rule makes of these.

    The table has public names; `people` has the rest of what is public about them, by id, and
    `before` their place before the last evening. The `version` differs whenever something in the
    table could; `by` is who is ranked where the address says otherwise than the rule.
    """

    club: Club
    season: Season
    standings: Sequence[Standing]
    standing: Standing
    evenings: Sequence[Evening]
    results: Sequence[EveningResult]
    table: SeasonTable
    people: dict[str, PublicPerson]
    before: dict[str, int]
    version: str
    by: str = ""

    @property
    def query(self) -> str:
        """The query string of addresses that stay with this standing."""
        number = self.standing.number
        asked = {"standing": number if number > 1 else "", "by": self.by}
        given = {name: value for name, value in asked.items() if value}
        return f"?{urlencode(given)}" if given else ""

    @property
    def what_counts(self) -> str:
        """The rule of the standing in one sentence."""
        rule = self.standing.rule
        return what_counts(rule, evenings_counting(self.evenings, rule))

    @property
    def what_else(self) -> list[str]:
        """The rest of the rule, a sentence each."""
        changed = [self.standing.changed] if self.standing.changed else []
        return [*what_else_counts(self.standing.rule, pit_word(self.club)), *changed]

    @property
    def being_played(self) -> list[Evening]:
        """The evenings that count as far as they are played."""
        running = Evening.State.RUNNING
        return [
            evening
            for evening in self.evenings
            if evening.state == running and evening.slug in self.table.evenings
        ]

    def stale_evenings(self) -> list[Evening]:
        """The evenings in this standing that were corrected and await publication, in order. Of
        people as many queries for any number of evenings; of pairs or teams some for each evening
        that was touched since its release."""
        closed = [
            evening
            for evening in self.evenings
            if evening.slug in self.table.evenings and evening.state == Evening.State.CLOSED
        ]
        if self.standing.rule.ranks == "player":
            return stale_evenings(closed, self.results)
        touched = touched_since(closed)
        return [evening for evening in closed if evening.pk in touched and stale_release(evening)]


def chosen_standing(request: HttpRequest, club: Club, season_slug: str) -> SeasonStanding:
    """The standing that `?standing=` asks for, the main one by default, of those that `?by=` says.

    Http404 if there is no such season or standing.
    """
    season = get_object_or_404(club.seasons, slug=season_slug)
    season.club = club
    standings = season_choices(season)
    number = asked_number(request, "standing")
    wanted = 1 if number is None else number
    standing = next((choice for choice in standings if choice.number == wanted), None)
    by = request.GET.get("by", "")
    if standing is None or (by and by not in RANKS):
        raise Http404
    usual = standing.rule.ranks
    if by:
        standing = replace(standing, rule=replace(standing.rule, ranks=by))
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if counts_now(season, evening)]
    version = _version(season, closed, standing.rule)
    results, table, before = _standings.get(
        version, lambda: _worked_out(season, closed, standing.rule)
    )
    ids = (row.player_id for row in table.rows)
    is_of_people = standing.rule.ranks == "player"
    people = shown_people(club, ids) if is_of_people else shown_competitors(club, ids)
    rows = tuple(row._replace(name=people[row.player_id].name) for row in table.rows)
    shown = replace(table, rows=rows)
    return SeasonStanding(
        club,
        season,
        standings,
        standing,
        evenings,
        results,
        shown,
        people,
        before,
        version,
        by if by != usual else "",
    )


def _version(season: Season, closed: list[Evening], rule: CountingRule) -> str:
    """Differs after any change of these evenings, their people, the rule or a correction."""
    evenings = [(evening.uuid, evening.slug, evening.revision) for evening in closed]
    names = () if rule.ranks == "player" else competitors_version(season.club)
    people = season.club.members.fingerprint()
    content = repr([evenings, rule, season.corrected, people, *names])
    return hashlib.sha256(content.encode()).hexdigest()


def _worked_out(
    season: Season, closed: list[Evening], rule: CountingRule
) -> tuple[list[EveningResult], SeasonTable, dict[str, int]]:
    results = season_results(closed, season, rule)
    table = standings_of(closed, rule, results)
    return results, table, season_places_before(results, table)


@dataclass(frozen=True, slots=True)
class TheirPlace:
    """The place of a pair or team that somebody is in, in a standing of those."""

    standing: Standing
    competitor_id: int
    name: str
    rank: int | None
    url: str


def places_with_others(
    season: Season, closed: list[Evening], standings: Iterable[Standing], member: Member
) -> list[TheirPlace]:
    """The places of the pairs and teams somebody was in on these evenings, in those of the
    standings that rank such. No query where none does."""
    wanted = [one for one in standings if one.rule.ranks != "player"] if closed else []
    if not wanted:
        return []
    while_played = Q(until=None) | Q(until__gte=closed[0].date)
    theirs = member.competitors.filter(while_played, since__lte=closed[-1].date)
    keys = {competitor_key(pk) for pk in theirs.values_list("competitor", flat=True)}
    if not keys:
        return []
    people = shown_competitors(season.club, keys)
    places = []
    for standing in wanted:
        version = _version(season, closed, standing.rule)
        make = partial(_worked_out, season, closed, standing.rule)
        _results, table, _before = _standings.get(version, make)
        own = [row for row in table.rows if row.player_id in keys]
        places += [_their_place(standing, row, people[row.player_id]) for row in own]
    return places


def _their_place(standing: Standing, row: SeasonRow, competitor: PublicPerson) -> TheirPlace:
    number = competitor_id_of(row.player_id) or 0
    return TheirPlace(standing, number, competitor.name, row.rank, competitor.url)


def chosen_person(
    request: HttpRequest, club: Club, season_slug: str, pk: int
) -> tuple[SeasonStanding, SeasonRow]:
    """The requested standing, and the line in it of this person, pair or team.

    Http404 if they have no line in it or no public page.
    """
    chosen = chosen_standing(request, club, season_slug)
    key = str(pk) if chosen.standing.rule.ranks == "player" else competitor_key(pk)
    row = next((row for row in chosen.table.rows if row.player_id == key), None)
    if row is None or not chosen.people[row.player_id].url:
        raise Http404
    return chosen, row
