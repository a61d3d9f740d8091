"""An organiser brings an old season along, joins a guest to a member and takes both back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.login import log_in
from tests.factories import ClubFactory, MemberFactory
from tournaments.models import PastResult

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = "/clubs/vrolijke-boer/desk/"
RESULTS = "datum;speler;punten\n2025-01-06;Jan Baker;4.810\n2025-01-06;Mia Kok;4620\n"


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    club: Club = ClubFactory.create()
    MemberFactory.create(club=club, name="Jan Bakker")
    return club


@pytest.mark.full
def test_an_old_season_comes_along(
    desktop: Page, axe: Callable[[Page], None], club: Club, live_server: LiveServer
) -> None:
    page = desktop
    log_in(page, club, live_server.url)
    page.goto(f"{DESK}seasons/")
    page.get_by_role("link", name="Uitslagen van vroeger").click()
    page.wait_for_url(f"**{DESK}import/")
    axe(page)
    page.get_by_role("link", name="Uitslagen inlezen").click()
    page.wait_for_url(f"**{DESK}import/results/")
    axe(page)
    page.get_by_label("In welk seizoen?").select_option("een nieuw seizoen")
    page.get_by_label("Naam van een nieuw seizoen").fill("2024-2025")
    file = FilePayload(name="oud.csv", mimeType="text/csv", buffer=RESULTS.encode())
    page.get_by_label("Bestand").set_input_files(file)
    page.get_by_role("button", name="Laat zien wat er komt").click()
    page.get_by_role("group", name="Jan Baker").get_by_label("iemand anders").check()
    axe(page)
    page.get_by_role("button", name="Verwerk dit en laat het opnieuw zien").click()
    page.get_by_role("button", name="Ja, lees dit in").click()
    expect(page.get_by_role("heading", name="oud.csv is ingelezen")).to_be_visible()
    axe(page)
    assert PastResult.objects.count() == 2

    page.get_by_role("link", name="Gasten die lid blijken te zijn").click()
    axe(page)
    page.get_by_role("link", name="Bekijk").click()
    axe(page)
    page.get_by_role("button", name="Ja, dezelfde persoon").click()
    expect(page.get_by_text("Jan Baker is nu Jan Bakker.")).to_be_visible()
    page.goto(f"{DESK}members/merges/")
    page.get_by_role("link", name="Uit elkaar").click()
    axe(page)
    page.get_by_role("button", name="Ja, twee mensen").click()
    expect(page.get_by_text("Jan Baker en Jan Bakker zijn weer twee mensen.")).to_be_visible()

    page.goto(f"{DESK}import/")
    page.get_by_role("link", name="oud.csv").click()
    page.get_by_role("link", name="Terugnemen").click()
    axe(page)
    page.get_by_role("button", name="Ja, terugnemen").click()
    expect(page.get_by_text("Wat uit oud.csv kwam, is weer weg.")).to_be_visible()
    assert not PastResult.objects.exists()
    assert [member.name for member in Member.objects.of(club)] == ["Jan Bakker"]


MEMBERS = (
    "Ledenlijst De Vrolijke Boer\n\nNr;Naam;Tel;Mail;Soort\n"
    "1;BAKKER, Jan;622334455;;A\n2;Mia Kok;;mia@;A\n3;Jan Baker;;;B\n;Totaal leden: 3;;;\n"
)


@pytest.mark.full
def test_a_list_of_members_is_read_in_on_a_phone_and_taken_back(
    phone: Page, axe: Callable[[Page], None], club: Club, live_server: LiveServer
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto(f"{DESK}members/import/")
    file = FilePayload(name="leden.csv", mimeType="text/csv", buffer=MEMBERS.encode())
    phone.get_by_label("Bestand met de leden").set_input_files(file)
    phone.get_by_role("button", name="Bekijk de lijst").click()
    expect(phone.get_by_text("“Totaal leden: 3”").first).to_be_visible()
    axe(phone)
    for fold in phone.locator("summary").all():
        fold.click()
    expect(phone.get_by_text("“Totaal leden: 3”: een totaal of opmerking")).to_be_visible()
    axe(phone)
    phone.get_by_label("E-mailadres").fill("mia@example.org")
    phone.get_by_label("Jan Baker is iemand anders").check()
    phone.get_by_label("Soort").select_option("tussenvoegsel (van, de)")
    phone.get_by_role("button", name="Kijk opnieuw").click()
    phone.get_by_text("Wat staat er in elke kolom?").click()
    phone.get_by_label("Soort").select_option("niet inlezen")
    phone.get_by_role("button", name="Kijk opnieuw").click()
    expect(phone.get_by_text("Kolommen die niet worden gelezen")).to_be_visible()
    phone.get_by_role("button", name="Ja, lees dit in").click()
    expect(phone.get_by_text("Ingelezen: 2 nieuw, 1 gewijzigd, 0 ongewijzigd.")).to_be_visible()
    axe(phone)
    assert list(Member.objects.of(club).order_by("number").values_list("name", "phone")) == [
        ("Jan Bakker", "0622334455"),
        ("Mia Kok", ""),
        ("Jan Baker", ""),
    ]
    phone.get_by_role("link", name="Terugnemen").click()
    axe(phone)
    phone.get_by_role("button", name="Ja, terugnemen").click()
    expect(phone.get_by_text("Wat uit leden.csv kwam, is weer weg.")).to_be_visible()
    assert list(Member.objects.of(club).values_list("name", "phone")) == [("Jan Bakker", "")]
