"""Backups: all our rows in one archive, from and into either kind of database; and where one is
restored: a new database is built beside the current one and then replaces it."""

import copy
import shutil
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models, transaction
from django.db.utils import load_backend
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.archives.container import (
    Archive,
    ArchivedRow,
    ArchiveWriter,
    BadArchive,
    Report,
    folder_sync,
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
    # Such as when somebody joined, which the database gets once.
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


if TYPE_CHECKING:
    from django.db.backends.postgresql.base import DatabaseWrapper as PostgresWrapper

Settings = dict[str, Any]
BESIDE = "", "-wal", "-shm", "-journal"
IN_USE = "The database is in use: stop the server first, and whatever else has it open."
LEAVING = 5.0
"""Seconds."""


class DatabasePlace(Protocol):
    """The default database, and room beside it for a new one."""

    def clear(self) -> Settings:
        """Empty the room; returns the settings of the new database there. Raises CommandError where
        the current one is in use, or there can be no other beside it."""

    def take(self) -> str:
        """Put the new database in place; returns where the old one went, empty if it had no tables.
        Raises CommandError where it is in use."""

    def discard(self) -> None:
        """Delete the new database, if it is still beside the current one."""


def place_here() -> DatabasePlace:
    """The place of the default database."""
    return PostgresPlace() if connection.vendor == "postgresql" else SqlitePlace()


@contextmanager
def working_on(settings: Settings) -> Iterator[None]:
    """Use another database as the default one."""
    before = connections[DEFAULT_DB_ALIAS]
    other = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = before


@contextmanager
def without_pool() -> Iterator[None]:
    """Use the default database by one connection at a time: the pool of this process opens several,
    and on PostgreSQL the database could never be found unused."""
    connection.close()
    if connection.vendor == "postgresql":
        cast("PostgresWrapper", connections[DEFAULT_DB_ALIAS]).close_pool()
    with working_on(_unpooled(connection.settings_dict)):
        yield


def _unpooled(settings: Settings) -> Settings:
    unpooled = copy.deepcopy(settings)
    unpooled["OPTIONS"].pop("pool", None)
    return unpooled


def _aside() -> str:
    return f"before_restore_{timezone.localtime():%Y%m%d_%H%M%S_%f}"


def _has_tables() -> bool:
    """Whether there is anything in the default database; what cannot be read is something."""
    try:
        return bool(connection.introspection.table_names())
    except DatabaseError:
        return True


def _keep(path: Path, second: Path) -> None:
    """Give the file a second name; where the disk has no such thing, copy it."""
    try:
        second.hardlink_to(path)
    except OSError:
        shutil.copy2(path, second)


def _move(old: Path, new: Path, end: str) -> None:
    with suppress(FileNotFoundError):
        old.with_name(f"{old.name}{end}").rename(new.with_name(f"{new.name}{end}"))


class SqlitePlace:
    """A file; the room is a file beside it."""

    def __init__(self) -> None:
        self._path = Path(connection.settings_dict["NAME"])
        self._new = self._path.with_name(f"{self._path.name}.restoring")

    def clear(self) -> Settings:
        self.discard()
        if self._path.exists():
            _fold(self._path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        return {**connection.settings_dict, "NAME": str(self._new)}

    def take(self) -> str:
        _fold(self._new)
        old = self._path.with_name(f"{self._path.stem}.{_aside()}{self._path.suffix}")
        is_kept = self._path.exists() and _has_tables()
        if self._path.exists():
            _fold(self._path)
        if is_kept:
            # At every moment there is a database: a server that starts now would make an empty one.
            _keep(self._path, old)
            for end in BESIDE[1:]:
                _move(self._path, old, end)
        self._new.replace(self._path)
        folder_sync(self._path.parent)
        return str(old) if is_kept else ""

    def discard(self) -> None:
        for end in (*BESIDE, "-turn"):
            self._new.with_name(f"{self._new.name}{end}").unlink(missing_ok=True)


def _fold(path: Path) -> None:
    """Merge the files beside a database (WAL) into the file itself. Raises CommandError where it is
    open elsewhere. A broken file is left as it is."""
    connection.close()
    with closing(sqlite3.connect(path, timeout=1)) as opened:
        try:
            (mode,) = opened.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError as error:
            raise CommandError(IN_USE) from error
        except sqlite3.DatabaseError:
            return
    if mode != "delete":
        raise CommandError(IN_USE)


class PostgresPlace:
    """A schema of a database; the room is another schema of it."""

    NEW = "restoring"

    def clear(self) -> Settings:
        self._require_alone()
        self.discard()
        self._run(f'CREATE SCHEMA "{self.NEW}"')
        settings = _unpooled(connection.settings_dict)
        options = settings["OPTIONS"]
        options["options"] = f"{options.get('options', '')} -c search_path={self.NEW}".strip()
        return settings

    def take(self) -> str:
        self._require_alone()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_schema()")
            (here,) = cursor.fetchone()
            old = _aside() if _has_tables() else ""
            self._run(
                f'ALTER SCHEMA "{here}" RENAME TO "{old}"' if old else f'DROP SCHEMA "{here}"'
            )
            self._run(f'ALTER SCHEMA "{self.NEW}" RENAME TO "{here}"')
        return f"schema {old}" if old else ""

    def discard(self) -> None:
        self._run(f'DROP SCHEMA IF EXISTS "{self.NEW}" CASCADE')

    def _run(self, sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)

    def _require_alone(self) -> None:
        """Wait a moment for sessions that are leaving: PostgreSQL ends them some time after the
        client disconnects."""
        until = time.monotonic() + LEAVING
        while self._others():
            if time.monotonic() > until:
                raise CommandError(IN_USE)
            time.sleep(LEAVING / 20)

    def _others(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            (count,) = cursor.fetchone()
        return int(count)
