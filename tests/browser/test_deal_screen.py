"""A deal on one phone screen: nothing below the edge, keys for thumbs, words for the eyes that are
old, and the same without hands on the glass."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from scoring.models import DealEntry
from tests.browser.hands import Phone
from tests.browser.outbox import Table
from tests.conftest import OpenPage
from tests.factories import ClubFactory, MemberFactory, regulation_of, table, write_deal
from tests.tournaments.table_pages import link, playing, playing_three

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(390, 844), (360, 640)]
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

OVERFLOWING = """targets => targets.filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent.trim())"""

CUT_OFF = """all => all.filter(one => one.scrollHeight > one.clientHeight + 1)
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
    found: list[str] = page.locator(keys).locator("visible=true").evaluate_all(SMALL, least - 0.1)
    return found


def fits(page: Page) -> None:
    """Everything that can be tapped is on the screen as it opens, and nothing lies over it."""
    targets = page.locator(TARGETS).locator("visible=true")
    assert targets.evaluate_all(BELOW) == []
    assert targets.evaluate_all(COVERED) == []
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("names", [(), LONG_NAMES], ids=["short", "long"])
@pytest.mark.parametrize(
    ("made", "preset"),
    [
        (at_a_table, "amsterdam"),
        (at_a_table, "utrecht"),
        (at_a_table, "thousand-and-one"),
        (with_three, "amsterdam"),
        (with_three, "thousand-and-one"),
    ],
)
def test_the_whole_deal_is_on_one_screen(
    phone: Page, made: Callable[..., str], preset: str, names: tuple[str, ...]
) -> None:
    phone.goto(made(preset, names))
    expect(phone.locator("[data-pad]")).to_be_visible()
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        fits(phone)
        assert small(phone, KEYS, 56) == []
        assert small(phone, TARGETS, 44) == []
        assert phone.locator(TARGETS).locator("visible=true").evaluate_all(OVERFLOWING) == []
        assert phone.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("marked", [{"reneged": "E"}, {"pit": "EW"}, {"replayed": True}])
def test_a_word_under_the_points_pushes_no_column_off_the_sheet(
    phone: Page, marked: dict[str, Any]
) -> None:
    evening = playing()
    for number in (1, 2):
        write_deal(table(evening), number, roem={"NS": [200, 100]}, points={"NS": 162})
    write_deal(table(evening), 3, points=None, **marked)
    public = reverse("evening_table", args=[evening.club.slug, evening.slug, 1, 1])
    for address, sizes in ((link(evening), SIZES), (public, SIZES[:1])):
        phone.goto(address)
        for width, height in sizes:
            phone.set_viewport_size({"width": width, "height": height})
            region = phone.get_by_role("region", name="Tellijst")
            assert region.evaluate("one => one.scrollWidth - one.clientWidth") == 0


def test_beside_the_form_on_a_desk_the_whole_sheet_is_in_sight(open_desktop: OpenPage) -> None:
    club = ClubFactory.create()
    evening = playing(club=club, regulation=regulation_of(club, "thousand-and-one"))
    for number in (1, 2):
        write_deal(table(evening), number, trump="NT", points={"NS": 100}, roem={"NS": [100]})
    write_deal(table(evening), 3, points=None, pit="EW")
    page = open_desktop()
    page.goto(link(evening))
    region = page.get_by_role("region", name="Tellijst")
    assert region.evaluate("one => one.scrollWidth - one.clientWidth") == 0
    assert page.locator("#deal-1 .player").bounding_box()["width"] >= 88  # type: ignore[index]


def test_without_a_trump_there_is_no_key_for_stuk(phone: Page) -> None:
    phone.goto(at_a_table("thousand-and-one"))
    keys = phone.get_by_role("button", name="stuk", exact=True)
    expect(keys).to_have_count(2)
    Phone(phone).trump("NT")
    expect(keys).to_have_count(0)
    Phone(phone).trump("H")
    expect(keys).to_have_count(2)


def test_what_is_filled_in_moves_nothing_off_the_screen(phone: Page) -> None:
    phone.goto(at_a_table("amsterdam"))
    hand = Phone(phone)
    hand.who("EW")
    hand.roem("wij", "50")
    hand.roem("zij", "stuk")
    hand.roem("zij", "50")
    hand.points("40")
    hand.reads("Zij 122 + 70 roem = 192, wij 40 + 50 roem = 90: gehaald")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        fits(phone)
        assert phone.locator(".deal-count input").evaluate_all(TOO_LONG) == []


def test_what_waits_to_be_sent_moves_nothing_off_the_screen(phone: Page) -> None:
    hand = Table(phone, at_a_table("amsterdam"))
    hand.off()
    hand.deal(2, 65)
    hand.status("1 wacht sinds")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        fits(phone)
    hand.on()
    hand.status("verzonden")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_with_text_twice_as_big_nothing_is_cut_off_or_covered(
    phone: Page, size: tuple[int, int]
) -> None:
    address = at_a_table("thousand-and-one")
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    phone.goto(address)
    phone.evaluate("document.documentElement.style.fontSize = '225%'")
    assert phone.evaluate("document.documentElement.scrollWidth") == size[0]
    targets = phone.locator(TARGETS).locator("visible=true")
    assert targets.evaluate_all(OVERFLOWING) == []
    for target in targets.all():
        target.scroll_into_view_if_needed()
        assert target.evaluate(f"one => ({COVERED})([one])") == []
    hand = Phone(phone)
    hand.who("NS")
    hand.roem("wij", "20")
    hand.points("65")
    hand.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    hand.write(2)
    expect(phone.get_by_text("Geschreven: spel 2, 117–65")).to_be_visible()


def test_with_text_twice_as_big_it_says_who_is_who(phone: Page) -> None:
    phone.goto(at_a_table("amsterdam"))
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    names = phone.locator(".sides .names")
    assert names.evaluate_all(CUT_OFF) == []
    assert min(names.evaluate_all("all => all.map(one => one.clientWidth)")) > 300


def test_three_names_are_whole_above_their_totals(phone: Page) -> None:
    phone.goto(with_three("amsterdam", ("Corrie A", "Thijs B", "Gerrit C", "Henk D", "Bep E")))
    hand = Phone(phone)
    hand.who("N")
    hand.roem("speler", "200")
    hand.key("pit speler")
    hand.write(1)
    expect(phone.locator(".sides .leads .total")).to_have_text("462")
    for width, height in SIZES:
        phone.set_viewport_size({"width": width, "height": height})
        assert phone.locator(".sides dt").evaluate_all(OVERFLOWING) == []
        fits(phone)


def test_the_numbers_are_read_by_old_eyes(phone: Page) -> None:
    phone.goto(at_a_table("amsterdam"))
    hand = Phone(phone)
    hand.who("NS")
    hand.roem("wij", "20")
    hand.points("65")
    hand.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
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


def test_a_screen_reader_is_told_what_each_key_is(phone: Page) -> None:
    phone.goto(at_a_table("amsterdam"))
    expect(phone.locator("#deal")).to_match_aria_snapshot(
        """
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
          - textbox "Punten zij"
        - button "7"
        - button "één cijfer terug"
        - checkbox "nat"
        - radio "pit wij"
        - radio "pit zij"
        - status
        - button "Schrijf spel 2"
        """
    )
