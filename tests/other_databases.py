"""Databases beside the one that the tests have: of the same kind, or a file of SQLite."""

import copy
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
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
    with working_on(settings):
        call_command("migrate", verbosity=0, interactive=False)
        yield


@contextmanager
def _outside(name: str) -> Iterator[Any]:
    import psycopg

    told = connection.settings_dict
    with psycopg.connect(
        host=told["HOST"], user=told["USER"], dbname=name, autocommit=True
    ) as opened:
        yield opened
