"""Asking somebody to join a team: the link, who may say yes with it, and when it stops."""

import datetime as dt
import re
import smtplib
import threading
import uuid

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from clubs.accounts.invitations import (
    invitation_accept,
    invitation_join,
    invitation_link,
    invitation_make,
    invitation_withdraw,
)
from clubs.accounts.logins import email_want
from clubs.accounts.services import token_make
from clubs.audit.services import Actor, chain_faults
from clubs.audit.trail import trail_lines
from clubs.http.network import lan_urls
from clubs.models import ApiToken, AuditEvent, AuditText, Club, Invitation, Member, Role, User
from clubs.privacy.erasing import member_erase
from clubs.profile.services import (
    mailed_password_links,
    password_path,
    role_grant,
    role_revoke,
)
from clubs.text.errors import DomainError
from tests.clubs.accounts.test_password_reset import SlowServer
from tests.factories import TESTS, ClubFactory, MemberFactory, UserFactory, organiser_of
from tests.tournaments.public_pages import words
from tests.waiting import mail_settles

# Mail is sent by a thread on a connection of its own.
pytestmark = pytest.mark.django_db(transaction=True)
NOW = dt.datetime(2026, 11, 22, 20, 0, tzinfo=dt.UTC)
PASSWORD = {"password1": "klaver-aas-9", "password2": "klaver-aas-9"}


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


def invited(club: Club, email: str = "wim@example.org", **asked: str) -> Invitation:
    wanted = {"kind": "director", "name": "Wim", **asked}
    return invitation_make(club=club, email=email, actor=TESTS, **wanted)


def path(invitation: Invitation) -> str:
    """The link without the address of the server."""
    return re.sub(r"^https?://[^/]+", "", invitation_link(invitation))


def mailed_path(invitation: Invitation) -> str:
    """The link that is in the mail."""
    return reverse("invitation", args=[invitation.uuid, invitation.mailed_code])


def invite(client: Client, club: Club, **changes: str) -> str:
    """The page that making an invitation leads to, once its mail is gone."""
    data = {"name": "Wim", "email": "wim@example.org", "kind": "director"} | changes
    url = reverse("team_invite", args=[club.slug])
    page = client.post(url, data, follow=True).content.decode()
    mail_settles()
    return page


def team_page(client: Client, club: Club) -> str:
    return words(client.get(reverse("club_team", args=[club.slug])))


