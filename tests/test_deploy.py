"""The samples of docs/deploy: what reads them takes them, and the product works behind them."""

import http.client
import re
import shlex
import shutil
import socket
import ssl
import stat
import subprocess
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from email.message import Message
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, expect

from clubs.models import CspReport
from scoring.models import DealEntry
from tests.browser.outbox import OutboxScreen
from tests.caddy import caddy_before
from tests.conftest import CHROMIUM_OPTIONS
from tests.devices import KEEPING_PHONE
from tests.load.hall import served
from tests.missing import missing
from tests.nginx import SAMPLES, configured, free_port, in_front_of, program
from tests.tournaments.public_pages import evening_path
from tests.tournaments.table_pages import link, playing
from tests.varnish import varnish_before
from tests.waiting import wait_until

UNITS = sorted(
    path
    for path in (*SAMPLES.glob("klaverclub*"), *(SAMPLES / "cluster").glob("klaverclub*"))
    if path.suffix in (".service", ".timer")
)


@pytest.mark.once
@pytest.mark.parametrize("unit", UNITS, ids=[unit.name for unit in UNITS])
def test_systemd_takes_the_units(unit: Path, tmp_path: Path) -> None:
    """With programs in a folder that is there: that of the sample is on the server only."""
    analyze = program("systemd-analyze", "systemd")
    for name in ("python", "gunicorn"):
        there = tmp_path / "opt" / ".venv" / "bin" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text("#!/bin/sh\n")
        there.chmod(there.stat().st_mode | stat.S_IXUSR)
    for each in UNITS:
        text = each.read_text().replace("/opt/klaverclub", str(tmp_path / "opt"))
        (tmp_path / each.name).write_text(text)

    run = subprocess.run(
        [analyze, "verify", tmp_path / unit.name], capture_output=True, text=True, check=False
    )

    assert (run.stderr, run.returncode) == ("", 0)


@pytest.mark.once
@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ("klaverclub-backup", "The backup of Klaverclub on klaver.example failed"),
        ("cluster/klaverclub-pgbackrest", "The copy of Klaverclub on klaver.example failed"),
    ],
)
def test_a_backup_that_fails_is_reported_in_the_journal_and_by_mail(
    unit: str, words: str, tmp_path: Path
) -> None:
    """What the unit runs, with a log and a mail server that write to files."""
    program("sh", "dash")
    backup = SAMPLES / f"{unit}.service"
    (name,) = re.findall(r"^OnFailure=(.+)$", backup.read_text(), re.MULTILINE)
    report = (backup.parent / name).read_text().replace("%H", "klaver.example")
    for tool, writes in (
        ("/usr/bin/logger", 'echo "$@"'),
        ("/usr/sbin/sendmail", 'echo "$@"; cat'),
    ):
        assert tool in report
        report = report.replace(tool, str(stub(tmp_path, Path(tool).name, writes)))

    for command in re.findall(r"^ExecStart=-?(.+)$", report, re.MULTILINE):
        subprocess.run(shlex.split(command), check=True)

    look = f"journalctl -u {backup.stem}"
    logged = f"--priority daemon.crit --tag {backup.stem} {words}: {look}\n"
    mailed = f"root\nSubject: {words}\n\nWhat went wrong: {look}\n"
    assert (tmp_path / "logger.out").read_text() == logged
    assert (tmp_path / "sendmail.out").read_text() == mailed


