"""Where somebody is logged in: listed, ended one by one; and a mail at a new device."""

import datetime as dt
import re

import pytest
import time_machine
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse

from clubs.accounts.services import password_change
from clubs.audit.services import Actor
from clubs.audit.trail import trail_lines
from clubs.models import AuditEvent, LoginSession, User
from clubs.sign_in.devices import device_of, sessions_open
from tests.factories import ClubFactory, organiser_of
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 22, 19, 14, tzinfo=dt.UTC)
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
)
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/142.0.0.0 Mobile Safari/537.36"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"
)
MAC = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/26.0 Safari/605.1.15"
)


@pytest.fixture
def user() -> User:
    return organiser_of(ClubFactory.create())


def browser(user: User, user_agent: str = FIREFOX) -> Client:
    """A browser in which this person typed their password."""
    client = Client(headers={"user-agent": user_agent})
    type_password(client, user)
    return client


def type_password(client: Client, user: User) -> None:
    client.post(reverse("login"), {"username": user.email, "password": "geheim"})


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def listed(client: Client) -> list[str]:
    """The devices on the page."""
    page = client.get(reverse("account_security")).content.decode()
    return re.findall(r'<div id="session-\d+">\s*<strong>([^<]+)</strong>', page)


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (FIREFOX, ("Firefox", "Windows")),
        (IPHONE, ("Safari", "iPhone")),
        (ANDROID, ("Chrome", "Android")),
        (EDGE, ("Edge", "Windows")),
        (MAC, ("Safari", "Mac")),
        ("<script>alert(1)</script>", ("", "")),
        ("", ("", "")),
    ],
)
def test_a_browser_is_known_by_what_it_says(user_agent: str, device: tuple[str, str]) -> None:
    assert device_of(user_agent) == device


@pytest.mark.full
def test_every_device_is_listed_this_one_first(user: User) -> None:
    phone, laptop = browser(user, IPHONE), browser(user)
    assert listed(laptop) == ["Firefox op Windows", "Safari op iPhone"]
    assert listed(phone) == ["Safari op iPhone", "Firefox op Windows"]
    assert listed(browser(user, "?"))[0] == "een apparaat dat we niet kennen"


@pytest.mark.full
def test_no_key_of_a_session_is_on_the_page(user: User) -> None:
    client = browser(user)
    browser(user, IPHONE)
    page = client.get(reverse("account_security")).content.decode()
    for key in LoginSession.objects.values_list("session_key", flat=True):
        assert key not in page


def test_one_device_is_logged_out_and_the_trail_tells(user: User) -> None:
    phone, laptop, tablet = browser(user, IPHONE), browser(user), browser(user, "iPad Safari/1")
    page = laptop.get(reverse("account_security")).content.decode()
    handle = re.search(r'sessions/([0-9a-f]{32})/end/" aria-describedby="session-3"', page)
    assert handle
    answer = laptop.post(reverse("login_session_end", args=[handle[1]]), follow=True)
    assert "Dat apparaat is uitgelogd." in answer.content.decode()
    assert [is_logged_in(client) for client in (laptop, phone, tablet)] == [True, False, True]
    events = AuditEvent.objects.filter(action="login_ended")
    (line,) = trail_lines(list(events.select_related("club")))
    assert line.what == f"{user} heeft een apparaat uitgelogd"


@pytest.mark.full
def test_all_others_are_logged_out(user: User) -> None:
    phone, laptop = browser(user, IPHONE), browser(user)
    answer = laptop.post(reverse("login_sessions_end_others"), follow=True)
    assert "1 apparaat is uitgelogd." in answer.content.decode()
    assert [is_logged_in(client) for client in (laptop, phone)] == [True, False]
    assert listed(laptop) == ["Firefox op Windows"]


@pytest.mark.full
def test_the_session_of_somebody_else_is_not_ended(user: User) -> None:
    mine, theirs = browser(user), browser(organiser_of(ClubFactory.create()), IPHONE)
    (handle,) = [session.handle for session in sessions_open(_user_of(theirs), None)]
    answer = mine.post(reverse("login_session_end", args=[handle]), follow=True)
    assert "U bent daar niet meer ingelogd." in answer.content.decode()
    mine.post(reverse("login_sessions_end_others"))
    assert is_logged_in(theirs)


