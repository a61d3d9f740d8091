"""Joining a team, and a code that scans."""

import io
from collections.abc import Callable

import pytest
import zxingcpp
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.accounts.invitations import invitation_make
from clubs.accounts.services import api_token_find
from clubs.models import Club, Member
from clubs.profile.services import phone_check_url
from tests.browser.login import log_in
from tests.devices import OpenPage
from tests.factories import TESTS, ClubFactory, MemberFactory

pytestmark = pytest.mark.browser


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    MemberFactory.create(club=club, name="Jan van der Meer")
    MemberFactory.create(club=club, name="Piet Gast", kind=Member.Kind.GUEST)
    return club


def test_somebody_joins_and_makes_a_token(
    open_phone: OpenPage, club: Club, axe: Callable[[Page], None]
) -> None:
    invitation = invitation_make(club=club, email="w@example.org", kind="director", actor=TESTS)
    phone = open_phone()
    phone.goto(reverse("invitation", args=[invitation.uuid, invitation.code]))
    axe(phone)
    phone.get_by_label("Uw naam").fill("Wim")
    for label in ("Kies een wachtwoord", "Nog een keer hetzelfde wachtwoord"):
        phone.get_by_label(label).fill("klaver-aas-9")
    phone.get_by_role("button", name="Ja, ik doe mee").click()
    expect(phone.get_by_text("U hoort bij het team van De Vrolijke Boer.")).to_be_visible()
    phone.goto(reverse("token_add"))
    phone.get_by_label("Waar is het voor?").fill("website")
    phone.get_by_label("Uw wachtwoord nu").fill("klaver-aas-9")
    phone.get_by_role("button", name="Token maken").click()
    axe(phone)
    assert api_token_find(phone.get_by_label("website").input_value()) is not None


@pytest.mark.full
def test_the_code_on_the_address_page_can_be_scanned_and_its_buttons_stand_beside_their_lines(
    desktop: Page, club: Club, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    desktop.goto(reverse("club_address", args=[club.slug]))
    picture = Image.open(io.BytesIO(desktop.locator(".qr-card").screenshot()))
    (code,) = zxingcpp.read_barcodes(picture)
    assert code.text == phone_check_url(club)

    for line in ("Kort.", "Een regel die langer is dan een alinea breed is. " * 3):
        row = f'<p class="row"><span>{line}</span> <a class="button" href="#">Verder</a></p>'
        desktop.get_by_role("main").evaluate("(main, row) => { main.innerHTML = row }", row)
        words, button = (
            desktop.locator(f".row > {part}").evaluate(
                "one => { const box = one.getBoundingClientRect(); return [box.left, box.right, "
                "Math.round(box.top + box.height / 2)] }"
            )
            for part in ("span", "a")
        )
        assert words[1] < button[0]
        assert words[2] == pytest.approx(button[2], abs=1)
