"""What the public may see of an evening: live and released standings, and who moved."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, permutations
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery

from clubs.merges.services import ids_today, people_today
from clubs.models import Member
from clubs.text.names import name_key
from clubs.text.numbers import signed
from tournaments.evenings.pages import public_name
from tournaments.models import Competitor, Evening, Release, Round
from tournaments.standings.competitors import PLAYER
from tournaments.standings.core.results import EveningResult, Points, Running
from tournaments.standings.pairs import LivePair, PairScore, pair_from_json
from tournaments.standings.queries import InterimLine, evening_interim, evening_ranked

Scored = Mapping[int, tuple[int, int]]
OF_A_PAIR = 2


class PublicRow(NamedTuple):
    """A line of standings under a public name. `rounds` maps round numbers to scores. `has_page` is
    false for people without a public page, and for those who left the club. `pair` is the line
    of their fixed pair, `tie_breaks` the figures that were compared because of a tie; `correction`
    is part of the total.

    While the evening is played `rank`, `total`, `rounds`, `deals` and `average` are those of an
    `InterimRow`, `running` has the rounds that are still being played, by number, and `live_pair`
    the same of their pair.

    The line of a team, or of a pair beside those of its people, says so by its `kind`; `member_id`
    is then nobody's. It has the address of its `page`, if it is one of the club, its id there,
    `competitor`, and its `people`, who played for it."""

    rank: int | None
    member_id: int
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int
    has_page: bool = True
    pair: PairScore | None = None
    tie_breaks: Mapping[str, Points | None] = {}
    running: Mapping[int, Running] = {}
    deals: int = 0
    average: Decimal | None = None
    live_pair: LivePair | None = None
    correction: int = 0
    kind: str = PLAYER
    competitor: int | None = None
    page: str = ""
    people: tuple[int, ...] = ()

    @property
    def is_competitor(self) -> bool:
        """Whether it is a line of a pair or team that may stand beside those of its people."""
        return self.kind != PLAYER

    @property
    def place(self) -> int:
        """The place in what is published, where everybody has one."""
        return self.rank or 0


@dataclass(frozen=True, slots=True)
class Move:
    """A person, pair or team whose place or total a release changed, before and after; `None` where
    they were not in the standings."""

    name: str
    old_rank: int | None
    rank: int | None
    old_total: int | None
    total: int | None

    @property
    def is_up_or_down(self) -> bool:
        """Whether the place changed, not only the total."""
        return self.old_rank != self.rank


def visible_rounds(evening: Evening) -> list[Round]:
    """The rounds with a final draw, in order; drafts are not public."""
    return list(evening.rounds.exclude(state=Round.State.DRAFT).order_by("number"))


def public_standings(evening: Evening) -> list[PublicRow]:
    """The standings that the public sees: as last published if the evening is closed, live if it is
    running. Empty if the evening shows no scores."""
    closed = evening.state == Evening.State.CLOSED
    release = evening.releases.first() if closed else None
    if release is not None:
        return release_rows(release)
    return live_rows(evening) if evening.shows_scores else []


def has_broken_ties(rows: Sequence[PublicRow]) -> bool:
    """Whether equal totals have different places somewhere in these standings."""
    return any(
        (above.total, above.deals) == (below.total, below.deals) and above.rank != below.rank
        for above, below in pairwise(rows)
    )


def live_rows(evening: Evening) -> list[PublicRow]:
    """The standings as they are now, whether or not the public may see them."""
    if evening.state == Evening.State.RUNNING:
        return [_interim_row(line) for line in evening_interim(evening)]
    return total_rows(evening)


def total_rows(evening: Evening) -> list[PublicRow]:
    """The standings by everything that is written so far, as at the end of an evening."""
    return [
        PublicRow(
            rank=row.rank,
            member_id=member.pk,
            name=member.shown_name,
            total=row.total,
            rounds=row.rounds,
            pits=row.pits,
            has_page=member.has_page,
            pair=pair,
            tie_breaks=row.tie_breaks,
            correction=row.correction,
        )
        for row, member, pair in evening_ranked(evening)
    ]


def written_so_far(row: PublicRow) -> int:
    """All points of a line, also those of rounds that are being played."""
    if not row.running:
        return row.total
    written = sum(row.rounds.values()) + sum(run.points for run in row.running.values())
    return written + row.correction


def written_by_round(row: PublicRow) -> dict[int, int]:
    """The points of each round, also of those that are being played."""
    running = {number: run.points for number, run in row.running.items()}
    return dict(sorted({**row.rounds, **running}.items()))


def running_rounds(rows: Iterable[PublicRow]) -> list[int]:
    """The rounds that are being played and stand apart: not every table has finished them."""
    return sorted({number for row in rows for number in row.running})


def _interim_row(line: InterimLine) -> PublicRow:
    row, member = line.row, line.member
    return PublicRow(
        rank=row.rank,
        member_id=member.pk,
        name=member.shown_name,
        total=row.total,
        rounds=row.rounds,
        pits=row.pits,
        has_page=member.has_page,
        pair=line.pair.pair if line.pair else None,
        tie_breaks=row.tie_breaks,
        correction=row.correction,
        running=line.running,
        deals=row.deals,
        average=row.average,
        live_pair=line.pair,
    )


def release_rows(release: Release) -> list[PublicRow]:
    """The standings of a release, with today's public names."""
    return rows_of_each([release])[0]


