"""The club's rules in a real browser: on paper at most two pages, and for everybody on screen."""

import datetime as dt
from collections.abc import Callable
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from scoring.regulations.services import NoteText, rule_notes_save
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory, EveningFactory, regulation_of
from tests.pdfs import page_texts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATH = "/clubs/vrolijke-boer/rules/"
EDIT = "/clubs/vrolijke-boer/desk/rules/"
TOPICS = ["dealing", "signalling", "out_of_turn", "counting", "other"]
A4 = (595, 842)


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """Who plays to a thousand and one has the most rules to read."""
    club = ClubFactory.create()
    regulation = regulation_of(club, "thousand-and-one")
    EveningFactory.create(club=club, date=dt.date(2026, 11, 28), regulation=regulation)
    club.evenings.update(first_trump_clubs=True, maker_holds_trump=True, reneging_escalates=True)
    text = "Wie zich vergist, zegt het meteen; de anderen beslissen samen.\n" * 3
    rule_notes_save(
        club=club,
        notes=dict.fromkeys(TOPICS, NoteText(text, "")),
        seen_version=club.rule_notes_version,
        actor=TESTS,
    )
    return club


@pytest.mark.full
def test_the_rules_are_read_and_print_on_two_pages_as_a_rule_sheet(
    desktop: Page, club: Club, axe: Callable[[Page], None]
) -> None:
    desktop.goto(PATH)
    axe(desktop)
    desktop.get_by_role("link", name="Onze eigen regels", exact=True).click()
    expect(desktop.get_by_role("heading", name="Onze eigen regels")).to_be_in_viewport()
    desktop.goto(PATH)
    paper = desktop.pdf(prefer_css_page_size=True)
    boxes = [page.mediabox for page in PdfReader(BytesIO(paper)).pages]
    assert [(round(box.width), round(box.height)) for box in boxes] == [A4, A4]
    # Where letters stand apart pdftotext takes each for a word.
    text = "".join("".join(page_texts(paper)).split())
    assert text.startswith("DeVrolijkeBoerZospelenwijDeregelsopzaterdag28november2026")
    assert text.endswith("ReglementDuizend-en-een,versie1,geldtop28november2026.")
    assert "Afdrukken" not in text
    assert text.count("deanderenbeslissensamen.") == 15


@pytest.mark.full
def test_two_organisers_at_once_lose_nothing(
    phone: Page, live_server: LiveServer, club: Club, axe: Callable[[Page], None]
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto(PATH)
    phone.get_by_role("link", name="Onze eigen regels", exact=True).click()
    expect(phone.get_by_role("heading", name="Onze eigen regels")).to_be_in_viewport()
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    phone.goto(EDIT)
    axe(phone)
    club.refresh_from_db()
    rule_notes_save(
        club=club,
        notes={"other": NoteText("Koffie om negen.", "")},
        seen_version=club.rule_notes_version,
        actor=TESTS,
    )
    phone.get_by_label("Verder (mag leeg blijven)").fill("Thee om negen.")
    phone.get_by_role("button", name="Eigen regels bewaren").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Iemand anders was u net voor")
    expect(phone.get_by_text("Koffie om negen.")).to_be_visible()
    axe(phone)
    phone.get_by_role("button", name="Zo bewaren").click()
    expect(phone.get_by_text("Uw regels zijn bewaard.")).to_be_visible()
    expect(phone.get_by_text("Thee om negen.")).to_be_visible()
