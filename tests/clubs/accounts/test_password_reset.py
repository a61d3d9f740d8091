"""A forgotten password, with a mail server and without; and what asking for it tells a stranger."""

import datetime as dt
import re
import threading

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.fixtures import Settings

from clubs.accounts.invitations import invitation_accept, invitation_make
from clubs.accounts.logins import email_want
from clubs.accounts.services import token_make
from clubs.audit.services import Actor
from clubs.http.network import lan_urls
from clubs.models import User
from clubs.profile.services import password_link_make, password_path, role_grant, role_revoke
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, UserFactory, organiser_of
from tests.tournaments.leagues import league_of
from tests.waiting import mail_settles
from tournaments.leagues.services import leader_add
from tournaments.models import League

pytestmark = pytest.mark.django_db
mails = pytest.mark.django_db(transaction=True)
"""For tests of what is done `soon`, on a connection of its own."""
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)
NEW = {"new_password1": "klaver-aas-9", "new_password2": "klaver-aas-9"}
ASK = "/password/"


class SlowServer:
    """A mail server that takes nothing until it is told to."""

    go_on = threading.Event()
    taken: list[str] = []

    def __init__(self, **_options: object) -> None:
        pass

    def send_messages(self, messages: list[mail.EmailMessage]) -> int:
        self.go_on.wait(10)
        self.taken += [message.to[0] for message in messages]
        return len(messages)


@pytest.fixture
def ans(settings: Settings) -> User:
    """Somebody who organises a club at 192.0.2.7, for which the operator vouches."""
    settings.ALLOWED_HOSTS = ["*", "192.0.2.7"]
    club = ClubFactory.create()
    club.address = "http://192.0.2.7:8000"
    club.save()
    user = organiser_of(club)
    user.email = "ans@example.org"
    user.save()
    return user


def ask(client: Client, email: str) -> str:
    return client.post(ASK, {"email": email}, follow=True).content.decode()


def mailed_path() -> str:
    """Where the one link that was mailed leads."""
    mail_settles()
    (message,) = mail.outbox
    found = re.search(r"http://192\.0\.2\.7:8000(\S+)", str(message.body))
    assert found is not None
    return found[1]


def chosen(client: Client, path: str) -> bool:
    """Whether a password can be chosen with this link; if so, it is."""
    form_url = client.get(path).headers.get("Location", "")
    return bool(form_url) and client.post(form_url, NEW).status_code == 302


