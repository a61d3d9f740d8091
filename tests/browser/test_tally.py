"""The counting aid: tap what was taken, and the points are filled in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import Phone
from tests.factories import ClubFactory, regulation_of
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


class Tally(Phone):
    """A hand that counts with the aid."""

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


@pytest.fixture
def tally(phone: Page) -> Tally:
    """The aid at a table where no-trump is not played."""
    phone.goto(link(playing()))
    return Tally(phone)


@pytest.fixture
def tally_of_more(phone: Page) -> Tally:
    """The aid at a table where no-trump is played."""
    club = ClubFactory.create()
    regulation = regulation_of(club, "thousand-and-one")
    phone.goto(link(playing(club=club, regulation=regulation)))
    return Tally(phone)


def points(page: Page, end: str) -> Locator:
    """What is filled in for a side: `ns` or `ew`."""
    return page.locator(f"#id_points_{end}")


def test_what_the_side_that_counts_took_is_added_up_and_filled_in(tally: Tally) -> None:
    tally.who("NS")
    tally.open()
    tally.adds_up("Zij 0 · Wij 162")
    tally.took("Azen", 2)  # 22
    tally.took("Tienen", 1)  # 10
    tally.took("Heren", 3)  # 12
    tally.took("Vrouwen", 1)  # 3
    tally.took("Boeren", 2)  # 4
    tally.tick("Nel")  # 14
    tally.adds_up("Zij 65 · Wij 97")
    tally.fill()
    expect(tally.dialog).to_be_hidden()
    expect(points(tally.page, "ew")).to_have_value("65")
    tally.reads("Wij 97, zij 65: gehaald")
    tally.write(1)
    expect(tally.page.get_by_text("Geschreven: spel 1, 97–65")).to_be_visible()


def test_everything_is_all_the_points_of_a_deal(tally: Tally) -> None:
    tally.open()
    for cards in ("Azen", "Tienen", "Heren", "Vrouwen"):
        tally.took(cards, 4)
    tally.took("Boeren", 3)
    for one in ("Troefboer", "Nel", "Laatste slag"):
        tally.tick(one)
    tally.adds_up("Zij 162 · Wij 0")


def test_the_other_side_counts_as_well(tally: Tally) -> None:
    tally.who("NS")
    tally.open()
    tally.tick("Wij")
    tally.took("Azen", 4)
    tally.took("Tienen", 4)
    tally.tick("Laatste slag")
    tally.adds_up("Wij 94 · Zij 68")
    tally.fill()
    expect(points(tally.page, "ns")).to_have_value("94")
    expect(points(tally.page, "ew")).to_have_value("")


def test_where_no_trump_is_played_it_asks_the_trump_first(tally_of_more: Tally) -> None:
    tally = tally_of_more
    tally.who("NS")
    tally.open()
    expect(tally.dialog.get_by_role("group", name="Azen")).to_be_hidden()
    tally.tick("zonder troef")
    expect(tally.page.locator(".deal-trump input[value=NT]")).to_be_checked()
    tally.adds_up("Zij 0 · Wij 130")
    expect(tally.dialog.locator("label", has_text="Nel")).to_be_hidden()
    for cards in ("Azen", "Tienen", "Heren", "Vrouwen", "Boeren"):
        tally.took(cards, 4)
    tally.tick("Laatste slag")
    tally.adds_up("Zij 130 · Wij 0")


def test_another_trump_counts_the_jacks_anew(tally_of_more: Tally) -> None:
    tally = tally_of_more
    tally.tap(tally.page.locator(".deal-trump label:has([value=NT])"))
    tally.open()
    tally.took("Boeren", 4)
    tally.adds_up("Zij 8 · Wij 122")
    tally.page.keyboard.press("Escape")
    tally.trump("H")
    tally.open()
    tally.adds_up("Zij 6 · Wij 156")


def test_back_fills_in_nothing_and_what_was_tapped_stays(tally: Tally) -> None:
    tally.open()
    tally.took("Azen", 3)
    tally.tap(tally.dialog.get_by_role("button", name="Terug"))
    expect(tally.dialog).to_be_hidden()
    expect(points(tally.page, "ew")).to_have_value("")
    tally.open()
    tally.adds_up("Zij 33 · Wij 129")


def test_it_works_by_the_keyboard_and_keeps_nobody_out(
    tally: Tally, axe: Callable[[Page], None]
) -> None:
    page = tally.page
    page.get_by_role("button", name="telhulp").focus()
    page.keyboard.press("Enter")
    axe(page)
    tally.dialog.get_by_role("group", name="Azen").get_by_role("radio", name="0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("7")  # says nothing here
    tally.adds_up("Zij 22 · Wij 140")
    page.keyboard.press("Escape")
    expect(tally.dialog).to_be_hidden()
    expect(points(page, "ew")).to_have_value("")
    page.keyboard.press("Enter")  # the key that opened it listens again
    tally.adds_up("Zij 22 · Wij 140")
    tally.dialog.get_by_role("group", name="Heren").get_by_role("radio", name="0").focus()
    page.keyboard.press("Enter")
    expect(tally.dialog).to_be_hidden()
    expect(points(page, "ew")).to_have_value("22")


@pytest.mark.parametrize("size", [(390, 844), (360, 640)], ids=str)
def test_all_of_it_is_on_one_screen(tally: Tally, size: tuple[int, int]) -> None:
    tally.page.set_viewport_size({"width": size[0], "height": size[1]})
    tally.open()
    keys = tally.dialog.locator(":is(button, .segmented label)").locator("visible=true")
    for key in keys.all():
        box = key.bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
        assert box["height"] >= 55.9
        assert box["width"] >= 44
