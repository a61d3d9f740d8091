"""Backups: all our rows in one archive, from and into either kind of database."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.archives.container import (
    Archive,
    ArchivedRow,
    ArchiveWriter,
    BadArchive,
    Report,
    unreported,
)
from clubs.archives.rows import Model, migrate_to, migrated_to, models_at, rows_load, rows_write

BACKUP = "backup"

_FIRST_FILLED = {"clubs_club", "clubs_user"}
"""Tables of which one has a row in any database that is in use."""


def backup_write(file: IO[bytes]) -> int:
    """Write every row, without blocking writers; returns how many.

    Sessions, failed logins and the secret key are left out. The database may be behind the program:
    a backup can be made before `migrate` as well as after it.
    """
    migrations = migrated_to()
    about = {"made_at": timezone.now().isoformat(), "migrations": migrations}
    archive = ArchiveWriter(file, kind=BACKUP, about=about)
    with snapshot():
        for name, model in models_at(migrations).items():
            with archive.part(name) as stream:
                rows_write(model._default_manager.all(), stream)
    archive.finish()
    return archive.rows


def backup_load(
    archive: Archive, *, partial: Collection[str] = (), report: Report = unreported
) -> int:
    """Fill the default database, which must be empty, and migrate it; returns the number of rows.
    Raises BadArchive; then the content of the database is useless.

    The rows go into the tables of the version that wrote them, and are migrated from there. Of the
    `partial` tables an archive has some columns only; the others get their defaults.
    """
    migrations = migrations_of(archive)
    tables = models_at(migrations)
    migrate_to(migrations)
    for name in archive.parts:
        if name not in tables:
            raise BadArchive(
                _("%(name)s: there is no such table in this version.") % {"name": name}
            )
    count, in_all = 0, archive.rows_in_all
    with transaction.atomic():
        for name in archive.parts:
            rows = archive.rows(name)
            if name in partial:
                rows = _with_defaults(tables[name], rows)
            for _row in rows_load(tables[name], rows, size=archive.bytes_read):
                count += 1
                report(count / in_all)
        _reset_sequences(tables.values())
    call_command("migrate", verbosity=0, interactive=False)
    return count


def _with_defaults(model: Model, rows: Iterable[ArchivedRow]) -> Iterator[ArchivedRow]:
    own = [field for field in model._meta.concrete_fields if not field.primary_key]
    defaults = {field.name: field.get_default() for field in own}
    # Such as when somebody joined, which the database is told once.
    moments = [field for field in own if isinstance(field, models.DateTimeField) and not field.null]
    defaults |= {field.name: timezone.now() for field in moments}
    for row in rows:
        yield {**row, "fields": defaults | row["fields"]}


def migrations_of(archive: Archive) -> dict[str, str]:
    """The migrations of the database that the archive was made from."""
    migrations = archive.about.get("migrations")
    if not isinstance(migrations, dict) or not all(
        isinstance(name, str) for name in migrations.values()
    ):
        raise BadArchive(_("The archive does not tell which version made it."))
    return migrations


def _reset_sequences(tables: Iterable[type[models.Model]]) -> None:
    """Have PostgreSQL number new rows from the highest id; SQLite does so by itself."""
    statements = connection.ops.sequence_reset_sql(no_style(), [*tables])
    with connection.cursor() as cursor:
        for sql in statements:
            cursor.execute(sql)


def is_empty() -> bool:
    """Whether the default database is unused; it may have no tables."""
    with connection.cursor() as cursor:
        there = connection.introspection.table_names(cursor)
        return not any(_has_rows(cursor, table) for table in _FIRST_FILLED & {*there})


def _has_rows(cursor: Any, table: str) -> bool:
    cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
    return cursor.fetchone() is not None


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the database as of one moment without blocking writers. Inside a transaction this
    changes nothing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _deferred(), transaction.atomic():
            yield


@contextmanager
def _deferred() -> Iterator[None]:
    """A read transaction on SQLite; the usual IMMEDIATE one would block every writer."""
    sqlite: Any = connection
    # Connecting later would reset the mode.
    sqlite.ensure_connection()
    before, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = before
