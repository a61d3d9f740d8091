"""What is known of an evening, a season and a club, for what there is to tell of them.

Kept in each process by a version that differs after any change of a closed evening; names are read
for each page, so that whoever is hidden is gone at once.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from uuid import UUID

from django.db import connection
from django.db.models import Count, Max, Sum

from clubs.models import Club, Member, MemberName, PublicAs
from scoring.models import Seat, full_sheets
from scoring.rules import SEATS, side_of
from tournaments.evenings.pages import public_name
from tournaments.models import Evening, Release, Round
from tournaments.releases.lines import release_lines
from tournaments.releases.queries import PublicRow, release_rows
from tournaments.releases.services import release_is_current
from tournaments.seasons.shown import Kept
from tournaments.seasons.standings import (
    season_places_before,
    season_results,
    season_rule,
    standings_of,
)
from tournaments.standings.core.results import CountingRule
from tournaments.standings.queries import unsplit_tables
from tournaments.standings.scores import WHOLE_EVENING, evening_scores
from tournaments.standings.summaries import PersonsEvening, evening_summaries
from tournaments.story.core.evening import Fact, Line, TableResult, evening_facts
from tournaments.story.core.records import PastEvening, Played, Record, club_records

CLOSED = Evening.State.CLOSED
MOST_RESULTS = 6_000
Places = tuple[Mapping[int, int], Mapping[int, int]]

_histories: Kept[Sequence[PastEvening]] = Kept(most=4)
_stories: Kept[Sequence[Fact]] = Kept(most=200)
_records: Kept[Sequence[Record]] = Kept(most=16)


def history_version(club: Club) -> str:
    """Differs after any change of the club's closed evenings. One query."""
    closed = Evening.objects.of(club).filter(state=CLOSED)
    figures = closed.aggregate(
        Count("pk"), Max("pk"), Sum("pk"), Sum("revision"), Sum("season_id"), Max("date")
    )
    return f"{club.uuid}-{'-'.join(map(str, figures.values()))}"


def club_history(club: Club, version: str) -> Sequence[PastEvening]:
    """The club's closed evenings in order of time. Two queries if they are not kept; after a change
    only the evenings that it was about are read again."""
    return _histories.get(version, lambda: _history(club))


def _history(club: Club) -> list[PastEvening]:
    closed = Evening.objects.of(club).filter(state=CLOSED)
    needed = "date", "sequence", "season", "is_history", "revision"
    evenings = list(closed.only(*needed).order_by("date", "sequence", "pk"))
    people = _people.of(club, evenings)
    return [
        PastEvening(evening.slug, evening.date, evening.season_id, people[evening.pk])
        for evening in evenings
    ]


