"""A sheet of three people, each for himself: whoever plays has the dummy opposite."""

import uuid
from typing import Any

import pytest

from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.deals.services import deal_undo
from scoring.display.words import DealRefused
from scoring.models import Scoresheet
from scoring.rules import THREE, line_of_three
from scoring.sheets.services import seat_take_over, sheet_move, sheet_swap_sides, sheets_create
from scoring.sheets.side_totals import HandedIn, TotalsRefused, side_totals_write
from tests.factories import TESTS, MemberFactory, regulation_of
from tests.scoring.audit.test_verify import verify
from tests.scoring.sheets import deal, figures, seat_figures, sheet_of, sheet_of_three, write

pytestmark = pytest.mark.django_db

MADE: dict[str, Any] = {"declarer": "N", "trump": "H", "points": {"NS": 100}, "roem": {"NS": [20]}}
NAT: dict[str, Any] = {"declarer": "E", "trump": "S", "points": {"NS": 70}, "roem": {"EW": [50]}}
PIT: dict[str, Any] = {"declarer": "S", "trump": "C", "pit": "NS", "roem": {"NS": [20]}}
COUNTER_PIT: dict[str, Any] = {"declarer": "S", "trump": "D", "pit": "EW"}
"""NS is who plays and EW the other two. Under `amsterdam`: 120 to North, 62 to the others; East is
nat, 162 + 50 to the others; 162 + 20 + 100 to South; 162 + 100 to the other two."""


def write_four(sheet: Scoresheet) -> None:
    for number, answer in enumerate((MADE, NAT, PIT, COUNTER_PIT), start=1):
        write(sheet, number, written=line_of_three(answer))


def codes(sheet: Scoresheet, **written: object) -> list[tuple[str, str]]:
    """The faults of a line that is refused."""
    with pytest.raises(DealRefused) as refused:
        write(sheet, 1, written={"trump": "H", "points": {"NS": 90}, **written})
    return [(fault.field, fault.code) for fault in refused.value.faults]


class TestFigures:
    @pytest.mark.full
    def test_everybody_gets_what_his_side_of_that_deal_got(self) -> None:
        sheet = sheet_of_three()
        write(sheet, 1, written=line_of_three(MADE))
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [120, 62, 62]
        write(sheet, 2, written=line_of_three(NAT))
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [332, 62, 274]
        write(sheet, 3, written=line_of_three(PIT))
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [332, 62, 556]
        write(sheet, 4, written=line_of_three(COUNTER_PIT))
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [594, 324, 556]

    @pytest.mark.full
    def test_roem_pits_and_nats_of_each(self) -> None:
        """A pit is of everybody on its side, nat only of who played: South's last deal too."""
        sheet = sheet_of_three()
        write_four(sheet)
        assert [seat_figures(sheet, seat)[1:] for seat in THREE] == [
            (70, 1, 0, 4),
            (0, 1, 1, 4),
            (70, 1, 1, 4),
        ]

    def test_the_dummy_has_nothing(self) -> None:
        sheet = sheet_of_three()
        write_four(sheet)
        assert seat_figures(sheet, "W") == (0, 0, 0, 0, 0)

    def test_the_sheet_keeps_the_most_and_the_least_that_one_of_them_has(self) -> None:
        sheet = sheet_of_three()
        write_four(sheet)
        assert figures(sheet) == (4, 594, 324)

    def test_who_reneged_loses_the_deal_for_his_side(self) -> None:
        sheet = sheet_of_three()
        answer = {"declarer": "N", "trump": "H", "reneged": "S"}
        write(sheet, 1, written=line_of_three(answer))
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [262, 0, 0]

    def test_a_correction_of_one_person_is_his_alone(self) -> None:
        sheet = sheet_of_three()
        correction = {"seat": "S", "points": -50, "reason": "telephone"}
        write(sheet, 1, written=line_of_three(MADE | {"corrections": [correction]}))
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [120, 62, 12]

    @pytest.mark.full
    def test_a_substitute_halfway_splits_the_deals_of_a_seat(self) -> None:
        sheet = sheet_of_three()
        write_four(sheet)
        substitute = MemberFactory.create(club=Club.objects.get())
        seat_take_over(
            sheet_id=sheet.pk,
            seat="S",
            member=substitute,
            from_deal=3,
            counts_for=None,
            actor=TESTS,
        )
        assert seat_figures(sheet, "S") == (274, 50, 0, 0, 2)
        assert seat_figures(sheet, "S", from_deal=3) == (282, 20, 1, 1, 2)
        assert figures(sheet) == (4, 594, 324)

    def test_a_deal_taken_back_takes_its_points_along(self) -> None:
        sheet = sheet_of_three()
        write(sheet, 1, written=line_of_three(MADE))
        write(sheet, 2, written=line_of_three(NAT))
        deal_undo(sheet_id=sheet.pk, number=2, seen_version=1, uuid=uuid.uuid4(), actor=TESTS)
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [120, 62, 62]

    @pytest.mark.full
    def test_all_of_it_comes_out_again(self) -> None:
        sheet = sheet_of_three()
        write_four(sheet)
        changed = line_of_three(MADE | {"declarer": "S"})
        write(sheet, 1, 1, written=changed, reason="another one played")
        assert [seat_figures(sheet, seat)[0] for seat in THREE] == [536, 324, 614]
        assert verify() == ["1 sheets and every trail are as they were written."]


