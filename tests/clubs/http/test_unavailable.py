"""What people are told while the database cannot be reached or its disk is full."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client

from scoring.models import DealEntry
from tests.factories import ClubFactory
from tests.load.hall import filled_in
from tests.tournaments.table_pages import link, playing

pytestmark = pytest.mark.django_db


@contextmanager
def broken(error: Exception, *, word: str = "") -> Iterator[None]:
    """A database of which every statement with this word in it fails."""

    def fail(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if word in sql:
            raise error
        return execute(sql, *rest)

    with connection.execute_wrapper(fail):
        yield


@contextmanager
def asking(statement: str) -> Iterator[None]:
    """A program that asks something else than it means to."""
    with connection.execute_wrapper(lambda run, _sql, _given, *rest: run(statement, None, *rest)):
        yield


@pytest.mark.both
@pytest.mark.parametrize("error", [OperationalError("disk full"), InterfaceError("closed")])
def test_a_page_asks_to_wait(client: Client, error: Exception) -> None:
    club = ClubFactory.create()
    with broken(error):
        response = client.get(f"/clubs/{club.slug}/")
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert response.headers["Cache-Control"] == "no-store"
    assert "<h1>Even geduld</h1>" in response.content.decode()
    assert client.get(f"/clubs/{club.slug}/").status_code == 200


def test_a_phone_is_told_in_json_and_nothing_is_written(client: Client) -> None:
    address = link(playing())
    client.get(address)
    deal, fields = f"{address}rounds/1/deals/1/", filled_in(40)
    with broken(OperationalError("database or disk is full"), word="INSERT"):
        response = client.post(deal, fields, headers={"accept": "application/json"})
    assert response.status_code == 503
    assert response.json() == {
        "status": "unavailable",
        "message": "Een ogenblik geduld: er kan nu niets bewaard worden.",
    }
    assert DealEntry.objects.count() == 0
    again = client.post(deal, fields, headers={"accept": "application/json"})
    assert again.json() == {"status": "written", "number": 1, "version": 1}


def test_a_program_gets_a_problem(client: Client) -> None:
    club = ClubFactory.create()
    with broken(OperationalError("the connection is closed")):
        response = client.get(f"/api/v1/clubs/{club.slug}/")
    assert response.status_code == 503
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Retry-After"] == "5"
    assert response.json()["code"] == "unavailable"


def test_a_session_that_cannot_be_kept_is_no_fault_of_the_program(client: Client) -> None:
    client.raise_request_exception = False
    with broken(OperationalError("disk full"), word="clubs_loginsession"):
        client.cookies["sessionid"] = "x" * 32
        response = client.get("/account/")
    assert response.status_code == 503


def test_a_statement_too_large_for_the_database_is_not_called_an_outage(client: Client) -> None:
    club = ClubFactory.create()
    client.raise_request_exception = False
    with asking(f"SELECT {'(' * 100_000}1{')' * 100_000}"):
        response = client.get(f"/clubs/{club.slug}/")
    assert response.status_code == 500


def test_a_fault_of_the_program_stays_one(client: Client) -> None:
    club = ClubFactory.create()
    client.raise_request_exception = False
    with broken(ValueError("a slip")):
        response = client.get(f"/clubs/{club.slug}/")
    assert response.status_code == 500
    assert "<h1>Er ging bij ons iets mis</h1>" in response.content.decode()
