"""Positions that public engines test themselves with, and those on which they disagree."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import PRESETS, SEATS, PlayedTrick, RuleSet, Trump, legal_cards, trace
from tests.scoring.rules.dealing import SUITS
from tests.scoring.rules.sheets import score, worked_out

VECTORS = Path(__file__).parents[2] / "data" / "rules-vectors.json"
REGULATION = RuleSet()


def vectors() -> dict[str, list[dict[str, Any]]]:
    """Every case by its kind; on the contested ones the rules texts have the last word."""
    read = json.loads(VECTORS.read_text(encoding="utf-8"))
    cases: dict[str, list[dict[str, Any]]] = {}
    for case in read["cases"] + read["contested"]:
        cases.setdefault(case["kind"], []).append(case)
    return cases


CASES = vectors()


def rules_of(case: dict[str, Any]) -> list[RuleSet]:
    names = ["amsterdam", "rotterdam"] if case["rules"] == "both" else [case["rules"]]
    return [PRESETS[name] for name in names]


def filled_up(trick: list[str], trump: Trump) -> PlayedTrick:
    """The trick with cards added, where some are missing, that can change nothing."""
    suits = {card[1] for card in trick} | {trump}
    idle = next(suit for suit in SUITS if suit not in suits) if len(trick) < 4 else ""
    cards = [*trick, *(card for card in ("7" + idle, "8" + idle, "9" + idle))][:4]
    return trace(cards, "N", trump, REGULATION).tricks[0]


def winner_index(trick: list[str], trump: Trump) -> int:
    return SEATS.index(filled_up(trick, trump).winner)


def test_every_kind_of_case_is_tested() -> None:
    assert {kind: len(cases) for kind, cases in CASES.items()} == {
        "legal": 184,
        "roem": 60,
        "trick": 32,
        "deal": 25,
        "beats": 12,
        "roem_claim": 9,
        "is_legal": 5,
        "renege": 5,
        "trick_points": 5,
        "nat_threshold": 4,
        "partial_winner": 4,
    }


@pytest.mark.parametrize("case", CASES["legal"])
def test_the_cards_that_may_be_played(case: dict[str, Any]) -> None:
    for regulation in rules_of(case):
        legal = legal_cards(case["hand"], case["trick"], case["trump"], regulation)
        assert sorted(legal) == sorted(case["expected_legal"])


@pytest.mark.parametrize("case", CASES["is_legal"])
def test_whether_a_card_may_be_played(case: dict[str, Any]) -> None:
    for regulation in rules_of(case):
        legal = legal_cards(case["hand"], case["trick"], case["trump"], regulation)
        assert (case["card"] in legal) is case["expected"]


@pytest.mark.parametrize("case", CASES["renege"])
def test_which_cards_were_not_allowed(case: dict[str, Any]) -> None:
    """What a player did not lay in the first trick he lays in the second."""
    leader, plays = case["leader"], case["plays"]
    hands = {int(seat): set(hand) - set(plays) for seat, hand in case["hands"].items()}
    winner = (leader + winner_index(plays, case["trump"])) % 4
    idle = iter(["7D", "8D", "9D", "TD"])
    later = [(hands[(winner + turn) % 4] or {next(idle)}).pop() for turn in range(4)]
    laid = trace(plays + later, SEATS[leader], case["trump"], rules_of(case)[0])
    judged = [renege.card for renege in laid.reneges if renege.trick == 1]
    assert judged == [plays[place] for place in case["expected_illegal_play_indices"]]


@pytest.mark.parametrize("case", CASES["trick"] + CASES["partial_winner"])
def test_who_takes_a_trick(case: dict[str, Any]) -> None:
    assert winner_index(case["trick"], case["trump"]) == case["expected_winner_index"]


@pytest.mark.parametrize("case", CASES["beats"])
def test_which_of_two_cards_is_higher(case: dict[str, Any]) -> None:
    """The card is played on the other, in the suit led where the case says which."""
    assert case["other"][1] == case.get("led", case["other"][1])
    beaten = winner_index([case["other"], case["card"]], case["trump"]) == 1
    assert beaten is case["expected"]


@pytest.mark.parametrize("case", CASES["roem"] + CASES["roem_claim"])
def test_the_roem_of_four_cards(case: dict[str, Any]) -> None:
    roem = filled_up(case["trick"], case["trump"]).roem
    if case["kind"] == "roem_claim":
        assert (roem == case["claimed"]) is case["expected"]
    else:
        assert roem == case["expected_roem"]


@pytest.mark.parametrize(
    "case", [case for cases in CASES.values() for case in cases if "expected_card_points" in case]
)
def test_the_points_of_a_trick(case: dict[str, Any]) -> None:
    assert filled_up(case["trick"], case["trump"]).points == case["expected_card_points"]


@pytest.mark.parametrize("case", [case for case in CASES["trick"] if "expected_roem" in case])
def test_the_roem_of_a_trick(case: dict[str, Any]) -> None:
    assert filled_up(case["trick"], case["trump"]).roem == case["expected_roem"]


@pytest.mark.parametrize("case", CASES["deal"])
def test_what_a_deal_comes_to(case: dict[str, int]) -> None:
    pit = {"pit": "NS"} if case.get("declarer_tricks") == 8 else {}
    roem = {"NS": case["declarer_roem"], "EW": case["defender_roem"]}
    deal = {
        "points": {"NS": case["declarer_card_points"], "EW": case["defender_card_points"]},
        "roem": {side: [20] * (worth // 20) for side, worth in roem.items()},
    }
    assert score(**deal, **pit) == (case["expected_declarer"], case["expected_defender"])


@pytest.mark.parametrize("case", CASES["nat_threshold"])
def test_the_least_that_is_not_nat(case: dict[str, int]) -> None:
    roem = {"NS": [20] * (case["total_roem"] // 20)}
    least = case["expected_min_declarer_total"] - case["total_roem"]
    assert not worked_out(points={"NS": least}, roem=roem).nat
    assert worked_out(points={"NS": least - 1}, roem=roem).nat
