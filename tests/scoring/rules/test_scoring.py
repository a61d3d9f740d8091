"""What deals come to, each worked out by hand from the contract's tables."""

from typing import Any

import pytest

from scoring.rules import evaluate, explain, parse_regulation, score_line
from tests.scoring.rules.sheets import faults_of, score, worked_out


def test_the_example_of_the_contract() -> None:
    deal = {
        "regulation": "amsterdam",
        "declarer": "N",
        "trump": "H",
        "points": {"EW": 65},
        "roem": {"NS": [20, 50], "EW": []},
    }
    assert score_line(deal) == {
        "valid": True,
        "nat": False,
        "pit": None,
        "points": {"NS": 97, "EW": 65},
        "roem": {"NS": 70, "EW": 0},
        "score": {"NS": 167, "EW": 65},
        "players": {"N": 167, "E": 65, "S": 167, "W": 65},
    }


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"points": {"NS": 82}}, (82, 80)),
        ({"points": {"EW": 80}}, (82, 80)),
        ({"points": {"NS": 82, "EW": 80}}, (82, 80)),
        ({"points": {"NS": 81}}, (0, 162)),
        ({"points": {"NS": 80}}, (0, 162)),
        ({"points": {"NS": 80}, "declarer": "E"}, (80, 82)),
        ({"points": {"NS": 80}, "declarer": "EW"}, (80, 82)),
        # 82 is enough only without roem.
        ({"points": {"NS": 90}, "roem": {"EW": [20]}}, (0, 182)),
        ({"points": {"NS": 91}, "roem": {"EW": [20]}}, (0, 182)),
        ({"points": {"NS": 92}, "roem": {"EW": [20]}}, (92, 90)),
        ({"points": {"NS": 72}, "roem": {"NS": [20]}}, (92, 90)),
        ({"points": {"NS": 60}, "roem": {"NS": [20, 20], "EW": [20]}}, (0, 222)),
        ({"points": {"NS": 0}}, (0, 162)),
        ({"points": {"NS": 162}}, (162, 0)),
        ({"points": {"NS": 136}, "roem": {"EW": [200]}}, (0, 362)),
    ],
)
def test_nat_unless_the_declarers_have_strictly_more(
    deal: dict[str, object], expected: tuple[int, int]
) -> None:
    assert score(**deal) == expected
    assert worked_out(**deal).nat == (0 in expected and expected != (162, 0))


@pytest.mark.parametrize(
    ("settings", "deal", "expected", "nat"),
    [
        ({"nat_roem": "lost"}, {"points": {"NS": 60}, "roem": {"NS": [20], "EW": [50]}}, 212, True),
        ({"nat_roem": "lost"}, {"nat": True, "roem": {"NS": [20], "EW": [50]}}, 212, True),
        ({"nat_counts_roem": False}, {"points": {"NS": 81}, "roem": {"NS": [20]}}, 182, True),
        ({"nat_counts_roem": False}, {"points": {"NS": 82}, "roem": {"EW": [50]}}, 130, False),
        ({"nat": False}, {"points": {"NS": 60}, "roem": {"NS": [20], "EW": [50]}}, 152, False),
        ({"nat": False}, {"points": {"NS": 81}}, 81, False),
    ],
)
def test_the_settings_of_nat(
    settings: dict[str, object], deal: dict[str, object], expected: int, nat: bool
) -> None:
    result = worked_out(settings, **deal)
    assert (result.score["EW"], result.nat) == (expected, nat)


def test_what_each_side_took_is_shown_before_nat() -> None:
    result = worked_out(points={"NS": 60}, roem={"NS": [20, 20], "EW": [50]})
    assert result.points == {"NS": 60, "EW": 102}
    assert result.roem == {"NS": 40, "EW": 50}
    assert result.score == {"NS": 0, "EW": 252}
    assert result.players == {"N": 0, "E": 252, "S": 0, "W": 252}


def test_nat_that_nobody_counted() -> None:
    result = worked_out(nat=True, roem={"NS": [20], "EW": [50]})
    assert result.points == {"NS": None, "EW": None}
    assert result.roem == {"NS": 20, "EW": 50}
    assert (result.nat, result.pit, result.score) == (True, None, {"NS": 0, "EW": 232})


def test_a_nat_mark_that_agrees_with_the_count_changes_nothing() -> None:
    counted = {"points": {"NS": 60}, "roem": {"NS": [20]}}
    marked = worked_out(nat=True, **counted).as_json()
    assert marked == worked_out(**counted).as_json()
    assert score(nat=False, points={"NS": 60}) == (0, 162)
    assert score(nat=False, points={"NS": 100}) == (100, 62)


