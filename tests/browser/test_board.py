"""An evening of ten tables led from the board: by keyboard alone on a laptop at 200 %, and by touch
on a phone. Every press is counted from the board on; nothing that has the focus, or that is to be
touched, lies below something else."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from clubs.audit.services import Actor
from clubs.models import Club
from scoring.disputes.submissions import deal_submit, sheet_answer
from tests.browser.login import log_in
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING
from tournaments.models import Evening
from tournaments.rounds.services import round_start

pytestmark = pytest.mark.browser

BOARD = f"{EVENING}board/"
TABLES = 10
ZOOMED: ViewportSize = {"width": 640, "height": 400}
"""What a window of 1280 by 800 has room for at 200 %."""

# What has the focus is in sight, and its middle is not below anything else.
IS_COVERED = """element => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return !top || !(element.contains(top) || top.closest("label")?.control === element);
}"""
REACHED = f"""wanted => {{
    const focused = document.activeElement;
    const covered = focused !== document.body && ({IS_COVERED})(focused);
    return [focused === wanted, covered ? focused.outerHTML : ""];
}}"""
# Everything that can be touched in the middle of the page, brought into sight one by one.
COVERED = f"""() => [...document.querySelectorAll("main :is(a, button, summary, input)")]
    .filter(element => element.checkVisibility({{ visibilityProperty: true }}))
    .filter(element => {{
        element.scrollIntoView({{ block: "center" }});
        return ({IS_COVERED})(element);
    }}).map(element => element.outerHTML)"""
SMALL = """() => [...document.querySelectorAll("#board :is(a, button, summary)")]
    .filter(element => element.checkVisibility() && !element.closest(".tile-name, .help-about"))
    .filter(element => element.getBoundingClientRect().height < 44)
    .map(element => element.outerHTML)"""


class Hands(ABC):
    """Somebody who leads the evening; counts the presses since the board was left."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, element: Locator) -> None:
        """Press a link or a button."""
        self.presses += 1
        self._press(element)
        self.page.wait_for_load_state()

    @abstractmethod
    def _press(self, element: Locator) -> None: ...

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("main").get_by_role("link", name=name))

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name))

    def menu(self) -> None:
        self.press(self.page.locator("#menu-evening-button"))

    @contextmanager
    def steps(self, most: int = 2) -> Iterator[None]:
        """From the board, an action of at most so many presses."""
        self.page.goto(BOARD)
        self.presses = 0
        yield
        assert self.presses <= most


class Keyboard(Hands):
    """Both hands on the keyboard: past the header, and Tab until it is there."""

    def _press(self, element: Locator) -> None:
        keys = self.page.keyboard
        expect(element).to_be_visible()
        # An address with a place on the page begins there.
        if self.page.evaluate("document.activeElement === document.body && !location.hash"):
            keys.press("Tab")
            keys.press("Enter")
        for _stop in range(80):
            keys.press("Tab")
            reached, covered = element.evaluate(REACHED)
            assert covered == ""
            if reached:
                break
        expect(element).to_be_focused()
        keys.press("Enter")


class Thumb(Hands):
    """A thumb on a phone."""

    def _press(self, element: Locator) -> None:
        element.tap()


@pytest.fixture
def club(live_server: LiveServer, desktop: Page, phone: Page) -> Club:
    """An organiser of it is logged in on the computer and on the phone."""
    club = ClubFactory.create()
    for page in (desktop, phone):
        log_in(page, club, live_server.url)
    return club


@pytest.fixture
def evening(club: Club) -> Evening:
    return evening_with_draw(
        club=club, players=4 * TABLES + 1, rounds=2, deals_per_round=1, started=False
    )


def write(evening: Evening, round_number: int, *numbers: int) -> None:
    for number in numbers:
        write_deal(table(evening, number, round_number), 1)


def disagree(evening: Evening, number: int, round_number: int) -> None:
    sheet = table(evening, number, round_number).sheet
    sheet_answer(
        sheet_id=sheet.pk, side="EW", seen_version=sheet.version, agrees=False, actor=TESTS,
        note="Wij hadden de laatste slag.",
    )  # fmt: skip


def write_otherwise(evening: Evening, number: int, round_number: int) -> None:
    deal_submit(
        sheet_id=table(evening, number, round_number).sheet_id,
        number=1,
        seen_version=0,
        uuid=uuid.uuid4(),
        written={"declarer": "NS", "trump": "H", "points": {"NS": 100}},
        actor=Actor.of_program("x"),
    )


