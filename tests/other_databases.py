"""Databases beside the one that the tests have: of the same kind, or a file of SQLite."""

import atexit
import copy
import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from clubs.archives.places import working_on

Settings = dict[str, Any]
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
        shutil.copyfile(_migrated_file(), settings["NAME"])
    else:
        template = _migrated_template()
        with _outside("postgres") as outside:
            outside.execute(f"DROP DATABASE IF EXISTS {settings['NAME']}")
            outside.execute(f"CREATE DATABASE {settings['NAME']} TEMPLATE {template}")
    with working_on(settings):
        yield


@cache
def _migrated_template() -> str:
    """A database of PostgreSQL to copy from; it goes when its cluster goes."""
    name = f"migrated_{os.getpid()}"
    with _outside("postgres") as outside:
        outside.execute(f"CREATE DATABASE {name}")
    settings = copy.deepcopy(connection.settings_dict) | {"NAME": name}
    settings["OPTIONS"].pop("pool", None)
    with working_on(settings):
        call_command("migrate", verbosity=0, interactive=False)
    return name


@cache
def _migrated_file() -> Path:
    """A file of SQLite with every table and no rows: to migrate takes seconds, to copy nothing."""
    folder = Path(tempfile.mkdtemp(prefix="klaverclub-migrated-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "migrated.sqlite3"
    with working_on(sqlite_file(path)):
        call_command("migrate", verbosity=0, interactive=False)
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("PRAGMA journal_mode=DELETE")
    return path


@contextmanager
def _outside(name: str) -> Iterator[Any]:
    import psycopg

    told = connection.settings_dict
    with psycopg.connect(
        host=told["HOST"], user=told["USER"], dbname=name, autocommit=True
    ) as opened:
        yield opened
