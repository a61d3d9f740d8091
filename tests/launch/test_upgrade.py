"""From the last release to this version: its database, its backup and the file of a club, on both
databases; and back by the copy that was made.

The last release is the latest tag; as long as there is none, the commit that the migrations since
begin at. It runs with the libraries that it pinned.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tarfile import TarFile

import pytest

from tests.launch.environments import environment_made, installed
from tests.launch.started import started
from tests.missing import missing
from tests.postgres import Cluster, binaries
from tools import ROOT

pytestmark = [pytest.mark.soak, pytest.mark.once]

BEFORE_ANY = "62e20d18"
KEY = "one key for both versions"
DATABASES = "sqlite", "postgres"
EMPTY = {"HOME": "/nonexistent", "LANG": "nl_NL.UTF-8", "LOCAL_NAME": "off", "SECRET_KEY": KEY}


@dataclass(frozen=True)
class Version:
    """A version of the program, with its own libraries."""

    python: str
    folder: Path

    def manage(self, database: str, *words: str) -> str:
        """What a command on this database says; fails where it does not succeed."""
        done = subprocess.run(
            [self.python, "manage.py", *words],
            cwd=self.folder,
            env={**EMPTY, "PATH": os.environ["PATH"], "DATABASE_URL": database},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


NOW = Version(sys.executable, ROOT)


@dataclass(frozen=True)
class Left:
    """What the last release left behind: itself, and what it made of the demo club."""

    program: Version
    database: Path
    backup: Path
    club: Path


def git(*words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    tags = git("tag", "--list", "v*", "--merged", "HEAD^", "--sort=-version:refname").stdout
    release = (tags.decode().split() or [BEFORE_ANY])[0]
    kept = git("archive", release)
    if kept.returncode:
        pytest.skip(f"The history of this checkout does not have {release}.")
    folder = tmp_path_factory.mktemp("release")
    with TarFile(fileobj=BytesIO(kept.stdout)) as tar:
        tar.extractall(folder / "program", filter="data")
    python = environment_made(folder / "environment")
    pinned = folder / "program" / "requirements" / "postgres.txt"
    installed(python, "--require-hashes", "--requirement", str(pinned))
    made = Left(
        Version(python, folder / "program"),
        folder / "klaverclub.sqlite3",
        folder / "klaverclub.backup",
        folder / "de-vier-azen.club",
    )
    url = f"sqlite:///{made.database}"
    for words in (
        ("compilemessages",),
        ("migrate",),
        ("demo",),
        ("backup", str(made.backup)),
        ("export_club", "de-vier-azen", str(made.club)),
    ):
        made.program.manage(url, *words, "--verbosity", "0")
    return made


@contextmanager
def empty(kind: str, folder: Path) -> Iterator[str]:
    """The address of an empty database of this kind."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'klaverclub.sqlite3'}"
        return
    cluster = Cluster(binaries() or missing("PostgreSQL", "postgresql"))
    try:
        cluster.start()
        cluster.database_make()
        yield cluster.url
    finally:
        cluster.stop()


def test_its_database_is_copied_and_brought_up_to_date_and_the_copy_leads_back(
    left: Left, tmp_path: Path
) -> None:
    database = Path(shutil.copy(left.database, tmp_path / "klaverclub.sqlite3"))
    command = [sys.executable, "-m", "config.launch", "--no-browser"]
    settings = {"DATA_DIR": str(tmp_path), "SECRET_KEY": KEY, "LANG": "nl_NL.UTF-8"}
    with started(command, tmp_path, cwd=ROOT, **settings) as club:
        assert "Kopie van de gegevens van vóór de nieuwe versie" in club.said
        status, page = club.get("/clubs/de-vier-azen/")
        assert (status, "De Vier Azen" in page) == (200, True)
        assert club.stop()[0] == 0
    NOW.manage(f"sqlite:///{database}", "verify")

    [copy] = (tmp_path / "copies").iterdir()
    back = Path(shutil.copy(copy, tmp_path / "back.sqlite3"))
    left.program.manage(f"sqlite:///{back}", "verify")
    left.program.manage(f"sqlite:///{back}", "migrate", "--check")


@pytest.mark.parametrize("kind", DATABASES)
def test_its_backup_is_put_back(kind: str, left: Left, tmp_path: Path) -> None:
    with empty(kind, tmp_path) as url:
        NOW.manage(url, "restore", str(left.backup))
        NOW.manage(url, "verify")


@pytest.mark.parametrize("kind", DATABASES)
def test_its_club_comes_in(kind: str, left: Left, tmp_path: Path) -> None:
    with empty(kind, tmp_path) as url:
        NOW.manage(url, "migrate", "--verbosity", "0")
        NOW.manage(url, "import_club", str(left.club), "--as", "nog-eens")
        NOW.manage(url, "verify")


def test_on_postgresql_its_database_is_brought_up_to_date(left: Left, tmp_path: Path) -> None:
    with empty("postgres", tmp_path) as url:
        left.program.manage(url, "migrate", "--verbosity", "0")
        left.program.manage(url, "restore", str(left.backup), "--overwrite")
        NOW.manage(url, "migrate", "--verbosity", "0")
        NOW.manage(url, "verify")
        NOW.manage(url, "migrate", "--check")
