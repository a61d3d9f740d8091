"""A table of three at the desk: its deals by keyboard, its totals, and what is not for it."""

import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club
from scoring.models import Seat
from scoring.rules import line_of_three
from tests.factories import ClubFactory, MemberFactory, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.table_pages import link, playing_three
from tournaments.models import Evening, Table
from tournaments.rounds.board import board
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

NORTH_MADE: dict[str, Any] = {"declarer": "N", "trump": "H", "points": {"NS": 100}}
SOUTH_NAT: dict[str, Any] = {"declarer": "S", "trump": "C", "points": {"EW": 90}}
"""NS is who plays. North 100 and the others 62; then South 0 and the others 162."""


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def played(club: Club) -> tuple[Evening, Table]:
    return playing_three(club=club, deals_per_round=2)


@pytest.fixture
def desk(played: tuple[Evening, Table], club: Club) -> Client:
    return desk_of(club)


@pytest.fixture
def sheet(played: tuple[Evening, Table]) -> str:
    return f"{EVENING}rounds/1/tables/{played[1].number}/"


def scores(table: Table) -> dict[str, int]:
    return dict(Seat.objects.filter(sheet=table.sheet_id).values_list("seat", "score"))


def fill(table: Table) -> None:
    write_deal(table, 1, **line_of_three(NORTH_MADE))
    write_deal(table, 2, **line_of_three(SOUTH_NAT))


def line(**answers: Any) -> dict[str, Any]:
    sent = {"seen_version": 0, "uuid": uuid.UUID(int=1), "declarer": "N", "trump": "H"}
    return sent | answers


def test_a_deal_is_written_with_a_correction_for_one_of_them(
    desk: Client, sheet: str, played: tuple[Evening, Table]
) -> None:
    action = desk.get(sheet).context["action"]
    correction = {
        "correction_to": "S",
        "correction_points": "-20",
        "correction_reason": "telefoon",
    }
    response = desk.post(action, line(points_ns=100, **correction))
    assert response.headers["Location"] == sheet
    assert scores(played[1]) == {"N": 100, "E": 62, "S": 42, "W": 0}


def test_a_fault_of_east_stands_at_his_own_column(desk: Client, sheet: str) -> None:
    action = desk.get(sheet).context["action"]
    page = desk.post(action, line(declarer="E", points_ns=163))
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["points_ns"]


@pytest.mark.full
def test_there_are_no_sides_to_swap(
    desk: Client, sheet: str, played: tuple[Evening, Table]
) -> None:
    fill(played[1])
    assert "Wij en zij omwisselen" not in text(desk.get(sheet))
    refused = desk.post(f"{sheet}swap/", {"reason": "verkeerd om"}, follow=True)
    assert messages_in(refused) == ["Aan een tafel van drie speelt ieder voor zich."]
    assert scores(played[1]) == {"N": 262, "E": 224, "S": 62, "W": 0}


@pytest.mark.full
def test_the_cards_of_three_people_are_not_laid_down(desk: Client, sheet: str) -> None:
    shown = text(desk.get(sheet))
    assert "kan hier niet kaart voor kaart worden neergelegd" in shown
    assert f"{sheet}cards/1/" not in shown
    assert desk.get(f"{sheet}cards/1/").status_code == 404


@pytest.mark.full
def test_only_another_table_of_three_can_have_this_sheet(desk: Client, sheet: str) -> None:
    assert list(desk.get(f"{sheet}move/").context["form"].fields["to"].queryset) == []


@pytest.mark.full
def test_who_stops_is_one_of_the_three_and_keeps_what_he_had(
    desk: Client, sheet: str, played: tuple[Evening, Table], club: Club
) -> None:
    write_deal(played[1], 1, **line_of_three(NORTH_MADE))
    substitute = MemberFactory.create(club=club)
    page = desk.get(f"{sheet}substitute/")
    assert [seat for seat, _name in page.context["form"].fields["seat"].choices] == ["N", "E", "S"]
    answers = {"seat": "S", "who": substitute.pk, "from_deal": 2, "for_himself": "1"}
    assert desk.post(f"{sheet}substitute/", answers).status_code == 302
    write_deal(played[1], 2, **line_of_three(SOUTH_NAT | {"points": {"NS": 100}}))
    rows = {row.name: row.total for row in evening_standings(played[0])}
    assert rows[substitute.name] == 100
    south = Seat.objects.get(sheet=played[1].sheet_id, seat="S", from_deal=1).member
    assert south is not None
    assert rows[south.name] == 62


