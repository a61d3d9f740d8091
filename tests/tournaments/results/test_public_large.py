"""The public pages with four hundred people: they stay small, and ask little of the database."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club
from tests.load.big_club import Size, big_club_make
from tests.tournaments.hall import screen_held
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
    queries = {"": 8, "?show=names": 6, "?show=tables": 6}
    evening = Evening.objects.get(club=club, state=Evening.State.RUNNING)
    for more, most in queries.items():
        with django_assert_num_queries(most):
            page = get(client, f"/clubs/grote-zaal/evenings/{evening.slug}/{more}")
        assert len(page.content) <= MOST_BYTES
    assert len(rows(get(client, f"/clubs/grote-zaal/evenings/{evening.slug}/"))) == 400
    _the_hall_reads_them_all_in_twenty_pictures(client, evening)


def _the_hall_reads_them_all_in_twenty_pictures(client: Client, evening: Evening) -> None:
    path = f"/clubs/grote-zaal/evenings/{evening.slug}/screen/"
    places = []
    for turn in (0, 19):
        screen_held(evening, scene="standings", turn=turn)
        shown = get(client, path)
        assert f"Tussenstand {turn + 1}/20" in words(shown)
        places += [row[0] for column in (0, 1) for row in rows(shown, table=column)]
    # Read down the first column, then down the second; ties share a place.
    assert len(places) == 40
    assert places[:2] == ["1", "2"]
