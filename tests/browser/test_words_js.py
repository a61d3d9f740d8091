"""A phone says of a deal by itself what the server says of it, word for word."""

import json
import uuid
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
from django.db import transaction
from django.utils import translation
from playwright.sync_api import Browser, Page

from scoring.deals.forms import DealForm
from scoring.deals.phone import phone_rules, preview_of
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from scoring.rules import line_of_three
from tests.browser.phone_deals import typed
from tests.browser.workbench import workbench
from tests.scoring.sheets import sheet_of, sheet_of_three, write

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

GATE: Final = 30
SOAK: Final = 1000
JUDGE: Final = """async ([about, forms]) => {
  const { judgeFields } = await import("/static/scoring/deals/judge.js");
  const deal = JSON.parse(about);
  return JSON.parse(forms).map((fields) => judgeFields(new Map(Object.entries(fields)), deal));
}"""

CORRECTED: Final = {
    "declarer": "N",
    "trump": "S",
    "points": {"NS": 90},
    "accused_wrongly_by": "S",
    "corrections": [
        {"seat": "E", "points": -50, "reason": "te laat"},
        {"side": "NS", "points": 20, "reason": 'bok \\ "één" €'},
    ],
}


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    yield from workbench(chromium)


def played(settings: dict[str, Any]) -> Scoresheet:
    return _with(sheet_of(), settings)


def of_three(settings: dict[str, Any]) -> Scoresheet:
    return _with(sheet_of_three(), settings)


def by_the_evening(settings: dict[str, Any]) -> Scoresheet:
    """On which hearts are trumps in the first deal and the first reneging is let off."""
    sheet = _with(sheet_of(), settings)
    evenings = {"first_trump": "H", "first_reneging_replayed": True}
    Scoresheet.objects.filter(pk=sheet.pk).update(**evenings)
    return Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)


def corrected(settings: dict[str, Any]) -> Scoresheet:
    """On which the first deal is written already, with corrections by the director."""
    sheet = _with(sheet_of(), settings)
    write(sheet, 1, written=CORRECTED)
    return sheet


def corrected_of_three(settings: dict[str, Any]) -> Scoresheet:
    sheet = _with(sheet_of_three(), settings)
    write(sheet, 1, written=line_of_three({**CORRECTED, "declarer": "E"}))
    return sheet


def _with(sheet: Scoresheet, settings: dict[str, Any]) -> Scoresheet:
    regulation = sheet.regulation
    regulation.settings = regulation.settings | settings
    regulation.save()
    return Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)


SHEETS: Final[list[tuple[Callable[[dict[str, Any]], Scoresheet], dict[str, Any]]]] = [
    (played, {}),
    (played, {"no_trump": True, "nil_bonus": 50, "nat_counts_roem": False}),
    (played, {"nat_roem": "lost", "reneging": "culprit_fined", "shutout_bonus": 50}),
    (played, {"nat": False, "reneging": "none", "bidding": "forehand_must"}),
    (played, {"reneging": "deal_lost_with_roem", "unproven_reneging": "deal_lost"}),
    (of_three, {"reneging": "replay", "unproven_reneging": "deal_lost"}),
    (of_three, {"nil_bonus": 50, "reneging": "culprit_fined"}),
    (by_the_evening, {}),
    (corrected, {}),
    (corrected, {"unproven_reneging": "deal_lost", "four_jacks": 100}),
    (corrected_of_three, {}),
]


@pytest.mark.full
@pytest.mark.parametrize("count", [GATE, pytest.param(SOAK, marks=pytest.mark.soak)])
def test_the_phone_says_what_the_server_says(phone: Page, count: int) -> None:
    differences = []
    for number, (sheet_by, settings) in enumerate(SHEETS):
        with transaction.atomic():
            sheet = sheet_by(settings)
            for language in ("nl", "en"):
                with translation.override(language):
                    random = Random(f"{language} {number}")
                    differences += _differences(phone, SheetView(sheet), random, count)
            transaction.set_rollback(True)
    assert differences[:3] == []


def _differences(phone: Page, view: SheetView, random: Random, count: int) -> list[object]:
    """The forms of which phone and server say something else, with what each of them says."""
    blank = DealForm(view=view, number=1)
    forms = [typed(random, blank) for _ in range(count)]
    expected = [_said_by_server(view, fields) for fields in forms]
    answers = phone.evaluate(JUDGE, [json.dumps(phone_rules(blank)), json.dumps(forms)])
    said = [{key: answer[key] for key in expected[0]} for answer in answers]
    assert sum(bool(each["lines"]) for each in expected) > count // 6
    pairs = zip(forms, said, expected, strict=True)
    return [each for each in pairs if each[1] != each[2]]


def _said_by_server(view: SheetView, fields: dict[str, str]) -> dict[str, Any]:
    version = str(view.deals[0].version)
    sent = {"seen_version": version, "uuid": str(uuid.uuid4()), "why": "roem", **fields}
    preview = preview_of(DealForm(sent, view=view, number=1))
    texts = {name: list(getattr(preview, name)) for name in ("lines", "doubts", "wanted", "faults")}
    return {**texts, "digest": preview.digest}
