"""Ids that stand inside JSON: whose line of a release it is, and what a merge moved."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.apps import apps

from clubs.archives.container import BadArchive, Row
from tournaments.models import PUBLISHED_AS, published_as
from tournaments.moving.numbers import Numbers, table_of

MEMBER, MERGE = "clubs.member", "clubs.membermerge"
Json = dict[str, Any]
Rewrite = Callable[[Json, Numbers], Json]
"""Gives the ids inside the fields of a row."""


def people_named(standings: Iterable[Collection[Json]], guests: Iterable[Json]) -> set[int]:
    """The ids of members that stand in lines of releases and in merges: some are gone."""
    of_releases = {row["member"] for rows in standings for row in rows}
    return of_releases | {guest["id"] for guest in guests}


def release_renumbered(fields: Json, numbers: Numbers) -> Json:
    """The fields of a release with other ids; each line keeps the one that it was published with,
    which its hash in the trail is about."""
    return fields | {
        name: [
            line | {"member": numbers[MEMBER][line["member"]], PUBLISHED_AS: published_as(line)}
            for line in fields[name]
        ]
        for name in ("standings", "changes")
    }


def merge_renumbered(fields: Json, numbers: Numbers) -> Json:
    """The fields of a merge with other ids. What is gone since is left out."""
    kept, guest = fields["handed_over"], fields["guest"]
    guest = guest | {"first_id": guest.get("first_id") or guest["id"]}
    return fields | {
        "guest": _columns(MEMBER, guest, numbers),
        "handed_over": {
            "moved": {
                label: _there(ids, numbers[label.rpartition(".")[0]])
                for label, ids in kept["moved"].items()
            },
            "changed": [
                [
                    label,
                    numbers[label][pk],
                    _columns(label, before, numbers),
                    _columns(label, after, numbers),
                ]
                for label, pk, before, after in kept["changed"]
                if pk in numbers[label]
            ],
            "dropped": [
                [label, _columns(label, columns, numbers)] for label, columns in kept["dropped"]
            ],
            "evenings": _there(kept["evenings"], numbers["tournaments.evening"]),
        },
    }


INSIDE: Mapping[str, Rewrite] = {
    "tournaments.release": release_renumbered,
    MERGE: merge_renumbered,
}
"""The tables with ids inside JSON, and what gives those others."""


def rewritten(row: Row, numbers: Numbers) -> Row:
    """A row with other ids inside its JSON. Raises BadArchive where that is not
    as it should be."""
    name = row["model"]
    if name not in INSIDE:
        return row
    try:
        return {**row, "fields": INSIDE[name](row["fields"], numbers)}
    except (AttributeError, KeyError, LookupError, TypeError, ValueError) as error:
        raise BadArchive(f"{name}: a row does not tell whose it is: {error!r}.") from error


def _there(ids: Iterable[int], known: Mapping[int, int]) -> list[int]:
    return [known[pk] for pk in ids if pk in known]


def _columns(label: str, columns: Json, numbers: Numbers) -> Json:
    """A row that was kept by its columns; an id that is gone is None."""
    fields = {field.attname: field for field in apps.get_model(label)._meta.concrete_fields}
    renumbered = dict(columns)
    for name in columns:
        if (table := table_of(fields[name])) is not None:
            renumbered[name] = numbers[table].get(columns[name])
    return renumbered
