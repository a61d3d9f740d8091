"""A phone works out by itself what a deal comes to, and comes to the same as the rules here."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from scoring.deals.phone import CODES
from scoring.rules import (
    InvalidDeal,
    RuleSet,
    evaluate,
    fault_json,
    line_of_three,
    parse_regulation,
)
from tests.browser.phone_deals import Line, Settings, regulations, written
from tests.browser.workbench import Change, workbench

GATE: Final = 4_000
SOAK: Final = 40_000
PART: Final = 250
SEED: Final = 20_261_122
MIXED: Final = 90

EVALUATE: Final = """async ([base, deals, regulations]) => {
  const { evaluate, workOut } = await import(`${base}/static/scoring/rules/evaluate.js`);
  const { lineOfThree } = await import(`${base}/static/scoring/rules/seats.js`);
  const all = JSON.parse(regulations);
  const answers = JSON.parse(deals).map(([written, number, three]) => {
    const line = three ? lineOfThree(written) : written;
    const answer = evaluate(line, all[number]);
    if (answer.valid) return answer;
    const why = workOut(line, all[number]).faults.map(({ params }) => params.why ?? "");
    return { ...answer, why: why.sort() };
  });
  return JSON.stringify(answers);
}"""

RULES: Final = "scoring/rules"
BROKEN: Final[dict[str, Change]] = {
    "equal-is-nat": (
        f"{RULES}/settle.js",
        "counts[us] > counts[them]",
        "counts[us] >= counts[them]",
    ),
    "roem-of-the-nat-side": (f"{RULES}/settle.js", "roem[them] + lost", "roem[them]"),
    "bonus-of-a-counter-pit": (
        f"{RULES}/settle.js",
        "regulation.counter_pit_bonus",
        "regulation.pit_bonus",
    ),
    "nobody-wins-a-deal-made": (f"{RULES}/settle.js", "left ? 0", "left > 20 ? 0"),
    "roem-on-card-points": (f"{RULES}/deal.js", "points[side] + roem[side]", "points[side]"),
    "an-accusation": (
        f"{RULES}/deal.js",
        "regulation.unproven_reneging ===",
        "regulation.reneging ===",
    ),
    "one-stuk": (f"{RULES}/roem.js", "stuks > 1", "stuks > 2"),
    "four-jacks-as-four-alike": (f"{RULES}/roem.js", "alike < jacks", "alike > jacks"),
    "161-points": (f"{RULES}/checks.js", "taken === total - 1", "taken === total - 2"),
    "pit-and-nat": (
        f"{RULES}/checks.js",
        "deal.pit === deal.declarers",
        "deal.pit !== deal.declarers",
    ),
    "who-must-play": (
        f"{RULES}/checks.js",
        '"dealer_must" ? dealer',
        '"dealer_must" ? leftOf(dealer)',
    ),
    "why-no-roem": (f"{RULES}/roem.js", "withStuk.length > 1", "withStuk.length > 2"),
    "much-roem": (f"{RULES}/unlikely.js", "MUCH_ROEM = 200", "MUCH_ROEM = 210"),
    "the-dummys-chair": (f"{RULES}/seats.js", '? "W" : seat', '? "N" : seat'),
}
"""Changes in one file of the phone, each of which makes some rule another."""

Deal = tuple[Line, int, bool]
"""What was written, by which of the regulations it is played, and whether by three."""


Answer = dict[str, Any]


@dataclass(frozen=True)
class Sample:
    """Deals, the settings they are played by, and what the rules here say of each."""

    settings: list[Settings]
    deals: list[Deal]
    answers: list[Answer]

    def differences(self, page: Page, variant: str = "") -> list[tuple[Deal, Answer, Answer]]:
        """The deals of which the phone says something else, with what it says and the rules do."""
        base = f"/{variant}" if variant else ""
        answers = page.evaluate(EVALUATE, [base, json.dumps(self.deals), json.dumps(self.settings)])
        pairs = zip(self.deals, map(_in_order, json.loads(answers)), self.answers, strict=True)
        return [each for each in pairs if each[1] != each[2]]

    def notices(self, page: Page, variant: str) -> bool:
        """Whether there is a difference; most show among the first few deals."""
        parts = (
            Sample(self.settings, self.deals[at : at + PART], self.answers[at : at + PART])
            for at in range(0, len(self.deals), PART)
        )
        return any(part.differences(page, variant) for part in parts)


@lru_cache(maxsize=2)
def sample(count: int, seed: int = SEED) -> Sample:
    random = Random(seed)
    settings = regulations(random, MIXED)
    rules = [parse_regulation(each) for each in settings]
    deals, answers = [], []
    for _ in range(count):
        number, three = random.randrange(len(settings)), random.random() < 0.25
        line = written(random, settings[number], three=three)
        deals.append((line, number, three))
        answers.append(_answer(line_of_three(line) if three else line, rules[number]))
    return Sample(settings, deals, answers)


def _answer(line: Line, rules: RuleSet) -> Answer:
    try:
        result = evaluate(line, rules)
    except InvalidDeal as invalid:
        errors = [fault_json(each) for each in invalid.faults]
        why = sorted(str(each.params.get("why", "")) for each in invalid.faults)
        return _in_order({"valid": False, "errors": errors, "why": why})
    return _in_order(result.as_json())


def _in_order(answer: Answer) -> Answer:
    """The answer with the code and field of each error and warning, in one order."""
    lists = {key: answer[key] for key in ("errors", "warnings") if key in answer}
    named = {key: sorted((one["code"], one["field"]) for one in v) for key, v in lists.items()}
    return answer | named


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    yield from workbench(chromium, BROKEN)


@pytest.mark.browser
def test_the_phone_works_out_what_the_rules_work_out(phone: Page) -> None:
    deals = sample(GATE)
    assert deals.differences(phone)[:3] == []
    unnoticed = [name for name in BROKEN if not deals.notices(phone, name)]
    assert unnoticed == [], "the sample would not notice these faults in the phone's rules"


@pytest.mark.browser
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEED, SEED + 25))
def test_a_million_deals_come_to_the_same(phone: Page, seed: int) -> None:
    assert sample(SOAK, seed).differences(phone)[:3] == []


def test_the_sample_has_right_deals_and_every_fault() -> None:
    answers = sample(GATE).answers
    assert sum(answer["valid"] for answer in answers) > GATE // 3
    lists = [answer.get("errors") or answer.get("warnings") or [] for answer in answers]
    assert {code for faults in lists for code, _field in faults} == {
        code.partition(":")[0] for code in CODES
    }
