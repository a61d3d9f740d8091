"""A phone works out by itself what a deal comes to, and comes to the same as the rules here."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from scoring.phone_rules import CODES
from scoring.rules import (
    InvalidDeal,
    Regulation,
    evaluate,
    fault_json,
    line_of_three,
    parse_regulation,
)
from tests.browser.phone_deals import Line, Settings, regulations, told
from tests.browser.workbench import OpenPhone, workbench

pytestmark = pytest.mark.browser

DEALS: Final = 40_000
SOME: Final = 3_000
SEED: Final = 20_261_122
MIXED: Final = 90

EVALUATE: Final = """async ([deals, regulations]) => {
  const { evaluate } = await import("/static/scoring/rules/evaluate.js");
  const { lineOfThree } = await import("/static/scoring/rules/seats.js");
  const all = JSON.parse(regulations);
  const answers = JSON.parse(deals).map(([told, number, three]) =>
    evaluate(three ? lineOfThree(told) : told, all[number]));
  return JSON.stringify(answers);
}"""

BROKEN: Final = {
    "equal is nat": ("settle", "counts[us] > counts[them]", "counts[us] >= counts[them]"),
    "roem of the nat side": ("settle", "roem[them] + lost", "roem[them]"),
    "the bonus of a counter-pit": (
        "settle",
        "regulation.counter_pit_bonus",
        "regulation.pit_bonus",
    ),
    "nobody wins a deal made": ("settle", "left ? 0", "left > 20 ? 0"),
    "roem on card points": ("deal", "points[side] + roem[side]", "points[side]"),
    "an accusation": ("deal", "regulation.unproven_reneging ===", "regulation.reneging ==="),
    "one stuk": ("roem", "stuks > 1", "stuks > 2"),
    "four jacks as four alike": ("roem", "alike < jacks", "alike > jacks"),
    "161 points": ("checks", "taken === total - 1", "taken === total - 2"),
    "pit and nat": ("checks", "deal.pit === deal.declarers", "deal.pit !== deal.declarers"),
    "who must play": ("checks", '"dealer_must" ? dealer', '"dealer_must" ? leftOf(dealer)'),
    "much roem": ("unlikely", "MUCH_ROEM = 200", "MUCH_ROEM = 210"),
    "the dummy's chair": ("seats", '? "W" : seat', '? "N" : seat'),
}
"""One text of a file in place of another, each of which makes some rule another."""

Deal = tuple[Line, int, bool]
"""What was told, by which of the regulations it is played, and whether by three."""


Answer = dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """Deals, the settings they are played by, and what the rules here say of each."""

    settings: list[Settings]
    deals: list[Deal]
    answers: list[Answer]

    def differences(self, page: Page) -> list[tuple[Deal, Answer, Answer]]:
        """The deals of which the phone says something else, with what it says and the rules do."""
        said = page.evaluate(EVALUATE, [json.dumps(self.deals), json.dumps(self.settings)])
        pairs = zip(self.deals, map(_in_order, json.loads(said)), self.answers, strict=True)
        return [each for each in pairs if each[1] != each[2]]


@lru_cache(maxsize=2)
def sample(count: int, seed: int = SEED) -> Sample:
    random = Random(seed)
    settings = regulations(random, MIXED)
    rules = [parse_regulation(each) for each in settings]
    deals, answers = [], []
    for _ in range(count):
        number, three = random.randrange(len(settings)), random.random() < 0.25
        line = told(random, settings[number], three=three)
        deals.append((line, number, three))
        answers.append(_answer(line_of_three(line) if three else line, rules[number]))
    return Sample(settings, deals, answers)


def _answer(line: Line, rules: Regulation) -> Answer:
    try:
        result = evaluate(line, rules)
    except InvalidDeal as invalid:
        return _in_order({"valid": False, "errors": [fault_json(each) for each in invalid.faults]})
    return _in_order(result.as_json())


def _in_order(answer: Answer) -> Answer:
    """The answer with the code and field of each error and warning, in one order."""
    lists = {key: answer[key] for key in ("errors", "warnings") if key in answer}
    named = {key: sorted((one["code"], one["field"]) for one in v) for key, v in lists.items()}
    return answer | named


@pytest.fixture
def phone_with(chromium: Browser) -> Iterator[OpenPhone]:
    yield from workbench(chromium)


def test_the_phone_works_out_what_the_rules_work_out(phone_with: OpenPhone) -> None:
    assert sample(DEALS).differences(phone_with({}))[:3] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(25))
def test_a_million_deals_come_to_the_same(phone_with: OpenPhone, seed: int) -> None:
    assert sample(DEALS, seed).differences(phone_with({}))[:3] == []


def test_among_those_deals_are_right_ones_and_every_fault() -> None:
    answers = sample(DEALS).answers
    assert sum(answer["valid"] for answer in answers) > DEALS // 3
    lists = [answer.get("errors") or answer.get("warnings") or [] for answer in answers]
    codes = Counter(code for faults in lists for code, _field in faults)
    assert set(codes) == {code.partition(":")[0] for code in CODES}
    assert min(codes.values()) > 10


@pytest.mark.parametrize("name", BROKEN)
def test_a_rule_that_is_another_on_the_phone_is_found_out(phone_with: OpenPhone, name: str) -> None:
    file, before, after = BROKEN[name]
    page = phone_with({f"scoring/rules/{file}.js": (before, after)})
    assert sample(SOME).differences(page) != []
