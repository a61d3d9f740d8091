"""A database backend for SQLite in which writers wait in a queue.

SQLite itself polls for a lock at ever longer intervals, and a later writer can overtake an earlier
one. Here the next writer in the queue starts at once.
"""

import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from django.db import OperationalError
from django.db.backends.sqlite3 import base, features

from clubs.measurements.counters import WRITE_WAIT_SECONDS

try:
    import fcntl
except ImportError:
    # On Windows. One process serves there, and SQLite keeps a command beside it apart.
    fcntl = None  # type: ignore[assignment]


class DatabaseFeatures(features.DatabaseFeatures):
    """SQLite takes `(id) IN ((1), (2), …)`, and we have no key of several columns.

    Django would write `id = 1 OR id = 2 OR …` to prefetch, which SQLite refuses from a thousand on,
    as on the board of a large hall.
    """

    supports_tuple_lookups = True


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that holds its turn in the queue for each transaction, except a DEFERRED one,
    which only reads."""

    features_class = DatabaseFeatures
    transaction_mode: str | None
    _queue: "WriteQueue | None" = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect; a new database is made for its owner alone, whatever the umask. SQLite gives the
        files beside it the same permissions."""
        if not self.is_in_memory_db():
            with suppress(OSError):
                flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
                os.close(os.open(self.settings_dict["NAME"], flags, 0o600))
        return super().get_new_connection(conn_params)

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "IMMEDIATE" and not self.is_in_memory_db():
            queue = write_queue_of(self.settings_dict["NAME"])
            with WRITE_WAIT_SECONDS.time():
                queue.join(self.settings_dict["OPTIONS"].get("timeout", 5))
            self._queue = queue
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
        queue, self._queue = self._queue, None
        if queue is not None:
            queue.leave()


class WriteQueue:
    """A FIFO write queue for one SQLite file: a lock between threads, `flock` between processes
    where the system has it.

    The kernel releases the `flock` when its process ends, however that happens.
    """

    def __init__(self, path: Path, owner: os.stat_result | None = None) -> None:
        self._threads = threading.Lock()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if owner and hasattr(os, "geteuid") and os.geteuid() == 0:
            os.fchown(self._file, owner.st_uid, owner.st_gid)

    def join(self, seconds: float) -> None:
        """Wait for a turn: up to `seconds` for threads of this process, then for other processes as
        long as it takes. Raises OperationalError on timeout."""
        if not self._threads.acquire(timeout=seconds):
            raise OperationalError("database is locked")
        try:
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX)
        except BaseException:
            self._threads.release()
            raise

    def leave(self) -> None:
        """End the turn."""
        if fcntl is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)
        self._threads.release()

    def close(self) -> None:
        """Close the lock file."""
        os.close(self._file)


_queues: Final[dict[str, WriteQueue]] = {}


def write_queue_of(database: str | Path) -> WriteQueue:
    """This process's queue for the database in that file. A lock file made by root is given to the
    owner of the database."""
    name = str(database)
    return _queues.get(name) or _queues.setdefault(
        name, WriteQueue(Path(f"{name}-turn"), Path(name).stat())
    )


def _start_anew() -> None:
    """Close the lock files in a forked child: an open file, and so its lock, is shared by both."""
    for queue in _queues.values():
        queue.close()
    _queues.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
