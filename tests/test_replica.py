"""A copy of the database for who reads: behind, gone, back; and who writes waits for a primary."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from clubs.postgresql.base import WritableConnection, can_write
from tests.load.hall import ROOT, Phone
from tests.missing import missing
from tests.nginx import free_port
from tests.postgres import Cluster, binaries

pytestmark = [pytest.mark.full, pytest.mark.once]

LOGIN = "/login/"
FORM = "application/x-www-form-urlencoded"
DURABLE = "-c max_connections=40"


class Reader(Phone):
    """Somebody with a browser."""

    @property
    def name_of_the_club(self) -> str:
        """What the club is called on one of its pages; empty where there is no page."""
        try:
            self.connection.request("GET", PAGE, headers={"Cookie": self.cookies})
            response = self.connection.getresponse()
            page = response.read().decode()
        except OSError:
            self.connection.close()
            return ""
        self._keep(response)
        found = re.search(r"<title>[^<]*(Azen \d+)", page)
        return found[1] if found else ""


def fail_to_log_in(phone: Phone) -> int:
    """Something that writes: the wrong password is counted."""
    token = phone.jar["csrftoken"]
    body = f"csrfmiddlewaretoken={token}&username=nobody@example.org&password=wrong"
    return phone.ask("POST", LOGIN, body.encode(), FORM)


PAGE = "/clubs/azen/calendar/"


@pytest.fixture(scope="module")
def primary() -> Iterator[Cluster]:
    found = binaries() or missing("PostgreSQL", "postgresql")
    cluster = Cluster(found, DURABLE)
    try:
        cluster.start()
        cluster.database_make()
        for command in ("migrate", "create_club azen --name Azen"):
            python = [sys.executable, "manage.py", *command.split()]
            settings = {"DATABASE_URL": cluster.url, "SECRET_KEY": "x"}
            done = subprocess.run(
                python, cwd=ROOT, env={**os.environ, **settings}, capture_output=True, check=False
            )
            assert done.returncode == 0, done.stderr.decode()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def copy(primary: Cluster) -> Iterator[Cluster]:
    cluster = Cluster(primary.binaries, DURABLE)
    try:
        cluster.follow(primary)
        yield cluster
    finally:
        cluster.stop()


@contextmanager
def serving(primary: Cluster, **more: str) -> Iterator[int]:
    """A server of one process, and the port where it answers."""
    port = free_port()
    serve = f"gunicorn config.wsgi --bind 127.0.0.1:{port} --threads 4 --no-control-socket"
    settings: Mapping[str, str] = {"DATABASE_URL": primary.url, "SECRET_KEY": "x", **more}
    process = subprocess.Popen(
        [sys.executable, "-m", *serve.split(), "--log-level", "critical"],
        cwd=ROOT,
        env={**os.environ, **settings},
        stderr=subprocess.DEVNULL,
    )
    try:
        with Phone(port) as phone:
            until(lambda: phone.get("/healthz") == 200)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=60)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def rename(primary: Cluster, number: int) -> None:
    primary.ask(f"UPDATE clubs_club SET name = 'Azen {number}'")


def test_nobody_sees_older_than_they_saw_and_strangers_are_shown_what_the_copy_has(
    primary: Cluster, copy: Cluster
) -> None:
    rename(primary, 1)
    with serving(primary, READ_DATABASE_URL=copy.url) as port, Reader(port) as reader:
        until(lambda: reader.name_of_the_club == "Azen 1")
        assert [*reader.jar] == ["seen_copy"]

        copy.ask("SELECT pg_wal_replay_pause()")
        rename(primary, 2)
        assert reader.name_of_the_club == "Azen 1"

        # Whoever wrote something, if only a password that is wrong, has seen the primary.
        reader.get(LOGIN)
        assert fail_to_log_in(reader) == 200
        assert "seen" in reader.jar
        assert reader.name_of_the_club == "Azen 2"
        with Reader(port) as stranger:
            assert stranger.name_of_the_club == "Azen 1"
            assert [*stranger.jar] == ["seen_copy"]

        copy.ask("SELECT pg_wal_replay_resume()")
        seen = reader.jar["seen"]
        until(lambda: reader.name_of_the_club == "Azen 2" and reader.jar["seen"] == seen)


def test_the_primary_answers_for_a_copy_that_is_gone(primary: Cluster, copy: Cluster) -> None:
    rename(primary, 3)
    with serving(primary, READ_DATABASE_URL=copy.url) as port, Reader(port) as reader:
        until(lambda: reader.name_of_the_club == "Azen 3")
        copy.kill()
        rename(primary, 4)
        started = time.monotonic()
        assert reader.name_of_the_club == "Azen 4"
        assert time.monotonic() - started < 3
        started = time.monotonic()
        assert [reader.name_of_the_club for _ in range(5)] == ["Azen 4"] * 5
        assert time.monotonic() - started < 2


def test_a_copy_answers_while_the_primary_is_gone(primary: Cluster, copy: Cluster) -> None:
    rename(primary, 5)
    with serving(primary, READ_DATABASE_URL=copy.url) as port, Reader(port) as reader:
        until(lambda: reader.name_of_the_club == "Azen 5")
        reader.get(LOGIN)
        primary.kill()
        try:
            assert reader.name_of_the_club == "Azen 5"
            assert fail_to_log_in(reader) == 503
        finally:
            primary.serve()


def test_who_writes_waits_until_there_is_a_database(primary: Cluster) -> None:
    with serving(primary, WRITE_WAIT_SECONDS="30") as port:
        answers: list[int] = []
        with Phone(port) as writer, Phone(port) as reader:
            writer.get(LOGIN)
            primary.kill()

            def write() -> None:
                answers.append(fail_to_log_in(writer))

            writing = threading.Thread(target=write)
            writing.start()
            try:
                assert reader.get(PAGE) == 503
                assert answers == []
            finally:
                primary.serve()
                writing.join(timeout=60)
        assert answers == [200]


def test_of_several_machines_the_one_is_found_that_can_be_written(
    primary: Cluster, copy: Cluster
) -> None:
    hosts = f"{copy.folder},{primary.folder}"
    where = {"host": hosts, "user": "klaverclub", "dbname": "klaverclub"}
    with WritableConnection.connect(**where) as connection:
        assert connection.info.host == str(primary.folder)
        assert can_write(connection)
    with psycopg.connect(host=str(copy.folder), user="klaverclub", dbname="klaverclub") as read:
        assert not can_write(read)
    primary.kill()
    try:
        with pytest.raises(psycopg.OperationalError, match="None of the databases can be written"):
            WritableConnection.connect(**where)
    finally:
        primary.serve()


def test_a_copy_of_sqlite_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/club.sqlite3"
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url, "READ_DATABASE_URL": "postgres:///copy"},
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last == (
        "django.core.exceptions.ImproperlyConfigured: READ_DATABASE_URL: a copy can only follow"
        " PostgreSQL; both must be postgres://"
    )
