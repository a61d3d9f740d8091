"""Sheets read from photographs and scans, with digits of hands that the net was not trained on."""

from random import Random

import cv2
import numpy as np
import pytest

from scoring.reading.layout import Form
from scoring.reading.picture import UnreadableError, opened, sheets_on
from scoring.reading.reader import read_page
from scoring.rules import RuleSet
from tests.scoring.reading.photographs import (
    CODE,
    NAMED,
    Camera,
    Filled,
    Grey,
    empty_page,
    filled,
    photograph,
    plain,
    read_picture,
    same,
    scan,
)

pytestmark = pytest.mark.once

STEADY = Camera(tilt=20, megapixels=(3, 5))


@pytest.fixture(scope="module")
def sheet() -> Filled:
    return filled(Random(11), RuleSet())


def refusal(grey: Grey) -> str:
    with pytest.raises(UnreadableError) as error:
        sheets_on(grey)
    return error.value.code


@pytest.mark.full
def test_a_photograph_is_told_and_most_of_its_deals_are_right(sheet: Filled) -> None:
    code, read = read_picture(photograph(sheet.page, Random(3), STEADY), sheet.layout, RuleSet())
    right = [
        deal.line is not None and same(deal.line, line)
        for deal, line in zip(read.deals, sheet.lines, strict=True)
    ]
    assert code == CODE
    assert sum(right) >= 14
    assert [
        deal.sure and not is_right for deal, is_right in zip(read.deals, right, strict=True)
    ] == ([False] * 16)


def test_what_was_crossed_out_is_shown() -> None:
    sheet = filled(Random(21), RuleSet(), crossings=0.3)
    _code, read = read_picture(scan(sheet.page, Random(6)), sheet.layout, RuleSet())
    shown = {place for place, deal in enumerate(read.deals) if not deal.sure}
    assert len(sheet.crossed) >= 3
    assert sheet.crossed <= shown


@pytest.mark.full
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_page_may_lie_any_way(sheet: Filled, turns: int) -> None:
    grey = np.rot90(opened(scan(sheet.page, Random(turns), dpi=150)), turns)
    (found,) = sheets_on(np.ascontiguousarray(grey)).found
    assert found.code == CODE


