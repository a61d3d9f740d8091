"""Logging in with a link in the mail: who gets one, and when it works."""

import datetime as dt
import re
from collections import Counter
from functools import partial

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from clubs.accounts.logins import login_link_use, login_links
from clubs.accounts.services import logins_end, password_change
from clubs.models import User
from tests.concurrency import at_once
from tests.factories import TESTS, ClubFactory, UserFactory, organiser_of
from tests.waiting import mail_settles

pytestmark = pytest.mark.django_db
mails = pytest.mark.django_db(transaction=True)
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)
ASK = "/login/link/"


@pytest.fixture
def ans() -> User:
    """Somebody who organises a club."""
    return organiser_of(ClubFactory.create())


def ask(client: Client, email: str) -> str:
    page = client.post(ASK, {"email": email}, follow=True).content.decode()
    mail_settles()
    return page


def path_for(user: User) -> str:
    user.refresh_from_db()
    return reverse("login_link", args=[login_links.code(user)])


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def works(path: str) -> bool:
    """Whether this link logs in; if so, it does."""
    client = Client()
    shown, used = client.get(path).status_code, client.post(path).status_code
    assert (shown, used) in [(200, 302), (404, 404)]
    return is_logged_in(client)


def test_without_a_mail_server_nobody_is_promised_one(client: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    assert ASK not in client.get(reverse("login")).content.decode()
    assert "Vraag het een organisator" in client.get(ASK).content.decode()
    assert "Vraag het een organisator" in ask(client, "wie1@example.org")


@pytest.mark.full
@mails
def test_the_link_in_the_mail_logs_in(client: Client, ans: User, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    assert f'href="{ASK}"' in client.get(reverse("login")).content.decode()
    assert "Als wij dit adres kennen" in ask(client, ans.email.upper())
    (message,) = mail.outbox
    assert (message.to, message.subject) == ([ans.email], "Uw link om in te loggen")
    (path,) = re.findall(r"https://klaver\.example(/login/link/\S+)", str(message.body))
    phone = Client()
    page = phone.get(path)
    assert f"U logt in als {ans.email}." in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    assert not is_logged_in(phone)
    answer = phone.post(path)
    assert answer.headers["Location"] == reverse("desk", args=[ans.roles.get().club.slug])
    assert is_logged_in(phone)
    assert not works(path)


@mails
def test_no_club_and_no_stranger_chooses_where_it_leads(
    client: Client, ans: User, settings: Settings
) -> None:
    club = ans.roles.get().club
    club.address = "https://klaver-login.evil.example"
    club.save()
    client.post(ASK, {"email": ans.email}, headers={"host": "evil.example"})
    mail_settles()
    assert "evil" not in mail.outbox[0].body


@mails
def test_who_has_no_task_gets_none(client: Client, ans: User) -> None:
    UserFactory.create(email="no-task@example.org")
    User.objects.filter(pk=ans.pk).update(is_active=False)
    for email in ("no-task@example.org", "nobody@example.org", ans.email):
        assert "Als wij dit adres kennen" in ask(client, email)
    assert mail.outbox == []


@mails
def test_who_did_not_show_whose_address_it_is_chooses_a_password_first(
    client: Client, ans: User
) -> None:
    """An organiser can make a login for somebody else's address. Its owner, let in by a link, would
    share it with them."""
    maker = Client()
    maker.force_login(ans)
    User.objects.update(email_proved_at=None)
    ask(client, ans.email)
    (path,) = re.findall(r"http://[^/]+(/password/set/\S+)", str(mail.outbox[0].body))
    form_url = client.get(path).headers["Location"]
    new = {"new_password1": "klaver-aas-9", "new_password2": "klaver-aas-9"}
    client.post(form_url, new)
    assert (is_logged_in(client), is_logged_in(maker)) == (True, False)
    ask(client, ans.email)
    assert "/login/link/" in mail.outbox[1].body


@mails
def test_nobodys_mailbox_is_filled(ans: User) -> None:
    with time_machine.travel(NOW, tick=False):
        for number in range(5):
            client = Client(REMOTE_ADDR=f"192.0.2.{number}")
            assert "Als wij dit adres kennen" in ask(client, ans.email)
    assert len(mail.outbox) == 3


def test_a_link_works_for_a_quarter_of_an_hour(ans: User) -> None:
    with time_machine.travel(NOW, tick=False):
        path = path_for(ans)
    with time_machine.travel(NOW + dt.timedelta(minutes=15, seconds=2), tick=False):
        assert not works(path)
    with time_machine.travel(NOW + dt.timedelta(minutes=15), tick=False):
        assert works(path)


@pytest.mark.full
def test_a_link_ends_when_somebody_logs_in_or_the_login_changes(ans: User) -> None:
    path = path_for(ans)
    Client().post(reverse("login"), {"username": ans.email, "password": "geheim"})
    assert not works(path)
    path = path_for(ans)
    password_change(user=ans, password="klaver-aas-9", actor=TESTS)
    assert not works(path)
    path = path_for(ans)
    logins_end(user=ans, actor=TESTS)
    assert not works(path)
    path = path_for(ans)
    User.objects.update(email="ans@new.example")
    assert not works(path)
    path = path_for(ans)
    User.objects.update(is_active=False)
    assert not works(path)
    User.objects.update(is_active=True)
    assert works(path)


@pytest.mark.full
def test_a_link_of_one_login_opens_no_other(ans: User) -> None:
    other = organiser_of(ClubFactory.create())
    code = login_links.code(ans)
    forged = [code.replace(f"{ans.pk}.", f"{other.pk}.", 1), code[:-1], code.swapcase()]
    forged += [str(ans.pk), f"{ans.pk}.x.y", "x", "9" * 30, "٣.a.b", "-1.a.b", "é"]
    for wrong in forged:
        assert not works(reverse("login_link", args=[wrong]))


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_of_two_who_open_it_at_once_one_is_let_in(ans: User) -> None:
    code = login_links.code(ans)
    answers = at_once([partial(login_link_use, code)] * 4)
    assert Counter(answer is not None for answer in answers) == {True: 1, False: 3}


def test_another_site_cannot_press_the_button(ans: User) -> None:
    client = Client(enforce_csrf_checks=True)
    path = path_for(ans)
    assert client.post(path).status_code == 403
    assert works(path)
