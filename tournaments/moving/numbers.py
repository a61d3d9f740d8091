"""Ids of another server: in an archive people and things are counted from 1."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models

from clubs.archives.container import BadArchive, Row
from clubs.archives.rows import Change

Numbers = dict[str, dict[int, int]]
"""For each table the number that stands for each id."""

Model = type[models.Model]


def counted(ids: Iterable[int]) -> dict[int, int]:
    """These ids, each with its place among them, from 1."""
    return {pk: number for number, pk in enumerate(sorted(set(ids)), start=1)}


def is_numbered(model: Model) -> bool:
    """Whether its rows have an id that a database hands out, and no UUID."""
    return isinstance(model._meta.pk, models.AutoField)


def renumber(model: Model, numbers: Numbers, *, own: bool = True) -> Change:
    """What gives a row of this model other ids: its own, if `own`, and those it points at."""
    label = model._meta.label_lower
    tables = {
        field.name: numbers[table]
        for field in model._meta.concrete_fields
        if not field.primary_key and (table := table_of(field)) is not None
    }
    own = own and is_numbered(model)

    def renumbered(row: Row) -> Row:
        fields = dict(row["fields"])
        for name, known in tables.items():
            if fields.get(name) is not None:
                fields[name] = number_of(known, fields[name], f"{label}.{name}")
        pk = number_of(numbers[label], row["pk"], label) if own else row["pk"]
        return {"model": label, "pk": pk, "fields": fields}

    return renumbered


def number_of(known: Mapping[int, int], pk: Any, what: str) -> int:
    """The number of an id. Raises BadArchive where there is none."""
    try:
        return known[pk]
    except (KeyError, TypeError) as error:
        raise BadArchive(f"{what}: {pk!r} is nobody and nothing of this club.") from error


def table_of(field: "models.Field[Any, Any]") -> str | None:
    """The table whose ids stand in a column, if they are ids that are counted."""
    model: Any = field.related_model if isinstance(field, models.ForeignKey) else None
    if field.primary_key:
        model = field.model
    return model._meta.label_lower if model is not None and is_numbered(model) else None
