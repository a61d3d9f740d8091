"""Passkeys in a real browser, with an authenticator that Chromium plays; codes and their pages."""

import re
from collections.abc import Callable

import pyotp
import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Passkey, User
from tests.devices import OpenPage
from tests.factories import ClubFactory, organiser_of

pytestmark = pytest.mark.browser
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


@pytest.fixture
def boss(club: Club) -> User:
    return organiser_of(club)


def log_in(page: Page, user: User, address: str) -> None:
    """Give this browser a session of this person."""
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def type_password(page: Page, user: User) -> None:
    page.goto(reverse("login"))
    page.get_by_label("E-mailadres").fill(user.email)
    page.get_by_label("Wachtwoord").fill("geheim")
    page.get_by_role("main").get_by_role("button", name="Inloggen", exact=True).click()
    expect(page.get_by_role("heading", name="Nog één stap")).to_be_visible()


def with_authenticator(page: Page) -> Page:
    """A browser on a device that has a finger on it whenever it asks for one."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable", {"enableUI": False})
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return page


def test_somebody_makes_a_passkey_and_logs_in_with_it(
    open_desktop: OpenPage,
    club: Club,
    boss: User,
    live_server: LiveServer,
    axe: Callable[[Page], None],
) -> None:
    page = with_authenticator(open_desktop())
    log_in(page, boss, live_server.url)
    page.goto(reverse("account_security"))
    page.get_by_role("link", name="Toevoegen").click()
    page.get_by_label("Hoe noemt u hem?").fill("mijn laptop")
    page.get_by_label("Uw wachtwoord nu").fill("fout")
    page.get_by_role("button", name="Passkey maken").click()
    expect(page.get_by_text("Dit is niet uw wachtwoord.")).to_be_visible()
    axe(page)
    page.get_by_label("Uw wachtwoord nu").fill("geheim")
    page.get_by_role("button", name="Passkey maken").click()
    expect(page.get_by_role("heading", name="Uw herstelcodes")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Ik heb ze").click()
    expect(page.get_by_text("Passkey: mijn laptop")).to_be_visible()
    axe(page)

    page.get_by_role("button", name="Uitloggen").click()
    page.goto(reverse("login"))
    page.get_by_role("button", name="Inloggen met een passkey").click()
    expect(page.get_by_role("button", name="Uitloggen")).to_be_visible()
    assert page.url.endswith(reverse("desk", args=[club.slug]))

    page.get_by_role("button", name="Uitloggen").click()
    type_password(page, boss)
    axe(page)
    page.get_by_role("button", name="Inloggen met een passkey").click()
    expect(page.get_by_role("button", name="Uitloggen")).to_be_visible()
    assert Passkey.objects.get().sign_count > 1


@pytest.mark.full
def test_a_telephone_scans_the_code_and_a_recovery_code_works_too(
    open_phone: OpenPage,
    club: Club,
    boss: User,
    live_server: LiveServer,
    axe: Callable[[Page], None],
) -> None:
    page = open_phone()
    log_in(page, boss, live_server.url)
    page.goto(reverse("login_codes"))
    axe(page)
    secret = (page.locator("figcaption").text_content() or "").replace(" ", "")
    page.get_by_label("De zes cijfers op uw telefoon").fill(pyotp.TOTP(secret).now())
    page.get_by_label("Uw wachtwoord nu").fill("geheim")
    page.get_by_role("button", name="Codes aanzetten").click()
    expect(page.get_by_role("heading", name="Uw herstelcodes")).to_be_visible()
    code = page.locator("main ol .num").first.text_content() or ""
    assert re.fullmatch(r"[A-Z2-9 ]{19}", code)

    page.context.clear_cookies()
    type_password(page, boss)
    axe(page)
    page.get_by_role("link", name="Een herstelcode gebruiken").click()
    page.get_by_label("Een van uw herstelcodes").fill(code)
    page.get_by_role("main").get_by_role("button", name="Inloggen").click()
    expect(page).to_have_url(re.compile(reverse("desk", args=[club.slug])))
