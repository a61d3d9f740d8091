"""The manual on a phone and on a computer: read, searched, and open to everybody."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.devices import box_of
from tests.tournaments.table_pages import link, playing
from tournaments.manual.pages import CHAPTERS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Check = Callable[[Page], None]


@pytest.mark.full
def test_nothing_in_the_manual_keeps_somebody_out(phone: Page, axe: Check) -> None:
    for path in ("/help/", "/help/?q=wifi", *(f"/help/{one.slug}/" for one in CHAPTERS)):
        phone.goto(path)
        axe(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, path


@pytest.mark.full
def test_somebody_who_is_lost_at_the_table_finds_roem_and_comes_back(
    phone: Page, axe: Check
) -> None:
    address = link(playing())
    phone.goto(address)
    phone.get_by_role("button", name="meer …").tap()
    question = phone.get_by_role("link", name="En roem?")
    assert min(box_of(question)["width"], box_of(question)["height"]) >= 44
    axe(phone)
    question.tap()
    expect(phone.get_by_role("heading", name="Roem", exact=True)).to_be_in_viewport()
    phone.get_by_role("link", name="Terug naar waar u was").tap()
    expect(phone).to_have_url(re.compile(f"{address}$"))


@pytest.mark.full
def test_a_question_mark_is_large_enough_and_says_what_about(desktop: Page) -> None:
    playing()
    desktop.goto("/t")
    mark = desktop.get_by_role("link", name="Help: Zonder camera: de pincode")
    assert min(box_of(mark)["width"], box_of(mark)["height"]) >= 44
    mark.click()
    expect(desktop.get_by_role("heading", name="Zonder camera: de pincode")).to_be_in_viewport()


def test_words_are_looked_for_from_any_chapter(desktop: Page) -> None:
    desktop.goto("/help/player/")
    desktop.get_by_label("Zoek in de handleiding").fill("invaller")
    desktop.keyboard.press("Enter")
    desktop.get_by_role("link", name="Een invaller", exact=True).first.click()
    expect(desktop.get_by_role("heading", name="Een invaller", exact=True)).to_be_in_viewport()
