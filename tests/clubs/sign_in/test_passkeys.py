"""Passkeys: made, used to log in and as a second step, removed; and misused."""

import json
import re
import time
from typing import Any

import pytest
import time_machine
from django.test import Client, override_settings
from django.urls import reverse

from clubs.accounts.services import logins_end
from clubs.audit.services import Actor
from clubs.models import AuditEvent, Passkey, RecoveryCode, User
from tests.clubs.sign_in.authenticator import PRESENT, Authenticator
from tests.factories import ClubFactory, UserFactory, organiser_of

pytestmark = pytest.mark.django_db
FAILED = "Dat lukte niet met de passkey. Probeer het nog eens."
HUGE = '{"id": 4000000000000, "rawId": 4000000000000, "response": {}}'
"""Was four terabytes of zeros, in a library that makes bytes of numbers."""


@pytest.fixture
def user() -> User:
    return organiser_of(ClubFactory.create())


def browser() -> Client:
    return Client(SERVER_NAME="localhost")


def logged_in(user: User) -> Client:
    client = browser()
    client.force_login(user)
    return client


def options(client: Client, page: str = "passkey_login_options", **typed: str) -> dict[str, Any]:
    asked: dict[str, Any] = client.post(reverse(page), typed).json()
    return asked


def added(user: User, telephone: Authenticator, name: str = "telefoon") -> str:
    """The page after this person adds a passkey of this telephone."""
    client, form = logged_in(user), {"name": name, "current": "geheim"}
    asked = options(client, "passkey_options", **form)
    form["credential"] = telephone.create(asked)
    return client.post(reverse("passkey_new"), form, follow=True).content.decode()


@pytest.fixture
def telephone(user: User) -> Authenticator:
    """A telephone with a passkey of this person."""
    telephone = Authenticator()
    added(user, telephone)
    telephone.counter += 1
    return telephone


def shown(client: Client, telephone: Authenticator, **more: str) -> str:
    """Where logging in with this passkey leads to, or what is said of it."""
    answer = telephone.get(options(client))
    return sent(client, answer, **more)


def sent(client: Client, answer: str, **more: str) -> str:
    response = client.post(reverse("passkey_login"), {"credential": answer, **more})
    if client.get(reverse("account")).status_code == 200:
        return response.headers["Location"]
    page = client.get(response.headers["Location"]).content.decode()
    return FAILED if FAILED in page else page


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


class TestMaking:
    def test_the_first_one_comes_with_recovery_codes(self, user: User) -> None:
        elsewhere = logged_in(user)
        page = added(user, Authenticator())
        assert len(re.findall(r">([A-Z2-9 ]{19})</span>", page)) == 10
        assert not is_logged_in(elsewhere)
        assert '<span class="num">' not in added(user, Authenticator(), "laptop")
        assert [str(passkey) for passkey in user.passkeys.all()] == ["telefoon", "laptop"]
        actions = AuditEvent.objects.filter(action="passkey_added")
        assert actions.count() == 2

    @pytest.mark.full
    def test_what_the_browser_is_asked(self, user: User, telephone: Authenticator) -> None:
        asked = options(logged_in(user), "passkey_options", name="x", current="geheim")
        assert asked["rp"] == {"id": "localhost", "name": "Klaverclub"}
        assert asked["authenticatorSelection"]["userVerification"] == "required"
        assert asked["authenticatorSelection"]["residentKey"] == "required"
        assert len(asked["excludeCredentials"]) == 1

    @pytest.mark.full
    def test_not_without_the_password(self, user: User) -> None:
        client = logged_in(user)
        answer = client.post(reverse("passkey_options"), {"name": "x", "current": "fout"})
        assert (answer.status_code, answer.json()) == (
            422,
            {"message": "Dit is niet uw wachtwoord."},
        )
        form = {"name": "x", "current": "geheim"}
        made = Authenticator().create(options(client, "passkey_options", **form))
        data = {"name": "x", "current": "fout", "credential": made}
        assert client.post(reverse("passkey_new"), data).status_code == 422
        assert not Passkey.objects.exists()

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        "telephone",
        [
            Authenticator(origin="https://elsewhere.example"),
            Authenticator(origin="http://localhost.elsewhere.example"),
            Authenticator(rp_id="elsewhere.example"),
            Authenticator(flags=PRESENT),
        ],
    )
    def test_one_of_another_origin_or_without_its_owner(
        self, user: User, telephone: Authenticator
    ) -> None:
        assert FAILED in added(user, telephone)
        assert not Passkey.objects.exists()

    def test_one_that_is_somebody_elses_already(self, user: User, telephone: Authenticator) -> None:
        other = organiser_of(ClubFactory.create())
        assert FAILED in added(other, telephone)
        assert Passkey.objects.get().user == user

    def test_it_is_removed_with_the_password_only_by_its_owner(
        self, user: User, telephone: Authenticator
    ) -> None:
        address = reverse("passkey_delete", args=[Passkey.objects.get().pk])
        other = logged_in(UserFactory.create())
        assert other.post(address, {"current": "geheim"}).status_code == 404
        mine = logged_in(user)
        assert mine.post(address, {"current": "fout"}).status_code == 422
        assert mine.post(address, {"current": "geheim"}).status_code == 302
        assert not Passkey.objects.exists()
        assert not RecoveryCode.objects.exists()
        assert shown(browser(), telephone) == FAILED


