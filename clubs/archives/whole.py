"""A backup: every row of ours in one archive, from either kind of database and into either."""

from collections.abc import Iterable
from typing import IO, Any

from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.utils import timezone

from clubs.archives.container import Archive, ArchiveWriter, BadArchive
from clubs.archives.rows import columns_of, rows_load, rows_of
from clubs.archives.schema import Models, migrate_to, migrated_to, models_at
from clubs.archives.snapshot import snapshot

BACKUP = "backup"


def backup_write(file: IO[bytes]) -> int:
    """Write every row as it is at this moment, while others go on writing; returns how many.

    Logins that are open, wrong passwords that were tried and the secret key are not in it. The
    database may be behind the program: a backup is made before `migrate` as well as after it.
    """
    migrations = migrated_to()
    about = {"made_at": timezone.now().isoformat(), "migrations": migrations}
    archive, count = ArchiveWriter(file, kind=BACKUP, about=about), 0
    with snapshot():
        for model in _with_rows(models_at(migrations)):
            found = model._default_manager.all()
            count += archive.write(model._meta.label_lower, columns_of(model), rows_of(found))
    archive.finish()
    return count


def backup_load(archive: Archive) -> int:
    """Fill the default database, which must be empty, and bring it up to date; returns how many
    rows there were. Raises BadArchive; then what is in the database is of no use."""
    migrations = migrations_of(archive)
    models_by_name = {model._meta.label_lower: model for model in models_at(migrations)}
    migrate_to(migrations)
    for name in archive.parts:
        if name not in models_by_name:
            raise BadArchive(f"{name}: there is no such table in this version.")
    with transaction.atomic():
        count = sum(
            1
            for name, part in archive.parts.items()
            for _row in rows_load(name, models_by_name[name], part.columns, archive.rows(name))
        )
        _ids_go_on(models_by_name.values())
    call_command("migrate", verbosity=0, interactive=False)
    return count


def migrations_of(archive: Archive) -> dict[str, str]:
    """Which migrations the database had had that this archive was made of."""
    migrations = archive.about.get("migrations")
    if not isinstance(migrations, dict) or not all(
        isinstance(one, str) for one in migrations.values()
    ):
        raise BadArchive("The archive does not tell which version made it.")
    return migrations


def _with_rows(found: Iterable[type[models.Model]]) -> Models:
    return [one for one in found if one._meta.managed and not one._meta.proxy]


def _ids_go_on(found: Iterable[type[models.Model]]) -> None:
    """The next row gets an id that is still free; SQLite sees to that by itself."""
    sql = connection.ops.sequence_reset_sql(no_style(), [*found])
    with connection.cursor() as cursor:
        for one in sql:
            cursor.execute(one)


def is_empty() -> bool:
    """Whether nobody has put anything in the default database yet; it may have no tables."""
    with connection.cursor() as cursor:
        there = connection.introspection.table_names(cursor)
        return not any(_has_rows(cursor, table) for table in there if table in _telling())


def _telling() -> set[str]:
    """The tables one of which has a row wherever anything was done."""
    return {"clubs_club", "clubs_user"}


def _has_rows(cursor: Any, table: str) -> bool:
    cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
    return cursor.fetchone() is not None
