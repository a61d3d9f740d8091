"""The public pages with four hundred people: they stay small, and ask little of the database."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club
from tests.load.big_club import Size, big_club_make
from tests.tournaments.public_pages import get, rows, words
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

MOST_BYTES = 150_000


@pytest.fixture
def club() -> Club:
    """One evening is over; of another one all three rounds have been played."""
    return big_club_make("grote-zaal", Size(evenings=1, deals=4))


@pytest.mark.full
def test_an_evening_of_four_hundred(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    queries = {"": 7, "?show=names": 4, "?show=tables": 4}
    evening = Evening.objects.get(club=club, state=Evening.State.RUNNING)
    for more, most in queries.items():
        with django_assert_num_queries(most):
            page = get(client, f"/clubs/grote-zaal/evenings/{evening.slug}/{more}")
        assert len(page.content) <= MOST_BYTES
    assert len(rows(get(client, f"/clubs/grote-zaal/evenings/{evening.slug}/"))) == 400
    _the_hall_reads_them_all_in_thirteen_pages(client, evening)


def _the_hall_reads_them_all_in_thirteen_pages(client: Client, evening: Evening) -> None:
    path = f"/clubs/grote-zaal/evenings/{evening.slug}/screen/"
    shown = get(client, path)
    assert "bladzijde 1 van 13" in words(shown)
    lines = rows(shown)
    assert (len(lines), {len(line) for line in lines}) == (16, {6})
    # Read down the first column, then down the second.
    assert [lines[0][0], lines[15][0], lines[0][3]] == ["1", "16", "17"]
    # 400 people are twelve pages of 32 and one of 16.
    assert [len(line) for line in rows(get(client, f"{path}?page=13"))] == [6] * 8
