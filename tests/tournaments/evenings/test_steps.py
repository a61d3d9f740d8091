"""The line of steps says where the evening is, also on the page where the first draw is made."""

from typing import Any

import pytest

from tests.factories import TESTS, EveningFactory, MemberFactory
from tests.tournaments.desk import EVENING, desk_of
from tournaments.models import Evening
from tournaments.registration.check_in import presence_replace

pytestmark = pytest.mark.django_db


def evening_of(players: int, **plan: object) -> Evening:
    evening = EveningFactory.create(**plan)
    members = [MemberFactory.create(club=evening.club) for _ in range(players)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    return evening


def steps(evening: Evening, page: str) -> list[tuple[str, str]]:
    response: Any = desk_of(evening.club).get(f"{EVENING}{page}")
    return [(step.label, step.state) for step in response.context["steps"]][:3]


@pytest.mark.full
@pytest.mark.parametrize("page", ["draw/", "draw/type-in/", "draw/type-in/lots/"])
def test_before_the_first_draw_its_pages_are_at_the_draw(page: str) -> None:
    evening = evening_of(8, method="typed_in")
    found = [("Aanwezig", "done"), ("Loting", "current"), ("Ronde 1", "todo")]
    assert steps(evening, page) == found


@pytest.mark.full
def test_who_is_here_is_the_step_as_long_as_that_page_is_looked_at() -> None:
    evening = evening_of(8)
    found = [("Aanwezig", "current"), ("Loting", "todo"), ("Ronde 1", "todo")]
    assert steps(evening, "present/") == found


@pytest.mark.parametrize(("players", "leftover"), [(3, "sit_out"), (5, "three_handed")])
def test_with_people_who_cannot_be_drawn_the_step_stays_who_is_here(
    players: int, leftover: str
) -> None:
    evening = evening_of(players, leftover=leftover)
    assert steps(evening, "draw/")[0] == ("Aanwezig", "current")


@pytest.mark.full
def test_pairs_that_are_not_made_come_before_the_draw() -> None:
    evening = evening_of(8, method="pairs")
    found = [("Aanwezig", "done"), ("Paren", "current"), ("Loting", "todo")]
    assert steps(evening, "draw/") == found


@pytest.mark.full
def test_pairs_that_are_made_are_done_on_the_page_of_the_draw() -> None:
    evening = evening_of(8, method="pairs")
    for number, one in enumerate(evening.registrations.order_by("pk")):
        evening.registrations.filter(pk=one.pk).update(pair=number // 2 + 1)
    found = [("Aanwezig", "done"), ("Paren", "done"), ("Loting", "current")]
    assert steps(evening, "draw/") == found
