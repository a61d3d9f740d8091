"""The front door, logging in and out, passwords by link, and the language switch."""

import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from clubs.models import User
from clubs.profile.services import password_path
from tests.factories import ClubFactory, UserFactory, director_of, organiser_of, scorekeeper_of
from tests.inline import Reader

pytestmark = pytest.mark.django_db


def log_in(client: Client, user: User, password: str = "geheim", **extra: str) -> str:
    """Where logging in leads to; empty when it did not work."""
    data = {"username": user.email.upper(), "password": password, **extra}
    response = client.post(reverse("login"), data)
    return response.headers.get("Location", "")


def test_the_front_door_names_the_clubs(client: Client) -> None:
    club = ClubFactory.create(name="De Vrolijke Boer")
    page = client.get("/").content.decode()
    assert "Klaverjassen bij uw club" in page
    assert f'href="{club.get_absolute_url()}"' in page
    assert 'name="q"' not in page


def test_many_clubs_can_be_searched(client: Client) -> None:
    names = ["De Boer", "Het Aas", *(f"Club {number}" for number in range(6))]
    for number, name in enumerate(names):
        ClubFactory.create(name=name, slug=f"club-{number}")
    page = client.get("/", {"q": "BOER"}).content.decode()
    assert re.findall(r"<span>(De Boer|Het Aas)</span>", page) == ["De Boer"]
    assert "Geen club heeft" in client.get("/", {"q": "<zzz>"}).content.decode()


def test_an_empty_house_says_how_to_begin(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "manage.py create_club onze-club" in page


def test_after_logging_in_one_is_at_the_only_desk(client: Client) -> None:
    club = ClubFactory.create()
    for user in (director_of(club), scorekeeper_of(club)):
        assert log_in(client, user) == reverse("desk", args=[club.slug])


def test_who_works_for_two_clubs_chooses(client: Client) -> None:
    user = organiser_of(ClubFactory.create(name="De Boer"))
    ClubFactory.create(name="Het Aas").roles.create(user=user, kind="director")
    assert log_in(client, user) == "/"
    page = client.get("/").content.decode()
    assert "Naar de wedstrijdleiding van De Boer" in page
    assert "Naar de wedstrijdleiding van Het Aas" in page


def test_logging_in_leads_back_to_the_page_asked_for(client: Client) -> None:
    club = ClubFactory.create()
    wanted = reverse("member_list", args=[club.slug])
    user = organiser_of(club)
    assert log_in(client, user, next=wanted) == wanted
    assert log_in(client, user, next="https://elsewhere.example/") != "https://elsewhere.example/"


def test_a_wrong_password_is_reported_kindly(client: Client) -> None:
    user = organiser_of(ClubFactory.create())
    response = client.post(reverse("login"), {"username": user.email, "password": "fout"})
    assert "Dit e-mailadres en wachtwoord horen niet bij elkaar." in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_an_endless_address_is_no_login(client: Client) -> None:
    """SQLite refuses to look for a text of 50,000 letters."""
    for letters in (5_000, 2_000_000):
        response = client.post(reverse("login"), {"username": "a" * letters, "password": "fout"})
        assert response.status_code == 200
        words = "Dit e-mailadres en wachtwoord horen niet bij elkaar."
        assert words in response.content.decode()


@pytest.mark.full
def test_ten_wrong_passwords_close_the_door(client: Client) -> None:
    user = organiser_of(ClubFactory.create())
    for _attempt in range(10):
        log_in(client, user, password="fout")
    response = client.post(reverse("login"), {"username": user.email, "password": "geheim"})
    assert response.status_code == 429
    assert "Te vaak geprobeerd" in response.content.decode()


@pytest.mark.full
def test_addresses_without_end_are_one_where_they_are_of_one_network(client: Client) -> None:
    user = organiser_of(ClubFactory.create())
    for number in range(10):
        data = {"username": user.email, "password": "fout"}
        client.post(reverse("login"), data, REMOTE_ADDR=f"2001:db8:0:7:{number + 1:x}::1")
    right = {"username": user.email, "password": "geheim"}
    near = client.post(reverse("login"), right, REMOTE_ADDR="2001:db8:0:7::99")
    far = client.post(reverse("login"), right, REMOTE_ADDR="2001:db8:0:8::99")
    assert (near.status_code, far.status_code) == (429, 302)


@pytest.mark.parametrize("page", ["login", "password_reset"])
def test_one_address_tries_only_so_often_whoever_it_tries_for(client: Client, page: str) -> None:
    with time_machine.travel(1_800_000_000, tick=False):
        statuses = [
            client.post(
                reverse(page),
                {"username": f"a{number}@example.org", "password": "x", "email": "a@example.org"},
            ).status_code
            for number in range(31)
        ]
        elsewhere = client.get(reverse(page), REMOTE_ADDR="192.0.2.1").status_code
    assert set(statuses[:30]) <= {200, 302}
    assert (statuses[30], elsewhere) == (429, 200)


def test_a_wrong_password_with_odd_things_beside_it_is_reported_kindly(client: Client) -> None:
    data = {"username": "a@example.org", "password": "fout", "x": "a\0b", "y" * 500: "z" * 3000}
    odd = {"user-agent": "\xff" * 900, "accept": "x" * 3000}
    answer = client.post(f"{reverse('login')}?a=%00&b=%ff", data, headers=odd)
    assert answer.status_code == 200
    assert "horen niet bij elkaar" in answer.content.decode()


def test_a_form_without_its_token_is_shown_in_our_own_words() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("login"), {"username": "a@example.org", "password": "x"})
    assert answer.status_code == 403
    assert "Er is niets veranderd" in answer.content.decode()
    assert Reader(answer.content.decode()).faults == []


def test_logging_out(client: Client) -> None:
    client.force_login(UserFactory.create())
    assert client.post(reverse("logout")).headers["Location"] == "/"
    assert "_auth_user_id" not in client.session


@pytest.mark.full
def test_a_link_sets_a_password_once(client: Client) -> None:
    club = ClubFactory.create()
    user = organiser_of(club)
    link = password_path(user)
    form_url = client.get(link).headers["Location"]
    new = {"new_password1": "klaver-aas-9", "new_password2": "klaver-aas-9"}
    response = client.post(form_url, new)
    assert response.headers["Location"] == reverse("desk", args=[club.slug])
    assert client.session["_auth_user_id"] == str(user.pk)
    assert log_in(Client(), user, password="klaver-aas-9")
    assert not log_in(Client(), user, password="geheim")
    again = Client().get(link)
    assert "Deze link werkt niet meer" in again.content.decode()


def test_two_different_passwords_are_refused(client: Client) -> None:
    user = organiser_of(ClubFactory.create())
    form_url = client.get(password_path(user)).headers["Location"]
    client.post(form_url, {"new_password1": "klaver-aas-9", "new_password2": "klaver-aas-8"})
    assert log_in(Client(), user, password="geheim")


def test_the_switch_keeps_the_page_and_speaks_english(client: Client) -> None:
    page = client.get("/login/?next=/clubs/").content.decode()
    assert "Inloggen" in page
    assert 'name="next" value="/login/?next=/clubs/"' in page
    response = client.post("/language/", {"language": "en", "next": "/login/?next=/clubs/"})
    assert response.headers["Location"] == "/login/?next=/clubs/"
    assert "Log in" in client.get("/login/").content.decode()
    client.post("/language/", {"language": "nl", "next": "/"})
    assert "Inloggen" in client.get("/login/").content.decode()
