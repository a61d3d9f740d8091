"""One's own login: name, address, password, logging out everywhere, tokens for programs."""

import datetime as dt
import re

import pytest
import time_machine
from axes.models import AccessAttempt
from django.test import Client
from django.urls import reverse

from clubs.accounts.services import api_token_find, token_make
from clubs.audit.services import Actor
from clubs.audit.trail import trail_lines
from clubs.models import ApiToken, AuditEvent, Club, User
from clubs.profile.services import role_revoke
from tests.factories import TESTS, ClubFactory, UserFactory, organiser_of

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)
PAGES = ["account", "account_email", "account_password", "account_logout", "token_add"]


@pytest.fixture
def user(client: Client) -> User:
    """Somebody who organises a club and has logged in."""
    user = organiser_of(ClubFactory.create())
    client.force_login(user)
    return user


def logged_in(user: User) -> Client:
    """Another device on which this person is logged in."""
    client = Client()
    client.force_login(user)
    return client


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def send(client: Client, page: str, /, **typed: object) -> str:
    return client.post(reverse(page), typed, follow=True).content.decode()


class TestThePage:
    @pytest.mark.full
    @pytest.mark.parametrize("name", PAGES)
    def test_it_is_ones_own_and_kept_nowhere(self, client: Client, user: User, name: str) -> None:
        answer = client.get(reverse(name))
        assert answer.status_code == 200
        assert "no-store" in answer.headers["Cache-Control"]
        stranger = Client().get(reverse(name))
        assert (stranger.status_code, stranger.headers["Location"]) == (
            302,
            f"/login/?next={reverse(name)}",
        )

    def test_the_menu_leads_to_it(self, client: Client, user: User) -> None:
        page = client.get("/").content.decode()
        assert f'<a href="{reverse("account")}">Account</a>' in page
        assert ">Account<" not in Client().get("/").content.decode()

    def test_somebody_without_a_task_has_one_too(self, client: Client) -> None:
        client.force_login(UserFactory.create())
        assert "U hebt geen taak bij een club." in client.get("/account/").content.decode()

    def test_the_name_is_changed(self, client: Client, user: User) -> None:
        assert "Uw naam is bewaard." in send(client, "account", name="  Ans\tBos ")
        user.refresh_from_db()
        assert user.name == "Ans Bos"

    def test_a_name_that_cannot_be(self, client: Client, user: User) -> None:
        for name in ("", "x" * 101, "\0"):
            assert client.post(reverse("account"), {"name": name}).status_code == 422


class TestThePassword:
    NEW = {"new_password1": "klaver-aas-9", "new_password2": "klaver-aas-9"}

    def test_another_one_ends_what_is_open_elsewhere(self, client: Client, user: User) -> None:
        elsewhere = logged_in(user)
        page = send(client, "account_password", current="geheim", **self.NEW)
        assert "Uw wachtwoord is gewijzigd." in page
        user.refresh_from_db()
        assert user.check_password("klaver-aas-9")
        assert is_logged_in(client)
        assert not is_logged_in(elsewhere)

    @pytest.mark.parametrize(
        "typed",
        [
            {"current": "fout", **NEW},
            {"current": "geheim", **NEW, "new_password2": "klaver-aas-8"},
            {"current": "geheim", "new_password1": "12345678", "new_password2": "12345678"},
            {"current": "geheim"},
        ],
    )
    def test_what_changes_nothing(self, client: Client, user: User, typed: dict[str, str]) -> None:
        assert client.post(reverse("account_password"), typed).status_code == 422
        user.refresh_from_db()
        assert user.check_password("geheim")

    def test_nothing_that_was_typed_is_kept(self, client: Client, user: User) -> None:
        typed = {"current": "secret-0", "new_password1": "secret-1", "new_password2": "secret-2"}
        client.post(reverse("account_password"), typed)
        client.post(reverse("account_email"), {"current": "secret-3", "email": "a@example.org"})
        Client().post(reverse("login"), {"username": user.email, "password": "secret-4"})
        kept = list(AccessAttempt.objects.values())
        assert len(kept) == 1
        assert "secret" not in str(kept)

    def test_guessing_it_on_an_open_screen_is_stopped(self, client: Client, user: User) -> None:
        for number in range(10):
            wrong = {"current": "fout", **self.NEW, "username": f"somebody-{number}@example.org"}
            client.post(reverse("account_password"), wrong)
        answer = client.post(reverse("account_password"), {"current": "geheim", **self.NEW})
        assert answer.status_code == 429
        user.refresh_from_db()
        assert user.check_password("geheim")