class TestAtTheDesk:
    def test_the_link_is_shown_and_nobody_is_in_the_team_yet(
        self, client: Client, club: Club
    ) -> None:
        page = invite(client, club, email=" Wim@Example.org ")
        made = Invitation.objects.get()
        assert (made.email, made.name, made.kind) == ("Wim@Example.org", "Wim", "director")
        assert f'value="{invitation_link(made)}"' in page
        assert club.roles.count() == 1
        assert not User.objects.filter(email__iexact=made.email).exists()

    def test_without_a_mail_server_nothing_is_said_of_mail(
        self, client: Client, club: Club, settings: Settings
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
        assert "bericht" not in invite(client, club)

    def test_with_one_the_link_is_mailed_in_the_language_of_the_club(
        self, client: Client, club: Club
    ) -> None:
        Club.objects.update(language="en", name="De\nBoer")
        client.cookies["django_language"] = "nl"
        page = invite(client, club)
        assert "Er is een bericht onderweg naar wim@example.org." in page
        (message,) = mail.outbox
        assert message.to == ["wim@example.org"]
        assert message.subject == "De Boer asks you to help"
        made = Invitation.objects.get()
        assert f"{lan_urls()[0]}{mailed_path(made)}" in message.body
        assert made.code not in message.body

    @pytest.mark.full
    def test_no_mail_leads_to_a_host_that_the_club_made_up(
        self, client: Client, club: Club, settings: Settings
    ) -> None:
        Club.objects.update(address="https://klaver-login.evil.example")
        for public_url in ("", "https://klaver.example"):
            settings.PUBLIC_URL = public_url
            invite(client, club)
            message = mail.outbox.pop()
            assert f"{public_url or lan_urls()[0]}/invitations/" in message.body
            assert "evil" not in message.body

    def test_nobody_is_buried_under_invitations(self, client: Client, club: Club) -> None:
        """Withdrawn and made again, one stranger was mailed sixty in a second."""
        for _ in range(5):
            page = invite(client, club, email="WIM@example.org")
            Invitation.objects.all().delete()
        assert len(mail.outbox) == 3
        assert "gaan voorlopig geen berichten meer" in page

    @pytest.mark.full
    def test_a_club_has_sixty_mailed_a_day(self, client: Client, club: Club) -> None:
        for number in range(62):
            invite(client, club, email=f"wie{number}@example.com")
            Invitation.objects.all().delete()
        assert len(mail.outbox) == 60

    @pytest.mark.full
    def test_a_mail_server_that_fails_is_reported_by_the_page_of_the_team(
        self, client: Client, club: Club, settings: Settings
    ) -> None:
        assert "bericht" not in team_page(client, club)
        settings.EMAIL_BACKEND = f"{__name__}.NoServer"
        page = invite(client, club)
        made = Invitation.objects.get()
        assert "Er is een bericht onderweg naar wim@example.org." in page
        assert f'value="{invitation_link(made)}"' in page
        assert made.mail == "failed"
        message = "Het bericht aan Wim kon niet worden verstuurd. Open “De link”"
        assert message in team_page(client, club)
        url = reverse("team_invitation", args=[club.slug, made.uuid])
        assert "Het bericht kon niet worden verstuurd." in words(client.get(url))

    @pytest.mark.full
    def test_one_that_went_out_is_not_reported(self, client: Client, club: Club) -> None:
        invite(client, club)
        assert Invitation.objects.get().mail == "sent"
        assert "kon niet worden verstuurd" not in team_page(client, club)

    def test_one_that_a_power_cut_took_along_is_reported_later(
        self, client: Client, club: Club
    ) -> None:
        with time_machine.travel(NOW, tick=False) as clock:
            invited(club)
            Invitation.objects.update(mail="under_way")
            assert "kon niet worden verstuurd" not in team_page(client, club)
            clock.shift(dt.timedelta(minutes=11))
            client.force_login(club.roles.get().user)
            assert "Het bericht aan Wim kon niet worden verstuurd." in team_page(client, club)

    def test_an_organiser_does_not_wait_for_a_mail_server_that_hangs(
        self, client: Client, club: Club, settings: Settings
    ) -> None:
        settings.EMAIL_BACKEND = f"{__name__}.Hanging"
        data = {"name": "Wim", "email": "wim@example.org", "kind": "director"}
        page = client.post(reverse("team_invite", args=[club.slug]), data, follow=True)
        assert "Er is een bericht onderweg" in words(page)
        assert Hanging.taken == []
        Hanging.go_on.set()
        mail_settles()
        assert Hanging.taken == ["wim@example.org"]
        assert f'value="{invitation_link(Invitation.objects.get())}"' in page.content.decode()

    @pytest.mark.parametrize("changes", [{"email": "nee"}, {"kind": "king"}, {"email": ""}])
    def test_what_cannot_be(self, client: Client, club: Club, changes: dict[str, str]) -> None:
        assert "Er is nog niets bewaard" in invite(client, club, **changes)
        assert not Invitation.objects.exists()

    def test_who_is_in_the_team_is_not_invited(self, client: Client, club: Club) -> None:
        email = club.roles.get().user.email.upper()
        assert f"{email} hoort al bij het team." in invite(client, club, email=email)

    @pytest.mark.full
    def test_inviting_once_more_stops_the_first_link(self, client: Client, club: Club) -> None:
        first = invited(club)
        invite(client, club, email="WIM@example.org", kind="scorekeeper")
        again = Invitation.objects.get()
        assert again.kind == "scorekeeper"
        assert Client().get(path(first)).status_code == 404
        assert Client().get(path(again)).status_code == 200

    def test_nobody_sends_invitations_without_end(self, client: Client, club: Club) -> None:
        for number in range(30):
            invited(club, email=f"wie{number}@example.com")
        assert "Er zijn 30 uitnodigingen zonder antwoord." in invite(client, club)
        assert Invitation.objects.count() == 30

    def test_it_is_withdrawn(self, client: Client, club: Club) -> None:
        invitation = invited(club)
        url = reverse("team_invitation_withdraw", args=[club.slug, invitation.uuid])
        assert "De uitnodiging van Wim intrekken?" in client.get(url).content.decode()
        page = client.post(url, follow=True).content.decode()
        assert "De uitnodiging van Wim is ingetrokken." in page
        opened = Client().get(path(invitation))
        assert opened.status_code == 404
        assert "Deze uitnodiging werkt niet meer" in opened.content.decode()
        invitation_withdraw(invitation=invitation, actor=TESTS)

    def test_that_of_another_club_is_not_found(self, client: Client, club: Club) -> None:
        invitation = invited(ClubFactory.create())
        for name in ("team_invitation", "team_invitation_withdraw"):
            url = reverse(name, args=[club.slug, invitation.uuid])
            assert client.get(url).status_code == 404
            assert client.post(url).status_code in (404, 405)
        assert Invitation.objects.count() == 1


class Hanging(SlowServer):
    go_on = threading.Event()
    taken: list[str] = []


class NoServer:
    """A mail server that cannot be reached."""

    def __init__(self, **_options: object) -> None:
        pass

    def send_messages(self, _messages: object) -> int:
        raise smtplib.SMTPServerDisconnected


class TestSayingYes:
    def test_who_has_no_login_gets_one(self, client: Client, club: Club) -> None:
        invitation = invited(club)
        stranger = Client()
        page = stranger.get(path(invitation)).content.decode()
        assert "De Vrolijke Boer vraagt u om te helpen" in page
        assert "Uw taak wordt: wedstrijdleider." in page
        answer = stranger.post(path(invitation), {"name": "Wim Bos", **PASSWORD})
        assert answer.headers["Location"] == reverse("desk", args=[club.slug])
        role = Role.objects.get(user__email="wim@example.org")
        assert (role.club, role.kind, role.user.name) == (club, "director", "Wim Bos")
        assert role.user.check_password("klaver-aas-9")
        assert stranger.session["_auth_user_id"] == str(role.user.pk)

    def test_it_works_once(self, club: Club) -> None:
        invitation = invited(club)
        Client().post(path(invitation), {"name": "Wim", **PASSWORD})
        answer = Client().post(path(invitation), {"name": "Eve", **PASSWORD})
        assert answer.status_code == 404
        assert club.roles.count() == 2

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("typed", "words_shown"),
        [
            ({"password2": "iets anders 9"}, "wachtwoord"),
            ({"password1": "geheim", "password2": "geheim"}, "wachtwoord"),
            ({"password1": "wim@example.org", "password2": "wim@example.org"}, "e-mailadres"),
            ({"name": ""}, "Uw naam"),
        ],
    )
    def test_what_is_typed_wrong_keeps_the_link(
        self, club: Club, typed: dict[str, str], words_shown: str
    ) -> None:
        invitation = invited(club)
        answer = Client().post(path(invitation), {"name": "Wim", **PASSWORD, **typed})
        assert answer.status_code == 422
        assert words_shown in answer.content.decode()
        assert not User.objects.filter(email="wim@example.org").exists()
        assert Invitation.objects.exists()

    def test_who_has_a_login_logs_in_first(self, club: Club) -> None:
        user = UserFactory.create(email="wim@example.org")
        link = path(invited(club))
        stranger = Client()
        page = stranger.get(link).content.decode()
        assert f'href="/login/?next={link}"' in page
        assert "password1" not in page
        stranger.post(link, {"name": "Eve", **PASSWORD})
        user.refresh_from_db()
        assert user.check_password("geheim")
        assert not user.roles.exists()
        stranger.force_login(user)
        assert "Ja, ik doe mee" in stranger.get(link).content.decode()
        assert not user.roles.exists()
        stranger.post(link)
        assert user.roles.get().club == club

    def test_an_unused_login_with_a_task_elsewhere_is_not_taken_over(self, club: Club) -> None:
        elsewhere = ClubFactory.create()
        role = role_grant(club=elsewhere, email="wim@example.org", kind="organiser", actor=TESTS)
        invitation = invited(club)
        Client().post(path(invitation), {"name": "Eve", **PASSWORD})
        role.user.refresh_from_db()
        assert not role.user.has_usable_password()
        with pytest.raises(DomainError) as refused:
            invitation_join(invitation=invitation, name="Eve", password="klaver-aas-9")
        assert refused.value.code == "login_exists"

    def test_a_login_that_was_never_used_nor_has_a_task_is_taken_up(self, club: Club) -> None:
        UserFactory.create(email="wim@example.org", password=None)
        Client().post(path(invited(club)), {"name": "Wim", **PASSWORD})
        assert User.objects.get(email="wim@example.org").check_password("klaver-aas-9")

    def test_it_is_for_the_invited_address_alone(self, club: Club) -> None:
        """Whoever gets hold of the link with a login of their own."""
        user = UserFactory.create(email="boss@club-b.example")
        other = Client()
        other.force_login(user)
        link = path(invited(club))
        for page in (other.get(link), other.post(link, follow=True)):
            assert "Deze uitnodiging is voor wim@example.org." in page.content.decode()
            assert "Ja, ik doe mee" not in page.content.decode()
        assert not user.roles.exists()
        left = other.post(reverse("logout"), {"next": link}, follow=True)
        assert left.redirect_chain[-1][0] == link
        assert "Kies een wachtwoord." in left.content.decode()

    def test_nobody_is_lowered_by_saying_yes(self, client: Client, club: Club) -> None:
        invitation = invited(club, kind="scorekeeper")
        UserFactory.create(email="wim@example.org")
        role = role_grant(club=club, email="wim@example.org", kind="director", actor=TESTS)
        client.force_login(role.user)
        page = client.post(path(invitation), follow=True).content.decode()
        assert "hoort al bij het team." in page
        assert club.roles.get(user=role.user).kind == "director"

    def test_it_ends_after_two_weeks(self, club: Club) -> None:
        with time_machine.travel(NOW, tick=False):
            invitation = invited(club)
        late = NOW + dt.timedelta(days=14)
        with time_machine.travel(late - dt.timedelta(seconds=1), tick=False):
            assert Client().get(path(invitation)).status_code == 200
        with time_machine.travel(late, tick=False):
            assert Client().post(path(invitation), {"name": "W", **PASSWORD}).status_code == 404
            user = UserFactory.create(email="WIM@example.org")
            with pytest.raises(DomainError) as refused:
                invitation_accept(invitation=invitation, user=user)
        assert refused.value.code == "invitation_over"
        assert club.roles.count() == 1

    def test_a_forged_link_is_none(self, club: Club) -> None:
        first, other = invited(club), invited(club, email="lies@example.org")
        forged = [(first.uuid, other.code), (first.uuid, "x"), (uuid.uuid4(), first.code)]
        forged += [(first.uuid, first.code.upper()), (first.uuid, "é")]
        for about, code in forged:
            url = reverse("invitation", args=[about, code])
            assert Client().post(url, {"name": "Eve", **PASSWORD}).status_code == 404
        assert club.roles.count() == 1

    def test_another_key_of_the_server_makes_another_link(
        self, club: Club, settings: Settings
    ) -> None:
        link = path(invited(club))
        settings.SECRET_KEY = "another"
        assert Client().get(link).status_code == 404


