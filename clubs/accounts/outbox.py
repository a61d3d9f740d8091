"""What no answer waits for, mostly mail: done by one thread of its own, one after the other.

Mail over SMTP has an end here: Django's timeout is for each byte, so a server that sends one a
second would keep a page, and every mail behind it, waiting for an hour.
"""

import atexit
import logging
import smtplib
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread, Timer
from typing import Any, Final

from django.core.mail.backends.smtp import EmailBackend
from django.db import connections

logger = logging.getLogger(__name__)
Act = Callable[[], object]
WHEN_STOPPING: Final = 4.0
"""Seconds that a server which stops goes on with it; service managers kill it after ten."""


def nothing() -> None:
    """What there is to do where nothing is to be put right."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Something to do, and what puts it right where it is never done."""

    run: Act
    lost: Act


class Outbox:
    """A queue in memory, with the thread that works it off; `what` it does with it, for the log."""

    def __init__(self, what: str = "mailed") -> None:
        self._what = what
        self._waiting: deque[Job] = deque()
        self._under_way: Job | None = None
        self._thread: Thread | None = None
        self._changed = Condition()
        self._is_open = True

    def add(self, run: Act, lost: Act = nothing) -> None:
        """Do it soon. Where the server stops before it is done, `lost` is called instead."""
        with self._changed:
            if self._is_open:
                self._waiting.append(Job(run, lost))
                self._start()
                self._changed.notify_all()
                return
        _alone(lost)

    def settle(self, seconds: float) -> bool:
        """Wait until all of it is done, at most so long; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._left(), seconds)

    def stop(self, seconds: float = WHEN_STOPPING) -> None:
        """Go on for at most so long, then give up what is left and take nothing more."""
        self.settle(seconds)
        with self._changed:
            self._is_open = False
            left = self._left()
            self._waiting.clear()
        if left:
            logger.warning("Not %s, since the server stops: %s", self._what, len(left))
        for job in left:
            _alone(job.lost)

    def _left(self) -> list[Job]:
        return [job for job in (self._under_way, *self._waiting) if job is not None]

    def _start(self) -> None:
        """Its thread is a daemon: a mail server that hangs does not keep the process alive."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="mail", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._under_way = None
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting)
                self._under_way = self._waiting.popleft()
            _alone(self._under_way.run)


def _alone(act: Act) -> None:
    """Do it on connections of its own, which nobody else would close."""
    try:
        act()
    except Exception:
        logger.exception("Nothing was mailed")
    finally:
        connections.close_all()


outbox = Outbox()
atexit.register(outbox.stop)


AT_MOST = 15.0
"""Seconds that a mail may take from the moment there is a connection."""


class BoundedSMTP(smtplib.SMTP):
    """Is cut off after `AT_MOST` seconds, which smtplib reports as a server that hung up."""

    _wire: socket.socket | None = None
    _end: Timer | None = None

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        connected: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        # A socket of its own: TLS puts another object in the place of the first.
        self._wire = connected.dup()
        self._end = Timer(AT_MOST, self._cut_off)
        self._end.daemon = True
        self._end.start()
        return connected

    def close(self) -> None:
        if self._wire is not None and self._end is not None:
            self._end.cancel()
            self._wire.close()
        super().close()

    def _cut_off(self) -> None:
        if self._wire is not None:
            with self._wire as wire, suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)


class BoundedSMTPS(smtplib.SMTP_SSL, BoundedSMTP):
    """The same where TLS comes first; its handshake counts too."""


class BoundedBackend(EmailBackend):
    """Django's, with those."""

    @property
    def connection_class(self) -> Any:
        return BoundedSMTPS if self.use_ssl else BoundedSMTP
