"""Who deals first, where that is drawn at the table: asked on the phone and at the desk."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, User
from scoring.models import Scoresheet
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.table_pages import fields_of, link, playing, words
from tournaments.evenings.services import EveningRules, evening_rules_change
from tournaments.models import Evening
from tournaments.rounds.services import round_close

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TABLE = f"{EVENING}rounds/1/tables/1/"
DEALER = f"{TABLE}dealer/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def page() -> str:
    """The address of table 1, where it is drawn who deals first: Jan, Mia, Piet and Truus sit
    clockwise from North."""
    return link(drawn())


def drawn(club: Club | None = None) -> Evening:
    return playing(first_dealer="drawn", club=club)


def the_sheet() -> Scoresheet:
    return Scoresheet.objects.get()


def say(client: Client, page: str, seat: str, **given: str) -> Any:
    """Tap the name of who sits there."""
    url = f"{page}rounds/1/dealer/"
    return client.post(url, fields_of(client.get(page), url) | {"seat": seat} | given)


class TestOnThePhone:
    @pytest.mark.full
    def test_the_table_is_asked_before_anything_else(self, page: str) -> None:
        asked = words(Client().get(page))
        assert "Wie geeft het eerst? Ieder trekt een kaart." in asked
        assert "Wie speelt?" not in asked

    @pytest.mark.full
    def test_one_tap_says_it(self, page: str) -> None:
        client = Client()
        answer = say(client, page, "S")
        assert (answer.status_code, the_sheet().first_dealer) == (303, "S")
        assert "Piet geeft, Truus komt uit" in words(client.get(page))

    @pytest.mark.full
    def test_it_decides_who_must_play(self) -> None:
        evening = drawn()
        sheet = the_sheet()
        sheet.regulation.settings |= {"bidding": "forehand_must"}
        sheet.regulation.save()
        client = Client()
        say(client, link(evening), "S")
        assert client.get(link(evening)).context["form"].forced_seat == "W"

    def test_somebody_else_after_all(self, page: str) -> None:
        client = Client()
        say(client, page, "S")
        assert "Toch iemand anders?" in words(client.get(page))
        url = f"{page}rounds/1/dealer/"
        again = client.get(url)
        client.post(url, fields_of(again, url) | {"seat": "N"})
        assert the_sheet().first_dealer == "N"

    @pytest.mark.full
    def test_not_once_a_deal_is_written(self, page: str) -> None:
        client = Client()
        say(client, page, "S")
        write_deal(table(Evening.objects.get()), 1)
        assert "Toch iemand anders?" not in words(client.get(page))
        url = f"{page}rounds/1/dealer/"
        assert "is niet meer te wijzigen" in words(client.get(url))
        assert client.post(url, {"seat": "N", "seen_version": "2"}).status_code == 409

    def test_the_other_phone_was_first(self, page: str) -> None:
        client, other = Client(), Client()
        url = f"{page}rounds/1/dealer/"
        seen = fields_of(client.get(page), url)
        say(other, page, "S")
        refused = client.post(url, seen | {"seat": "N"})
        assert (refused.status_code, the_sheet().first_dealer) == (409, "S")
        assert "De tellijst is veranderd" in words(refused)

    @pytest.mark.full
    def test_and_this_one_follows_by_itself(self, page: str) -> None:
        client = Client()
        asked = client.get(page)
        state = asked.context["poll_url"]
        say(Client(), page, "S")
        assert client.get(state).headers["HX-Refresh"] == "true"

    @pytest.mark.full
    def test_while_nobody_said_it_the_question_stays(self, page: str) -> None:
        client = Client()
        state = client.get(client.get(page).context["poll_url"])
        assert "HX-Refresh" not in state.headers
        assert "Wie geeft het eerst?" in words(state)

    @pytest.mark.full
    @pytest.mark.parametrize("seat", ["", "X", "NS", "\x00"])
    def test_a_seat_that_there_is_not(self, page: str, seat: str) -> None:
        posted = Client().post(f"{page}rounds/1/dealer/", {"seat": seat, "seen_version": "0"})
        assert (posted.status_code, the_sheet().first_dealer) == (404, "")

    @pytest.mark.full
    @pytest.mark.parametrize("version", ["", "-1", "9" * 5000, "½"])
    def test_a_version_that_there_is_not(self, page: str, version: str) -> None:
        posted = Client().post(f"{page}rounds/1/dealer/", {"seat": "S", "seen_version": version})
        assert (posted.status_code, the_sheet().first_dealer) == (409, "")

    @pytest.mark.full
    def test_not_where_it_is_not_drawn(self) -> None:
        page = link(playing())
        assert "Wie geeft het eerst?" not in words(Client().get(page))
        url = f"{page}rounds/1/dealer/"
        assert Client().get(url).status_code == 404
        assert Client().post(url, {"seat": "S", "seen_version": "0"}).status_code == 404

    @pytest.mark.full
    def test_not_after_the_round(self) -> None:
        evening = drawn()
        page = link(evening)
        round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="laat")
        posted = Client().post(f"{page}rounds/1/dealer/", {"seat": "S", "seen_version": "0"})
        assert (posted.status_code, the_sheet().first_dealer) == (409, "")

    @pytest.mark.full
    def test_a_sheet_keeps_asking_whatever_is_changed_afterwards(self) -> None:
        evening = drawn()
        evening_rules_change(evening_id=evening.pk, rules=EveningRules(), actor=TESTS)
        assert the_sheet().first_dealer == ""
        assert "Wie geeft het eerst?" in words(Client().get(link(evening)))
        assert say(Client(), link(evening), "S").status_code == 303


class TestAtTheDesk:
    def test_it_is_asked_and_said(self, club: Club) -> None:
        drawn(club)
        desk = desk_of(club)
        assert "Wie geeft het eerst?" in words(desk.get(TABLE))
        desk.post(DEALER, {"seat": "W", "seen_version": "0"})
        assert the_sheet().first_dealer == "W"
        assert "Wie geeft het eerst?" not in words(desk.get(TABLE))

    @pytest.mark.full
    def test_deals_can_be_written_without(self, club: Club) -> None:
        evening = drawn(club)
        assert desk_of(club).get(TABLE).context["form"].number == 1
        write_deal(table(evening), 1)
        assert the_sheet().deals_entered == 1

    @pytest.mark.full
    def test_somebody_was_first(self, club: Club) -> None:
        drawn(club)
        desk = desk_of(club)
        desk.post(DEALER, {"seat": "W", "seen_version": "0"})
        refused = desk.post(DEALER, {"seat": "N", "seen_version": "0"}, follow=True)
        assert messages_in(refused) == ["De tellijst is veranderd. Kijk nog een keer."]

    @pytest.mark.full
    def test_a_seat_that_there_is_not(self, club: Club) -> None:
        drawn(club)
        assert desk_of(club).post(DEALER, {"seat": "X", "seen_version": "0"}).status_code == 404

    @pytest.mark.full
    def test_not_where_it_is_not_drawn(self, club: Club) -> None:
        evening_with_draw(club=club, players=4)
        assert desk_of(club).post(DEALER, {"seat": "S", "seen_version": "0"}).status_code == 404

    @pytest.mark.full
    def test_who_may_say_it(self, club: Club) -> None:
        drawn(club)

        def status(user: User | None) -> int:
            client = Client()
            if user:
                client.force_login(user)
            return client.post(DEALER, {"seat": "S", "seen_version": "0"}).status_code

        stranger = organiser_of(ClubFactory.create())
        cast = [organiser_of(club), director_of(club), scorekeeper_of(club), stranger, None]
        assert [status(user) for user in cast] == [302, 302, 302, 403, 302]
        assert desk_of(club).get(DEALER).status_code == 405

    @pytest.mark.full
    def test_paper_leaves_the_dealer_open(self, club: Club) -> None:
        drawn(club)
        (page,) = page_texts(desk_of(club).get(f"{EVENING}print/sheets/1.pdf").content)
        assert "geeft eerst" not in page
        assert "Wie de hoogste kaart trekt, geeft het eerst." in page
