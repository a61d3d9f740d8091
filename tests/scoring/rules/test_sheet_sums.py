"""What the totals under a whole sheet can be: whatever legal deals give, and what none can."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import (
    SIDES,
    THREE,
    DealResult,
    InvalidDeal,
    RuleSet,
    Side,
    bonuses_fit,
    chairs_of,
    chairs_taken,
    deals_in_sum,
    evaluate,
    extra_fits,
    parse_regulation,
    sum_fits,
)
from tests.scoring.rules.settings import REGULATIONS

SIDE, SEAT = st.sampled_from(["NS", "EW"]), st.sampled_from("NESW")
CARD_POINTS = st.integers(0, 162)


def lines(regulation: RuleSet) -> st.SearchStrategy[dict[str, Any]]:
    """Lines as people write them, of which many are legal under this regulation."""
    roem = st.lists(st.sampled_from(sorted(regulation.roem_values)), max_size=3)
    rare: dict[str, st.SearchStrategy[Any]] = {
        "roem": st.fixed_dictionaries({"NS": roem, "EW": roem}),
        "pit": SIDE,
        "nat": st.just(True),
        "reneged": SEAT,
        "accused_wrongly_by": SEAT,
        "nil": st.sampled_from(["made", "failed"]),
        "replayed": st.just(True),
        "points": st.dictionaries(SIDE, CARD_POINTS, min_size=1, max_size=1),
    }
    common: dict[str, st.SearchStrategy[Any]] = {
        "declarer": SEAT,
        "trump": st.sampled_from(["C", "D", "H", "S", "NT"]),
    }
    plain = common | {name: rare[name] for name in ("points", "roem")}
    return st.fixed_dictionaries(plain) | st.fixed_dictionaries(common, optional=rare)


def results(regulation: RuleSet, told: Iterable[dict[str, Any]]) -> list[DealResult]:
    """Those that are legal and count."""
    legal = []
    for line in told:
        try:
            result = evaluate(line, regulation)
        except InvalidDeal:
            continue
        if result.verdict != "void":
            legal.append(result)
    return legal


@st.composite
def sheets(draw: st.DrawFn) -> tuple[RuleSet, list[DealResult]]:
    """A regulation, usual or odd, and what was played by it."""
    presets = ["amsterdam", "rotterdam", "gezelligheid", "thousand-and-one", "new-zealand"]
    usual = st.sampled_from(presets).map(parse_regulation)
    regulation = draw(usual | REGULATIONS)
    told = draw(st.lists(lines(regulation), min_size=1, max_size=16))
    return regulation, results(regulation, told)


@given(sheets())
def test_what_legal_deals_come_to_is_never_refused(
    sheet: tuple[RuleSet, list[DealResult]],
) -> None:
    regulation, played = sheet
    together = sum(sum(result.score.values()) for result in played)
    if played:
        assert sum_fits(together, len(played), regulation)
        assert deals_in_sum(together, len(played), regulation) == len(played)
        # A sheet with more lines than were played is not refused either.
        assert deals_in_sum(together, 16, regulation) is not None


@given(sheets())
def test_nor_is_what_each_side_says_it_is_made_of(
    sheet: tuple[RuleSet, list[DealResult]],
) -> None:
    regulation, played = sheet
    for side in SIDES:
        terms = [term for result in played for term in result.terms[side]]
        total = sum(result.score[side] for result in played)
        roem = sum(term.points for term in terms if term.kind == "roem")
        points = sum(term.points for term in terms if term.kind == "points")
        scored = [result for result in played if result.pit == side and result.score[side]]
        pits = sum(any(term.kind == "pit" for term in result.terms[side]) for result in scored)
        assert extra_fits(roem, len(played), regulation)
        assert bonuses_fit(total - points - roem, len(played), pits, regulation)
        assert bonuses_fit(total - points - roem, len(played), None, regulation)


@given(sheets(), st.lists(st.sampled_from(THREE), min_size=16, max_size=16))
def test_nor_what_three_people_have(
    sheet: tuple[RuleSet, list[DealResult]], declarers: list[Any]
) -> None:
    regulation, played = sheet
    together = 0
    for result, declarer in zip(played, declarers, strict=False):
        own = "NS" if declarer in "NS" else "EW"
        mine: Side = "NS" if result.deal.declarer in ("N", "S", "NS") else "EW"
        scores = {own: result.score[mine], _other(own): result.score[_other(mine)]}
        chairs = chairs_of(declarer)
        assert sorted(chairs.values()) == sorted(chairs_taken(declarer))
        together += sum(scores["NS" if chair in "NS" else "EW"] for chair in chairs.values())
    if played:
        assert sum_fits(together, len(played), regulation, of_three=True)


def _other(side: str) -> Any:
    return "EW" if side == "NS" else "NS"


@pytest.mark.parametrize(
    ("points", "deals"),
    [
        (2592, 16),
        (2592 + 20, 16),
        (2592 + 460, 16),
        (2592 - 162, 15),
        (2592 + 10, 11),
        (2592 + 30, 11),
        (2592 + 461, None),
        (161, None),
        (0, None),
    ],
)
def test_a_sheet_of_sixteen_deals(points: int, deals: int | None) -> None:
    """Under `amsterdam` what comes on top of 162 a deal is a number of tens, but no 10 or 30."""
    assert deals_in_sum(points, 16, RuleSet()) == deals


def test_most_of_what_is_typed_wrong_is_found() -> None:
    """Of the sums within a hundred of 16 × 162 + 460, only tens fit sixteen deals."""
    around = range(2952, 3152)
    fits = [points for points in around if sum_fits(points, 16, RuleSet())]
    assert fits == list(range(2952, 3152, 10))


def test_of_three_people_only_limits_are_known() -> None:
    fits = [sum_fits(points, 2, RuleSet(), of_three=True) for points in (323, 324, 648, 99_999)]
    assert fits == [False, True, True, False]
