"""The draft of a draw: people change places by keyboard, mouse, finger and without a script, and
the page says beforehand what it does."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.login import log_in
from tests.devices import PHONE, box_of
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, type_in
from tests.tournaments.desk import EVENING
from tournaments.draw.services import draw_publish
from tournaments.models import CoupleRule, Evening, Placement
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_close, round_start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DRAW = f"{EVENING}draw/"
BETTER = "2 keer minder dezelfde maat, 6 herhalingen minder"


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    """A draft of round 2 that is round 1 once more: members 1 2 3 4 sit N E S W at table 1, and
    5 6 7 8 at table 2. Jan Bakker (1) must not meet Henk Bos (7)."""
    evening = EveningFactory.create(club=club, method="typed_in", rounds_planned=2)
    members = [MemberFactory.create(club=club) for _ in range(8)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    CoupleRule.objects.create(club=club, one=members[0], two=members[6], kind="apart")
    first = type_in(evening, members)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=first.pk, actor=TESTS)
    round_close(round_id=first.pk, unfinished_reason="proef", actor=TESTS)
    type_in(evening, members)
    return evening


@pytest.fixture
def desk(desktop: Page, club: Club, evening: Evening, live_server: LiveServer) -> Page:
    log_in(desktop, club, live_server.url)
    desktop.goto(DRAW)
    return desktop


@pytest.fixture
def without_script(
    chromium: Browser, club: Club, evening: Evening, live_server: LiveServer
) -> Iterator[Page]:
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False, **PHONE)
    page = context.new_page()
    log_in(page, club, live_server.url)
    yield page
    context.close()


def table_one() -> list[int | None]:
    """Who, by number, sits N E S W at table 1 of round 2."""
    seats = Placement.objects.filter(round__number=2, table__number=1)
    by_seat = dict(seats.values_list("seat", "member__number"))
    return [by_seat[seat] for seat in "NESW"]


def person(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"Wissel {name}")


def swapped_bar(page: Page) -> Locator:
    return page.locator("#swapped")


def centre(element: Locator) -> tuple[float, float]:
    box = box_of(element)
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_two_people_change_places_by_keyboard_and_back(
    desk: Page, axe: Callable[[Page], None]
) -> None:
    person(desk, "Jan Bakker").press("Enter")
    expect(desk.locator(".cost")).to_have_count(7)
    desk.keyboard.press("Escape")
    expect(desk.locator(".cost")).to_have_count(0)
    expect(desk.locator("#held")).to_be_hidden()
    expect(person(desk, "Jan Bakker")).to_be_focused()
    assert table_one() == [1, 2, 3, 4]

    person(desk, "Jan Bakker").press("Enter")
    expect(person(desk, "Henk Bos")).to_have_accessible_name(f"Wissel Henk Bos ({BETTER})")
    expect(person(desk, "Henk Bos").locator(".cost")).to_contain_text("−2")
    expect(person(desk, "Kees Mulder").locator(".cost")).to_contain_text("!")
    person(desk, "Henk Bos").focus()
    expect(desk.locator("#held")).to_contain_text(f"Henk Bos: {BETTER}")
    axe(desk)
    person(desk, "Henk Bos").press(" ")
    expect(swapped_bar(desk)).to_contain_text("Jan Bakker en Henk Bos zijn van plaats gewisseld.")
    expect(person(desk, "Jan Bakker")).to_be_focused()
    expect(desk.get_by_role("status").filter(has_text="gewisseld")).to_have_count(1)
    assert table_one() == [7, 2, 3, 4]
    desk.get_by_role("button", name="Ongedaan maken").click()
    expect(swapped_bar(desk)).to_have_text("Jan Bakker en Henk Bos zitten weer op hun oude plaats.")
    expect(person(desk, "Jan Bakker")).to_be_focused()
    assert table_one() == [1, 2, 3, 4]

    person(desk, "Jan Bakker").press("Enter")
    desk.get_by_role("link", name="Met en tegen wie dit seizoen").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Jan Bakker")


@pytest.mark.full
def test_somebody_is_dragged_to_another_place_or_dropped_nowhere(desk: Page) -> None:
    desk.mouse.move(*centre(person(desk, "Jan Bakker")))
    desk.mouse.down()
    desk.mouse.move(*centre(desk.get_by_role("heading", name="Ronde 2")), steps=5)
    desk.mouse.up()
    expect(desk.locator(".cost")).to_have_count(0)
    expect(desk.locator(".ghost")).to_have_count(0)
    assert table_one() == [1, 2, 3, 4]

    desk.evaluate("document.querySelector('#round-2').scrollIntoView()")
    desk.mouse.move(*centre(person(desk, "Jan Bakker")))
    desk.mouse.down()
    desk.mouse.move(*centre(person(desk, "Riet van den Berg")), steps=5)
    expect(desk.locator(".cost")).to_have_count(7)
    desk.mouse.move(*centre(person(desk, "Henk Bos")), steps=5)
    expect(desk.locator("#held")).to_contain_text(f"Henk Bos: {BETTER}")
    desk.mouse.up()
    expect(swapped_bar(desk)).to_be_visible()
    assert table_one() == [7, 2, 3, 4]


@pytest.mark.full
def test_a_finger_that_rests_drags(
    phone: Page,
    club: Club,
    evening: Evening,
    live_server: LiveServer,
    axe: Callable[[Page], None],
) -> None:
    log_in(phone, club, live_server.url)
    phone.goto(DRAW)
    person(phone, "Jan Bakker").click()
    expect(phone.locator(".cost")).to_have_count(7)
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    phone.goto(f"{DRAW}swap/?round=2&who={Member.objects.get(number=1).pk}")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    phone.goto(DRAW)
    axe(phone)
    person(phone, "Jan Bakker").scroll_into_view_if_needed()
    fingers = phone.context.new_cdp_session(phone)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", centre(person(phone, "Jan Bakker")))
    expect(phone.locator(".cost")).to_have_count(7)
    touch("touchMove", centre(person(phone, "Mia van der Meer")))
    expect(phone.locator("#held")).to_contain_text("Mia van der Meer: 2 keer minder dezelfde maat")
    touch("touchEnd")
    expect(swapped_bar(phone)).to_be_visible()
    assert table_one() == [2, 1, 3, 4]


@pytest.mark.full
def test_without_a_script_there_is_a_list(without_script: Page) -> None:
    page = without_script
    page.goto(DRAW)
    person(page, "Jan Bakker").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Met wie wisselt Jan Bakker van plaats?"
    )
    expect(page.locator("#choices li").last).to_contain_text("dan zitten twee mensen bij elkaar")
    page.get_by_role("button", name="Wissel met Kees Mulder").click()
    expect(swapped_bar(page)).to_contain_text(
        "Jan Bakker en Kees Mulder zijn van plaats gewisseld."
    )
    expect(page.get_by_text("Jan Bakker en Henk Bos zitten bij elkaar")).to_be_visible()
    assert table_one() == [5, 2, 3, 4]


@pytest.mark.full
def test_while_it_draws_the_page_says_so_and_the_button_rests(
    desktop: Page, club: Club, live_server: LiveServer
) -> None:
    evening = EveningFactory.create(club=club, method="balanced")
    members = [MemberFactory.create(club=club) for _ in range(8)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    log_in(desktop, club, live_server.url)
    desktop.goto(DRAW)
    # What is sent stays on its way for as long as the test looks.
    desktop.evaluate("addEventListener('submit', (event) => event.preventDefault())")
    desktop.get_by_role("button", name="Tafels loten").click()
    expect(desktop.get_by_text("8 mensen, 3 rondes: er wordt geloot…")).to_be_visible()
    expect(desktop.get_by_role("progressbar")).to_be_visible()
    expect(desktop.get_by_role("button", name="Tafels loten")).to_be_disabled()
