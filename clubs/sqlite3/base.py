"""By itself SQLite lets who waits for another writer look again after ever longer naps, and whoever
comes by in between goes first. Here writers wait in line, and the next one goes at once.
"""

import fcntl
import os
import threading
from pathlib import Path
from typing import Final

from django.db import OperationalError
from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that has its turn from the beginning of a transaction to its end, but for a
    DEFERRED one, which only reads."""

    transaction_mode: str | None
    _line: "Line | None" = None

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "IMMEDIATE" and not self.is_in_memory_db():
            line = line_at(self.settings_dict["NAME"])
            line.join(self.settings_dict["OPTIONS"].get("timeout", 5))
            self._line = line
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave()

    def _leave(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.leave()


class Line:
    """Who waits to write in one database: threads for each other, the first of them for those of
    other processes, by a lock on a file beside it that ends with whoever holds it."""

    def __init__(self, path: Path, owner: os.stat_result | None = None) -> None:
        self._threads = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if owner and os.geteuid() == 0:
            os.fchown(self._file, owner.st_uid, owner.st_gid)

    def join(self, seconds: float) -> None:
        """Wait for a turn: so many seconds for the threads of this process, and then as long as
        those of another one write. Raises OperationalError where it does not come."""
        if not self._threads.acquire(timeout=seconds):
            raise OperationalError("database is locked")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except BaseException:
            self._threads.release()
            raise

    def leave(self) -> None:
        """Let the next one go."""
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._threads.release()

    def close(self) -> None:
        """Wait here no more."""
        os.close(self._file)


_lines: Final[dict[str, Line]] = {}


def line_at(database: str | Path) -> Line:
    """This process's place in the line for the database in that file. Made by root, its own file
    is for whose the database is."""
    name = str(database)
    return _lines.get(name) or _lines.setdefault(
        name, Line(Path(f"{name}-turn"), Path(name).stat())
    )


def _start_anew() -> None:
    """A lock belongs to the open file, which a child would share with its parent."""
    for line in _lines.values():
        line.close()
    _lines.clear()


os.register_at_fork(after_in_child=_start_anew)
