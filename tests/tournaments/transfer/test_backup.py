"""`manage.py backup` and `restore`, on both kinds of database."""

import io
import json
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from pytest_django import Settings as SettingsOfDjango

import tournaments
from clubs.archives.whole import is_empty, working_on
from clubs.models import Club, Member
from scoring.audit.verify import faults
from scoring.models import Scoresheet, Seat
from tests.archives import contents, manifest_with, with_rows
from tests.factories import ClubFactory, MemberFactory, evening_with_draw, organiser_of
from tests.other_databases import Settings, empty_database, migrated, sqlite_file
from tests.scoring.sheets import write
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

SOME = 12

LATER_MIGRATION = """
from django.db import migrations

def name_evenings(apps, schema_editor):
    apps.get_model("tournaments", "Evening").objects.update(name="later")

class Migration(migrations.Migration):
    dependencies = [("tournaments", "NEWEST")]
    operations = [migrations.RunPython(name_evenings)]
"""


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Settings]:
    """An empty database of the kind that the test runs on."""
    with empty_database(tmp_path) as settings:
        yield settings


def said(command: str, *arguments: object, **options: bool) -> list[str]:
    """What a command prints."""
    out = io.StringIO()
    call_command(command, *map(str, arguments), **options, stdout=out, stderr=out)
    return out.getvalue().splitlines()


def backed_up(path: Path) -> Path:
    said("backup", path)
    return path


def club_with_deals() -> Club:
    """A club with an evening of which twelve deals are written, and an organiser with a login."""
    evening = evening_with_draw(players=4, rounds=1)
    sheet = Scoresheet.objects.get()
    for number in range(1, SOME + 1):
        write(sheet, number, 0)
    organiser_of(evening.club)
    return evening.club


def somebody_else() -> None:
    """A member of another club in a database of its own."""
    club = ClubFactory.create(slug="ander", name="Een Andere Club")
    MemberFactory.create(club=club, name="Iemand Anders")


@pytest.mark.both
@pytest.mark.full
def test_everything_is_back_on_either_kind_of_database(tmp_path: Path, elsewhere: Settings) -> None:
    club_with_deals()
    first = backed_up(tmp_path / "first")

    second = backed_up(tmp_path / "second")
    if connection.vendor != "sqlite":
        with working_on(sqlite_file(tmp_path / "laptop.sqlite3")):
            said("restore", first)
            second = backed_up(tmp_path / "other second")
    with working_on(elsewhere):
        assert said("restore", second) == ["104 rows are back. Everybody logs in anew."]
        third = backed_up(tmp_path / "third")
        assert list(faults()) == []
        MemberFactory.create(club=Club.objects.get())

    assert contents(first) == contents(second) == contents(third)
    assert len(contents(first)["scoring.dealentry.jsonl"].splitlines()) == SOME


@pytest.mark.full
def test_sessions_and_the_key_are_not_in_it(tmp_path: Path) -> None:
    club_with_deals()
    names = set(contents(backed_up(tmp_path / "backup")))

    assert {name.partition(".")[0] for name in names} == {"clubs", "scoring", "tournaments"}


@pytest.mark.full
def test_what_was_there_is_kept_aside(tmp_path: Path, elsewhere: Settings) -> None:
    club_with_deals()
    Seat.objects.filter(seat="N").update(score=1)
    backup = backed_up(tmp_path / "backup")
    with migrated(elsewhere):
        somebody_else()
        with pytest.raises(CommandError, match="finds 1 differences"):
            said("restore", backup, overwrite=True)
        assert [member.name for member in Member.objects.all()] == ["Iemand Anders"]

        last = said("restore", backup, overwrite=True, despite_differences=True)[-1]
        assert (Member.objects.count(), len(list(faults()))) == (4, 1)
    kept = last.removeprefix("What was there before is kept as ").removesuffix(".")

    with working_on(_aside(elsewhere, kept)):
        assert [member.name for member in Member.objects.all()] == ["Iemand Anders"]


def _aside(settings: Settings, kept: str) -> Settings:
    if connection.vendor == "sqlite":
        return {**settings, "NAME": kept}
    options = {"options": f"-c search_path={kept.removeprefix('schema ')}"}
    return {**settings, "OPTIONS": settings["OPTIONS"] | options}


def test_a_database_with_something_in_it_or_in_use_is_left_alone(
    tmp_path: Path, elsewhere: Settings
) -> None:
    club_with_deals()
    backup = backed_up(tmp_path / "backup")
    with migrated(elsewhere):
        assert is_empty()
        with working_on(elsewhere), pytest.raises(CommandError, match="in use"):
            said("restore", backup)
        somebody_else()
        with pytest.raises(CommandError, match="The database is not empty"):
            said("restore", backup)

        assert [member.name for member in Member.objects.all()] == ["Iemand Anders"]


