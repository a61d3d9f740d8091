"""Copies by themselves: once a day and before a new version, to a folder that was chosen."""

import datetime as dt
import errno
import os
from pathlib import Path

import pytest
import time_machine
from django.conf import settings as django_settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import Settings

from clubs.archives.rows import newest
from clubs.models import Club
from tests.factories import ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tournaments.copies.services import (
    MARK,
    expendable,
    folder_choose,
    folder_copy_before_migrating,
    folder_copy_if_due,
)
from tournaments.copies.views import FolderForm
from tournaments.models import Copy, CopyFolder, Release

pytestmark = pytest.mark.django_db

FOLDER = "/clubs/vrolijke-boer/desk/copies/folder/"
DESK = "/clubs/vrolijke-boer/desk/"


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create()
    return made


def copies(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.backup"))


def test_a_folder_is_chosen_and_gets_one_copy_a_day(club: Club, tmp_path: Path) -> None:
    client = desk_of(club)
    page = client.post(FOLDER, {"path": str(tmp_path)}, follow=True)
    assert "Vanaf nu gaan de kopieën naar deze map." in words(page)
    assert (tmp_path / MARK).is_file()
    with time_machine.travel("2026-11-21T20:00:00+01:00", tick=False):
        assert (folder_copy_if_due(), folder_copy_if_due()) == (True, False)
    with time_machine.travel("2026-11-22T00:05:00+01:00", tick=False):
        assert folder_copy_if_due()
    assert copies(tmp_path) == [
        "klaverclub-vrolijke-boer-2026-11-21-2000.backup",
        "klaverclub-vrolijke-boer-2026-11-22-0005.backup",
    ]
    page = client.get(f"{DESK}copies/")
    assert "klaverclub-vrolijke-boer-2026-11-22-0005.backup" in words(page)
    client.post(f"{FOLDER}forget/")
    assert not folder_copy_if_due()
    assert len(copies(tmp_path)) == 2


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("kopie", "Die map is er niet."),
        ("/dit/is/er/niet", "Die map is er niet."),
        ("\0", ""),
        ("/proc", "Daar kan niets geschreven worden"),
        (str(django_settings.BASE_DIR / "templates"), "de map van het programma zelf"),
    ],
)
def test_a_folder_that_cannot_be_is_refused(club: Club, path: str, said: str) -> None:
    page = desk_of(club).post(FOLDER, {"path": path})
    assert page.status_code == 422
    assert said in words(page)
    assert not CopyFolder.objects.exists()


@pytest.mark.parametrize(
    ("sticks", "said"), [([], "Vul dit in."), (["/media/stick"], "Typ de map.")]
)
def test_no_folder_at_all_is_refused(sticks: list[str], said: str) -> None:
    """Whether or not something is plugged into the machine that runs this."""
    form = FolderForm({"choice": "", "path": ""}, present="", plugged_in=sticks)
    assert form.errors == {"path": [said]}


@pytest.mark.full
def test_a_stick_that_is_gone_shows_and_is_tried_again(club: Club, tmp_path: Path) -> None:
    folder_choose(path=str(tmp_path))
    (tmp_path / MARK).unlink()
    with time_machine.travel("2026-11-21T20:00:00+01:00", tick=False):
        assert folder_copy_if_due()
    assert copies(tmp_path) == []
    client = desk_of(club)
    for page in (DESK, f"{DESK}copies/"):
        assert "is er niet. Zit de stick in de computer?" in words(client.get(page))
    (tmp_path / MARK).touch()
    with time_machine.travel("2026-11-21T20:30:00+01:00", tick=False):
        assert not folder_copy_if_due()
    with time_machine.travel("2026-11-21T21:01:00+01:00", tick=False):
        assert folder_copy_if_due()
    assert "Zit de stick in de computer?" not in words(client.get(DESK))


def test_only_where_the_club_is_alone(club: Club, tmp_path: Path, settings: Settings) -> None:
    folder_choose(path=str(tmp_path))
    client = desk_of(club)
    settings.PUBLIC_URL = "https://klaver.example"
    assert client.get(FOLDER, headers={"host": "klaver.example"}).status_code == 404
    settings.PUBLIC_URL = ""
    assert client.get(FOLDER).status_code == 200
    ClubFactory.create(slug="andere")
    assert client.get(FOLDER).status_code == 404
    assert not folder_copy_if_due()


def test_another_copy_is_made_once_an_evening_was_closed(club: Club, tmp_path: Path) -> None:
    """The laptop is opened before the evening: the stick must not go home with that copy."""
    folder_choose(path=str(tmp_path))
    with time_machine.travel("2026-11-21T19:00:00+01:00", tick=False):
        assert folder_copy_if_due()
    with time_machine.travel("2026-11-21T23:00:00+01:00", tick=False):
        evening = EveningFactory.create(club=club, date=dt.date(2026, 11, 21))
        Release.objects.create(evening=evening, number=1, standings=[], seal="x")
    with time_machine.travel("2026-11-21T23:01:00+01:00", tick=False):
        assert (folder_copy_if_due(), folder_copy_if_due()) == (True, False)
    assert copies(tmp_path)[1:] == ["klaverclub-vrolijke-boer-2026-11-21-2301.backup"]


