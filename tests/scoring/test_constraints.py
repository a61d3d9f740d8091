"""Every named constraint, by trying to break it in the database itself."""

import uuid
from collections.abc import Callable
from functools import partial

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from scoring.models import (
    Confirmation,
    ControlTotal,
    Deal,
    DealClaim,
    DealConfirmation,
    DealEntry,
    Folder,
    Regulation,
    RuleNote,
    Scoresheet,
    Seat,
    SideTotal,
)
from tests.constraints import constraint_names, not_refused
from tests.scoring.sheets import deal, sheet_of, write

pytestmark = [pytest.mark.django_db, pytest.mark.both]

Break = Callable[[Scoresheet], object]


def entry(sheet: Scoresheet, **given: object) -> DealEntry:
    row = {"uuid": uuid.uuid4(), "deal": deal(sheet, 2), "revision": 1, "made_at": timezone.now()}
    return DealEntry.objects.create(**row | given)


def claim(sheet: Scoresheet, **given: object) -> DealClaim:
    row = {"deal": deal(sheet, 1), "why": "different", "written": {}, "result": {}}
    return DealClaim.objects.create(**row | {"made_at": timezone.now()} | given)


def confirmation(sheet: Scoresheet, side: str) -> DealConfirmation:
    return DealConfirmation.objects.create(
        entry=DealEntry.objects.get(deal__sheet=sheet), side=side
    )


def sheets(sheet: Scoresheet) -> QuerySet[Scoresheet]:
    return Scoresheet.objects.filter(pk=sheet.pk)


def folder(sheet: Scoresheet, **given: object) -> Folder:
    row = {"club": sheet.club, "pack": sheet.uuid, "number": 1}
    return Folder.objects.create(**row | given)


BREAKS: dict[str, Break] = {
    "folder_number_once": lambda sheet: [folder(sheet), folder(sheet)],
    "folder_number_from_1": lambda sheet: folder(sheet, number=0),
    "folder_has_32_cards": lambda sheet: folder(sheet, hands="NESW"),
    "folder_typed_has_hands": lambda sheet: folder(sheet, typed=True),
    "deal_number_once_per_sheet": lambda sheet: Deal.objects.create(sheet=sheet, number=1),
    "deal_number_from_1": lambda sheet: Deal.objects.create(sheet=sheet, number=0),
    "deal_at_version_0_has_no_entry": lambda sheet: Deal.objects.filter(sheet=sheet).update(
        version=0
    ),
    "deal_entry_revision_once": lambda sheet: entry(sheet, deal=deal(sheet, 1)),
    "deal_entry_kind_known": lambda sheet: entry(sheet, kind="guessed"),
    "deal_entry_replaces_the_one_before": lambda sheet: entry(sheet, revision=2),
    "deal_entry_side_known": lambda sheet: entry(sheet, side="N"),
    "deal_confirmation_once_per_side": lambda sheet: [confirmation(sheet, "EW") for _ in range(2)],
    "deal_confirmation_side_known": lambda sheet: confirmation(sheet, "W"),
    "deal_claim_one_open_per_device": lambda sheet: [claim(sheet) for _ in range(2)],
    "deal_claim_why_known": lambda sheet: claim(sheet, why="guessed"),
    "deal_claim_side_known": lambda sheet: claim(sheet, side="N"),
    "deal_claim_decided_one_way": lambda sheet: claim(sheet, taken=True),
    "deal_claim_same_is_no_dispute": lambda sheet: claim(sheet, why="same"),
    "regulation_version_once": lambda sheet: Regulation.objects.create(
        club=sheet.club, name=sheet.regulation.name, settings={}
    ),
    "regulation_version_from_1": lambda sheet: Regulation.objects.create(
        club=sheet.club, name="x", version=0, settings={}
    ),
    "scoresheet_state_known": lambda sheet: sheets(sheet).update(state="lost"),
    "scoresheet_first_dealer_is_a_seat": lambda sheet: sheets(sheet).update(first_dealer="X"),
    "scoresheet_deals_1_to_99": lambda sheet: sheets(sheet).update(deals_planned=100),
    "scoresheet_entered_at_most_planned": lambda sheet: sheets(sheet).update(deals_entered=5),
    "scoresheet_target_162_to_5000": lambda sheet: sheets(sheet).update(target=161),
    "scoresheet_of_three_or_of_two": lambda sheet: sheets(sheet).update(
        three_handed=True, two_handed=True
    ),
    "scoresheet_play_off_has_a_winner": lambda sheet: sheets(sheet).update(
        play_off_ns=324, play_off_ew=324
    ),
    "scoresheet_first_trump_is_a_suit": lambda sheet: sheets(sheet).update(first_trump="N"),
    "rule_note_once_per_topic": lambda sheet: [
        RuleNote.objects.create(club=sheet.club, topic="counting", text="x") for _ in range(2)
    ],
    "rule_note_topic_known": lambda sheet: RuleNote.objects.create(
        club=sheet.club, topic="x", text="x"
    ),
    "rule_note_says_something": lambda sheet: RuleNote.objects.create(
        club=sheet.club, topic="other", text=""
    ),
    "seat_one_holder_per_deal": lambda sheet: Seat.objects.create(sheet=sheet, seat="N"),
    "seat_is_a_compass_point": lambda sheet: Seat.objects.create(sheet=sheet, seat="X"),
    "seat_from_deal_1": lambda sheet: Seat.objects.create(sheet=sheet, seat="N", from_deal=0),
    "side_total_once_per_side": lambda sheet: [
        SideTotal.objects.create(sheet=sheet, side="NS", total=1) for _ in range(2)
    ],
    "side_total_side_known": lambda sheet: SideTotal.objects.create(sheet=sheet, side="W", total=1),
    "side_total_or_its_parts": lambda sheet: SideTotal.objects.create(
        sheet=sheet, side="NS", points=1, roem=0
    ),
    "control_total_once_per_side": lambda sheet: [
        ControlTotal.objects.create(sheet=sheet, side="NS") for _ in range(2)
    ],
    "control_total_side_known": lambda sheet: ControlTotal.objects.create(sheet=sheet, side="W"),
    "confirmation_once_per_side": lambda sheet: [
        Confirmation.objects.create(sheet=sheet, side="NS", sheet_version=1, agrees=True, by="x")
        for _ in range(2)
    ],
    "confirmation_side_known": lambda sheet: Confirmation.objects.create(
        sheet=sheet, side="W", sheet_version=1, agrees=True, by="x"
    ),
}


def test_the_database_holds() -> None:
    sheet = sheet_of()
    write(sheet, 1)
    breaks = {name: partial(act, sheet) for name, act in BREAKS.items()}
    assert not_refused(breaks) == []


def test_every_constraint_is_tried() -> None:
    models = (
        Deal,
        DealClaim,
        DealConfirmation,
        DealEntry,
        Folder,
        Regulation,
        RuleNote,
        Scoresheet,
        Seat,
        SideTotal,
        Confirmation,
        ControlTotal,
    )
    assert constraint_names(*models) == set(BREAKS)