@pytest.mark.full
@pytest.mark.once
def test_a_file_that_cannot_be_used_changes_nothing(tmp_path: Path, elsewhere: Settings) -> None:
    club_with_deals()
    backup = backed_up(tmp_path / "backup")
    with migrated(elsewhere):
        for spoiled, message in (
            (tmp_path / "nowhere", "There is no file"),
            (manifest_with(backup, migrations={"clubs": "9999_later"}), "A newer version"),
            (with_rows(backup, "clubs.role", b"organiser", b"emperor"), "refuses a row"),
        ):
            with pytest.raises(CommandError, match=message):
                said("restore", spoiled)

        assert is_empty()


@pytest.mark.full
@pytest.mark.once
def test_a_database_that_is_broken_is_replaced_when_told(tmp_path: Path) -> None:
    """And nothing is left beside the new one but the old one."""
    club_with_deals()
    backup = backed_up(tmp_path / "backup")
    folder = tmp_path / "data"
    folder.mkdir()
    broken = folder / "broken.sqlite3"
    broken.write_bytes(b"power cut " * 1000)
    with working_on(sqlite_file(broken) | {"ENGINE": "clubs.sqlite3"}):
        with pytest.raises(CommandError, match="cannot be read"):
            said("restore", backup)
        kept = said("restore", backup, overwrite=True)[-1]
        assert Member.objects.count() == 4

    aside = Path(kept.removeprefix("What was there before is kept as ").removesuffix("."))
    assert aside.read_bytes().startswith(b"power cut")
    assert set(folder.iterdir()) == {broken, aside}


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    club_with_deals()
    path = tmp_path / "backup"
    path.write_text("precious")
    with pytest.raises(CommandError, match="--force"):
        said("backup", path)
    assert path.read_text() == "precious"

    said("backup", path, force=True)

    assert len(contents(path)) > 10
    assert [each.name for each in tmp_path.iterdir()] == ["backup"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_place_where_nothing_can_be_written_is_shown(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written: No such file"):
        said("backup", tmp_path / "no" / "folder")


def test_there_is_nothing_to_back_up_before_there_is_a_database(tmp_path: Path) -> None:
    nothing = sqlite_file(tmp_path / "nothing.sqlite3")
    with working_on(nothing), pytest.raises(CommandError, match="no database here yet"):
        said("backup", tmp_path / "backup")
    with working_on(nothing), pytest.raises(CommandError, match=r"manage\.py migrate"):
        said("verify")


@pytest.mark.full
@pytest.mark.once
def test_an_older_database_is_backed_up_as_it_is_and_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: SettingsOfDjango
) -> None:
    """As a program that has one migration more reads the archive of the one before it."""
    with migrated(sqlite_file(tmp_path / "older.sqlite3")):
        club = ClubFactory.create(name="Oud", slug="oud")
        Evening.objects.create(club=club, date="2026-01-05", is_history=True)
        backup = backed_up(tmp_path / "backup")

    later = tmp_path / "later_migrations"
    now = Path(tournaments.__file__).parent / "migrations"
    shutil.copytree(now, later, ignore=shutil.ignore_patterns("__pycache__"))
    newest = max(path.stem for path in now.glob("0*.py"))
    (later / "9999_names.py").write_text(LATER_MIGRATION.replace("NEWEST", newest))
    monkeypatch.syspath_prepend(tmp_path)
    settings.MIGRATION_MODULES = {"tournaments": "later_migrations"}
    with working_on(sqlite_file(tmp_path / "newer.sqlite3")):
        said("restore", backup)
        evening = Evening.objects.get()
        assert (evening.club.slug, evening.slug, evening.name) == ("oud", "2026-01-05", "later")


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_backup_while_tables_write_is_of_one_moment(tmp_path: Path) -> None:
    evening_with_draw(players=16, rounds=1)
    sheets = list(Scoresheet.objects.all())
    writers = [threading.Thread(target=_write_all, args=[sheet]) for sheet in sheets]
    for writer in writers:
        writer.start()
    backups: list[Path] = []
    while any(writer.is_alive() for writer in writers):
        backups.append(backed_up(tmp_path / f"{len(backups)}"))
    for writer in writers:
        writer.join()

    for backup in backups:
        sheets_then = _fields(backup, "scoring.scoresheet")
        lengths = {f"sheet:{sheet['uuid']}": sheet["chain_length"] for sheet in sheets_then}
        events = Counter(event["chain"] for event in _fields(backup, "clubs.auditevent"))
        assert {chain: events[chain] for chain in lengths} == lengths


def _fields(backup: Path, table: str) -> list[dict[str, Any]]:
    """What the rows of a table hold in a backup."""
    return [json.loads(line)["fields"] for line in contents(backup)[f"{table}.jsonl"].splitlines()]


def _write_all(sheet: Scoresheet) -> None:
    try:
        for number in range(1, 9):
            write(sheet, number, 0)
    finally:
        connections.close_all()
