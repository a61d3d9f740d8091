"""Deals that were written in two ways: on the board, beside each other, decided with one press."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.audit.services import Actor
from clubs.models import Club
from clubs.text.errors import DomainError
from scoring.deals.services import deal_write
from scoring.disputes.services import deal_confirm
from scoring.disputes.submissions import deal_submit, sheet_answer
from scoring.models import ControlTotal, DealClaim, DealEntry
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    director_of,
    evening_with_draw,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.table_pages import words
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.evenings.workflow import open_claims, unconfirmed_tables
from tournaments.models import Evening, Round
from tournaments.releases.services import stale_release
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

CLAIMS = f"{EVENING}claims/"
BOARD = f"{EVENING}board/"
HUNDRED = {"declarer": "NS", "trump": "H", "points": {"NS": 100}}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    """Two tables, one round of two deals; at table 2 wij 90 stands as deal 1."""
    evening = evening_with_draw(club=club, players=8, rounds=1, deals_per_round=2)
    write_deal(table(evening, 2), 1)
    return evening


def claim(evening: Evening, number: int = 1, **given: Any) -> DealClaim:
    given = dict[str, Any](written=HUNDRED, seen_version=0, actor=Actor.of_program("x")) | given
    at = table(evening, 2)
    made = deal_submit(sheet_id=at.sheet_id, number=number, uuid=uuid.uuid4(), **given).claim
    assert made is not None
    return made


def decide(desk: Client, claim: DealClaim, taken: str, **given: str) -> Any:
    sent = {"taken": taken, "seen_version": "1"} | given
    return desk.post(f"{CLAIMS}{claim.pk}/", sent, follow=True)


def standing(evening: Evening, number: int = 1) -> DealEntry:
    entry = table(evening, 2).sheet.deals.get(number=number).current
    assert entry is not None
    return entry


@pytest.mark.full
def test_both_values_stand_beside_each_other(club: Club, evening: Evening) -> None:
    claim(evening, reason="kaart gevonden", device="phone:2")
    shown = words(desk_of(club).get(CLAIMS))
    holders = table(evening, 2).sheet.seats.all()
    names = {seat.seat: seat.member.name for seat in holders if seat.member}
    assert (
        "Tafel 2, ronde 1, spel 1 "
        f"wij: {names['N']} – {names['S']} zij: {names['E']} – {names['W']} "
        "Twee telefoons schreven het anders op: “kaart gevonden”."
    ) in shown
    assert "Op de tellijst 90–72 wij, harten" in shown
    assert "Daarnaast 100–62 wij, harten" in shown
    assert "aan tafel, telefoon 2" in shown


@pytest.mark.full
def test_one_press_writes_the_other_value(club: Club, evening: Evening) -> None:
    waits = claim(evening)
    response = decide(desk_of(club), waits, "1")
    assert messages_in(response) == ["Tafel 2, spel 1: nu 100–62."]
    assert "Er is niets te beslissen" in text(response)
    entry = standing(evening)
    assert (entry.written, entry.revision, entry.reason) == (
        HUNDRED,
        2,
        "Gekozen uit twee verschillende opgaven.",
    )


@pytest.mark.full
def test_one_press_leaves_what_stands(club: Club, evening: Evening) -> None:
    waits = claim(evening)
    assert messages_in(decide(desk_of(club), waits, "0")) == ["Tafel 2, spel 1: blijft 90–72."]
    waits.refresh_from_db()
    assert (waits.taken, standing(evening).revision) == (False, 1)


@pytest.mark.full
def test_an_empty_line_can_be_filled(club: Club, evening: Evening) -> None:
    waits = claim(evening, 2, why="cut_off")
    desk = desk_of(club)
    assert "Op de tellijst – Hier is niets geschreven." in words(desk.get(CLAIMS))
    decide(desk, waits, "1", seen_version="0")
    assert standing(evening, 2).written == HUNDRED


@pytest.mark.full
def test_an_empty_line_can_stay_empty(club: Club, evening: Evening) -> None:
    waits = claim(evening, 2, why="cut_off")
    left = decide(desk_of(club), waits, "0", seen_version="0")
    assert messages_in(left) == ["Tafel 2, spel 2: blijft leeg."]


@pytest.mark.full
def test_what_changed_since_is_looked_at_first(club: Club, evening: Evening) -> None:
    waits = claim(evening)
    write_deal(table(evening, 2), 1, points={"NS": 110})
    response = decide(desk_of(club), waits, "1")
    assert messages_in(response) == ["Spel 1 is intussen door iemand anders geschreven."]
    assert "Op de tellijst 110–52" in words(response)


@pytest.mark.full
def test_of_two_directors_the_second_is_shown(club: Club, evening: Evening) -> None:
    waits, desk = claim(evening), desk_of(club)
    decide(desk, waits, "0")
    already = ["Hierover is al beslist. Tafel 2, spel 1: nu 90–72."]
    assert [messages_in(decide(desk, waits, taken)) for taken in "10"] == [already, already]


def test_a_claim_of_another_club_is_not_there(club: Club, evening: Evening) -> None:
    waits = claim(evening)
    other = EveningFactory.create(club=ClubFactory.create(slug="ander", name="Ander"))
    url = f"/clubs/ander/desk/evenings/{other.slug}/claims/{waits.pk}/"
    assert desk_of(other.club).post(url, {"taken": "1"}).status_code == 404


@pytest.mark.full
def test_only_who_directs_decides(club: Club, evening: Evening, client: Client) -> None:
    waits = claim(evening)
    client.force_login(scorekeeper_of(club))
    assert client.get(CLAIMS).status_code == 403
    assert client.post(f"{CLAIMS}{waits.pk}/", {"taken": "1"}).status_code == 403
    assert CLAIMS not in text(client.get(BOARD))
    client.force_login(director_of(club))
    assert client.get(CLAIMS).status_code == 200


def test_the_board_shows_where_and_puts_it_on_top(club: Club, evening: Evening) -> None:
    claim(evening)
    page = desk_of(club).get(f"{BOARD}?order=trouble")
    shown = words(page)
    assert "Let op bij 1 tafel: Tafel 2 : twee uitkomsten" in shown
    assert "twee uitkomsten spel 1" in shown
    tables = page.context["board"].tables
    assert [(one.number, len(one.problems)) for one in tables] == [(2, 1), (1, 0)]
    assert tables[0].problems[0].url.startswith(f"{CLAIMS}#claim-")


@pytest.mark.full
@pytest.mark.parametrize(
    "page",
    ["/clubs/vrolijke-boer/desk/", f"{EVENING}close/", f"{EVENING}rounds/1/tables/2/"],
)
def test_the_other_pages_of_the_director_tell_it_too(
    club: Club, evening: Evening, page: str
) -> None:
    claim(evening)
    assert "1 spel heeft twee uitkomsten" in text(desk_of(club).get(page))


def test_what_was_the_same_or_is_decided_waits_for_nobody(club: Club, evening: Evening) -> None:
    decide(desk_of(club), claim(evening), "0")
    at = table(evening, 2)
    same = {"declarer": "NS", "trump": "H", "points": {"NS": 90}}
    deal_submit(
        sheet_id=at.sheet_id,
        number=1,
        seen_version=0,
        uuid=uuid.uuid4(),
        written=same,
        actor=Actor.of_program("y"),
    )
    assert list(open_claims(evening)) == []


def test_what_waits_is_not_thrown_away_with_a_draw(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, rounds=1, deals_per_round=2)
    waits = claim(evening, why="cut_off")
    with pytest.raises(DomainError) as caught:
        evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert caught.value.code == "deals_written"
    assert list(open_claims(evening)) == [waits]


class TestAfterTheResultIsOut:
    @pytest.fixture
    def late(self, evening: Evening) -> DealClaim:
        for number in (1, 2):
            for deal in (1, 2):
                if not table(evening, number).sheet.deals.get(number=deal).version:
                    write_deal(table(evening, number), deal)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=evening.pk, actor=TESTS)
        return claim(evening)

    def test_taking_it_needs_a_reason_and_first_says_who_moves(
        self, club: Club, evening: Evening, late: DealClaim
    ) -> None:
        desk = desk_of(club)
        reason = f"{late.pk}-reason"
        refused = decide(desk, late, "1")
        assert refused.status_code == 422
        assert "Zeg in een paar woorden waarom." in words(refused)
        first = decide(desk, late, "1", **{reason: "lijst gevonden"})
        assert standing(evening).revision == 1
        assert first.context["moves"]
        decide(desk, late, "1", **{reason: "lijst gevonden", "moves": "seen"})
        assert (standing(evening).written, standing(evening).reason) == (HUNDRED, "lijst gevonden")
        evening.refresh_from_db()
        assert stale_release(evening)

    @pytest.mark.full
    def test_the_desk_tells_it_at_the_last_evening_and_the_question_is_plain(
        self, club: Club, evening: Evening, late: DealClaim
    ) -> None:
        desk = desk_of(club)
        home = words(desk.get(f"/clubs/{club.slug}/desk/"))
        last = home[home.index("De laatste avond") :]
        assert "1 spel heeft twee uitkomsten tafel 2, ronde 1, spel 1 Bekijk en beslis" in last
        shown = words(desk.get(CLAIMS))
        assert "Waarom? Alleen nodig als u opschrijft wat ernaast staat." in shown

    @pytest.mark.full
    def test_leaving_what_stands_needs_none(
        self, club: Club, evening: Evening, late: DealClaim
    ) -> None:
        assert messages_in(decide(desk_of(club), late, "0")) == ["Tafel 2, spel 1: blijft 90–72."]
        evening.refresh_from_db()
        assert not stale_release(evening)


class TestClosingARound:
    def unconfirmed(self, evening: Evening) -> list[int]:
        return unconfirmed_tables(Round.objects.get(evening=evening))

    def doubts(self, club: Club) -> list[tuple[str, str]]:
        page = desk_of(club).get(f"{EVENING}rounds/1/close/")
        found = re.findall(r'<li><a href="([^"]+)">([^<]+\.)</a></li>', text(page))
        return [(said, url) for url, said in found]

    @pytest.mark.full
    def test_warns_of_what_is_not_decided(self, club: Club, evening: Evening) -> None:
        claim(evening)
        assert self.doubts(club) == [
            ("1 spel heeft twee uitkomsten en daarover is nog niet beslist.", CLAIMS)
        ]

    def test_links_to_the_sheet_a_side_calls_wrong_and_the_paper_that_differs(
        self, club: Club, evening: Evening
    ) -> None:
        at, paper = table(evening, 2), table(evening, 1)
        write_deal(at, 2)
        for deal in (1, 2):
            write_deal(paper, deal)
        ControlTotal.objects.create(sheet=paper.sheet, side="NS", points=80)
        sheet_answer(sheet_id=at.sheet_id, side="EW", seen_version=2, agrees=False, actor=TESTS)
        assert self.doubts(club) == [
            ("Tafel 2 is het nog niet eens met de tellijst.", f"{EVENING}rounds/1/tables/2/"),
            (
                "Aan tafel 1 telt het papier anders op.",
                f"{EVENING}rounds/1/tables/1/grid/#control",
            ),
        ]

    def test_the_next_step_does_not_say_that_all_is_in_while_something_is_open(
        self, club: Club, evening: Evening
    ) -> None:
        for number, deal in ((1, 1), (1, 2), (2, 2)):
            write_deal(table(evening, number), deal)
        waits, desk = claim(evening), desk_of(club)
        still = "Ronde 1 afsluiten: alle spellen staan erin, niet alles is rond"
        assert still in words(desk.get(BOARD))
        decide(desk, waits, "0")
        assert "Ronde 1 afsluiten: alles is binnen" in words(desk.get(BOARD))

    @pytest.mark.full
    def test_one_writer_needs_nobody(self, evening: Evening) -> None:
        assert self.unconfirmed(evening) == []

    def test_each_deal_waits_for_the_other_side(self, club: Club, evening: Evening) -> None:
        Evening.objects.update(writing="deal")
        assert self.unconfirmed(evening) == [2]
        assert self.doubts(club) == [
            (
                "Aan tafel 2 heeft de andere partij nog niet alles bevestigd.",
                f"{EVENING}rounds/1/tables/2/",
            )
        ]
        at = table(evening, 2)
        deal_confirm(
            sheet_id=at.sheet_id,
            number=1,
            entry_uuid=standing(evening).pk,
            side="EW",
            actor=TESTS,
        )
        assert self.unconfirmed(evening) == []

    @pytest.mark.full
    def test_what_came_from_paper_needs_nobody(self, club: Club, evening: Evening) -> None:
        Evening.objects.update(writing="deal")
        deal_write(
            sheet_id=table(evening, 1).sheet_id,
            number=1,
            seen_version=0,
            uuid=uuid.uuid4(),
            written=HUNDRED,
            actor=Actor.of_user(director_of(club)),
        )
        assert self.unconfirmed(evening) == [2]

    def test_the_finished_sheet_waits_for_both_sides(self, evening: Evening) -> None:
        Evening.objects.update(writing="round")
        at = table(evening, 2)
        write_deal(at, 2)
        assert self.unconfirmed(evening) == [2]
        for side in ("NS", "EW"):
            sheet_answer(sheet_id=at.sheet_id, side=side, seen_version=2, agrees=True, actor=TESTS)
        assert self.unconfirmed(evening) == []

    @pytest.mark.full
    def test_where_both_write_each_deal_waits_for_the_other(self, evening: Evening) -> None:
        Evening.objects.update(writing="both")
        assert self.unconfirmed(evening) == []
        one: dict[str, Any] = {"number": 2, "seen_version": 0, "written": HUNDRED}
        at = table(evening, 2)
        deal_submit(sheet_id=at.sheet_id, uuid=uuid.uuid4(), actor=TESTS, side="NS", **one)
        assert self.unconfirmed(evening) == [2]
        deal_submit(sheet_id=at.sheet_id, uuid=uuid.uuid4(), actor=TESTS, side="EW", **one)
        assert self.unconfirmed(evening) == []
