"""Lines larger than any sheet: answered briefly, and in no time."""

from typing import Any

import pytest

from scoring.rules import score_line
from tests.scoring.rules.sheets import PLAIN, faults

POINTS = {"points": {"NS": 100}}


@pytest.mark.parametrize(
    "part",
    [
        {"roem": {"NS": [20] * 101}},
        {"roem": {"NS": ["x"] * 500_000}},
        {"corrections": [{}] * 500_000},
        {"seats": ["N"] * 101},
    ],
    ids=lambda part: next(iter(part)),
)
def test_a_list_longer_than_any_sheet_is_one_fault(part: dict[str, object]) -> None:
    [key] = part
    field = "roem.NS" if key == "roem" else key
    assert faults(**POINTS, **part) == [("bad_value", field)]


def test_a_list_as_long_as_that_is_read_item_by_item() -> None:
    assert faults(**POINTS, roem={"NS": [20] * 100}) == [("roem_unreachable", "roem")]
    assert len(faults(**POINTS, roem={"NS": [30] * 100})) == 100


@pytest.mark.parametrize(
    ("part", "code", "field"),
    [
        ({}, "unknown_key", "k"),
        ({"points": {}}, "unknown_key", "points.k"),
        ({"roem": {}}, "unknown_key", "roem.k"),
        ({"corrections": [{"seat": "N", "points": 5}]}, "unknown_key", "corrections.0.k"),
        ({"regulation": {}}, "unknown_setting", "regulation.k"),
    ],
    ids=str,
)
def test_of_more_keys_than_anybody_writes_the_first_hundred_are_named(
    part: dict[str, Any], code: str, field: str
) -> None:
    """Else one line of a megabyte would take seconds and be answered with ten."""
    deal: dict[str, Any] = {"regulation": "amsterdam", **PLAIN, **POINTS, **part}
    [holder] = list(part.values()) or [deal]
    (holder[0] if isinstance(holder, list) else holder).update({f"k{n}": 0 for n in range(50_000)})
    errors: Any = score_line(deal)["errors"]
    named = [(error["code"], error["field"]) for error in errors if error["code"] == code]
    assert named == [(code, f"{field}{n}") for n in range(100)]


def test_of_more_cards_than_anybody_lays_the_first_hundred_are_judged() -> None:
    laid = {"leader": "N", "cards": ["1C"] * 50_000, "announced": ["x"] * 50_000}
    expected = [
        *[("card_unknown", f"cards.{n}") for n in range(100)],
        ("card_count", "cards"),
        *[("bad_type", f"announced.{n}") for n in range(100)],
        ("bad_value", "announced"),
    ]
    assert faults(**laid) == expected
