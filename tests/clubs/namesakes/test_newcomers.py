"""Of somebody new only those are read who may be called like them: that must miss nobody."""

from random import Random
from typing import Any

import pytest

from clubs.members.services import member_create
from clubs.models import Club, Member
from clubs.namesakes.services import namesakes_follow
from tests.factories import TESTS, ClubFactory

pytestmark = pytest.mark.django_db

NEWCOMERS: list[dict[str, Any]] = [
    {"name": "Jan de Vries"},
    {"name": "JAN  de vries", "town": "Edam"},
    {"name": "Jan de Vries (Edam)"},
    {"name": "Piet Bos", "public_name": "Jan de Vries"},
    {"name": "Jo de Vos", "public_as": "initials"},
    {"name": "Jet de Vroom", "public_as": "initials", "number": 7},
    {"name": "J. d. V."},
    {"name": "Mia Kok", "public_as": "hidden"},
    {"name": "Mia Kok"},
    {"name": "Kees (a)"},
    {"name": "Kees"},
    {"name": "Niemand Anders"},
]


def kept(club: Club) -> list[tuple[object, ...]]:
    columns = "name", "mark", "public_mark", "version"
    return list(Member.objects.of(club).order_by("pk").values_list(*columns))


@pytest.mark.parametrize("seed", range(6))
def test_whoever_is_new_leaves_nothing_for_others_to_follow(seed: int) -> None:
    club = ClubFactory.create()
    for details in Random(seed).sample(NEWCOMERS, len(NEWCOMERS)):
        member_create(club=club, actor=TESTS, **details)
        before = kept(club)
        namesakes_follow(club)
        assert kept(club) == before
    marked = {name for name, mark, public_mark, _version in kept(club) if mark or public_mark}
    assert {"Jan de Vries", "JAN de vries", "Piet Bos", "Jo de Vos", "J. d. V."} <= marked
