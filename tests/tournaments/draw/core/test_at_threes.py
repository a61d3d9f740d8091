"""Who sits at tables of three when there are more fixed couples than others."""

from collections import Counter

import pytest

from tournaments.draw.core.check import check_draw
from tournaments.draw.core.engine import draw
from tournaments.draw.core.models import Couple, Draw, Method
from tournaments.draw.core.problem import DrawError

METHODS: tuple[Method, ...] = ("lottery", "balanced", "rotation", "ranked")


def club(count: int, couples: int) -> tuple[list[str], list[Couple]]:
    players = [f"p{number:02}" for number in range(count)]
    together = players[: 2 * couples]
    return players, list(zip(together[::2], together[1::2], strict=True))


def couples_at_threes(drawn: Draw, fixed: list[Couple]) -> list[Couple]:
    threes = [
        table.people() for one in drawn.rounds for table in one.tables if "W" not in table.seats
    ]
    return [couple for people in threes for couple in fixed if people.issuperset(couple)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("count", "couples", "at_threes"), [(7, 3, 1), (10, 3, 1), (10, 4, 2), (13, 4, 2), (15, 7, 1)]
)
def test_couples_are_never_split_and_as_few_as_can_be_are_there(
    method: Method, count: int, couples: int, at_threes: int
) -> None:
    # Three seats to a table, of which the others of the club fill as many as they are.
    players, fixed = club(count, couples)
    for seed in range(4):
        drawn = draw(
            players=players,
            rounds=1,
            method=method,
            leftover="three_handed",
            fixed=fixed,
            seed=seed,
        )
        assert check_draw(players, drawn, leftover="three_handed", fixed=fixed) == ()
        assert len(couples_at_threes(drawn, fixed)) == at_threes


def test_couples_go_in_turn() -> None:
    players, fixed = club(7, 3)
    drawn = draw(players=players, rounds=6, method="lottery", leftover="three_handed", fixed=fixed)
    assert Counter(couples_at_threes(drawn, fixed)) == Counter(fixed * 2)


@pytest.mark.parametrize(("count", "couples"), [(6, 3), (9, 4), (10, 5), (13, 6)])
def test_more_couples_than_tables_can_keep_together(count: int, couples: int) -> None:
    # A table of three takes one couple and one other, and there are fewer others than such tables.
    players, fixed = club(count, couples)
    with pytest.raises(DrawError, match="the couples leave no way to seat everybody"):
        draw(players=players, rounds=1, method="lottery", leftover="three_handed", fixed=fixed)
