"""What cannot be: every code of the contract, where it is reported, and what it leaves unsaid."""

import pytest

from tests.scoring.rules.sheets import faults, faults_of

Expected = list[tuple[str, str]]


@pytest.mark.parametrize("deal", [{"points": {"NS": 100}}, {"points": {"NS": 100, "EW": 62}}])
def test_a_deal_that_can_be_has_no_fault(deal: dict[str, object]) -> None:
    assert faults(**deal) == []


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({}, [("missing", "declarer"), ("missing", "trump"), ("missing", "points")]),
        ({"declarer": "N", "trump": None}, [("missing", "points")]),
        ({"declarer": "N", "trump": "H", "points": {}}, [("missing", "points")]),
        ({"declarer": "N", "trump": "H", "points": None}, [("missing", "points")]),
        ({"declarer": "N", "trump": "H", "points": {"NS": None}}, [("missing", "points")]),
        ({"declarer": "N", "points": {"NS": 100}}, [("missing", "trump")]),
        ({"declarer": None, "trump": "H", "pit": "NS"}, [("bad_type", "declarer")]),
    ],
)
def test_a_needed_key_is_not_there(deal: dict[str, object], expected: Expected) -> None:
    assert faults_of(deal) == expected


@pytest.mark.parametrize(
    ("regulation", "mark", "needed"),
    [
        ("amsterdam", {"pit": "NS"}, False),
        ("amsterdam", {"nat": True}, False),
        ("amsterdam", {"nat": False}, True),
        ("amsterdam", {"replayed": True}, False),
        ("amsterdam", {"replayed": False}, True),
        ("amsterdam", {"reneged": "E"}, False),
        ({"reneging": "deal_lost_with_roem"}, {"reneged": "E"}, False),
        ({"reneging": "replay"}, {"reneged": "E"}, False),
        ({"reneging": "culprit_fined"}, {"reneged": "E"}, True),
        ({"reneging": "none"}, {"reneged": "E"}, True),
        ("amsterdam", {"accused_wrongly_by": "E"}, True),
        ("new-zealand", {"accused_wrongly_by": "E"}, False),
        ({"nil_bonus": 50}, {"nil": "made"}, False),
        ({"nil_bonus": 50}, {"nil": "failed"}, False),
    ],
)
def test_points_may_be_left_out_where_a_mark_decides(
    regulation: object, mark: dict[str, object], needed: bool
) -> None:
    assert faults(regulation, **mark) == ([("missing", "points")] if needed else [])


