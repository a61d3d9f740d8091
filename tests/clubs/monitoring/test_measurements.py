"""What Prometheus reads: what is counted, by all workers, on a port of its own."""

import http.client
import os
import re
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import get_resolver
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from pytest_django.fixtures import Settings

from clubs.accounts.services import mail_now
from clubs.text.errors import DomainError, VersionConflict
from scoring.deals.services import deal_undo
from tests.factories import TESTS, evening_with_draw, organiser_of, table, write_deal
from tests.nginx import free_port
from tests.other_databases import migrated_file
from tests.waiting import wait_until

Samples = dict[tuple[str, tuple[str, ...]], float]


def samples() -> Samples:
    """Everything that is counted in this process, by name and labels."""
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for metric in REGISTRY.collect()
        for sample in metric.samples
        if metric.name.startswith("klaverclub_") and sample.name.endswith(("_total", "_count"))
    }


@contextmanager
def counting() -> Iterator[Samples]:
    """What is counted inside, there afterwards."""
    before, risen = samples(), Samples()
    yield risen
    for key, value in samples().items():
        if (rise := value - before.get(key, 0)) and "write_wait" not in key[0]:
            risen[key] = rise


@pytest.mark.django_db
def test_requests_are_counted_by_route_and_status_and_name_nobody(client: Client) -> None:
    evening = evening_with_draw()
    with counting() as risen:
        client.get(f"/clubs/{evening.club.slug}/")
        client.get("/clubs/nobody/")
        client.get("/t/s3cret-0f-table-4/x")

    assert risen == {
        ("klaverclub_requests_total", ("club_page", "2xx")): 1,
        ("klaverclub_requests_total", ("club_page", "4xx")): 1,
        ("klaverclub_requests_total", ("?", "4xx")): 1,
        ("klaverclub_request_seconds_count", ("club_page",)): 2,
        ("klaverclub_request_seconds_count", ("?",)): 1,
    }


@pytest.mark.full
@pytest.mark.django_db
def test_deals_are_counted_by_what_became_of_them() -> None:
    seat = table(evening_with_draw())
    with counting() as risen:
        entry = write_deal(seat, 1)
        with pytest.raises(VersionConflict):
            deal_undo(
                sheet_id=seat.sheet_id, number=1, seen_version=7, uuid=uuid.uuid4(), actor=TESTS
            )
        with pytest.raises(DomainError):
            write_deal(seat, 2, points={"NS": 163})
    assert entry.revision == 1

    assert risen == {
        ("klaverclub_deal_writes_total", ("done",)): 1,
        ("klaverclub_deal_writes_total", ("conflict",)): 1,
        ("klaverclub_deal_writes_total", ("refused",)): 1,
    }


@pytest.mark.django_db
def test_passwords_are_counted_until_the_login_is_locked(client: Client) -> None:
    organiser = organiser_of(evening_with_draw().club)
    organiser.set_password("klaver-vier")
    organiser.save()
    with counting() as risen:
        for password in ["klaver-vier", *["wrong"] * 11]:
            client.post("/login/", {"username": organiser.email, "password": password})

    logins = {labels[0]: value for (name, labels), value in risen.items() if "logins" in name}
    assert logins == {"accepted": 1, "wrong": 11, "locked": 2}


@pytest.mark.full
def test_mails_are_counted(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    with counting() as risen:
        mail_now(subject="x", text="x", to="jan@example.org")
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
        mail_now(subject="x", text="x", to="jan@example.org")

    assert len(mail.outbox) == 1
    assert risen == {
        ("klaverclub_mails_total", ("sent",)): 1,
        ("klaverclub_mails_total", ("failed",)): 1,
    }


@contextmanager
def serving(folder: Path, **environment: str) -> Iterator[int]:
    """A server of two workers, and the port where it answers people."""
    (folder / "club.sqlite3").write_bytes(migrated_file().read_bytes())
    port = free_port()
    serve = f"gunicorn config.wsgi --bind 127.0.0.1:{port} --workers 2 --no-control-socket"
    process = subprocess.Popen(
        [sys.executable, "-m", *serve.split(), "--log-level", "critical"],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DATABASE_URL": f"sqlite:///{folder}/club.sqlite3",
            "SECRET_KEY": "x",
            "TMPDIR": str(folder),
            **environment,
        },
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: get(port, "/healthz")[0] == 200)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=120)


def get(port: int, path: str, method: str = "GET") -> tuple[int, str]:
    """Status and text; nothing where nobody answers."""
    with suppress(OSError), closing(http.client.HTTPConnection("127.0.0.1", port)) as asked:
        asked.request(method, path)
        answer = asked.getresponse()
        return answer.status, answer.read().decode()
    return 0, ""


@pytest.mark.full
@pytest.mark.once
def test_all_workers_are_read_at_a_port_of_its_own(tmp_path: Path) -> None:
    metrics = free_port()
    with serving(tmp_path, METRICS_PORT=str(metrics)) as port:
        assert get(port, "/metrics")[0] == 404
        for _ in range(40):
            get(port, "/login/")
        status, text = get(metrics, "/metrics")
        folders = [*tmp_path.glob("klaverclub-metrics-*")]
        assert len({file.name.rpartition("_")[2] for file in folders[0].glob("counter_*")}) == 2

    assert status == 200
    read = {
        (sample.name, tuple(sample.labels.values())): sample.value
        for metric in text_string_to_metric_families(text)
        for sample in metric.samples
    }
    assert read["klaverclub_requests_total", ("login", "2xx")] == 40
    assert read["klaverclub_deal_writes_total", ("failed",)] == 0
    assert [key for key, value in read.items() if "build_info" in key[0] and value == 1]
    assert {name.split("_")[0] for name, _labels in read} == {"klaverclub"}
    assert folders[0].exists() is False


@pytest.mark.once
@pytest.mark.full
def test_nobody_is_shown_them_unless_a_port_is_set(tmp_path: Path) -> None:
    with serving(tmp_path) as port:
        assert get(port, "/metrics")[0] == 404

    assert [*tmp_path.glob("klaverclub-metrics-*")] == []


@pytest.mark.full
@pytest.mark.once
def test_a_port_that_is_taken_keeps_nobody_from_playing(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        serving(tmp_path, METRICS_PORT=str(taken.getsockname()[1])) as port,
    ):
        assert get(port, "/login/")[0] == 200


def test_what_is_counted_is_what_the_documentation_lists() -> None:
    operations = (settings.BASE_DIR / "docs" / "operations.md").read_text("utf-8")
    section = operations.partition("## Metrics")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(klaverclub_\w+)`", section, re.MULTILINE)

    counted = [
        f"{metric.name}_total" if metric.type == "counter" else metric.name
        for metric in REGISTRY.collect()
        if metric.name.startswith("klaverclub_")
    ]
    assert sorted(listed) == sorted([*counted, "klaverclub_build_info"])
    assert set(re.findall(r"klaverclub_\w+", section)) <= {
        *listed,
        *(f"{name}_bucket" for name in listed),
    }
    ((before, routes),) = re.findall(r'route=~"(\w+)\(([\w|]+)\)"', section)
    assert {f"{before}{route}" for route in routes.split("|")} <= set(get_resolver().reverse_dict)
    assert re.findall(r'outcome="(\w+)"', section) == ["failed"]
    failed = {"outcome": "failed"}
    assert REGISTRY.get_sample_value("klaverclub_deal_writes_total", failed) is not None
