"""Ids that stand inside JSON: whose line of a release it is, and what a merge moved."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.apps import apps

from clubs.archives.container import BadArchive
from tournaments.models import PUBLISHED_AS, published_as
from tournaments.moving.numbers import Numbers, table_of

MEMBER, MERGE = "clubs.member", "clubs.membermerge"
Json = dict[str, Any]
Rewrite = Callable[[Json, Numbers], Json]


def people_named(standings: Iterable[Collection[Json]], guests: Iterable[Json]) -> set[int]:
    """The ids of members that stand in lines of releases and in merges: some are gone."""
    return {row["member"] for rows in standings for row in rows} | {one["id"] for one in guests}


def release_renumbered(row: Json, numbers: Numbers) -> Json:
    """The columns of a release with other ids; each line keeps the one that it was published with,
    which its hash in the trail is about."""
    return row | {
        name: [
            line | {"member": numbers[MEMBER][line["member"]], PUBLISHED_AS: published_as(line)}
            for line in row[name]
        ]
        for name in ("standings", "changes")
    }


def merge_renumbered(row: Json, numbers: Numbers) -> Json:
    """The columns of a merge with other ids. What is gone since is left out."""
    kept, guest = row["handed_over"], row["guest"]
    guest = guest | {"first_id": guest.get("first_id") or guest["id"]}
    return row | {
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


def rewritten(name: str, row: Json, numbers: Numbers) -> Json:
    """A row, by its columns, with other ids inside its JSON. Raises BadArchive where that is not
    as it should be."""
    if name not in INSIDE:
        return row
    try:
        return INSIDE[name](row, numbers)
    except (AttributeError, KeyError, LookupError, TypeError, ValueError) as error:
        raise BadArchive(f"{name}: a row does not tell whose it is: {error!r}.") from error


def _there(ids: Iterable[int], known: Mapping[int, int]) -> list[int]:
    return [known[pk] for pk in ids if pk in known]


def _columns(label: str, columns: Json, numbers: Numbers) -> Json:
    """A row that was kept by its columns; an id that is gone is None."""
    fields = {field.attname: field for field in apps.get_model(label)._meta.concrete_fields}
    told = dict(columns)
    for name in columns:
        if (table := table_of(fields[name])) is not None:
            told[name] = numbers[table].get(told[name])
    return told
