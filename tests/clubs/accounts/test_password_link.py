"""Somebody who forgot the password gets in again by a link that is printed at the computer."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from clubs.models import AuditEvent, User
from clubs.profile.services import club_create, role_grant
from tests.factories import TESTS
from tests.tournaments.public_pages import words

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command("password_link", *arguments, stdout=out)
    return out.getvalue().splitlines()


def organiser(email: str) -> User:
    club = club_create(slug=email[:3], name=email, actor=TESTS)
    return role_grant(club=club, email=email, kind="organiser", actor=TESTS).user


def test_the_only_organiser_gets_in_again(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    user = organiser("jan@example.org")
    page = words(Client().get("/password/"))
    assert "python manage.py password_link" in page
    heading, link = said()
    assert heading == "jan@example.org sets a new password here (the link works once):"
    assert link.startswith("http://127.0.0.1:8000/password/set/")
    client = Client()
    path = link.removeprefix("http://127.0.0.1:8000")
    form = client.get(path, follow=True)
    new = {"new_password1": "klaver-zes-boer", "new_password2": "klaver-zes-boer"}
    assert client.post(form.request["PATH_INFO"], new).status_code == 302
    assert User.objects.get(pk=user.pk).check_password("klaver-zes-boer")
    assert client.get("/clubs/jan/desk/").status_code == 200
    assert AuditEvent.objects.filter(action="password_link_made").count() == 1
    assert "new_password1" not in Client().get(path, follow=True).content.decode()


def test_of_several_one_is_named() -> None:
    organiser("jan@example.org")
    organiser("mia@example.org")
    with pytest.raises(CommandError, match=r"(?s)For whom.*jan@example.org.*mia@example.org"):
        said()
    assert said("MIA@example.org")[0].startswith("mia@example.org sets")
    with pytest.raises(CommandError, match="Nobody logs in as 'kees@"):
        said("kees@example.org")
