"""A club asks its organisers for a second factor; and the operator takes one away."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.accounts.services import token_make
from clubs.audit.services import Actor
from clubs.audit.trail import trail_lines
from clubs.models import AuditEvent, Club, CodeSecret, LoginSession, RecoveryCode, User
from clubs.profile.services import role_grant
from clubs.sign_in.second_factors import codes_set_up, second_factor_ask, secret_new
from clubs.text.errors import DomainError
from tests.archives import contents
from tests.clubs.sign_in.test_codes import code_of
from tests.factories import TESTS, ClubFactory, director_of, organiser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


def with_codes(user: User) -> User:
    secret = secret_new()
    codes_set_up(user=user, secret=secret, code=code_of(secret), actor=Actor.of_user(user))
    return user


@pytest.fixture
def asking(club: Club) -> Club:
    """The club, after an organiser with codes asked for it."""
    boss = with_codes(organiser_of(club))
    second_factor_ask(club=club, asks=True, actor=Actor.of_user(boss))
    club.refresh_from_db()
    return club


def another_organiser(club: Club) -> User:
    role_grant(club=club, email="els@example.org", kind="organiser", actor=TESTS)
    els = User.objects.get(email="els@example.org")
    els.set_password("geheim")
    els.save()
    return els


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_who_asks_for_it_must_have_one(club: Club) -> None:
    boss = organiser_of(club)
    client, page = logged_in(boss), reverse("club_second_factor", args=[club.slug])
    assert "Organisatoren om een tweede stap vragen" not in client.get(page).content.decode()
    said = client.post(page, {"asks": "yes"}, follow=True).content.decode()
    assert "Stel eerst voor uzelf codes of een passkey in." in said
    with pytest.raises(DomainError, match=r"first|eerst"):
        second_factor_ask(club=club, asks=True, actor=TESTS)
    with_codes(boss)
    assert "Organisatoren om een tweede stap vragen" in client.get(page).content.decode()
    for answer, asks in (("yes", True), ("no", False)):
        client.post(page, {"asks": answer})
        assert Club.objects.get().asks_second_factor is asks
    events = AuditEvent.objects.filter(action__contains="second_factor").order_by("pk")
    assert [line.what for line in trail_lines(list(events.select_related("club")))] == [
        "Organisatoren moeten ook met een code of een passkey inloggen",
        "Organisatoren hoeven niet meer ook met een code of een passkey in te loggen",
    ]


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize("page", ["desk", "member_list", "club_settings", "club_second_factor"])
def test_an_organiser_without_one_is_led_to_where_it_is_set_up(asking: Club, page: str) -> None:
    els = another_organiser(asking)
    client, address = logged_in(els), reverse(page, args=[asking.slug])
    for answer in (client.get(address), client.post(address, {"asks": "no"})):
        assert (answer.status_code, answer.headers["Location"]) == (
            302,
            reverse("account_security"),
        )
    said = client.get(reverse("account_security")).content.decode()
    assert f"{asking.name} vraagt organisatoren om een tweede stap" in said
    with_codes(els)
    assert client.get(address).status_code == 200
    assert "om een tweede stap" not in client.get(reverse("account_security")).content.decode()


@pytest.mark.full
def test_logging_in_leads_there_too(asking: Club) -> None:
    els = another_organiser(asking)
    client = Client()
    typed = {"username": els.email, "password": "geheim"}
    page = client.post(reverse("login"), typed, follow=True)
    assert page.redirect_chain[-1] == (reverse("account_security"), 302)
    assert "Naar de wedstrijdleiding van" in client.get("/").content.decode()


def test_the_api_is_closed_to_their_session_and_open_to_their_token(asking: Club) -> None:
    els = another_organiser(asking)
    members = f"/api/v1/clubs/{asking.slug}/members/"
    assert logged_in(els).get(members).status_code == 403
    made = token_make(user=els, name="x", scopes=["read"], actor=Actor.of_user(els))
    token = {"authorization": f"Token {made.secret}"}
    assert Client().get(members, headers=token).status_code == 200


def test_directors_and_other_clubs_notice_nothing(asking: Club) -> None:
    assert logged_in(director_of(asking)).get(_desk(asking)).status_code == 200
    other = ClubFactory.create()
    els = another_organiser(asking)
    role_grant(club=other, email=els.email, kind="organiser", actor=TESTS)
    assert logged_in(els).get(_desk(other)).status_code == 200
    assert logged_in(els).get(_desk(asking)).status_code == 302


def _desk(club: Club) -> str:
    return reverse("desk", args=[club.slug])


def test_whoever_has_the_server_takes_it_away(club: Club) -> None:
    boss = with_codes(organiser_of(club))
    out = StringIO()
    call_command("remove_second_factor", boss.email.upper(), stdout=out)
    assert out.getvalue() == "Removed. The password is enough now.\n"
    assert not CodeSecret.objects.exists()
    assert not RecoveryCode.objects.exists()
    event = AuditEvent.objects.get(action="second_factor_removed")
    assert event.actor == "program:remove_second_factor"
    for email in (boss.email, "niemand@example.org"):
        with pytest.raises(CommandError):
            call_command("remove_second_factor", email)


def test_a_backup_has_the_factors_without_secrets_and_no_sessions(
    club: Club, tmp_path: Path
) -> None:
    secret = secret_new()
    boss = organiser_of(club)
    made = codes_set_up(user=boss, secret=secret, code=code_of(secret), actor=Actor.of_user(boss))
    logged_in(boss)
    call_command("backup", str(tmp_path / "backup"), stdout=StringIO())
    parts = contents(tmp_path / "backup")
    assert "clubs.loginsession.jsonl" not in parts
    assert len(parts["clubs.recoverycode.jsonl"].splitlines()) == 10
    everything = "".join(parts.values())
    for hidden in (secret, *made, LoginSession.objects.get().session_key):
        assert hidden not in everything


@pytest.mark.full
def test_the_file_of_a_club_has_no_factor_at_all(club: Club, tmp_path: Path) -> None:
    with_codes(organiser_of(club))
    call_command("export_club", club.slug, str(tmp_path / "club"), stdout=StringIO())
    names = {re.sub(r"\.jsonl$", "", name) for name in contents(tmp_path / "club")}
    assert not names & {"clubs.codesecret", "clubs.recoverycode", "clubs.passkey"}
    assert "clubs.role" in names


def test_three_organisers_cost_no_more_queries_than_one(
    club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    boss = logged_in(with_codes(organiser_of(club)))
    page = reverse("club_second_factor", args=[club.slug])
    boss.get(page)
    for _more in range(2):
        with django_assert_num_queries(6):
            boss.get(page)
        organiser_of(club)
        organiser_of(club)