def rows_of_each(releases: Sequence[Release]) -> list[list[PublicRow]]:
    """The same for each of these releases. One query, two if a guest became a member."""
    members = _members(row for release in releases for row in release.standings)
    return [_release_rows(release, members) for release in releases]


def _release_rows(release: Release, members: Mapping[int, Member]) -> list[PublicRow]:
    return [
        PublicRow(
            rank=row["rank"],
            member_id=members[row["member"]].pk if row["member"] in members else row["member"],
            name=_name(members, row),
            total=row["total"],
            rounds={int(number): score for number, score in row["rounds"].items()},
            pits=row["pits"],
            has_page=row["member"] in members and members[row["member"]].has_page,
            pair=pair_from_json(row.get("pair")),
            tie_breaks=row.get("tie_breaks", {}),
            correction=row.get("correction", 0),
        )
        for row in release.standings
    ]


def correction_lines(evening: Evening, rows: Sequence[PublicRow]) -> list[str]:
    """What the director gave people in these standings, or took off, and why. A query if there is
    anything."""
    if not evening.corrected:
        return []
    names = {row.member_id: row.name for row in rows}
    made = evening.person_corrections.values_list("member_id", "points", "reason")
    return [
        f"{names[member_id]} {signed(points)}: {reason}"
        for member_id, points, reason in made
        if member_id in names
    ]


def by_pair(
    rows: Sequence[PublicRow], called: Mapping[int, Competitor] | None = None
) -> list[PublicRow]:
    """The standings with one line for each fixed pair, in order of place; unchanged if there are
    no pairs. People who played outside a pair have no line of their own. A pair is called after
    its people; where others played for it, by the name of the pair of the club that it is by its
    number in `called`."""
    people: dict[int, list[PublicRow]] = defaultdict(list)
    pairs: dict[int, PairScore] = {}
    for row in rows:
        if row.pair is not None:
            pairs[row.pair.number] = row.pair
            people[row.pair.number].append(row)
    names = _pair_names(called or {}, people)
    lines = [_pair_line(pair, people[number], names.get(number)) for number, pair in pairs.items()]
    return sorted(lines, key=_by_place) or list(rows)


def _by_place(row: PublicRow) -> tuple[bool, int, str]:
    return row.rank is None, row.rank or 0, row.name.casefold()


def _pair_names(
    called: Mapping[int, Competitor], people: Mapping[int, Sequence[PublicRow]]
) -> Mapping[int, str]:
    """By number, the names of pairs that are not just their two people."""
    names = {}
    for number, pair in called.items():
        own = [person.member for person in pair.people.all()]
        two = own if len(own) == OF_A_PAIR else []
        both = {name_key(" & ".join(each.desk_name for each in so)) for so in permutations(two)}
        played = {row.member_id for row in people.get(number, ())}
        if name_key(pair.name) not in both or played != {each.pk for each in own}:
            names[number] = public_name(pair)
    return names