@pytest.mark.parametrize(
    ("regulation", "deal", "expected", "nat"),
    [
        ("amsterdam", {"pit": "NS"}, (262, 0), False),
        ("amsterdam", {"pit": "NS", "roem": {"NS": [20, 20]}}, (302, 0), False),
        ("amsterdam", {"pit": "EW", "roem": {"EW": [20]}}, (0, 282), True),
        ("amsterdam", {"pit": "EW", "nat": True}, (0, 262), True),
        ("amsterdam", {"pit": "EW", "declarer": "W"}, (0, 262), False),
        ("amsterdam", {"pit": "NS", "points": {"NS": 162}}, (262, 0), False),
        ("amsterdam", {"pit": "NS", "points": {"EW": 0}}, (262, 0), False),
        ("amsterdam", {"pit": "NS", "points": {"NS": 162, "EW": 0}}, (262, 0), False),
        ("thousand-and-one", {"pit": "NS"}, (162, 0), False),
        ("thousand-and-one", {"pit": "EW"}, (0, 162), True),
        ("thousand-and-one", {"pit": "EW", "trump": "NT"}, (0, 130), True),
        ({"pit_bonus": 50, "counter_pit_bonus": 0}, {"pit": "NS"}, (212, 0), False),
        ({"pit_bonus": 50, "counter_pit_bonus": 0}, {"pit": "EW"}, (0, 162), True),
        ("gezelligheid", {"pit": "EW", "roem": {"EW": [20]}}, (0, 282), False),
    ],
)
def test_pit_and_counter_pit(
    regulation: object, deal: dict[str, object], expected: tuple[int, int], nat: bool
) -> None:
    result = worked_out(regulation, **deal)
    total = 130 if deal.get("trump") == "NT" else 162
    other = "EW" if deal["pit"] == "NS" else "NS"
    assert (result.score["NS"], result.score["EW"]) == expected
    assert (result.nat, result.pit) == (nat, deal["pit"])
    assert result.points == {deal["pit"]: total, other: 0}


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"points": {"EW": 0}}, (212, 0)),
        ({"points": {"EW": 0}, "roem": {"NS": [20]}}, (232, 0)),
        ({"points": {"EW": 0}, "roem": {"EW": [20]}}, (162, 20)),
        ({"points": {"EW": 2}}, (160, 2)),
        ({"points": {"EW": 0}, "pit": "NS"}, (262, 0)),
        ({"points": {"NS": 0}}, (0, 162)),
    ],
)
def test_the_shutout_bonus_is_for_declarers_who_leave_nothing_and_made_no_pit(
    deal: dict[str, object], expected: tuple[int, int]
) -> None:
    assert score({"shutout_bonus": 50}, **deal) == expected


def test_the_shutout_bonus_is_given_without_nat_too() -> None:
    assert score({"preset": "gezelligheid", "shutout_bonus": 50}, points={"NS": 162}) == (212, 0)


@pytest.mark.parametrize(
    ("regulation", "deal", "expected"),
    [
        ("thousand-and-one", {"trump": "NT", "points": {"EW": 60}}, (70, 60)),
        ("thousand-and-one", {"trump": "NT", "points": {"EW": 65}}, (0, 130)),
        ("thousand-and-one", {"trump": None, "points": {"NS": 70, "EW": 60}}, (70, 60)),
        ("thousand-and-one", {"trump": None, "points": {"EW": 60}}, (102, 60)),
        ("thousand-and-one", {"trump": None, "points": {"NS": 102, "EW": 60}}, (102, 60)),
        ("thousand-and-one", {"trump": None, "nat": True}, (0, 162)),
        ("thousand-and-one", {"trump": "NT", "nat": True}, (0, 130)),
        ("thousand-and-one", {"trump": "NT", "reneged": "N"}, (0, 130)),
        ("amsterdam", {"trump": None, "points": {"NS": 100}}, (100, 62)),
    ],
)
def test_no_trump_and_a_trump_nobody_wrote_down(
    regulation: object, deal: dict[str, object], expected: tuple[int, int]
) -> None:
    assert score(regulation, **deal) == expected


COUNTED = {"points": {"NS": 100}, "roem": {"NS": [20], "EW": [50]}}


