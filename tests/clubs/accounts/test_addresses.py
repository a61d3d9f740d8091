"""The address of a login: changed, and shown to be that of whoever has the login."""

import datetime as dt
import re

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from clubs.accounts.logins import address_links, email_prove, email_want
from clubs.audit.trail import trail_lines
from clubs.models import AuditEvent, User
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, UserFactory, organiser_of
from tests.waiting import mail_settles

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)
NEW = "ans@new.example"
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"


@pytest.fixture
def user(client: Client) -> User:
    """Somebody who organises a club and has logged in."""
    user = organiser_of(ClubFactory.create())
    client.force_login(user)
    return user


def send(client: Client, page: str, /, **typed: object) -> str:
    return client.post(reverse(page), typed, follow=True).content.decode()


def ask(client: Client, email: str = NEW) -> str:
    return send(client, "account_email", email=email, current="geheim")


def mailed_path(to: str = NEW) -> str:
    """Where the last link that was mailed to this address leads."""
    mail_settles()
    bodies = [str(message.body) for message in mail.outbox if message.to == [to]]
    (path,) = re.findall(r"http://[^/]+(/account/email/confirm/\S+)", bodies[-1])
    return str(path)


def stored(user: User) -> tuple[str, str, bool]:
    user.refresh_from_db()
    return user.email, user.email_wanted, user.email_proved_at is not None


class TestWithoutAMailServer:
    @pytest.fixture(autouse=True)
    def _no_mail(self, settings: Settings) -> None:
        settings.EMAIL_BACKEND = NO_MAIL

    def test_another_address_counts_at_once(self, client: Client, user: User) -> None:
        assert f"Voortaan logt u in met {NEW}." in ask(client)
        assert stored(user) == (NEW, "", False)
        assert client.get(reverse("account")).status_code == 200

    def test_nothing_is_said_of_confirming(self, client: Client, user: User) -> None:
        User.objects.update(email_proved_at=None)
        for page in ("account", "account_email", "login"):
            words = client.get(reverse(page)).content.decode()
            assert "bevestig" not in words
            assert "mail mij" not in words.lower()

    def test_one_that_somebody_else_has_is_refused(self, client: Client, user: User) -> None:
        UserFactory.create(email="other@example.org")
        before = user.email
        page = client.post(
            reverse("account_email"), {"email": "OTHER@example.org", "current": "geheim"}
        )
        assert page.status_code == 422
        assert "Iemand anders logt al in met dit adres." in page.content.decode()
        assert stored(user) == (before, "", True)


