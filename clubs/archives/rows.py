"""Rows of tables as JSON lines by Django's serializer, and the models of a migration state."""

import datetime as dt
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import IO, Any

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.sql import emit_post_migrate_signal
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.serializers.jsonl import Serializer
from django.core.serializers.python import Deserializer
from django.db import DatabaseError, OperationalError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from clubs.archives.container import ArchivedRow, BadArchive, Unsound

BATCH = 2_000
BATCH_BYTES = 16_000_000
Model = type[models.Model]
Change = Callable[[ArchivedRow], ArchivedRow]


def rows_write(
    rows: "models.QuerySet[Any]",
    stream: IO[str],
    *,
    fields: Sequence[str] | None = None,
    change: Change = lambda row: row,
) -> None:
    """Write the rows of a query in order of primary key, each changed by `change`."""
    serializer = _RowSerializer(change)
    ordered = rows.order_by("pk").iterator(chunk_size=BATCH)
    serializer.serialize(ordered, stream=stream, fields=fields, cls=_Encoder)


def rows_load(
    model: Model, rows: Iterable[ArchivedRow], *, size: Callable[[], int]
) -> Iterator[models.Model]:
    """Insert rows, yielding each once it is in the database. `size` says how many bytes of them
    have been read.

    Raises Unsound for wrong fields or values, and for what the database refuses; BadArchive where
    there is no room for it.
    """
    name = model._meta.label_lower
    objects = _objects(model, rows)
    while batch := list(_batch(objects, size)):
        try:
            yield from model._default_manager.bulk_create(batch)
        except OperationalError as error:
            raise BadArchive(_("The database cannot take it: %(why)s") % {"why": error}) from error
        except (DatabaseError, ValueError, OverflowError) as error:
            raise Unsound(f"{name}: the database refuses a row: {error}") from error


def _batch(objects: Iterator[models.Model], size: Callable[[], int]) -> Iterator[models.Model]:
    """The next of them, as many as memory always has room for."""
    most = size() + BATCH_BYTES
    for made in islice(objects, BATCH):
        yield made
        if size() > most:
            return


class _Encoder(DjangoJSONEncoder):
    """Keeps microseconds, which Django's encoder drops: hashes in the audit trail cover them."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, dt.datetime | dt.time) else super().default(o)


class _RowSerializer(Serializer):
    """Django's JSON lines, with each row encoded in one call, which is several times as fast."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def end_object(self, obj: Any) -> None:
        row = self._change(self.get_dump_object(obj))
        self.stream.write(json.dumps(row, **self.json_kwargs) + "\n")
        self._current = None

    def getvalue(self) -> None:
        """The rows are in the stream; there is nothing to return."""


class _RowDeserializer(Deserializer):
    """Makes rows of the given model; Django's always takes today's, not that of a migration."""

    def __init__(self, model: Model, rows: Iterable[ArchivedRow]) -> None:
        super().__init__(rows)
        self._model = model

    def _get_model_from_node(self, model_identifier: str) -> Model:
        return self._model


def _objects(model: Model, rows: Iterable[ArchivedRow]) -> Iterator[models.Model]:
    name = model._meta.label_lower
    limits = {
        field.attname: field.max_length for field in model._meta.concrete_fields if field.max_length
    }
    try:
        for made in _RowDeserializer(model, _with_every_field(model, rows)):
            for column, longest in limits.items():
                value = getattr(made.object, column)
                if isinstance(value, str) and len(value) > longest:
                    raise Unsound(f"{name} {made.object.pk}: {column} cannot be {value!r}.")
            yield made.object
    except DeserializationError as error:
        raise Unsound(f"{name}: {error}") from error


def _with_every_field(model: Model, rows: Iterable[ArchivedRow]) -> Iterator[ArchivedRow]:
    """The same rows. Raises Unsound for one with other fields than the model has."""
    expected = {field.name for field in model._meta.concrete_fields if not field.primary_key}
    for row in rows:
        if odd := expected ^ row["fields"].keys():
            odd_names = ", ".join(sorted(odd))
            raise Unsound(f"{row['model']}: these are no fields of this version: {odd_names}.")
        yield row


# The migrations of a database, and the models at those migrations.

APPS = "clubs", "scoring", "tournaments"
LEFT_OUT = frozenset(
    {
        "clubs.loginsession",
        "tournaments.copy",
        "tournaments.copypiece",
        "tournaments.sheetphoto",
    }
)
"""Tables that backups leave out: whoever read the first could go on where somebody was logged in,
the next two hold copies themselves, and pictures of sheets are to go after some days."""

Models = dict[str, type[models.Model]]


def migrated_to() -> dict[str, str]:
    """The last applied migration of each of our apps."""
    loader = MigrationLoader(connection)
    # Rows of migrations that were squashed stay behind, and are no longer in the graph.
    had = {key for key in loader.applied_migrations if key[0] in APPS and key in loader.graph.nodes}
    followed = {
        parent.key
        for key in had
        for parent in loader.graph.node_map[key].parents
        if parent.key[0] == key[0]
    }
    return dict(sorted(had - followed))


def newest() -> dict[str, str]:
    """The last migration of each of our apps in this version of the program."""
    leaves = MigrationLoader(None).graph.leaf_nodes()
    return dict(sorted(key for key in leaves if key[0] in APPS))


def models_at(migrations: Mapping[str, str]) -> Models:
    """Our models by name at these migrations, without sessions and automatic timestamps.

    Raises BadArchive where this version of the program does not know one of the migrations.
    """
    loader = MigrationLoader(None)
    for key in migrations.items():
        if key not in loader.graph.nodes:
            migration = " ".join(map(str, key))
            raise BadArchive(
                _("A newer version of Klaverclub made it (%(migration)s): update this one.")
                % {"migration": migration}
            )
    state = loader.project_state(list(migrations.items()))
    tables = {
        model._meta.label_lower: model
        for model in state.apps.get_models()
        if model._meta.app_label in APPS and model._meta.managed and not model._meta.proxy
        if model._meta.label_lower not in LEFT_OUT
    }
    for model in tables.values():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.DateField):
                field.auto_now = field.auto_now_add = False
    return tables


def migrate_to(migrations: Mapping[str, str]) -> None:
    """Bring an empty database to these migrations."""
    MigrationExecutor(connection).migrate(list(migrations.items()))


def tables_make() -> None:
    """Give an empty default database every table as this version has it, all or nothing, in a tenth
    of the time that all migrations take one after the other; they are noted as done. The tests
    compare."""
    # SQLite switches its checks off and on outside a transaction only.
    with connection.constraint_checks_disabled(), transaction.atomic():
        executor: Any = MigrationExecutor(connection)
        with connection.schema_editor() as editor:
            for model in apps.get_models():
                if model._meta.can_migrate(connection):
                    editor.create_model(model)
        executor.recorder.ensure_schema()
        for migration in executor.loader.graph.nodes.values():
            executor.record_migration(migration)
        # One that stands for others counts only where those are noted too.
        executor.check_replacements()
        emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)


def require_migrated() -> None:
    """Raises CommandError where the database does not answer, or is behind the program."""
    try:
        had = migrated_to()
    except OperationalError as error:
        raise CommandError(f"The database does not answer: {error}") from error
    if had != newest():
        raise CommandError(
            "The database is not up to date with the program: run `manage.py migrate` first."
        )