def stub(folder: Path, name: str, writes: str) -> Path:
    """A program that does nothing but write to a file of its name."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{{ {writes}; }} > {path}.out\n")
    path.chmod(0o700)
    return path


@pytest.mark.once
@pytest.mark.parametrize(("day", "kind"), [("6", "incr"), ("7", "full")])
def test_the_copy_of_three_databases_is_a_whole_one_on_sundays(
    day: str, kind: str, tmp_path: Path
) -> None:
    """Else the first one would be kept for ever, with all that was archived since."""
    program("sh", "dash")
    unit = (SAMPLES / "cluster" / "klaverclub-pgbackrest.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    copies = stub(tmp_path, "pgbackrest", 'echo "$@"')
    stub(tmp_path, "date", "true").write_text(f'#!/bin/sh\n[ "$1" = +%u ] && echo {day}\n')
    command = command.replace("%%", "%").replace("/usr/bin/pgbackrest", str(copies))

    subprocess.run(shlex.split(command), check=True, env={"PATH": f"{tmp_path}:/usr/bin:/bin"})

    assert copies.with_suffix(".out").read_text() == (f"--stanza=klaverclub --type={kind} backup\n")


@pytest.mark.once
def test_nginx_takes_its_file(tmp_path: Path) -> None:
    command = configured(tmp_path, http=free_port(), https=free_port(), server=8000)
    run = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)

    assert [line for line in run.stderr.splitlines() if "[" in line] == []
    assert run.returncode == 0


@pytest.mark.once
def test_caddy_takes_its_file(tmp_path: Path) -> None:
    """The one of Debian; it keeps what it makes in a home of its own."""
    caddy = program("caddy", "caddy")
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", str(SAMPLES / "Caddyfile")]
    run = subprocess.run(
        command, env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr


@dataclass(frozen=True)
class Hall:
    """The product behind nginx, over https."""

    http: int
    https: int
    folder: Path = Path()

    @property
    def key_hash(self) -> str:
        """The hash by which a browser that was told of it takes the certificate for a good one."""
        certificate = ssl.PEM_cert_to_DER_cert((self.folder / "fullchain.pem").read_text())
        key = x509.load_der_x509_certificate(certificate).public_key()
        form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        return b64encode(sha256(key.public_bytes(*form)).digest()).decode()

    @property
    def address(self) -> str:
        return f"https://localhost:{self.https}"

    def ask(self, path: str, **headers: str) -> tuple[int, Message]:
        """Status and headers of a page over https."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return asked(
            http.client.HTTPSConnection("localhost", self.https, context=context, timeout=20),
            path,
            headers,
        )


def asked(
    connection: http.client.HTTPConnection, path: str, headers: Mapping[str, str]
) -> tuple[int, Message]:
    with closing(connection):
        connection.request("GET", path, headers=headers)
        with connection.getresponse() as response:
            response.read()
            return response.status, response.headers


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """The real server with a real nginx before it, on the database of the test."""
    program("nginx", "nginx-light")
    made = Hall(free_port(), free_port(), tmp_path)
    monkeypatch.setenv("PUBLIC_URL", made.address)
    with (
        served(workers=1) as (server,),
        in_front_of(server.port, tmp_path, http=made.http, https=made.https),
    ):
        yield made


@pytest.mark.once
@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_a_page_behind_nginx(hall: Hall) -> None:
    plain = http.client.HTTPConnection("localhost", hall.http, timeout=20)
    status, headers = asked(plain, "/clubs/?page=2", {})
    assert (status, headers["Location"]) == (308, f"{hall.address}/clubs/?page=2")

    given = {"Accept-Encoding": "gzip", "X-Request-ID": "beef" * 8}
    status, headers = hall.ask("/login/", **given)
    assert status == 200
    assert headers["Strict-Transport-Security"].startswith("max-age=31536000")
    assert headers["Content-Encoding"] == "gzip"
    assert len(headers["X-Request-ID"]) == 32
    assert headers["X-Request-ID"] != "beef" * 8
    cookies = headers.get_all("Set-Cookie")
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert hall.ask("/healthz")[0] == 200


SECRET = "s3cret-0f-a-table"


@pytest.mark.once
def test_nginx_logs_no_table_while_the_server_is_away(tmp_path: Path) -> None:
    """And neither where it only sends people on to https."""
    ports = Hall(free_port(), free_port())
    with in_front_of(free_port(), tmp_path, http=ports.http, https=ports.https):
        assert ports.ask(f"/t/{SECRET}/")[0] == 502
        plain = http.client.HTTPConnection("localhost", ports.http, timeout=20)
        assert asked(plain, f"/t/{SECRET}/", {})[0] == 308

    logs = [*tmp_path.glob("*.log")]
    assert len(logs) > 1
    assert [log.name for log in logs if SECRET in log.read_text()] == []