@pytest.mark.parametrize(
    ("settings", "deal", "expected"),
    [
        ({}, {"reneged": "E"}, (262, 0)),
        ({}, {"reneged": "S"}, (0, 262)),
        ({}, {"reneged": "E", **COUNTED}, (262, 0)),
        ({"reneging_roem": 0}, {"reneged": "E"}, (162, 0)),
        ({"reneging": "deal_lost_with_roem"}, {"reneged": "E", **COUNTED}, (282, 0)),
        ({"reneging": "deal_lost_with_roem"}, {"reneged": "N", **COUNTED}, (0, 312)),
        ({"reneging": "deal_lost_with_roem"}, {"reneged": "N"}, (0, 262)),
        ({"reneging": "replay"}, {"reneged": "N"}, (0, 0)),
        ({"reneging": "replay"}, {"reneged": "N", **COUNTED}, (0, 0)),
        ({"unproven_reneging": "deal_lost"}, {"accused_wrongly_by": "N"}, (0, 262)),
        ({"unproven_reneging": "deal_lost"}, {"accused_wrongly_by": "W", **COUNTED}, (262, 0)),
        (
            {"unproven_reneging": "deal_lost", "reneging": "deal_lost_with_roem"},
            {"accused_wrongly_by": "W", **COUNTED},
            (262, 0),
        ),
        ({}, {"replayed": True}, (0, 0)),
        ({}, {"replayed": True, **COUNTED}, (0, 0)),
        ({}, {"replayed": True, "reneged": "E"}, (0, 0)),
        # What was proved goes before what was not.
        (
            {"unproven_reneging": "deal_lost"},
            {"reneged": "E", "accused_wrongly_by": "N"},
            (262, 0),
        ),
    ],
)
def test_a_deal_that_does_not_stand(
    settings: dict[str, object], deal: dict[str, object], expected: tuple[int, int]
) -> None:
    result = worked_out(settings, **deal)
    assert (result.score["NS"], result.score["EW"]) == expected
    assert result.points == {"NS": None, "EW": None}
    assert (result.nat, result.pit) == (False, None)


def test_only_deal_lost_with_roem_keeps_roem_and_only_of_the_other_side() -> None:
    kept = worked_out({"reneging": "deal_lost_with_roem"}, reneged="E", **COUNTED)
    assert kept.roem == {"NS": 20, "EW": 0}
    for regulation, mark in (("amsterdam", {"reneged": "E"}), ("amsterdam", {"replayed": True})):
        assert worked_out(regulation, **mark, **COUNTED).roem == {"NS": 0, "EW": 0}


def test_a_pit_in_a_deal_that_does_not_stand_is_none() -> None:
    result = worked_out(reneged="N", pit="NS")
    assert (result.pit, result.score) == (None, {"NS": 0, "EW": 262})


def test_the_culprit_alone_is_fined_and_the_deal_stands() -> None:
    result = worked_out({"reneging": "culprit_fined"}, reneged="E", **COUNTED)
    assert result.score == {"NS": 120, "EW": 112}
    assert result.players == {"N": 120, "E": 12, "S": 120, "W": 112}
    fifty = worked_out({"reneging": "culprit_fined", "reneging_fine": 50}, reneged="N", nat=True)
    assert fifty.players == {"N": -50, "E": 162, "S": 0, "W": 162}


def test_a_replayed_deal_fines_nobody() -> None:
    result = worked_out({"reneging": "culprit_fined"}, reneged="E", replayed=True)
    assert result.players == {"N": 0, "E": 0, "S": 0, "W": 0}


def test_a_fine_is_paid_also_when_an_accusation_loses_the_deal() -> None:
    settings = {"reneging": "culprit_fined", "unproven_reneging": "deal_lost"}
    result = worked_out(settings, reneged="E", accused_wrongly_by="W")
    assert result.score == {"NS": 262, "EW": 0}
    assert result.players == {"N": 262, "E": -100, "S": 262, "W": 0}
    assert result.verdict == "unproven"


@pytest.mark.parametrize(
    ("settings", "mark"),
    [({"reneging": "none"}, {"reneged": "E"}), ({}, {"accused_wrongly_by": "N"})],
)
def test_a_mark_that_the_regulation_does_not_punish_changes_nothing(
    settings: dict[str, object], mark: dict[str, object]
) -> None:
    marked = worked_out(settings, **mark, **COUNTED).as_json()
    assert marked == worked_out(settings, **COUNTED).as_json()


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"nil": "made"}, (50, 0)),
        ({"nil": "made", "roem": {"EW": [20, 50]}}, (50, 0)),
        ({"nil": "made", "declarer": "W"}, (0, 50)),
        ({"nil": "failed"}, (0, 162)),
        ({"nil": "failed", "roem": {"NS": [20], "EW": [50]}}, (0, 232)),
        ({"nil": "failed", "trump": "NT"}, (0, 130)),
        ({"nil": "made", "pit": "EW"}, (50, 0)),
        ({"nil": "made", "points": {"NS": 0}}, (50, 0)),
        ({"nil": "failed", "points": {"NS": 100}}, (0, 162)),
        ({"nil": "failed", "nat": True}, (0, 162)),
    ],
)
def test_nil(deal: dict[str, object], expected: tuple[int, int]) -> None:
    result = worked_out({"nil_bonus": 50, "no_trump": True, "nat_roem": "lost"}, **deal)
    assert (result.score["NS"], result.score["EW"]) == expected
    assert result.nat is False
    assert (None in result.points.values()) == ("points" not in deal and "pit" not in deal)


