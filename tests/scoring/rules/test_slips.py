"""What the rules catch of the slips that scorekeepers make, on fewer deals than `make slips`."""

from collections.abc import Mapping

import pytest

from scoring.rules import PRESETS
from tests.scoring.rules.slips import SAME, SLIPS, STOPPED, THROUGH, Counted, count_slips, main

DEALS = 200


@pytest.fixture(scope="module")
def one_side() -> Mapping[str, Counted]:
    return count_slips(DEALS, PRESETS["amsterdam"], both=False)[0]


@pytest.fixture(scope="module")
def both_sides() -> Mapping[str, Counted]:
    return count_slips(DEALS, PRESETS["amsterdam"], both=True)[0]


@pytest.mark.parametrize(
    "kind",
    [
        "points: wrong digit",
        "points: lost digit",
        "points: doubled digit",
        "points: swapped digits",
        "pit mark too many",
        "pit mark of the other side",
        "nat mark too many",
        "roem: lost digit",
        "roem: swapped digits",
    ],
)
def test_with_both_sides_written_these_are_always_stopped(
    both_sides: Mapping[str, Counted], kind: str
) -> None:
    outcomes = both_sides[kind]
    assert outcomes.total() > 0
    assert outcomes[STOPPED] == outcomes.total()


@pytest.mark.parametrize(
    "kind", ["pit mark too many", "pit mark forgotten", "nat mark too many", "roem: lost digit"]
)
def test_with_one_side_written_these_are_always_stopped(
    one_side: Mapping[str, Counted], kind: str
) -> None:
    outcomes = one_side[kind]
    assert outcomes.total() > 0
    assert outcomes[STOPPED] == outcomes.total()


@pytest.mark.parametrize("kind", ["roem: doubled digit", "pit mark forgotten"])
def test_these_never_slip_through(both_sides: Mapping[str, Counted], kind: str) -> None:
    assert both_sides[kind].total() > 0
    assert both_sides[kind][THROUGH] == 0


def test_some_change_nothing_in_the_score(one_side: Mapping[str, Counted]) -> None:
    assert one_side["partner declared"][SAME] == one_side["partner declared"].total() > 0
    assert one_side["nat mark forgotten"][SAME] == one_side["nat mark forgotten"].total() > 0


def test_the_command_prints_a_row_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    main(100)
    rows = capsys.readouterr().out.splitlines()
    kinds = [*SLIPS, "no slip at all"]
    assert [row[:28].strip() for row in rows] == ["", "slip", *kinds, "", "slip", *kinds]
