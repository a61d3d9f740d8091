"""An organiser downloads everything, puts it back, and takes the club to another computer."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from clubs.profile.services import club_create, role_grant
from scoring.audit.verify import faults
from tests.factories import TESTS, MemberFactory
from tests.flushing import rows_delete
from tests.tournaments.copies import work_ended

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COPIES = "/clubs/klaver-zes/desk/copies/"
WORKED_OUT = 300_000
"""A file is checked in a database of its own, which is made first: on a busy machine that takes
half a minute."""


@pytest.fixture
def club(live_server: LiveServer) -> Iterator[Club]:
    club = club_create(slug="klaver-zes", name="Klaver Zes", actor=TESTS)
    role = role_grant(club=club, email="anna@example.org", kind="organiser", actor=TESTS)
    role.user.set_password("geheim")
    role.user.save()
    for name in ("Jan de Boer", "Mia Kok"):
        MemberFactory.create(club=club, name=name)
    with work_ended():
        yield club


def log_in(page: Page, club: Club, address: str) -> None:
    """As the organiser of whom the trail tells: a copy with another is refused."""
    client = Client()
    client.force_login(club.roles.get().user)
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def download(page: Page, folder: Path) -> Path:
    page.goto(COPIES)
    page.get_by_role("button", name="Maak een bestand met alles").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="Bestand downloaden").click()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path


@pytest.mark.both
@pytest.mark.full
def test_a_copy_is_made_put_back_and_taken_along(
    desktop: Page, axe: Callable[[Page], None], club: Club, live_server: LiveServer, tmp_path: Path
) -> None:
    page = desktop
    log_in(page, club, live_server.url)
    page.goto("/clubs/klaver-zes/desk/settings/")
    page.get_by_role("link", name="Reservekopie").click()
    axe(page)
    file = download(page, tmp_path)
    axe(page)
    MemberFactory.create(club=club, name="Verkeerd Persoon")

    broken = tmp_path / "kapot.club"
    broken.write_bytes(file.read_bytes()[:-500])
    page.goto(COPIES)
    expect(page.get_by_text("Het laatst gedownload op")).to_be_visible()
    page.get_by_label("Bestand met de kopie").set_input_files(broken)
    page.get_by_role("button", name="Controleer deze kopie").click()
    expect(page.get_by_text("kapot.club is geen clubbestand van Klaverclub")).to_be_visible()
    axe(page)
    assert Member.objects.filter(club=club).count() == 3

    page.get_by_role("link", name="Terug", exact=True).click()
    page.get_by_label("Bestand met de kopie").set_input_files(file)
    page.get_by_role("button", name="Controleer deze kopie").click()
    expect(page.get_by_text("Deze kopie is in orde.")).to_be_visible(timeout=WORKED_OUT)
    axe(page)
    page.get_by_label("Typ voor de zekerheid").fill("klaver zes")
    page.get_by_role("button", name="Zet deze kopie terug").click()
    expect(page.get_by_text("De kopie is teruggezet.")).to_be_visible(timeout=WORKED_OUT)
    assert sorted(member.name for member in Member.objects.all()) == ["Jan de Boer", "Mia Kok"]
    assert list(faults()) == []

    rows_delete("default")
    page.context.clear_cookies()
    page.goto("/")
    page.get_by_role("link", name="Ik heb een kopie van mijn club").click()
    axe(page)
    page.get_by_label("Bestand met de kopie").set_input_files(file)
    page.get_by_role("button", name="Controleer deze kopie").click()
    page.get_by_role("button", name="Zet deze club op deze computer").click(timeout=WORKED_OUT)
    page.get_by_role("link", name="anna@example.org kiest een wachtwoord").click(timeout=WORKED_OUT)
    page.get_by_label("Nieuw wachtwoord", exact=True).fill("klaver-zes-boer")
    page.get_by_label("Nog een keer hetzelfde wachtwoord").fill("klaver-zes-boer")
    page.get_by_role("main").locator("button[type=submit]").click()
    page.goto(COPIES)
    expect(page.get_by_text("Hier is nog niets gedownload.")).to_be_visible()
    assert Member.objects.filter(club__slug="klaver-zes").count() == 2


@pytest.mark.full
def test_a_folder_is_chosen(
    phone: Page, axe: Callable[[Page], None], club: Club, live_server: LiveServer, tmp_path: Path
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto(COPIES)
    phone.get_by_role("link", name="Kies een map of een stick").click()
    axe(phone)
    phone.get_by_role("textbox").fill(str(tmp_path))
    phone.get_by_role("button", name="Bewaar deze map").click()
    expect(phone.get_by_text("Vanaf nu gaan de kopieën naar deze map.")).to_be_visible()
    axe(phone)