def _pair_line(pair: PairScore, both: Sequence[PublicRow], name: str | None = None) -> PublicRow:
    return PublicRow(
        rank=pair.rank,
        member_id=both[0].member_id,
        name=name or " – ".join(sorted((row.name for row in both), key=str.casefold)),
        total=pair.total,
        rounds=pair.rounds,
        pits=pair.pits,
        has_page=False,
        pair=pair,
        tie_breaks=pair.tie_breaks,
        **_live_part(both[0].live_pair),
    )


def _live_part(live: LivePair | None) -> dict[str, Any]:
    """What a pair's line has besides, while the evening is played."""
    if live is None:
        return {}
    return {"running": live.running, "deals": live.deals, "average": live.average}


def release_moves(release: Release) -> list[Move]:
    """The people whose place or total changed since the release before, in order of place."""
    return moves_of(release.changes)


def moves_of(changes: Sequence[Mapping[str, Any]], *, public: bool = True) -> list[Move]:
    """These `Release.changes` with today's public names, or full names if not `public`."""
    members = _members(changes) if changes else {}
    return [
        Move(
            name=_name(members, change) if public else _full_name(members, change),
            old_rank=change["rank"][0],
            rank=change["rank"][1],
            old_total=change["total"][0],
            total=change["total"][1],
        )
        for change in changes
    ]


def _members(rows: Iterable[Mapping[str, Any]]) -> dict[int, Member]:
    return people_today(row["member"] for row in rows)


def _name(members: Mapping[int, Member], row: Mapping[str, Any]) -> str:
    """Today's public name; for somebody who left the club, the name at the time."""
    member = members.get(row["member"])
    return member.shown_name if member else str(row["shown_name"])


def _full_name(members: Mapping[int, Member], row: Mapping[str, Any]) -> str:
    member = members.get(row["member"])
    return member.desk_name if member else str(row["name"])


def stale_evenings(evenings: Sequence[Evening], results: Iterable[EveningResult]) -> list[Evening]:
    """The closed evenings whose `results` differ from what was published last, in the same order.

    One query, and one more if an evening was touched since its release.
    """
    released = _released(evenings)
    touched = [evening for evening in evenings if evening.pk in released]
    now: dict[str, dict[int, tuple[int, int]]] = {evening.slug: {} for evening in touched}
    for result in results if touched else ():
        if result.score is not None and result.evening in now:
            now[result.evening][int(result.player_id)] = result.score, result.pits
    return [evening for evening in touched if released[evening.pk] != now[evening.slug]]


def touched_since(evenings: Iterable[Evening]) -> set[int]:
    """The ids of the evenings that were touched since their last release. One query."""
    return set(_last_of_touched(evenings).values_list("evening", flat=True))


def _last_of_touched(evenings: Iterable[Evening]) -> QuerySet[Release]:
    same = Release.objects.filter(evening=OuterRef("evening")).order_by("-number")
    last = Release.objects.filter(evening__in=evenings, number=Subquery(same.values("number")[:1]))
    return last.exclude(evening_revision=F("evening__revision"))


def _released(evenings: Sequence[Evening]) -> dict[int, Scored]:
    """The scores in the last release of each evening (by id) that was touched since."""
    touched = dict(_last_of_touched(evenings).values_list("evening", "standings"))
    today = ids_today(row["member"] for rows in touched.values() for row in rows) if touched else {}
    return {evening: scored(rows, today) for evening, rows in touched.items()}


def scored(rows: Iterable[Mapping[str, Any]], today: Mapping[int, int]) -> Scored:
    """The points and pits in these lines of a release, by the ids that people have `today`."""
    return {today.get(row["member"], row["member"]): (row["total"], row["pits"]) for row in rows}
