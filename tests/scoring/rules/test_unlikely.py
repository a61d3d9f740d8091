"""What is only asked about: what hardly any legal deal shows."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from scoring.rules import PRESETS, Fault, evaluate, fault_message
from tests.scoring.rules.lifelike import deal_and_play
from tests.scoring.rules.rare import main
from tests.scoring.rules.sheets import worked_out
from tests.scoring.rules.slips import write


@pytest.mark.parametrize(
    ("deal", "expected"),
    [
        ({"points": {"NS": 162}}, [("no_points", "pit")]),
        ({"points": {"NS": 162}, "pit": "NS"}, []),
        ({"points": {"EW": 160}}, []),
        ({"nat": True}, []),
        # Much: 200 together, or 170 of one side.
        ({"points": {"NS": 100}, "roem": {"NS": [100], "EW": [70]}}, []),
        ({"points": {"NS": 100}, "roem": {"NS": [100, 20], "EW": [50, 20]}}, []),
        ({"points": {"NS": 100}, "roem": {"NS": [100], "EW": [100]}}, [("much_roem", "roem")]),
        ({"points": {"NS": 100}, "roem": {"NS": [70, 100]}}, [("much_roem", "roem")]),
        ({"nat": True, "roem": {"EW": [200]}}, [("much_roem", "roem")]),
        # Often: seven times together, or six times for one side.
        ({"points": {"NS": 81}, "roem": {"NS": [20] * 3, "EW": [20] * 3}}, []),
        (
            {"points": {"NS": 81}, "roem": {"NS": [20] * 4, "EW": [20] * 3}},
            [("often_roem", "roem")],
        ),
        ({"points": {"NS": 100}, "roem": {"NS": [20] * 5}}, []),
        ({"points": {"NS": 100}, "roem": {"NS": [20] * 6}}, [("often_roem", "roem")]),
        # Few points for so much roem.
        ({"points": {"NS": 9}, "roem": {"NS": [20]}}, []),
        ({"points": {"NS": 9}, "roem": {"NS": [20, 20]}}, [("roem_with_few_points", "roem.NS")]),
        ({"points": {"NS": 10}, "roem": {"NS": [50]}}, []),
        ({"points": {"NS": 138}, "roem": {"EW": [50, 20]}}, [("roem_with_few_points", "roem.EW")]),
        ({"points": {"NS": 137}, "roem": {"EW": [50, 20]}}, []),
        ({"points": {"NS": 43}, "roem": {"NS": [100]}}, [("roem_with_few_points", "roem.NS")]),
        ({"points": {"NS": 44}, "roem": {"NS": [100]}}, []),
        # A side that lost all by reneging has no roem to be asked about.
        ({"reneged": "E", "points": {"NS": 162}, "roem": {"NS": [200, 100]}}, []),
        # The dummy sits opposite the declarer.
        ({"points": {"NS": 100}, "seats": ["N", "E", "W"]}, []),
        ({"points": {"NS": 100}, "seats": ["N", "E", "S"]}, [("dummy_seat", "seats")]),
        ({"points": {"NS": 100}, "seats": ["N", "E", "S"], "declarer": "NS"}, []),
    ],
)
def test_what_is_asked_about(deal: dict[str, object], expected: list[tuple[str, str]]) -> None:
    warnings = worked_out(**deal).warnings
    assert [(fault.code, fault.field) for fault in warnings] == expected


def test_the_figures_can_be_worked_out_anew(capsys: pytest.CaptureFixture[str]) -> None:
    main(100)
    measures = [row.partition(",")[0] for row in capsys.readouterr().out.splitlines()]
    assert measures[:5] == [
        "roem together",
        "roem of a side",
        "announcements together",
        "announcements of a side",
        "points of a side without pit",
    ]


def test_a_side_that_keeps_its_roem_after_reneging_is_asked_about_that_roem_only() -> None:
    roem = {"NS": [100, 100], "EW": [20] * 6}
    result = worked_out({"reneging": "deal_lost_with_roem"}, reneged="E", roem=roem)
    assert result.warnings == (Fault("much_roem", "roem", {"points": 200}),)


@pytest.mark.parametrize(
    ("deal", "asked"),
    [
        ({"nil": "made"}, []),
        ({"nil": "made", "pit": "EW"}, []),
        ({"nil": "made", "points": {"NS": 0}}, []),
        ({"nil": "made", "points": {"EW": 130}}, [("made", 32)]),
        ({"nil": "failed", "points": {"NS": 32}}, []),
        ({"nil": "failed", "pit": "EW"}, [("failed", 0)]),
        ({"nil": "made", "points": {"EW": 130}, "reneged": "E"}, []),
    ],
)
def test_nil_is_asked_about_where_the_points_say_otherwise(
    deal: dict[str, object], asked: list[tuple[str, int]]
) -> None:
    warnings = worked_out({"nil_bonus": 50}, **deal).warnings
    assert warnings == tuple(
        Fault("nil_with_points", "nil", {"why": nil, "points": points}) for nil, points in asked
    )


@pytest.mark.parametrize(
    ("fault", "dutch", "english"),
    [
        (
            Fault("much_roem", "roem", {"points": 300}),
            "Er staat samen 300 roem. Klopt dat?",
            "There is 300 roem in all. Is that right?",
        ),
        (
            Fault("often_roem", "roem", {"count": 7}),
            "Er staat 7 keer roem. Klopt dat?",
            "Roem is written 7 times. Is that right?",
        ),
        (
            Fault("roem_with_few_points", "roem.NS", {"roem": 70, "points": 12}),
            "70 roem met maar 12 punten is heel zeldzaam. Klopt dat?",
            "70 roem with only 12 card points is very rare. Is that right?",
        ),
        (
            Fault("nil_with_points", "nil", {"why": "made", "points": 12}),
            "Er staat ledig gehaald, maar wie speelde heeft 12 punten. Klopt dat?",
            "Nil is marked as made, but the declarers have 12 points. Is that right?",
        ),
        (
            Fault("nil_with_points", "nil", {"why": "failed", "points": 0}),
            "Er staat ledig niet gehaald, maar wie speelde heeft 0 punten. Klopt dat?",
            "Nil is marked as failed, but the declarers have 0 points. Is that right?",
        ),
    ],
)
def test_the_question(fault: Fault, dutch: str, english: str) -> None:
    assert (fault_message(fault, "nl"), fault_message(fault, "en")) == (dutch, english)


@pytest.mark.parametrize(
    "manner",
    [("amsterdam", 0.0, False), ("amsterdam", 0.0, True), ("thousand-and-one", 0.25, False)],
)
def test_hardly_any_legal_deal_is_asked_about(manner: tuple[str, float, bool]) -> None:
    preset, no_trump, careless = manner
    random = Random(3)
    asked = 0
    for _ in range(400):
        deal = deal_and_play(random, PRESETS[preset], no_trump=no_trump, careless=careless)
        line: Mapping[str, Any] = write(random, deal, PRESETS[preset], both=True)
        asked += bool(evaluate(line, PRESETS[preset]).warnings)
    assert asked / 400 < 1 / 200