@pytest.mark.full
def test_two_compact_sheets_of_one_page_are_read() -> None:
    sheets = [filled(Random(seed), RuleSet(), form=Form(16, compact=True)) for seed in (4, 5)]
    page = np.rot90(np.hstack([sheet.page for sheet in sheets]))
    small = cv2.resize(page, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    found = sheets_on(np.ascontiguousarray(small)).found
    # The page lies on its side: the one on the right is on top.
    for one, sheet in zip(found, reversed(sheets), strict=True):
        read = read_page(one, sheet.layout, RuleSet())
        right = [
            deal.line is not None and same(deal.line, line)
            for deal, line in zip(read.deals, sheet.lines, strict=True)
        ]
        assert sum(right) >= 15
        assert not any(
            deal.sure and not is_right for deal, is_right in zip(read.deals, right, strict=True)
        )


FORMS = [
    Form(16, three=three, no_trump=no_trump, spare=spare, compact=compact)
    for three in (False, True)
    for no_trump in (False, True)
    for spare in (False, True)
    for compact in (False, True)
]
GATE = (
    Form(16, spare=True, compact=True),
    Form(16, three=True, spare=True),
    Form(16, three=True, no_trump=True, spare=True, compact=True),
)


@pytest.mark.parametrize(
    "form",
    [form if form in GATE else pytest.param(form, marks=pytest.mark.full) for form in FORMS],
    ids=str,
)
def test_a_sheet_of_any_form_is_read(form: Form) -> None:
    sheet = filled(Random(12), RuleSet(no_trump=form.no_trump), form=form)
    code, read = read_picture(scan(sheet.page, Random(3)), sheet.layout, RuleSet())
    lines = [deal.line or {} for deal in read.deals]
    assert (code, read.named) == (CODE, NAMED if form.spare else {})
    assert [*map(plain, lines)] == [*map(plain, sheet.lines)]
    assert read.totals == sheet.totals


@pytest.mark.full
@pytest.mark.parametrize(
    "code",
    [
        "705868952569301034905572557366017317660417914286143965",
        "719215931466130953517051015212326724474419969509714894",
        "721831461240511980118073156015587416391018933519045431",
    ],
)
def test_a_code_is_read_that_its_reader_does_not_find(code: str) -> None:
    (found,) = sheets_on(opened(scan(empty_page(Form(4), code=code), Random(1)))).found
    assert found.code == code


def test_a_code_whose_modules_run_together_is_read() -> None:
    camera = Camera(tilt=30, least_tilt=20, megapixels=(2, 2.3))
    (found,) = sheets_on(opened(photograph(empty_page(), Random(30), camera))).found
    assert found.code == CODE


@pytest.mark.full
def test_an_empty_sheet_has_no_deals() -> None:
    page = empty_page()
    sheet = filled(Random(1), RuleSet())
    _code, read = read_picture(scan(page, Random(2)), sheet.layout, RuleSet())
    assert [(deal.line, deal.sure) for deal in read.deals] == [(None, True)] * 16
    assert (read.totals, read.agree) == ({"NS": None, "EW": None}, None)


@pytest.mark.full
def test_two_sheets_on_one_picture_are_two(sheet: Filled) -> None:
    page = cv2.resize(sheet.page, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    desk = np.full((page.shape[0] + 100, 2 * page.shape[1] + 150), 90, np.uint8)
    desk[50 : 50 + page.shape[0], 50 : 50 + page.shape[1]] = page
    desk[50 : 50 + page.shape[0], 100 + page.shape[1] : 100 + 2 * page.shape[1]] = page
    assert [found.code for found in sheets_on(desk).found] == [CODE, CODE]


@pytest.mark.full
def test_sheets_come_from_the_top_left_on_though_they_lie_askew(sheet: Filled) -> None:
    """The left one lies a little lower."""
    page = cv2.resize(sheet.page, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    high, wide = page.shape
    desk = np.full((high + 200, 2 * wide + 150), 90, np.uint8)
    desk[120 : 120 + high, 50 : 50 + wide] = np.minimum(page, 250)
    desk[50 : 50 + high, 100 + wide : 100 + 2 * wide] = (page * 0.8).astype(np.uint8)
    left, right = sheets_on(desk).found
    assert float(np.median(left.page)) > float(np.median(right.page))


@pytest.mark.full
def test_of_sheets_on_one_picture_the_unreadable_are_told(sheet: Filled) -> None:
    """One lies half outside it, another is far away."""
    page = cv2.resize(sheet.page, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    high, wide = page.shape
    small = cv2.resize(page, None, fx=0.43, fy=0.43, interpolation=cv2.INTER_AREA)
    desk = np.full((high + 100, 2 * wide + 300), 90, np.uint8)
    desk[50 : 50 + high, 50 : 50 + wide] = page
    desk[50 : 50 + high // 2, 100 + wide : 100 + 2 * wide] = page[: high // 2]
    desk[-50 - small.shape[0] : -50, 150 + wide : 150 + wide + small.shape[1]] = small
    sheets = sheets_on(desk)
    assert ([found.code for found in sheets.found], sheets.refused) == (
        [CODE],
        ["too_small", "corner_missing"],
    )


def test_what_cannot_be_read_says_why(sheet: Filled) -> None:
    page = opened(scan(sheet.page, Random(4), dpi=150))
    covered = page.copy()
    covered[-140:, -140:] = 120
    assert refusal(covered) == "corner_missing"
    assert refusal(np.full((1200, 900), 190, np.uint8)) == "no_sheet"
    assert refusal((page * 0.06).astype(np.uint8)) == "too_dark"
    desk = np.full((2000, 1600), 90, np.uint8)
    small = cv2.resize(page, None, fx=0.38, fy=0.38, interpolation=cv2.INTER_AREA)
    desk[100 : 100 + small.shape[0], 100 : 100 + small.shape[1]] = small
    assert refusal(desk) == "too_small"


def test_a_strip_is_no_picture_of_a_sheet() -> None:
    _done, strip = cv2.imencode(".png", np.full((2, 10_000), 190, np.uint8))
    with pytest.raises(UnreadableError) as error:
        opened(strip.tobytes())
    assert error.value.code == "no_sheet"


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"\xff\xd8\xff", b"%PDF-1.4", b"\x89PNG\r\n"])
def test_what_is_no_picture_is_none(content: bytes) -> None:
    with pytest.raises(UnreadableError) as error:
        opened(content)
    assert error.value.code == "no_sheet"
