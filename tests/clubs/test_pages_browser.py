"""The pages about people in a real browser: fit for every reader, and a code that scans."""

import io
from collections.abc import Callable

import pytest
import zxingcpp
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect

from clubs.links import absolute_url
from clubs.models import Club, Member
from clubs.services import invitation_make, token_find
from tests.conftest import OpenPage
from tests.factories import TESTS, ClubFactory, MemberFactory, organiser_of

pytestmark = pytest.mark.browser

PAGES = [
    "member_list",
    "member_add",
    "member_import",
    "club_settings",
    "club_address",
    "club_team",
    "team_invite",
    "club_trail",
]


OWN_PAGES = ["account", "account_email", "account_password", "account_logout", "token_add"]


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    MemberFactory.create(club=club, name="Jan van der Meer")
    MemberFactory.create(club=club, name="Piet Gast", kind=Member.Kind.GUEST)
    return club


def log_in(page: Page, club: Club) -> None:
    page.goto(reverse("login"))
    page.get_by_label("E-mailadres").fill(organiser_of(club).email)
    page.get_by_label("Wachtwoord").fill("geheim")
    page.get_by_role("main").get_by_role("button", name="Inloggen").click()


def test_the_doors_keep_nobody_out(phone: Page, club: Club, axe: Callable[[Page], None]) -> None:
    for name in ("home", "login", "password_reset"):
        phone.goto(reverse(name))
        axe(phone)


def test_every_page_is_fit_for_every_reader(
    phone: Page, club: Club, axe: Callable[[Page], None]
) -> None:
    log_in(phone, club)
    invitation = invitation_make(club=club, email="w@example.org", kind="director", actor=TESTS)
    pages = [reverse(name, args=[club.slug]) for name in PAGES]
    pages += [reverse("team_invitation", args=[club.slug, invitation.uuid])]
    pages += [reverse(name) for name in OWN_PAGES]
    pages += [reverse("invitation", args=[invitation.uuid, invitation.code])]
    for page in pages:
        phone.goto(page)
        axe(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, page


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
    assert token_find(phone.get_by_label("website").input_value()) is not None


def test_the_code_on_the_address_page_can_be_scanned(desktop: Page, club: Club) -> None:
    log_in(desktop, club)
    desktop.goto(reverse("club_address", args=[club.slug]))
    picture = Image.open(io.BytesIO(desktop.locator(".qr-card").screenshot()))
    (code,) = zxingcpp.read_barcodes(picture)
    assert code.text == absolute_url(club, club.get_absolute_url())


@pytest.mark.parametrize("said", ["Kort.", "Een regel die langer is dan een alinea breed is. " * 3])
def test_a_button_stands_beside_its_line_however_long_that_is(desktop: Page, said: str) -> None:
    desktop.goto(reverse("home"))
    row = f'<p class="row"><span>{said}</span> <a class="button" href="#">Verder</a></p>'
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
