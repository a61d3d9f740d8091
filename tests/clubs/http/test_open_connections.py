"""Nobody holds up the server by staying on the line."""

import socket
import time
from collections.abc import Iterator

import pytest

from tests.load.hall import Phone, Server

LAST_REQUEST = b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
TIMES = 5
PATIENCE = 5.0
"""Seconds for so many answers: half of what they took when open connections were waited for."""


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(workers=1)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.mark.full
@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_others_are_answered_while_a_connection_is_left_open(server: Server) -> None:
    waited = 0.0
    for _ in range(TIMES):
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(LAST_REQUEST)
            while line.recv(4_096):
                pass
            with Phone(server.port) as phone:
                asked = time.monotonic()
                assert phone.get("/robots.txt") == 200
                waited += time.monotonic() - asked

    assert waited < PATIENCE
