"""Codes of a telephone and recovery codes: set up, asked for after the password, attacked."""

import datetime as dt
import re
import time
from collections.abc import Iterator

import pyotp
import pytest
import time_machine
from django.test import Client, override_settings
from django.urls import reverse

from clubs.accounts.services import logins_end
from clubs.audit.services import Actor
from clubs.models import AuditEvent, CodeSecret, RecoveryCode, User
from clubs.profile.services import password_path
from clubs.sign_in.second_factors import codes_set_up, secret_new
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 22, 19, 14, tzinfo=dt.UTC)
WRONG = "Deze code klopt niet of is al gebruikt."
TOO_OFTEN = "Er zijn te veel codes geprobeerd."
OPEN = ["account", "account_security", "login_codes_off", "recovery_codes", "passkey_new"]


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def user() -> User:
    return organiser_of(ClubFactory.create())


@pytest.fixture
def secret() -> str:
    return secret_new()


@pytest.fixture
def recovery(user: User, secret: str, clock: time_machine.Traveller) -> list[str]:
    """The recovery codes of somebody who set up codes a while ago."""
    made = codes_set_up(user=user, secret=secret, code=code_of(secret), actor=Actor.of_user(user))
    clock.shift(dt.timedelta(hours=1))
    return made


def code_of(secret: str) -> str:
    """What the telephone shows now."""
    return pyotp.TOTP(secret).at(int(time.time()))


def after_password(user: User, **extra: str) -> Client:
    """A browser in which the right password was typed."""
    client = Client()
    answer = client.post(reverse("login"), {"username": user.email, "password": "geheim", **extra})
    assert answer.headers["Location"] == reverse("login_step")
    return client


def typed(client: Client, code: str) -> str:
    """Where a code leads to, or what the page says of it."""
    answer = client.post(reverse("login_step"), {"code": code})
    return answer.headers.get("Location", "") or answer.content.decode()


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


class TestSettingUp:
    def test_the_telephone_scans_and_shows_a_code(self, client: Client, user: User) -> None:
        client.force_login(user)
        elsewhere = Client()
        elsewhere.force_login(user)
        page = client.get(reverse("login_codes")).content.decode()
        shown = re.search(r"<figcaption>([A-Z2-7 ]{39})</figcaption>", page)
        assert shown
        code = code_of(shown[1].replace(" ", ""))
        made = client.post(reverse("login_codes"), {"code": code, "current": "geheim"})
        codes = re.findall(r">([A-Z2-9 ]{19})</span>", made.content.decode())
        assert len(set(codes)) == 10
        assert (is_logged_in(client), is_logged_in(elsewhere)) == (True, False)
        actions = AuditEvent.objects.filter(action__contains="code").order_by("pk")
        assert list(actions.values_list("action", flat=True)) == [
            "codes_set_up",
            "recovery_codes_made",
        ]

    def test_a_wrong_code_or_password_sets_up_nothing(self, client: Client, user: User) -> None:
        client.force_login(user)
        client.get(reverse("login_codes"))
        code = code_of(client.session["codes_secret"])
        for data in (
            {"code": "000000", "current": "geheim"},
            {"code": code, "current": "fout"},
            {"code": code},
        ):
            assert client.post(reverse("login_codes"), data).status_code == 422
        assert not CodeSecret.objects.exists()

    def test_neither_secret_nor_codes_are_stored_as_they_are(
        self, user: User, secret: str, recovery: list[str]
    ) -> None:
        assert secret not in CodeSecret.objects.get().secret
        hashes = RecoveryCode.objects.values_list("code_hash", flat=True)
        assert not set(recovery) & set(hashes)

    def test_it_is_turned_off_with_password_and_code(
        self, client: Client, user: User, secret: str, recovery: list[str]
    ) -> None:
        client.force_login(user)
        off = reverse("login_codes_off")
        code = code_of(secret)
        assert client.post(off, {"code": code, "current": "fout"}).status_code == 422
        assert client.post(off, {"code": "000000", "current": "geheim"}).status_code == 422
        page = client.post(off, {"code": code, "current": "geheim"}, follow=True).content.decode()
        assert "Bij het inloggen wordt geen code meer gevraagd." in page
        assert not RecoveryCode.objects.exists()
        other = Client()
        other.post(reverse("login"), {"username": user.email, "password": "geheim"})
        assert is_logged_in(other)


