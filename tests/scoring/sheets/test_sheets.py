from typing import Any

import pytest

from clubs.audit.services import chain_faults
from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from scoring.display.words import DealRefused
from scoring.models import DealEntry, Scoresheet, Seat
from scoring.sheets.services import (
    mirrored,
    seat_take_over,
    sheet_move,
    sheet_swap_sides,
    sheets_close,
    sheets_create,
)
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, MemberFactory, regulation_of
from tests.scoring.sheets import (
    FOUR_DEALS,
    deal,
    figures,
    seat_figures,
    sheet_of,
    write,
    write_four,
)

pytestmark = pytest.mark.django_db


def people_of(sheet: Scoresheet) -> list[Member]:
    return [seat.member for seat in sheet.seats.order_by("pk") if seat.member]


def close(sheet: Scoresheet) -> None:
    sheets_close(Scoresheet.objects.filter(pk=sheet.pk))


def code(caught: pytest.ExceptionInfo[DomainError]) -> str:
    return caught.value.code


class TestCreate:
    def test_every_line_is_there_and_blank(self) -> None:
        sheet = sheet_of(deals=16)
        lines: list[Any] = list(sheet.deals.values_list("number", "version", "current"))
        assert lines == [(number, 0, None) for number in range(1, 17)]
        assert (sheet.state, sheet.version, sheet.is_full) == ("open", 0, False)

    @pytest.mark.full
    def test_a_seat_left_out_is_the_dummys(self) -> None:
        club = sheet_of().club
        three = MemberFactory.create_batch(3, club=club)
        (sheet,) = sheets_create(
            club=club,
            regulation=regulation_of(club),
            deals=2,
            seatings=[{"N": three[0], "E": three[1], "S": three[2]}],
        )
        seats = dict(sheet.seats.values_list("seat", "member"))
        assert seats == {"N": three[0].pk, "E": three[1].pk, "S": three[2].pk, "W": None}

    @pytest.mark.full
    def test_the_deal_goes_round_from_the_first_dealer(self) -> None:
        sheet = sheet_of()
        assert [sheet.dealer(number) for number in range(1, 6)] == ["E", "S", "W", "N", "E"]
        assert [sheet.forehand(number) for number in range(1, 6)] == ["S", "W", "N", "E", "S"]


