"""The first minutes of an organiser: the link, a password, and whom to pass a link on to."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from clubs.accounts.invitations import invitation_make
from clubs.models import Club
from tests.factories import TESTS, ClubFactory, director_of, organiser_of
from tests.tournaments.desk import desk_of, text

pytestmark = pytest.mark.django_db


def first_link() -> list[str]:
    """What `create_club` prints."""
    out = StringIO()
    call_command("create_club", "troefmaar", name="Troef", organiser="anna@example.org", stdout=out)
    return out.getvalue().splitlines()


def test_the_link_is_told_of_in_dutch_as_by_the_demo() -> None:
    assert first_link()[1] == "anna@example.org kiest hier een wachtwoord (de link werkt één keer):"


@pytest.mark.parametrize(
    ("password", "fault"),
    [
        ("anna@example.org", "Dit wachtwoord lijkt te veel op uw naam of uw e-mailadres."),
        ("kort", "Dit wachtwoord is te kort: het heeft minstens 8 tekens nodig."),
        ("wachtwoord", "Veel mensen gebruiken dit wachtwoord, dus het is makkelijk te raden."),
    ],
)
def test_what_is_wrong_with_a_password_stands_at_the_first_field(password: str, fault: str) -> None:
    client = Client()
    link = first_link()[2]
    form = client.get(link[link.index("/password/") :], follow=True)
    typed = {"new_password1": password, "new_password2": password}

    answer = client.post(form.redirect_chain[-1][0], typed)

    assert list(answer.context["form"].errors) == ["new_password1"]
    assert fault in text(answer)
    assert text(answer).count("Laat zien wat ik typ") == 2


def test_two_passwords_that_differ_are_told_in_our_own_words() -> None:
    client = Client()
    link = first_link()[2]
    form = client.get(link[link.index("/password/") :], follow=True)
    typed = {"new_password1": "klaver-aas-9", "new_password2": "klaver-aas-8"}

    answer = client.post(form.redirect_chain[-1][0], typed)

    assert answer.context["form"].errors == {
        "new_password2": ["De twee wachtwoorden zijn niet gelijk. Typ ze allebei nog een keer."]
    }


def test_a_link_to_pass_on_opens_in_whatsapp() -> None:
    club = ClubFactory.create()
    invitation = invitation_make(club=club, email="p@example.org", kind="director", actor=TESTS)

    page = text(desk_of(club).get(f"/clubs/vrolijke-boer/desk/team/invitations/{invitation.uuid}/"))

    assert 'href="https://wa.me/?text=http%3A%2F%2F' in page
    assert "Stuur met WhatsApp" in page


def test_a_director_hears_whom_to_ask_and_others_do_not() -> None:
    club = ClubFactory.create()
    organiser = organiser_of(club)
    said = []
    for user in (director_of(club), organiser_of(Club.objects.create(name="Ander", slug="ander"))):
        client = Client()
        client.force_login(user)
        answer = client.get("/clubs/vrolijke-boer/desk/members/")
        assert answer.status_code == 403
        said.append(f"Vraag een van hen om toegang: {organiser}." in text(answer))

    assert said == [True, False]


def test_an_empty_club_does_not_offer_strengths_of_nobody() -> None:
    ClubFactory.create()

    assert "Speelsterkte" not in text(Client().get("/clubs/vrolijke-boer/"))