class TestLoggingIn:
    @pytest.mark.full
    def test_the_code_leads_to_the_page_asked_for(
        self, user: User, secret: str, recovery: list[str]
    ) -> None:
        wanted = reverse("account_email")
        client = after_password(user, next=wanted)
        assert typed(client, f" {code_of(secret)[:3]} {code_of(secret)[3:]}") == wanted
        assert is_logged_in(client)

    @pytest.mark.full
    def test_a_clock_may_be_half_a_minute_off_and_no_more(
        self, user: User, secret: str, recovery: list[str], clock: time_machine.Traveller
    ) -> None:
        code = code_of(secret)
        clock.shift(dt.timedelta(seconds=60))
        assert WRONG in typed(after_password(user), code)
        clock.shift(dt.timedelta(seconds=-30))
        assert typed(after_password(user), code).startswith("/clubs/")

    def test_a_recovery_code_works_once(self, user: User, recovery: list[str]) -> None:
        code = recovery[3].lower()
        spaced = f"{code[:4]}-{code[4:]}"
        first = after_password(user)
        assert "herstelcodes" in first.get(f"{reverse('login_step')}?recovery").content.decode()
        assert typed(first, spaced).startswith("/clubs/")
        assert AuditEvent.objects.filter(action="recovery_code_used").count() == 1
        assert WRONG in typed(after_password(user), spaced)
        assert RecoveryCode.objects.count() == 9

    def test_the_recovery_code_of_somebody_else(self, user: User, recovery: list[str]) -> None:
        other = organiser_of(ClubFactory.create())
        theirs = secret_new()
        codes_set_up(user=other, secret=theirs, code=code_of(theirs), actor=Actor.of_user(other))
        assert WRONG in typed(after_password(other), recovery[0])
        assert RecoveryCode.objects.count() == 20

    def test_new_recovery_codes_end_the_old(
        self, client: Client, user: User, recovery: list[str]
    ) -> None:
        client.force_login(user)
        page = client.post(reverse("recovery_codes"), {"current": "geheim"}).content.decode()
        fresh = re.findall(r">([A-Z2-9 ]{19})</span>", page)
        assert WRONG in typed(after_password(user), recovery[0])
        assert typed(after_password(user), fresh[0]).startswith("/clubs/")