POINTS = {"points": {"NS": 100}}


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"declarer": 1}, [("bad_type", "declarer")]),
        ({"declarer": "X"}, [("bad_value", "declarer")]),
        ({"declarer": ["N"]}, [("bad_type", "declarer")]),
        ({"trump": 1}, [("bad_type", "trump")]),
        ({"trump": "♥"}, [("bad_value", "trump")]),
        ({"points": [100, 62]}, [("bad_type", "points")]),
        ({"points": {"NS": True}}, [("bad_type", "points.NS")]),
        ({"points": {"NS": 90.0}}, [("bad_type", "points.NS")]),
        ({"points": {"NS": "90", "EW": 72}}, [("bad_type", "points.NS")]),
        ({"points": {"N": 90, "EW": 72}}, [("unknown_key", "points.N")]),
        ({"roem": [20]}, [("bad_type", "roem")]),
        ({"roem": {"NS": 20}}, [("bad_type", "roem.NS")]),
        ({"roem": {"NS": [20, 20.0]}}, [("bad_type", "roem.NS.1")]),
        ({"roem": {"EW": [True]}}, [("bad_type", "roem.EW.0")]),
        ({"roem": {"wij": [20]}}, [("unknown_key", "roem.wij")]),
        ({"pit": True}, [("bad_type", "pit")]),
        ({"pit": "N"}, [("bad_value", "pit")]),
        ({"nat": 1}, [("bad_type", "nat")]),
        ({"nat": "true"}, [("bad_type", "nat")]),
        ({"replayed": 0}, [("bad_type", "replayed")]),
        ({"replays": True}, [("bad_type", "replays")]),
        ({"replays": -1}, [("bad_value", "replays")]),
        ({"replays": 101}, [("bad_value", "replays")]),
        ({"reneged": "NS"}, [("bad_value", "reneged")]),
        ({"reneged": True}, [("bad_type", "reneged")]),
        ({"accused_wrongly_by": "EW"}, [("bad_value", "accused_wrongly_by")]),
        ({"nil": "yes"}, [("bad_value", "nil")]),
        ({"nil": True}, [("bad_type", "nil")]),
        ({"dealer": "NS"}, [("bad_value", "dealer")]),
        ({"dealer": 3}, [("bad_type", "dealer")]),
        ({"seats": "NESW"}, [("bad_type", "seats")]),
        ({"seats": ["N", 2]}, [("bad_type", "seats.1")]),
        ({"seats": ["N", "E", "X"]}, [("bad_value", "seats.2")]),
        ({"seats": ["N", "E", "N"]}, [("bad_value", "seats.2")]),
        ({"seats": ["N", "S"]}, [("bad_value", "seats")]),
        ({"seats": ["E"]}, [("bad_value", "seats")]),
        ({"seats": []}, [("bad_value", "seats")]),
        ({"scorer": "Bep"}, [("unknown_key", "scorer")]),
        ({"card": "AS"}, [("unknown_key", "card")]),
        ({"corrections": {}}, [("bad_type", "corrections")]),
        ({"corrections": [5]}, [("bad_type", "corrections.0")]),
        (
            {"corrections": [{}]},
            [("missing", "corrections.0.points"), ("missing", "corrections.0.seat")],
        ),
        ({"corrections": [{"seat": "N"}]}, [("missing", "corrections.0.points")]),
        (
            {"corrections": [{"seat": "N", "points": 5}, {"side": "N", "points": 5.0}]},
            [("bad_value", "corrections.1.side"), ("bad_type", "corrections.1.points")],
        ),
        (
            {"corrections": [{"seat": "N", "side": "NS", "points": 5}]},
            [("bad_value", "corrections.0.side")],
        ),
        (
            {"corrections": [{"seat": "N", "side": "X", "points": 5}]},
            [("bad_value", "corrections.0.side")],
        ),
        (
            {"corrections": [{"seat": "N", "points": 10_001}]},
            [("bad_value", "corrections.0.points")],
        ),
        (
            {"corrections": [{"seat": "N", "points": 5, "reason": 7}]},
            [("bad_type", "corrections.0.reason")],
        ),
        (
            {"corrections": [{"seat": "N", "points": 5, "by": "Bep"}]},
            [("unknown_key", "corrections.0.by")],
        ),
        (
            {"corrections": [{"seat": "W", "points": 5}], "seats": ["N", "E", "S"]},
            [("bad_value", "corrections.0.seat")],
        ),
    ],
)
def test_the_shape_of_each_part(part: dict[str, object], expected: Expected) -> None:
    assert faults(**{**POINTS, **part}) == expected


