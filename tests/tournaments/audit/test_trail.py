"""The director reads what happened per table, per deal and per person, in words."""

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from time_machine import travel

from clubs.audit.services import Actor
from clubs.models import Club, Member
from scoring.deals.services import deal_restore, deal_undo, deal_write
from scoring.disputes.submissions import sheet_answer
from scoring.sheets.services import sheet_swap_sides
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import (
    TESTS,
    ClubFactory,
    UserFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_start
from tournaments.table_links.services import token_renew

pytestmark = pytest.mark.django_db

CLUB = "/clubs/vrolijke-boer/desk/"
TRAIL = f"{EVENING}tables/1/trail/"
DEAL = f"{EVENING}rounds/1/tables/1/deals/1/"
NINE = dt.datetime(2026, 11, 21, 20, 0, tzinfo=dt.UTC)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def lines(response: Any) -> list[str]:
    """What a page of the trail tells, newest first: the column of what happened."""
    assert response.status_code == 200
    cells = re.findall(r"<td.*?</td>\s*<td[^>]*>(.*?)</td>", text(response))
    return [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells]


def two_rounds(club: Club) -> Evening:
    """An evening of two rounds that have started, at one table."""
    evening = evening_with_draw(
        club=club, players=4, rounds=2, deals_per_round=2, method="rotation"
    )
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    return evening


CHANGED = "Spel 1 is gewijzigd eerst: 90–72 · wij, harten daarna: 100–62 · wij, harten"
HERE = "avond van 21 november 2026, ronde 1, tafel 1"


class TestTable:
    @pytest.mark.full
    def test_it_tells_of_both_rounds_and_of_the_links(self, club: Club) -> None:
        evening = two_rounds(club)
        write_deal(table(evening), 1)
        write_deal(table(evening), 1, points={"NS": 100})
        write_deal(table(evening, 1, 2), 1, declarer="EW", points={"EW": 100})
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        assert lines(desk_of(club).get(TRAIL)) == [
            "Tafel 1 kreeg een nieuwe link",
            "Spel 1 is geschreven 62–100 · zij, harten ronde 2",
            f"{CHANGED} ronde 1 “test”",
            "Spel 1 is geschreven 90–72 · wij, harten ronde 1",
        ]

    @pytest.mark.full
    def test_one_round_is_its_sheet_alone(self, club: Club) -> None:
        evening = two_rounds(club)
        write_deal(table(evening), 1)
        write_deal(table(evening, 1, 2), 1)
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        assert lines(desk_of(club).get(f"{TRAIL}?round=2")) == [
            "Spel 1 is geschreven 90–72 · wij, harten"
        ]

    @pytest.mark.full
    def test_what_was_simply_written_can_be_left_out(self, club: Club) -> None:
        evening = two_rounds(club)
        for number in (1, 2):
            write_deal(table(evening), number)
        write_deal(table(evening), 2, points={"NS": 100})
        deal_undo(
            sheet_id=table(evening).sheet_id,
            number=2,
            seen_version=2,
            uuid=uuid.uuid4(),
            actor=TESTS,
        )
        shown = lines(desk_of(club).get(f"{TRAIL}?only=changes"))
        lower, higher = "90–72 · wij, harten", "100–62 · wij, harten"
        assert shown == [
            f"Spel 2 is teruggenomen eerst: {higher} daarna: {lower} ronde 1",
            f"Spel 2 is gewijzigd eerst: {lower} daarna: {higher} ronde 1 “test”",
        ]

    def test_another_table_has_its_own(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=8)
        write_deal(table(evening, 2), 1)
        desk = desk_of(club)
        assert lines(desk.get(TRAIL)) == []
        assert len(lines(desk.get(TRAIL.replace("tables/1", "tables/2")))) == 1

    def test_swapping_tells_every_deal(self, club: Club) -> None:
        evening = two_rounds(club)
        for number in (1, 2):
            write_deal(table(evening), number)
        sheet_swap_sides(sheet_id=table(evening).sheet_id, actor=TESTS, reason="verkeerd om")
        assert lines(desk_of(club).get(TRAIL))[0] == (
            "Wij en zij van de hele tellijst zijn verwisseld"
            " Spel 1: 90–72 · wij, harten werd 72–90 · zij, harten"
            " Spel 2: 90–72 · wij, harten werd 72–90 · zij, harten"
            " ronde 1 “verkeerd om”"
        )

    def test_totals_and_answers_are_shown(self, club: Club) -> None:
        evening = two_rounds(club)
        sheet = table(evening).sheet
        handed_in = {"NS": HandedIn(200, 40), "EW": HandedIn(124)}
        side_totals_write(sheet_id=sheet.pk, totals=handed_in, actor=TESTS)
        sheet.refresh_from_db()
        sheet_answer(
            sheet_id=sheet.pk,
            side="EW",
            seen_version=sheet.version,
            agrees=False,
            note="roem mist",
            actor=TESTS,
        )
        figures = "Wij: 200 punten, roem 40 Zij: 124 punten, roem 0"
        assert lines(desk_of(club).get(TRAIL)) == [
            "Zij: de tellijst klopt niet ronde 1 “roem mist”",
            f"Alleen de totalen zijn ingeleverd {figures} ronde 1",
        ]

    def test_which_phone_and_when_there_and_here(self, club: Club) -> None:
        evening = two_rounds(club)
        with travel(NINE, tick=False):
            desk = desk_of(club)
            deal_write(
                sheet_id=table(evening).sheet_id,
                number=1,
                seen_version=0,
                uuid=uuid.uuid4(),
                written={"declarer": "NS", "trump": "H", "points": {"NS": 90}},
                actor=TESTS,
                device="phone:2",
                made_at=NINE - dt.timedelta(minutes=17),
            )
            shown = "Spel 1 is geschreven 90–72 · wij, harten telefoon 2,"
            when = "getypt 20:43, ontvangen 21:00"
            assert lines(desk.get(TRAIL)) == [f"{shown} {when} ronde 1"]

    def test_it_names_who_sat_there(self, club: Club) -> None:
        evening_with_draw(club=club, players=4)
        page = desk_of(club).get(TRAIL)
        assert [member.name for member in page.context["people"]] == [
            "Jan Bakker",
            "Mia van der Meer",
            "Piet Visser",
            "Truus de Vries",
        ]

    def test_a_table_that_is_not_there_is_not_found(self, club: Club) -> None:
        evening_with_draw(club=club, players=4)
        assert desk_of(club).get(TRAIL.replace("tables/1", "tables/2")).status_code == 404

    @pytest.mark.parametrize("deals", [1, 3])
    def test_more_events_take_no_more_queries(
        self, club: Club, deals: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        evening = evening_with_draw(club=club, players=4)
        for number in range(1, deals + 1):
            write_deal(table(evening), number)
        desk = desk_of(club)
        desk.get(TRAIL)
        # club, session, user, role, evening; its tables, who sat there, their names; how many
        # events, the events, their texts, where that was; the sheets, who sat there, their names,
        # the entries; how far the evening is; what the menu shows
        with django_assert_num_queries(18):
            desk.get(TRAIL)

    @pytest.mark.full
    def test_fifty_on_a_page(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=4, deals_per_round=60)
        for number in range(1, 53):
            write_deal(table(evening), number)
        desk = desk_of(club)
        assert [len(lines(desk.get(f"{TRAIL}?page={page}"))) for page in (1, 2)] == [50, 2]


class TestDeal:
    @pytest.mark.full
    def test_everything_about_one_deal(self, club: Club) -> None:
        evening = two_rounds(club)
        write_deal(table(evening), 1)
        write_deal(table(evening), 2)
        sheet_swap_sides(sheet_id=table(evening).sheet_id, actor=TESTS, reason="verkeerd om")
        page = desk_of(club).get(DEAL)
        assert [(line.number, line.score) for line in page.context["history"]] == [
            (2, "72–90"),
            (1, "90–72"),
            (0, "leeg"),
        ]
        assert [line.split(" · ")[0] for line in lines(page)] == [
            "Wij en zij van de hele tellijst zijn verwisseld eerst: 90–72",
            "Spel 1 is geschreven 90–72",
        ]
        assert text(page).count("Zet dit terug") == 2

    @pytest.mark.full
    def test_what_was_put_back_is_shown(self, club: Club) -> None:
        evening = two_rounds(club)
        write_deal(table(evening), 1)
        deal_restore(
            sheet_id=table(evening).sheet_id,
            number=1,
            revision=0,
            seen_version=1,
            uuid=uuid.uuid4(),
            actor=TESTS,
            reason="dubbel",
        )
        assert lines(desk_of(club).get(DEAL))[0] == (
            "Spel 1 is teruggezet zoals het eerder was"
            " eerst: 90–72 · wij, harten daarna: leeg “dubbel”"
        )

    def test_of_a_blank_deal_nothing_happened(self, club: Club) -> None:
        evening_with_draw(club=club, players=4)
        desk = desk_of(club)
        assert "Van dit spel is nog niets geschreven." in text(desk.get(DEAL))
        assert desk.get(DEAL.replace("deals/1", "deals/99")).status_code == 404


class TestPerson:
    def page(self, client: Client, name: str, show: str = "about") -> Any:
        pk = Member.objects.get(name=name).pk
        return client.get(f"{CLUB}trail/members/{pk}/?show={show}")

    @pytest.mark.full
    def test_what_was_done_about_him(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=4, rounds=1)
        write_deal(table(evening), 1)
        shown = lines(self.page(desk_of(club), "Jan Bakker"))
        assert shown == ["Jan Bakker is op de lijst gezet"]

    @pytest.mark.full
    def test_what_was_changed_at_his_tables(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=8, rounds=1, method="typed_in")
        for number in (1, 2):
            write_deal(table(evening, number), 1)
            write_deal(table(evening, number), 1, points={"NS": 100})
        shown = lines(self.page(desk_of(club), "Jan Bakker", "tables"))
        assert shown == [f"{CHANGED} {HERE} “test”"]

    @pytest.mark.full
    def test_of_two_evenings_on_a_date_each_is_shown_by_its_name(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=4, rounds=1, method="typed_in")
        Evening.objects.filter(pk=evening.pk).update(name="Kerstdrive")
        write_deal(table(evening), 1)
        write_deal(table(evening), 1, points={"NS": 100})
        shown = lines(self.page(desk_of(club), "Jan Bakker", "tables"))
        here = "avond van 21 november 2026 · Kerstdrive, ronde 1, tafel 1"
        assert shown == [f"{CHANGED} {here} “test”"]

    def test_what_he_did_himself_where_he_has_a_login(self, club: Club) -> None:
        evening = evening_with_draw(club=club, players=4, rounds=1)
        jan, desk = director_of(club), desk_of(club)
        assert "Gedaan door deze persoon" not in text(self.page(desk, "Jan Bakker"))
        Member.objects.filter(name="Jan Bakker").update(email=jan.email.upper())
        round_close(
            round_id=evening.rounds.get().pk, actor=Actor.of_user(jan), unfinished_reason="laat"
        )
        shown = lines(self.page(desk, "Jan Bakker", "by"))
        assert shown == ["Ronde 1 is gesloten avond van 21 november 2026 “laat”"]

    def test_somebody_of_another_club_is_not_found(self, club: Club) -> None:
        other = ClubFactory.create()
        stranger = Member.objects.create(club=other, name="X Y", number=1)
        assert desk_of(club).get(f"{CLUB}trail/members/{stranger.pk}/").status_code == 404


class TestLogin:
    @pytest.mark.full
    def test_what_somebody_with_a_login_did(self, club: Club) -> None:
        riet = UserFactory.create(name="Riet Bos")
        evening = evening_with_draw(club=club, players=4, rounds=1)
        round_close(
            round_id=evening.rounds.get().pk, actor=Actor.of_user(riet), unfinished_reason="laat"
        )
        page = desk_of(club).get(f"{CLUB}trail/by/{riet.uuid}/")
        assert "Wat Riet Bos heeft gedaan" in text(page)
        assert len(lines(page)) == 1

    def test_who_did_nothing_here_is_not_found(self, club: Club) -> None:
        stranger = UserFactory.create()
        assert desk_of(club).get(f"{CLUB}trail/by/{stranger.uuid}/").status_code == 404


@pytest.mark.full
def test_the_sheet_and_the_member_lead_there(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=1)
    desk, jan = desk_of(club), Member.objects.get(name="Jan Bakker")
    write_deal(table(evening), 1)
    sheet = text(desk.get(f"{EVENING}rounds/1/tables/1/?deal=1"))
    assert f'href="{TRAIL}?round=1"' in sheet
    assert f'href="{DEAL}"' in sheet
    assert f'href="{CLUB}trail/members/{jan.pk}/"' in text(desk.get(f"{CLUB}members/{jan.pk}/"))
    everything = text(desk.get(f"{CLUB}trail/"))
    assert f'href="{TRAIL}?round=1"' in everything


@pytest.mark.full
def test_the_director_reads_it_and_a_scorekeeper_does_not(club: Club) -> None:
    evening_with_draw(club=club, players=4)
    pk = Member.objects.get(name="Jan Bakker").pk
    pages = [TRAIL, DEAL, f"{CLUB}trail/members/{pk}/"]
    for user, status in [
        (director_of(club), 200),
        (scorekeeper_of(club), 403),
        (UserFactory.create(), 403),
        (organiser_of(ClubFactory.create()), 403),
    ]:
        client = Client()
        client.force_login(user)
        assert [client.get(page).status_code for page in pages] == [status] * 3
