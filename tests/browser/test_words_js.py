"""A phone says of a deal by itself what the server says of it, word for word."""

import json
import uuid
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
from django.utils import translation
from playwright.sync_api import Browser

from scoring.forms import DealForm
from scoring.models import Scoresheet
from scoring.phone_rules import phone_rules
from scoring.previews import preview_of
from scoring.rules import line_of_three
from scoring.sheet_view import SheetView
from tests.browser.phone_deals import typed
from tests.browser.workbench import OpenPhone, workbench
from tests.scoring.sheets import sheet_of, sheet_of_three, write

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

TIMES: Final = 300
JUDGE: Final = """async ([about, forms]) => {
  const { judgeFields } = await import("/static/scoring/judge.js");
  const told = JSON.parse(about);
  return JSON.parse(forms).map((fields) => judgeFields(new Map(Object.entries(fields)), told));
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
def phone_with(chromium: Browser) -> Iterator[OpenPhone]:
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


@pytest.mark.parametrize("language", ["nl", "en"])
@pytest.mark.parametrize(
    ("sheet_by", "settings"),
    [
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
    ],
)
def test_the_phone_says_what_the_server_says(
    phone_with: OpenPhone,
    sheet_by: Callable[[dict[str, Any]], Scoresheet],
    settings: dict[str, Any],
    language: str,
) -> None:
    random, sheet = Random(language), sheet_by(settings)
    with translation.override(language):
        view = SheetView(sheet)
        blank = DealForm(view=view, number=1)
        forms = [typed(random, blank) for _ in range(TIMES)]
        expected = [_said_by_server(view, fields) for fields in forms]
        about = phone_rules(blank)
    page = phone_with({})
    answers = page.evaluate(JUDGE, [json.dumps(about), json.dumps(forms)])
    said = [{key: answer[key] for key in expected[0]} for answer in answers]
    differences = [each for each in zip(forms, said, expected, strict=True) if each[1] != each[2]]
    assert differences[:3] == []
    assert sum(bool(each["lines"]) for each in expected) > TIMES // 6


def _said_by_server(view: SheetView, fields: dict[str, str]) -> dict[str, Any]:
    version = str(view.deals[0].version)
    sent = {"seen_version": version, "uuid": str(uuid.uuid4()), "why": "roem", **fields}
    preview = preview_of(DealForm(sent, view=view, number=1))
    texts = {name: list(getattr(preview, name)) for name in ("lines", "doubts", "wanted", "faults")}
    return {**texts, "digest": preview.digest}
