"""What browsers report of the content policy: both formats, noise, floods and mischief."""

import json
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from clubs.models import CspReport
from clubs.monitoring.views import MOST_KINDS
from tests.test_https import HTTPS, answers
from tests.waiting import wait_until

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
TABLE = "t/<slug:secret>/"
PAGE = "https://klaver.example/t/s3cret-0f-table-4/?name=Bakker"


def old_format(**fields: str) -> dict[str, Any]:
    """As `report-uri` sends it."""
    usual = {
        "document-uri": PAGE,
        "effective-directive": "img-src",
        "blocked-uri": "https://ads.example/pixel/jan@example.org?id=7",
        "referrer": PAGE,
        "script-sample": "Bakker",
    }
    return {"csp-report": {**usual, **{name.replace("_", "-"): fields[name] for name in fields}}}


def new_format(**fields: str) -> dict[str, Any]:
    """As `report-to` sends each."""
    usual = {
        "documentURL": PAGE,
        "effectiveDirective": "script-src-elem",
        "blockedURL": "inline",
        "sample": "Bakker",
    }
    return {"type": "csp-violation", "url": PAGE, "age": 3, "body": {**usual, **fields}}


def send(client: Client, payload: object, **meta: str) -> int:
    kind = "reports+json" if isinstance(payload, list) else "csp-report"
    body = payload if isinstance(payload, bytes) else json.dumps(payload)
    return client.post(
        "/csp-report",
        body,
        content_type=f"application/{kind}",
        **meta,  # type: ignore[arg-type]
    ).status_code


def kinds() -> list[tuple[str, str, str, int]]:
    return list(CspReport.objects.values_list("directive", "blocked", "route", "times"))


@pytest.mark.django_db
def test_reports_of_both_formats_are_counted_by_kind_without_what_is_personal(
    client: Client,
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        assert send(client, old_format()) == 204
        clock.shift(60)
        assert send(client, old_format(blocked_uri="https://ads.example/other")) == 204
        clock.shift(60)
        sent = [new_format(), {"type": "deprecation", "body": {}}, new_format()]
        assert send(client, sent) == 204

    assert kinds() == [
        ("script-src-elem", "inline", TABLE, 2),
        ("img-src", "https://ads.example", TABLE, 2),
    ]
    said = StringIO()
    call_command("csp_reports", stdout=said)
    assert [line.split(None, 6) for line in said.getvalue().splitlines()] == [
        [*"2 2026-11-23 13:02 - 2026-11-23 13:02".split(), f"script-src-elem inline on {TABLE}"],
        [
            *"2 2026-11-23 13:00 - 2026-11-23 13:01".split(),
            f"img-src https://ads.example on {TABLE}",
        ],
    ]


@pytest.mark.django_db
def test_what_an_extension_does_is_left_out(client: Client) -> None:
    of_extensions = [
        old_format(blocked_uri="chrome-extension://abcdef/inject.js"),
        old_format(blocked_uri="inline", source_file="moz-extension://abcdef/content.js"),
        old_format(blocked_uri="safari-web-extension://abcdef/x"),
        old_format(blocked_uri="about:blank"),
        [new_format(sourceFile="chrome-extension")],
    ]

    assert {send(client, report) for report in of_extensions} == {204}
    assert kinds() == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "payload",
    [
        b"{",
        b"[" * 19_000,
        b"\xff\xfe",
        b"7",
        {"csp-report": []},
        {"csp-report": {}},
        old_format(effective_directive="<script>"),
        old_format(document_uri="http://[::1/"),
        [new_format(effectiveDirective="x" * 41)],
    ],
)
def test_what_is_no_report_is_refused(client: Client, payload: object) -> None:
    assert send(client, payload) == 400
    assert kinds() == []