def test_corrections_go_to_a_player_or_to_a_side_and_both_its_seats() -> None:
    result = worked_out(
        points={"NS": 100},
        corrections=[
            {"seat": "E", "points": -50, "reason": "late"},
            {"side": "NS", "points": 30, "reason": "miscount"},
            {"seat": "N", "points": 5},
        ],
    )
    assert result.score == {"NS": 130, "EW": 62}
    assert result.players == {"N": 135, "E": 12, "S": 130, "W": 62}


def test_corrections_count_in_a_deal_that_is_void() -> None:
    corrections = [{"side": "EW", "points": -20, "reason": "slow"}]
    result = worked_out(replayed=True, corrections=corrections)
    assert result.score == {"NS": 0, "EW": -20}
    assert result.players == {"N": 0, "E": -20, "S": 0, "W": -20}


def test_only_those_who_sit_at_the_table_score() -> None:
    three = worked_out(points={"NS": 62}, declarer="E", seats=["S", "N", "E"])
    assert three.players == {"N": 62, "E": 100, "S": 62}
    assert list(three.players) == ["N", "E", "S"]
    two = worked_out(points={"NS": 100}, seats=["N", "E"])
    assert two.players == {"N": 100, "E": 62}


def test_a_dummy_that_reneged_costs_no_player_a_fine() -> None:
    result = worked_out(
        {"reneging": "culprit_fined"}, points={"NS": 100}, reneged="S", seats=["N", "E", "W"]
    )
    assert result.players == {"N": 100, "E": 62, "W": 62}


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"points": {"NS": 162}}, [("no_points", "pit")]),
        ({"points": {"NS": 162}, "pit": "NS"}, []),
        ({"points": {"NS": 100}, "roem": {"NS": [100, 20], "EW": [20]}}, []),
        ({"points": {"NS": 100}, "roem": {"NS": [200], "EW": [50]}}, [("much_roem", "roem")]),
        ({"reneged": "E", "points": {"NS": 162}, "roem": {"NS": [200, 100]}}, []),
        ({"points": {"NS": 100}, "seats": ["N", "E", "W"]}, []),
        ({"points": {"NS": 100}, "seats": ["N", "E", "S"]}, [("dummy_seat", "seats")]),
        ({"points": {"NS": 100}, "seats": ["N", "E", "S"], "declarer": "NS"}, []),
        ({"trump": None, "points": {"NS": 100}}, []),
    ],
)
def test_what_is_legal_but_unlikely_is_warned_about(
    deal: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    warnings = worked_out(**deal).warnings
    assert [(fault.code, fault.field) for fault in warnings] == expected


def test_warnings_stand_beside_a_valid_answer() -> None:
    answer = score_line(
        {"regulation": "amsterdam", "declarer": "N", "trump": "C", "points": {"EW": 0}}
    )
    assert answer["valid"] is True
    assert answer["warnings"] == [
        {
            "code": "no_points",
            "field": "pit",
            "message": "One side has 0 points but no pit is marked. Is that right?",
        }
    ]


@pytest.mark.parametrize(
    ("allowed", "replays", "expected"),
    [
        (0, 0, (262, 0)),
        (1, 0, (0, 0)),
        (1, 1, (262, 0)),
        (2, 1, (0, 0)),
        (2, 2, (262, 0)),
        (2, 3, (262, 0)),
    ],
)
def test_reneging_costs_a_new_deal_as_often_as_the_regulation_says(
    allowed: int, replays: int, expected: tuple[int, int]
) -> None:
    regulation = {"reneges_replayed": allowed}
    result = worked_out(regulation, reneged="E", replays=replays)
    assert (result.score["NS"], result.score["EW"]) == expected
    assert (result.verdict == "void") == (expected == (0, 0))


def test_nobody_is_fined_for_a_deal_that_is_dealt_again() -> None:
    regulation = {"reneging": "culprit_fined", "reneges_replayed": 1}
    first, second = (
        worked_out(regulation, reneged="E", replays=replays, points={"NS": 90})
        for replays in (0, 1)
    )
    assert first.players == {"N": 0, "E": 0, "S": 0, "W": 0}
    assert second.players == {"N": 90, "E": -28, "S": 90, "W": 72}


LEIDS: dict[str, object] = {"bidding": "free", "bid_needed": True}


@pytest.mark.parametrize(
    ("settings", "line", "expected"),
    [
        ({}, {"points": {"NS": 100}, "bid": 110}, (0, 162)),
        ({}, {"points": {"NS": 110}, "bid": 110}, (110, 52)),
        ({}, {"points": {"NS": 100}, "roem": {"NS": [20]}, "bid": 110}, (120, 62)),
        ({}, {"points": {"NS": 100}, "roem": {"NS": [20]}, "bid": 130}, (0, 182)),
        # More than the others is needed as well.
        ({}, {"points": {"NS": 80}, "bid": 80}, (0, 162)),
        (
            {"nat_counts_roem": False},
            {"points": {"NS": 100}, "roem": {"NS": [20]}, "bid": 110},
            (0, 182),
        ),
        ({"nat": False}, {"points": {"NS": 100}, "bid": 110}, (100, 62)),
        ({}, {"pit": "NS", "bid": 300}, (262, 0)),
        # Where nobody counts, or the deal does not stand, the bid may be left out.
        ({}, {"nat": True}, (0, 162)),
        ({}, {"pit": "EW"}, (0, 262)),
        ({}, {"reneged": "E", "points": {"NS": 100}}, (262, 0)),
        ({}, {"replayed": True}, (0, 0)),
        ({}, {"points": {"NS": 100}, "bid": 110, "nat": True}, (0, 162)),
    ],
)
def test_a_bid_is_needed(
    settings: dict[str, object], line: dict[str, Any], expected: tuple[int, int]
) -> None:
    deal = {"declarer": "N", "trump": "H", **line}
    result = evaluate(deal, parse_regulation({**LEIDS, **settings}))
    assert (result.score["NS"], result.score["EW"]) == expected


@pytest.mark.parametrize(
    ("settings", "line", "expected"),
    [
        (LEIDS, {}, [("missing", "bid")]),
        (LEIDS, {"bid": 0}, [("bid_range", "bid")]),
        (LEIDS, {"bid": -10}, [("bid_range", "bid")]),
        (LEIDS, {"bid": 501}, [("bid_range", "bid")]),
        (LEIDS, {"bid": "110"}, [("bad_type", "bid")]),
        (LEIDS, {"bid": True}, [("bad_type", "bid")]),
        (LEIDS, {"bid": 100, "nat": True}, [("nat_contradicts_points", "nat")]),
        ({"bidding": "free"}, {"bid": 110}, [("bid_not_allowed", "bid")]),
        ({"bid_needed": True}, {"bid": 110}, [("bid_not_allowed", "bid")]),
    ],
)
def test_a_bid_that_cannot_be(
    settings: dict[str, object], line: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    deal = {"declarer": "N", "trump": "H", "points": {"NS": 100}, **line}
    assert faults_of(deal, settings) == expected


@pytest.mark.parametrize(
    ("settings", "line", "words"),
    [
        ({}, {"points": {"NS": 100}, "bid": 110}, ("Wij 100, zij 62: geboden 110, dus nat",)),
        ({}, {"points": {"NS": 120}, "bid": 110}, ("Wij 120, zij 42: geboden 110, gehaald",)),
        ({}, {"points": {"NS": 62}, "bid": 110}, ("Wij 62, zij 100: nat",)),
        (
            {"nat": False},
            {"points": {"NS": 100}, "bid": 110},
            ("Wij 100, zij 62: geboden 110, niet gehaald, ieder houdt zijn punten",),
        ),
        (
            {"nat_counts_roem": False},
            {"points": {"NS": 100}, "bid": 110, "roem": {"NS": [20]}},
            ("Wij 100 + 20 roem = 120, zij 62: geboden 110, dus nat op kaartpunten",),
        ),
    ],
)
def test_the_bid_is_part_of_the_explanation(
    settings: dict[str, object], line: dict[str, Any], words: tuple[str, ...]
) -> None:
    deal = {"declarer": "N", "trump": "H", **line}
    result = evaluate(deal, parse_regulation({**LEIDS, **settings}))
    assert explain(result, "nl", {"NS": "wij", "EW": "zij"})[:1] == words
