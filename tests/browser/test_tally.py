"""The counting aid: tap what was taken, and the points are filled in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.deal_screen import DealScreen
from tests.factories import ClubFactory, regulation_of
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Tally(DealScreen):
    """Somebody who counts with the aid."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.dialog = page.get_by_role("dialog", name="telhulp")

    def open(self) -> None:
        self.tap(self.page.get_by_role("button", name="telhulp"))

    def took(self, cards: str, how_many: int) -> None:
        group = self.dialog.get_by_role("group", name=cards)
        self.tap(group.locator("label", has_text=str(how_many)))

    def tick(self, what: str) -> None:
        self.tap(self.dialog.locator("label", has_text=what))

    def adds_up(self, words: str) -> None:
        expect(self.dialog.get_by_role("status")).to_have_text(words)

    def fill(self) -> None:
        self.tap(self.dialog.get_by_role("button", name="Vul in"))
        expect(self.dialog).to_be_hidden()

    def filled_in(self, end: str) -> Locator:
        """What is filled in for a side: `ns` or `ew`."""
        return self.page.locator(f"#id_points_{end}")


def all_on_one_screen(tally: Tally) -> None:
    for width, height in ((390, 844), (360, 640)):
        tally.page.set_viewport_size({"width": width, "height": height})
        keys = tally.dialog.locator(":is(button, .segmented label)").locator("visible=true")
        for box in keys.evaluate_all("keys => keys.map(key => key.getBoundingClientRect())"):
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height
            assert box["height"] >= 55.9
            assert box["width"] >= 44


@pytest.mark.full
def test_what_a_side_took_is_added_up_and_filled_in(phone: Page) -> None:
    phone.goto(link(playing()))
    tally = Tally(phone)
    tally.declarer("NS")
    tally.open()
    all_on_one_screen(tally)
    tally.adds_up("Zij 0 · Wij 162")
    tally.took("Azen", 3)
    tally.tap(tally.dialog.get_by_role("button", name="Terug"))
    expect(tally.dialog).to_be_hidden()
    expect(tally.filled_in("ew")).to_have_value("")  # back fills in nothing
    tally.open()
    tally.adds_up("Zij 33 · Wij 129")  # and what was tapped stays
    tally.took("Azen", 2)  # 22
    tally.took("Tienen", 1)  # 10
    tally.took("Heren", 3)  # 12
    tally.took("Vrouwen", 1)  # 3
    tally.took("Boeren", 2)  # 4
    tally.tick("Nel")  # 14
    tally.adds_up("Zij 65 · Wij 97")
    tally.fill()
    expect(tally.filled_in("ew")).to_have_value("65")
    tally.reads("Wij 97, zij 65: gehaald")
    tally.write(1)
    tally.is_written("1, 97–65")

    tally.declarer("NS")
    tally.open()
    tally.tick("Wij")
    for cards in ("Azen", "Tienen"):
        tally.took(cards, 4)
    tally.tick("Laatste slag")
    tally.adds_up("Wij 94 · Zij 68")
    for cards in ("Heren", "Vrouwen"):
        tally.took(cards, 4)
    tally.took("Boeren", 3)
    for card in ("Troefboer", "Nel"):
        tally.tick(card)
    tally.adds_up("Wij 162 · Zij 0")
    tally.fill()
    expect(tally.filled_in("ns")).to_have_value("162")
    expect(tally.filled_in("ew")).to_have_value("")


@pytest.mark.full
def test_where_no_trump_is_played_it_asks_the_trump_first(phone: Page) -> None:
    club = ClubFactory.create()
    phone.goto(link(playing(club=club, regulation=regulation_of(club, "thousand-and-one"))))
    tally = Tally(phone)
    tally.declarer("NS")
    tally.open()
    expect(tally.dialog.get_by_role("group", name="Azen")).to_be_hidden()
    tally.tick("zonder troef")
    expect(phone.locator(".deal-trump input[value=NT]")).to_be_checked()
    tally.adds_up("Zij 0 · Wij 130")
    expect(tally.dialog.locator("label", has_text="Nel")).to_be_hidden()
    tally.took("Boeren", 4)
    tally.adds_up("Zij 8 · Wij 122")
    phone.keyboard.press("Escape")
    tally.trump("H")
    tally.open()
    tally.adds_up("Zij 6 · Wij 156")  # another trump counts the jacks anew
    phone.keyboard.press("Escape")
    tally.trump("NT")
    tally.open()
    for cards in ("Azen", "Tienen", "Heren", "Vrouwen", "Boeren"):
        tally.took(cards, 4)
    tally.tick("Laatste slag")
    tally.adds_up("Zij 130 · Wij 0")


def test_it_works_by_the_keyboard_and_keeps_nobody_out(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    phone.goto(link(playing()))
    tally, keyboard = Tally(phone), phone.keyboard
    phone.get_by_role("button", name="telhulp").focus()
    keyboard.press("Enter")
    axe(phone)
    tally.dialog.get_by_role("group", name="Azen").get_by_role("radio", name="0").focus()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    keyboard.press("7")  # says nothing here
    tally.adds_up("Zij 22 · Wij 140")
    keyboard.press("Escape")
    expect(tally.dialog).to_be_hidden()
    expect(tally.filled_in("ew")).to_have_value("")
    keyboard.press("Enter")  # the key that opened it listens again
    tally.adds_up("Zij 22 · Wij 140")
    tally.dialog.get_by_role("group", name="Heren").get_by_role("radio", name="0").focus()
    keyboard.press("Enter")
    expect(tally.dialog).to_be_hidden()
    expect(tally.filled_in("ew")).to_have_value("22")
