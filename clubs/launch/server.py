"""The server of the command `klaverclub`: one process with threads, the same on every system."""

import logging
import select
import signal
import socket
import threading
from typing import Any, Final

from django.db import connections
from waitress import create_server
from waitress.task import ThreadedTaskDispatcher

from clubs.http.middleware import READ_AWAY

THREADS: Final = 8
"""As many as `make run` has, in its two processes."""
CONNECTIONS: Final = 1000 if hasattr(select, "poll") else 400
"""Phones and screens keep theirs open; `select`, all that Windows has, knows no more than 512."""
LONGEST_HEADERS: Final = 1 << 16


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