@pytest.mark.parametrize(
    "key",
    [
        *("roem", "pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed", "corrections"),
        *("replays", "dealer", "seats", "leader", "cards", "announced"),
    ],
)
def test_null_says_as_little_as_a_key_left_out(key: str) -> None:
    assert faults(**POINTS, **{key: None}) == []


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"points": {"NS": 163}}, [("points_range", "points.NS")]),
        ({"points": {"EW": -1}}, [("points_range", "points.EW")]),
        (
            {"points": {"NS": 170, "EW": 170}},
            [("points_range", f"points.{s}") for s in "NS EW".split()],
        ),
        ({"points": {"NS": 170, "EW": 1}}, [("points_range", "points.NS")]),
        ({"points": {"NS": 10**50, "EW": 1}}, [("points_range", "points.NS")]),
        ({"points": {"NS": 170}, "pit": "NS"}, [("points_range", "points.NS")]),
        ({"points": {"NS": 1}}, [("points_unreachable", "points.NS")]),
        ({"points": {"EW": 161}}, [("points_unreachable", "points.EW")]),
        ({"points": {"NS": 1, "EW": 100}}, [("points_unreachable", "points.NS")]),
        (
            {"points": {"NS": 1, "EW": 161}},
            [("points_unreachable", "points.NS"), ("points_unreachable", "points.EW")],
        ),
        ({"points": {"NS": 100, "EW": 61}}, [("points_sum", "points")]),
        ({"points": {"NS": 65, "EW": 65}, "trump": None}, [("points_sum", "points")]),
        ({"points": {"NS": 129}}, []),
        ({"points": {"NS": 100, "EW": 61}, "replayed": True}, [("points_sum", "points")]),
    ],
)
def test_points(deal: dict[str, object], expected: Expected) -> None:
    assert faults(**deal) == expected


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ({"NS": 131}, [("points_range", "points.NS")]),
        ({"NS": 130}, []),
        ({"NS": 129}, [("points_unreachable", "points.NS")]),
        ({"EW": 1}, [("points_unreachable", "points.EW")]),
        ({"NS": 100, "EW": 62}, [("points_sum", "points")]),
    ],
)
def test_points_in_no_trump(points: dict[str, int], expected: Expected) -> None:
    assert faults("thousand-and-one", trump="NT", points=points) == expected


def test_no_trump_must_be_allowed() -> None:
    found = faults(trump="NT", points={"NS": 100, "EW": 62})
    assert found == [("points_sum", "points"), ("no_trump_not_allowed", "trump")]


CARRE_IS_40 = {"four_of_a_kind": 40}


@pytest.mark.parametrize(
    ("regulation", "trump", "roem", "expected"),
    [
        ("amsterdam", "H", {"NS": [30]}, [("roem_value", "roem.NS.0")]),
        (
            "amsterdam",
            "H",
            {"NS": [20, 0], "EW": [-20]},
            [
                ("roem_value", "roem.NS.1"),
                ("roem_value", "roem.EW.0"),
            ],
        ),
        ("amsterdam", "H", {"NS": [40, 70, 60]}, [("roem_value", "roem.NS.2")]),
        (
            "amsterdam",
            "H",
            {"NS": ["x", 60]},
            [
                ("bad_type", "roem.NS.0"),
                ("roem_value", "roem.NS.1"),
            ],
        ),
        ("amsterdam", "H", {"NS": [200]}, []),
        ("thousand-and-one", "H", {"NS": [200]}, [("roem_value", "roem.NS.0")]),
        ({"four_of_a_kind": 80}, "H", {"NS": [80]}, []),
        ("amsterdam", "H", {"NS": [40], "EW": [70]}, [("roem_unreachable", "roem")]),
        ("amsterdam", "H", {"NS": [70, 70]}, [("roem_unreachable", "roem")]),
        ("amsterdam", "H", {"NS": [40, 20]}, []),
        ("amsterdam", "H", {"NS": [20] * 5, "EW": [20] * 4}, [("roem_unreachable", "roem")]),
        ("amsterdam", "H", {"NS": [20] * 4, "EW": [50] * 4}, []),
        ("thousand-and-one", "NT", {"NS": [40]}, [("roem_unreachable", "roem")]),
        ("thousand-and-one", "NT", {"EW": [70]}, [("roem_unreachable", "roem")]),
        ("thousand-and-one", "NT", {"NS": [20, 50]}, []),
        # A club whose four of a kind is worth 40 may well write 40 in no-trump, and twice.
        (CARRE_IS_40, "H", {"NS": [40, 40]}, []),
        (CARRE_IS_40, "H", {"NS": [40, 70]}, []),
        ({"preset": "thousand-and-one", "four_jacks": 70}, "NT", {"NS": [70]}, []),
    ],
)
def test_roem(
    regulation: object, trump: str, roem: dict[str, list[object]], expected: Expected
) -> None:
    assert faults(regulation, trump=trump, roem=roem, points={"NS": 70}) == expected


