"""The lines of an evening by whom it ranks, teams, pairs or people: as published, or as they are
now."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from clubs.merges.services import ids_before, ids_today
from clubs.models import Club, Member
from clubs.text.numbers import number
from tournaments.evenings.pages import competitor_url, public_name
from tournaments.models import Competitor, Evening, Release
from tournaments.releases.queries import (
    Move,
    PublicRow,
    by_pair,
    live_rows,
    release_rows,
    rows_of_each,
    scored,
)
from tournaments.standings.competitors import (
    PAIR,
    PLAYER,
    TEAM,
    CompetitorsOf,
    competitor_id_of,
    competitor_key,
    ranked_by,
)
from tournaments.standings.queries import evening_standings
from tournaments.standings.scores import live_scores


def public_lines(evening: Evening) -> list[PublicRow]:
    """The standings that the public sees by whom the evening ranks, as `public_standings`."""
    return public_rows_and_lines(evening)[1]


def public_rows_and_lines(evening: Evening) -> tuple[list[PublicRow], list[PublicRow]]:
    """The `public_standings`, and the lines of whom the evening ranks."""
    closed = evening.state == Evening.State.CLOSED
    release = evening.releases.first() if closed else None
    if release is not None:
        rows = release_rows(release)
        return rows, release_lines(release, rows)
    if not evening.shows_scores:
        return [], []
    rows = live_rows(evening)
    return rows, live_lines(evening, rows)


def release_lines(
    release: Release,
    rows: Sequence[PublicRow] | None = None,
    known: Mapping[str, Competitor] | None = None,
) -> list[PublicRow]:
    """The standings of a release by whom the evening ranked then: teams, pairs, else people; these
    are its `rows`, and the pairs and teams in it by UUID, if they are read already."""
    rows = release_rows(release) if rows is None else rows
    kind = ranked_kind(release)
    if kind == PLAYER or (kind == PAIR and any(row.pair for row in rows)):
        return by_pair(rows, _called_then(release, rows, known))
    lines = competitors_published(release, kind, rows, known)
    return lines or by_pair(rows, _called_then(release, rows, known))


def lines_of_each(
    club: Club, releases: Sequence[Release], every: Sequence[Sequence[PublicRow]] | None = None
) -> list[list[PublicRow]]:
    """The `release_lines` of each of these releases of a club, with one reading of its pairs and
    teams; `every` has the rows of each, if they are read already."""
    known = _of_the_club(club.pk, (line for one in releases for line in one.competitors or ()))
    rows_of = zip(releases, every or rows_of_each(releases), strict=True)
    return [release_lines(release, rows, known) for release, rows in rows_of]


class OwnLine(NamedTuple):
    """Somebody in a standing of so many `lines`: the `line` is theirs, or that of the pair or team
    they are in where those rank. `own` is what they have themselves, among so many `people`."""

    line: PublicRow
    lines: int
    own: PublicRow
    people: int

    @property
    def whose(self) -> str:
        """The name of the pair or team whose line it is; empty if it is theirs alone."""
        return self.line.name if self.line.is_competitor or self.line.pair else ""


def own_line(
    member_id: int, rows: Sequence[PublicRow], lines: Sequence[PublicRow]
) -> OwnLine | None:
    """Somebody's place in these `lines`, which are those of the people's `rows` by whom the evening
    ranks. Whoever is in no pair or team has their own among the people."""
    own = next((row for row in rows if row.member_id == member_id), None)
    if own is None:
        return None
    line = next((line for line in lines if _is_of(line, own)), None)
    if line is None:
        return OwnLine(own, len(rows), own, len(rows))
    if line.is_competitor:
        return OwnLine(line, len(lines), by_pair([own])[0], len(by_pair(rows)))
    return OwnLine(line, len(lines), own, len(rows))


def own_place(found: OwnLine) -> str:
    """Somebody's own place, to tell beside that of their pair or team; empty without either."""
    own = found.own
    if not found.whose or own.rank is None:
        return ""
    words = {"rank": own.rank, "people": found.people, "points": number(own.total)}
    return _("As a player: place %(rank)s of %(people)s, with %(points)s points.") % words


def _is_of(line: PublicRow, own: PublicRow) -> bool:
    if line.is_competitor:
        return own.member_id in line.people
    if line.pair:
        return own.pair is not None and own.pair.number == line.pair.number
    return line.member_id == own.member_id


def own_lines_published(evenings: Iterable[Evening], member: Member) -> dict[int, OwnLine]:
    """By evening, somebody's place in what was published last, where they are in it. Two queries,
    and those for the names of pairs and teams."""
    own = {evening.pk: evening for evening in evenings}
    newest = Release.objects.filter(evening=OuterRef("evening")).values("number")[:1]
    last = Release.objects.filter(evening__in=own, number=Subquery(newest))
    releases = list(last.defer("changes", "salts", "reason"))
    for release in releases:
        release.evening = own[release.evening_id]
    return own_lines_of(releases, member)


