"""Databases beside the one that the tests have: of the same kind, or a file of SQLite."""

import copy
import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection

from clubs.archives.rows import tables_make
from clubs.archives.whole import working_on

Settings = dict[str, Any]
SHARED_FOLDER = "KLAVERCLUB_SHARED_BY_TESTS"
"""The environment variable that names the folder of what the processes of a test run share."""
WAL = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"


@contextmanager
def empty_database(folder: Path) -> Iterator[Settings]:
    """An empty database of the kind that the tests run on, thrown away afterwards."""
    if connection.vendor == "sqlite":
        yield sqlite_file(folder / "other.sqlite3")
        return
    name = f"other_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    with _outside("postgres") as outside:
        outside.execute(f"CREATE DATABASE {name}")
        settings = copy.deepcopy(connection.settings_dict) | {"NAME": name}
        settings["OPTIONS"].pop("pool", None)
        try:
            yield settings
        finally:
            outside.execute(f"DROP DATABASE {name} WITH (FORCE)")


def sqlite_file(path: Path) -> Settings:
    """A database of SQLite in a file that is not there yet."""
    return {
        **connection.settings_dict,
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": WAL},
    }


@contextmanager
def migrated(settings: Settings) -> Iterator[None]:
    """In here the default database is this one, brought up to date."""
    if settings["ENGINE"].endswith("sqlite3"):
        shutil.copyfile(migrated_file(), settings["NAME"])
    else:
        template = migrated_template()
        with _outside("postgres") as outside:
            outside.execute(f"DROP DATABASE IF EXISTS {settings['NAME']}")
            outside.execute(f"CREATE DATABASE {settings['NAME']} TEMPLATE {template}")
    with working_on(settings):
        yield


@cache
def migrated_template() -> str:
    """A database of PostgreSQL to copy from, made by the first process that asks for it."""
    name = "migrated"
    with _outside("postgres") as outside:
        # Held until this connection ends.
        outside.execute("SELECT pg_advisory_lock(1)")
        if not outside.execute(f"SELECT FROM pg_database WHERE datname = '{name}'").rowcount:
            outside.execute(f"CREATE DATABASE {name}")
            settings = copy.deepcopy(connection.settings_dict) | {"NAME": name}
            settings["OPTIONS"].pop("pool", None)
            _tables_make(settings)
    return name


@cache
def migrated_file() -> Path:
    """A file of SQLite with every table and no rows: to migrate takes seconds, to copy nothing."""
    folder = Path(os.environ[SHARED_FOLDER])
    path, unfinished = folder / "migrated.sqlite3", folder / "migrating.sqlite3"
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not path.exists():
            _tables_make(sqlite_file(unfinished))
            with closing(sqlite3.connect(unfinished)) as opened:
                opened.execute("PRAGMA journal_mode=DELETE")
            unfinished.rename(path)
    return path


def _tables_make(settings: Settings) -> None:
    with working_on(settings):
        tables_make()


@contextmanager
def _outside(name: str) -> Iterator[Any]:
    import psycopg

    ours = connection.settings_dict
    with psycopg.connect(
        host=ours["HOST"], user=ours["USER"], dbname=name, autocommit=True
    ) as opened:
        yield opened
