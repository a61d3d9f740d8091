"""The database of an installed program at its start: is it of this version, and if it is older, a
copy of it, and then the migrations."""

import datetime as dt
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from clubs.archives.rows import APPS
from clubs.launch.texts import CannotStart, english

KEPT: Final = 5
"""So many copies from before an update stay."""


def is_behind() -> bool:
    """Whether the database is still to be made, or was made by an older version."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def is_there() -> bool:
    """Whether anything was ever kept in the database."""
    return bool(MigrationRecorder(connection).applied_migrations())


def require_known() -> None:
    """Raises CannotStart for a database that a newer version of the program has changed."""
    loader = MigrationLoader(connection)
    folded = (migration.replaces for migration in loader.disk_migrations.values())
    known = {*loader.disk_migrations, *chain.from_iterable(folded)}
    for app, name in sorted(set(loader.applied_migrations) - known):
        if app in APPS:
            raise CannotStart(
                english(
                    "A newer version of Klaverclub has used the database %(database)s"
                    " (%(migration)s). Nothing was changed. Start that version, or put back a copy"
                    " from before."
                ),
                database=connection.settings_dict["NAME"],
                migration=f"{app} {name}",
            )


def migrated() -> None:
    """Make the database, or bring it up to date. An installed program has an empty one written out,
    which takes no time."""
    empty = settings.FILES_DIR / "empty.sql"
    if connection.vendor == "sqlite" and empty.is_file() and not is_there():
        # It is one transaction by itself, in which rows come before all tables are there.
        with connection.constraint_checks_disabled():
            connection.connection.executescript(empty.read_text("utf-8"))
    if is_behind():
        call_command("migrate", verbosity=0, interactive=False)


def copy_make(folder: Path, version: str, now: dt.datetime) -> Path | None:
    """Copy a database in a file as it is, before this version changes it; the oldest copies go.

    Raises CannotStart where that does not work: then nothing is changed.
    """
    if connection.vendor != "sqlite":
        return None
    copy = folder / f"klaverclub-{now:%Y-%m-%d-%H%M%S}-before-{version}.sqlite3"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _copied(Path(connection.settings_dict["NAME"]), copy)
    except (OSError, sqlite3.Error) as error:
        raise CannotStart(
            english(
                "This version must change the database, and no copy of it could be made first in"
                " %(folder)s: %(why)s. Nothing was changed."
            ),
            folder=folder,
            why=getattr(error, "strerror", None) or error,
        ) from error
    with suppress(OSError):
        for old in sorted(folder.glob("klaverclub-*-before-*.sqlite3"))[:-KEPT]:
            old.unlink()
    return copy


def _copied(database: Path, copy: Path) -> None:
    """All that was written, also what is still in the log beside the file; never half a copy."""
    number, name = tempfile.mkstemp(prefix=".copy-", dir=copy.parent)
    os.close(number)
    draft = Path(name)
    try:
        with (
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(draft)) as target,
        ):
            source.backup(target)
        draft.replace(copy)
    finally:
        draft.unlink(missing_ok=True)