def own_lines_of(releases: Sequence[Release], member: Member) -> dict[int, OwnLine]:
    """The same by evening of these releases of one club. Only those of pairs and teams are read in
    full."""
    ids = {member.pk, *ids_before(member)}
    found: dict[int, OwnLine] = {}
    others: list[Release] = []
    for release in releases:
        stored = next((row for row in release.standings if row["member"] in ids), None)
        if stored is None:
            continue
        if ranked_kind(release) != PLAYER or any(row.get("pair") for row in release.standings):
            others.append(release)
            continue
        row, there = _own_row(stored, member), len(release.standings)
        found[release.evening_id] = OwnLine(row, there, row, there)
    if not others:
        return found
    every = rows_of_each(others)
    read = zip(others, every, lines_of_each(member.club, others, every), strict=True)
    for release, rows, lines in read:
        if line := own_line(member.pk, rows, lines):
            found[release.evening_id] = line
    return found


def _own_row(stored: Mapping[str, Any], member: Member) -> PublicRow:
    return PublicRow(
        rank=stored["rank"],
        member_id=member.pk,
        name=member.shown_name,
        total=stored["total"],
        rounds={int(number): score for number, score in stored["rounds"].items()},
        pits=stored["pits"],
        has_page=member.has_page,
    )


def ranked_kind(release: Release) -> str:
    """Whom the evening ranked when this was published."""
    if release.competitors is None:
        return release.evening.ranks
    return next((line["kind"] for line in release.competitors if line["ranked"]), PLAYER)


def competitors_published(
    release: Release,
    kind: str,
    rows: Sequence[PublicRow],
    known: Mapping[str, Competitor] | None = None,
) -> list[PublicRow]:
    """The lines of the pairs or of the teams in a release with these `rows`, with today's public
    names; none of people. Two queries, if there are any that are not `known`. What was published
    before those were kept has those of now, as long as nobody's points were corrected."""
    if kind == PLAYER:
        return []
    if release.competitors is None:
        return competitors_now(release.evening, kind) if _is_as_published(release) else []
    lines = [line for line in release.competitors if line["kind"] == kind]
    if known is None:
        known = _of_the_club(release.evening.club_id, lines)
    # Results from before pairs have numbers name nobody's pair.
    played: dict[object, list[int]] = defaultdict(list)
    for stored, row in zip(release.standings, rows, strict=True):
        for of in (stored.get("team"), row.pair and row.pair.number):
            if of is not None:
                played[of].append(row.member_id)
    return [
        PublicRow(
            rank=line["rank"],
            total=line["total"],
            rounds={int(number): score for number, score in line["rounds"].items()},
            pits=line["pits"],
            tie_breaks=line.get("tie_breaks", {}),
            correction=line.get("correction", 0),
            **_whose(
                known.get(line["competitor"] or ""),
                kind,
                played.get(line["competitor"] if kind == TEAM else line["number"], []),
                rows,
                number=line["number"],
                name=line["shown_name"],
            ),
        )
        for line in lines
    ]


def line_moves(release: Release, before: Release | None, *, public: bool = True) -> list[Move]:
    """The pairs or teams that the evening ranks whose place or total differs from the release
    `before`, in order of place; if not `public` all pairs and teams, by the names the desk knows.
    Of what was published before those were kept nothing is known."""
    if before is None or release.competitors is None or before.competitors is None:
        return []
    return _moves_between(release, before.competitors, release.competitors, public=public)


def new_line_moves(release: Release, now: Sequence[Mapping[str, Any]]) -> list[Move]:
    """The pairs and teams whose place or total is another one `now` than in this release, for the
    desk."""
    return _moves_between(release, release.competitors or [], now, public=False)


Lines = Sequence[Mapping[str, Any]]


def _moves_between(release: Release, before: Lines, after: Lines, *, public: bool) -> list[Move]:
    old, new = (
        {
            (line["kind"], line["competitor"], line["competitor"] is None and line["number"]): line
            for line in lines
            if not public or line["kind"] == ranked_kind(release)
        }
        for lines in (before, after)
    )
    moved = {
        key: line
        for key, line in (new | old).items()
        if line["shown_name"] and _place(old.get(key)) != _place(new.get(key))
    }
    known = _of_the_club(release.evening.club_id, moved.values())
    moves = []
    for key, line in moved.items():
        then, now, competitor = old.get(key), new.get(key), known.get(str(key[1]))
        old_rank, old_total = _place(then) or (None, None)
        rank, total = _place(now) or (None, None)
        name = line["shown_name"] if public else line["name"]
        if competitor is not None:
            name = public_name(competitor) if public else competitor.name
        moves.append(
            Move(name=name, old_rank=old_rank, rank=rank, old_total=old_total, total=total)
        )
    return moves


def _place(line: Mapping[str, Any] | None) -> tuple[int, int] | None:
    return None if line is None else (line["rank"], line["total"])


