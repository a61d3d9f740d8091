"""A whole evening in real browsers: from the login to the prizes, at the desk and on two phones.

Nine people play three rounds of two deals in rotation, so one of them sits out. Whoever the draw
puts where, the four of a table have the same partners in the same rounds, called here by their
seats of round 1: N with S, then N with E, then N with W. Every figure below is from paper.
"""

import io

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from clubs.models import Club, Member
from tests.browser.deal_screen import DealScreen, look_again
from tests.browser.login import sign_in
from tests.devices import OpenPage
from tests.factories import ClubFactory, MemberFactory, evening_with_draw
from tests.tournaments.table_pages import link

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/"
PUBLIC = "/clubs/vrolijke-boer/evenings/2026-11-21/"
GUEST = "Łucja Gąska"

Seats = dict[str, str]


@pytest.fixture
def club(live_server: object) -> Club:
    """Eight members."""
    club = ClubFactory.create()
    for _ in range(8):
        MemberFactory.create(club=club)
    return club


@pytest.mark.full
def test_an_evening_from_the_door_to_the_prizes(
    desktop: Page, open_phone: OpenPage, open_desktop: OpenPage, club: Club
) -> None:
    desk, hall = desktop, open_desktop()
    sign_in(desk, club)
    plan(desk)
    everybody_is_here(desk)
    draw(desk)
    one, two = phones_at_the_tables(desk, open_phone)
    first, second = seats(one.page), seats(two.page)
    go_on(desk, "Ronde 1 starten, 2 tafels", "Ronde 1 starten")

    round_one_by_phone(one, two)
    a_wrong_deal_is_corrected(one)
    a_dispute_is_settled(two, desk)
    close_round(desk, 1)
    assert seats(one.page) == {
        "n": first["n"],
        "e": first["s"],
        "s": first["e"],
        "w": first["w"],
    }
    go_on(desk, "Ronde 2 starten, 2 tafels", "Ronde 2 starten")
    round_two_at_the_table_and_at_the_desk(one, desk)
    freeze(desk)
    expect_hidden(hall)
    close_round(desk, 2)
    go_on(desk, "Ronde 3 starten, 2 tafels", "Ronde 3 starten")
    round_three_at_the_desk(desk)
    close_round(desk, 3)

    (out,) = Member.objects.exclude(name__in=[*first.values(), *second.values()])
    expected = standings_on_paper(first, second, out.name)
    close_evening(desk)
    assert published(hall) == expected
    assert_paper(desk, expected, first)
    for phone in (one, two):
        look_again(phone.page)
        expect(phone.page.get_by_role("heading", level=1)).to_have_text("De avond is afgelopen")


@pytest.mark.full
def test_a_small_evening_in_english(desktop: Page, open_phone: OpenPage, club: Club) -> None:
    """One table, one deal: 110 for us with roem of 50, and nobody sees a Dutch button."""
    evening = evening_with_draw(club=club, players=4, rounds=1, deals_per_round=1)
    sign_in(desktop, club)
    desktop.get_by_role("button", name="English").click()
    desktop.goto(f"{DESK}board/")
    expect(desktop.get_by_role("heading", level=1)).to_have_text("The board")

    phone = open_phone()
    phone.goto(link(evening))
    phone.get_by_role("button", name="English").tap()
    phone.locator(".deal-who label", has_text="We").tap()
    phone.get_by_role("group", name="Our roem").get_by_role("button", name="50").tap()
    for digit in "52":
        phone.locator(f'[data-digit="{digit}"]').tap()
    expect(phone.locator(".deal-preview")).to_contain_text("We 110 + 50 roem = 160, they 52: made")
    phone.get_by_role("button", name="Write deal 1").tap()
    expect(phone.get_by_text("Round 1 is full")).to_be_visible()

    desktop.goto(f"{DESK}rounds/1/close/")
    desktop.get_by_role("button", name="Close round 1").click()
    desktop.goto(f"{DESK}close/")
    desktop.get_by_role("button", name="Close the evening and publish the result").click()
    expect(desktop.get_by_text("Result number 1")).to_be_visible()
    desktop.goto(PUBLIC)
    totals = desktop.get_by_role("table").locator("td.total")
    assert totals.all_inner_texts() == ["160", "160", "52", "52"]


