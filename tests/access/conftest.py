"""Worlds that a module makes once: each test works in a savepoint, which is taken back."""

import datetime as dt
from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.access.world import World


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    yield from _world("roodhart", dt.date(2026, 11, 21), django_db_blocker)


@pytest.fixture(scope="module")
def other(world: World, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A second club, beside that of `world`."""
    yield from _world("zilverberg", dt.date(2026, 11, 20), django_db_blocker)


def _world(word: str, date: dt.date, blocker: DjangoDbBlocker) -> Iterator[World]:
    with blocker.unblock(), transaction.atomic():
        yield World(word, date)
        transaction.set_rollback(True)