def live_lines(evening: Evening, rows: Sequence[PublicRow] | None = None) -> list[PublicRow]:
    """The standings as they are now by whom the evening ranks, whether or not the public may see
    them; these are the people's `rows`, if they are read already."""
    rows = live_rows(evening) if rows is None else rows
    lines: list[PublicRow] = []
    if evening.ranks == TEAM or (evening.ranks == PAIR and not any(row.pair for row in rows)):
        lines = competitors_now(evening, evening.ranks, rows)
    return lines or by_pair(rows, _called_now(evening, rows))


def competitors_now(
    evening: Evening, kind: str, rows: Sequence[PublicRow] | None = None
) -> list[PublicRow]:
    """The lines of the pairs or of the teams of an evening. While it is played their places go by
    the rounds that are over, and whoever has none of those has no place. `rows` are the people's,
    if they are read already."""
    is_open = evening.state == Evening.State.RUNNING
    of = CompetitorsOf(evening, live_scores(evening).over if is_open else None)
    if not of.are_any:
        return []
    adds_up = kind == PAIR or evening.team_best is None
    running = of.running(kind) if is_open and adds_up else {}
    ranked = {row.player_id: row for row in ranked_by(of, kind) if row.rounds or not is_open}
    waiting = sorted(running.keys() - ranked.keys(), key=lambda key: competitor_id_of(key) or 0)
    known = {
        competitor_key(pair.pk): pair
        for pair in _with_people(evening.club_id).filter(
            pk__in=[competitor_id_of(key) for key in (*ranked, *waiting)]
        )
    }
    numbers = {of.pair_key(number): number for number in of.pair_of.values()}
    played = of.people(kind)
    lines = []
    for key in (*ranked, *waiting):
        row = ranked.get(key)
        names = _whose(
            known.get(key), kind, played.get(key, []), rows or (), number=numbers.get(key)
        )
        lines.append(
            PublicRow(
                rank=row.rank if row else None,
                total=row.total if row else 0,
                rounds=row.rounds if row else {},
                pits=row.pits if row else 0,
                tie_breaks=row.tie_breaks if row else {},
                correction=row.correction if row else 0,
                running=running.get(key, {}),
                **names,
            )
        )
    return lines


def _whose(
    competitor: Competitor | None,
    kind: str,
    played: Sequence[int],
    rows: Sequence[PublicRow],
    *,
    number: int | None,
    name: str = "",
) -> dict[str, Any]:
    """What a line of a pair or team says of whose it is: the name it has today, that of then, or
    those of its people. Its id is that of none of the people, who may have lines beside it."""
    own = {row.member_id: row.name for row in rows if row.member_id in played}
    people = tuple(pk for pk in played if pk in own) if rows else tuple(played)
    said = public_name(competitor) if competitor else name
    return {
        "kind": kind,
        "member_id": -(competitor.pk if competitor else number or 0),
        "name": said or " – ".join(sorted(own.values(), key=str.casefold)),
        "has_page": False,
        "competitor": competitor and competitor.pk,
        "page": competitor_url(competitor.club, competitor.pk) if competitor else "",
        "people": people,
    }


def _with_people(club_id: int) -> QuerySet[Competitor]:
    of_club = Competitor.objects.filter(club=club_id)
    return of_club.select_related("club").prefetch_related("people__member")


def _of_the_club(club_id: int, lines: Iterable[Mapping[str, Any]]) -> dict[str, Competitor]:
    """By UUID, the pairs and teams that these lines of a release are of."""
    uuids = {line["competitor"] for line in lines if line["competitor"]}
    known = _with_people(club_id).filter(uuid__in=uuids) if uuids else ()
    return {str(competitor.uuid): competitor for competitor in known}


def _called_then(
    release: Release,
    rows: Iterable[PublicRow],
    known: Mapping[str, Competitor] | None = None,
) -> dict[int, Competitor]:
    """By number, the pairs of the club that the pairs of a release are."""
    if release.competitors is None:
        return _called_now(release.evening, rows)
    lines = [line for line in release.competitors if line["number"] is not None]
    if known is None:
        known = _of_the_club(release.evening.club_id, lines)
    return {
        line["number"]: known[line["competitor"]] for line in lines if line["competitor"] in known
    }


def _called_now(evening: Evening, rows: Iterable[PublicRow]) -> dict[int, Competitor]:
    """By number, the pairs of the club that the pairs in these rows are. A query if there are
    any."""
    if not any(row.pair for row in rows):
        return {}
    chosen = evening.evening_pairs.select_related("competitor")
    chosen = chosen.prefetch_related("competitor__people__member")
    return {pair.number: pair.competitor for pair in chosen}


def _is_as_published(release: Release) -> bool:
    """Whether everybody has the points of this release."""
    if release.evening_revision == release.evening.revision:
        return True
    today = ids_today(row["member"] for row in release.standings)
    now = {row.member_id: (row.total, row.pits) for row in evening_standings(release.evening)}
    return now == scored(release.standings, today)
