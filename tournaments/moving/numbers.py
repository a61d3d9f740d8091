"""Ids of another server: in an archive people and things are counted from 1."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import models

from clubs.archives.container import BadArchive
from tournaments.moving.contents import OF_A_CLUB, PEOPLE

Numbers = dict[str, dict[int, int]]
"""For each table the number that stands for each id."""

Model = type[models.Model]


def counted(ids: Iterable[int]) -> dict[int, int]:
    """These ids, each with its place among them, from 1."""
    return {pk: number for number, pk in enumerate(sorted(set(ids)), start=1)}


def is_numbered(model: Model) -> bool:
    """Whether its rows have an id that a database hands out, and no UUID."""
    return isinstance(model._meta.pk, models.AutoField)


def renumber(
    model: Model, numbers: Numbers, *, own: bool = True
) -> Callable[[list[Any]], list[Any]]:
    """What gives a row of this model other ids: its own, if `own`, and those it points at."""
    at = {
        index: (numbers[table], field.attname)
        for index, field in enumerate(model._meta.concrete_fields)
        if (table := table_of(field)) is not None and (own or not field.primary_key)
    }

    def renumbered(row: list[Any]) -> list[Any]:
        row = [*row]
        for index, (known, column) in at.items():
            if row[index] is not None:
                row[index] = found(known, row[index], f"{model._meta.label_lower}.{column}")
        return row

    return renumbered


def found(known: Mapping[int, int], pk: Any, what: str) -> int:
    """The number of an id. Raises BadArchive where there is none."""
    try:
        return known[pk]
    except (KeyError, TypeError) as error:
        raise BadArchive(f"{what}: {pk!r} is nobody and nothing of this club.") from error


def table_of(field: "models.Field[Any, Any]") -> str | None:
    """The table whose ids stand in a column, if they are ids that are counted."""
    model: Any = field.related_model if isinstance(field, models.ForeignKey) else None
    if field.primary_key and model is None:
        model = field.model
    if model is None or not is_numbered(model):
        return None
    label: str = model._meta.label_lower
    return label if label in OF_A_CLUB else PEOPLE
