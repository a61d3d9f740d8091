"""What the public may see of an evening, and when."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Subquery

from clubs.merges.queries import ids_before, ids_today, people_today
from clubs.models import Member
from tournaments.models import Evening, Release, Round
from tournaments.standings.core import EveningResult, Points
from tournaments.standings.pairs import PairScore, pair_from_json
from tournaments.standings.queries import evening_ranked


class PublicRow(NamedTuple):
    """A line of standings under the name the public reads. `rounds` maps a round's number to its
    score. `has_page` is false for who is not to be read about, or is no longer with the club.
    `pair` is the line of the fixed pair he is in, `tie_breaks` what was looked at because of a
    tie."""

    rank: int
    member_id: int
    name: str
    total: int
    rounds: Mapping[int, int]
    pits: int
    has_page: bool = True
    pair: PairScore | None = None
    tie_breaks: Mapping[str, Points | None] = {}


@dataclass(frozen=True, slots=True)
class Move:
    """Somebody whose place or total a release changed: before and after; `None` where he was not
    in the standings."""

    name: str
    old_rank: int | None
    rank: int | None
    old_total: int | None
    total: int | None

    @property
    def is_up_or_down(self) -> bool:
        """Whether the place is another one, and not the total alone."""
        return self.old_rank != self.rank


def visible_rounds(evening: Evening) -> list[Round]:
    """The rounds whose draw is final, in order. A draft is nobody's business."""
    return list(evening.rounds.exclude(state=Round.State.DRAFT).order_by("number"))


def public_standings(evening: Evening) -> list[PublicRow]:
    """The standings that the public sees: of a closed evening as they were last published, of a
    running one as they are now. Empty where the evening shows no scores."""
    closed = evening.state == Evening.State.CLOSED
    release = evening.releases.first() if closed else None
    if release is not None:
        return release_rows(release)
    return live_rows(evening) if evening.shows_scores else []


def has_broken_ties(rows: Sequence[PublicRow]) -> bool:
    """Whether equal totals have different places somewhere in these standings."""
    return any(
        above.total == below.total and above.rank != below.rank for above, below in pairwise(rows)
    )


def live_rows(evening: Evening) -> list[PublicRow]:
    """The standings as they are now, whether or not the public may see them."""
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
        )
        for row, member, pair in evening_ranked(evening)
    ]


def release_rows(release: Release) -> list[PublicRow]:
    """The standings of a release, under the names that people want the public to read today."""
    members = _members(release.standings)
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
        )
        for row in release.standings
    ]


def by_pair(rows: Sequence[PublicRow]) -> list[PublicRow]:
    """These standings with one line for each fixed pair, in order of place; the same lines where
    nobody is in one. Who played besides the pairs has no line of his own."""
    people: dict[int, list[PublicRow]] = defaultdict(list)
    pairs: dict[int, PairScore] = {}
    for row in rows:
        if row.pair is not None:
            pairs[row.pair.number] = row.pair
            people[row.pair.number].append(row)
    lines = [_pair_line(pair, people[number]) for number, pair in pairs.items()]
    return sorted(lines, key=lambda line: (line.rank, line.name.casefold())) or list(rows)


def _pair_line(pair: PairScore, both: Sequence[PublicRow]) -> PublicRow:
    return PublicRow(
        rank=pair.rank,
        member_id=both[0].member_id,
        name=" – ".join(sorted((row.name for row in both), key=str.casefold)),
        total=pair.total,
        rounds=pair.rounds,
        pits=pair.pits,
        has_page=False,
        pair=pair,
        tie_breaks=pair.tie_breaks,
    )


def published_places(evenings: Iterable[Evening], member: Member) -> dict[str, tuple[int, int]]:
    """By evening (slug) the place at which this person stands in what was published last, with how
    many lines that has: a pair is one. Two queries, however many evenings."""
    slugs = {evening.pk: evening.slug for evening in evenings}
    newest = Release.objects.filter(evening=OuterRef("evening")).values("number")[:1]
    releases = Release.objects.filter(evening__in=slugs, number=Subquery(newest))
    own = {member.pk, *ids_before(member)}
    return {
        slugs[evening]: (_shown_rank(row), _lines_of(standings))
        for evening, standings in releases.values_list("evening_id", "standings")
        for row in standings
        if row["member"] in own
    }


def _shown_rank(row: Mapping[str, Any]) -> int:
    return int((row.get("pair") or row)["rank"])


def _lines_of(standings: Sequence[Mapping[str, Any]]) -> int:
    return len({row["pair"]["number"] for row in standings if row.get("pair")}) or len(standings)


def release_moves(release: Release) -> list[Move]:
    """Who stands otherwise than in the release before, in order of place."""
    return moves_of(release.changes)


def moves_of(changes: Sequence[Mapping[str, Any]], *, public: bool = True) -> list[Move]:
    """These `Release.changes` under the names that the public reads today; for the desk, full."""
    members = _members(changes) if changes and public else {}
    return [
        Move(
            name=_name(members, change) if public else str(change["name"]),
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
    """What the public calls somebody today; who is no longer with the club, what it called him."""
    member = members.get(row["member"])
    return member.shown_name if member else str(row["shown_name"])


# Which evenings were corrected and not published anew yet, of many evenings at once.

Scored = Mapping[int, tuple[int, int]]


def evenings_outdated(
    evenings: Sequence[Evening], results: Iterable[EveningResult]
) -> list[Evening]:
    """Those of these closed evenings from which somebody brings other points or pits than were
    published last, in the same order; `results` is what everybody brings from them now. One query,
    and one more where an evening was touched since."""
    published = _published(evenings)
    now: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    for one in results:
        if one.score is not None:
            now[one.evening][int(one.player_id)] = one.score, one.pits
    return [one for one in evenings if published.get(one.pk, now[one.slug]) != now[one.slug]]


def _published(evenings: Sequence[Evening]) -> dict[int, Scored]:
    """What everybody has in the last release of those evenings (id) that were touched since."""
    same = Release.objects.filter(evening=OuterRef("evening")).order_by("-number")
    last = Release.objects.filter(evening__in=evenings, number=Subquery(same.values("number")[:1]))
    touched = dict(
        last.exclude(evening_revision=F("evening__revision")).values_list("evening", "standings")
    )
    today = ids_today(row["member"] for rows in touched.values() for row in rows) if touched else {}
    return {evening: _scored(rows, today) for evening, rows in touched.items()}


def _scored(rows: Iterable[Mapping[str, Any]], today: Mapping[int, int]) -> Scored:
    return {today.get(row["member"], row["member"]): (row["total"], row["pits"]) for row in rows}