class TestChanging:
    @pytest.mark.django_db(transaction=True)
    def test_it_counts_once_its_owner_says_so_in_the_mail(self, client: Client, user: User) -> None:
        before = user.email
        page = ask(client)
        assert f"Er is een bericht met een link onderweg naar {NEW}." in page
        assert f"Wacht op bevestiging van {NEW}" in page
        assert f"U logt in met {before}." in page
        path = mailed_path()
        assert "Ja, dit is mijn adres" in client.get(path).content.decode()
        assert stored(user) == (before, NEW, True)

        done = client.post(path, follow=True).content.decode()
        assert f"{NEW} is bevestigd: daarmee logt u in." in done
        assert stored(user) == (NEW, "", True)
        mail_settles()
        assert mail.outbox[-1].to == [before]
        assert f"Voortaan logt u in met {NEW}." in mail.outbox[-1].body
        assert client.post(path).status_code == 404

    def test_nobody_gets_an_address_whose_mail_they_do_not_read(
        self, client: Client, user: User
    ) -> None:
        """Anybody changed their own address into that of somebody else, and had their name on
        whatever that person was asked for."""
        before = user.email
        ask(client, "victim@example.org")
        assert stored(user)[0] == before
        victim = Client()
        victim.force_login(UserFactory.create(email="someone@example.org"))
        path = mailed_path("victim@example.org")
        assert (victim.get(path).status_code, victim.post(path).status_code) == (404, 404)
        stranger = Client().post(path)
        assert stranger.headers["Location"] == f"/login/?next={path}"
        assert stored(user) == (before, "victim@example.org", True)

    def test_it_is_not_told_who_has_a_login(self, client: Client, user: User) -> None:
        UserFactory.create(email="other@example.org")
        before = user.email
        page = ask(client, "OTHER@example.org")
        assert "Er is een bericht met een link onderweg naar OTHER@example.org." in page
        done = client.post(mailed_path("OTHER@example.org"), follow=True).content.decode()
        assert "Iemand anders logt al in met dit adres." in done
        assert stored(user) == (before, "OTHER@example.org", True)

    def test_it_is_withdrawn(self, client: Client, user: User) -> None:
        before = user.email
        ask(client)
        path = mailed_path()
        page = send(client, "account_email_keep")
        assert f"U blijft inloggen met {before}." in page
        assert "Wacht op bevestiging" not in page
        assert client.post(path).status_code == 404
        assert stored(user) == (before, "", True)

    def test_a_link_to_one_address_does_not_confirm_another(
        self, client: Client, user: User
    ) -> None:
        ask(client, "first@example.org")
        path = mailed_path("first@example.org")
        ask(client, "second@example.org")
        assert client.post(path).status_code == 404
        assert stored(user)[1] == "second@example.org"

    def test_a_link_ends_with_the_password_and_after_a_day(
        self, client: Client, user: User
    ) -> None:
        with time_machine.travel(NOW, tick=False):
            email_want(user=user, email=NEW, actor=TESTS)
            code = address_links.code(user)
        with time_machine.travel(NOW + dt.timedelta(days=1), tick=False):
            assert address_links.is_good(code, user)
        with time_machine.travel(NOW + dt.timedelta(days=1, seconds=2), tick=False):
            assert not address_links.is_good(code, user)
        with time_machine.travel(NOW, tick=False):
            user.set_password("klaver-aas-9")
            user.save()
            with pytest.raises(DomainError) as refused:
                email_prove(user=user, code=code, actor=TESTS)
        assert refused.value.code == "link_over"

    @pytest.mark.parametrize("code", ["x", "1", "1.a.b", "é", "0" * 300, "1.1.1.1"])
    def test_a_forged_link_is_none(self, client: Client, user: User, code: str) -> None:
        User.objects.update(email_proved_at=None)
        path = reverse("account_email_confirm", args=[code])
        assert (client.get(path).status_code, client.post(path).status_code) == (404, 404)
        assert stored(user)[2] is False

    def test_other_capitals_need_no_link(self, client: Client, user: User) -> None:
        assert "Voortaan logt u in met" in ask(client, user.email.upper())
        assert stored(user) == (user.email.upper(), "", True)

    @pytest.mark.parametrize(
        "typed",
        [
            {"email": NEW, "current": "fout"},
            {"email": NEW, "current": ""},
            {"email": "ans@", "current": "geheim"},
        ],
    )
    def test_what_changes_nothing(self, client: Client, user: User, typed: dict[str, str]) -> None:
        before = user.email
        answer = client.post(reverse("account_email"), typed)
        assert answer.status_code == 422
        assert stored(user) == (before, "", True)
        assert mail.outbox == []

    def test_nobody_is_buried_under_links(self, client: Client, user: User) -> None:
        ask(client, "victim@example.org")
        pages = [send(client, "account_email_mail") for _ in range(4)]
        assert "Er zijn al te veel berichten verstuurd." in pages[-1]
        for number in range(12):
            ask(client, f"victim-{number}@example.org")
        mail_settles()
        assert len(mail.outbox) == 10
        assert len([1 for message in mail.outbox if message.to == ["victim@example.org"]]) == 3


class TestShowingThatItIsYours:
    def test_a_link_in_the_mail_does(self, client: Client, user: User) -> None:
        User.objects.update(email_proved_at=None)
        page = client.get(reverse("account")).content.decode()
        assert f"Het is nog niet bevestigd dat u de mail van {user.email} leest." in page
        assert f"onderweg naar {user.email}." in send(client, "account_email_mail")
        client.post(mailed_path(user.email))
        assert stored(user) == (user.email, "", True)
        assert "niet bevestigd" not in client.get(reverse("account")).content.decode()

    def test_opening_it_alone_does_not(self, client: Client, user: User) -> None:
        """Programs that look at mail open every link."""
        User.objects.update(email_proved_at=None)
        send(client, "account_email_mail")
        client.get(mailed_path(user.email))
        assert stored(user)[2] is False

    def test_who_has_done_so_is_not_mailed_again(self, client: Client, user: User) -> None:
        send(client, "account_email_mail")
        mail_settles()
        assert mail.outbox == []


@pytest.mark.full
def test_the_trail_of_the_club_tells_of_it(client: Client, user: User) -> None:
    User.objects.update(email_proved_at=None)
    send(client, "account_email_mail")
    client.post(mailed_path(user.email))
    ask(client)
    send(client, "account_email_keep")
    ask(client)
    client.post(mailed_path())
    events = list(AuditEvent.objects.filter(action__startswith="login_address").order_by("pk"))
    asked = "vroeg om een ander adres om mee in te loggen"
    assert [line.what for line in trail_lines(events)] == [
        "wie1@example.org bevestigde het adres om mee in te loggen",
        f"wie1@example.org {asked}",
        "wie1@example.org hield toch het adres om mee in te loggen",
        f"wie1@example.org {asked}",
        f"{NEW} wijzigde het adres om mee in te loggen",
    ]
