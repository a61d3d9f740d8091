"""What the tests of a draw that changes afterwards share."""

from collections.abc import Callable
from typing import Any

import pytest

from clubs.models import Member
from clubs.text.errors import DomainError
from scoring.models import Scoresheet, Seat
from tests.factories import TESTS, MemberFactory, evening_with_draw
from tournaments.draw.changes import draw_adapt
from tournaments.models import Evening, Placement
from tournaments.registration.check_in import presence_set

Four = dict[str, int | None]
_EMPTY: Four = {"W": None}


def typed(players: int, **given: Any) -> Evening:
    """A draw typed in and final, not started: 1 2 3 4 at N E S W of table 1, then table 2, …"""
    return evening_with_draw(players=players, method="typed_in", started=False, **given)


def member(number: int) -> Member:
    return Member.objects.get(number=number)


def comes(evening: Evening) -> Member:
    """Somebody new walks in."""
    who = MemberFactory.create(club=evening.club)
    presence_set(evening_id=evening.pk, member=who, present=True, actor=TESTS)
    return who


def leaves(evening: Evening, number: int) -> None:
    presence_set(evening_id=evening.pk, member=member(number), present=False, actor=TESTS)


def adapt(evening: Evening, *members: Member, **given: Any) -> None:
    draw_adapt(evening_id=evening.pk, members=members, actor=TESTS, **given)


def hall(evening: Evening, number: int = 1) -> dict[int, Four]:
    """Who sits where in a round, by table and seat; it must be the same on the sheets."""
    of_round = Placement.objects.filter(round__evening=evening, round__number=number)
    found: dict[int, Four] = {}
    for at, seat, who in of_round.filter(table__isnull=False).values_list(
        "table__number", "seat", "member__number"
    ):
        found.setdefault(at, {})[seat] = who
    sheets: dict[int, Four] = {}
    for at, seat, who in Seat.objects.filter(
        sheet__table__round__evening=evening, sheet__table__round__number=number
    ).values_list("sheet__table__number", "seat", "member__number"):
        sheets.setdefault(at, {})[seat] = who
    assert {at: _EMPTY | four for at, four in found.items()} == sheets
    return found


def out(evening: Evening, number: int = 1) -> list[int | None]:
    """The numbers of who sits out a round."""
    resting = Placement.objects.filter(round__evening=evening, round__number=number, table=None)
    return [*resting.order_by("member__number").values_list("member__number", flat=True)]


def lying(evening: Evening) -> dict[tuple[int, int], int]:
    """Which sheet lies where, by round and table."""
    rows = Scoresheet.objects.filter(table__round__evening=evening)
    return {
        (number, at): pk
        for number, at, pk in rows.values_list("table__round__number", "table__number", "pk")
    }


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as caught:
        act()
    return caught.value.code


ONE: Four = {"N": 1, "E": 2, "S": 3, "W": 4}
TWO: Four = {"N": 5, "E": 6, "S": 7, "W": 8}
THREE: Four = {"N": 9, "E": 10, "S": 11, "W": 12}
