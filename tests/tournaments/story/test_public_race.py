"""The race of a season on its page: a drawing, its key, and the same in a table."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Member
from tests.factories import TESTS, ClubFactory
from tests.load.big_club import Size, big_club_make
from tests.tournaments.one_round import before, one_deal
from tests.tournaments.public_pages import get, rows, speak_english, words
from tournaments.models import Season
from tournaments.seasons.services import season_create, season_rule_add

pytestmark = pytest.mark.django_db

PAGE = "/clubs/vrolijke-boer/seasons/2026/race/"
KEY = re.compile(r'<ul class="race-key plain">(.*?)</ul>', re.DOTALL)


def key_of(client: Client) -> str:
    key = KEY.search(get(client, PAGE).content.decode())
    assert key is not None
    return words(key[1])


@pytest.fixture
def season() -> Season:
    """Jan and Piet lead after the first evening, Mia and Jan after the second."""
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    one_deal(season, 0, "1234", ns=90)
    one_deal(season, 1, "1324", ns=130)
    return season


@pytest.mark.full
def test_the_places_after_each_evening(client: Client, season: Season) -> None:
    page = get(client, PAGE)
    assert rows(page) == [
        ["1", "Jan Bakker", "1", "1"],
        ["2", "Mia van der Meer", "3", "2"],
        ["3", "Piet Visser", "1", "3"],
        ["4", "Truus de Vries", "3", "4"],
    ]
    assert key_of(client) == (
        "A 1 Jan Bakker 220 B 2 Mia van der Meer 202 C 3 Piet Visser 122 D 4 Truus de Vries 104"
    )
    drawing = page.content.decode()
    assert drawing.count("<polyline points=") == 8
    assert (
        "Na 2 avonden: Jan Bakker van plaats 1 naar plaats 1; Mia van der Meer van plaats 3 naar"
        " plaats 2; Piet Visser van plaats 1 naar plaats 3; Truus de Vries van plaats 3 naar"
        " plaats 4."
    ) in words(page)


@pytest.mark.full
def test_the_season_leads_there(client: Client, season: Season) -> None:
    assert f'href="{PAGE}"' in get(client, "/clubs/vrolijke-boer/seasons/2026/").content.decode()


@pytest.mark.full
def test_each_standing_has_its_race(client: Client, season: Season) -> None:
    season_rule_add(season=season, name="Alles", settings={}, actor=TESTS)
    season_rule_add(season=season, name="Beste avond", settings={"best_per_period": 1}, actor=TESTS)
    assert rows(get(client, f"{PAGE}?standing=2"))[0] == ["1", "Jan Bakker", "1", "1"]
    assert rows(get(client, f"{PAGE}?standing=2"))[2] == ["3", "Piet Visser", "1", "3"]
    assert "Beste avond" in words(get(client, f"{PAGE}?standing=2"))


@pytest.mark.full
def test_a_mean_has_decimals_only_where_it_has_any(client: Client, season: Season) -> None:
    season_rule_add(
        season=season, name="Gemiddeld", settings={"aggregate": "mean_per_evening"}, actor=TESTS
    )
    assert key_of(client) == (
        "A 1 Jan Bakker 110 B 2 Mia van der Meer 101 C 3 Piet Visser 61 D 4 Truus de Vries 52"
    )
    one_deal(season, 2, "1234", ns=89)
    assert key_of(client).startswith("A 1 Jan Bakker 103,00 B 2 Mia van der Meer 91,67")


@pytest.mark.full
def test_somebody_further_down_can_be_put_beside_the_first_eight(
    client: Client, season: Season
) -> None:
    one_deal(season, 2, "5678", ns=150)
    before(season, "2026-01-03,Wim Laatst,3,", "2026-01-10,Wim Laatst,3,")
    last = Member.objects.get(name="Wim Laatst")
    assert "Wim Laatst" not in [row[1] for row in rows(get(client, PAGE))]
    with_last = rows(get(client, f"{PAGE}?player={last.pk}"))
    assert [row[0] for row in with_last][-2:] == ["7", "9"]
    assert with_last[-1][1] == "Wim Laatst"
    assert len(with_last) == 9


def test_nobody_can_be_asked_for_who_is_not_in_it_or_hidden(client: Client, season: Season) -> None:
    stranger = Member.objects.create(club=season.club, name="Ineke Nieuw")
    assert client.get(f"{PAGE}?player={stranger.pk}").status_code == 404
    assert client.get(f"{PAGE}?player=x").status_code == 404
    jan = Member.objects.get(number=1)
    Member.objects.filter(pk=jan.pk).update(public_as=Member.PublicAs.HIDDEN, version=2)
    assert client.get(f"{PAGE}?player={jan.pk}").status_code == 404
    page = get(client, PAGE)
    assert rows(page)[0] == ["1", "Anoniem", "1", "1"]
    assert ("Jan Bakker" in words(page), f"/players/{jan.pk}/" in page.content.decode()) == (
        False,
        False,
    )


@pytest.mark.full
def test_after_one_evening_there_is_nothing_to_draw(client: Client) -> None:
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    assert "Van dit seizoen is nog geen avond gespeeld." in words(get(client, PAGE))
    one_deal(season, 0, "1234", ns=90)
    page = words(get(client, PAGE))
    assert "Na twee avonden wordt hier de race getekend" in page
    assert client.get("/clubs/vrolijke-boer/seasons/1999/race/").status_code == 404


@pytest.mark.full
def test_who_has_no_place_yet_begins_later(client: Client) -> None:
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    season_rule_add(season=season, name="A", settings={"minimum_evenings": 2}, actor=TESTS)
    for week, seats in enumerate(("1234", "1256", "1234")):
        one_deal(season, week, seats, ns=90)
    assert rows(get(client, PAGE)) == [
        ["1", "Jan Bakker", "1", "1"],
        ["2", "Mia van der Meer", "2", "2"],
        ["3", "Piet Visser", "–", "3"],
        ["4", "Truus de Vries", "–", "4"],
    ]


@pytest.mark.full
def test_it_speaks_english_to_who_asks(client: Client, season: Season) -> None:
    speak_english(client)
    assert "The race of 2026" in words(get(client, PAGE))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("evenings", [3, 6])
def test_more_evenings_cost_no_more_queries(
    django_assert_num_queries: DjangoAssertNumQueries, evenings: int
) -> None:
    slug = f"zaal-{evenings}"
    big_club_make(slug, Size(members=12, evenings=evenings, rounds=1, deals=4))
    page = f"/clubs/{slug}/seasons/seizoen/race/"
    # With something after it the page is not one that is shared by all visitors.
    with django_assert_num_queries(8):
        first = rows(get(Client(), f"{page}?x=1"))
    with django_assert_num_queries(6):
        assert rows(get(Client(), f"{page}?x=1")) == first
    assert rows(get(Client(), page)) == first
    with django_assert_num_queries(1):
        assert rows(get(Client(), page)) == first