def plan(desk: Page) -> None:
    desk.get_by_role("link", name="Plan de avonden").click()
    desk.get_by_role("link", name="Alleen één avond?").click()
    desk.get_by_label("Datum").fill("2026-11-21")
    desk.get_by_label("Rondes").fill("3")
    desk.get_by_label("Spellen per ronde").fill("2")
    desk.get_by_text("Wie speelt met wie").first.click()
    desk.get_by_label("tafels blijven bij elkaar").check()
    desk.get_by_text("Gemiste rondes, puntendoel").click()
    desk.get_by_label("Punten voor een ronde stilzitten").fill("200")
    desk.get_by_role("button", name="Deze avond maken").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Wie is er?")


def everybody_is_here(desk: Page) -> None:
    counter = desk.locator("#present-count")
    desk.get_by_label("Er komt een gast binnen").fill(GUEST)
    desk.get_by_role("button", name="Gast toevoegen").click()
    expect(counter).to_contain_text("1 aanwezig")
    for tick in desk.locator("#people input[type=checkbox]").all():
        tick.check()
    expect(counter).to_contain_text("9 aanwezig")
    expect(counter).to_contain_text("2 tafels, 1 zit stil")


def draw(desk: Page) -> None:
    desk.get_by_role("button", name="Naar de loting").click()
    desk.get_by_role("button", name="Tafels loten").click()
    expect(desk.get_by_role("heading", name="Tafel 2")).to_be_visible()
    desk.get_by_role("button", name="Loting definitief maken").click()


def menu(desk: Page) -> None:
    """What is not needed all the time stands behind one button."""
    desk.locator("#menu-evening-button").click()


def phones_at_the_tables(desk: Page, open_phone: OpenPage) -> tuple[DealScreen, DealScreen]:
    """Both open the link that the organiser shows them."""
    menu(desk)
    desk.get_by_role("link", name="Links voor de telefoons").click()
    phones = DealScreen(open_phone()), DealScreen(open_phone())
    for number, phone in enumerate(phones, start=1):
        link = desk.get_by_label(f"Link van tafel {number}").input_value()
        phone.page.goto("/t/" + link.partition("/t/")[2])
        expect(phone.page.get_by_role("heading", level=2)).to_have_text("Zo zit u")
    desk.goto(DESK)
    return phones


def seats(page: Page) -> Seats:
    """Who sits where by the drawing of the table that is on the phone now."""
    expect(page.locator(".seats")).to_be_visible()
    return {seat: page.locator(f".seat-{seat.upper()} .seat-name").inner_text() for seat in "nesw"}


def go_on(desk: Page, step: str, yes: str) -> None:
    """Press the next step on the desk and say yes to its question."""
    desk.goto(DESK)
    desk.get_by_role("main").get_by_role("link", name=step).click()
    desk.get_by_role("button", name=yes).click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("De tafels")


def round_one_by_phone(one: DealScreen, two: DealScreen) -> None:
    """Table 1: 117–65 (97–65 and roem 20 for us), 212–0 (they are nat: 162 and their roem 50).

    Table 2: 70–92, 262–0 (they play and take no trick: 162 and 100 for the pit).
    """
    one.page.reload()
    one.declarer("NS")
    one.trump("H")
    one.roem("wij", "20")
    one.points("65")
    one.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    one.write(1)
    one.declarer("EW")
    one.trump("S")
    one.roem("zij", "50")
    one.key("nat")
    one.reads("Wij 162 + 50 roem = 212, zij 0")
    one.write(2)
    expect(one.page.get_by_text("Ronde 1 is klaar")).to_be_visible()

    two.page.reload()
    two.declarer("EW")
    two.points("70")
    two.reads("Zij 92, wij 70: gehaald")
    two.write(1)
    two.declarer("EW")
    two.key("pit wij")
    two.reads("Tegenpit: wij 162 + 100 pit = 262, zij 0")
    two.write(2)
    expect(two.page.get_by_text("Ronde 1 is klaar")).to_be_visible()


