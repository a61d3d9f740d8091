"""A club that is suspended is closed at every address, with every method, to whoever may most: its
pages, its API, what it gives to others, and every secret link. What stays open is named here."""

from collections import defaultdict

import pytest
from django.test import Client
from django.urls import reverse

from clubs.accounts.invitations import invitation_link
from clubs.models import Club
from clubs.profile.services import phone_check_url
from tests.access.routes import BY_NAME, BY_ROUTE, address, routes
from tests.access.test_routes import ask, login, methods
from tests.access.world import World
from tests.factories import TESTS
from tests.tournaments.table_pages import words
from tournaments.entries.texts import KEPT, door_secret, entry_path
from tournaments.hosting.services import club_open, club_suspend
from tournaments.practice.services import practice_make
from tournaments.sheet_photos.services import camera_secret

pytestmark = pytest.mark.django_db

CLOSED = {403, 404, 405, 410}
OF_A_LEAGUE = {"league", "captain"}
"""In an address: it is of a league, which goes on, with its teams and their captains."""
OPEN = {
    "copy_file": "its organisers take everything along",
    "copy_home": "its organisers take everything along",
    "copy_make": "its organisers take everything along",
    "copy_page": "its organisers take everything along",
    "token_withdraw": "of somebody's own login",
}


def handed_out(world: World) -> list[str]:
    """The addresses that somebody may have in their mail, on paper or on a screen."""
    return [
        reverse("club_screen", args=[world.club.pk]),
        reverse("event_feed", args=[world.pull]),
        reverse("event_feed_document", args=[world.pull, world.past.uuid]),
        reverse("table_page", args=[world.secret]),
        reverse("table_camera", args=[world.secret]),
        reverse("photo_camera", args=[camera_secret(world.camera)]),
        reverse("entry_door", args=[door_secret(world.entry_list)]),
        entry_path(world.entry, KEPT),
        *(invitation_link(world.invitation), phone_check_url(world.club)),
    ]


@pytest.mark.full
def test_a_suspended_club_is_closed_at_every_address(world: World) -> None:
    club_suspend(club=world.club, actor=TESTS)
    key = login(world.staff["organiser"])
    opened: dict[str, dict[str, int]] = defaultdict(dict)
    for route, fields in routes().items():
        is_of_a_club = bool({*fields} & {*BY_NAME, *BY_ROUTE})
        if is_of_a_club and ("slug" in fields or not OF_A_LEAGUE & {*fields}):
            for method in methods(route):
                status = ask(key, method, address(route, fields, world)).status_code
                if status not in CLOSED:
                    opened[route][method] = status

    assert {route: said for route, said in opened.items() if route not in OPEN} == {}
    assert sorted(opened) == sorted(OPEN)


def test_what_it_handed_out_opens_nothing_until_it_is_open_again(
    world: World, client: Client
) -> None:
    def opens() -> list[str]:
        found = {path: client.get(path).status_code for path in handed_out(world)}
        return [path for path, status in found.items() if status not in CLOSED]

    assert opens() == handed_out(world)
    club_suspend(club=world.club, actor=TESTS)
    assert opens() == []
    table = words(client.get(reverse("table_page", args=[world.secret])))
    assert "Deze club is voorlopig gesloten Er gaat niets verloren." in table
    club_open(club=world.club, actor=TESTS)
    assert opens() == handed_out(world)


def test_its_practice_evening_is_closed_with_it(world: World, client: Client) -> None:
    practice = practice_make(club=world.club, actor=TESTS).club
    client.force_login(world.staff["organiser"])
    pages = [reverse(name, args=[practice.slug]) for name in ("desk", "club_page", "api_club")]

    def said() -> list[int]:
        return [client.get(page).status_code for page in pages]

    assert said() == [200, 200, 200]
    club_suspend(club=world.club, actor=TESTS)
    assert said() == [403, 404, 404]
    assert Club.objects.get(pk=practice.pk).suspended_at is not None
    club_open(club=world.club, actor=TESTS)
    assert said() == [200, 200, 200]
