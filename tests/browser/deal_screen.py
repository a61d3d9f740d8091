"""The form of a deal under two thumbs, for the tests in a real browser."""

import time

from playwright.sync_api import Error, Locator, Page, expect

STEADY = 0.6
"""Seconds between two taps on one place that are both meant."""


class DealScreen:
    """A table's page on a phone, tapped as people do. Counts the taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0
        self._last, self._at = "", 0.0

    def tap(self, target: Locator) -> None:
        """With a steady hand: twice on one place only after a moment, but for digits."""
        is_again = str(target) == self._last and "data-digit" not in self._last
        if is_again and (left := self._at + STEADY - time.monotonic()) > 0:
            self.page.wait_for_timeout(1000 * left)
        target.tap()
        self._last, self._at = str(target), time.monotonic()
        self.taps += 1

    def declarer(self, side: str) -> None:
        """Say who plays: a side, or the seat of a person."""
        self.tap(self.page.locator(f".deal-who label:has(input[value={side}])"))

    def trump(self, suit: str) -> None:
        self.tap(self.page.locator(f".deal-trump label:has(input[value={suit}])"))

    def roem(self, side: str, key: str) -> None:
        group = self.page.get_by_role("group", name=f"Roem {side}")
        self.tap(group.get_by_role("button", name=key, exact=True))

    def points(self, digits: str) -> None:
        for digit in digits:
            self.tap(self.page.locator(f'[data-digit="{digit}"]'))

    def key(self, word: str) -> None:
        self.tap(self.page.locator(".deal-marks label", has_text=word))

    def plain_deal(
        self, number: int, points: str, *, declarer: str = "NS", trump: str = ""
    ) -> None:
        """Write a deal of which the side that did not play took so many points."""
        self.declarer(declarer)
        if trump:
            self.trump(trump)
        self.points(points)
        self.write(number)

    def is_written(self, words: str) -> None:
        """Wait for the words about what is on the sheet now, such as "1, 97–65"."""
        expect(self.page.get_by_text(f"Geschreven: spel {words}")).to_be_visible()

    def is_calm(self) -> None:
        """Wait until a tap can no longer belong to the one that wrote the last deal."""
        self.page.wait_for_timeout(1100)

    def undo(self, number: int) -> Locator:
        return self.page.get_by_role("button", name=f"spel {number} ongedaan maken")

    def is_at(self, number: int) -> None:
        """Wait for the form of this deal."""
        expect(self.page.get_by_role("button", name=f"Schrijf spel {number}")).to_be_visible()

    def reads(self, words: str) -> None:
        """Wait for the words that say what will be written."""
        expect(self.page.locator(".deal-preview")).to_contain_text(words)

    def write(self, number: int) -> None:
        """Once the page has said how much waits: before that the browser itself sends the form."""
        expect(self.page.locator("[data-outbox-words]")).to_be_visible()
        self.tap(self.page.get_by_role("button", name=f"Schrijf spel {number}"))


def look_again(page: Page) -> None:
    """Take the phone out of a pocket: its page asks for news at once.

    A page that is loading anew at this moment has the news already.
    """
    try:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    except Error as error:
        if "because of a navigation" not in error.message:
            raise


def scan_again(page: Page, address: str) -> Page:
    """Scan a code with this phone: it opens in a new tab, and the old one is closed."""
    tab = page.context.new_page()
    page.close()
    tab.goto(address)
    return tab