def connected(hall: Hall) -> ssl.SSLSocket:
    """A connection over https on which nothing was said yet."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    raw = socket.create_connection(("localhost", hall.https), timeout=20)
    return context.wrap_socket(raw, server_hostname="localhost")


@pytest.mark.once
@pytest.mark.full
def test_nginx_gives_up_a_caller_who_sends_a_header_a_second(tmp_path: Path) -> None:
    """For a minute each was held before."""
    ports = Hall(free_port(), free_port())
    with (
        in_front_of(free_port(), tmp_path, http=ports.http, https=ports.https),
        connected(ports) as caller,
    ):
        started = time.monotonic()
        caller.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        caller.settimeout(1)
        answer: bytes | None = None
        while answer is None and time.monotonic() < started + 40:
            try:
                answer = caller.recv(1)
            except TimeoutError:
                caller.sendall(b"X-More: x\r\n")
        assert answer == b""
        assert time.monotonic() - started < 20


@pytest.mark.full
@pytest.mark.once
def test_nginx_holds_so_many_requests_of_one_address_and_no_more(tmp_path: Path) -> None:
    """Of callers who send a body slowly; for the test the limit is three."""
    ports = Hall(free_port(), free_port())
    slow = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"
    with (
        in_front_of(free_port(), tmp_path, http=ports.http, https=ports.https, most_requests=3),
        ExitStack() as callers,
    ):
        for _ in range(2):
            callers.enter_context(connected(ports)).sendall(slow)
        third = connected(ports)
        third.sendall(slow)
        time.sleep(1)
        assert ports.ask("/login/")[0] == 503
        third.close()
        time.sleep(1)
        assert ports.ask("/login/")[0] == 502


@pytest.mark.once
def test_caddy_logs_no_table_while_the_server_is_away(tmp_path: Path) -> None:
    with caddy_before(free_port(), tmp_path) as port:
        plain = http.client.HTTPConnection("localhost", port, timeout=20)
        assert asked(plain, f"/t/{SECRET}/", {})[0] == 502

    log = (tmp_path / "caddy.log").read_text()
    assert "connection refused" in log
    assert SECRET not in log


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_over_https_a_phone_opens_its_page_without_the_network(
    hall: Hall, chromium: Browser
) -> None:
    context: BrowserContext = chromium.new_context(
        base_url=hall.address, ignore_https_errors=True, locale="nl-NL", **KEEPING_PHONE
    )
    page = context.new_page()
    screen = OutboxScreen(page, link(playing()))
    screen.is_cached()
    screen.off()
    screen.deal(1, 60)
    screen.status("1 spel wacht")
    page.reload()
    screen.status("1 spel wacht")
    screen.on()
    screen.status("verzonden")
    expect(page.locator("body")).to_contain_text("Spel")
    context.close()

    assert [entry.deal.number for entry in DealEntry.objects.select_related("deal")] == [1]


@pytest.mark.once
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_behind_nginx_and_varnish_a_deal_is_seen_and_a_reader_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Browser
) -> None:
    hall, cache = Hall(free_port(), free_port(), tmp_path), free_port()
    monkeypatch.setenv("PUBLIC_URL", hall.address)
    monkeypatch.setenv("SHARED_CACHES", f"http://127.0.0.1:{cache}")
    evening = playing()
    path = evening_path(evening)
    with (
        served(workers=1) as (server,),
        varnish_before(server.port, port=cache),
        in_front_of(cache, tmp_path, http=hall.http, https=hall.https),
        closing(
            chromium.new_context(
                base_url=hall.address, ignore_https_errors=True, locale="nl-NL", **KEEPING_PHONE
            )
        ) as context,
    ):
        table, reader = context.new_page(), context.new_page()
        reader.goto(f"{path}?show=tables")
        screen = OutboxScreen(table, link(evening))
        expect(reader.locator("#live")).not_to_contain_text("1 van 16 spellen")
        screen.deal(1, 60)
        screen.status("verzonden")
        expect(reader.locator("#live")).to_contain_text("1 van 16 spellen", timeout=10_000)

        status, headers = hall.ask(path)
        assert status == 200
        assert headers["Strict-Transport-Security"].startswith("max-age=31536000")
        server.kill()
        assert hall.ask(path, **{"If-None-Match": headers["ETag"]})[0] == 304
        assert hall.ask("/login/")[0] == 503


@pytest.mark.once
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.full
def test_a_browser_reports_over_https_what_it_blocked(hall: Hall, chromium: Browser) -> None:
    """There it heeds `report-to` alone, which the shell without a window never sends. It gathers
    reports for a minute, unless asked not to."""
    whole = shutil.which("chromium") or missing("whole Chromium", "chromium")
    options = [*CHROMIUM_OPTIONS, "--headless=new", "--short-reporting-delay"]
    options += [f"--ignore-certificate-errors-spki-list={hall.key_hash}"]
    with chromium.browser_type.launch(executable_path=whole, args=options) as browser:
        page = browser.new_page()
        page.goto(f"{hall.address}/login/?next=/x/")
        page.evaluate(
            "document.body.append(Object.assign(new Image(), {src: 'https://ads.example/x'}))"
        )
        wait_until(CspReport.objects.exists)

    said = StringIO()
    call_command("csp_reports", stdout=said)
    assert said.getvalue().split()[0] == "1"
    assert said.getvalue().endswith("  img-src https://ads.example on login/\n")
