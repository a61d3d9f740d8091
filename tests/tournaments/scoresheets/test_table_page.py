"""What a table's link shows: to whom, when, and in whose language."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, evening_with_draw, regulation_of, table, write_deal
from tests.tournaments.table_pages import link, playing, words
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.models import Evening
from tournaments.rounds.services import round_close, round_start
from tournaments.table_links.services import token_renew, tokens_ensure

pytestmark = pytest.mark.django_db


@pytest.mark.full
def test_the_sheet_says_who_deals_who_leads_and_who_is_ahead(client: Client) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    shown = words(client.get(link(evening)))
    assert "Tafel 1 · ronde 1 · spel 2/16" in shown
    assert "Piet geeft, Truus komt uit" in shown.replace(" ,", ",")
    assert "Jan Bakker – Piet Visser 18 voor 90" in shown
    assert "Mia van der Meer – Truus de Vries 72" in shown


def test_the_only_cookie_tells_phones_apart_and_nothing_is_kept(client: Client) -> None:
    response = client.get(link(playing()))
    assert list(response.cookies) == ["table_phone"]
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "same-origin"


def test_a_link_that_never_was_is_unknown(client: Client) -> None:
    response = client.get("/t/0123456789/")
    assert response.status_code == 404
    assert "Deze code kennen we niet" in words(response)


def test_a_link_that_was_renewed_is_worth_nothing(client: Client) -> None:
    evening = playing()
    old = link(evening)
    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    response = client.get(old)
    assert response.status_code == 410
    assert "Deze code geldt niet meer Vraag de wedstrijdleider om een nieuwe." in words(response)
    assert client.get(link(evening)).status_code == 200


@pytest.mark.full
def test_a_closed_evening_leads_to_its_standings(client: Client) -> None:
    evening = playing(deals_per_round=1)
    write_deal(table(evening), 1)
    address = link(evening)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    response = client.get(address)
    assert response.status_code == 410
    assert "De avond is afgelopen" in words(response)
    assert f"/clubs/vrolijke-boer/evenings/{evening.slug}/" in response.content.decode()


@pytest.mark.full
def test_a_cancelled_evening_says_so(client: Client) -> None:
    evening = evening_with_draw(players=4, started=False)
    tokens_ensure(evening=evening, tables=1)
    address = link(evening)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    response = client.get(address)
    assert response.status_code == 410
    assert "De avond is afgelast" in words(response)


@pytest.mark.full
def test_before_the_draw_is_final_there_is_nothing_to_see(client: Client) -> None:
    evening = playing()
    evening.rounds.update(state="draft")
    response = client.get(link(evening))
    assert response.status_code == 200
    assert "De loting is nog niet klaar" in words(response)


@pytest.mark.full
def test_before_the_round_starts_it_shows_who_sits_where(client: Client) -> None:
    evening = evening_with_draw(players=4, rounds=1, method="typed_in", started=False)
    tokens_ensure(evening=evening, tables=1)
    response = client.get(link(evening))
    shown = words(response)
    assert "Zo zit u" in shown
    assert "Zij Mia van der Meer gever" in shown
    assert "Wij Piet Visser voorhand" in shown
    assert "Schrijf spel" not in shown
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    assert "Schrijf spel 1" in words(client.get(link(evening)))


def test_where_phones_stay_in_the_pocket_the_sheet_is_paper(client: Client) -> None:
    evening = playing(phones=False)
    response = client.get(link(evening))
    assert response.status_code == 403
    assert "Vanavond schrijft u op papier" in words(response)


def test_a_deal_or_round_that_is_not_there_leads_back_to_the_sheet(client: Client) -> None:
    evening = playing()
    for path in ("rounds/2/", "rounds/1/deals/17/"):
        response = client.get(link(evening) + path)
        assert response.status_code == 404
        assert "Naar onze tellijst" in words(response)


@pytest.mark.full
def test_the_page_speaks_the_clubs_language_unless_the_reader_chose(client: Client) -> None:
    club: Club = ClubFactory.create(language="en")
    evening = playing(club=club)
    assert "Write deal 1" in words(client.get(link(evening)))
    chosen = client.post(link(evening) + "language/", {"language": "nl", "next": link(evening)})
    assert chosen.status_code == 302
    assert "Schrijf spel 1" in words(client.get(link(evening)))


@pytest.mark.full
def test_who_must_play_is_not_asked(client: Client) -> None:
    club = ClubFactory.create()
    evening = playing(club=club, regulation=regulation_of(club, "utrecht"))
    response = client.get(link(evening))
    assert "Piet speelt" in words(response)
    assert b'<details class="deal-folded">' in response.content


def test_a_sheet_costs_the_same_queries_however_much_is_on_it(
    client: Client, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    evening = playing()
    address = link(evening)
    for _ in range(2):
        client.get(address)
    for filled in (1, 5):
        for number in range(1, filled + 1):
            if not table(evening).sheet.deals.get(number=number).version:
                write_deal(table(evening), number)
        with django_assert_num_queries(10):
            client.get(address)


@pytest.mark.full
def test_a_rotation_goes_on_to_the_round_that_is_being_played(client: Client) -> None:
    evening: Evening = evening_with_draw(players=4, rounds=3, deals_per_round=1)
    write_deal(table(evening), 1)
    assert "Tafel 1 · ronde 1" in words(client.get(link(evening)))
    round_start(round_id=evening.rounds.get(number=2).pk, actor=TESTS)
    assert "Tafel 1 · ronde 2 · spel 1/1" in words(client.get(link(evening)))
    earlier = client.get(link(evening) + "rounds/1/")
    assert "Ronde 1 is klaar" in words(earlier)