class TestSwapSides:
    @pytest.mark.full
    def test_every_deal_gets_a_revision_the_other_way_round(self) -> None:
        sheet = sheet_of()
        write_four(sheet)
        sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="columns swapped")
        assert figures(sheet) == (4, 327, 651)
        entry = deal(sheet, 1).current
        assert entry is not None
        assert (entry.revision, entry.kind, entry.reason) == (2, "swapped", "columns swapped")
        assert entry.written == {
            "declarer": "EW",
            "trump": "H",
            "points": {"NS": 65},
            "roem": {"EW": [20, 50]},
        }

    @pytest.mark.full
    def test_blank_lines_stay_blank(self) -> None:
        sheet = sheet_of()
        write(sheet, 2)
        sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="columns swapped")
        versions = list(sheet.deals.order_by("number").values_list("version", flat=True))
        assert versions == [0, 2, 0, 0]

    def test_the_declarer_stays_where_the_rule_names_him(self) -> None:
        sheet = sheet_of(preset="utrecht")
        write(
            sheet, 1, written={"declarer": "S", "dealer": "E", "trump": "H", "points": {"NS": 90}}
        )
        sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="columns swapped")
        assert deal(sheet, 1).current.written == {  # type: ignore[union-attr]
            "declarer": "S",
            "dealer": "E",
            "trump": "H",
            "points": {"EW": 90},
        }
        assert figures(sheet) == (1, 0, 162)

    def test_a_deal_that_cannot_be_the_other_way_round_is_named(self) -> None:
        sheet = sheet_of(preset="utrecht")
        write(sheet, 1, written={"declarer": "S", "trump": "H", "points": {"NS": 90}})
        nat = {"declarer": "W", "trump": "H", "points": {"EW": 60}, "nat": True}
        write(sheet, 2, written=nat)
        with pytest.raises(DealRefused) as caught:
            sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="columns swapped")
        assert caught.value.params["number"] == 2
        assert [fault.code for fault in caught.value.faults] == ["nat_contradicts_points"]
        assert DealEntry.objects.count() == 2

    def test_totals_handed_in_are_swapped_too(self) -> None:
        sheet = sheet_of()
        totals: Any = {"NS": HandedIn(448, 70, 1), "EW": HandedIn(200, 20)}
        side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
        sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason="columns swapped")
        assert figures(sheet) == (4, 220, 618)

    @pytest.mark.full
    @pytest.mark.parametrize(("reason", "expected"), [("", "reason_needed"), ("x", "sheet_closed")])
    def test_is_refused(self, reason: str, expected: str) -> None:
        sheet = sheet_of()
        close(sheet)
        with pytest.raises(DomainError) as caught:
            sheet_swap_sides(sheet_id=sheet.pk, actor=TESTS, reason=reason)
        assert code(caught) == expected

    def test_every_key_with_a_side_or_a_seat_changes(self) -> None:
        written = {
            "declarer": "N",
            "trump": "H",
            "points": {"NS": 162},
            "roem": {"NS": [20]},
            "pit": "NS",
            "reneged": "W",
            "accused_wrongly_by": "S",
            "dealer": "E",
            "corrections": [{"seat": "E", "points": -50}, {"side": "NS", "points": 10}],
        }
        assert mirrored(written) == {
            "declarer": "E",
            "trump": "H",
            "points": {"EW": 162},
            "roem": {"EW": [20]},
            "pit": "EW",
            "reneged": "S",
            "accused_wrongly_by": "W",
            "dealer": "E",
            "corrections": [{"seat": "N", "points": -50}, {"side": "EW", "points": 10}],
        }

    def test_twice_is_as_it_was(self) -> None:
        assert [mirrored(mirrored(written)) for written in FOUR_DEALS] == list(FOUR_DEALS)


class TestMove:
    @pytest.mark.both
    def test_two_sheets_change_contents_and_the_players_stay(self) -> None:
        one = sheet_of()
        other = sheet_of(*MemberFactory.create_batch(4, club=one.club))
        write_four(one)
        write(other, 2)
        sheet_move(from_id=one.pk, to_id=other.pk, actor=TESTS, reason="wrong table")
        assert (figures(one), figures(other)) == ((1, 90, 72), (4, 651, 327))
        assert seat_figures(other, "N") == (651, 110, 1, 1, 4)
        assert deal(one, 1).current.written is None  # type: ignore[union-attr]
        assert deal(one, 1).current.kind == "moved"  # type: ignore[union-attr]

    @pytest.mark.full
    def test_both_trails_tell_of_it(self) -> None:
        one = sheet_of()
        other = sheet_of(*people_of(one))
        write(one, 1)
        sheet_move(from_id=one.pk, to_id=other.pk, actor=TESTS, reason="wrong table")
        for sheet, counterpart in ((one, other), (other, one)):
            event = AuditEvent.objects.filter(chain=sheet.chain_name).order_by("number").last()
            assert event is not None
            assert (event.action, event.data["other"]) == ("sheet_moved", str(counterpart.uuid))
            sheet.refresh_from_db()
            assert chain_faults(sheet) == ()

    @pytest.mark.full
    def test_totals_handed_in_move_too(self) -> None:
        one = sheet_of()
        other = sheet_of(*people_of(one))
        totals: Any = {"NS": HandedIn(448, 70, 1), "EW": HandedIn(200, 20)}
        side_totals_write(sheet_id=one.pk, totals=totals, actor=TESTS)
        write(other, 1)
        sheet_move(from_id=one.pk, to_id=other.pk, actor=TESTS, reason="wrong table")
        assert (figures(one), figures(other)) == ((1, 90, 72), (4, 618, 220))

    def test_a_sheet_with_other_deals_or_another_regulation_cannot_change_places(self) -> None:
        one = sheet_of()
        people = people_of(one)
        for other in (sheet_of(*people, deals=5), sheet_of(*people, preset="rotterdam"), one):
            with pytest.raises(DomainError) as caught:
                sheet_move(from_id=one.pk, to_id=other.pk, actor=TESTS, reason="wrong table")
            assert code(caught) == "sheets_differ"

    @pytest.mark.full
    def test_is_refused(self) -> None:
        one = sheet_of()
        other = sheet_of(*people_of(one))
        close(other)
        for reason, expected in (("", "reason_needed"), ("wrong table", "sheet_closed")):
            with pytest.raises(DomainError) as caught:
                sheet_move(from_id=one.pk, to_id=other.pk, actor=TESTS, reason=reason)
            assert code(caught) == expected
        with pytest.raises(DomainError) as caught:
            sheet_move(from_id=one.pk, to_id=other.pk + 1000, actor=TESTS, reason="wrong table")
        assert code(caught) == "sheet_gone"


