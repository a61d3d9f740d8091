"""Mail servers that are slow, or go away."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from pytest_django.fixtures import Settings

from clubs.accounts import services
from clubs.accounts.services import mail_now


@contextmanager
def dripping(beginning: bytes) -> Iterator[int]:
    """The port of a mail server that goes on after this for ever, a letter at a time."""
    over = threading.Event()

    def drip(caller: socket.socket) -> None:
        with caller, suppress(OSError):
            caller.sendall(beginning)
            while not over.wait(0.05):
                caller.sendall(b"2")

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=drip, args=[server.accept()[0]], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        over.set()


@pytest.mark.parametrize(
    ("use_ssl", "beginning"), [(False, b"220-"), (True, b"\x16\x03\x03\x40\x00")]
)
def test_a_mail_server_that_sends_a_letter_at_a_time_is_not_waited_for(
    use_ssl: bool, beginning: bytes, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_BACKEND = "clubs.accounts.services.BoundedBackend"
    settings.EMAIL_USE_SSL = use_ssl
    monkeypatch.setattr(services, "LONGEST_MAIL", 0.5)
    with dripping(beginning) as port:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        started = time.monotonic()
        assert not mail_now(subject="Hi", text="Hi", to="jan@example.org")
        assert time.monotonic() - started < 5
