"""What an answer says of a line that cannot be: the faults of the regulation and of the deal."""

import pytest

from scoring.rules import Fault, InvalidDeal, RuleSet, evaluate, score_line
from tests.scoring.rules.sheets import faults_of
from tests.scoring.rules.test_faults import POINTS

Expected = list[tuple[str, str]]


def answered(value: object) -> Expected:
    answer = score_line(value)
    errors = answer["errors"]
    assert answer == {"valid": False, "errors": errors}
    assert isinstance(errors, list)
    return [(error["code"], error["field"]) for error in errors]


def test_an_answer_names_faults_of_the_regulation_and_of_the_deal() -> None:
    assert answered({}) == [
        ("missing", "regulation"),
        ("missing", "declarer"),
        ("missing", "trump"),
        ("missing", "points"),
    ]
    deal = {"declarer": "N", "trump": "H", "points": {"NS": 100, "EW": 61}}
    assert answered({"regulation": "x", **deal}) == [
        ("unknown_preset", "regulation"),
        ("points_sum", "points"),
    ]


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        # What may depend on the regulation is not held against the deal when that is faulty.
        ({"trump": None, "points": {"NS": 65, "EW": 65}}, []),
        ({"trump": "NT", "points": {"NS": 65}}, []),
        ({"trump": "H", "reneged": "E"}, []),
        ({"trump": "H", "roem": {"NS": [30]}, "points": {"NS": 65}}, []),
        ({"trump": "H", "pit": "NS", "points": {"NS": 65}}, [("pit_points", "points")]),
        ({"trump": "H", "pit": "NS", "roem": {"EW": [20]}}, [("roem_without_trick", "roem.EW")]),
        ({"trump": "H", "pit": "NS", "roem": {"EW": [30]}}, []),
        ({"trump": "H", "cards": []}, [("missing", "leader"), ("card_count", "cards")]),
        ({"trump": "H"}, [("missing", "points")]),
        ({"trump": "H", "pit": "X"}, [("bad_value", "pit")]),
    ],
)
def test_under_a_faulty_regulation_only_what_is_wrong_under_any(
    deal: dict[str, object], expected: Expected
) -> None:
    found = answered({"regulation": 1, "declarer": "N", **deal})
    assert found == [("bad_type", "regulation"), *expected]


def test_a_trump_nobody_can_read_is_not_held_against_a_pit() -> None:
    deal = {"declarer": "N", "trump": "X", "pit": "NS", "points": {"NS": 130}}
    assert faults_of(deal, "thousand-and-one") == [("bad_value", "trump")]


@pytest.mark.parametrize("value", [None, [], "deal", 5, 1.5, True])
def test_what_is_no_object_is_bad_json(value: object) -> None:
    assert score_line(value) == {
        "valid": False,
        "errors": [
            {"code": "bad_json", "field": "", "message": "This is not a JSON object."},
        ],
    }


def test_an_answer_can_be_in_dutch() -> None:
    deal = {"declarer": "N", "trump": "H", "points": {"NS": 100, "EW": 61}}
    assert score_line({"regulation": "amsterdam", **deal}, language="nl")["errors"] == [
        {
            "code": "points_sum",
            "field": "points",
            "message": "Samen moet het 162 zijn; nu is het 161.",
        }
    ]


def test_the_exception_names_what_is_wrong() -> None:
    with pytest.raises(InvalidDeal, match="points: points_sum") as caught:
        evaluate({"declarer": "N", "trump": "H", "points": {"NS": 9, "EW": 9}}, RuleSet())
    assert caught.value.faults == (Fault("points_sum", "points", {"total": 162, "sum": 18}),)


def test_a_deal_does_not_hold_its_regulation() -> None:
    deal = {"declarer": "N", "trump": "H", "regulation": "amsterdam", **POINTS}
    assert faults_of(deal) == [("unknown_key", "regulation")]