class TestTakeOver:
    def take(self, sheet: Scoresheet, member: Member, **given: Any) -> Seat:
        given = dict[str, Any](seat="N", from_deal=3, counts_for=None) | given
        return seat_take_over(sheet_id=sheet.pk, member=member, actor=TESTS, **given)

    @pytest.mark.full
    def test_the_points_may_stay_with_the_one_who_left(self) -> None:
        sheet = sheet_of()
        north = people_of(sheet)[0]
        held = self.take(sheet, MemberFactory.create(club=Club.objects.get()), counts_for=north)
        assert (held.from_deal, held.counts_for) == (3, north)

    @pytest.mark.full
    def test_a_take_over_at_the_same_deal_puts_the_earlier_one_right(self) -> None:
        sheet = sheet_of()
        one, other = MemberFactory.create_batch(2, club=sheet.club)
        self.take(sheet, one)
        held = self.take(sheet, other)
        assert list(sheet.seats.filter(seat="N", from_deal=3)) == [held]
        assert held.member == other

    @pytest.mark.full
    def test_somebody_else_may_take_over_from_the_substitute(self) -> None:
        sheet = sheet_of()
        write_four(sheet)
        one, other = MemberFactory.create_batch(2, club=sheet.club)
        self.take(sheet, one, from_deal=2)
        self.take(sheet, other, from_deal=4)
        assert [seat_figures(sheet, "N", number)[0] for number in (1, 2, 4)] == [167, 202 + 282, 0]

    @pytest.mark.full
    @pytest.mark.parametrize("from_deal", [0, 5])
    def test_the_deal_must_be_there(self, from_deal: int) -> None:
        sheet = sheet_of()
        with pytest.raises(DomainError) as caught:
            self.take(sheet, MemberFactory.create(club=sheet.club), from_deal=from_deal)
        assert code(caught) == "deal_unknown"

    @pytest.mark.parametrize("place", [0, 1, 2, 3])
    def test_nobody_sits_at_one_table_twice(self, place: int) -> None:
        sheet = sheet_of()
        with pytest.raises(DomainError) as caught:
            self.take(sheet, people_of(sheet)[place])
        assert code(caught) == "already_seated"

    @pytest.mark.full
    def test_a_closed_sheet_keeps_its_people_and_a_planned_one_does_not(self) -> None:
        sheet = sheet_of()
        guest = MemberFactory.create(club=sheet.club)
        close(sheet)
        with pytest.raises(DomainError) as caught:
            self.take(sheet, guest)
        assert code(caught) == "sheet_closed"
        Scoresheet.objects.filter(pk=sheet.pk).update(state=Scoresheet.State.PLANNED)
        assert self.take(sheet, guest, from_deal=1).member == guest
