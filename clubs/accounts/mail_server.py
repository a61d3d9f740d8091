"""Mail over SMTP with an end: Django's timeout is for each byte, so a server that sends one a
second would keep a page, and every mail behind it, waiting for an hour."""

import smtplib
import socket
from contextlib import suppress
from threading import Timer
from typing import Any

from django.core.mail.backends.smtp import EmailBackend

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
