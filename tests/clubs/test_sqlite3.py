"""Writers of one SQLite file wait in line."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction

from clubs.archives.whole import snapshot, working_on
from clubs.sqlite3.base import WriteQueue, write_queue_of
from tests.other_databases import sqlite_file

pytestmark = pytest.mark.once

HOLD = """
import sys, time
from pathlib import Path
from clubs.sqlite3.base import WriteQueue
WriteQueue(Path(sys.argv[1])).join(1)
print("mine", flush=True)
time.sleep(600)
"""


@pytest.fixture
def others_turn(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has its turn, and keeps it."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "turn")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "mine\n"
        yield process
        process.kill()


def test_a_thread_waits_for_another_one_and_not_for_ever(tmp_path: Path) -> None:
    line = WriteQueue(tmp_path / "turn")
    line.join(1)
    with pytest.raises(OperationalError):
        line.join(0.01)
    line.leave()
    line.join(1)
    line.leave()


@pytest.mark.full
def test_the_turn_of_a_killed_process_is_over(
    tmp_path: Path, others_turn: subprocess.Popen[str]
) -> None:
    line, had = WriteQueue(tmp_path / "turn"), threading.Event()

    def wait() -> None:
        line.join(60)
        had.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not had.wait(0.2)
    others_turn.send_signal(signal.SIGKILL)
    assert had.wait(60)
    waiting.join()
    line.leave()


@pytest.mark.django_db(transaction=True)
def test_a_transaction_has_the_turn_until_it_ends_however_it_ends() -> None:
    with transaction.atomic():
        assert not _may_write()
    assert _may_write()
    with pytest.raises(ZeroDivisionError):
        _write_and_fail()
    assert _may_write()
    with transaction.atomic():
        connection.close()
        assert _may_write()
    assert _may_write()


@pytest.mark.django_db(transaction=True)
def test_who_only_reads_keeps_nobody_from_writing() -> None:
    with snapshot():
        assert _may_write()


def test_a_wait_that_fails_leaves_the_line(tmp_path: Path) -> None:
    line = WriteQueue(tmp_path / "turn")
    line.close()
    for _time in range(2):
        with pytest.raises(OSError, match="Bad file descriptor"):
            line.join(0.01)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_root_makes_the_line_of_somebody_elses_database_for_him(tmp_path: Path) -> None:
    database = tmp_path / "klaverclub.sqlite3"
    database.touch()
    os.chown(database, 1234, 1234)
    write_queue_of(database)
    made = database.with_name(f"{database.name}-turn").stat()
    assert (made.st_uid, made.st_gid, made.st_mode & 0o777) == (1234, 1234, 0o600)


@transaction.atomic
def _write_and_fail() -> None:
    assert not _may_write()
    raise ZeroDivisionError


def _may_write() -> bool:
    """Whether somebody else would get his turn now."""
    line = write_queue_of(connection.settings_dict["NAME"])
    try:
        line.join(0.05)
    except OperationalError:
        return False
    line.leave()
    return True


@pytest.mark.django_db
def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    before = os.umask(0o022)
    try:
        with working_on(sqlite_file(path) | {"ENGINE": "clubs.sqlite3"}):
            with connection.cursor() as cursor:
                cursor.execute("CREATE TABLE deal (points)")
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == {f"{path.name}{end}": 0o600 for end in ("", "-wal", "-shm")}
