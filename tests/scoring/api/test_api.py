"""`POST /api/v1/score/`: deals worked out for anybody, answered as `manage.py score` does."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from scoring.rules import score_line

pytestmark = pytest.mark.django_db

URL = "/api/v1/score/"
DEAL = {"regulation": "amsterdam", "declarer": "N", "trump": "H", "points": {"EW": 65}}
PAGE = Path(__file__).parents[3] / "docs" / "api.md"


def answered(body: bytes, status: int = 200, content_type: str = "application/json") -> Any:
    response = Client(enforce_csrf_checks=True).post(URL, body, content_type=content_type)
    assert response.status_code == status
    kind = "application/json" if status == 200 else "application/problem+json"
    assert response.headers["Content-Type"] == kind
    return response.json()


def refused(status: int, title: str, code: str, detail: str) -> dict[str, object]:
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }


@pytest.mark.parametrize(
    "value",
    [
        DEAL,
        {**DEAL, "points": {"EW": 0}},
        {**DEAL, "points": {"NS": 100, "EW": 61}},
        {**DEAL, "regulation": "leiden"},
        {},
        None,
        5,
        "deal",
    ],
)
def test_an_object_is_answered_as_the_command_does(value: object) -> None:
    assert answered(json.dumps(value).encode()) == score_line(value)


@pytest.mark.full
@pytest.mark.parametrize("count", [0, 1, 3, 1_000])
def test_a_list_is_answered_by_a_list_in_order(count: int) -> None:
    deals: list[object] = [{**DEAL, "points": {"EW": 2 + place % 100}} for place in range(count)]
    assert answered(json.dumps(deals).encode()) == [score_line(deal) for deal in deals]


def test_what_is_no_object_in_a_list_is_bad_json_in_its_place() -> None:
    answers = answered(json.dumps([DEAL, [DEAL], DEAL]).encode())
    assert answers == [score_line(DEAL), score_line(None), score_line(DEAL)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"deal",
        b"{",
        b"NaN",
        b'{"points": {"NS": NaN}}',
        b'[{"points": {"NS": 1e999}}]',
        b'{"declarer": "\xff"}',
        b"[" * 100_000,
        b"9" * 5_000,
    ],
    ids=lambda body: repr(body[:20]),
)
def test_what_is_no_json_is_bad_json(body: bytes) -> None:
    assert answered(body) == score_line(None)


def test_the_content_type_does_not_matter() -> None:
    body = json.dumps(DEAL).encode()
    for content_type in ("text/plain", "application/x-www-form-urlencoded"):
        assert answered(body, content_type=content_type) == score_line(DEAL)


def test_more_than_a_thousand_deals_are_too_many() -> None:
    assert answered(json.dumps([DEAL] * 1_001).encode(), status=400) == refused(
        400, "Bad Request", "too_many", "At most 1,000 deals at a time; these are 1,001."
    )


def test_a_body_larger_than_a_thousand_deals_is_not_read(settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    assert answered(b'"' + b"x" * 998 + b'"') == score_line(None)
    assert answered(b'"' + b"x" * 999 + b'"', status=413) == refused(
        413, "Request Entity Too Large", "too_large", "This is too large."
    )


def test_one_address_may_ask_so_often_in_a_minute(settings: Settings) -> None:
    settings.API_LIMITS = {"score": 100}
    body = json.dumps(DEAL).encode()
    with time_machine.travel("2026-11-22T20:00:15Z", tick=False):
        for _ in range(2):
            answered(body)
        response = Client().post(URL, body, content_type="application/json")
        assert (response.status_code, response.json()["code"]) == (429, "throttled")
        assert response.headers["Retry-After"] == "45"
        elsewhere = Client(REMOTE_ADDR="192.0.2.1").post(URL, body, content_type="application/json")
        assert elsewhere.status_code == 200


@pytest.mark.full
def test_a_thousand_deals_card_by_card_count_as_what_they_cost(settings: Settings) -> None:
    settings.API_LIMITS = {"score": 13_000}
    deal = {**DEAL, "leader": "E", "cards": ["AS"]}
    many, few = json.dumps([deal] * 1_000).encode(), json.dumps([DEAL] * 900).encode()
    with time_machine.travel("2026-11-22T20:00:15Z", tick=False):
        for body in (many, many, few, b"{}", b"{}"):
            answered(body)
        refused = Client().post(URL, few, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
        assert refused.headers["Retry-After"] == "45"
        elsewhere = Client(REMOTE_ADDR="192.0.2.1").post(URL, many, content_type="application/json")
        assert elsewhere.status_code == 200


def test_the_rate_is_the_one_of_the_settings(settings: Settings) -> None:
    assert settings.API_LIMITS["score"] == 60_000


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_it_only_takes_posts(method: str) -> None:
    response = Client().generic(method, URL)
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) == {"POST"}


def test_the_page_about_it_shows_a_deal_and_its_answer() -> None:
    found = re.search(r"curl --json '(.*)' .*\n.*\n(.*)\n", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert answered(found[1].encode()) == json.loads(found[2])
