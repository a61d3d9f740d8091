"""The totals of a paper sheet typed at the desk, and the paper of three people."""

import pytest

from clubs.models import AuditEvent, Club
from scoring.models import ControlTotal
from tests.factories import (
    ClubFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, text
from tests.tournaments.scoresheets.test_desk_grid import GRID, JSON, control, line, small, write
from tests.tournaments.table_pages import playing_three
from tournaments.models import Evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


class TestTheTotalsOfThePaper:
    @pytest.mark.full
    def test_stay_until_they_are_right(self, club: Club) -> None:
        evening = small(club, deals_per_round=2)
        for number in (1, 2):
            write_deal(table(evening), number)
        desk = desk_of(club)
        page = text(control(desk, points_ns=171, points_ew=144, roem_ns=0))
        assert "Punten wij: op papier 171 en hier 180, 9 meer." in page
        assert "zijn de punten van wij en zij samen 315; dat moet 324 zijn." in page
        assert "op papier 171 en hier 180" in text(desk.get(GRID))
        assert "op hetzelfde uit" in text(control(desk, points_ns=180, points_ew=144))

    @pytest.mark.full
    def test_are_compared_with_the_deals_as_they_are_then(self, club: Club) -> None:
        evening = small(club, deals_per_round=1)
        write_deal(table(evening), 1)
        desk = desk_of(club)
        control(desk, points_ns=100)
        write(desk, 1, seen_version=1, points_ns=100, why="mistyped")
        assert "op hetzelfde uit" in text(desk.get(GRID))

    def test_can_be_accepted_as_long_as_the_sheet_is_the_same(self, club: Club) -> None:
        evening = small(club, deals_per_round=1)
        write_deal(table(evening), 1)
        desk = desk_of(club)
        control(desk, points_ns=100)
        version = table(evening).sheet.version
        stale = desk.post(f"{GRID}control/", {"accept": version - 1}, headers=JSON)
        assert stale.status_code == 422
        accepted = desk.post(f"{GRID}control/", {"accept": version}, follow=True)
        assert "zo goedgevonden" in text(accepted)
        write(desk, 1, seen_version=1, points_ns=110, why="mistyped")
        assert "zo goedgevonden" not in text(desk.get(GRID))

    @pytest.mark.full
    def test_leave_what_both_sides_agreed_with_alone_and_stand_in_the_trail(
        self, club: Club
    ) -> None:
        evening = small(club)
        version = table(evening).sheet.version
        control(desk_of(club), points_ns=100)
        assert table(evening).sheet.version == version
        event = AuditEvent.objects.get(action="control_typed")
        assert event.data["NS"] == {"points": 100, "roem": None, "pits": None, "total": None}

    @pytest.mark.full
    def test_that_are_no_numbers_come_back(self, club: Club) -> None:
        small(club)
        response = control(desk_of(club), points_ns="veel")
        assert response.status_code == 422
        assert 'value="veel"' in text(response)
        assert not ControlTotal.objects.exists()


class TestAtATableOfThree:
    @pytest.mark.full
    def test_a_line_has_who_plays_and_who_is_against_him(self, club: Club) -> None:
        evening, three = playing_three(club=club, deals_per_round=4)
        grid = f"{EVENING}rounds/1/tables/{three.number}/grid/"
        desk = desk_of(club)
        assert "Punten speler" in text(desk.get(grid))
        sent = line(1, declarer="E", points_ns=110, roem_ew="20")
        answer = desk.post(f"{grid}lines/1/", sent, headers=JSON).json()
        assert answer["line"]["score"] == "110–72"
        assert answer["line"]["fields"]["points_ns"] == "110"
        three.sheet.refresh_from_db()
        assert (three.sheet.score_ns, three.sheet.score_ew) == (110, 72)
        assert evening.state == Evening.State.RUNNING

    @pytest.mark.full
    def test_the_paper_has_a_total_for_each(self, club: Club) -> None:
        _evening, three = playing_three(club=club, deals_per_round=4)
        grid = f"{EVENING}rounds/1/tables/{three.number}/grid/"
        desk = desk_of(club)
        desk.post(f"{grid}lines/1/", line(1, declarer="E", points_ns=110), headers=JSON)
        typed = {"control-total_e": 110, "control-total_n": 42}
        page = text(desk.post(f"{grid}control/", typed, follow=True))
        assert "op papier 42 en hier 52, 10 meer." in page
        assert "op papier 110" not in page


def test_the_board_tells_of_a_paper_that_differs_until_that_is_decided(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, deals_per_round=1)
    write_deal(table(evening), 1)
    desk, board = desk_of(club), f"{EVENING}board/"
    etag = desk.get(f"{board}live/").headers["ETag"]
    control(desk, points_ns=91)
    assert text(desk.get(board)).count("papier telt anders op</a>") == 1
    assert [bool(one.problems) for one in desk.get(board).context["board"].tables] == [True, False]
    assert desk.get(f"{board}live/", headers={"If-None-Match": etag}).status_code == 200
    desk.post(f"{GRID}control/", {"accept": table(evening).sheet.version})
    assert "papier telt anders op" not in text(desk.get(board))


@pytest.mark.full
def test_the_board_tells_of_the_paper_of_three_people(club: Club) -> None:
    _evening, three = playing_three(club=club, deals_per_round=4)
    grid = f"{EVENING}rounds/1/tables/{three.number}/grid/"
    desk = desk_of(club)
    desk.post(f"{grid}control/", {"control-total_e": 20})
    assert text(desk.get(f"{EVENING}board/")).count("papier telt anders op</a>") == 1