def test_points_that_add_to_130_make_it_no_trump_which_has_no_stuk() -> None:
    deal = {"trump": None, "points": {"NS": 70, "EW": 60}}
    assert faults("thousand-and-one", **deal, roem={"NS": [40]}) == [("roem_unreachable", "roem")]


NEEDS_OF_NS = ("roem_needs_points", "roem.NS")


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        # 7 8 9 10 of a plain suit is 50 for 10 points; K Q J 10 of trumps 70 for 37; jacks are 26.
        ({"points": {"NS": 10}, "roem": {"NS": [50]}}, []),
        ({"points": {"NS": 9}, "roem": {"NS": [50]}}, [NEEDS_OF_NS]),
        ({"points": {"EW": 153}, "roem": {"NS": [50]}}, [NEEDS_OF_NS]),
        ({"points": {"NS": 37}, "roem": {"NS": [70]}}, []),
        ({"points": {"NS": 36}, "roem": {"NS": [70]}}, [NEEDS_OF_NS]),
        ({"points": {"NS": 36}, "roem": {"NS": [70]}, "trump": None}, [NEEDS_OF_NS]),
        ({"points": {"NS": 26}, "roem": {"NS": [200]}}, []),
        ({"points": {"NS": 25}, "roem": {"NS": [200]}}, [NEEDS_OF_NS]),
        ({"points": {"NS": 0}, "roem": {"NS": [20, 20]}}, []),
        ({"points": {"NS": 153}, "roem": {"EW": [50]}}, [("roem_needs_points", "roem.EW")]),
        ({"points": {"NS": 9}, "roem": {"NS": [50]}, "nat": True}, [NEEDS_OF_NS]),
        # Each fault of the count is named once; roem is held against what it leaves standing.
        (
            {"points": {"NS": 9, "EW": 100}, "roem": {"NS": [50]}},
            [("points_sum", "points"), NEEDS_OF_NS],
        ),
        ({"points": {"NS": 163}, "roem": {"EW": [50]}}, [("points_range", "points.NS")]),
        ({"points": {"NS": 161}, "roem": {"EW": [50]}}, [("points_unreachable", "points.NS")]),
        ({"points": {"NS": 9}, "roem": {"NS": [50, 30]}}, [("roem_value", "roem.NS.1")]),
        (
            {"points": {"NS": "9"}, "roem": {"NS": [50]}},
            [("bad_type", "points.NS")],
        ),
        ({"points": {"NS": 9}, "roem": {"NS": [50]}, "trump": "X"}, [("bad_value", "trump")]),
        ({"points": {"NS": 9}, "roem": {"NS": ["x", 50]}}, [("bad_type", "roem.NS.0")]),
        ({"nat": True, "roem": {"NS": [200], "EW": [50]}}, []),
        ({"nat": True, "roem": {"NS": [40], "EW": [40]}}, [("roem_unreachable", "roem")]),
        (
            {"pit": "NS", "roem": {"EW": [50]}},
            [("roem_needs_points", "roem.EW"), ("roem_without_trick", "roem.EW")],
        ),
        (
            {"pit": "NS", "roem": {"NS": [40], "EW": [40]}},
            [
                ("roem_unreachable", "roem"),
                ("roem_needs_points", "roem.EW"),
                ("roem_without_trick", "roem.EW"),
            ],
        ),
    ],
)
def test_roem_needs_card_points(deal: dict[str, object], expected: Expected) -> None:
    assert faults(**deal) == expected


