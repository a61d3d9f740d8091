"""The pages about people in a real browser: fit for every reader, and a code that scans."""

import io
from collections.abc import Callable

import pytest
import zxingcpp
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page

from clubs.links import absolute_url
from clubs.models import Club, Member
from tests.factories import ClubFactory, MemberFactory, organiser_of

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
    for name in PAGES:
        phone.goto(reverse(name, args=[club.slug]))
        axe(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, name


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
