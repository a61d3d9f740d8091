"""The figures that sheets and seats keep, against four deals worked out by hand."""

import pytest

from clubs.models import Club
from scoring.deals.totals import sheet_recompute
from scoring.models import Scoresheet, Seat
from scoring.sheets.services import seat_take_over
from tests.factories import TESTS, MemberFactory
from tests.scoring.sheets import FOUR_DEALS, figures, seat_figures, sheet_of, write, write_four

pytestmark = pytest.mark.django_db


@pytest.mark.full
def test_a_full_sheet() -> None:
    sheet = sheet_of()
    write_four(sheet)
    assert figures(sheet) == (4, 651, 327)
    assert Scoresheet.objects.get(pk=sheet.pk).is_full


@pytest.mark.full
def test_each_player_has_the_score_of_his_side() -> None:
    sheet = sheet_of()
    write_four(sheet)
    north_south, east_west = (651, 110, 1, 1, 4), (327, 20, 1, 1, 4)
    assert [seat_figures(sheet, seat) for seat in "NESW"] == [
        north_south,
        east_west,
        north_south,
        east_west,
    ]


@pytest.mark.full
def test_both_partners_are_nat_when_one_of_them_declared() -> None:
    sheet = sheet_of()
    write(sheet, 1, written={"declarer": "E", "trump": "S", "points": {"EW": 70}})
    assert [seat_figures(sheet, seat)[3] for seat in "NESW"] == [0, 1, 0, 1]


@pytest.mark.full
def test_a_correction_of_one_player_is_his_alone() -> None:
    sheet = sheet_of()
    correction = {"seat": "E", "points": -50, "reason": "telephone"}
    write(sheet, 1, written=FOUR_DEALS[0] | {"corrections": [correction]})
    assert [seat_figures(sheet, seat)[0] for seat in "NESW"] == [167, 15, 167, 65]
    assert figures(sheet) == (1, 167, 65)


@pytest.mark.full
def test_a_substitute_halfway_splits_the_deals_of_a_seat() -> None:
    sheet = sheet_of()
    write_four(sheet)
    substitute = MemberFactory.create(club=Club.objects.get())
    seat_take_over(
        sheet_id=sheet.pk, seat="N", member=substitute, from_deal=3, counts_for=None, actor=TESTS
    )
    assert seat_figures(sheet, "N") == (167 + 202, 90, 0, 0, 2)
    assert seat_figures(sheet, "N", from_deal=3) == (282, 20, 1, 1, 2)
    assert seat_figures(sheet, "S") == (651, 110, 1, 1, 4)


@pytest.mark.full
def test_figures_made_again_from_the_deals_are_the_same() -> None:
    sheet = sheet_of()
    write_four(sheet)
    kept = [seat_figures(sheet, seat) for seat in "NESW"]
    Seat.objects.filter(sheet=sheet).update(score=9, roem=9, pits=9, nats=9, deals=9)
    sheet.refresh_from_db()
    sheet.score_ns = 9
    sheet_recompute(sheet)
    assert [seat_figures(sheet, seat) for seat in "NESW"] == kept
    assert (sheet.score_ns, sheet.score_ew) == (651, 327)