class TestLoggingOutEverywhere:
    @pytest.mark.full
    def test_no_device_stays_logged_in(self, client: Client, user: User) -> None:
        elsewhere, other = logged_in(user), logged_in(UserFactory.create())
        asked = client.get(reverse("account_logout")).content.decode()
        assert "Uitloggen op alle apparaten?" in asked
        assert is_logged_in(elsewhere)
        assert "U bent uitgelogd op alle apparaten." in send(client, "account_logout")
        assert not is_logged_in(client)
        assert not is_logged_in(elsewhere)
        assert is_logged_in(other)
        assert is_logged_in(logged_in(User.objects.get(pk=user.pk)))

    def test_the_trail_of_the_club_tells_of_it(self, client: Client, user: User) -> None:
        send(client, "account_logout")
        event = AuditEvent.objects.filter(action="logins_ended").get()
        assert trail_lines([event])[0].what == f"{user} logde uit op alle apparaten"


class TestTokens:
    ASKED = {"name": "website", "scopes": ["read", "deals"], "until": "", "current": "geheim"}

    def test_it_is_shown_once(self, client: Client, user: User) -> None:
        page = send(client, "token_add", **self.ASKED)
        found = re.search(r'id="secret"[^>]*value="([\w-]{40})"', page)
        assert found is not None
        token = api_token_find(found[1])
        assert token is not None
        assert (token.user, token.scopes) == (user, ["read", "deals"])
        account = client.get(reverse("account")).content.decode()
        assert found[1] not in account
        assert "Lezen wat de wedstrijdleiding laat zien, Spellen invoeren aan de tafels" in account

    @time_machine.travel(NOW, tick=False)
    def test_it_is_good_until_the_end_of_its_last_day(self, client: Client, user: User) -> None:
        send(client, "token_add", **{**self.ASKED, "until": "2026-11-22"})
        assert ApiToken.objects.get().expires_at == dt.datetime(2026, 11, 22, 23, tzinfo=dt.UTC)

    @pytest.mark.full
    @time_machine.travel(NOW, tick=False)
    @pytest.mark.parametrize(
        "changes",
        [
            {"name": ""},
            {"name": "x" * 61},
            {"scopes": []},
            {"scopes": ["everything"]},
            {"until": "2026-11-21"},
            {"until": "9999-12-31"},
            {"until": "soon"},
            {"current": "fout"},
        ],
    )
    def test_what_makes_none(self, client: Client, user: User, changes: dict[str, object]) -> None:
        answer = client.post(reverse("token_add"), {**self.ASKED, **changes})
        assert answer.status_code == 422
        assert not ApiToken.objects.exists()

    @pytest.mark.full
    def test_it_is_withdrawn(self, client: Client, user: User) -> None:
        made = token_make(user=user, name="website", scopes=["read"], actor=TESTS)
        url = reverse("token_withdraw", args=[made.token.pk])
        assert "Het token ‘website’ intrekken?" in client.get(url).content.decode()
        page = client.post(url, follow=True).content.decode()
        assert "Het token ‘website’ is ingetrokken." in page
        assert api_token_find(made.secret) is None
        assert client.get(url).status_code == 404

    def test_that_of_somebody_else_is_not_found(self, client: Client, user: User) -> None:
        made = token_make(user=UserFactory.create(), name="x", scopes=["read"], actor=TESTS)
        url = reverse("token_withdraw", args=[made.token.pk])
        assert (client.get(url).status_code, client.post(url).status_code) == (404, 404)
        assert api_token_find(made.secret) is not None


def test_who_is_taken_out_of_the_team_opens_nothing_from_then_on(
    client: Client, user: User
) -> None:
    other = organiser_of(Club.objects.get())
    desk = reverse("desk", args=[Club.objects.get().slug])
    assert client.get(desk).status_code == 200
    role_revoke(role=user.roles.get(), actor=Actor.of_user(other))
    assert client.get(desk).status_code == 403
    assert is_logged_in(client)


def test_desk_pages_are_kept_by_nobody_in_between(client: Client, user: User) -> None:
    answer = client.get(reverse("member_list", args=[Club.objects.get().slug]))
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["Vary"] == "Cookie, Accept-Encoding"


@pytest.mark.each_case
@pytest.mark.parametrize("name", ["logout", "account_logout"])
@pytest.mark.parametrize(("secure", "words_shown"), [(True, '"cache"'), (False, None)])
def test_logging_out_has_the_browser_forget_its_pages(
    client: Client, user: User, name: str, secure: bool, words_shown: str | None
) -> None:
    answer = client.post(reverse(name), secure=secure)
    assert answer.headers.get("Clear-Site-Data") == words_shown
