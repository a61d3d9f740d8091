"""Whoever opens a form and thinks better of it goes back to the list it came from."""

import re

import pytest
from django.urls import reverse

from clubs.models import Club
from scoring.regulations.services import regulation_add
from tests.factories import TESTS, ClubFactory
from tests.tournaments.desk import desk_of, text

pytestmark = pytest.mark.django_db


def cancel_links(club: Club, name: str, *args: object) -> list[str]:
    """Where the page leads whoever cancels."""
    page = text(desk_of(club).get(reverse(name, args=[club.slug, *args])))
    return re.findall(r'<a class="button button-quiet" href="([^"]*)">Annuleren</a>', page)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["regulation", "season", "evening"])
def test_a_new_one_is_cancelled_to_its_list(kind: str) -> None:
    club = ClubFactory.create()
    assert cancel_links(club, f"{kind}_new") == [reverse(f"{kind}_list", args=[club.slug])]


@pytest.mark.full
def test_a_change_of_a_regulation_is_cancelled_to_the_list() -> None:
    club = ClubFactory.create()
    own = regulation_add(club=club, name="Ons huis", preset="amsterdam", actor=TESTS)
    links = cancel_links(club, "regulation_edit", own.pk)
    assert links == [reverse("regulation_list", args=[club.slug])]
