"""Publishing standings as releases, which are numbered and never change.

What the trail keeps of an evening when it is published, for `verify` to compare with later, is an
event that holds ids and numbers only. Of names it holds commitments, whose salts stand in the
release, where they can be erased.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, commitment, seal
from clubs.merges.services import ids_today
from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.deals.entries import reason_checked
from scoring.models import Scoresheet, Seat
from tournaments.evenings.pages import public_name
from tournaments.evenings.services import evening_lock, evening_touch, require_state
from tournaments.models import PUBLISHED_AS, Competitor, Evening, Release, Table
from tournaments.ratings.services import ratings_follow
from tournaments.releases.folders import FolderMove, folder_moves, folders_now
from tournaments.releases.queries import Move, moves_of
from tournaments.standings.competitors import (
    PAIR,
    TEAM,
    CompetitorsOf,
    competitor_id_of,
    competitor_key,
    ranked_by,
)
from tournaments.standings.core.places import EveningRow
from tournaments.standings.queries import StandingRow, evening_standings, release_figures
from tournaments.standings.summaries import summary_store

Row = dict[str, object]
NOT_FIGURES = "name", "shown_name", "member", "tie_breaks", "pair", "team", PUBLISHED_AS


@transaction.atomic
def release_publish(*, evening: Evening, actor: Actor, reason: str = "") -> Release:
    """Publish the standings as they are now as the next release, with who moved since the last.
    The ratings are updated too.

    Raises DomainError `evening_state` when the evening is not closed, or `reason_too_long`.
    """
    evening = evening_lock(evening.pk)
    require_state(evening, Evening.State.CLOSED)
    previous = evening.releases.first()
    rows, competitors, folders = _rows(evening), _competitors(evening), folders_now(evening)
    changes = [] if previous is None else _changes(previous.standings, rows)
    sealed = sheets_sealed(tables_of(evening))
    release = Release.objects.create(
        evening=evening,
        number=1 if previous is None else previous.number + 1,
        standings=rows,
        changes=changes,
        competitors=competitors,
        folders=folders,
        salts=salts_for(rows, changes, competitors),
        reason=reason_checked(reason, needed=False),
        evening_revision=evening.revision + 1,
        seal=sealed["seal"],
        user=actor.user,
    )
    evening_touch(
        evening,
        actor=actor,
        action="published",
        data={
            "release": release.number,
            "figures": release_figures(*release.figured),
            **sealed,
            **release_record(release),
            **evening_record(evening),
        },
        texts={"reason": release.reason},
    )
    summary_store(evening.pk)
    ratings_follow(evening)
    return release


@transaction.atomic
def correction_publish(*, evening: Evening, actor: Actor, reason: str = "") -> Release:
    """As `release_publish`, for standings that were corrected since they were last published.

    Also raises DomainError `nothing_corrected`, for example for the second of two people who
    publish the same correction.
    """
    evening = evening_lock(evening.pk)
    last = evening.releases.first()
    if evening.state == Evening.State.CLOSED and last is not None and release_is_current(last):
        message = _("The published result is up to date: there is nothing to do.")
        raise DomainError("nothing_corrected", message)
    return release_publish(evening=evening, actor=actor, reason=reason)


def release_is_current(release: Release) -> bool:
    """Whether the standings are still as in this release, apart from the spelling of names."""
    revisions = Evening.objects.filter(pk=release.evening_id).values_list("revision", flat=True)
    if revisions.get() == release.evening_revision:
        return True
    rows, evening = _rows(release.evening), release.evening
    if _figures(rows) != _figures(release.standings):
        return False
    if release.folders is not None and release.folders != folders_now(evening):
        return False
    # What was published before pairs and teams were kept says nothing of them.
    return release.competitors is None or (
        _teams(rows) == _teams(release.standings)
        and _lines(_competitors(evening)) == _lines(release.competitors)
    )


def stale_release(evening: Evening) -> Release | None:
    """The last release if the evening was corrected or reopened since, else None."""
    if evening.state not in (Evening.State.RUNNING, Evening.State.CLOSED):
        return None
    release = evening.releases.first()
    if release is None:
        return None
    release.evening = evening
    is_open = evening.state == Evening.State.RUNNING
    return release if is_open or not release_is_current(release) else None


def release_changes(release: Release) -> list[Row]:
    """Everybody whose place or total differs from this release, as `Release.changes`."""
    return _changes(release.standings, _rows(release.evening))


def lines_now(evening: Evening) -> list[Row]:
    """The pairs and teams of the evening as a release of now would hold them."""
    return _competitors(evening)


def folder_moves_now(release: Release) -> list[FolderMove]:
    """The pairs of folders whose place or figure differs from this release, for the desk."""
    return folder_moves(release, release.folders, folders_now(release.evening), public=False)


def correction_preview(
    *, evening: Evening, correct: Callable[[], object]
) -> list[Move | FolderMove]:
    """Everybody whose place or total `correct` would change, with full names; pairs of folders
    first.

    `correct` is run and rolled back; raises what it raises.
    """
    release = evening.releases.first()
    with transaction.atomic():
        before, folders = _rows(evening), folders_now(evening)
        correct()
        changes = _changes(before, _rows(evening))
        after = folders_now(evening)
        transaction.set_rollback(True)
    pairs = folder_moves(release, folders, after, public=False) if release else []
    return [*pairs, *moves_of(changes, public=False)]


def _rows(evening: Evening) -> list[Row]:
    of = dict(evening.registrations.exclude(team=None).values_list("member_id", "team__uuid"))
    return [
        _row_json(row) | ({"team": str(of[row.member_id])} if row.member_id in of else {})
        for row in evening_standings(evening)
    ]


def _competitors(evening: Evening) -> list[Row]:
    """A row for each pair and each team of the evening, in order of place. `ranked` are those that
    the evening ranks, which come first. A pair that is no pair of the club has its number only."""
    of = CompetitorsOf(evening)
    if not of.are_any:
        return []
    kinds = (TEAM, PAIR) if evening.ranks == TEAM else (PAIR, TEAM)
    ranked = [(kind, row) for kind in kinds for row in ranked_by(of, kind)]
    ids = {pk for _kind, row in ranked if (pk := competitor_id_of(row.player_id)) is not None}
    known = evening.club.competitors.filter(pk__in=ids).prefetch_related("people__member")
    by_key = {competitor_key(competitor.pk): competitor for competitor in known}
    numbers = {of.pair_key(number): number for number in of.pair_of.values()}
    return [
        _competitor_json(kind, row, by_key.get(row.player_id), numbers.get(row.player_id))
        | {"ranked": kind == evening.ranks}
        for kind, row in ranked
    ]


def _competitor_json(
    kind: str, row: EveningRow, competitor: Competitor | None, number: int | None
) -> Row:
    return {
        "kind": str(kind),
        "competitor": competitor and str(competitor.uuid),
        "number": number if kind == PAIR else None,
        "name": competitor.name if competitor else "",
        "shown_name": public_name(competitor) if competitor else "",
        "rank": row.rank,
        "total": row.total,
        "rounds": {str(number): score for number, score in row.rounds.items()},
        "pits": row.pits,
        "tie_breaks": dict(row.tie_breaks),
        **({"correction": row.correction} if row.correction else {}),
    }


def _teams(rows: Sequence[Row]) -> dict[int, object]:
    """Whom each person played for."""
    return {member: row.get("team") for member, row in _by_member(rows).items()}


def _lines(rows: Sequence[Row]) -> dict[tuple[object, ...], Row]:
    """The figures of each pair and team, without names and tie-breaks, which are read from the
    database in another shape."""
    return {
        (row["kind"], row["competitor"], row["number"]): {
            key: value for key, value in row.items() if key not in NOT_FIGURES
        }
        for row in rows
    }


def _figures(rows: Sequence[Row]) -> dict[int, Row]:
    """Each person's figures by id, without names, and without the order among equals that follows
    from them: names may have changed since."""
    return {
        member: {key: value for key, value in row.items() if key not in NOT_FIGURES}
        for member, row in _by_member(rows).items()
    }


def _row_json(row: StandingRow) -> Row:
    return {
        "rank": row.rank,
        "member": row.member_id,
        "name": row.own_name,
        "shown_name": row.shown_name,
        "total": row.total,
        "rounds": {str(number): score for number, score in row.rounds.items()},
        "pits": row.pits,
        "tie_breaks": dict(row.tie_breaks),
        "pair": row.pair and asdict(row.pair),
        **({"correction": row.correction} if row.correction else {}),
    }


def _changes(before: list[Row], after: list[Row]) -> list[Row]:
    """Everybody whose place or total differs, or who is no longer there."""
    old, new = _by_member(before), _by_member(after)
    return [
        {
            "member": member,
            "name": row["name"],
            "shown_name": row["shown_name"],
            "rank": [old.get(member, {}).get("rank"), new.get(member, {}).get("rank")],
            "total": [old.get(member, {}).get("total"), new.get(member, {}).get("total")],
        }
        for member, row in (old | new).items()
        if _place(old.get(member)) != _place(new.get(member))
    ]


def _by_member(rows: Sequence[Row]) -> dict[int, Row]:
    """The rows by the person they are about; a merged guest is the member they became."""
    by_id = {cast("int", row["member"]): row for row in rows}
    today = ids_today(by_id)
    return {today.get(member, member): row for member, row in by_id.items()}


def _place(row: Row | None) -> tuple[object, object] | None:
    return None if row is None else (row["rank"], row["total"])


Record = dict[str, Any]


def sheets_sealed(tables: Iterable[Table]) -> Record:
    """A seal over the trails of the sheets of these tables, and of each sheet where it belongs and
    the length of its trail: round, table, length."""
    sheets: dict[str, tuple[Table, Scoresheet]] = {
        str(table.sheet.uuid): (table, table.sheet) for table in tables
    }
    return {
        "seal": seal(sheet for _table, sheet in sheets.values()),
        "sheets": {
            uuid: [table.round.number, table.number, sheet.chain_length]
            for uuid, (table, sheet) in sheets.items()
        },
    }


def tables_of(evening: Evening) -> Iterable[Table]:
    """The tables of an evening with their sheets and rounds."""
    return Table.objects.filter(round__evening=evening).select_related("round", "sheet")


def evening_record(evening: Evening) -> Record:
    """Who was there and paid what, who sat where, and what everybody was to pay."""
    seats: dict[str, list[list[object]]] = {}
    held = Seat.objects.filter(sheet__table__round__evening=evening).order_by("seat", "from_deal")
    columns = ("seat", "from_deal", "member__uuid", "counts_for__uuid", "extra")
    for sheet, *holder in held.values_list("sheet__uuid", *columns):
        seats.setdefault(str(sheet), []).append(list(map(_plain, holder)))
    listed = evening.registrations.values_list("member__uuid", "present", "absence", "paid")
    return {
        "people": {
            str(member): [present, absence, paid] for member, present, absence, paid in listed
        },
        "seats": seats,
        "stakes": [evening.stake_member, evening.stake_guest],
    }


def release_record(release: Release) -> Record:
    """When a release was published, who is in it, and commitments to their names."""
    ids = {row["member"] for rows in (release.standings, release.changes) for row in rows}
    people = Member.objects.filter(pk__in=ids).order_by("pk").values_list("pk", "uuid")
    return {
        "published_at": release.published_at.astimezone(UTC).isoformat(),
        "members": {str(pk): str(uuid) for pk, uuid in people},
        "names": [
            [name_commitment(salt, row) for salt, row in zip(salts, rows, strict=True)]
            for salts, rows in zip(release.salts, release.lists, strict=True)
        ],
    }


def salts_for(*lists: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """A salt for the name in each row of these lists."""
    return [[secrets.token_hex(16) for _row in rows] for rows in lists]


def name_commitment(salt: str, row: Mapping[str, Any]) -> str:
    """A hash that binds the names in a row of a release."""
    return commitment(salt, f"{row['name']}\n{row['shown_name']}")


def _plain(value: object) -> object:
    """A value as JSON keeps it."""
    return str(value) if isinstance(value, UUID) else value
