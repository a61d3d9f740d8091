"""Tokens for one club, and tokens that work from some addresses only."""

import datetime as dt
import io
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from clubs.accounts.services import api_token_find, token_make
from clubs.audit.services import Actor
from clubs.models import ApiToken, Club, User
from clubs.profile.services import role_grant
from clubs.text.errors import DomainError
from tests.access.routes import address, routes
from tests.access.test_routes import API
from tests.access.world import World
from tests.api.problems import problem
from tests.factories import TESTS, ClubFactory, UserFactory, organiser_of

pytestmark = pytest.mark.django_db
EVERYTHING = ("read", "deals", "evening", "members")
ELSEWHERE = problem(401, "not_from_here", "This token works from other addresses only.")


def secret(user: User, **limits: Any) -> str:
    """The secret of a new token with these limits."""
    actor = Actor.of_user(user)
    return token_make(user=user, name="x", scopes=EVERYTHING, actor=actor, **limits).secret


def status(method: str, url: str, token: str, **more: str) -> int:
    headers = {"Authorization": f"Token {token}"}
    json: dict[str, Any] = {} if method == "get" else {"content_type": "application/json"}
    return int(getattr(Client(), method)(url, headers=headers, **json, **more).status_code)


class TestForOneClub:
    @pytest.mark.once
    @pytest.mark.full
    def test_it_opens_no_operation_of_another(self) -> None:
        """At every address of the other club it is answered as that of somebody without a task,
        though its owner organises that club too."""
        world = World("roodhart", dt.date(2026, 11, 21))
        own, nobody = ClubFactory.create(), UserFactory.create()
        owner = world.staff["organiser"]
        role_grant(club=own, email=owner.email, kind="organiser", actor=TESTS)
        limited, unlimited = secret(owner, club=own), secret(owner)
        of_nobody = secret(nobody)
        refused = {}
        for route, fields in routes().items():
            if not route.startswith("api_") or "slug" not in fields:
                continue
            url = address(route, fields, world)
            for method in API:
                tokens = limited, of_nobody
                refused[route, method] = [status(method, url, token) for token in tokens]
        assert {key: pair for key, pair in refused.items() if len(set(pair)) > 1} == {}
        assert {pair[0] for pair in refused.values()} == {200, 403, 404, 405}
        members = f"/api/v1/clubs/{world.club.slug}/members/"
        assert (status("get", members, limited), status("get", members, unlimited)) == (403, 200)

    def test_at_its_own_it_does_what_others_do(self) -> None:
        club = ClubFactory.create()
        owner = organiser_of(club)
        url = f"/api/v1/clubs/{club.slug}/members/"
        assert status("get", url, secret(owner, club=club)) == 200
        owner.roles.all().delete()
        assert status("get", url, secret(owner)) == 403

    def test_it_is_none_of_a_club_where_its_owner_has_no_task(self) -> None:
        owner = organiser_of(ClubFactory.create())
        with pytest.raises(DomainError) as refused:
            secret(owner, club=ClubFactory.create())
        assert refused.value.code == "not_your_club"
        assert not ApiToken.objects.exists()