class TestAttacks:
    @pytest.mark.full
    @pytest.mark.each_case
    @pytest.mark.parametrize("page", OPEN)
    def test_a_pending_login_opens_no_page(
        self, user: User, recovery: list[str], page: str
    ) -> None:
        client = after_password(user)
        club = user.roles.get().club
        for address in (
            reverse(page),
            reverse("desk", args=[club.slug]),
            reverse("member_list", args=[club.slug]),
        ):
            answer = client.get(address)
            assert (answer.status_code, answer.headers["Location"][:7]) == (302, "/login/")
        api = client.get(f"/api/v1/clubs/{club.slug}/members/")
        assert api.status_code == 401

    def test_thirty_guesses_from_everywhere(
        self, user: User, secret: str, recovery: list[str], clock: time_machine.Traveller
    ) -> None:
        """Each from another address, with the password known; then not even the right code."""
        client = after_password(user)
        for number in range(30):
            answer = client.post(
                reverse("login_step"),
                {"code": f"{number:06}"},
                REMOTE_ADDR=f"192.0.2.{number}",
            )
            said = answer.content.decode()
            assert (WRONG if number < 10 else TOO_OFTEN) in said
        assert TOO_OFTEN in typed(after_password(user), code_of(secret))
        assert TOO_OFTEN in typed(after_password(user), recovery[0])
        clock.shift(dt.timedelta(minutes=16))
        assert typed(after_password(user), code_of(secret)).startswith("/clubs/")

    @pytest.mark.full
    def test_a_day_of_guessing_is_fifty_tries(
        self, user: User, recovery: list[str], clock: time_machine.Traveller
    ) -> None:
        clock.move_to(dt.datetime(2026, 11, 23, 0, 0, tzinfo=dt.UTC))
        looked_at = 0
        for _quarter in range(8):
            client = after_password(user)
            looked_at += sum(WRONG in typed(client, "000000") for _try in range(10))
            clock.shift(dt.timedelta(minutes=15))
        assert looked_at == 50

    def test_guesses_on_the_page_that_turns_codes_off(
        self, client: Client, user: User, secret: str, recovery: list[str]
    ) -> None:
        client.force_login(user)
        for number in range(30):
            data = {"code": f"{number:06}", "current": "geheim"}
            client.post(reverse("login_codes_off"), data)
        data = {"code": code_of(secret), "current": "geheim"}
        assert client.post(reverse("login_codes_off"), data).status_code == 422
        assert CodeSecret.objects.exists()

    @pytest.mark.full
    def test_a_code_that_was_seen_over_a_shoulder(
        self, user: User, secret: str, recovery: list[str], clock: time_machine.Traveller
    ) -> None:
        code = code_of(secret)
        assert typed(after_password(user), code).startswith("/clubs/")
        assert WRONG in typed(after_password(user), code)
        clock.shift(dt.timedelta(seconds=30))
        assert WRONG in typed(after_password(user), code)

    @pytest.mark.full
    def test_the_code_that_set_it_up_does_not_log_in(self, user: User, secret: str) -> None:
        code = code_of(secret)
        codes_set_up(user=user, secret=secret, code=code, actor=Actor.of_user(user))
        assert WRONG in typed(after_password(user), code)

    @pytest.mark.full
    def test_a_pending_login_lasts_five_minutes(
        self, user: User, secret: str, recovery: list[str], clock: time_machine.Traveller
    ) -> None:
        client = after_password(user)
        clock.shift(dt.timedelta(minutes=5))
        assert typed(client, code_of(secret)) == reverse("login")
        assert not is_logged_in(client)

    def test_logging_out_everywhere_ends_a_pending_login(
        self, user: User, secret: str, recovery: list[str]
    ) -> None:
        client = after_password(user)
        logins_end(user=user, actor=Actor.of_user(user))
        assert typed(client, code_of(secret)) == reverse("login")
        assert not is_logged_in(client)

    def test_a_code_without_a_password(self, client: Client, secret: str) -> None:
        assert typed(client, code_of(secret)) == reverse("login")

    @pytest.mark.full
    def test_a_session_that_was_planted_is_not_the_one_that_logs_in(
        self, user: User, secret: str, recovery: list[str]
    ) -> None:
        client = after_password(user)
        planted = client.cookies["sessionid"].value
        typed(client, code_of(secret))
        other = Client()
        other.cookies["sessionid"] = planted
        assert (is_logged_in(client), is_logged_in(other)) == (True, False)

    @pytest.mark.full
    @pytest.mark.parametrize("code", ["", "0" * 100, "\0", "①②③④⑤⑥", "١٢٣٤٥٦", "é" * 6])
    def test_nonsense(self, user: User, recovery: list[str], code: str) -> None:
        client = after_password(user)
        assert client.post(reverse("login_step"), {"code": code}).status_code == 422

    def test_a_link_for_a_password_does_not_pass_it_by(
        self, user: User, secret: str, recovery: list[str]
    ) -> None:
        """An organiser can make one for somebody in their team."""
        client = Client()
        form = client.get(password_path(user)).headers["Location"]
        words = "klaver-aas-9"
        answer = client.post(form, {"new_password1": words, "new_password2": words}, follow=True)
        assert "Nog één stap" in answer.content.decode()
        assert not is_logged_in(client)
        assert typed(client, code_of(secret)).startswith("/clubs/")

    def test_another_key_of_the_server_leaves_the_recovery_codes(
        self, user: User, secret: str, recovery: list[str]
    ) -> None:
        """As after a restore without the key: its secrets are worth nothing."""
        with override_settings(SECRET_KEY="another"):
            assert WRONG in typed(after_password(user), code_of(secret))
            assert typed(after_password(user), recovery[0]).startswith("/clubs/")