def test_roem_needs_fewer_points_in_no_trump() -> None:
    """Four jacks are 8 points there, and 26 where one of them is the highest trump."""
    jacks = {"points": {"NS": 8}, "roem": {"NS": [100]}, "trump": "NT"}
    thousand = {"preset": "thousand-and-one", "four_of_a_kind": 150}
    assert faults(thousand, **jacks) == []
    assert faults(thousand, **{**jacks, "points": {"NS": 7}}) == [NEEDS_OF_NS]
    assert faults(thousand, **{**jacks, "trump": None}) == [NEEDS_OF_NS]
    assert faults(thousand, **{**jacks, "trump": None, "points": {"NS": 8, "EW": 122}}) == []


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"pit": "NS", "roem": {"EW": [20, 20]}}, [("roem_without_trick", "roem.EW")]),
        ({"pit": "EW", "roem": {"NS": [20], "EW": []}}, [("roem_without_trick", "roem.NS")]),
        ({"pit": "NS", "roem": {"NS": [20], "EW": []}}, []),
        ({"pit": "NS", "roem": {"EW": [30]}}, [("roem_value", "roem.EW.0")]),
        ({"pit": "NS", "points": {"NS": 152}}, [("pit_points", "points")]),
        (
            {"pit": "NS", "points": {"NS": 162, "EW": 10}},
            [
                ("points_sum", "points"),
                ("pit_points", "points"),
            ],
        ),
        ({"pit": "NS", "points": {"EW": 10}}, [("pit_points", "points")]),
        ({"pit": "EW", "points": {"NS": 162}}, [("pit_points", "points")]),
        (
            {"pit": "EW", "points": {"NS": 81}, "roem": {"NS": [70]}},
            [
                ("roem_without_trick", "roem.NS"),
                ("pit_points", "points"),
            ],
        ),
        (
            {"pit": "EW", "roem": {"NS": [70]}},
            [
                ("roem_needs_points", "roem.NS"),
                ("roem_without_trick", "roem.NS"),
            ],
        ),
        ({"pit": "NS", "nat": True}, [("pit_contradicts_nat", "pit")]),
        ({"pit": "NS", "nat": False}, []),
        (
            {"pit": "NS", "nat": True, "points": {"NS": 162}},
            [
                ("pit_contradicts_nat", "pit"),
                ("nat_contradicts_points", "nat"),
            ],
        ),
    ],
)
def test_pit(deal: dict[str, object], expected: Expected) -> None:
    assert faults(**deal) == expected


@pytest.mark.parametrize(
    ("regulation", "deal", "expected"),
    [
        ("amsterdam", {"points": {"NS": 82}}, True),
        ("amsterdam", {"points": {"EW": 80}}, True),
        ("amsterdam", {"points": {"NS": 81}}, False),
        ("amsterdam", {"points": {"NS": 81}, "roem": {"NS": [20]}}, True),
        ("amsterdam", {"points": {"NS": 82}, "roem": {"EW": [20]}}, False),
        ({"nat_counts_roem": False}, {"points": {"NS": 81}, "roem": {"NS": [20]}}, False),
        ({"nat_counts_roem": False}, {"points": {"NS": 82}, "roem": {"EW": [20]}}, True),
        # Where the count decides nothing it contradicts nothing.
        ("amsterdam", {"points": {"NS": 100}, "reneged": "N"}, False),
        ("amsterdam", {"points": {"NS": 100}, "replayed": True}, False),
        ({"nil_bonus": 50}, {"points": {"NS": 100}, "nil": "failed"}, False),
    ],
)
def test_nat_though_the_count_says_otherwise(
    regulation: object, deal: dict[str, object], expected: bool
) -> None:
    contradiction = [("nat_contradicts_points", "nat")]
    assert faults(regulation, nat=True, **deal) == (contradiction if expected else [])


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ({"points": {"NS": 100, "EW": 61}}, ("points_sum", "points")),
        ({"roem": {"NS": [30]}}, ("roem_value", "roem.NS.0")),
        ({"declarer": "X"}, ("bad_value", "declarer")),
    ],
)
def test_a_count_with_a_fault_of_its_own_is_not_held_against_nat(
    part: dict[str, object], code: tuple[str, str]
) -> None:
    assert faults(**{"points": {"NS": 100}, "nat": True, **part}) == [code]