class TestFromSomeAddresses:
    @pytest.mark.full
    @pytest.mark.each_case
    @pytest.mark.parametrize(
        ("networks", "address_of_caller", "expected"),
        [
            ("192.0.2.7", "192.0.2.7", 200),
            ("192.0.2.7", "192.0.2.8", 401),
            ("192.0.2.7", "::ffff:192.0.2.7", 200),
            (" 192.0.2.0/24 ,2001:db8::/32,", "192.0.2.200", 200),
            ("192.0.2.0/24, 2001:db8::/32", "2001:db8:7::1", 200),
            ("192.0.2.0/24, 2001:db8::/32", "2001:db9::1", 401),
            ("0.0.0.0/0", "", 401),
            ("0.0.0.0/0", "2001:db8::1", 401),
            ("", "2001:db8::1", 200),
        ],
    )
    def test_it_is_heard_from_there_alone(
        self, networks: str, address_of_caller: str, expected: int
    ) -> None:
        token = secret(UserFactory.create(), networks=networks)
        url = "/api/v1/clubs/"
        assert status("get", url, token, REMOTE_ADDR=address_of_caller) == expected

    def test_from_elsewhere_it_is_told_so_and_opens_nothing(self) -> None:
        token = secret(UserFactory.create(), networks="192.0.2.7")
        headers = {"Authorization": f"Token {token}", "X-Forwarded-For": "192.0.2.7"}
        answer = Client(REMOTE_ADDR="198.51.100.1").get("/api/v1/clubs/", headers=headers)
        assert (answer.status_code, answer.json()) == (401, ELSEWHERE)
        assert ApiToken.objects.get().seen_at is None

    @pytest.mark.each_case
    @pytest.mark.parametrize(
        "networks",
        ["here", "192.0.2.7/24", "192.0.2.300", "1", "192.0.2.1 192.0.2.2", "\0", "1::1::1"],
    )
    def test_what_is_no_address_makes_no_token(self, networks: str) -> None:
        with pytest.raises(DomainError) as refused:
            secret(UserFactory.create(), networks=networks)
        assert refused.value.code == "bad_networks"
        assert not ApiToken.objects.exists()

    def test_twenty_at_most(self) -> None:
        many = [f"192.0.2.{number}" for number in range(21)]
        with pytest.raises(DomainError):
            secret(UserFactory.create(), networks=",".join(many))
        secret(UserFactory.create(), networks=",".join(many[1:]))
        assert ApiToken.objects.get().networks == many[1:]


class TestMakingOne:
    @pytest.fixture
    def club(self, client: Client) -> Club:
        club = ClubFactory.create()
        client.force_login(organiser_of(club))
        return club

    def make(self, client: Client, **limits: object) -> tuple[int, str]:
        data = {"name": "website", "scopes": ["read"], "until": "", "current": "geheim", **limits}
        answer = client.post(reverse("token_add"), data)
        return answer.status_code, answer.content.decode()

    @pytest.mark.full
    def test_on_the_page_of_ones_account(self, client: Client, club: Club) -> None:
        ClubFactory.create()
        page = client.get(reverse("token_add")).content.decode()
        assert ("De Vrolijke Boer" in page, "Club 2" in page) == (True, False)
        code, _page = self.make(client, club=club.pk, networks="192.0.2.7, 2001:db8::/32")
        assert code == 200
        token = ApiToken.objects.get()
        assert (token.club, token.networks) == (club, ["192.0.2.7", "2001:db8::/32"])
        account = client.get(reverse("account")).content.decode()
        limits = [words.strip() for words in re.findall(r"Alleen [^<]*", account)]
        assert limits == ["Alleen voor De Vrolijke Boer", "Alleen vanaf 192.0.2.7, 2001:db8::/32"]

    @pytest.mark.full
    def test_what_makes_none_is_told(self, client: Client, club: Club) -> None:
        code, page = self.make(client, networks="192.0.2.7/24")
        assert (code, "‘192.0.2.7/24’ is geen adres" in page) == (422, True)
        assert self.make(client, club=ClubFactory.create().pk)[0] == 422
        assert not ApiToken.objects.exists()

    def test_by_the_command(self, club: Club) -> None:
        out = io.StringIO()
        email = club.roles.get().user.email
        limits = {"club": club.slug, "networks": "192.0.2.7"}
        call_command("create_token", email, stdout=out, **limits)
        token = api_token_find(out.getvalue().removesuffix("\n"))
        assert token is not None
        assert (token.club, token.networks) == (club, ["192.0.2.7"])

    @pytest.mark.parametrize(
        ("limits", "message"),
        [
            ({"club": "nowhere"}, "There is no club 'nowhere'."),
            ({"club": "club-2"}, "Choose a club where this login has a task."),
            ({"networks": "x"}, "“x” is not an address"),
        ],
    )
    def test_the_command_tells_what_makes_none(
        self, club: Club, limits: dict[str, str], message: str
    ) -> None:
        ClubFactory.create()
        with pytest.raises(CommandError, match=message):
            call_command("create_token", club.roles.get().user.email, **limits)
        assert not ApiToken.objects.exists()
