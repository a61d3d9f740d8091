"""The likeliest line for what boxes look like; the boxes are made up, so that no picture is
needed."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.reading.digits import BLANK, SIGNS
from scoring.reading.lines import Boxes, Chances, Deal, read_deal
from scoring.reading.reader import read_sheet
from scoring.rules import PRESETS, SIDES, THREE, RuleSet, Side, parse_regulation

AMSTERDAM = parse_regulation("amsterdam")


def boxes(written: str, *, clear: float = 0.97, instead: str = "") -> Chances:
    """Boxes with these signs, an underscore for an empty one; the first sign may be `instead`."""
    chances = np.full((len(written), BLANK + 1), 1e-5)
    for place, sign in enumerate(written):
        chances[place, BLANK if sign == "_" else SIGNS.index(sign)] = clear
        if instead and place == len(written) - 1:
            chances[place, SIGNS.index(instead)] = 1 - clear
    shares: Chances = chances / chances.sum(axis=1, keepdims=True)
    return shares


def deal(
    ns: Chances | str = "___",
    ew: Chances | str = "___",
    roem: tuple[str, str] = ("___", "___"),
    *,
    declarer: str = "NS",
    trump: str = "H",
    regulation: RuleSet = AMSTERDAM,
    three: bool = False,
    **marks: float,
) -> Deal:
    """A deal of which these boxes were written and ticked."""
    points: dict[Side, Chances] = {
        "NS": boxes(ns) if isinstance(ns, str) else ns,
        "EW": boxes(ew) if isinstance(ew, str) else ew,
    }
    seen = Boxes(
        points,
        {"NS": boxes(roem[0]), "EW": boxes(roem[1])},
        {who: 0.99 if who == declarer else 0.01 for who in (THREE if three else SIDES)},
        {suit: 0.99 if suit == trump else 0.01 for suit in ("C", "D", "H", "S", "NT")},
        nat=marks.get("nat", 0.01),
        pit=marks.get("pit", 0.01),
        other=marks.get("other", 0.01),
    )
    return read_deal(seen, regulation, three=three)


def line(ns: int, ew: int, roem: tuple[list[int], list[int]] = ([], []), **marks: object) -> object:
    return {
        "declarer": "NS",
        "trump": "H",
        "points": {"NS": ns, "EW": ew},
        "roem": {"NS": roem[0], "EW": roem[1]},
        **marks,
    }


@pytest.mark.parametrize(
    ("ns", "ew"),
    [
        ("_97", "_65"),
        ("97_", "65_"),
        ("097", "065"),
        ("_97", "___"),
        ("___", "_65"),
        ("_97", "_-_"),
    ],
)
def test_points_may_be_written_in_many_ways(ns: str, ew: str) -> None:
    read = deal(ns, ew)
    assert (read.line, read.sure) == (line(97, 65), True)


def test_the_sum_of_162_mends_a_digit() -> None:
    read = deal(boxes("_97", clear=0.7, instead="1"), "_71")
    assert (read.line, read.sure) == (line(91, 71), True)


def test_what_does_not_add_up_is_shown() -> None:
    read = deal("_97", "_66")
    assert not read.sure
    assert "does_not_add_up" in read.doubts


def test_a_clear_digit_that_is_denied_is_shown() -> None:
    read = deal("100", boxes("_72") * 0.95 + boxes("_62") * 0.05)
    assert (read.sure, "does_not_add_up" in read.doubts) == (False, True)


def test_the_points_of_a_nat_may_be_what_it_comes_to() -> None:
    """Nobody takes no points with roem of 50; whoever played took some, and lost them."""
    read = deal("__0", "162", ("_50", "_20"), nat=0.99)
    assert (read.line, read.sure) == (line(0, 162, ([50], [20]), nat=True), True)
    assert read.choices[0].score == (0, 232)


@pytest.mark.parametrize(
    ("written", "announced"),
    [
        ("_20", [20]),
        ("_70", [70]),
        ("100", [100]),
        ("_60", [20, 20, 20]),
        ("230", [100, 50, 20, 20, 20, 20]),
        ("-__", []),
    ],
)
def test_roem_is_a_sum_of_what_can_be_announced(written: str, announced: list[int]) -> None:
    read = deal("_97", "_65", (written, "___"))
    assert read.line is not None
    assert read.line["roem"]["NS"] == announced
    assert read.sure


def test_roem_needs_no_stuk_that_the_deal_cannot_have() -> None:
    """In no-trump there is none; and a deal has one stuk, whatever both sides have."""
    regulation = replace(AMSTERDAM, no_trump=True)
    without = deal("_80", "_50", ("_40", "___"), trump="NT", regulation=regulation)
    both = deal("_81", "_81", ("_40", "_40"))
    assert without.line is not None
    assert both.line is not None
    assert without.line["roem"] == {"NS": [20, 20], "EW": []}
    assert both.line["roem"] == {"NS": [40], "EW": [20, 20]}


def test_roem_that_nobody_can_have_is_not_read() -> None:
    read = deal("_97", "_65", ("_30", "___"))
    assert not read.sure


def test_nat_and_pit_are_what_is_ticked() -> None:
    assert deal("_70", "_92", nat=0.99).line == line(70, 92, nat=True)
    assert deal("162", "__0", pit=0.99).line == line(162, 0, pit="NS")
    assert deal("162", "___", pit=0.99).line == line(162, 0, pit="NS")


def test_no_deal_is_no_line() -> None:
    nobody = deal(declarer="", trump="")
    assert (nobody.line, nobody.sure, nobody.doubts) == (None, True, [])


@pytest.mark.parametrize(
    ("read", "doubt"),
    [
        (deal("_97", "_65", declarer=""), "no_declarer"),
        (deal("_97", "_65", trump=""), "no_trump_suit"),
        (deal("_97", "_65", other=0.99), "something_else"),
        (deal("_9?", "_65"), "crossed_out"),
    ],
)
def test_what_somebody_must_look_at_is_said(read: Deal, doubt: str) -> None:
    assert not read.sure
    assert doubt in read.doubts


def test_the_totals_choose_between_lines() -> None:
    one = boxes("_97", clear=0.6, instead="1")
    unclear = [deal(one, "___"), deal("_80", "_82"), deal("100", "_62")]
    assert [read.sure for read in unclear] == [False, True, True]
    sheet = read_sheet(unclear, {"NS": boxes("_191"), "EW": boxes("_295")})
    assert sheet.totals == {"NS": 191, "EW": 295}
    assert [read.line["points"]["NS"] for read in sheet.deals if read.line] == [91, 80, 100]


def test_the_totals_confirm_what_the_sum_of_162_leaves_open() -> None:
    """The 7 was read as a 1, and the points of the other side say so; the totals settle it."""
    alone = deal(boxes("_91", clear=0.985, instead="7"), "_65")
    assert (alone.line, alone.sure) == (line(97, 65), False)
    sheet = read_sheet([alone, deal("100", "_62")], {"NS": boxes("_197"), "EW": boxes("_127")})
    assert [read.sure for read in sheet.deals] == [True, True]


def test_the_totals_weigh_all_lines_at_once() -> None:
    """Of each deal the less likely reading is right, which only the totals know."""
    unclear = [deal(boxes("_91", clear=0.7, instead="7"), "___") for _deal in range(3)]
    sheet = read_sheet(unclear, {"NS": boxes("_291"), "EW": boxes("_195")})
    assert [read.line for read in sheet.deals] == [line(97, 65)] * 3
    assert [read.sure for read in sheet.deals] == [True] * 3


def test_the_totals_of_three_people_choose_as_well() -> None:
    """Whoever plays is alone, and the other two have what they took together."""
    unclear = boxes("_97", clear=0.6, instead="1")
    deals = [
        deal(unclear, "___", declarer="E", three=True),
        deal("100", "_62", declarer="N", three=True),
        deal(declarer="", trump="", three=True),
    ]
    totals = {"N": boxes("_171"), "E": boxes("_153"), "S": boxes("_133")}
    sheet = read_sheet(deals, totals)
    assert (sheet.totals, sheet.agree) == ({"N": 171, "E": 153, "S": 133}, True)
    assert [read.line and read.line["points"]["NS"] for read in sheet.deals] == [91, 100, None]
    assert [read.sure for read in sheet.deals] == [True] * 3


def test_a_slip_of_the_pen_stays_shown_when_the_totals_do_not_settle_it() -> None:
    deals = [deal("_97", "_66"), deal("100", "_62")]
    sheet = read_sheet(deals, {"NS": boxes("_197"), "EW": boxes("_128")})
    assert [read.sure for read in sheet.deals] == [False, True]


def test_totals_that_do_not_agree_are_told() -> None:
    deals = [deal("100", "_62"), deal("_97", "_65")]
    right = read_sheet(deals, {"NS": boxes("_197"), "EW": boxes("_127")})
    assert (right.totals, right.agree) == ({"NS": 197, "EW": 127}, True)
    wrong = read_sheet(deals, {"NS": boxes("_187"), "EW": boxes("_127")})
    assert (wrong.totals, wrong.agree) == ({"NS": 187, "EW": 127}, False)
    none = read_sheet(deals, {"NS": boxes("____"), "EW": boxes("_127")})
    assert (none.totals, none.agree) == ({"NS": None, "EW": 127}, None)


def test_wrong_totals_do_not_make_clear_deals_doubtful() -> None:
    deals = [deal("100", "_62"), deal("_97", "_65"), deal("_81", "_81")]
    sheet = read_sheet(deals, {"NS": boxes("_357"), "EW": boxes("_999")})
    assert ([read.sure for read in sheet.deals], sheet.agree) == ([True] * 3, False)


def test_totals_of_all_pages_say_nothing_of_one() -> None:
    unclear = [deal(boxes("_97", clear=0.6, instead="1"), "___"), deal("_80", "_82")]
    totals = {"NS": boxes("_171"), "EW": boxes("_153")}
    page = read_sheet(unclear, totals, is_whole=False)
    assert (page.totals, page.agree) == ({"NS": 171, "EW": 153}, None)
    assert [read.sure for read in page.deals] == [False, True]


def test_every_regulation_can_be_read() -> None:
    for name in PRESETS:
        read = deal("100", "_62", regulation=parse_regulation(name))
        if parse_regulation(name).game == "klaverjas" and not parse_regulation(name).asks_bid:
            assert read.line == line(100, 62), name