def a_wrong_deal_is_corrected(phone: DealScreen) -> None:
    """Deal 1 of table 1 becomes 122–60; the roem of 20 stays. Why is asked from a minute after it
    was written, which on a slow machine is now."""
    phone.tap(phone.page.locator("#deal-1 a"))
    phone.tap(phone.page.locator("[data-count=EW]"))
    phone.points("60")
    reason = phone.page.locator(".deal-reason label", has_text="verkeerd geteld")
    if reason.count():
        phone.tap(reason)
    phone.reads("Wij 102 + 20 roem = 122, zij 60: gehaald")
    phone.tap(phone.page.get_by_role("button", name="Wijzig spel 1"))
    expect(phone.page.get_by_text("Ronde 1 is klaar")).to_be_visible()


def a_dispute_is_settled(phone: DealScreen, desk: Page) -> None:
    """They say that it is not right; the director looks at it."""
    phone.tap(phone.page.get_by_role("link", name="Klopt niet (Zij)"))
    phone.page.get_by_label("Wat klopt er niet?").fill("Wij hadden de laatste slag.")
    phone.tap(phone.page.get_by_role("button", name="Zeg het de wedstrijdleider"))
    expect(phone.page.get_by_text("De wedstrijdleider weet het")).to_be_visible()
    desk.goto(f"{DESK}board/")
    expect(desk.get_by_text("Zij: Wij hadden de laatste slag.")).to_be_visible()
    desk.locator(".tile:has(#table-2)").get_by_role("link", name="niet eens").click()
    desk.get_by_role("button", name="Dit is afgehandeld").click()
    expect(desk.get_by_text("Wij hadden de laatste slag.")).not_to_be_visible()
    phone.page.reload()
    expect(phone.page.get_by_text("De wedstrijdleider heeft ernaar gekeken.")).to_be_visible()


def close_round(desk: Page, number: int) -> None:
    desk.goto(f"{DESK}rounds/{number}/close/")
    desk.get_by_role("button", name=f"Ronde {number} afsluiten", exact=True).click()
    expect(desk.get_by_text(f"Ronde {number} is afgesloten.")).to_be_visible()


def round_two_at_the_table_and_at_the_desk(phone: DealScreen, desk: Page) -> None:
    """Table 1 by phone: 262–0, 100–62. Table 2 at the desk: 0–162 (81 is not more), 170–32."""
    phone.page.goto(phone.page.url.partition("rounds")[0])
    phone.declarer("NS")
    phone.key("pit wij")
    phone.reads("Pit: wij 162 + 100 pit = 262, zij 0")
    phone.write(1)
    phone.declarer("NS")
    phone.points("62")
    phone.reads("Wij 100, zij 62: gehaald")
    phone.write(2)
    expect(phone.page.get_by_text("Ronde 2 is klaar")).to_be_visible()

    desk.goto(f"{DESK}rounds/2/tables/2/")
    type_deal(desk, "NS", "81")
    type_deal(desk, "NS", "130", roem="40")
    expect(desk.get_by_text("Alle spellen zijn geschreven.")).to_be_visible()


def round_three_at_the_desk(desk: Page) -> None:
    """Table 1 at the desk: 90–72, 50–132 (112 and roem 20). Table 2 in totals: 270–144."""
    desk.goto(f"{DESK}rounds/3/tables/1/")
    type_deal(desk, "NS", "90")
    type_deal(desk, "EW", "50", roem_of_them="20")
    desk.goto(f"{DESK}rounds/3/tables/2/")
    desk.get_by_role("link", name="Alleen totalen").click()
    for summary in desk.get_by_text("Waaruit bestaat het?").all():
        summary.click()
    for label, figure in {
        "Kaartpunten wij": "200",
        "Kaartpunten zij": "124",
        "Roem wij": "70",
        "Roem zij": "20",
        "Pit wij": "0",
        "Pit zij": "0",
    }.items():
        desk.get_by_label(label).fill(figure)
    desk.get_by_role("button", name="Deze totalen schrijven").click()
    expect(desk.get_by_text("Deze tafel heeft alleen totalen ingeleverd.")).to_be_visible()


