"""The migrations, one after the other, make the database that all other tests begin with: that one
is made of the models at once (`tests/other_databases.py`)."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections

from clubs.archives.whole import working_on
from tests.other_databases import Settings, migrated_file, sqlite_file

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.full
def test_they_make_the_tables_of_the_models(tmp_path: Path) -> None:
    step_by_step = sqlite_file(tmp_path / "migrated.sqlite3")
    with working_on(step_by_step):
        call_command("migrate", verbosity=0, interactive=False)

    assert schema(step_by_step) == schema(sqlite_file(migrated_file()))


def schema(settings: Settings) -> dict[str, list[str]]:
    """What each table, index and trigger is made of; columns and constraints in any order."""
    with working_on(settings), connections["default"].cursor() as cursor:
        cursor.execute("SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        made = dict(cursor.fetchall())
    return {
        name: sorted(_parts(sql)) if name.startswith("table") else [sql]
        for name, sql in made.items()
    }


def _parts(sql: str) -> list[str]:
    """A statement in the pieces that its outermost commas part."""
    depth, parts = 0, [""]
    for token in re.findall(r"'[^']*'|\"[^\"]*\"|.", sql.replace("\n", " ")):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if (token, depth) in ((",", 1), (")", 0)):
            parts.append("")
        else:
            parts[-1] += token
    return [" ".join(part.split()) for part in parts]
