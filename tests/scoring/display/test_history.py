"""The history of a deal in words: what, by whom, on which phone, when there and when here."""

import datetime as dt
import uuid
from typing import Any

import pytest
from time_machine import travel

from clubs.audit.services import Actor
from scoring.deals.services import deal_restore, deal_undo
from scoring.display.history import restored_reason, revisions, written_words
from scoring.display.sheet_view import SheetView
from scoring.models import Scoresheet
from scoring.rules import line_of_three
from tests.factories import TESTS, UserFactory
from tests.scoring.sheets import deal, sheet_of, sheet_of_three, write

pytestmark = pytest.mark.django_db

EIGHT = dt.datetime(2026, 11, 21, 20, 41, tzinfo=dt.UTC)
"""In Amsterdam that is 21:41."""


def history(sheet: Scoresheet, number: int = 1) -> list[dict[str, object]]:
    """Every line of it, but for what is empty and its key."""
    found = Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk)
    lines = revisions(deal(found, number), SheetView(found))
    return [
        {name: value for name in line.__slots__ if name != "key" and (value := getattr(line, name))}
        for line in lines
    ]


def test_a_deal_that_nobody_wrote_has_none() -> None:
    assert history(sheet_of()) == []


def test_it_is_shown_newest_first_down_to_the_empty_line() -> None:
    sheet, riet = sheet_of(), UserFactory.create(name="Riet Bos")
    with travel(EIGHT, tick=False):
        write(sheet, 1, side="NS", device="phone:2")
        change = {"declarer": "NS", "trump": "S", "points": {"NS": 100}, "roem": {"EW": [20]}}
        write(sheet, 1, 1, written=change, actor=Actor.of_user(riet), reason="misread")
        write_again = {"declarer": "EW", "trump": "C", "points": {"EW": 60}}
        write(sheet, 1, 2, written=write_again, reason="again")
        deal_undo(sheet_id=sheet.pk, number=1, seen_version=3, uuid=uuid.uuid4(), actor=TESTS)
        message = history(sheet)
    assert message == [
        {
            "number": 4,
            "score": "100–82",
            "summary": "wij, schoppen, roem 0–20",
            "author": "aan tafel",
            "when": "21:41",
            "reason": "ongedaan gemaakt",
            "stands": True,
        },
        {
            "number": 3,
            "score": "162–0",
            "summary": "zij, klaveren, nat",
            "author": "aan tafel",
            "when": "21:41",
            "reason": "again",
        },
        {
            "number": 2,
            "score": "100–82",
            "summary": "wij, schoppen, roem 0–20",
            "author": "Riet Bos",
            "when": "21:41",
            "reason": "misread",
        },
        {
            "number": 1,
            "score": "90–72",
            "summary": "wij, harten",
            "author": "aan tafel, wij",
            "device": "telefoon 2",
            "when": "21:41",
        },
        {"score": "leeg"},
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("made", "words"),
    [
        (EIGHT, "21:58"),
        (EIGHT - dt.timedelta(seconds=16 * 60), "getypt 21:42, ontvangen 21:58"),
        (EIGHT + dt.timedelta(minutes=19), "getypt 22:17, ontvangen 21:58"),
        (EIGHT - dt.timedelta(hours=24), "getypt 20 nov 21:58, ontvangen 21:58"),
    ],
)
def test_when_there_and_when_here(made: dt.datetime, words: str) -> None:
    sheet = sheet_of()
    came = dt.timedelta(minutes=17)
    with travel(EIGHT + came, tick=False):
        write(sheet, 1, made_at=made + came)
        assert history(sheet)[0]["when"] == words


@pytest.mark.full
def test_a_minute_on_the_way_is_not_shown() -> None:
    sheet = sheet_of()
    with travel(EIGHT, tick=False):
        write(sheet, 1, made_at=EIGHT - dt.timedelta(seconds=60))
        write(sheet, 2, made_at=EIGHT - dt.timedelta(seconds=61))
        assert history(sheet)[0]["when"] == "21:41"
        assert history(sheet, 2)[0]["when"] == "getypt 21:39, ontvangen 21:41"


def test_another_day_is_shown_with_its_date() -> None:
    sheet = sheet_of()
    with travel(EIGHT, tick=False):
        write(sheet, 1)
    with travel(EIGHT + dt.timedelta(days=7), tick=False):
        assert history(sheet)[0]["when"] == "21 nov 21:41"


def words(line: dict[str, Any], sheet: Scoresheet | None = None) -> str:
    """What is told of a line by people who are called as their seats."""
    return written_words(line, sheet or sheet_of(), {"N": "n", "E": "e", "S": "s", "W": "w"}.get)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"declarer": "NS", "trump": "C", "pit": "NS", "roem": {"NS": [20]}},
            "wij, klaveren, roem 20–0, pit",
        ),
        ({"declarer": "NS", "trump": "D", "pit": "EW"}, "wij, ruiten, tegenpit"),
        ({"declarer": "EW", "trump": "H", "reneged": "E"}, "zij, harten, e verzaakte"),
        ({"declarer": "S", "trump": "H", "points": {"NS": 90}}, "s, harten"),
        (
            {
                "declarer": "NS",
                "trump": "H",
                "points": {"NS": 90},
                "corrections": [{"side": "NS", "points": -50, "reason": "telefoon"}],
            },
            "wij, harten, correctie",
        ),
    ],
)
def test_what_was_special_is_shown(line: dict[str, Any], message: str) -> None:
    assert words(line) == message


def test_at_a_table_of_three_people_are_called_by_their_own_names() -> None:
    sheet = sheet_of_three()
    line = line_of_three(
        {"declarer": "E", "trump": "H", "points": {"NS": 90}, "roem": {"NS": [20]}}
    )
    assert words(line, sheet) == "e, harten, roem 20–0"
    reneged = line_of_three({"declarer": "E", "trump": "H", "reneged": "S"})
    assert words(reneged, sheet) == "e, harten, s verzaakte"


@pytest.mark.full
def test_putting_back_says_by_itself_what() -> None:
    sheet = sheet_of()
    with travel(EIGHT, tick=False):
        write(sheet, 1)
        write(
            sheet,
            1,
            1,
            reason="misread",
            written={"declarer": "EW", "trump": "C", "points": {"EW": 90}},
        )
        one = deal(sheet, 1)
        assert restored_reason(one, 1) == "Teruggezet: 90–72, zoals geschreven om 21:41."
        assert restored_reason(one, 0) == "Teruggezet: een lege regel."
        deal_restore(
            sheet_id=sheet.pk,
            number=1,
            revision=1,
            seen_version=2,
            uuid=uuid.uuid4(),
            actor=TESTS,
            reason=restored_reason(one, 1),
        )
        assert history(sheet)[0] == {
            "number": 3,
            "score": "90–72",
            "summary": "wij, harten",
            "author": "aan tafel",
            "when": "21:41",
            "reason": "Teruggezet: 90–72, zoals geschreven om 21:41.",
            "stands": True,
        }
