"""A club, its desk, and pictures that are read when a test has it done."""

import pytest
from django.test import Client

from clubs.models import Club
from tests.factories import (
    ClubFactory,
)
from tests.tournaments.desk import desk_of


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


@pytest.fixture(autouse=True)
def read_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread reads: a test has it done when it wants."""
    monkeypatch.setattr("tournaments.sheet_photos.queue._aside.put", lambda _job: True)
