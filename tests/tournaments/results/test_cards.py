"""The picture of a link, whatever stands in the names on it."""

import pytest
from django.test import Client

from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db


@pytest.mark.full
@pytest.mark.parametrize("broken", ["\n", "\r\n", "\x85", "\x1c", "\u2029"])
def test_a_name_that_was_pasted_with_a_line_end_is_one_line(client: Client, broken: str) -> None:
    ClubFactory.create(slug="boer", name=f"De{broken}Vrolijke Boer")
    response = client.get("/clubs/boer/card.png")
    assert response.content[:4] == b"\x89PNG"
