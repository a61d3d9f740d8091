"""Groups in one hall of an evening of teams: each stays whole in one of them."""

from collections import Counter

import pytest
from django.test import Client

from clubs.models import Club
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, MemberFactory, table, write_deal
from tests.tournaments.desk import desk_of
from tests.tournaments.entries import enter, open_entries
from tests.tournaments.planner.test_groups import (
    GROUPS,
    PUBLIC,
    begin,
    came,
    end,
    moved,
    people,
    planned,
    split,
    tables,
)
from tests.tournaments.public_pages import rows, words
from tournaments.entries.arrivals import person_arrive
from tournaments.models import Competitor, Evening, Placement, Registration
from tournaments.registration.competitors import competitor_create, teams_choose

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def in_teams(evening: Evening, *sizes: int) -> list[Competitor]:
    """Teams of so many people, the first of the strongest."""
    rows = iter(evening.registrations.order_by("seeded"))
    teams = []
    for letter, size in zip("PQRSTUVW", sizes, strict=False):
        team = competitor_create(
            club=evening.club, kind="team", name=letter, since=evening.date, actor=TESTS
        )
        ours = {next(rows).member_id: team for _place in range(size)}
        teams_choose(evening_id=evening.pk, wanted=ours, actor=TESTS)
        teams.append(team)
    return teams


def teams_of(evening: Evening) -> dict[str, int]:
    """How many people of each team are in the group."""
    names = evening.registrations.exclude(team=None).values_list("team__name", flat=True)
    return dict(sorted(Counter(names).items()))


@pytest.mark.full
@pytest.mark.parametrize(
    ("sizes", "count", "expected"),
    [
        ([4, 4, 4, 4], 2, [{"P": 4, "Q": 4}, {"R": 4, "S": 4}]),
        # Whole tables before equal groups: 8 and 12, not 10 and 10.
        ([2, 6, 2, 4, 6], 2, [{"P": 2, "Q": 6}, {"R": 2, "S": 4, "T": 6}]),
        ([4] * 6, 3, [{"P": 4, "Q": 4}, {"R": 4, "S": 4}, {"T": 4, "U": 4}]),
    ],
)
def test_a_team_stays_whole_in_one_group(
    club: Club, sizes: list[int], count: int, expected: list[dict[str, int]]
) -> None:
    in_teams(planned(club, sum(sizes), ranks="team", method="balanced"), *sizes)
    groups = split(club, count)
    assert [teams_of(group) for group in groups] == expected
    assert [group.ranks for group in groups] == ["team"] * count


@pytest.mark.full
def test_groups_of_teams_are_drawn_and_ranked_each_by_itself(club: Club) -> None:
    in_teams(planned(club, 32, ranks="team", method="balanced"), *[4] * 8)
    a, b = split(club)
    for group in (a, b):
        begin(group)
    playing = Placement.objects.filter(round__evening__in=[a, b], table__isnull=False)
    of = dict(Registration.objects.values_list("member_id", "team__name"))
    sides: dict[tuple[int, bool], set[str]] = {}
    for placement in playing.select_related("table"):
        assert placement.table
        side = placement.table.number, placement.seat in "NS"
        sides.setdefault(side, set()).add(of[placement.member_id])
    for number in {number for number, _ns in sides}:
        assert not sides[number, True] & sides[number, False]
    for number in tables(a) + tables(b):
        write_deal(table(a if number in tables(a) else b, number), 1, points={"NS": 100})
    for group in (a, b):
        end(group)
    first, second = (rows(Client().get(f"{PUBLIC}{more}/")) for more in ("", "-2"))
    assert [sorted(row[1] for row in group[:4]) for group in (first, second)] == [
        [*"PQRS"],
        [*"TUVW"],
    ]


def test_whoever_is_moved_takes_the_team_along(club: Club) -> None:
    in_teams(planned(club, 24, ranks="team", method="balanced"), *[4] * 6)
    a, b = split(club)
    assert [teams_of(a), teams_of(b)] == [{"P": 4, "Q": 4, "R": 4}, {"S": 4, "T": 4, "U": 4}]
    page = words(desk_of(club).get(GROUPS))
    assert "wie u verplaatst, neemt het team mee" in page
    # Who of the team is away goes along too: they may come later.
    a.registrations.filter(member__number=2).update(present=False, absence="notice")
    assert moved(club, n1_A="B") == ["Bewaard; gewijzigd: 4."]
    assert [teams_of(a), teams_of(b)] == [
        {"Q": 4, "R": 4},
        {"P": 4, "S": 4, "T": 4, "U": 4},
    ]
    join = f"{GROUPS}join/"
    desk_of(club).post(join)
    assert teams_of(Evening.objects.get()) == dict.fromkeys("PQRSTU", 4)


@pytest.mark.full
def test_the_people_of_a_team_do_not_go_to_two_groups(club: Club) -> None:
    in_teams(planned(club, 24, ranks="team", method="balanced"), *[4] * 6)
    a, _b, _c = split(club, 3)
    assert moved(club, n1_A="B", n2_A="C") == [
        "P speelt in één groep: kies voor iedereen van dat team dezelfde."
    ]
    assert teams_of(a) == {"P": 4, "Q": 4}


@pytest.mark.full
def test_nobody_is_chosen_for_a_team_of_another_group(club: Club) -> None:
    teams = in_teams(planned(club, 16, ranks="team", method="balanced"), 4, 4, 4, 4)
    a, b = split(club)
    late = MemberFactory.create(club=club)
    came(a, *people(a), late.number or 0)
    with pytest.raises(DomainError) as caught:
        teams_choose(evening_id=a.pk, wanted={late.pk: teams[2]}, actor=TESTS)
    assert caught.value.code == "team_in_other_group"
    assert caught.value.message.startswith("R speelt in Groep B")
    assert teams_choose(evening_id=a.pk, wanted={late.pk: teams[0]}, actor=TESTS) == 1
    assert teams_of(b) == {"R": 4, "S": 4}


@pytest.mark.full
def test_who_of_a_team_comes_late_comes_to_its_group(club: Club) -> None:
    evening = planned(club, 12, ranks="team", season=None)
    in_teams(evening, 4, 4, 2, 2)
    open_entries(evening, kind="team")
    entry = enter(evening, "Wilma Zomer", "Riet Bos", name="Late ploeg")
    first, last = entry.people.order_by("place")
    person_arrive(evening_id=evening.pk, person_id=first.pk, actor=TESTS)
    a, b = split(club)
    assert teams_of(b)["Late ploeg"] == 1
    person_arrive(evening_id=a.pk, person_id=last.pk, actor=TESTS)
    assert (teams_of(a).get("Late ploeg"), teams_of(b)["Late ploeg"]) == (None, 2)


@pytest.mark.full
def test_a_team_that_would_have_nobody_to_play_against(club: Club) -> None:
    in_teams(planned(club, 8, ranks="team"), 4, 2, 2)
    refused = desk_of(club).post(GROUPS, {"count": 2, "how": "strength"})
    assert refused.status_code == 422
    said = "Een team blijft bij elkaar in één groep en heeft een ander team nodig"
    assert said in words(refused)
    assert Evening.objects.count() == 1