class TestTotals:
    @pytest.mark.full
    def test_totals_of_each_stand_in_for_the_deals(self) -> None:
        """162 + 20 roem + 100 for a pit − 10; two deals give the three 324 to 648 together."""
        sheet = sheet_of_three(deals=2)
        totals = {"N": HandedIn(162, 20, 1, -10), "E": HandedIn(162), "S": HandedIn(0)}
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        assert [seat_figures(sheet, seat) for seat in "NESW"] == [
            (272, 20, 1, 0, 2),
            (162, 0, 0, 0, 2),
            (0, 0, 0, 0, 2),
            (0, 0, 0, 0, 0),
        ]
        assert figures(sheet) == (2, 272, 0)
        assert verify() == ["1 sheets and every trail are as they were written."]

    def test_a_target_is_reached_by_one_of_them(self) -> None:
        """With 900 points together at least three deals were played, of at most 324."""
        (sheet,) = sheets_create(
            club=(other := sheet_of_three()).club,
            regulation=other.regulation,
            deals=16,
            seatings=[{seat.seat: seat.member for seat in other.seats.all() if seat.member}],  # type: ignore[misc]
            target=400,
        )
        totals = {"N": HandedIn(400), "E": HandedIn(300), "S": HandedIn(200)}
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        assert figures(sheet) == (3, 400, 200)
        less = totals | {"N": HandedIn(399)}
        side_totals_write(sheet_id=sheet.pk, totals=less, actor=TESTS)
        sheet.refresh_from_db()
        assert sheet.is_full is False

    def test_of_each_the_total_is_enough(self) -> None:
        sheet = sheet_of_three(deals=2)
        totals = {
            seat: HandedIn(total=total) for seat, total in zip("NES", (282, 162, 0), strict=True)
        }
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        assert [seat_figures(sheet, seat) for seat in "NES"] == [
            (282, None, None, 0, 2),
            (162, None, None, 0, 2),
            (0, None, None, 0, 2),
        ]
        assert verify() == ["1 sheets and every trail are as they were written."]
        with pytest.raises(TotalsRefused) as refused:
            side_totals_write(
                sheet_id=sheet.pk, totals=totals | {"N": HandedIn(total=50_000)}, actor=TESTS
            )
        assert refused.value.faults == [
            ("", "Samen is dat 50.162. Geen enkel aantal spellen komt daarop uit.")
        ]


class TestWhatIsRefused:
    @pytest.mark.parametrize("declarer", ["W", "NS", "EW"])
    def test_who_plays_is_one_of_the_three(self, declarer: str) -> None:
        assert codes(sheet_of_three(), declarer=declarer) == [("declarer", "bad_value")]

    @pytest.mark.parametrize("seats", [["N", "E", "S", "W"], ["E", "S", "W"], [], "NEW", None])
    def test_the_dummy_lies_opposite(self, seats: object) -> None:
        assert ("seats", "bad_value") in codes(sheet_of_three(), declarer="N", seats=seats)

    def test_every_fault_at_once(self) -> None:
        found = codes(sheet_of_three(), declarer="W", points={"NS": 163})
        assert found == [("declarer", "bad_value"), ("points.NS", "points_range")]

    def test_there_are_no_sides_to_swap(self) -> None:
        sheet = sheet_of_three()
        write_four(sheet)
        with pytest.raises(DomainError) as refused:
            sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="columns swapped")
        assert refused.value.code == "three_handed"

    @pytest.mark.full
    def test_a_sheet_of_three_does_not_become_one_of_four(self) -> None:
        three, four = sheet_of_three(), sheet_of()
        with pytest.raises(DomainError) as refused:
            sheet_move(from_id=three.pk, to_id=four.pk, actor=TESTS, reason="wrong table")
        assert refused.value.code == "sheets_differ"


class TestDealers:
    def test_the_deal_passes_the_dummys_seat(self) -> None:
        sheet = sheet_of_three()
        assert [sheet.dealer(number) for number in range(1, 5)] == ["E", "S", "N", "E"]
        assert [sheet.forehand(number) for number in range(1, 5)] == ["S", "N", "E", "S"]

    def test_where_the_dummy_would_deal_first_the_next_one_does(self) -> None:
        sheet = sheet_of_three()
        sheet.first_dealer = "W"
        assert [sheet.dealer(number) for number in (1, 2)] == ["N", "E"]


class TestTarget:
    @pytest.mark.full
    def test_the_round_ends_when_one_of_them_has_the_points(self) -> None:
        sheet = self._sheet(300)
        write(sheet, 1, written=line_of_three(MADE))
        kept = Scoresheet.objects.get(pk=sheet.pk)
        assert (kept.done, kept.is_full) == (120, False)
        write(sheet, 2, written=line_of_three(NAT))
        kept = Scoresheet.objects.get(pk=sheet.pk)
        assert (kept.done, kept.is_full) == (300, True)

    @pytest.mark.full
    def test_it_has_as_many_lines_as_three_people_can_need(self) -> None:
        """Until one has 500 they have 3 × 499 = 1,497 at most, after nine deals of 162 it is 1,458
        at least: one of them has it after the tenth."""
        assert self._sheet(500).deals.count() == 10

    def _sheet(self, target: int) -> Scoresheet:
        members = MemberFactory.create_batch(3, club=sheet_of().club)
        (sheet,) = sheets_create(
            club=members[0].club,
            regulation=regulation_of(members[0].club),
            deals=16,
            seatings=[dict(zip(THREE, members, strict=True))],
            target=target,
        )
        return sheet


def test_a_sheet_of_four_never_seats_the_dummy() -> None:
    """The entry of four people says nothing of seats, as ever."""
    sheet = sheet_of()
    write(sheet, 1)
    current = deal(sheet, 1).current
    assert current is not None
    assert current.written == {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
    assert not sheet.three_handed
