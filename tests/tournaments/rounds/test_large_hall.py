"""The board of a hall that is larger than SQLite's limit of a thousand alternatives."""

import uuid
from typing import TypeVar

import pytest
from django.db.models import Model

from clubs.models import Member
from scoring.models import Scoresheet, Seat
from tests.factories import ClubFactory, evening_with_draw, full_name, table
from tests.tournaments.desk import EVENING, desk_of
from tournaments.models import Evening, Table

pytestmark = pytest.mark.django_db

TABLES = 300
Row = TypeVar("Row", bound=Model)


@pytest.mark.full
def test_the_board_of_1200_people_opens() -> None:
    club = ClubFactory.create()
    _hall(evening_with_draw(club=club, players=4, rounds=1))

    page = desk_of(club).get(f"{EVENING}board/")

    assert page.status_code == 200
    assert page.content.decode().count(full_name(4 * TABLES)) == 1


def _hall(evening: Evening) -> None:
    """Make the one table of the evening into many, all at once."""
    first = table(evening)
    member = Member.objects.get(number=1)
    names = [(number, full_name(number)) for number in range(5, 4 * TABLES + 1)]
    people = Member.objects.bulk_create(
        _like(member, number=number, name=name, name_key=name, sort_name=name)
        for number, name in names
    )
    sheets = Scoresheet.objects.bulk_create(_like(first.sheet) for _ in range(1, TABLES))
    Table.objects.bulk_create(
        _like(first, number=number, sheet_id=sheet.pk) for number, sheet in enumerate(sheets, 2)
    )
    seat = first.sheet.seats.first()
    assert seat is not None
    chairs = [(sheet, chair) for sheet in sheets for chair in "NESW"]
    Seat.objects.bulk_create(
        _like(seat, sheet_id=sheet.pk, seat=chair, member_id=person.pk, counts_for_id=person.pk)
        for (sheet, chair), person in zip(chairs, people, strict=True)
    )


def _like(row: Row, **other: object) -> Row:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    own = {name: uuid.uuid4() for name in ("uuid",) if name in values}
    return type(row)(**values | {"id": None} | own | other)
