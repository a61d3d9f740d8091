"""What the trail keeps of an evening when it is published, for `verify` to compare with later.

The event holds ids and numbers only. Of names it holds commitments, whose salts stand in the
release, where they can be erased.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from typing import Any
from uuid import UUID

from clubs.audit.services import commitment, seal
from clubs.models import Member
from scoring.models import Scoresheet, Seat
from tournaments.models import Evening, Release, Table

Record = dict[str, Any]
Row = Mapping[str, Any]


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
            for salts, rows in zip(release.salts, (release.standings, release.changes), strict=True)
        ],
    }


def salts_for(*lists: Sequence[Row]) -> list[list[str]]:
    """A salt for the name in each row of these lists."""
    return [[secrets.token_hex(16) for _row in rows] for rows in lists]


def name_commitment(salt: str, row: Row) -> str:
    """A hash that binds the names in a row of a release."""
    return commitment(salt, f"{row['name']}\n{row['shown_name']}")


def _plain(value: object) -> object:
    """A value as JSON keeps it."""
    return str(value) if isinstance(value, UUID) else value
