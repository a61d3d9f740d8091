"""Score sheets to test with that belong to no evening."""

import uuid
from typing import Any

from clubs.models import Club, Member
from scoring.deals.services import deal_write
from scoring.models import Deal, DealEntry, Scoresheet, Seat
from scoring.rules import SEATS, THREE
from scoring.rules import Seat as SeatName
from scoring.sheets.services import sheets_create
from tests.factories import TESTS, ClubFactory, MemberFactory, regulation_of

FOUR_DEALS: tuple[dict[str, Any], ...] = (
    {"declarer": "NS", "trump": "H", "points": {"EW": 65}, "roem": {"NS": [20, 50]}},
    {"declarer": "EW", "trump": "S", "points": {"EW": 70}, "roem": {"NS": [20], "EW": [20]}},
    {"declarer": "NS", "trump": "C", "pit": "NS", "roem": {"NS": [20]}},
    {"declarer": "NS", "trump": "D", "pit": "EW"},
)
"""Under `amsterdam`: 97 + 70 against 65; nat, 162 + 40 to NS; pit, 162 + 20 + 100; counter-pit, 262
to EW. Together 651 against 327, which is 4 × 162 + 130 roem + 2 × 100."""


def sheet_of(*members: Member, deals: int = 4, preset: str = "amsterdam") -> Scoresheet:
    """A blank open sheet with these four people (or four new ones) at N E S W."""
    club = members[0].club if members else ClubFactory.create()
    seated = list(members) or MemberFactory.create_batch(4, club=club)
    return _sheet(dict(zip(SEATS, seated, strict=True)), deals, preset)


def sheet_of_three(*, deals: int = 4, preset: str = "amsterdam") -> Scoresheet:
    """A blank open sheet with three new people at N E S, and the dummy."""
    members = MemberFactory.create_batch(3, club=Club.objects.first() or ClubFactory.create())
    return _sheet(dict(zip(THREE, members, strict=True)), deals, preset)


def _sheet(seating: dict[SeatName, Member], deals: int, preset: str) -> Scoresheet:
    club = seating["N"].club
    regulation = regulation_of(club, preset)
    (sheet,) = sheets_create(club=club, regulation=regulation, deals=deals, seatings=[seating])
    return sheet


def write(sheet: Scoresheet, number: int, seen_version: int = 0, **given: Any) -> DealEntry:
    """Write a deal, by default NS 90 in hearts; `written` and other arguments as in the service."""
    given.setdefault("written", {"declarer": "NS", "trump": "H", "points": {"NS": 90}})
    given.setdefault("uuid", uuid.uuid4())
    given.setdefault("actor", TESTS)
    return deal_write(sheet_id=sheet.pk, number=number, seen_version=seen_version, **given)


def write_four(sheet: Scoresheet) -> None:
    """Write `FOUR_DEALS` on it."""
    for number, written in enumerate(FOUR_DEALS, start=1):
        write(sheet, number, written=written)


def deal(sheet: Scoresheet, number: int) -> Deal:
    """The deal as it stands in the database."""
    return sheet.deals.select_related("current").get(number=number)


def figures(sheet: Scoresheet) -> tuple[int, int, int]:
    """Deals entered, and the score of NS and EW, as the sheet keeps them."""
    kept = Scoresheet.objects.get(pk=sheet.pk)
    return kept.deals_entered, kept.score_ns, kept.score_ew


def seat_figures(
    sheet: Scoresheet, seat: str, from_deal: int = 1
) -> tuple[int, int | None, int | None, int, int]:
    """Score, roem, pits, nats and deals of a seat, as it keeps them."""
    kept = Seat.objects.get(sheet=sheet, seat=seat, from_deal=from_deal)
    return kept.score, kept.roem, kept.pits, kept.nats, kept.deals
