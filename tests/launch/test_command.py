"""The command `klaverclub`: from an empty folder to phones that write, also without POSIX."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from config.launch import main
from tests.launch.evening import EXPECTED, evening_played, token_made
from tests.launch.started import Started, started
from tests.nginx import free_port
from tests.other_databases import migrated_file

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_POSIX = [sys.executable, "-m", "tests.launch.without_posix", "--no-browser"]


@pytest.mark.full
@pytest.mark.once
def test_a_phone_writes_a_deal_where_nothing_of_posix_is(tmp_path: Path) -> None:
    port = free_port()
    command = [*WITHOUT_POSIX, "--demo", "--port", str(port)]
    settings = {"DATA_DIR": str(tmp_path / "data"), "LANG": "nl_NL.UTF-8"}
    with started(command, tmp_path, cwd=ROOT, **settings) as club:
        assert club.port == port
        assert "De Vier Azen" in club.said
        assert club.get("/healthz") == (200, '{"status": "ok"}')
        _a_deal_is_written(club)
        assert club.ask("POST", "/", "x" * 16_000_001)[0] == 413
        assert club.stop() == (0, "Klaverclub is gestopt.\n")
    # Nothing is left beside the database: it can be copied as it is.
    demo = tmp_path / "data" / "demo"
    assert sorted(path.name for path in demo.iterdir()) == [
        "klaverclub.key",
        "klaverclub.sqlite3",
        "klaverclub.sqlite3-turn",
        "port",
        "running",
    ]


def _a_deal_is_written(club: Started) -> None:
    """As a phone does over its link, with what its page tells it."""
    [link] = re.findall(r"http://[^/\s]+(/t/[\w-]+/)", club.said)
    status, page = club.get(link)
    assert status == 200
    told = json.loads(unescape(re.findall(r'data-table="([^"]*)"', page)[0]))
    line = next(line for line in told["lines"] if not line["has"])
    fields = {
        "uuid": str(uuid4()),
        "seen_version": str(line["version"]),
        "declarer": "NS",
        "points_ew": "62",
    }
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    path = f"{link}rounds/{told['round']}/deals/{line['number']}/"
    for _again in range(2):
        status, _answer = club.ask("POST", path, urlencode(fields), **form)
        assert status == 200
    _status, page = club.get(link)
    told = json.loads(unescape(re.findall(r'data-table="([^"]*)"', page)[0]))
    assert told["lines"][line["number"] - 1]["points"] == [100, 62]


@pytest.mark.full
@pytest.mark.once
def test_an_evening_is_drawn_played_and_closed_where_nothing_of_posix_is(tmp_path: Path) -> None:
    """The club is made by a second program beside it, which takes turns with it."""
    settings = {"DATA_DIR": str(tmp_path / "data"), "LANG": "nl_NL.UTF-8"}
    with started(WITHOUT_POSIX, tmp_path, cwd=ROOT, **settings) as club:
        assert "Er is nog geen club" in club.said
        token = token_made([*WITHOUT_POSIX, "manage"], ROOT, {**os.environ, **settings})
        assert evening_played(club, token) == EXPECTED
        status, page = club.get("/clubs/onze/evenings/2026-09-05/")
        assert status == 200
        assert "Ans Jansen" in page
        assert club.stop() == (0, "Klaverclub is gestopt.\n")


@pytest.mark.full
@pytest.mark.once
def test_a_second_start_shows_where_the_first_is_and_a_third_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "config.launch", "--no-browser"]
    settings = {"DATA_DIR": str(tmp_path / "data"), "LANG": "en_GB.UTF-8"}
    with started(command, tmp_path, cwd=ROOT, **settings) as first:
        assert "There is no club yet" in first.said
        second = subprocess.run(
            command,
            check=True,
            cwd=ROOT,
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
        )
        assert second.stdout == (
            "Klaverclub runs on this computer already.\n"
            f"On this computer: http://localhost:{first.port}/\n"
        )
        assert first.stop(signal.SIGTERM) == (0, "Klaverclub has stopped.\n")
    with started(command, tmp_path, cwd=ROOT, **settings) as third:
        assert third.port == first.port
        assert "The first time" not in third.said


@pytest.mark.full
@pytest.mark.once
@pytest.mark.django_db
def test_a_database_of_a_version_before_is_copied_first(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    database = Path(shutil.copy(migrated_file(), data / "klaverclub.sqlite3"))
    with closing(sqlite3.connect(database)) as made:
        made.executescript(
            "DROP TABLE axes_accessattemptexpiration;"
            "DELETE FROM django_migrations WHERE app = 'axes' AND name LIKE '0010%';"
        )
    command = [sys.executable, "-m", "config.launch", "--no-browser"]
    settings = {"DATA_DIR": str(data), "LANG": "en_GB.UTF-8"}
    with started(command, tmp_path, cwd=ROOT, **settings) as club:
        [copy] = (data / "copies").iterdir()
        assert f"A copy of the database from before: {copy}\n" in club.said
        assert club.get("/healthz")[0] == 200
    for path, rows in ((copy, []), (database, [("axes_accessattemptexpiration",)])):
        with closing(sqlite3.connect(path)) as found:
            named = "SELECT name FROM sqlite_master WHERE name = 'axes_accessattemptexpiration'"
            assert found.execute(named).fetchall() == rows


@pytest.mark.full
@pytest.mark.once
@pytest.mark.django_db
def test_a_stick_that_is_gone_is_said_and_keeps_nothing_from_starting(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    database = Path(shutil.copy(migrated_file(), data / "klaverclub.sqlite3"))
    command = [sys.executable, "-m", "config.launch"]
    settings = {"DATA_DIR": str(data), "LANG": "nl_NL.UTF-8"}
    older = ["manage", "migrate", "scoring", "0002_since_the_first"]
    subprocess.run([*command, *older], check=True, cwd=ROOT, env={**os.environ, **settings})
    with closing(sqlite3.connect(database)) as made, made:
        made.execute(
            "INSERT INTO tournaments_copyfolder (id, path, chosen_at, made_name, fault)"
            " VALUES (1, '/media/stick', '2026-11-29', '', '')"
        )
    with started([*command, "--no-browser"], tmp_path, cwd=ROOT, **settings) as club:
        assert (
            "Er ging geen kopie naar de map voor kopieën: Die map is er niet. Zit de stick in de"
            " computer?\n"
        ) in club.said
        assert club.get("/healthz")[0] == 200


@pytest.mark.full
@pytest.mark.once
@pytest.mark.django_db
def test_a_club_in_the_folder_of_the_demo_is_said_and_served(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "demo").mkdir(parents=True)
    shutil.copy(migrated_file(), data / "demo" / "klaverclub.sqlite3")
    command = [sys.executable, "-m", "config.launch", "--demo"]
    settings = {"DATA_DIR": str(data), "LANG": "en_GB.UTF-8"}
    club_make = ["manage", "create_club", "azen", "--name", "De Azen"]
    subprocess.run([*command, *club_make], check=True, cwd=ROOT, env={**os.environ, **settings})
    with started([*command, "--no-browser"], tmp_path, cwd=ROOT, **settings) as club:
        assert (
            "There is no demo here: This database is not a demo: other people's data is in it."
            " Nothing was changed.\n"
        ) in club.said
        assert club.get("/clubs/azen/")[0] == 200


@pytest.mark.parametrize("words", [[], ["manage", "verify"]])
def test_the_demo_is_refused_where_a_setting_names_another_database(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/club.sqlite3")
    monkeypatch.setenv("LC_ALL", "nl_NL.UTF-8")

    assert main(["--demo", *words]) == 1
    assert capsys.readouterr().err == (
        "De demo heeft een eigen database, en de instelling DATABASE_URL noemt een andere. Laat"
        " --demo weg, of die instelling.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_is_no_lock_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "running").write_text("no database at all")
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")

    assert main([]) == 1
    assert capsys.readouterr().err == (
        f"The file {tmp_path}/running cannot be used: file is not a database. It holds nothing:"
        " take it away, and start again.\n"
    )


def test_a_port_that_is_none_is_said_in_the_language_of_the_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    for language, said in (
        ("nl_NL.UTF-8", "Een poort is een getal van 1 tot en met 65535, en niet “acht”.\n"),
        ("en_GB.UTF-8", "A port is a number from 1 to 65535, not “acht”.\n"),
    ):
        monkeypatch.setenv("LC_ALL", language)
        assert main(["--port", "acht"]) == 1
        assert capsys.readouterr().err == said


def test_a_folder_in_which_nothing_can_be_kept_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "file" / "data"))
    monkeypatch.setenv("LC_ALL", "nl_NL.UTF-8")

    assert main([]) == 1
    assert capsys.readouterr().err.startswith(
        f"In de map {tmp_path}/file/data kan niets bewaard worden"
    )