def test_a_key_too_many_does_not_hide_that_nat_contradicts_the_count() -> None:
    found = faults(nat=True, points={"NS": 100}, scorer="Bep")
    assert found == [("unknown_key", "scorer"), ("nat_contradicts_points", "nat")]


def test_marks_the_regulation_does_not_have() -> None:
    assert faults("gezelligheid", nat=True) == [("nat_not_played", "nat")]
    assert faults("gezelligheid", nat=True, points={"NS": 100}) == [("nat_not_played", "nat")]
    assert faults("amsterdam", nil="made") == [("nil_not_allowed", "nil")]
    assert faults({"nil_bonus": 0}, nil="made") == []


@pytest.mark.parametrize(
    ("bidding", "dealer", "declarer", "possible"),
    [
        ("forehand_must", "N", "E", True),
        ("forehand_must", "N", "EW", True),
        ("forehand_must", "N", "W", False),
        ("forehand_must", "N", "N", False),
        ("forehand_must", "N", "NS", False),
        ("forehand_must", "W", "N", True),
        ("dealer_must", "N", "N", True),
        ("dealer_must", "N", "NS", True),
        ("dealer_must", "N", "S", False),
        ("dealer_must", "N", "EW", False),
        ("round_from_forehand", "N", "N", True),
        ("round_from_dealer", "N", "S", True),
        ("turned_card", "N", "W", True),
        ("free", "N", "E", True),
    ],
)
def test_bidding(bidding: str, dealer: str, declarer: str, possible: bool) -> None:
    found = faults({"bidding": bidding}, dealer=dealer, declarer=declarer, **POINTS)
    assert found == ([] if possible else [("bidding", "declarer")])


def test_an_empty_seat_need_not_declare_the_next_person_must() -> None:
    three = {"dealer": "N", "seats": ["N", "S", "W"], **POINTS}
    assert faults("utrecht", **three, declarer="S") == []
    assert faults("utrecht", **three, declarer="W") == [("bidding", "declarer")]
    two = {"dealer": "E", "seats": ["N", "E"], **POINTS}
    assert faults("utrecht", **two, declarer="N") == []


def test_seats_that_cannot_be_are_no_reason_to_judge_the_bidding_by_them() -> None:
    for seats in ([], ["N", "S"]):
        found = faults("utrecht", dealer="N", declarer="E", seats=seats, **POINTS)
        assert found == [("bad_value", "seats")]


def test_bidding_is_not_judged_of_a_declarer_nobody_can_read() -> None:
    assert faults("utrecht", dealer="N", declarer="X", **POINTS) == [("bad_value", "declarer")]
    assert faults("utrecht", declarer="N", **POINTS) == []


def test_every_fault_is_named_at_once_and_in_a_steady_order() -> None:
    deal = {
        "scorer": "Bep",
        "dealer": "N",
        "corrections": [{"seat": "X", "points": "5"}],
        "roem": {"EW": [30], "NS": ["20"]},
        "points": {"EW": 70, "NS": 100},
        "nil": "made",
        "nat": True,
        "trump": "NT",
        "declarer": "N",
    }
    expected = [
        ("bad_type", "roem.NS.0"),
        ("bad_value", "corrections.0.seat"),
        ("bad_type", "corrections.0.points"),
        ("unknown_key", "scorer"),
        ("points_sum", "points"),
        ("no_trump_not_allowed", "trump"),
        ("roem_value", "roem.EW.0"),
        ("nil_not_allowed", "nil"),
        ("bidding", "declarer"),
    ]
    assert faults_of(deal, "utrecht") == expected
    assert faults_of(dict(reversed(deal.items())), "utrecht") == expected