class TestLoggingIn:
    @pytest.mark.both
    def test_without_a_password(self, user: User, telephone: Authenticator) -> None:
        client = browser()
        asked = options(client)
        assert asked["userVerification"] == "required"
        assert not asked.get("allowCredentials")
        club = user.roles.get().club
        assert sent(client, telephone.get(asked)) == reverse("desk", args=[club.slug])
        assert Passkey.objects.get().used_at is not None

    @pytest.mark.full
    def test_to_the_page_asked_for_and_to_no_other_site(
        self, user: User, telephone: Authenticator
    ) -> None:
        wanted = reverse("account_email")
        assert shown(browser(), telephone, next=wanted) == wanted
        telephone.counter += 1
        elsewhere = shown(browser(), telephone, next="https://elsewhere.example/")
        assert elsewhere.startswith("/clubs/")

    @pytest.mark.full
    def test_as_the_second_step(self, user: User, telephone: Authenticator) -> None:
        client = browser()
        form = {"username": user.email, "password": "geheim", "next": "/account/email/"}
        assert client.post(reverse("login"), form).headers["Location"] == reverse("login_step")
        assert not is_logged_in(client)
        asked = options(client)
        assert len(asked["allowCredentials"]) == 1
        assert sent(client, telephone.get(asked)) == "/account/email/"

    @pytest.mark.full
    def test_the_button_is_there_where_passkeys_work(
        self, user: User, telephone: Authenticator
    ) -> None:
        assert "Inloggen met een passkey" in browser().get(reverse("login")).content.decode()
        elsewhere = Client(SERVER_NAME="192.168.1.20").get(reverse("login")).content.decode()
        assert "Inloggen met een passkey" not in elsewhere

    def test_nobody_is_offered_what_nobody_has(self, user: User) -> None:
        assert "passkey" not in browser().get(reverse("login")).content.decode()

    @override_settings(PUBLIC_URL="https://klaver.example")
    def test_on_a_server_with_https(self, user: User) -> None:
        client = Client(SERVER_NAME="klaver.example", headers={"x-forwarded-proto": "https"})
        client.force_login(user)
        form = {"name": "telefoon", "current": "geheim"}
        telephone = Authenticator(origin="https://klaver.example", rp_id="klaver.example")
        form["credential"] = telephone.create(options(client, "passkey_options", **form))
        assert client.post(reverse("passkey_new"), form).status_code == 200
        assert Passkey.objects.count() == 1
        for origin in ("http://klaver.example", "https://klaver.example:8443"):
            telephone.origin = origin
            client = Client(SERVER_NAME="klaver.example", headers={"x-forwarded-proto": "https"})
            telephone.counter += 1
            assert shown(client, telephone) == FAILED

    @pytest.mark.full
    @pytest.mark.each_case
    @pytest.mark.parametrize("page", ["login", "login_step", "passkey_new"])
    def test_only_these_pages_may_ask_the_browser(self, user: User, page: str) -> None:
        client = logged_in(user)
        asks = "publickey-credentials-get=(self)"
        assert asks in client.get(reverse(page)).headers["Permissions-Policy"]
        other = client.get(reverse("account")).headers["Permissions-Policy"]
        assert "publickey-credentials-create=(), publickey-credentials-get=()" in other