def _user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


@pytest.mark.full
def test_what_has_ended_is_not_listed(user: User) -> None:
    logged_out, laptop = browser(user, IPHONE), browser(user)
    logged_out.post(reverse("logout"))
    assert listed(laptop) == ["Firefox op Windows"]

    browser(user, IPHONE)
    laptop.post(reverse("account_logout"))
    assert listed(browser(user)) == ["Firefox op Windows"]

    password_change(user=user, password="geheim", actor=Actor.of_user(user))
    assert listed(browser(user, IPHONE)) == ["Safari op iPhone"]

    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(days=11), tick=False):
        assert listed(browser(user)) == ["Firefox op Windows"]


@pytest.mark.full
def test_when_it_was_used_is_stored_once_an_hour(user: User) -> None:
    def seen() -> dt.datetime:
        return LoginSession.objects.get(user=user).seen_at

    with time_machine.travel(NOW, tick=False) as clock:
        client = browser(user)
        clock.shift(dt.timedelta(minutes=59))
        client.get(reverse("account"))
        assert seen() == NOW
        clock.shift(dt.timedelta(minutes=1))
        client.get(reverse("account"))
        assert seen() == NOW + dt.timedelta(hours=1)


def test_who_is_not_logged_in_has_a_session_of_nobody() -> None:
    client = Client()
    client.post(reverse("login"), {"username": "wie@example.org", "password": "fout"})
    session = client.session
    session["x"] = 1
    session.save()
    assert LoginSession.objects.get().user is None


class TestTheMail:
    @pytest.fixture(autouse=True)
    def long_ago(self, user: User) -> None:
        User.objects.update(date_joined=NOW - dt.timedelta(days=30))

    @pytest.mark.full
    @override_settings(PUBLIC_URL="https://klaver.example", HTTPS=False)
    def test_a_new_device_is_mailed_about_once(self, user: User) -> None:
        with time_machine.travel(NOW, tick=False):
            client = browser(user)
            wait_until(lambda: len(mail.outbox) == 1)
            (message,) = mail.outbox
            assert message.to == [user.email]
            assert message.subject == "Ingelogd op een nieuw apparaat"
            assert "Firefox op Windows, zondag 22 november 20:14" in message.body
            assert "https://klaver.example/account/security/" in message.body
            client.post(reverse("logout"))
            type_password(client, user)
        assert is_logged_in(client)
        assert len(mail.outbox) == 1

    @pytest.mark.full
    def test_a_browser_that_somebody_else_uses_is_new(self, user: User) -> None:
        client = browser(user)
        client.post(reverse("logout"))
        other = organiser_of(ClubFactory.create())
        User.objects.update(date_joined=NOW - dt.timedelta(days=30))
        type_password(client, other)
        wait_until(
            lambda: sorted(m.to[0] for m in mail.outbox) == sorted([user.email, other.email])
        )

    @pytest.mark.full
    def test_after_logging_out_everywhere_every_browser_is_new(self, user: User) -> None:
        client = browser(user)
        client.post(reverse("account_logout"))
        type_password(client, user)
        wait_until(lambda: len(mail.outbox) == 2)

    def test_a_cookie_of_somebody_elses_making_is_not_believed(self, user: User) -> None:
        client = Client(headers={"user-agent": FIREFOX})
        client.cookies["devices"] = '["x"]:y:z'
        type_password(client, user)
        wait_until(lambda: len(mail.outbox) == 1)
        assert is_logged_in(client)

    def test_the_first_login_of_all_is_no_news(self, user: User) -> None:
        User.objects.update(date_joined=dt.datetime.now(dt.UTC))
        assert "devices" in browser(user).cookies
        assert mail.outbox == []

    @override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend")
    def test_without_mail_nothing_is_sent(self, user: User) -> None:
        assert is_logged_in(browser(user))
        assert mail.outbox == []
