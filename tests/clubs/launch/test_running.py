"""A database that the program of now finds at its start: newer, older, or still to be made."""

import datetime as dt
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

from clubs.archives.whole import working_on
from clubs.launch.running import copy_make, is_behind, is_there, migrated, require_known
from clubs.launch.texts import CannotStart
from tests.other_databases import migrated as brought_up_to_date
from tests.other_databases import sqlite_file

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NOW = dt.datetime(2026, 11, 29, 19, 30, tzinfo=dt.UTC)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    """A database of this version in a folder."""
    settings = sqlite_file(tmp_path / "klaverclub.sqlite3")
    with brought_up_to_date(settings):
        yield tmp_path


def test_a_database_of_this_version_is_left_alone(here: Path) -> None:
    """Also one that has had the migrations which were folded into those of now."""
    require_known()

    assert (is_there(), is_behind()) == (True, False)


def test_one_that_is_still_to_be_made_is_told_apart(tmp_path: Path) -> None:
    with working_on(sqlite_file(tmp_path / "none.sqlite3")):
        require_known()
        assert (is_there(), is_behind()) == (False, True)


def test_it_is_made_and_its_references_are_checked(tmp_path: Path) -> None:
    with working_on(sqlite_file(tmp_path / "none.sqlite3")):
        migrated()
        assert (is_there(), is_behind()) == (True, False)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA foreign_keys")
            assert cursor.fetchall() == [(1,)]


@pytest.mark.parametrize(
    "last", ["CREATE TABLE clubs_club", "CREATE TABLE django_migrations", "INTO auth_permission"]
)
def test_where_making_it_ends_halfway_nothing_is_there(tmp_path: Path, last: str) -> None:
    """As where the computer is switched off in the midst of it: the next start begins anew."""
    with working_on(sqlite_file(tmp_path / "none.sqlite3")):

        def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if last in sql.replace('"', ""):
                raise DatabaseError("switched off")
            return execute(sql, params, many, context)

        with connection.execute_wrapper(refuse), pytest.raises(DatabaseError, match="off"):
            migrated()
        assert connection.introspection.table_names() == []
        migrated()
        assert (is_there(), is_behind()) == (True, False)


def test_one_that_a_newer_version_changed_is_refused_and_both_are_named(here: Path) -> None:
    MigrationRecorder(connection).record_applied("scoring", "9000_later")

    with pytest.raises(CannotStart, match="A newer version") as raised:
        require_known()
    assert raised.value.values == {
        "database": str(here / "klaverclub.sqlite3"),
        "migration": "scoring 9000_later",
    }


def test_a_copy_has_all_that_was_written_and_only_five_stay(here: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE mark (words TEXT)")
        cursor.execute("INSERT INTO mark VALUES ('written last')")
    copies = [
        copy_make(here / "copies", "1.1", NOW + dt.timedelta(days=number)) for number in range(7)
    ]

    kept = sorted((here / "copies").iterdir())
    assert kept == copies[2:]
    assert kept[-1].name == "klaverclub-2026-12-05-193000-before-1.1.sqlite3"
    with closing(sqlite3.connect(kept[-1])) as copied:
        assert copied.execute("SELECT words FROM mark").fetchall() == [("written last",)]
        assert copied.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_where_no_copy_can_be_made_it_is_said(here: Path) -> None:
    (here / "copies").touch()

    with pytest.raises(CannotStart, match="no copy of it could be made") as raised:
        copy_make(here / "copies", "1.1", NOW)
    assert raised.value.values["folder"] == here / "copies"
