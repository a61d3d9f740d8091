"""The server behind https: what the settings make of `PUBLIC_URL`, and whom they believe."""

import json
import os
import subprocess
import sys
from http.cookies import SimpleCookie
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from pytest_django.fixtures import Settings

from clubs.http.middleware import ProxyMiddleware

ASK = """
import django, json, sys
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("check", deploy=True, fail_level="WARNING")
answers = []
for path, said in json.loads(sys.argv[1]):
    answer = Client().get(path, **said)
    headers = {**answer.headers, "cookies": answer.cookies.output(header="")}
    answers.append([answer.status_code, headers])
print(json.dumps(answers))
"""
HTTPS = "https://klaver.example"
BY_PROXY = {"HTTP_X_FORWARDED_PROTO": "https"}
Answer = tuple[int, dict[str, str]]


def answers(folder: Path, *asked: tuple[str, dict[str, str]], **environment: str) -> list[Answer]:
    """What a server with these settings answers, once Django's own check of a deployment is
    clean."""
    result = subprocess.run(
        [sys.executable, "-c", ASK, json.dumps(asked)],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DATABASE_URL": f"sqlite:///{folder}/club.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    check, *_others, last = result.stdout.splitlines()
    assert check.startswith("System check identified no issues ")
    return [(status, headers) for status, headers in json.loads(last)]


def test_with_an_https_address_everybody_is_sent_there(tmp_path: Path) -> None:
    """And the cookies are for this host, and no script reads them."""
    spoofing = {**BY_PROXY, "REMOTE_ADDR": "192.0.2.1"}
    plain, evil, believed, spoofed, health = answers(
        tmp_path,
        ("/login/?next=/x/", {}),
        ("/login/", {"HTTP_HOST": "evil.example"}),
        ("/login/", BY_PROXY),
        ("/login/", spoofing),
        ("/healthz", {}),
        PUBLIC_URL=HTTPS,
    )
    assert (plain[0], plain[1]["Location"]) == (301, f"{HTTPS}/login/?next=/x/")
    assert (evil[0], evil[1]["Location"]) == (301, f"{HTTPS}/login/")
    assert spoofed[0] == 301
    assert believed[0] == 200
    assert believed[1]["Strict-Transport-Security"] == "max-age=31536000"
    assert health[0] == 200
    (cookie,) = SimpleCookie(believed[1]["cookies"]).values()
    assert cookie.key == "__Host-csrftoken"
    assert (cookie["secure"], cookie["httponly"]) == (True, True)
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Lax", "/", "")


@pytest.mark.full
def test_in_a_hall_without_https_nobody_is_sent_anywhere(tmp_path: Path) -> None:
    ((status, headers),) = answers(tmp_path, ("/login/", {"REMOTE_ADDR": "192.168.1.40"}))
    assert status == 200
    assert "Strict-Transport-Security" not in headers
    (cookie,) = SimpleCookie(headers["cookies"]).values()
    assert (cookie.key, cookie["secure"], cookie["httponly"]) == ("csrftoken", "", True)


@pytest.mark.parametrize(
    ("remote", "said", "believed"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "6.6.6.6, 192.0.2.7, 10.1.2.3", "192.0.2.7"),
        ("", "192.0.2.7", "192.0.2.7"),
        ("::ffff:127.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("127.0.0.1", "9.9.9.9:1234", "9.9.9.9"),
        ("127.0.0.1", "6.6.6.6:1, 9.9.9.9:1234, 10.1.2.3:80", "9.9.9.9"),
        ("127.0.0.1", "[2001:db8::1]:443", "2001:db8::1"),
        ("127.0.0.1", "[2001:db8::1]", "2001:db8::1"),
        ("127.0.0.1", "[::ffff:9.9.9.9]:443", "9.9.9.9"),
        ("127.0.0.1", "9.9.9.9:", "127.0.0.1"),
        ("127.0.0.1", "9.9.9.9:x", "127.0.0.1"),
        ("127.0.0.1", "[9.9.9.9]:80", "127.0.0.1"),
        ("127.0.0.1", "[2001:db8::1", "127.0.0.1"),
        ("127.0.0.1", "2001:db8::1]:443", "127.0.0.1"),
        ("127.0.0.1", "[]:443", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.7, nonsense", "127.0.0.1"),
        ("127.0.0.1", "10.1.2.3", "127.0.0.1"),
        ("192.0.2.1", "6.6.6.6", "192.0.2.1"),
        ("192.0.2.1", "127.0.0.1", "192.0.2.1"),
    ],
)
def test_only_our_own_proxies_say_who_asks(
    settings: Settings, remote: str, said: str, believed: str
) -> None:
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8")]
    seen: dict[str, Any] = {}

    def view(request: HttpRequest) -> HttpResponse:
        seen.update(request.META)
        return HttpResponse()

    request = HttpRequest()
    request.META = {"REMOTE_ADDR": remote, "HTTP_X_FORWARDED_FOR": said}
    ProxyMiddleware(view)(request)
    assert seen == {"REMOTE_ADDR": believed}
