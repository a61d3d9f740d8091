"""The links of the tables: shown, printed on cards, renewed."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from clubs.models import Club
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
)
from tests.pdfs import codes, page_texts
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tournaments.closing.services import evening_cancel
from tournaments.draw.services import draw_make
from tournaments.models import Evening, TableToken
from tournaments.registration.check_in import presence_replace
from tournaments.table_links.services import TableLink, table_links, token_find

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LINKS = f"{EVENING}links/"
CARDS = f"{EVENING}print/links.pdf"
RENEW = f"{LINKS}2/renew/"
PRINTED = [LINKS, CARDS, *(f"{EVENING}print/{name}.pdf" for name in ("draw", "standings"))]
PRINTED += [f"{EVENING}print/sheets/1.pdf"]
BASE = "https://klaver.example"


@pytest.fixture
def club(settings: Settings) -> Club:
    settings.PUBLIC_URL = BASE
    return ClubFactory.create()


def token_of(link: TableLink) -> TableToken:
    """What the address of this link leads to."""
    token = token_find(link.url.removeprefix(f"{BASE}/t/").rstrip("/"))
    assert token is not None
    return token


@pytest.mark.full
def test_the_page_shows_the_link_of_each_table_and_it_opens(club: Club, client: Client) -> None:
    evening = evening_with_draw(club=club, players=8)
    links = table_links(evening)
    page = text(desk_of(club).get(LINKS))
    assert [(link.number, link.side) for link in links] == [(1, ""), (2, "")]
    for link in links:
        assert link.url.startswith(f"{BASE}/t/")
        assert f'value="{link.url}"' in page
        assert f"Link van tafel {link.number}" in page
        assert f"<figcaption>Pincode {link.pin}</figcaption>" in page
    assert '<strong class="nowrap">klaver.example/t</strong>' in page
    assert f"<strong>{BASE}</strong>" in page
    assert 'href="/clubs/vrolijke-boer/desk/address/"' in page
    for link in links:
        token = token_of(link)
        assert (token.evening, token.table_number) == (evening, link.number)
        assert client.get(link.url.removeprefix(BASE)).status_code == 200


@pytest.mark.full
def test_there_are_links_as_soon_as_the_draw_is_final(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    first = table_links(evening)
    assert [link.number for link in first] == [1, 2]
    assert table_links(evening) == first


@pytest.mark.full
def test_a_draft_has_no_links(club: Club) -> None:
    evening = EveningFactory.create(club=club)
    members = MemberFactory.create_batch(8, club=club)
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)
    page = text(desk_of(club).get(LINKS))
    assert "Er zijn links vanaf het moment dat de loting definitief is" in page
    assert not TableToken.objects.exists()


@pytest.mark.full
def test_an_evening_without_phones_has_no_links(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, phones=False)
    assert table_links(evening) == []
    client = desk_of(club)
    assert "Deze avond wordt zonder telefoons gespeeld" in text(client.get(LINKS))
    assert client.get(CARDS).headers["Location"] == LINKS


@pytest.mark.full
def test_an_evening_that_was_called_off_has_no_links(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    evening = evening_cancel(evening_id=evening.pk, actor=TESTS)
    assert table_links(evening) == []


@pytest.mark.full
def test_the_cards_have_the_number_and_the_code_of_each_table(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=20, rounds=1)
    links = table_links(evening)
    urls = [link.url for link in links]
    content = desk_of(club).get(CARDS).content
    first, second = page_texts(content)
    assert [f"Tafel {n}" in first for n in range(1, 6)] == [True, True, True, True, False]
    assert "Tafel 5" in second
    assert "Kunt u niet scannen? Ga naar klaver.example/t" in second
    assert f"Tafel 5, pincode {links[4].pin}" in second
    follow = [f"{BASE}/clubs/vrolijke-boer/evenings/2026-11-21/"] * 3
    assert codes(content, tmp_path) == [sorted(urls[:4]), sorted([*urls[4:], *follow])]
    assert second.count("Volg de stand") == 3


@pytest.mark.full
def test_the_hall_follows_the_standing_by_a_code_on_the_wall(club: Club, tmp_path: Path) -> None:
    EveningFactory.create(club=club)
    content = desk_of(club).get(f"{EVENING}print/follow.pdf").content
    address = "klaver.example/clubs/vrolijke-boer/evenings/2026-11-21"
    wall, to_cut = codes(content, tmp_path)
    assert (wall, to_cut) == ([f"https://{address}/"], [f"https://{address}/"] * 4)
    page, cards = page_texts(content)
    assert cards.count("Volg de stand") == 4
    assert page == (
        "De Vrolijke Boer Volg de stand Scan deze code met uw telefoon De stand, de tafels en de "
        f"uitslag, de hele avond. {address} zaterdag 21 november 2026 ♣ ♦ ♥ ♠"
    )


def test_where_both_sides_write_each_has_its_own_card(club: Club, tmp_path: Path) -> None:
    evening = evening_with_draw(club=club, players=8, started=False)
    Evening.objects.update(writing="both")
    evening.refresh_from_db()
    links = table_links(evening)
    assert [(link.number, link.side) for link in links] == [
        (1, "NS"),
        (1, "EW"),
        (2, "NS"),
        (2, "EW"),
    ]
    client = desk_of(club)
    cards = client.get(CARDS).content
    assert codes(cards, tmp_path) == [sorted(link.url for link in links)]
    (page,) = page_texts(cards)
    colours = "groen", "bruin"
    assert [f"Tafel {n} · {colour}" in page for n in (1, 2) for colour in colours] == [True] * 4
    whose = [f"Voor de twee in het vak {colour} op de tellijst." for colour in colours]
    assert [page.count(words) for words in whose] == [2, 2]
    shown = text(client.get(LINKS))
    assert "Aan elke tafel heeft elke partij een eigen link" in shown
    assert "Link van tafel 2, bruin" in shown
    sheets = client.get(f"{EVENING}print/sheets/1.pdf").content
    (first, _second) = codes(sheets, tmp_path)
    assert first == sorted(link.url for link in links[:2])
    (sheet, _other) = page_texts(sheets)
    pins = f"pincode groen {links[0].pin}, bruin {links[1].pin}"
    assert f"Zonder scannen: klaver.example/t, {pins}" in sheet


@pytest.mark.full
def test_the_code_of_one_side_is_replaced_alone(club: Club) -> None:
    evening = evening_with_draw(club=club, players=4, writing="both")
    before = table_links(evening)
    client = desk_of(club)
    response = client.post(f"{LINKS}1/EW/renew/", follow=True)
    said = messages_in(response)
    assert said == ["Tafel 1 (bruin) heeft een nieuwe code. De oude werkt niet meer."]
    after = table_links(evening)
    assert after[0] == before[0]
    assert after[1].url != before[1].url
    assert client.post(RENEW.replace("2/renew", "1/renew")).status_code == 404


@pytest.mark.full
def test_a_code_is_replaced_after_a_question(club: Club) -> None:
    evening = evening_with_draw(club=club, players=8)
    before = table_links(evening)
    client = desk_of(club)
    assert "De code van tafel 2 vervangen?" in text(client.get(RENEW))
    assert table_links(evening) == before
    response = client.post(RENEW, follow=True)
    assert response.redirect_chain == [(LINKS, 302)]
    assert messages_in(response) == ["Tafel 2 heeft een nieuwe code. De oude werkt niet meer."]
    after = table_links(evening)
    assert after[0] == before[0]
    assert (after[1].url == before[1].url, after[1].pin == before[1].pin) == (False, False)
    assert token_of(before[1]).revoked_at is not None
    assert client.get(f"{LINKS}3/renew/").status_code == 404
    assert client.post(f"{LINKS}3/renew/").status_code == 404


@pytest.mark.full
def test_who_may_open_what_is_printed(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    every = (*PRINTED, RENEW)
    people = [role(club) for role in (organiser_of, director_of, scorekeeper_of)]
    statuses = []
    for user in (*people, organiser_of(ClubFactory.create())):
        client = Client()
        client.force_login(user)
        statuses.append([client.get(path).status_code for path in every])
    some = [200] * len(PRINTED)
    assert statuses == [[*some, 200], [*some, 200], [*some, 403], [403] * len(every)]
    desk = desk_of(club)
    for path in every:
        assert Client().get(path).headers["Location"] == f"/login/?next={path}"
        gone = path.replace("2026-11-21", "2026-11-22")
        assert desk.get(gone).status_code == 404


@pytest.mark.full
def test_a_scorekeeper_is_not_offered_another_code(club: Club) -> None:
    evening_with_draw(club=club, players=8)
    client = Client()
    client.force_login(scorekeeper_of(club))
    page = text(client.get(LINKS))
    assert "Deze code vervangen" not in page
    assert "/desk/address/" not in page


def test_more_tables_take_no_more_queries(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = desk_of(club)
    evening_with_draw(club=club, players=4)
    with django_assert_num_queries(10):
        client.get(LINKS)
    Club.objects.filter(pk=club.pk).update(slug="andere")
    second = ClubFactory.create(slug="vrolijke-boer")
    client = desk_of(second)
    evening_with_draw(club=second, players=12)
    with django_assert_num_queries(10):
        client.get(LINKS)


# The code for the hall.


@pytest.mark.full
def test_a_card_for_the_hall_leads_to_the_page_of_the_evening(club: Club, tmp_path: Path) -> None:
    evening_with_draw(club=club, players=8)
    desk = Client()
    desk.force_login(scorekeeper_of(club))
    assert f"{EVENING}print/follow.pdf" in text(desk.get(f"{EVENING}print/"))
    content = desk.get(f"{EVENING}print/follow.pdf").content
    page = f"{BASE}/clubs/vrolijke-boer/evenings/2026-11-21/"
    assert codes(content, tmp_path) == [[page], [page] * 4]
    wall, tables = page_texts(content)
    assert "Volg de stand" in wall
    assert "De Vrolijke Boer" in wall
    assert "klaver.example/clubs/vrolijke-boer/evenings/2026-11-21" in wall
    assert tables.count("Volg de stand") == 4
    assert Client().get(page.removeprefix(BASE)).status_code == 200


@pytest.mark.full
def test_an_evening_that_was_called_off_is_not_followed(club: Club) -> None:
    evening = EveningFactory.create(club=club)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(club)
    assert "print/follow.pdf" not in text(desk.get(f"{EVENING}print/"))
    assert desk.get(f"{EVENING}print/follow.pdf").status_code == 404
