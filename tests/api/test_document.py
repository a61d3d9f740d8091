"""The API's own description: complete, true to what is answered, read without a CDN."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.validation import validate_schema
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.api.resource import Resource
from clubs.models.user import SCOPES
from tests.api.caller import Caller
from tests.factories import ClubFactory, organiser_of

METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    answer = Client().get("/api/schema/")
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = json.loads(answer.content)
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in METHODS:
                yield path, method, operation


def views(patterns: list[Any] | None = None, before: str = "") -> Iterator[tuple[str, type]]:
    """Every address of the API with its view."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(one, URLResolver):
            yield from views(one.url_patterns, before + str(one.pattern))
        elif isinstance(one, URLPattern) and (before + str(one.pattern)).startswith("api/v1/"):
            yield before + str(one.pattern), getattr(one.callback, "cls")  # noqa: B009


@pytest.mark.full
def test_it_is_an_openapi_document(document: dict[str, Any]) -> None:
    validate_schema(document)  # type: ignore[no-untyped-call]
    assert document["openapi"].startswith("3.")
    assert document["info"]["title"] == "Klaverclub"


@pytest.mark.full
def test_every_address_and_every_method_is_in_it(document: dict[str, Any]) -> None:
    served = sum(len(view.needs) for _path, view in views() if issubclass(view, Resource))
    assert len(list(operations(document))) == served
    assert {view for _path, view in views() if not issubclass(view, Resource)} == set()


def test_each_operation_has_a_name_of_its_own_a_chapter_and_words(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _path, _method, operation in operations(document)]
    assert sorted(set(names)) == sorted(names)
    for path, method, operation in operations(document):
        assert operation["summary"], (path, method)
        assert operation["description"].strip(), (path, method)
        assert len(operation["tags"]) == 1, (path, method)


def test_each_operation_says_how_it_can_fail(document: dict[str, Any]) -> None:
    always = {"401", "429", "503"}
    for path, method, operation in operations(document):
        wanted = always | ({"404"} if "{" in path else set())
        if method != "get":
            wanted |= {"400", "403", "409", "413", "415", "422"}
        assert wanted <= set(operation["responses"]), (path, method)
        for status in wanted:
            payload = {"$ref": f"#/components/responses/Problem{status}"}
            assert operation["responses"][status] == payload, (path, method)
    for status, answer in document["components"]["responses"].items():
        content = answer["content"]["application/problem+json"]
        assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
        (example,) = content["examples"].values()
        assert f"Problem{example['value']['status']}" == status


def test_what_needs_a_login_says_so_and_what_for(document: dict[str, Any]) -> None:
    ways: list[dict[str, list[str]]] = [{"token": []}, {"cookieAuth": []}]
    paths = document["paths"]
    members = paths["/api/v1/clubs/{slug}/members/"]
    assert members["post"]["security"] == ways
    assert "scope `members`" in members["post"]["description"]
    assert paths["/api/v1/clubs/"]["get"]["security"] == [{}, *ways]


def test_its_chapters_are_shown_in_the_order_of_an_evening(document: dict[str, Any]) -> None:
    payload = [tag["name"] for tag in document["tags"]]
    assert payload[:3] == ["clubs", "members", "seasons"]
    used = {operation["tags"][0] for _path, _method, operation in operations(document)}
    assert set(payload) == used


def test_the_page_about_it_names_every_scope() -> None:
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    table = page.split("| scope | what a token of it may do |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(SCOPES)


def test_it_is_given_as_yaml_to_who_asks_for_that() -> None:
    answer = Client().get("/api/schema/", headers={"Accept": "application/yaml"})
    assert answer.headers["Content-Type"] == "application/yaml"
    assert answer.content.startswith(b"openapi: 3.")
    assert answer.headers["Vary"] == "Accept"
    for accepted in ("", "text/html", "*/*", "application/json"):
        answer = Client().get("/api/schema/", headers={"Accept": accepted})
        assert answer.headers["Content-Type"] == "application/json"


def test_it_names_no_host(document: dict[str, Any]) -> None:
    assert "servers" not in document
    assert "testserver" not in json.dumps(document)


@pytest.mark.full
@pytest.mark.django_db
def test_examples_have_the_fields_that_answers_have(document: dict[str, Any]) -> None:
    club = ClubFactory.create()
    caller = Caller(organiser_of(club))
    caller.post(f"clubs/{club.slug}/members/", {"name": "Jan"}, status=201)
    member = caller.get(f"clubs/{club.slug}/members/")["results"][0]
    read = document["paths"]["/api/v1/clubs/{slug}/members/{id}/"]["get"]
    example = read["responses"]["200"]["content"]["application/json"]["examples"]["Member"]
    assert set(example["value"]) == set(member)


@pytest.mark.full
@pytest.mark.browser
def test_people_read_and_try_it_in_a_browser(desktop: Page, live_server: LiveServer) -> None:
    ClubFactory.create()
    desktop.goto("/api/docs/")
    expect(desktop.get_by_role("heading", name="Klaverclub")).to_be_visible()
    desktop.get_by_role("button", name="GET /api/v1/clubs/ The clubs").click()
    desktop.get_by_role("button", name="Try it out").click()
    desktop.get_by_role("button", name="Execute").click()
    expect(desktop.locator(".live-responses-table")).to_contain_text("De Vrolijke Boer")
