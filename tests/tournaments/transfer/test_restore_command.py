"""`manage.py restore` as an operator runs it: a process of its own, with the product's settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from clubs.archives.whole import working_on
from clubs.models import Member
from tests.factories import ClubFactory, MemberFactory
from tests.other_databases import Settings, empty_database

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.mark.full
def test_a_backup_is_restored_with_the_pool_that_servers_use(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)

    with empty_database(tmp_path) as other:
        run = restore(backup, other, key=settings.SECRET_KEY)
        assert (run.stderr, run.returncode) == ("", 0)
        with working_on(other):
            assert [member.name for member in Member.objects.all()] == ["Iemand van de club"]


@pytest.mark.full
def test_a_backup_of_a_server_with_another_key_is_sealed_anew_when_told(tmp_path: Path) -> None:
    backup = backed_up(tmp_path)

    with empty_database(tmp_path) as other:
        refused = restore(backup, other, key="x")
        assert refused.returncode == 1
        assert refused.stderr.startswith("club:")
        assert "--other-key if the backup was made with another secret key" in refused.stderr
        run = restore(backup, other, "--other-key", key="x")
        assert (run.stderr, run.returncode) == ("", 0)
        assert manage("verify", other, key="x").returncode == 0


def backed_up(folder: Path) -> Path:
    MemberFactory.create(club=ClubFactory.create(), name="Iemand van de club")
    call_command("backup", folder / "club.backup", verbosity=0)
    return folder / "club.backup"


def restore(
    backup: Path, database: Settings, *options: str, key: str
) -> subprocess.CompletedProcess[str]:
    return manage("restore", database, str(backup), *options, key=key)


def manage(
    command: str, database: Settings, *options: str, key: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", command, *options],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "SECRET_KEY": key, "DATABASE_URL": _url(database)},
        capture_output=True,
        text=True,
        check=False,
    )


def _url(database: Settings) -> str:
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgres://{database['USER']}@/{database['HOST']}/{database['NAME']}"
