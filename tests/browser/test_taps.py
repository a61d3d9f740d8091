"""How many taps a deal takes: the acts beyond the digits are counted."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import DealEntry
from tests.browser.hands import Phone
from tests.factories import ClubFactory, regulation_of, table, write_deal
from tests.tournaments.table_pages import link, playing, playing_three

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def hand(phone: Page) -> Phone:
    """A hand at a table where the regulation leaves who plays to the players."""
    phone.goto(link(playing()))
    return Phone(phone)


def beyond(hand: Phone, digits: str) -> int:
    """The taps that were no digits."""
    return hand.taps - len(digits)


def written(page: Page, words: str) -> None:
    """Wait for the words that say what is on the sheet."""
    expect(page.get_by_text(f"Geschreven: spel {words}")).to_be_visible()


def test_an_ordinary_deal_takes_three_acts(hand: Phone) -> None:
    hand.who("NS")
    hand.trump("H")
    hand.points("65")
    hand.write(1)
    written(hand.page, "1, 97–65")
    assert beyond(hand, "65") == 3
    assert DealEntry.objects.get().written == {
        "declarer": "NS",
        "trump": "H",
        "points": {"EW": 65},
    }


def test_where_trump_is_not_kept_it_takes_two(hand: Phone) -> None:
    hand.who("EW")
    hand.points("62")
    hand.write(1)
    written(hand.page, "1, 62–100")
    assert beyond(hand, "62") == 2


def test_where_the_regulation_says_who_plays_it_takes_one(phone: Page) -> None:
    club = ClubFactory.create()
    phone.goto(link(playing(club=club, regulation=regulation_of(club, "utrecht"))))
    hand = Phone(phone)
    hand.points("70")
    hand.write(1)
    written(phone, "1, 92–70")
    assert beyond(hand, "70") == 1


def test_at_a_table_of_three_it_takes_two(phone: Page) -> None:
    evening, three = playing_three()
    phone.goto(link(evening, three.number))
    hand = Phone(phone)
    hand.who("E")
    hand.points("62")
    hand.write(1)
    written(phone, "1, 100–62")
    assert beyond(hand, "62") == 2


def test_each_roem_is_one_tap(hand: Phone) -> None:
    hand.who("NS")
    hand.points("65")
    before = hand.taps
    hand.roem("wij", "20")
    hand.roem("wij", "50")
    hand.roem("zij", "stuk")
    assert hand.taps - before == 3
    hand.reads("Wij 97 + 70 roem = 167, zij 65 + 20 roem = 85: gehaald")


def test_a_tap_takes_the_last_roem_off(hand: Phone) -> None:
    hand.who("NS")
    hand.points("65")
    hand.roem("wij", "20")
    hand.roem("wij", "50")
    before = hand.taps
    made = hand.page.get_by_role("button", name="Roem wij +20 +50 laatste eraf")
    hand.tap(made)
    hand.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    hand.tap(hand.page.get_by_role("button", name="Roem wij +20 laatste eraf"))
    hand.reads("Wij 97, zij 65: gehaald")
    assert hand.taps - before == 2
    expect(hand.page.get_by_role("button", name="Roem wij", exact=True)).to_be_disabled()


def test_nat_takes_no_tap_and_is_shown(hand: Phone) -> None:
    hand.who("NS")
    hand.points("90")
    hand.reads("nat")
    hand.write(1)
    written(hand.page, "1, 0–162")
    assert beyond(hand, "90") == 2
    assert DealEntry.objects.get().written == {
        "declarer": "NS",
        "trump": None,
        "points": {"EW": 90},
    }


def test_pit_is_one_tap_and_asks_no_points(hand: Phone) -> None:
    hand.who("NS")
    hand.key("pit wij")
    hand.write(1)
    written(hand.page, "1, 262–0")
    assert hand.taps == 3


def test_reneging_takes_three(hand: Phone) -> None:
    hand.who("NS")
    before = hand.taps
    hand.tap(hand.page.get_by_role("button", name="meer …"))
    hand.tap(hand.page.locator("#deal-rare label", has_text="Mia"))
    hand.tap(hand.page.get_by_role("button", name="Terug naar het spel"))
    assert hand.taps - before == 3
    hand.reads("Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0")
    hand.write(1)
    written(hand.page, "1, 262–0")


def test_the_last_deal_can_be_undone_until_the_next_is_written(hand: Phone) -> None:
    hand.who("NS")
    hand.points("65")
    hand.write(1)
    written(hand.page, "1, 97–65")
    undo = hand.page.get_by_role("button", name="spel 1 ongedaan maken")
    hand.who("EW")
    hand.points("70")
    hand.reads("Zij 92, wij 70: gehaald")
    expect(undo).to_be_in_viewport(ratio=1)
    hand.tap(undo)
    expect(hand.page.get_by_role("button", name="Schrijf spel 1")).to_be_visible()
    expect(undo).to_be_hidden()


def test_an_earlier_deal_opens_wherever_its_line_is_tapped(phone: Page) -> None:
    evening = playing()
    for number in (1, 2):
        write_deal(table(evening), number)
    phone.goto(link(evening))
    line = phone.locator("#deal-1")
    box = line.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    line.tap(position={"x": box["width"] - 8, "y": box["height"] - 8})
    expect(phone.get_by_role("heading", name="Spel 1 verbeteren")).to_be_visible()
    expect(phone.locator("#id_points_ns")).to_have_value("90")
