"""Who holds a phone at a table where both sides have a say: it speaks from that chair."""

import pytest
from django.test import Client

from scoring.models import DealClaim
from tests.factories import TESTS, table
from tests.tournaments.table_pages import (
    link,
    playing,
    table_data,
)
from tests.tournaments.table_sides import held, said, side_link, submit
from tournaments.draw.services import draw_publish, draw_type_in
from tournaments.models import Evening, TableDevice
from tournaments.rounds.services import round_close, round_start

pytestmark = pytest.mark.django_db


def partners_change(evening: Evening, seats: str = "NSEW") -> None:
    """The same four play round 2 at table 1: in its seats N, E, S and W sit those of `seats`."""
    first = evening.rounds.get(number=1)
    seated = {one.seat: one.member for one in first.placements.all()}
    round_close(round_id=first.pk, actor=TESTS, unfinished_reason="for a test")
    there = {to: seated[of] for to, of in zip("NESW", seats, strict=True)}
    draw_type_in(evening_id=evening.pk, tables=[there], sit_out=[], actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)


class TestWhoHoldsThePhone:
    """Once it is known a phone speaks from that chair, until the partners change."""

    @pytest.mark.full
    def test_it_can_be_said_anew(self, client: Client) -> None:
        page = link(playing(deals_per_round=4, writing="deal"))
        for side, words_on_it in (("NS", ["Wij", "Zij"]), ("EW", ["Zij", "Wij"])):
            held(client, page, side)
            data = table_data(client.get(page))
            assert [data["sides"][code] for code in ("NS", "EW")] == words_on_it
        shown = said(client.get(f"{page}rounds/1/chair/"))
        assert "Wie houdt deze telefoon vast?" in shown
        assert client.post(f"{page}rounds/1/chair/", {"side": "N"}).status_code == 404

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("seats", "chairs"),
        [("NESW", ["NS", "EW"]), ("ENWS", ["EW", "NS"]), ("NSEW", ["", ""])],
    )
    def test_it_follows_partners_who_stay_together(self, seats: str, chairs: list[str]) -> None:
        evening = playing(rounds=2, writing="deal")
        ours, theirs = Client(), Client()
        page = held(ours, link(evening), "NS")
        held(theirs, page, "EW")
        partners_change(evening, seats)
        for phone in (ours, theirs):
            phone.get(page)
        rows = TableDevice.objects.filter(round_number=2).order_by("number")
        assert [row.side for row in rows] == chairs
        asked = "Wie houdt deze telefoon vast?" in said(ours.get(page))
        assert asked is (chairs == ["", ""])

    def test_a_sides_own_phone_is_asked_when_its_partners_part(self, client: Client) -> None:
        evening = playing(rounds=2, writing="both")
        they = side_link(evening, "EW")
        client.get(they)
        assert "Schrijf spel 1" in said(client.get(they))
        assert client.post(f"{they}rounds/1/chair/", {"side": "NS"}).status_code == 404
        partners_change(evening)
        shown = said(client.get(they))
        assert "Wie houdt deze telefoon vast?" in shown
        assert "Schrijf spel 1" not in shown
        # The link says for whom a phone writes, so it goes over to that of the others.
        we = side_link(evening, "NS")
        answer = client.post(f"{they}rounds/2/chair/", {"side": "NS"})
        assert answer["Location"] == f"{we}rounds/2/"
        page = client.get(we)
        assert (table_data(page)["side"], "Schrijf spel 1" in said(page)) == ("NS", True)
        # What it still sends for the round before goes over the link it was written with.
        submit(table(evening), side="EW", why="late")
        assert DealClaim.objects.get().side == "EW"

    def test_who_scans_the_card_of_the_other_side_is_not_asked(self, client: Client) -> None:
        evening = playing(rounds=2, writing="both")
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        for address in (they, they):
            client.get(address)
        partners_change(evening)
        assert "Schrijf spel 1" in said(client.get(we))
        assert table_data(client.get(we))["columns"] == ["NS", "EW"]
        assert "Heeft de andere partij deze telefoon?" in said(client.get(f"{we}rounds/2/chair/"))

    @pytest.mark.full
    def test_where_one_writes_nobody_is_asked(self, client: Client) -> None:
        page = link(playing())
        assert client.get(f"{page}rounds/1/chair/").status_code == 404
        assert "Wie houdt" not in said(client.get(page))
