"""No thread of a test outlives it."""

from collections.abc import Iterator

import pytest

from tests.tournaments.copies import work_ended


@pytest.fixture(autouse=True)
def _work_ends() -> Iterator[None]:
    with work_ended():
        yield
