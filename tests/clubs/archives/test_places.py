"""A restore that is cut off: at every moment there is a database, the one before or the new one."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

SCRIPT = """
import os, sys
import django
django.setup()
from django.db import connection
from clubs.archives.whole import place_here, working_on

left = int(sys.argv[1])

def cut(event, arguments):
    global left
    if event in ("os.rename", "os.link", "os.remove"):
        left -= 1
        if not left:
            os._exit(9)

place = place_here()
with working_on(place.clear()):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE clubs_club (name)")
        cursor.execute("INSERT INTO clubs_club VALUES ('new')")
sys.addaudithook(cut)
place.take()
place.discard()
"""


def restored(path: Path, *, cut_at: int) -> bool:
    """Put a new database in place of that one; the process ends itself before that many changes
    among its files. Returns whether it came to an end."""
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(cut_at)],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DATABASE_URL": f"sqlite:///{path}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "x",
        },
        check=False,
    )
    assert result.returncode in (0, 9)
    return result.returncode == 0


def name_in(path: Path) -> str:
    """What is in the database; a file that is not there is not made."""
    with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True)) as opened:
        (name,) = opened.execute("SELECT name FROM clubs_club").fetchone()
    return str(name)


@pytest.mark.full
@pytest.mark.once
def test_a_restore_that_is_cut_off_leaves_a_database(tmp_path: Path) -> None:
    """Between its two renames there was none, and a server that started then made an empty one."""
    path = tmp_path / "klaverclub.sqlite3"
    path.touch(0o600)
    with closing(sqlite3.connect(path)) as opened:
        opened.executescript("CREATE TABLE clubs_club (name); INSERT INTO clubs_club VALUES('old')")
    found, cut_at = [], 1
    while not restored(path, cut_at=cut_at):
        found.append(name_in(path))
        cut_at += 1
    files = sorted(each for each in tmp_path.iterdir() if each.suffix == ".sqlite3")
    assert set(found) == {"old", "new"}
    assert found == sorted(found, reverse=True)
    assert (files[-1], name_in(path)) == (path, "new")
    assert not [each for each in tmp_path.iterdir() if ".restoring" in each.name]
    assert {each.stat().st_mode & 0o777 for each in tmp_path.iterdir()} == {0o600}