class TestAttacks:
    def test_an_answer_sent_twice(self, user: User, telephone: Authenticator) -> None:
        client = browser()
        answer = telephone.get(options(client))
        assert sent(client, answer).startswith("/clubs/")
        client.post(reverse("logout"))
        assert sent(client, answer) == FAILED

    def test_an_answer_to_the_challenge_of_another_browser(
        self, user: User, telephone: Authenticator
    ) -> None:
        answer = telephone.get(options(browser()))
        client = browser()
        options(client)
        assert sent(client, answer) == FAILED
        assert sent(browser(), answer) == FAILED

    @pytest.mark.full
    def test_a_challenge_is_good_for_one_answer(self, user: User, telephone: Authenticator) -> None:
        client = browser()
        asked = options(client)
        assert sent(client, "{}") == FAILED
        assert sent(client, telephone.get(asked)) == FAILED

    def test_a_challenge_lasts_five_minutes(self, user: User, telephone: Authenticator) -> None:
        client = browser()
        asked = options(client)
        with time_machine.travel(time.time() + 301, tick=False):
            assert sent(client, telephone.get(asked)) == FAILED

    @pytest.mark.full
    def test_the_challenge_for_making_one_does_not_log_in(
        self, user: User, telephone: Authenticator
    ) -> None:
        client = logged_in(user)
        asked = options(client, "passkey_options", name="x", current="geheim")
        answer = telephone.get(asked)
        client.post(reverse("passkey_login"), {"credential": answer})
        assert Passkey.objects.get().used_at is None

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        "lie",
        [
            {"origin": "https://elsewhere.example"},
            {"rp_id": "elsewhere.example"},
            {"flags": PRESENT},
            {"flags": 0},
            {"handle": b"0" * 16},
            {"credential_id": b"0" * 32},
            {"counter": 1},
            {"counter": 0},
        ],
    )
    def test_one_that_lies(
        self, user: User, telephone: Authenticator, lie: dict[str, object]
    ) -> None:
        """Phished elsewhere, without its owner, of another person, unknown, copied."""
        for name, value in lie.items():
            setattr(telephone, name, value)
        assert shown(browser(), telephone) == FAILED

    @pytest.mark.full
    def test_one_that_keeps_no_count_goes_on(self, user: User) -> None:
        telephone = Authenticator(counter=0)
        added(user, telephone)
        for _time in range(2):
            assert shown(browser(), telephone).startswith("/clubs/")

    def test_a_signature_of_another_key(self, user: User, telephone: Authenticator) -> None:
        copy = Authenticator(credential_id=telephone.credential_id, counter=9)
        copy.handle = telephone.handle
        assert shown(browser(), copy) == FAILED

    def test_the_passkey_of_somebody_else_as_the_second_step(
        self, user: User, telephone: Authenticator
    ) -> None:
        victim = organiser_of(ClubFactory.create())
        added(victim, Authenticator())
        client = browser()
        client.post(reverse("login"), {"username": victim.email, "password": "geheim"})
        said = shown(client, telephone)
        assert "Deze passkey is van iemand anders." in said
        assert not is_logged_in(client)

    @pytest.mark.full
    def test_a_login_that_is_closed(self, user: User, telephone: Authenticator) -> None:
        User.objects.filter(pk=user.pk).update(is_active=False)
        assert shown(browser(), telephone) == FAILED

    @pytest.mark.full
    def test_logging_out_everywhere_ends_what_it_opened(
        self, user: User, telephone: Authenticator
    ) -> None:
        client = browser()
        shown(client, telephone)
        assert is_logged_in(client)
        logins_end(user=user, actor=Actor.of_user(user))
        assert not is_logged_in(client)

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "[]",
            "null",
            "{",
            "{}",
            "9" * 60_000,
            "[" * 40_000,
            '{"rawId": 1, "response": 2}',
            HUGE,
        ],
    )
    def test_nonsense(self, user: User, telephone: Authenticator, answer: str) -> None:
        client = browser()
        options(client)
        assert sent(client, answer) == FAILED

    @pytest.mark.full
    def test_a_true_answer_with_nonsense_in_each_place(
        self, user: User, telephone: Authenticator
    ) -> None:
        wrong: list[object] = [None, "", "é", "AA", 7, [], {}, "A" * 3_000]
        places = "clientDataJSON", "authenticatorData", "signature", "userHandle", "rawId"
        tries = [(place, value) for place in places for value in wrong]
        with time_machine.travel(time.time(), tick=False) as clock:
            for place, value in tries:
                if place == "userHandle" and value in (None, ""):
                    continue  # may be left out
                clock.shift(60)
                client = browser()
                answer = json.loads(telephone.get(options(client)))
                (answer if place == "rawId" else answer["response"])[place] = value
                assert sent(client, json.dumps(answer)) == FAILED, (place, value)

    def test_an_id_without_end(self, user: User) -> None:
        assert FAILED in added(user, Authenticator(credential_id=b"x" * 1024))
        assert not Passkey.objects.exists()
