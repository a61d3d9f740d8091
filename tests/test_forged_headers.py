"""What requests say of themselves, to the real server and through the proxies of docs/deploy."""

import http.client
from contextlib import closing
from pathlib import Path

import pytest
from django.core.handlers.wsgi import WSGIHandler

from clubs.http.middleware import ReadableOnly
from tests.caddy import caddy_before
from tests.factories import evening_with_draw
from tests.load.hall import served
from tests.tournaments.public_pages import evening_path

PREFIXES = "/", "//", "/clubs"


def answer(port: int, path: str, *headers: tuple[str, str]) -> tuple[int, str]:
    """Status and body; the path and the headers go out as they are."""
    with closing(http.client.HTTPConnection("localhost", port, timeout=20)) as asked:
        asked.putrequest("GET", path, skip_accept_encoding=True)
        for name, value in headers:
            asked.putheader(name, value)
        asked.endheaders()
        response = asked.getresponse()
        return response.status, response.read().decode()


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
def test_nobody_says_where_the_site_begins(tmp_path: Path) -> None:
    """Of what is rendered once for a hall, gunicorn let anybody behind Caddy choose the prefix of
    every link: the phones then asked for pages that do not exist."""
    path = evening_path(evening_with_draw(players=4), "live/")
    with (
        served() as (server,),
        caddy_before(server.port, tmp_path) as caddy,
    ):
        for port in (server.port, caddy):
            sound = answer(port, path)
            assert (sound[0], f'data-poll="{path}' in sound[1]) == (200, True)
            for prefix in PREFIXES:
                for name in ("SCRIPT_NAME", "Script-Name", "script_name"):
                    attack = answer(port, f"{prefix}{path}", (name, prefix))
                    assert attack in ((404, attack[1]), sound), (name, prefix)
            # Both workers, and more often than a worker keeps what it rendered for one of them.
            assert {answer(port, path) for _ in range(8)} == {sound}


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_server_that_believes_it_gets_no_answer(prefix: str) -> None:
    """Whichever server it is, and however it was set up."""
    statuses: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": prefix,
        "PATH_INFO": "/healthz",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
    }
    application = ReadableOnly(WSGIHandler())
    application(environ, lambda status, _headers: statuses.append(status))
    assert statuses == ["400 Bad Request"]