def test_a_copy_in_the_middle_of_which_the_computer_went_off(club: Club, tmp_path: Path) -> None:
    """It is made again in an hour, and what was left of it goes."""
    folder_choose(path=str(tmp_path))
    begun = dt.datetime(2026, 11, 21, 19, tzinfo=dt.UTC)
    CopyFolder.objects.update(tried_at=begun)
    draft = tmp_path / ".klaverclub-2026-11-21-2000.backup.x1y2"
    draft.touch()
    os.utime(draft, (begun.timestamp(), begun.timestamp()))
    with time_machine.travel(begun + dt.timedelta(minutes=59), tick=False):
        assert not folder_copy_if_due()
    with time_machine.travel(begun + dt.timedelta(minutes=61), tick=False):
        assert folder_copy_if_due()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        MARK,
        "klaverclub-vrolijke-boer-2026-11-21-2101.backup",
    ]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (errno.ENOSPC, "er is geen ruimte meer"),
        (errno.EROFS, "er kan alleen van gelezen worden"),
        (errno.EIO, "de stick of schijf is kapot, of eruit getrokken"),
    ],
)
def test_why_it_failed_is_said(club: Club, fault: int, said: str) -> None:
    CopyFolder.objects.create(
        pk=1, path="/media/stick", tried_at=timezone.now(), fault=f"unwritable: {fault}"
    )
    page = words(desk_of(club).get(DESK))
    assert f"In /media/stick kan niet geschreven worden: {said}." in page


@pytest.mark.both
def test_a_copy_is_made_before_the_database_changes(club: Club, tmp_path: Path) -> None:
    folder_choose(path=str(tmp_path))
    assert folder_copy_before_migrating() == ""
    assert copies(tmp_path) == []
    last = newest()["tournaments"]
    MigrationRecorder.Migration.objects.filter(app="tournaments", name=last).delete()
    assert folder_copy_before_migrating() == ""
    assert len(copies(tmp_path)) == 1
    (tmp_path / MARK).unlink()
    gone = "Die map is er niet. Zit de stick in de computer?"
    assert folder_copy_before_migrating() == gone
    assert CopyFolder.objects.get().is_gone


def test_a_copy_that_breaks_stops_nobody_from_starting(club: Club, tmp_path: Path) -> None:
    folder_choose(path=str(tmp_path))
    last = newest()["tournaments"]
    MigrationRecorder.Migration.objects.filter(app="tournaments", name=last).delete()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_copyfolder RENAME TO elsewhere")
    assert "tournaments_copyfolder" in folder_copy_before_migrating()


def test_what_is_kept() -> None:
    days = [dt.date(2026, 12, 31) - dt.timedelta(days=n) for n in range(800)]
    names = [f"klaverclub-boer-{day}-2000.backup" for day in days]
    others = [
        f"klaverclub-{other}{day}-2000.backup" for day in days for other in ("azen-", "boer-2-", "")
    ]
    kept = set(names) - set(expendable("klaverclub-boer", [*names, *others]))
    assert len(kept) == 14 + 11
    assert f"klaverclub-boer-{days[13]}-2000.backup" in kept
    assert {
        "klaverclub-boer-2026-01-31-2000.backup",
        "klaverclub-boer-2026-11-30-2000.backup",
    } <= kept


class TestTheDeskReminds:
    def closed(self, club: Club, when: dt.datetime) -> None:
        evening = EveningFactory.create(club=club, date=when.date())
        release = Release.objects.create(evening=evening, number=1, standings=[], seal="x")
        Release.objects.filter(pk=release.pk).update(published_at=when)

    @pytest.mark.full
    def test_when_an_evening_was_closed_since(self, club: Club) -> None:
        client, now = desk_of(club), timezone.now()
        assert "Maak een reservekopie" not in words(client.get(DESK))
        self.closed(club, now)
        assert "is nog geen kopie gemaakt" in words(client.get(DESK))
        taken = Copy.objects.create(club=club, kind="made", state="ready", name="k", taken_at=now)
        assert "Maak een reservekopie" not in words(client.get(DESK))
        Copy.objects.filter(pk=taken.pk).update(taken_at=now - dt.timedelta(days=9))
        assert "is er een avond afgesloten" in words(client.get(DESK))

    def test_not_where_others_look_after_it(self, club: Club, tmp_path: Path) -> None:
        client, now = desk_of(club), timezone.now()
        self.closed(club, now)
        folder_choose(path=str(tmp_path))
        CopyFolder.objects.update(made_at=now - dt.timedelta(hours=3))
        assert "Maak een reservekopie" not in words(client.get(DESK))
        CopyFolder.objects.all().delete()
        MemberFactory.create(club=ClubFactory.create(slug="andere"))
        assert "Maak een reservekopie" not in words(client.get(DESK))
