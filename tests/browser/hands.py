"""What people do with their hands in the tests in a real browser."""

from playwright.sync_api import Error, Locator, Page, expect

from clubs.models import Club
from tests.factories import organiser_of


def sign_in(page: Page, club: Club) -> None:
    """Log in by the form, in Dutch, as somebody who organises at this club."""
    page.goto("/login/")
    page.get_by_label("E-mailadres").fill(organiser_of(club).email)
    page.get_by_label("Wachtwoord").fill("geheim")
    page.get_by_role("main").get_by_role("button", name="Inloggen").click()
    expect(page.get_by_role("button", name="Uitloggen")).to_be_visible()


class Phone:
    """A page that counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def who(self, side: str) -> None:
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

    def reads(self, words: str) -> None:
        """Wait for the words that say what will be written."""
        expect(self.page.locator(".deal-preview")).to_contain_text(words)

    def write(self, number: int) -> None:
        self.tap(self.page.get_by_role("button", name=f"Schrijf spel {number}"))


def look_again(page: Page) -> None:
    """Take the phone out of the pocket: its page asks for news at once, if it is not on its way to
    the news by itself already."""
    try:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    except Error as error:
        if "because of a navigation" not in error.message:
            raise
