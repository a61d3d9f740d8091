"""What an installed program runs on, once its settings can be read: the database, brought up to
date at the start, and the server, one process with threads that is the same on every system."""

import datetime as dt
import logging
import os
import select
import signal
import socket
import sqlite3
import tempfile
import threading
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from waitress import create_server
from waitress.task import ThreadedTaskDispatcher

from clubs.archives.rows import APPS, tables_make
from clubs.http.middleware import READ_AWAY
from clubs.launch.texts import CannotStart, english

KEPT: Final = 5
"""So many copies from before an update stay."""
THREADS: Final = 8
"""As many as `make run` has, in its two processes."""
CONNECTIONS: Final = 1000 if hasattr(select, "poll") else 400
"""Phones and screens keep theirs open; `select`, all that Windows has, knows no more than 512."""
LONGEST_HEADERS: Final = 1 << 16


# The database: is it of this version, and if it is older, a copy of it, and then the migrations.


def is_behind() -> bool:
    """Whether the database is still to be made, or was made by an older version."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def is_there() -> bool:
    """Whether anything was ever kept in the database."""
    return bool(MigrationRecorder(connection).applied_migrations())


def require_known() -> None:
    """Raises CannotStart for a database that a newer version of the program has changed."""
    loader = MigrationLoader(connection)
    folded = (migration.replaces for migration in loader.disk_migrations.values())
    known = {*loader.disk_migrations, *chain.from_iterable(folded)}
    for app, name in sorted(set(loader.applied_migrations) - known):
        if app in APPS:
            raise CannotStart(
                english(
                    "A newer version of Klaverclub has used the database %(database)s"
                    " (%(migration)s). Nothing was changed. Start that version, or put back a copy"
                    " from before."
                ),
                database=connection.settings_dict["NAME"],
                migration=f"{app} {name}",
            )


def migrated() -> None:
    """Make the database, or bring it up to date."""
    if not is_there():
        tables_make()
    if is_behind():
        call_command("migrate", verbosity=0, interactive=False)


def copy_make(folder: Path, version: str, now: dt.datetime) -> Path | None:
    """Copy a database in a file as it is, before this version changes it; the oldest copies go.

    Raises CannotStart where that does not work: then nothing is changed.
    """
    if connection.vendor != "sqlite":
        return None
    copy = folder / f"klaverclub-{now:%Y-%m-%d-%H%M%S}-before-{version}.sqlite3"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _copied(Path(connection.settings_dict["NAME"]), copy)
    except (OSError, sqlite3.Error) as error:
        raise CannotStart(
            english(
                "This version must change the database, and no copy of it could be made first in"
                " %(folder)s: %(why)s. Nothing was changed."
            ),
            folder=folder,
            why=getattr(error, "strerror", None) or error,
        ) from error
    with suppress(OSError):
        for old in sorted(folder.glob("klaverclub-*-before-*.sqlite3"))[:-KEPT]:
            old.unlink()
    return copy


def _copied(database: Path, copy: Path) -> None:
    """All that was written, also what is still in the log beside the file; never half a copy."""
    number, name = tempfile.mkstemp(prefix=".copy-", dir=copy.parent)
    os.close(number)
    draft = Path(name)
    try:
        with (
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(draft)) as target,
        ):
            source.backup(target)
        draft.replace(copy)
    finally:
        draft.unlink(missing_ok=True)


# The server.


class Threads(ThreadedTaskDispatcher):
    """Threads that let go of the database when they end: what is left of SQLite is then one file,
    which can be copied as it is."""

    def handler_thread(self, thread_no: int) -> None:
        """What a thread does."""
        try:
            super().handler_thread(thread_no)
        finally:
            connections.close_all()

    def shutdown(self, cancel_pending: bool = True, timeout: int = 5) -> bool:
        """Have what is in hand answered, and all threads end."""
        done: bool = super().shutdown(cancel_pending, timeout)
        for thread in threading.enumerate():
            if thread.name.startswith("waitress"):
                thread.join(timeout)
        return done


def server_of(application: Any, bound: socket.socket) -> Any:
    """A server on a socket that listens already; `run` serves until somebody ends it.

    It reads what is sent, and sends what is answered, beside its threads: whoever does either
    slowly holds up nobody. Whom to believe about addresses, and how large a request may be, is left
    to our own middleware, which every server has; beyond what that reads away a request ends here.
    """
    threads = Threads()
    threads.set_thread_count(THREADS)
    return create_server(
        application,
        _dispatcher=threads,
        sockets=[bound],
        connection_limit=CONNECTIONS,
        asyncore_use_poll=hasattr(select, "poll"),
        max_request_body_size=READ_AWAY,
        max_request_header_size=LONGEST_HEADERS,
        clear_untrusted_proxy_headers=False,
        ident="",
    )


def log_only_trouble() -> None:
    """Otherwise the code to scan would scroll out of sight."""
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.WARNING)
    # It warns of each request that waits for a thread.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


def end_as_by_ctrl_c() -> None:
    """However the system asks for an end, requests in hand are answered first."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGBREAK", "SIGHUP"):
        number = getattr(signal, name, None)
        # `nohup` has a program go on when its window is closed.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
