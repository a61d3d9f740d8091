"""A deal on one phone screen: nothing below the edge, keys for thumbs, words for old eyes, and the
same by keyboard and screen reader."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.models import DealEntry
from scoring.regulations.services import regulation_save
from tests.browser.deal_screen import DealScreen
from tests.browser.outbox import OutboxScreen
from tests.devices import OpenPage, box_of
from tests.factories import TESTS, ClubFactory, MemberFactory, regulation_of, table, write_deal
from tests.tournaments.table_pages import link, playing, playing_three

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(390, 844), (360, 640)]
LOW = [(375, 553), (360, 560), (360, 512), (360, 500), (640, 312)]
LONG_NAMES = (
    "Hendrika-Wilhelmina van Oosterwijk-Bruijnsma",
    "Maximiliaan Schoonderwoerd den Bezemer",
    "Christoffelina van den Heuvel-Rijnders",
    "Bartholomeus Groeneveld-Hiemstra",
    "Annemargriet Brandsma-van der Wal",
    "Frederik-Jan Nieuwenhuijsen",
    "Wil Bos",
)
KEYS = ".deal :is(.pad, .deal-marks, .deal-keys) button, .deal .segmented label, .deal summary"
TARGETS = ".deal :is(button, .segmented label, summary, .deal-count)"

KEYS_AND_WRITE = f"{TARGETS}:not(.deal-takes-back)"

SMALL = """(keys, least) => keys.filter(key => {
    const { height, width } = key.getBoundingClientRect();
    return height < least || width < 43.9;
}).map(key => key.textContent.trim())"""

BELOW = """targets => targets
    .filter(one => one.getBoundingClientRect().bottom > innerHeight + 0.5)
    .map(one => one.textContent.trim())"""

COVERED = """targets => targets.filter(one => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const edges = [[left + 4, y], [right - 4, y], [x, top + 4], [x, bottom - 4]];
    return edges.some(([x, y]) => !one.contains(document.elementFromPoint(x, y)));
}).map(one => one.textContent.trim())"""

COVERED_WHEN_IN_SIGHT = f"""targets => targets.flatMap(one => {{
    one.scrollIntoView({{ block: "center" }});
    return ({COVERED})([one]);
}})"""

NAMES_CUT = """names => names.filter(one => one.scrollHeight > one.clientHeight + 6)
    .map(one => one.textContent.trim())"""

OVERFLOWING = """targets => targets.filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent.trim())"""

CUT_OFF = """all => all.filter(one => one.scrollHeight > one.clientHeight + 2)
    .map(one => one.textContent.trim())"""

TOO_LONG = """inputs => inputs.filter(input => {
    input.value ||= input.placeholder;
    return input.scrollWidth > input.clientWidth;
}).map(input => input.value)"""

CONTRASTS = """(all, part) => all.map(one => {
    const channels = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const light = text => {
        const [r, g, b] = channels(text).map(value => value / 255)
            .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let ground = one;
    const colourOf = element => getComputedStyle(element).backgroundColor;
    const isClear = colour => channels(colour)[3] === 0;
    while (ground.parentElement && isClear(colourOf(ground))) ground = ground.parentElement;
    const shades = [light(getComputedStyle(one, part).color), light(colourOf(ground))];
    return (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
})"""


DEAL_AS_HEARD = """
- group "Wie speelt?":
  - radio "Wij"
  - radio "Zij"
- group "Troef":
  - radio "klaveren"
  - radio "ruiten"
  - radio "harten"
  - radio "schoppen"
- group "Roem wij":
  - button "20"
  - button "50"
  - button "100"
  - button "200"
  - button "stuk"
- group "Punten geteld":
  - textbox "Punten wij"
  - button "telhulp"
  - textbox "Punten zij (die tellen)"
- button "7"
- button "wis één cijfer"
- checkbox "nat"
- radio "pit wij"
- radio "pit zij"
- status
- button "Schrijf spel 2"
"""


def at_a_table(preset: str, names: tuple[str, ...] = ()) -> str:
    """The link of a table where one deal is written, under these rules and with these names."""
    club = ClubFactory.create()
    for number, name in enumerate(names[:4], start=1):
        MemberFactory.create(club=club, name=name, number=number)
    evening = playing(club=club, regulation=regulation_of(club, preset))
    write_deal(table(evening), 1, declarer="S" if preset == "utrecht" else "NS")
    return link(evening)


def with_three(preset: str, names: tuple[str, ...] = ()) -> str:
    """The link of a table of three."""
    club = ClubFactory.create()
    for number, name in enumerate(names, start=1):
        MemberFactory.create(club=club, name=name, number=number)
    evening, three = playing_three(club=club, regulation=regulation_of(club, preset))
    return link(evening, three.number)


def small(page: Page, keys: str, least: float) -> list[str]:
    """What is in sight of these and is less high, or less than 44 pixels wide."""
    texts: list[str] = page.locator(keys).locator("visible=true").evaluate_all(SMALL, least - 0.1)
    return texts


def fits(page: Page, tapped: str = TARGETS) -> None:
    """Everything that can be tapped is on the screen as it opens, and nothing lies over it."""
    targets = page.locator(tapped).locator("visible=true")
    assert targets.evaluate_all(BELOW) == []
    assert targets.evaluate_all(COVERED) == []
    assert page.evaluate("scrollY") == 0


def test_the_whole_deal_is_on_one_screen(phone: Page) -> None:
    for made, preset, names in (
        (at_a_table, "amsterdam", LONG_NAMES),
        (at_a_table, "utrecht", ()),
        (at_a_table, "thousand-and-one", LONG_NAMES),
        (with_three, "amsterdam", ()),
        (with_three, "thousand-and-one", LONG_NAMES),
    ):
        phone.goto(made(preset, names))
        expect(phone.locator("[data-pad]")).to_be_visible()
        # Until they are there, letters of the phone's own are a little wider.
        phone.evaluate("() => document.fonts.ready.then(() => null)")
        for width, height in [*SIZES, *LOW]:
            phone.set_viewport_size({"width": width, "height": height})
            fits(phone, TARGETS if (width, height) in SIZES else KEYS_AND_WRITE)
            assert small(phone, KEYS, 56 if height > 700 else 44) == []
            assert small(phone, TARGETS, 44) == []
            assert phone.locator(TARGETS).locator("visible=true").evaluate_all(OVERFLOWING) == []
            assert phone.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_names_are_whole_on_two_lines_of_a_small_phone(phone: Page) -> None:
    names = "Henk van der Meer", "Corrie van den Berg", "Siem Smit-de Boer", "Corrie Jansen"
    phone.goto(at_a_table("amsterdam", names))
    phone.evaluate("() => document.fonts.ready.then(() => null)")
    for width, height in [(360, 640), (375, 553), (360, 560)]:
        phone.set_viewport_size({"width": width, "height": height})
        shown = phone.locator(".sides .names")
        assert shown.evaluate_all(NAMES_CUT) == []
        size = "all => all.map(one => Math.round(parseFloat(getComputedStyle(one).fontSize)))"
        assert shown.evaluate_all(size) == [16, 16]


@pytest.mark.full
def test_a_bid_has_its_place_on_the_screen(phone: Page) -> None:
    """The first digits are the bid, then a tap on who counts: 110 was bid and 100 made."""
    club = ClubFactory.create()
    leids = {"bidding": "free", "bid_needed": True, "no_trump": True}
    rules = regulation_save(club=club, name="Leids", settings=leids, actor=TESTS)
    evening = playing(club=club, regulation=rules)
    phone.goto(link(evening))
    expect(phone.locator("[data-pad]")).to_be_visible()
    for width, height in [*SIZES, *LOW]:
        phone.set_viewport_size({"width": width, "height": height})
        fits(phone, TARGETS if (width, height) in SIZES else KEYS_AND_WRITE)
        assert small(phone, TARGETS, 44) == []
        assert phone.locator(TARGETS).locator("visible=true").evaluate_all(OVERFLOWING) == []
        assert phone.evaluate("document.documentElement.scrollWidth") == width
    phone.set_viewport_size({"width": 360, "height": 500})
    screen = DealScreen(phone)
    screen.declarer("NS")
    screen.trump("C")
    screen.points("110")
    assert phone.locator("[name=bid]").input_value() == "110"
    screen.tap(phone.locator("[data-count=EW]"))
    screen.points("62")
    boxes = phone.locator(".deal-count input:not([type=hidden])")
    assert boxes.evaluate_all(TOO_LONG) == []
    screen.reads("geboden 110, dus nat")
    screen.write(1)
    screen.is_written("1, 0–162")
    assert phone.locator("[name=bid]").input_value() == ""
    written = DealEntry.objects.get().written
    assert written is not None
    # What the other side has was filled in to measure it.
    assert (written["bid"], written["points"]) == (110, {"NS": 100, "EW": 62})


@pytest.mark.full
def test_no_word_under_the_points_pushes_a_column_off_the_sheet(phone: Page, desktop: Page) -> None:
    evening = playing()
    marks: tuple[dict[str, Any], ...] = ({"reneged": "E"}, {"pit": "EW"}, {"replayed": True})
    for number in (1, 2):
        write_deal(table(evening), number, roem={"NS": [200, 100]}, points={"NS": 162})
    for number, mark in enumerate(marks, start=3):
        write_deal(table(evening), number, points=None, **mark)
    public = reverse("evening_table", args=[evening.club.slug, evening.slug, 1, 1])
    for address, sizes in ((link(evening), SIZES), (public, SIZES[:1])):
        phone.goto(address)
        for width, height in sizes:
            phone.set_viewport_size({"width": width, "height": height})
            assert sheet_is_whole(phone)

    club = ClubFactory.create()
    evening = playing(club=club, regulation=regulation_of(club, "thousand-and-one"))
    for number in (1, 2):
        write_deal(table(evening), number, trump="NT", points={"NS": 100}, roem={"NS": [100]})
    write_deal(table(evening), 3, points=None, pit="EW")
    desktop.goto(link(evening))  # beside the form
    assert sheet_is_whole(desktop)
    assert box_of(desktop.locator("#deal-1 .player"))["width"] >= 88


def sheet_is_whole(page: Page) -> bool:
    region = page.get_by_role("region", name="Tellijst")
    return bool(region.evaluate("one => one.scrollWidth === one.clientWidth"))


@pytest.mark.full
def test_what_is_filled_in_or_waits_moves_nothing_off_the_screen(phone: Page) -> None:
    screen = OutboxScreen(phone, at_a_table("amsterdam"))
    screen.off()
    screen.deal(2, 65)
    screen.status("1 spel wacht")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        fits(phone)
    screen.on()
    screen.status("verzonden")

    screen.declarer("EW")
    screen.roem("wij", "50")
    screen.roem("zij", "stuk")
    screen.roem("zij", "50")
    screen.points("40")
    screen.reads("Zij 122 + 70 roem = 192, wij 40 + 50 roem = 90: gehaald")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        fits(phone)
        assert phone.locator(".deal-count input").evaluate_all(TOO_LONG) == []

    phone.goto(with_three("amsterdam", ("Corrie A", "Thijs B", "Gerrit C", "Henk D", "Bep E")))
    screen.declarer("N")
    screen.roem("speler", "200")
    screen.key("pit speler")
    screen.write(1)
    expect(phone.locator(".sides .leads .total")).to_have_text("462")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        assert phone.locator(".sides dt").evaluate_all(OVERFLOWING) == []
        fits(phone)


@pytest.mark.full
def test_with_text_twice_as_big_nothing_is_cut_off_or_covered(phone: Page) -> None:
    phone.goto(at_a_table("thousand-and-one"))
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    names = phone.locator(".sides .names")
    assert names.evaluate_all(CUT_OFF) == []
    assert min(names.evaluate_all("all => all.map(one => one.clientWidth)")) > 300

    phone.evaluate("document.documentElement.style.fontSize = '225%'")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        assert phone.evaluate("document.documentElement.scrollWidth") == width
        targets = phone.locator(TARGETS).locator("visible=true")
        assert targets.evaluate_all(OVERFLOWING) == []
        assert targets.evaluate_all(COVERED_WHEN_IN_SIGHT) == []
    screen = DealScreen(phone)
    screen.declarer("NS")
    screen.roem("wij", "20")
    screen.points("65")
    screen.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    # The page is scrolled until the button lies where the last digit was.
    screen.is_calm()
    screen.write(2)
    screen.is_written("2, 117–65")


@pytest.mark.full
def test_a_page_made_bigger_by_a_third_or_a_half_keeps_every_key_in_sight(phone: Page) -> None:
    """Also with a doubt showing, which stands below them."""
    phone.goto(at_a_table("amsterdam"))
    screen = DealScreen(phone)
    screen.declarer("NS")
    screen.points("162")
    screen.reads("Klopt dat?")
    # 390x844 and 375x667 at 130 %, and at 150 %: a browser's zoom makes the page smaller.
    for width, height in [(300, 649), (288, 513), (260, 563), (250, 444)]:
        phone.set_viewport_size({"width": width, "height": height})
        keys_fit(phone, width)
    for width, height in [(390, 844), (375, 667)]:
        phone.set_viewport_size({"width": width, "height": height})
        for percent in (130, 150):
            size = f"{112.5 * percent / 100}%"
            phone.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            keys_fit(phone, width)
        phone.evaluate("document.documentElement.style.fontSize = ''")


def keys_fit(page: Page, width: int) -> None:
    fits(page, f"{KEYS}, .deal-count")
    assert small(page, TARGETS, 44) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_whatever_has_the_focus_is_seen_on_a_low_screen(open_desktop: OpenPage) -> None:
    """WCAG 2.4.11, all the way round the page."""
    page = open_desktop()
    page.set_viewport_size({"width": 360, "height": 560})
    page.goto(at_a_table("amsterdam"))
    expect(page.locator("[data-pad]")).to_be_visible()
    hidden, stops = [], 0
    for _ in range(90):
        page.keyboard.press("Tab")
        name, is_seen = page.evaluate(FOCUS_IS_SEEN)
        if name is None:
            break
        stops += 1
        hidden += [] if is_seen else [name]
    assert (hidden, stops > 30) == ([], True)


FOCUS_IS_SEEN = """() => {
    const one = document.activeElement;
    if (one === document.body) return [null, true];
    const shown = one.matches(".segmented input, .deal input[type=radio]")
        ? one.nextElementSibling : one;
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    // Of what is higher than the screen a part is enough.
    const isHigh = bottom - top > innerHeight;
    const points = isHigh
        ? [[x, Math.max(top, 0) + innerHeight / 4]]
        : [[x, y], [left + 3, y], [right - 3, y], [x, top + 3], [x, bottom - 3]];
    const isSeen = ([x, y]) => {
        const there = document.elementFromPoint(x, y);
        return there && (one.closest("label") ?? shown).contains(there);
    };
    const hasRing = [one, shown, one.closest(".deal-count")].some(node => node &&
        (getComputedStyle(node).outlineStyle !== "none"
            || getComputedStyle(node).boxShadow !== "none"));
    const name = one.getAttribute("aria-label") || shown.textContent.trim() || one.name;
    return [name, hasRing && points.every(isSeen)];
}"""


@pytest.mark.full
def test_screen_readers_hear_what_each_key_is_and_old_eyes_read_the_numbers(phone: Page) -> None:
    phone.goto(at_a_table("amsterdam"))
    expect(phone.locator("#deal")).to_match_aria_snapshot(DEAL_AS_HEARD)
    screen = DealScreen(phone)
    screen.declarer("NS")
    screen.roem("wij", "20")
    screen.points("65")
    screen.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    parts: list[tuple[str, str | None]] = [
        (".pad .key", None),
        (".deal-keys .key", None),
        (".deal-made b", None),
        ("#id_points_ew", None),
        ("#id_points_ns", "::placeholder"),
        (".deal-preview", None),
        (".sides .total", None),
        (".sheet td.num", None),
        (".sheet th.number", None),
        (".tally .segmented span", None),
        (".tally-sum", None),
    ]
    low = []
    for scheme in ("light", "dark"):
        phone.emulate_media(color_scheme=scheme)
        for selector, part in parts:
            ratios = phone.locator(selector).evaluate_all(CONTRASTS, part)
            assert ratios, selector
            low += [(scheme, selector, ratio) for ratio in ratios if ratio < 7]
    assert low == []


def test_a_deal_is_written_by_the_keyboard_alone(
    open_desktop: OpenPage, axe: Callable[[Page], None]
) -> None:
    address = at_a_table("amsterdam")
    page = open_desktop()
    page.goto(address)
    keys = page.keyboard
    walk_to(page, "radio", "Wij")
    keys.press("Space")
    walk_to(page, "radio", "klaveren")
    keys.press("ArrowRight")  # diamonds
    keys.press("Space")  # let go: the club does not keep the trump
    walk_to(page, "button", "50")
    keys.press("Enter")
    keys.type("65")  # wherever the hands are
    expect(page.locator(".deal-preview")).to_contain_text("Wij 97 + 50 roem = 147, zij 65")
    axe(page)
    walk_to(page, "button", "Schrijf spel 2")
    keys.press("Enter")
    expect(page.get_by_text("Geschreven: spel 2, 147–65")).to_be_visible()
    assert DealEntry.objects.get(deal__number=2).written == {
        "declarer": "NS",
        "trump": None,
        "points": {"EW": 65},
        "roem": {"NS": [50]},
    }


def walk_to(page: Page, role: Any, name: str) -> None:
    """Press Tab until this is the one that listens, and see that it shows so."""
    wanted = page.get_by_role(role, name=name, exact=True).first
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    assert wanted.evaluate(SHOWS_FOCUS)


SHOWS_FOCUS = """one => [one, one.nextElementSibling].some(
    shown => shown && getComputedStyle(shown).outlineStyle !== 'none')"""
