"""Of somebody who is erased nothing is left in the files of SQLite, also while the server runs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.other_databases import migrated_file

ERASED = ["Zonderling", "xavierus@thuis.example", "0698765432", "moest weg"]
SCRIPT = """
import json, sqlite3, sys
from contextlib import closing
from pathlib import Path
import django
django.setup()
from django.db import connection
from django.test import Client
from clubs.members.services import member_change, member_create
from clubs.privacy.erasing import erased_rows_wipe
from tests.factories import TESTS, ClubFactory, evening_with_draw, organiser_of, table
from tests.scoring.sheets import write

words, path = sys.argv[1:-1], Path(sys.argv[-1])
club = ClubFactory.create()
evening = evening_with_draw(players=4, rounds=1, club=club)
person = member_create(club=club, name="Xavierus", email=words[1], phone=words[2], actor=TESTS)
person = member_change(
    member=person, seen_version=1, name="Xavierus Q. Zonderling", number=90, kind="member",
    email=words[1], phone=words[2], actor=TESTS,
)
written = {"declarer": "N", "trump": "H", "points": {"EW": 62}}
write(table(evening).sheet, 1)
write(table(evening).sheet, 1, 1, written=written, reason="zonderling moest weg")

def left():
    files = [each for each in path.parent.iterdir() if each.name.startswith(path.name)]
    return [word for word in words if any(word.encode() in each.read_bytes() for each in files)]

before = left()
with closing(sqlite3.connect(path, isolation_level=None)) as reader:
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM clubs_member").fetchone()
    client = Client(HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(organiser_of(club))
    client.cookies["django_language"] = "en"
    page = client.post(
        f"/clubs/{club.slug}/desk/members/{person.pk}/erase/",
        {"typed_name": "Xavierus Q. Zonderling"}, follow=True,
    ).content.decode()
with connection.cursor() as cursor:
    overwrites = cursor.execute("PRAGMA secure_delete").fetchone()[0]
wiped = erased_rows_wipe()
print(json.dumps([before, "For a moment the name is still" in page, overwrites, wiped, left()]))
"""


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.once
def test_the_files_of_the_database_hold_nothing(tmp_path: Path) -> None:
    """Somebody who reads at that moment needs the log as it was; the page says so, and afterwards
    it is emptied."""
    path = tmp_path / "klaverclub.sqlite3"
    shutil.copyfile(migrated_file(), path)
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, *ERASED, str(path)],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DATABASE_URL": f"sqlite:///{path}",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "x",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[-1]) == [ERASED, True, 1, True, []]