NO_ROEM = dict.fromkeys(("roem_n", "roem_e", "roem_s", "pits_n", "pits_e", "pits_s"), 0)


@pytest.mark.full
def test_totals_of_each_are_handed_in(
    desk: Client, sheet: str, played: tuple[Evening, Table]
) -> None:
    """Two deals of 162: 262 for North, 224 and 62 for the others, together 548, with 20 roem and
    a pit of North's."""
    counted = {"points_n": 262, "points_e": 224, "points_s": 62, "roem_n": 20, "pits_n": 1}
    figures = NO_ROEM | counted
    response = desk.post(f"{sheet}totals/", figures, follow=True)
    assert f"De totalen van tafel {played[1].number} zijn geschreven." in messages_in(response)
    assert scores(played[1]) == {"N": 382, "E": 224, "S": 62, "W": 0}
    again = desk.get(f"{sheet}totals/").context["form"]
    assert [again[name].value() for name in figures] == list(figures.values())


@pytest.mark.full
@pytest.mark.parametrize(
    ("figures", "faults"),
    [
        ({"points_n": 162, "points_e": 0, "points_s": -1}, ["points_s"]),
        ({"points_n": 324, "points_e": 324, "points_s": 1}, ["__all__"]),
        ({"points_n": 325, "points_e": 162, "points_s": 0}, ["points_n"]),
        ({"points_n": 162, "points_e": 162, "points_s": 162, "pits_n": 3}, ["__all__", "points_n"]),
    ],
)
def test_totals_that_cannot_be(
    desk: Client,
    sheet: str,
    played: tuple[Evening, Table],
    figures: dict[str, int],
    faults: list[str],
) -> None:
    """Two deals give the three 324 together at least and 648 at most."""
    page = desk.post(f"{sheet}totals/", NO_ROEM | figures)
    assert page.status_code == 422
    assert sorted(page.context["form"].errors) == sorted(faults)
    assert scores(played[1]) == {"N": 0, "E": 0, "S": 0, "W": 0}


class TestBoard:
    def test_each_has_his_own_score(self, played: tuple[Evening, Table]) -> None:
        fill(played[1])
        row = self._row(played)
        seats = Seat.objects.filter(sheet=played[1].sheet_id).exclude(seat="W")
        names = {seat.seat: str(seat.member) for seat in seats.select_related("member")}
        assert tuple((*side.names, side.score) for side in row.sides) == (
            (names["N"], 262),
            (names["E"], 224),
            (names["S"], 62),
        )

    @pytest.mark.full
    def test_all_three_agree(self, client: Client, played: tuple[Evening, Table]) -> None:
        evening, table = played
        fill(table)
        page = f"{link(evening, table.number)}rounds/1/"
        for seat, agreed in (("N", 1), ("E", 2), ("S", 3)):
            client.post(f"{page}answer/", {"side": seat, "seen_version": 2})
            assert (self._row(played).agreed, self._row(played).signatories) == (agreed, 3)

    @pytest.mark.full
    def test_it_says_so(self, desk: Client, client: Client, played: tuple[Evening, Table]) -> None:
        evening, table = played
        fill(table)
        page = f"{link(evening, table.number)}rounds/1/"
        client.post(f"{page}answer/", {"side": "N", "seen_version": 2})
        assert "1 van 3 akkoord" in text(desk.get(f"{EVENING}board/"))
        client.post(f"{page}dispute/E/", {"note": "te veel", "seen_version": 2})
        assert "Oost: te veel" in text(desk.get(f"{EVENING}board/"))
        assert "is het er niet mee eens" in text(
            desk.get(f"{EVENING}rounds/1/tables/{table.number}/")
        )

    def _row(self, played: tuple[Evening, Table]) -> Any:
        evening, table = played
        return board(evening, 1).tables[table.number - 1]