class PeopleKept:
    """Who played on each evening of the last few clubs, at the revision it was read at."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._clubs: OrderedDict[UUID, Mapping[tuple[int, int], Sequence[Played]]] = OrderedDict()
        self._lock = Lock()

    def of(self, club: Club, evenings: Collection[Evening]) -> dict[int, Sequence[Played]]:
        """Everybody who played, by evening id. One query if any is not known."""
        with self._lock:
            known = {} if connection.in_atomic_block else self._clubs.get(club.uuid, {})
        new = [evening for evening in evenings if (evening.pk, evening.revision) not in known]
        summaries = evening_summaries(new) if new else {}
        now: dict[tuple[int, int], Sequence[Played]] = {}
        for evening in evenings:
            key = evening.pk, evening.revision
            now[key] = known[key] if key in known else _those_there(evening, summaries[evening.pk])
        if not connection.in_atomic_block:
            with self._lock:
                self._clubs[club.uuid] = now
                self._clubs.move_to_end(club.uuid)
                while len(self._clubs) > self._most:
                    self._clubs.popitem(last=False)
        return {pk: people for (pk, _revision), people in now.items()}


_people = PeopleKept(most=4)


def _those_there(evening: Evening, people: Iterable[PersonsEvening]) -> list[Played]:
    known = not evening.is_history
    return [_played(person, known=known) for person in people if person.score is not None]


def _played(person: PersonsEvening, *, known: bool) -> Played:
    """Of results from before Klaverclub pits are often not known: 0 would be a claim."""
    return Played(
        person.member_id,
        person.score or 0,
        person.boompjes,
        person.pits if known or person.pits else None,
        person.best_round,
        person.streak,
    )


def evening_story(evening: Evening, release: Release | None) -> Sequence[Fact]:
    """What there is to tell of a published evening: nothing unless this release is its last one and
    nothing was corrected since. Two queries once it is kept."""
    if release is None or evening.state != CLOSED or not _is_last(evening, release):
        return ()
    version = history_version(evening.club)
    rule = season_rule(evening.season) if evening.season else None
    key = f"{evening.pk} {release.pk} {version} {rule!r}"
    return _stories.get(key, lambda: _facts(evening, release, version, rule))


def _is_last(evening: Evening, release: Release) -> bool:
    """Whether this is what stands. The revision is usually the same, which needs no query."""
    if release.evening_revision == evening.revision:
        return True
    if Release.objects.filter(evening=evening, number__gt=release.number).exists():
        return False
    return release_is_current(release)


def _facts(
    evening: Evening, release: Release, version: str, rule: CountingRule | None
) -> list[Fact]:
    history = club_history(evening.club, version)
    at = next((at for at, past in enumerate(history) if past.key == evening.slug), None)
    if at is None:
        return []
    here = history[at].people
    if unsplit_tables(evening):
        here = [played._replace(pits=None) for played in here]
    rows = release_rows(release)
    return evening_facts(
        _lines(evening, rows),
        here,
        _table_results(evening),
        history[:at],
        day=evening.date,
        season=_season_places(evening, rule) if rule else None,
        ranked=[_ranked(row) for row in release_lines(release, rows) if row.is_competitor],
    )


def _ranked(row: PublicRow) -> Line:
    number = row.member_id
    return Line(number, number, row.place, row.total, row.rounds, frozenset(row.rounds))


def _lines(evening: Evening, rows: Iterable[PublicRow]) -> list[Line]:
    scores = evening_scores(evening)
    return [
        Line(
            person=row.member_id,
            unit=-row.pair.number if row.pair else row.member_id,
            rank=(row.pair.rank if row.pair else row.rank) or 0,
            total=row.pair.total if row.pair else row.total,
            rounds=row.pair.rounds if row.pair else row.rounds,
            played=frozenset(
                number
                for number, score in scores.get(row.member_id, {}).items()
                if score.played and number != WHOLE_EVENING
            ),
        )
        for row in rows
    ]


def _table_results(evening: Evening) -> list[TableResult]:
    """The full tables of four. A substitute is named with whom they stood in for. One query."""
    seats = (
        Seat.objects.filter(
            full_sheets("sheet__"),
            sheet__table__round__evening=evening,
            sheet__table__round__state=Round.State.CLOSED,
            sheet__three_handed=False,
            sheet__two_handed=False,
            member__isnull=False,
        )
        .order_by("sheet__table__round__number", "sheet__table__number", "pk")
        .values_list(
            "sheet__table__round__number",
            "sheet__table__number",
            "seat",
            "member",
            "sheet__score_ns",
            "sheet__score_ew",
        )
    )
    people: dict[tuple[int, int], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    totals: dict[tuple[int, int], tuple[int, int]] = {}
    held: dict[tuple[int, int], set[str]] = defaultdict(set)
    for number, table, seat, member, ns, ew in seats:
        people[number, table][side_of(seat)].append(member)  # type: ignore[arg-type]
        totals[number, table] = ns, ew
        held[number, table].add(seat)
    return [
        TableResult(
            *place,
            sides=((tuple(sides["NS"]), totals[place][0]), (tuple(sides["EW"]), totals[place][1])),
        )
        for place, sides in people.items()
        if len(held[place]) == len(SEATS)
    ]


def _season_places(evening: Evening, rule: CountingRule) -> Places | None:
    """Everybody's place in the season before this evening and after it, by what is known of the
    evenings up to it; none in a season so large that somebody would wait for it."""
    if evening.slug in rule.excluded:
        return None
    closed = Evening.objects.filter(season=evening.season_id, state=CLOSED)
    evenings = [
        other
        for other in closed.order_by("date", "sequence")
        if (other.date, other.sequence) <= (evening.date, evening.sequence)
    ]
    results = season_results(evenings, evening.season)
    if len(results) > MOST_RESULTS:
        return None
    ties = tuple(key for key in rule.tie_breaks if key not in ("head_to_head", "lot"))
    table = standings_of(evenings, replace(rule, tie_breaks=ties), results)
    before = season_places_before(results, table)
    after = {int(row.player_id): row.rank for row in table.rows if row.rank}
    return {int(person): place for person, place in before.items()}, after


def records_of(club: Club) -> tuple[Sequence[Record], dict[int, MemberName]]:
    """The records of a club, and the names of who hold them. Two queries, and two more if the
    evenings are not kept."""
    names = Member.objects.of(club).names()
    version = history_version(club)
    hidden = sorted(pk for pk, name in names.items() if not name.has_page)
    records = _records.get(
        f"{version} {hidden}",
        lambda: club_records(
            club_history(club, version), lambda person: person in names and person not in hidden
        ),
    )
    return records, names


def names_for(club: Club, people: Collection[int]) -> dict[int, MemberName]:
    """The names of these people, and of the pairs and teams of the club with these ids turned
    negative. One query, two where there are those, and none for nobody."""
    if not people:
        return {}
    names = Member.objects.of(club).filter(pk__in=people).names()
    if teams := [-pk for pk in people if pk < 0]:
        chosen = club.competitors.filter(pk__in=teams).prefetch_related("people__member")
        open_ = PublicAs.NAME
        for team in chosen:
            names[-team.pk] = MemberName(-team.pk, public_name(team), "", open_, None, "", "")
    return names