def test_without_a_mail_server_the_organiser_is_to_be_asked(
    client: Client, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    assert "Vraag het een organisator" in client.get(reverse("password_reset")).content.decode()


@pytest.mark.full
@mails
def test_the_link_is_mailed_to_the_address_that_is_known(client: Client, ans: User) -> None:
    assert "Als wij dit adres kennen" in ask(client, "ANS@example.org")
    assert chosen(client, mailed_path())
    ans.refresh_from_db()
    assert ans.check_password("klaver-aas-9")


@pytest.mark.full
@mails
def test_a_mailed_link_shows_whose_the_address_is(client: Client, ans: User) -> None:
    User.objects.update(email_proved_at=None)
    ask(client, ans.email)
    assert chosen(client, mailed_path())
    ans.refresh_from_db()
    assert ans.email_proved_at is not None


def test_with_a_link_that_was_passed_on_nobody_knows_whose_login_it_is(
    client: Client, ans: User
) -> None:
    """Its organiser may have opened it, and would have accepted what other clubs ask of them."""
    assert chosen(client, password_path(ans))
    ans.refresh_from_db()
    assert ans.email_proved_at is None


@mails
def test_the_host_that_a_stranger_names_is_not_in_the_link(client: Client, ans: User) -> None:
    client.post(ASK, {"email": ans.email}, headers={"host": "evil.example"})
    mailed_path()
    assert "evil.example" not in str(mail.outbox[0].body)


@mails
def test_the_answer_and_its_time_tell_nobody_who_is_known(
    client: Client, ans: User, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.SlowServer"
    UserFactory.create(email="no-task@example.org")
    addresses = [ans.email, "nobody@example.org", "no-task@example.org"]
    words_shown = {re.sub("[A-Za-z0-9]{64}", "", ask(Client(), email)) for email in addresses}
    assert len(words_shown) == 1
    assert SlowServer.taken == []
    SlowServer.go_on.set()
    mail_settles()
    assert SlowServer.taken == [ans.email]


@mails
@pytest.mark.parametrize("page", ["password_reset", "login_link_ask"])
def test_the_request_looks_for_nobody(client: Client, ans: User, page: str) -> None:
    """By how long a request took, 107 of 120 addresses could be told apart."""
    UserFactory.create(email="no-task@example.org")
    addresses = ["warm-up@example.org", ans.email, "nobody@example.org", "no-task@example.org"]
    statements = []
    with time_machine.travel(NOW, tick=False):
        for email in addresses:
            with CaptureQueriesContext(connection) as queries:
                client.post(reverse(page), {"email": email})
            mail_settles()
            statements.append([query["sql"] for query in queries.captured_queries])
    assert statements[1] == statements[2] == statements[3]
    assert "clubs_user" not in str(statements)
    assert [message.to for message in mail.outbox] == [[ans.email]]


@mails
def test_what_cannot_be_mailed_ends_in_the_log(
    client: Client, ans: User, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE clubs_role RENAME TO clubs_gone")
    try:
        assert "Als wij dit adres kennen" in ask(client, ans.email)
        mail_settles()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE clubs_gone RENAME TO clubs_role")
    assert "Nothing was mailed" in caplog.text


@mails
def test_nobodys_mailbox_is_filled(client: Client, ans: User) -> None:
    for minutes in (0, 0, 4, 5, 9):
        with time_machine.travel(NOW + dt.timedelta(minutes=minutes), tick=False):
            ask(client, ans.email)
            mail_settles()
    assert len(mail.outbox) == 2


@mails
def test_who_is_not_to_log_in_any_more_gets_none(client: Client, ans: User) -> None:
    User.objects.update(is_active=False)
    ask(client, ans.email)
    mail_settles()
    ans.refresh_from_db()
    assert (ans.password_mailed_at, mail.outbox) == (None, [])


@pytest.mark.full
def test_a_link_works_once_and_ends_what_is_open(client: Client, ans: User) -> None:
    thief = Client()
    thief.force_login(ans)
    ans.refresh_from_db()
    email_want(user=ans, email="thief@example.org", actor=TESTS)
    path = password_path(ans)
    assert chosen(client, path)
    assert not chosen(Client(), path)
    assert thief.get(reverse("account")).status_code == 302
    ans.refresh_from_db()
    assert ans.email_wanted == ""


def test_a_link_withdraws_what_whoever_knew_the_old_password_may_have_made(
    client: Client, ans: User
) -> None:
    """An organiser can make a login for an address that is somebody else's, and a token with it."""
    token = token_make(user=ans, name="van wie?", scopes=["read"], actor=TESTS).token
    page = client.post(
        client.get(password_path(ans)).headers["Location"], NEW, follow=True
    ).content.decode()
    assert "Uw tokens voor programma’s zijn ingetrokken" in page
    token.refresh_from_db()
    assert token.revoked_at is not None


@mails
def test_no_club_chooses_where_a_login_of_another_club_is_opened(client: Client, ans: User) -> None:
    """Its organiser could choose an address of his own, and read the link there."""
    role_grant(club=ClubFactory.create(), email=ans.email, kind="director", actor=TESTS)
    ask(client, ans.email)
    mail_settles()
    assert f"{lan_urls()[0]}/password/set/" in str(mail.outbox[0].body)


@mails
def test_the_address_of_the_server_goes_before_one_that_a_club_chose(
    client: Client, ans: User, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    ask(client, ans.email)
    mail_settles()
    assert "https://klaver.example/password/set/" in str(mail.outbox[0].body)


def test_a_link_ends_after_three_days_and_when_its_owner_logs_in(client: Client, ans: User) -> None:
    with time_machine.travel(NOW, tick=False):
        path = password_path(ans)
    with time_machine.travel(NOW + dt.timedelta(days=3, seconds=1), tick=False):
        assert not chosen(Client(), path)
    with time_machine.travel(NOW, tick=False):
        client.post(reverse("login"), {"username": ans.email, "password": "geheim"})
        assert not chosen(Client(), path)


def test_a_link_says_nothing_to_the_page_after_it(client: Client, ans: User) -> None:
    """The token leaves the address at once, so that no Referer and no screen shows it."""
    path = password_path(ans)
    answer = client.get(path)
    token = path.rstrip("/").rpartition("/")[2]
    assert token not in answer.headers["Location"]
    assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.full
def test_a_link_of_one_club_opens_no_other_that_somebody_joins_later(ans: User) -> None:
    path = password_path(ans)
    invitation_accept(
        invitation=invitation_make(
            club=ClubFactory.create(), email=ans.email, kind="director", actor=TESTS
        ),
        user=ans,
    )
    assert not chosen(Client(), path)
    again = password_path(ans)
    role_revoke(role=ans.roles.get(kind="director"), actor=TESTS)
    assert not chosen(Client(), again)
    assert chosen(Client(), password_path(ans))


@mails
def test_a_leader_without_a_club_chooses_a_password_in_the_language_of_the_league(
    client: Client, ans: User, settings: Settings
) -> None:
    settings.PUBLIC_URL = "http://192.0.2.7:8000"
    league = league_of()
    League.objects.update(language="en")
    leader_add(league=league, email="wim@example.org", actor=TESTS)
    ask(client, "wim@example.org")
    path = mailed_path()
    assert mail.outbox[0].subject == "Choose a new password"
    assert chosen(client, path)
    mail.outbox.clear()
    client.post("/login/link/", {"email": "wim@example.org"})
    assert "/login/link/" in mailed_path()
    assert mail.outbox[0].subject == "Your link to log in"


@mails
def test_the_address_of_a_club_is_not_for_the_links_of_who_leads_a_league(
    client: Client, ans: User
) -> None:
    leader_add(league=league_of(), email=ans.email, actor=TESTS)
    ask(client, ans.email)
    mail_settles()
    assert "192.0.2.7" not in str(mail.outbox[0].body)


def test_no_link_is_passed_on_for_who_leads_a_league_of_others(ans: User) -> None:
    league = league_of()
    club = ans.roles.get().club
    role = role_grant(club=club, email="wim@example.org", kind="director", actor=TESTS)
    actor = Actor.of_user(ans)
    before = password_link_make(role=role, actor=actor)
    leader_add(league=league, email=role.user.email, actor=TESTS)
    with pytest.raises(DomainError) as refused:
        password_link_make(role=role, actor=actor)
    assert refused.value.code == "works_elsewhere"
    assert not chosen(Client(), before)
    leader_add(league=league, email=ans.email, actor=TESTS)
    assert chosen(Client(), password_link_make(role=role, actor=actor))
