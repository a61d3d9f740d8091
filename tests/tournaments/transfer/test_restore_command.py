"""`manage.py restore` as an operator runs it: a process of its own, with the product's settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from clubs.archives.places import working_on
from clubs.models import Member
from tests.factories import ClubFactory, MemberFactory
from tests.other_databases import Settings, empty_database

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_a_backup_is_restored_with_the_pool_that_servers_use(tmp_path: Path) -> None:
    MemberFactory.create(club=ClubFactory.create(), name="Iemand van de club")
    backup = tmp_path / "club.backup"
    call_command("backup", backup, verbosity=0)

    with empty_database(tmp_path) as other:
        run = subprocess.run(
            [sys.executable, "manage.py", "restore", str(backup)],
            cwd=settings.BASE_DIR,
            env={"PATH": os.environ["PATH"], "SECRET_KEY": "x", "DATABASE_URL": _url(other)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.stderr, run.returncode) == ("", 0)
        with working_on(other):
            assert [member.name for member in Member.objects.all()] == ["Iemand van de club"]


def _url(database: Settings) -> str:
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgres://{database['USER']}@/{database['HOST']}/{database['NAME']}"
