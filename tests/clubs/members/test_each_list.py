"""The lists of members in `tests/data/lists`: read in through the pages, taken back, read in again.

What must come out of each list stands beside it, typed by hand.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.clubs.members.list_pages import Lists
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db

LISTS = Path(__file__).parents[2] / "data" / "lists" / "members"
FILES = sorted(path for path in LISTS.iterdir() if not path.name.endswith(".json"))
COLUMNS = "number", "email", "phone", "street", "postcode", "town", "birthday", "member_since"


def stored(club: Club) -> list[dict[str, Any]]:
    """Everybody of the club, with what is known of them."""
    people = []
    for member in Member.objects.of(club).order_by("name", "number"):
        details = {name: getattr(member, name) for name in COLUMNS}
        own = {name: value for name, value in details.items() if value}
        for name in ("birthday", "member_since"):
            if name in own:
                own[name] = own[name].isoformat()
        people.append({"name": member.name, **own})
    return people


def wanted(expected: Any) -> list[dict[str, Any]]:
    return sorted(expected["people"], key=lambda person: (person["name"], person.get("number", 0)))


EACH_LIST = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def lists(client: Client, club: Club) -> Lists:
    client.force_login(organiser_of(club))
    return Lists(client, club)


@pytest.mark.each_case
@EACH_LIST
def test_each_list_is_read_in(lists: Lists, club: Club, path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    page = lists.file(path.read_bytes(), path.name)
    assert stored(club) == []
    columns = page.under("Kolommen die niet worden gelezen")
    assert [item.split(":")[0] for item in columns] == expected["columns_not_read"]
    lines = [item.split(",")[0] for item in page.under("Regels die niet worden gelezen")]
    assert {f"Regel {line['line']}" for line in expected["lines_not_people"]} <= set(lines)
    page.yes()
    assert stored(club) == wanted(expected)


@pytest.mark.full
@EACH_LIST
def test_what_is_taken_back_is_read_in_again(lists: Lists, club: Club, path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    lists.file(path.read_bytes(), path.name).yes()
    lists.take_back()
    assert stored(club) == []
    lists.file(path.read_bytes(), path.name).yes()
    assert stored(club) == wanted(expected)