def type_deal(
    desk: Page, declarer: str, points_of_us: str, *, roem: str = "", roem_of_them: str = ""
) -> None:
    """Write the next deal with the keyboard alone."""
    first = desk.get_by_role("radio", name="Wij", exact=True).first
    expect(first).to_be_focused()
    desk.keyboard.press("Space" if declarer == "NS" else "ArrowRight")
    to(desk, desk.get_by_label("Punten wij")).press_sequentially(points_of_us)
    to(desk, desk.get_by_label("Roem wij")).press_sequentially(roem)
    to(desk, desk.get_by_label("Roem zij")).press_sequentially(roem_of_them)
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("status").first).to_contain_text("is geschreven")


def to(desk: Page, field: Locator) -> Locator:
    """Press Tab until this field has the focus."""
    for _ in range(8):
        desk.keyboard.press("Tab")
        if field.evaluate("field => field === document.activeElement"):
            return field
    raise AssertionError("Tab does not lead to this field")


def freeze(desk: Page) -> None:
    desk.goto(f"{DESK}board/")
    menu(desk)
    desk.get_by_role("button", name="Stand verbergen tot de prijzen").click()
    expect(desk.get_by_text("De zaal ziet de stand niet meer.")).to_be_visible()


def expect_hidden(hall: Page) -> None:
    hall.goto(PUBLIC)
    expect(hall.get_by_text("De stand blijft nog even geheim.")).to_be_visible()
    expect(hall.get_by_role("table")).to_have_count(0)


def close_evening(desk: Page) -> None:
    desk.goto(f"{DESK}close/")
    desk.get_by_role("button", name="Avond afsluiten en uitslag publiceren").click()
    expect(desk.get_by_text("Uitslag nummer 1")).to_be_visible()


def standings_on_paper(one: Seats, two: Seats, out: str) -> list[list[str]]:
    """Place, name, total, the rounds and the pits of everybody; equal totals in order of name.

    Table 1: N and S 334–60, then N and E 362–62, then N and W 140–204.
    Table 2: N and S 332–92, then N and E 170–194, then N and W 270–144.
    """
    fifth = sorted([one["s"], out], key=str.casefold)
    lines = {
        one["n"]: ["1", one["n"], "836", "334", "362", "140", "1"],
        two["n"]: ["2", two["n"], "772", "332", "170", "270", "1"],
        two["s"]: ["3", two["s"], "670", "332", "194", "144", "1"],
        one["e"]: ["4", one["e"], "626", "60", "362", "204", "1"],
        one["s"]: ["5", one["s"], "600", "334", "62", "204", "0"],
        out: ["5", out, "600", "200", "200", "200", "0"],
        two["w"]: ["7", two["w"], "556", "92", "194", "270", "0"],
        two["e"]: ["8", two["e"], "406", "92", "170", "144", "0"],
        one["w"]: ["9", one["w"], "262", "60", "62", "140", "0"],
    }
    order = [one["n"], two["n"], two["s"], one["e"], *fifth, two["w"], two["e"], one["w"]]
    return [lines[name] for name in order]


def published(hall: Page) -> list[list[str]]:
    """The rows of the public standings."""
    hall.goto(PUBLIC)
    expect(hall.get_by_text("uitslag 1")).to_be_visible()
    rows = hall.get_by_role("table").locator("tbody tr")
    return [row.locator("th, td").all_inner_texts() for row in rows.all()]


def assert_paper(desk: Page, expected: list[list[str]], first: Seats) -> None:
    """The sheets, the draw and the standings are PDFs with these people and their figures."""
    sheets = paper(desk, "sheets/1.pdf?filled=1")
    assert len(sheets) == 2
    assert [figure for figure in ("334", "60") if figure not in sheets[0]] == []
    assert [name for name in first.values() if name not in sheets[0]] == []
    drawn = "\n".join(paper(desk, "draw.pdf"))
    standings = "\n".join(paper(desk, "standings.pdf"))
    for _rank, name, total, *_rounds in expected:
        assert name in drawn
        assert name in standings
        assert total in standings


def paper(desk: Page, path: str) -> list[str]:
    """The text of each page of what is printed, fetched with the desk's own login."""
    response = desk.request.get(f"{DESK}print/{path}")
    assert (response.status, response.headers["content-type"]) == (200, "application/pdf")
    assert response.body().startswith(b"%PDF")
    return [page.extract_text() for page in PdfReader(io.BytesIO(response.body())).pages]
