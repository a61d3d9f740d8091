"""Rows of a table as JSON can hold them, and back."""

import base64
import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models

from clubs.archives.container import BadArchive

BATCH = 2_000
Row = list[Any]


def columns_of(model: type[models.Model]) -> list[str]:
    """The columns of a model, in order, as an archive names them."""
    return [field.attname for field in model._meta.concrete_fields]


def rows_of(found: models.QuerySet[Any]) -> Iterator[Row]:
    """The rows of a query in order of their keys, each a list of values of its columns."""
    columns = columns_of(found.model)
    for row in found.order_by("pk").values_list(*columns).iterator(chunk_size=BATCH):
        yield [_packed(value) for value in row]


def rows_load(
    name: str, model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]
) -> Iterator[models.Model]:
    """Write rows, past whatever fills in columns by itself; yields each as it has been written.

    Raises BadArchive for what does not fit: columns, values, and what the database refuses.
    """
    unpack = _unpackers(name, model, columns)
    given, count = iter(rows), 0
    while batch := list(islice(given, BATCH)):
        made = [_made(name, model, unpack, row, count + at) for at, row in enumerate(batch, 1)]
        try:
            yield from model._default_manager.bulk_create(made)
        except (DatabaseError, ValueError, OverflowError) as error:
            raise BadArchive(f"{name}: the database refuses a row: {error}") from error
        count += len(batch)


def _made(
    name: str,
    model: type[models.Model],
    unpack: dict[str, Callable[[Any], Any]],
    row: Row,
    line: int,
) -> models.Model:
    values = {}
    for (column, read), value in zip(unpack.items(), row, strict=True):
        try:
            values[column] = None if value is None else read(value)
        except (ValidationError, ValueError, TypeError) as error:
            raise BadArchive(f"{name}, line {line}: {column} cannot be {value!r}.") from error
    return model(**values)


def _unpackers(
    name: str, model: type[models.Model], columns: Sequence[str]
) -> dict[str, Callable[[Any], Any]]:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    if set(columns) != set(fields):
        odd = ", ".join(sorted(set(columns) ^ set(fields)))
        raise BadArchive(f"{name}: the columns are not those of this version: {odd}.")
    return {column: _unpacker(fields[column]) for column in columns}


def _unpacker(field: "models.Field[Any, Any]") -> Callable[[Any], Any]:
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    if isinstance(field, models.JSONField):
        return lambda value: value
    if isinstance(field, models.BinaryField):
        return lambda value: base64.b64decode(value, validate=True)
    if isinstance(field, models.CharField | models.TextField):
        return _text_reader(field.max_length)
    return field.to_python


def _text_reader(longest: int | None) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or (longest is not None and len(value) > longest):
            raise ValueError(value)
        return value

    return read


def _packed(value: Any) -> Any:
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    return value
