"""What a server must do before it does anything else: answer, say so, and keep to itself."""

import logging
import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from clubs.http.middleware import LineFormatter

SETTINGS = "import config.settings as s; print(s.SECRET_KEY)"


def _start(**environment: str) -> subprocess.CompletedProcess[str]:
    """Read the settings in a process of their own; prints the secret key when they make sense."""
    return subprocess.run(
        [sys.executable, "-c", SETTINGS],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.django_db
@pytest.mark.both
def test_the_suite_runs_on_the_database_that_was_asked_for() -> None:
    asked_for = os.environ.get("TEST_DATABASE", "sqlite")

    assert connection.vendor == {"postgres": "postgresql"}.get(asked_for, asked_for)


@pytest.mark.django_db
@pytest.mark.both
def test_health_is_ok_while_the_database_answers(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}


@pytest.mark.full
def test_health_is_503_when_the_database_does_not_answer(tmp_path: Path) -> None:
    script = "import django; django.setup(); from django.test import Client; "
    script += (
        "answer = Client().get('/healthz'); print(answer.status_code, answer.json()['problem'])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=settings.BASE_DIR,
        env={
            "DATABASE_URL": f"sqlite:///{tmp_path}/no/such/folder.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "x",
        },
        capture_output=True,
        text=True,
        check=True,
    )

    assert result.stdout == "503 the database does not answer\n"


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
def test_phones_that_read_and_then_write_at_once_all_succeed() -> None:
    def phone(number: int) -> None:
        try:
            for deal in range(5):
                with transaction.atomic():
                    seen = Session.objects.count()
                    Session.objects.create(
                        session_key=f"{number}-{deal}",
                        session_data=str(seen),
                        expire_date=timezone.now(),
                    )
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as phones:
        list(phones.map(phone, range(8)))

    assert Session.objects.count() == 40


def test_secret_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/evening.sqlite3"
    first, second = _start(DATABASE_URL=url), _start(DATABASE_URL=url)

    assert len(first.stdout.strip()) >= 50
    assert second.stdout == first.stdout
    assert stat.S_IMODE((tmp_path / "evening.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["evening.key"]


def test_secret_key_of_the_environment_is_the_one_used(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/evening.sqlite3"

    assert _start(DATABASE_URL=url, SECRET_KEY="given").stdout == "given\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://localhost/club"),
        ("DATABASE_URL", "club.sqlite3"),
        ("PUBLIC_URL", "klaver.example"),
        ("PUBLIC_URL", "https://klaver.example/path"),
        ("PORT", "eighty"),
        ("PORT", "65536"),
        ("TRUSTED_PROXIES", "proxy.example"),
        ("EXCHANGE_NETWORKS", "klaver.example"),
        ("SHARED_CACHES", "varnish:6081"),
        ("METRICS_PORT", "metrics"),
        ("METRICS_PORT", "8000"),
        ("SECURITY_CONTACT", "somebody@klaver.example"),
        ("SECURITY_CONTACT", "http://klaver.example/report"),
        ("SECURITY_CONTACT", "https://klaver.example/report\nContact: mailto:x@evil.example"),
    ],
)
def test_a_setting_that_makes_no_sense_stops_the_start_and_is_named(name: str, value: str) -> None:
    result = _start(**{"SECRET_KEY": "x", name: value})

    assert result.returncode == 1
    assert name in result.stderr.splitlines()[-1]


@pytest.mark.django_db
def test_pages_allow_nothing_inline_and_nothing_from_elsewhere(client: Client) -> None:
    policy = client.get("/healthz").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert set(re.findall(r"'[\w-]+'|https?:|data:|\*", policy)) == {"'none'", "'self'"}


@pytest.mark.django_db
def test_a_request_logs_its_route_and_no_more(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="clubs.http.middleware"):
        response = client.get("/healthz?q=Bakker", REMOTE_ADDR="192.0.2.77")
    [record] = [each for each in caplog.records if each.name == "clubs.http.middleware"]

    assert re.fullmatch(r"GET healthz 200 \d+ms", record.getMessage())
    assert re.fullmatch(r"[0-9a-f]{8}", response["X-Request-ID"])


def test_the_log_never_shows_what_opens_a_table() -> None:
    record = logging.makeLogRecord({"msg": "Not Found: /t/s3cret-0f-table-4/deals/7", "name": "x"})

    assert LineFormatter().format(record).endswith(" Not Found: /t/…/deals/7")


@pytest.mark.parametrize("path", ["/password/set/MQ/c0de-1234/", "/invitations/0f0f-12/s3cret/"])
def test_the_log_never_shows_what_opens_a_login(path: str) -> None:
    record = logging.makeLogRecord({"msg": f"Internal Server Error: {path} x", "name": "x"})

    folder = path.rstrip("/").rpartition("/")[0].rpartition("/")[0]
    assert LineFormatter().format(record).endswith(f" Error: {folder}/… x")
