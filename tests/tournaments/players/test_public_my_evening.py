"""Somebody's own evening: where to go now, how he stands, each round with its table."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Member
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tests.tournaments.public_pages import (
    close_evening,
    evening_path,
    get,
    rows,
    speak_english,
    words,
)
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening
from tournaments.rounds.services import table_substitute
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """Two rounds at one table: Jan and Piet, then Jan and Mia, who is East, are partners."""
    return evening_with_draw(players=5, rounds=2, method=Evening.Method.TYPED_IN)


def mine(evening: Evening, number: int = 1) -> str:
    member = Member.objects.get(club=evening.club, number=number)
    return evening_path(evening, f"players/{member.pk}/")


@pytest.mark.full
def test_where_to_go_now_stands_on_top(client: Client, evening: Evening) -> None:
    page = words(get(client, mine(evening)))
    assert (
        "Ronde 1 wordt gespeeld Tafel 1 met Piet Visser, tegen Mia van der Meer – Truus de Vries"
        " Tellijst van tafel 1 Rondes"
    ) in page
    assert "Ronde 1 wordt gespeeld Stilzitten" in words(get(client, mine(evening, 5)))


@pytest.mark.full
def test_before_the_round_there_is_a_table_and_no_sheet(client: Client) -> None:
    evening = evening_with_draw(players=4, method=Evening.Method.TYPED_IN, started=False)
    page = get(client, mine(evening))
    assert "Loting van ronde 1 Tafel 1 met Piet Visser" in words(page)
    assert "rounds/1/tables/1/" not in page.content.decode()


@pytest.mark.full
def test_the_place_and_the_points_of_each_round(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1, points={"NS": 100})
    page = get(client, mine(evening))
    assert "Lopende ronde 100 (1 van 16) Pit 0" in words(page)
    assert "Plaats" not in words(page)
    assert rows(page) == [
        ["1", "Tafel 1 met Piet Visser tegen Mia van der Meer – Truus de Vries", "100"]
    ]
    assert 'href="/clubs/vrolijke-boer/evenings/2026-11-21/rounds/1/tables/1/"' in (
        page.content.decode()
    )
    assert rows(get(client, mine(evening, 5))) == [["1", "stilzitten", "–"]]


@pytest.mark.full
def test_of_a_frozen_evening_people_see_where_they_sit(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1, points={"NS": 100})
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    page = get(client, mine(evening))
    assert "De stand blijft nog even geheim." in words(page)
    assert rows(page) == [["1", "Tafel 1 met Piet Visser tegen Mia van der Meer – Truus de Vries"]]
    assert ("rounds/1/tables/1/" in page.content.decode(), "100" in words(page)) == (False, False)


def test_afterwards_it_is_what_was_published(client: Client, evening: Evening) -> None:
    close_evening(evening, ns=100)
    page = get(client, mine(evening))
    assert "gesloten Zaterdag 21 november 2026 Plaats" in words(page)
    assert "wordt gespeeld" not in words(page)
    # Sitting out gives the usual 1600.
    assert "Plaats 2 van 5 Totaal 100" in words(page)
    assert rows(get(client, mine(evening, 5))) == [["1", "stilzitten", "1.600"]]


@pytest.mark.full
def test_who_was_replaced_and_who_came_for_him(client: Client, evening: Evening) -> None:
    substitute = Member.objects.get(number=5)
    table_substitute(
        table_id=table(evening).pk,
        seat="N",
        member=substitute,
        from_deal=3,
        for_himself=True,
        actor=TESTS,
    )
    around = "Mia van der Meer – Truus de Vries"
    assert f"Tafel 1 met Piet Visser tegen {around} vervangen door Kees Mulder" in words(
        get(client, mine(evening))
    )
    assert f"Tafel 1 met Piet Visser tegen {around}" in words(get(client, mine(evening, 5)))


@pytest.mark.full
def test_at_a_table_of_three_there_is_a_dummy(client: Client) -> None:
    evening = evening_with_draw(
        players=7, rounds=1, method=Evening.Method.LOTTERY, leftover="three_handed"
    )
    three = table(evening, 2)
    who = three.placements.get(seat="N").member
    others = [three.placements.get(seat=seat).member.name for seat in "ES"]
    assert f"met een blinde tegen {' – '.join(others)}" in words(
        get(client, evening_path(evening, f"players/{who.pk}/"))
    )


@pytest.mark.full
def test_who_was_not_there_reads_so(client: Client, evening: Evening) -> None:
    elsewhere = evening_with_draw(players=8, club=evening.club, date=evening.date)
    assert "Niet ingedeeld op deze avond." in words(get(client, mine(evening, 8)))
    assert get(client, mine(elsewhere, 8)).status_code == 200


@pytest.mark.full
def test_the_whole_season_is_a_page_that_is_there(client: Client) -> None:
    """Of who plays his first evening there is nothing in the season yet."""
    club = ClubFactory.create()
    season = season_create(club=club, name="2026", actor=TESTS)
    evening = evening_with_draw(players=4, rounds=1, club=club, season=season, method="typed_in")
    member = Member.objects.get(number=1)
    page = f"/clubs/vrolijke-boer/players/{member.pk}/"
    for leads_to in (page, f"{page}?season=2026"):
        assert f'href="{leads_to}">Het hele seizoen' in get(client, mine(evening)).content.decode()
        assert get(client, leads_to).status_code == 200
        if leads_to == page:
            close_evening(evening)


@pytest.mark.full
def test_who_has_no_page_of_his_own_has_none_here(client: Client, evening: Evening) -> None:
    stranger = MemberFactory.create(club=evening.club)
    assert client.get(mine(evening, stranger.number or 0)).status_code == 404
    Member.objects.filter(number=1).update(public_as=Member.PublicAs.HIDDEN)
    assert client.get(mine(evening)).status_code == 404
    for more in ("", "?show=names"):
        page = get(client, evening_path(evening, more)).content.decode()
        jan, mia = (Member.objects.get(number=number).pk for number in (1, 2))
        assert (f'"players/{jan}/"' in page, f'"players/{mia}/"' in page) == (False, more != "")


@pytest.mark.full
def test_the_lines_of_the_standing_lead_here(client: Client, evening: Evening) -> None:
    write_deal(table(evening), 1)
    pk = Member.objects.get(number=1).pk
    link = f'<a href="players/{pk}/">Jan Bakker</a>'
    for more in ("", "?show=names"):
        assert link in get(client, evening_path(evening, more)).content.decode()
    page = get(client, mine(evening)).content.decode()
    assert f'href="/clubs/vrolijke-boer/evenings/2026-11-21/?show=standings#p-{pk}"' in page
    assert f'href="/clubs/vrolijke-boer/players/{pk}/"' in page


@pytest.mark.full
def test_it_keeps_itself_up_to_date_and_costs_one_query_meanwhile(
    client: Client, evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = get(client, mine(evening)).content.decode()
    assert 'data-poll="?live=1" ' in page
    path = f"{mine(evening)}?live=1"
    asked = get(client, path)
    seen = asked.headers["ETag"]
    assert asked.content.decode().strip().startswith('<div class="flow" id="live"')
    assert (asked.status_code, asked.headers["Cache-Control"]) == (200, "no-cache")
    with django_assert_num_queries(1):
        again = client.get(path, headers={"If-None-Match": seen})
    assert again.status_code == 304
    write_deal(table(evening), 1)
    changed = client.get(path, headers={"If-None-Match": seen})
    assert changed.status_code == 200
    close_evening(evening)
    assert "data-poll" not in get(client, mine(evening)).content.decode()


@pytest.mark.parametrize("rounds", [1, 3])
def test_more_rounds_cost_no_more_queries(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, rounds: int
) -> None:
    evening = evening_with_draw(players=8, rounds=rounds)
    with django_assert_num_queries(9):
        get(client, mine(evening))


@pytest.mark.full
def test_it_speaks_english_to_who_asks(client: Client, evening: Evening) -> None:
    speak_english(client)
    page = words(get(client, mine(evening)))
    assert "Table 1 with Piet Visser, against Mia van der Meer – Truus de Vries" in page