@pytest.mark.both
@pytest.mark.django_db
def test_odd_values_leave_nothing_behind(client: Client) -> None:
    """Neither what they say nor more than a column holds."""
    odd = "https://a\x00\ud800<b>.example/", f"https://{'x' * 200}.example/", "x" * 500, "A B"
    for blocked in odd:
        assert send(client, old_format(blocked_uri=blocked, document_uri=f"/\ud800\x00{'y' * 999}"))

    assert kinds() == [("img-src", "?", "?", 2), ("img-src", "https:", "?", 2)]


@pytest.mark.django_db
def test_other_kinds_and_large_bodies_are_not_read(client: Client) -> None:
    assert client.post("/csp-report", {"a": "b"}).status_code == 415
    assert send(client, old_format(referrer="x" * 20_000)) == 413
    assert client.get("/csp-report").status_code == 405
    assert kinds() == []


@pytest.mark.django_db
def test_a_flood_from_one_network_ends_and_others_are_still_heard(client: Client) -> None:
    with time_machine.travel(NOON, tick=False):
        flood = [
            send(client, old_format(), REMOTE_ADDR=f"2001:db8::{number}") for number in range(1, 41)
        ]
        other = send(client, old_format(), REMOTE_ADDR="192.0.2.7")

    assert flood == [204] * 30 + [429] * 10
    assert other == 204
    assert [times for *_kind, times in kinds()] == [31]


@pytest.mark.django_db
@pytest.mark.full
def test_a_flood_from_many_networks_ends(client: Client) -> None:
    with time_machine.travel(NOON, tick=False):
        answers = [
            send(client, old_format(), REMOTE_ADDR=f"192.0.2.{number}") for number in range(1, 255)
        ] + [
            send(client, old_format(), REMOTE_ADDR=f"198.51.100.{number}")
            for number in range(1, 101)
        ]

    assert (answers.count(204), answers.count(429)) == (300, 54)


@pytest.mark.full
@pytest.mark.django_db
def test_of_too_many_kinds_those_not_seen_for_longest_go(client: Client) -> None:
    CspReport.objects.bulk_create(
        CspReport(
            directive="img-src",
            blocked=f"https://{number}.example",
            route="?",
            first_at=NOON,
            last_at=NOON.replace(hour=1 + number // 60, minute=number % 60),
        )
        for number in range(MOST_KINDS)
    )
    send(client, [new_format(blockedURL=f"https://new{number}.example") for number in range(50)])

    assert CspReport.objects.count() == MOST_KINDS
    assert CspReport.objects.filter(directive="script-src-elem").count() == 20
    assert not CspReport.objects.filter(blocked="https://19.example").exists()
    assert CspReport.objects.filter(blocked="https://20.example").exists()


@pytest.mark.full
def test_browsers_are_told_where_to_report(client: Client, tmp_path: Any) -> None:
    """Over https by both names, since each browser knows one; over http by the older one only."""
    headers = client.get("/.well-known/security.txt").headers
    assert "report-uri /csp-report" in headers["Content-Security-Policy"].split("; ")
    assert "report-to" not in headers["Content-Security-Policy"]
    assert "Reporting-Endpoints" not in headers

    by_proxy = {"HTTP_X_FORWARDED_PROTO": "https"}
    ((_status, over_https),) = answers(tmp_path, ("/login/", by_proxy), PUBLIC_URL=HTTPS)
    assert over_https["Reporting-Endpoints"] == 'csp="/csp-report"'
    policy = over_https["Content-Security-Policy"].split("; ")
    assert {"report-uri /csp-report", "report-to csp"} <= set(policy)


@pytest.mark.browser
@pytest.mark.full
def test_a_real_browser_reports_what_it_blocked(live_server: LiveServer, chromium: Browser) -> None:
    """With a page of its own: that of other tests takes a blocked picture for a fault."""
    context = chromium.new_context(base_url=live_server.url)
    page = context.new_page()
    page.goto("/login/?next=/x/")
    page.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'https://ads.example/x'}))"
    )
    wait_until(CspReport.objects.exists)
    context.close()

    assert kinds() == [("img-src", "https://ads.example", "login/", 1)]
