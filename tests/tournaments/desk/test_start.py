"""The desk of a new club: its first steps, each ticked by what is there."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from clubs.accounts.invitations import invitation_make
from clubs.models import Club
from clubs.profile.services import address_choose, phone_check_url, role_grant
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    regulation_of,
)
from tests.tournaments.desk import desk_of, text
from tests.tournaments.one_round import one_deal
from tournaments.models import Evening
from tournaments.practice.services import practice_make, practice_play
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

DESK, ADDRESS = "/clubs/vrolijke-boer/desk/", "/clubs/vrolijke-boer/desk/address/"
STEP = re.compile(r'<li(?: class="(is-done|is-next)")?>.*?<h3[^>]*>(.*?)</h3> <p>(.*?)</p>')


def played_evening() -> Evening:
    """The only evening of the club, played and published."""
    season = season_create(club=ClubFactory.create(), name="2026-2027", actor=TESTS)
    return one_deal(season, 0, "1234", ns=90)


def steps(client: Client) -> list[tuple[str, str]]:
    """The steps on the desk: what state each is in, and its title."""
    return [
        (state, title.partition(" <")[0])
        for state, title, _words in STEP.findall(text(client.get(DESK)))
    ]


@pytest.mark.full
def test_a_new_club_sees_what_to_do_and_what_is_next() -> None:
    client = desk_of(ClubFactory.create())

    assert steps(client) == [
        ("is-next", "De spelregels van uw club"),
        ("", "De leden"),
        ("", "De speeldata"),
        ("", "Het adres voor telefoons"),
        ("", "Een helper"),
        ("", "Een oefenavond"),
        ("", "Een reservekopie"),
    ]
    assert "Eerst: De spelregels van uw club." in text(client.get(DESK))


@pytest.mark.full
def test_each_step_is_done_by_what_is_there_and_the_list_goes() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    states = []
    address_choose(club=club, address="https://klaver.example", actor=TESTS)
    regulation_of(club)
    states.append([state for state, _title in steps(client)])
    for _number in range(4):
        MemberFactory.create(club=club)
    states.append([state for state, _title in steps(client)])
    EveningFactory.create(club=club)
    states.append([state for state, _title in steps(client)])
    Client().get(phone_page(), REMOTE_ADDR="192.0.2.7")
    states.append([state for state, _title in steps(client)])
    invitation_make(club=club, email="piet@example.org", kind="director", actor=TESTS)

    done, following = "is-done", "is-next"
    assert states == [
        [done, following, "", "", "", "", ""],
        [done, done, following, "", "", "", ""],
        [done, done, done, following, "", "", ""],
        [done, done, done, done, following, "", ""],
    ]
    assert steps(client) == []


def phone_page() -> str:
    """The page that the code at the address leads to."""
    return phone_check_url(Club.objects.get()).removeprefix("https://klaver.example")


def test_the_computer_notices_that_a_phone_opened_its_address() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    address_choose(club=club, address="https://klaver.example", actor=TESTS)
    page = phone_page()

    here = Client().get(page, REMOTE_ADDR="127.0.0.1")
    assert "Nog geen telefoon heeft dit adres geopend." in text(client.get(ADDRESS))
    answer = Client().get(page, REMOTE_ADDR="192.0.2.7")

    assert (here.status_code, answer.status_code) == (200, 200)
    assert "Deze telefoon heeft De Vrolijke Boer gevonden." in text(answer)
    assert "Een telefoon heeft dit adres geopend: het werkt." in text(client.get(ADDRESS))


@pytest.mark.full
def test_another_address_is_to_be_tried_anew() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    address_choose(club=club, address="https://klaver.example", actor=TESTS)
    page = phone_page()
    Client().get(page, REMOTE_ADDR="192.0.2.7")
    address_choose(club=club, address="https://anders.example", actor=TESTS)

    assert "Nog geen telefoon heeft dit adres geopend." in text(client.get(ADDRESS))
    assert Client().get(page, REMOTE_ADDR="192.0.2.7").status_code == 404


@pytest.mark.full
def test_an_address_of_the_hall_alone_is_warned_of() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    warning = "Dit adres werkt alleen op de wifi van deze computer."

    address_choose(club=club, address="http://192.168.1.7:8000", actor=TESTS)
    assert warning in text(client.get(ADDRESS))
    assert "Dit adres opent alleen op de wifi van deze computer" in text(client.get(DESK))
    address_choose(club=club, address="https://klaver.example", actor=TESTS)
    assert warning not in text(client.get(ADDRESS))


@pytest.mark.full
def test_the_steps_are_put_away_and_got_back() -> None:
    client = desk_of(ClubFactory.create())

    client.post(f"{DESK}start/", {"away": "1"})
    assert steps(client) == []
    assert "Avond maken" in text(client.get(DESK))
    assert "Toon de eerste stappen weer bij Wedstrijdleiding" in text(
        client.get(f"{DESK}settings/")
    )
    client.post(f"{DESK}start/", {"away": "0"})
    assert len(steps(client)) == 7


@pytest.mark.full
def test_a_club_that_played_and_a_director_see_the_desk_as_ever() -> None:
    evening = played_evening()
    played = desk_of(evening.club)
    director = Client()
    director.force_login(director_of(ClubFactory.create(slug="nieuw", name="Nieuw")))

    assert steps(played) == []
    page = director.get("/clubs/nieuw/desk/")
    assert "Er staat geen avond gepland." in text(page)
    assert not STEP.findall(text(page))


def test_practising_is_a_step_that_nobody_has_to_take() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    evening = practice_make(club=club, actor=TESTS)
    assert steps(client)[-2] == ("", "Een oefenavond")
    practice_play(evening=evening, actor=TESTS)

    assert steps(client)[-2] == ("is-done", "Een oefenavond")


@pytest.mark.full
def test_an_invitation_that_is_over_is_no_helper() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    invitation_make(club=club, email="piet@example.org", kind="director", actor=TESTS)
    before = steps(client)[4][0]
    club.invitations.update(expires_at=timezone.now())

    assert (before, steps(client)[4]) == ("is-done", ("", "Een helper"))


@pytest.mark.full
def test_a_second_organiser_is_a_helper_too() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    role_grant(club=club, email="piet@example.org", kind="organiser", actor=TESTS)

    assert steps(client)[4] == ("is-done", "Een helper")


@pytest.mark.full
def test_a_text_with_a_link_that_only_opens_in_the_hall_says_so() -> None:
    evening = played_evening()
    client = desk_of(evening.club)
    page = f"/clubs/vrolijke-boer/desk/evenings/{evening.slug}/text/"
    said = []
    for address in ("http://192.168.1.7:8000", "https://klaver.example"):
        address_choose(club=evening.club, address=address, actor=TESTS)
        said.append("Deze link opent alleen in de zaal, op de wifi" in text(client.get(page)))

    assert said == [True, False]


def test_a_first_evening_ticks_every_member_at_once() -> None:
    club = ClubFactory.create()
    for _number in range(5):
        MemberFactory.create(club=club)
    evening = EveningFactory.create(club=club)
    client = desk_of(club)
    present = f"/clubs/vrolijke-boer/desk/evenings/{evening.slug}/present/"

    assert "Vink alle 5 leden aan" in text(client.get(present))
    client.post(f"{present}as-before/")

    assert evening.registrations.filter(present=True).count() == 5