class TestWhoseTheAddressIs:
    """An organiser made a login for somebody else's address, by inviting it and opening the link;
    what another club then asked of that person, the organiser accepted."""

    def test_the_link_in_the_mail_shows_it(self, club: Club) -> None:
        Client().post(mailed_path(invited(club)), {"name": "Wim", **PASSWORD})
        assert User.objects.get(email="wim@example.org").email_proved_at is not None
        mail_settles()
        assert mail.outbox == []

    def test_the_link_on_the_screen_does_not(self, club: Club) -> None:
        organiser = Client()
        organiser.post(path(invited(club)), {"name": "Wim", **PASSWORD})
        user = User.objects.get(email="wim@example.org")
        assert (user.email_proved_at, user.roles.get().club) == (None, club)
        mail_settles()
        (message,) = mail.outbox
        assert message.to == ["wim@example.org"]
        assert "/account/email/confirm/" in message.body

    def test_what_another_club_asks_is_not_accepted_in_its_name(self, club: Club) -> None:
        maker = Client()
        maker.post(path(invited(club)), {"name": "Wim", **PASSWORD})
        elsewhere = invited(ClubFactory.create(), kind="organiser")
        link = path(elsewhere)
        page = maker.get(link).content.decode()
        assert "nog niet bevestigd" in page
        assert "Ja, ik doe mee" not in page
        refused = maker.post(link, follow=True).content.decode()
        assert "Bevestig eerst dat wim@example.org uw adres is." in refused
        assert not elsewhere.club.roles.exists()

        owner = Client()
        form_url = owner.get(
            password_path(User.objects.get(email="wim@example.org"), mailed_password_links)
        ).headers["Location"]
        owner.post(form_url, {"new_password1": "ruiten-vrouw-8", "new_password2": "ruiten-vrouw-8"})
        owner.post(link)
        assert elsewhere.club.roles.get().user.email == "wim@example.org"
        assert maker.get(reverse("account")).status_code == 302

    def test_who_has_the_login_and_the_mail_accepts(self, club: Club) -> None:
        user = UserFactory.create(email="wim@example.org", email_proved_at=None)
        invitation = invited(club)
        client = Client()
        client.force_login(user)
        assert "Ja, ik doe mee" in client.get(mailed_path(invitation)).content.decode()
        client.post(mailed_path(invitation))
        user.refresh_from_db()
        assert user.roles.get().club == club
        assert user.email_proved_at is not None

    def test_a_login_that_was_made_and_left_keeps_nobody_out(self, club: Club) -> None:
        """Its owner had no password for it, and without a task no mail to set one either."""
        maker = Client()
        maker.post(path(invited(club)), {"name": "Wim", **PASSWORD})
        user = User.objects.get(email="wim@example.org")
        token = token_make(user=user, name="x", scopes=["read"], actor=TESTS).token
        role_revoke(role=user.roles.get(), actor=TESTS)
        elsewhere = invited(ClubFactory.create())
        new = {"password1": "ruiten-vrouw-8", "password2": "ruiten-vrouw-8"}
        Client().post(path(elsewhere), {"name": "Wim Bos", **new})
        assert not elsewhere.club.roles.exists()
        Client().post(mailed_path(elsewhere), {"name": "Wim Bos", **new})
        user = elsewhere.club.roles.get().user
        token.refresh_from_db()
        assert (user.email, user.check_password("ruiten-vrouw-8")) == ("wim@example.org", True)
        assert token.revoked_at is not None
        assert maker.get(reverse("account")).status_code == 302

    def test_without_a_mail_server_nobody_is_asked_for_it(
        self, club: Club, settings: Settings
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
        user = UserFactory.create(email="wim@example.org", email_proved_at=None)
        client = Client()
        client.force_login(user)
        link = path(invited(club))
        assert "Ja, ik doe mee" in client.get(link).content.decode()
        client.post(link)
        assert user.roles.get().club == club

    def test_the_desk_does_not_show_the_link_in_the_mail(self, client: Client, club: Club) -> None:
        page = invite(client, club)
        made = Invitation.objects.get()
        assert made.code in page
        assert made.mailed_code not in page


def test_the_trail_tells_of_it(club: Club) -> None:
    first = invited(club)
    invitation_withdraw(invitation=first, actor=TESTS)
    second = invited(club)
    invitation_join(invitation=second, name="Wim Bos", password="klaver-aas-9")
    events = list(AuditEvent.objects.filter(club=club).order_by("-number")[:4])
    assert [line.what for line in trail_lines(events)] == [
        "Wim Bos zei ja op de uitnodiging en is nu wedstrijdleider",
        "Wim is uitgenodigd als wedstrijdleider",
        "De uitnodiging van Wim is ingetrokken",
        "Wim is uitgenodigd als wedstrijdleider",
    ]


@pytest.mark.parametrize("accepts", [True, False])
def test_erasing_somebody_takes_his_invitation_and_tokens_along(club: Club, accepts: bool) -> None:
    member: Member = MemberFactory.create(club=club, name="Wim Bos", email="wim@example.org")
    invitation = invited(club, email="WIM@example.org")
    if accepts:
        user = invitation_join(invitation=invitation, name="Willem", password="klaver-aas-9")
        token_make(user=user, name="script", scopes=["read"], actor=Actor.of_user(user))
        email_want(user=user, email="wim@home.example", actor=Actor.of_user(user))
        role_revoke(role=user.roles.get(), actor=TESTS)
    member_erase(member=member, actor=TESTS)
    assert not Invitation.objects.exists()
    assert not ApiToken.objects.exists()
    assert not User.objects.exclude(email_wanted="").exists()
    assert not AuditText.objects.filter(text__iregex="wim|willem").exists()
    assert chain_faults(Club.objects.get(pk=club.pk)) == ()
