"""Rows of a table as lines of JSON, by Django's own serializer."""

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any

from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.serializers.jsonl import Serializer
from django.core.serializers.python import Deserializer
from django.db import DatabaseError, models

from clubs.archives.container import BadArchive, Row

BATCH = 2_000
Model = type[models.Model]
Change = Callable[[Row], Row]


def rows_write(
    rows: "models.QuerySet[Any]",
    stream: IO[str],
    *,
    fields: Sequence[str] | None = None,
    change: Change = lambda row: row,
) -> None:
    """Write the rows of a query in order of their keys, each as `change` makes it."""
    serializer = _RowSerializer(change)
    found = rows.order_by("pk").iterator(chunk_size=BATCH)
    serializer.serialize(found, stream=stream, fields=fields, cls=_Encoder)


def rows_load(model: Model, rows: Iterable[Row]) -> Iterator[models.Model]:
    """Insert rows, yielding each once it is in the database.

    Raises BadArchive for what does not fit: fields, values, and what the database refuses.
    """
    name = model._meta.label_lower
    objects = _objects(model, rows)
    while batch := list(islice(objects, BATCH)):
        try:
            yield from model._default_manager.bulk_create(batch)
        except (DatabaseError, ValueError, OverflowError) as error:
            raise BadArchive(f"{name}: the database refuses a row: {error}") from error


class _Encoder(DjangoJSONEncoder):
    """Keeps microseconds, which Django's encoder drops: hashes in the audit trail cover them."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, dt.datetime | dt.time) else super().default(o)


class _RowSerializer(Serializer):
    """Django's JSON lines. Encodes a row at once, which takes a fraction of the time."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def end_object(self, obj: Any) -> None:
        row = self._change(self.get_dump_object(obj))
        self.stream.write(json.dumps(row, **self.json_kwargs) + "\n")
        self._current = None

    def getvalue(self) -> None:
        """The rows are in the stream; there is nothing to return."""


class _RowDeserializer(Deserializer):
    """Makes rows of the model it is given: Django's takes that of today, not of a migration."""

    def __init__(self, model: Model, rows: Iterable[Row]) -> None:
        super().__init__(rows)
        self._model = model

    def _get_model_from_node(self, model_identifier: str) -> Model:
        return self._model


def _objects(model: Model, rows: Iterable[Row]) -> Iterator[models.Model]:
    name = model._meta.label_lower
    limits = {
        field.attname: field.max_length for field in model._meta.concrete_fields if field.max_length
    }
    try:
        for made in _RowDeserializer(model, _with_every_field(model, rows)):
            for column, longest in limits.items():
                value = getattr(made.object, column)
                if isinstance(value, str) and len(value) > longest:
                    raise BadArchive(f"{name} {made.object.pk}: {column} cannot be {value!r}.")
            yield made.object
    except DeserializationError as error:
        raise BadArchive(f"{name}: {error}") from error


def _with_every_field(model: Model, rows: Iterable[Row]) -> Iterator[Row]:
    """The same rows. Raises BadArchive for one with other fields than the model has."""
    expected = {field.name for field in model._meta.concrete_fields if not field.primary_key}
    for row in rows:
        if odd := expected ^ row["fields"].keys():
            odd_names = ", ".join(sorted(odd))
            raise BadArchive(f"{row['model']}: these are no fields of this version: {odd_names}.")
        yield row