def lead(hands: Hands, evening: Evening, round_number: int) -> None:
    """A round from its start to its end, with all that can come between."""
    page = hands.page
    with hands.steps():
        hands.link(f"Ronde {round_number} starten, 10 tafels")
        hands.button(f"Ronde {round_number} starten")
        expect(page.get_by_text(f"Ronde {round_number}: 0 van 10 tafels klaar")).to_be_attached()
    write(evening, round_number, 1, 2, 3, 4, 5, 6, 7, 8)
    disagree(evening, 3, round_number)
    write_otherwise(evening, 2, round_number)
    with hands.steps():
        hands.press(page.locator(".tile").nth(2).get_by_role("link", name="niet eens"))
        hands.button("Dit is afgehandeld")
        expect(page.get_by_text("Afgehandeld.")).to_be_visible()
    with hands.steps():
        hands.press(page.locator(".tile").nth(1).get_by_role("link", name="twee uitkomsten"))
        hands.button("Laat 90–72")
        expect(page.get_by_text("blijft 90–72")).to_be_visible()
    for there in ("De telefoons aan de tafels", "Het scherm in de zaal"):
        with hands.steps():
            hands.menu()
            hands.link(there)
            expect(page.get_by_role("heading", level=1)).to_contain_text(there)
    with hands.steps():
        hands.press(page.locator("#table-9"))
        hands.link("Een invaller neemt het over")
        expect(page.get_by_label("Of een gast, met naam")).to_be_visible()
    with hands.steps(3):
        hands.menu()
        hands.link(f"Ronde {round_number} afsluiten")
        expect(page.get_by_text("De tafels 9, 10 zijn nog niet klaar.")).to_be_visible()
    write(evening, round_number, 9, 10)
    with hands.steps():
        hands.link(f"Ronde {round_number} afsluiten: alles is binnen")
        hands.button(f"Ronde {round_number} afsluiten")
    expect(page.get_by_text(f"Ronde {round_number} is afgesloten.")).to_be_visible()


@pytest.mark.full
def test_ten_tables_are_led_by_keyboard_and_by_phone(
    desktop: Page, phone: Page, evening: Evening
) -> None:
    desktop.set_viewport_size(ZOOMED)
    keyboard, thumb = Keyboard(desktop), Thumb(phone)
    lead(keyboard, evening, 1)
    with keyboard.steps():
        keyboard.menu()
        sheets = desktop.get_by_role("link", name="Tellijsten van ronde 2")
        paper = desktop.request.get(str(sheets.get_attribute("href")))
        assert (paper.status, paper.headers["content-type"]) == (200, "application/pdf")
        expect(desktop.get_by_role("link", name="Tellijsten van ronde 1")).to_have_count(0)
    lead(thumb, evening, 2)
    with thumb.steps():
        thumb.link("Avond afsluiten")
        expect(phone.get_by_role("heading", level=1)).to_have_text("Avond afsluiten")
    assert [each.state for each in evening.rounds.all()] == ["closed", "closed"]


@pytest.mark.full
@pytest.mark.parametrize("menu_open", [False, True])
def test_nothing_is_covered_and_all_can_be_touched(
    phone: Page,
    desktop: Page,
    evening: Evening,
    axe: Callable[[Page], None],
    *,
    menu_open: bool,
) -> None:
    round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
    write(evening, 1, 1, 2, 3)
    disagree(evening, 3, 1)
    write_otherwise(evening, 2, 1)
    for page, width, letters in (
        (phone, 390, "100%"),
        (phone, 390, "225%"),
        (phone, 320, "112.5%"),
        (desktop, 640, "112.5%"),
        (desktop, 1280, "112.5%"),
    ):
        page.set_viewport_size({"width": width, "height": 640})
        page.goto(BOARD)
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
        if menu_open:
            page.locator("#menu-evening-button").click()
            assert page.evaluate(COVERED.replace("main :is", "main .menu :is")) == []
        else:
            assert page.evaluate(COVERED) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert phone.evaluate(SMALL) == []
    axe(phone)


@pytest.mark.full
@pytest.mark.parametrize(
    ("players", "size"), [(28, (1280, 800)), (28, (390, 844)), (120, (1920, 1080))]
)
def test_all_tables_are_seen_without_scrolling(
    desktop: Page, club: Club, players: int, size: tuple[int, int]
) -> None:
    width, height = size
    evening_with_draw(club=club, players=players, rounds=1)
    desktop.set_viewport_size({"width": width, "height": height})
    desktop.goto(BOARD)
    last = desktop.locator(".tile").nth(players // 4 - 1)
    assert last.evaluate("tile => tile.getBoundingClientRect().bottom") <= height
