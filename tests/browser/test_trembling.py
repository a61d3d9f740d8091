"""Whole boompjes written with a trembling hand: taps that come twice or beside the middle, a phone
that locks, rings, turns, reloads or is sent back. The sheet is what was meant."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.models import Deal
from tests.browser.outbox import OutboxScreen
from tests.devices import OpenPage
from tests.factories import table
from tests.tournaments.table_pages import link, playing
from tournaments.models import Evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(390, 844), (360, 640), (375, 553)]
BOOMPJE = 16
FIVE_HUNDRED = range(32)
"""With that many seeds there are 512 deals."""

OFF = 10
STEADY = 600
"""Milliseconds between two taps on one place that are both meant."""
TWICE = 0.35
"""How often a tap comes twice."""
DISTURBED = 0.06
"""How often something else happens between two taps."""

FILLED_IN = """form => Object.fromEntries([...new FormData(form)].filter(([name, value]) =>
    value && /^(declarer|trump|points_ew|points_ns|roem_ns|roem_ew|pit|nat)$/.test(name)))"""

PHONE_RINGS = """() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    dispatchEvent(new Event("blur"));
    document.dispatchEvent(new Event("visibilitychange"));
    delete document.visibilityState;
    document.dispatchEvent(new Event("visibilitychange"));
    dispatchEvent(new Event("focus"));
}"""


@dataclass(frozen=True)
class Meant:
    """A deal as the table played it."""

    declarer: str
    trump: str
    points: int
    roem_ns: tuple[int, ...] = ()
    roem_ew: tuple[int, ...] = ()
    pit: str = ""

    def fields(self) -> dict[str, str]:
        """What the form holds when all of it is tapped."""
        typed = "" if self.pit else str(self.points)
        given = {
            "declarer": self.declarer,
            "trump": self.trump,
            "points_ew": typed,
            "roem_ns": " ".join(map(str, self.roem_ns)),
            "roem_ew": " ".join(map(str, self.roem_ew)),
            "pit": self.pit,
        }
        return {name: value for name, value in given.items() if value}

    def line(self) -> dict[str, Any]:
        """What stands on the sheet."""
        line: dict[str, Any] = {"declarer": self.declarer, "trump": self.trump}
        roem = {"NS": list(self.roem_ns), "EW": list(self.roem_ew)}
        if given := {side: points for side, points in roem.items() if points}:
            line["roem"] = given
        return line | ({"pit": self.pit} if self.pit else {"points": {"EW": self.points}})


def deals(chance: random.Random) -> Iterator[Meant]:
    while True:
        roem = [(), (), (20,), (50,), (20, 20)]
        meant = Meant(
            declarer=chance.choice(["NS", "EW"]),
            trump=chance.choice("CDHS"),
            points=chance.choice([*range(45, 118), 66, 77, 100, 111]),
            roem_ns=chance.choice(roem),
            roem_ew=chance.choice(roem),
        )
        if chance.random() < 0.08:
            meant = Meant(meant.declarer, meant.trump, 0, pit=meant.declarer)
        yield meant


class TremblingHand:
    """Somebody who means one thing, taps another now and then, and looks before writing."""

    def __init__(self, page: Page, address: str, size: tuple[int, int], seed: int) -> None:
        self.page, self.address, self.size = page, address, size
        self.chance = random.Random(seed)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        self.screen = OutboxScreen(page, address)

    def write(self, number: int, meant: Meant) -> None:
        self.screen.is_at(number)
        for act in self._acts(meant):
            act()
            self._disturb()
            self._close()
        self._put_right(meant)
        self.tap(self._write_key(number))

    def tap(self, target: Locator, *, steady: bool = False) -> None:
        """Somewhere on it, and often once more on that place of the screen."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        beside = [0 if steady else self.chance.uniform(-OFF, OFF) for _ in "xy"]
        at = (box["x"] + box["width"] / 2 + beside[0], box["y"] + box["height"] / 2 + beside[1])
        self.page.touchscreen.tap(*at)
        if not steady and self.chance.random() < TWICE:
            self.page.wait_for_timeout(self.chance.uniform(60, 400))
            self.page.touchscreen.tap(*at)

    def undo_and_put_back(self, number: int) -> None:
        """Second thoughts, twice."""
        self.page.wait_for_timeout(1000)
        self.tap(self.screen.undo(number))
        self.screen.reads(f"Spel {number} is ongedaan gemaakt.")
        self.page.wait_for_timeout(1000)
        self.tap(self.page.get_by_role("button", name="Zet terug"))
        self.screen.is_at(number + 1)

    def _acts(self, meant: Meant) -> Iterator[Callable[[], None]]:
        fields = meant.fields()
        for name in ("declarer", "trump", "pit"):
            if name in fields:
                yield lambda name=name: self.tap(self._choice(name, fields[name]))  # type: ignore[misc]
        for digit in fields.get("points_ew", ""):
            yield lambda digit=digit: self._digit(digit)  # type: ignore[misc]
        for side, values in (("ns", meant.roem_ns), ("ew", meant.roem_ew)):
            for points in values:
                yield lambda side=side, points=points: self._add_roem(side, points)  # type: ignore[misc]

    def _digit(self, digit: str, *, steady: bool = False) -> None:
        if "deal-counting" not in (self._count("EW").get_attribute("class") or ""):
            self.tap(self._count("EW"), steady=steady)
        self.tap(self.page.locator(f'[data-digit="{digit}"]'), steady=steady)

    def _add_roem(self, side: str, points: int, *, steady: bool = False) -> None:
        self.page.wait_for_timeout(STEADY)
        keys = self._roem(side).locator(f'[data-add="{points}"]').first
        self.tap(keys, steady=steady)

    def _put_right(self, meant: Meant) -> None:
        """Look at what stands there; where it is not what is meant, do it again with care."""
        for _look in range(4):
            shown, wanted = self._shown(), meant.fields()
            if shown == wanted:
                return
            for name in ("declarer", "trump", "pit"):
                if shown.get(name) != wanted.get(name):
                    self._choose_again(name, shown.get(name), wanted.get(name))
            if shown.get("points_ew") != wanted.get("points_ew") or "points_ns" in shown:
                self._type_again(wanted.get("points_ew", ""))
            for side, values in (("ns", meant.roem_ns), ("ew", meant.roem_ew)):
                if shown.get(f"roem_{side}") != wanted.get(f"roem_{side}"):
                    self._add_again(side, values)
        assert self._shown() == meant.fields()

    def _choose_again(self, name: str, shown: str | None, wanted: str | None) -> None:
        self.page.wait_for_timeout(STEADY)
        if value := wanted or shown:
            self.tap(self._choice(name, value), steady=True)

    def _type_again(self, digits: str) -> None:
        for side in ("NS", "EW"):
            self.tap(self._count(side), steady=True)
            while self._count(side).locator("input").input_value():
                self.tap(self.page.locator("[data-back]"), steady=True)
        for digit in digits:
            self._digit(digit, steady=True)

    def _add_again(self, side: str, values: tuple[int, ...]) -> None:
        made = self._roem(side).locator("[data-made]")
        while made.is_enabled():
            self.page.wait_for_timeout(STEADY)
            self.tap(made, steady=True)
        for points in values:
            self._add_roem(side, points, steady=True)

    def _disturb(self) -> None:
        if self.chance.random() > DISTURBED:
            return
        self.chance.choice(
            [self._lock, self._ring, self._turn, self._reload, self._back, self._leave]
        )()

    def _lock(self) -> None:
        session = self.page.context.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": "frozen"})
        self.page.wait_for_timeout(300)
        session.send("Page.setWebLifecycleState", {"state": "active"})
        session.detach()

    def _ring(self) -> None:
        self.page.evaluate(PHONE_RINGS)

    def _turn(self) -> None:
        width, height = self.size
        self.page.set_viewport_size({"width": max(height, 560), "height": width})
        self.page.wait_for_timeout(150)
        self.page.set_viewport_size({"width": width, "height": height})

    def _reload(self) -> None:
        self.page.reload()
        self.screen.status("verzonden")

    def _back(self) -> None:
        """Close with the phone's own key what was opened."""
        name, closed = self.chance.choice(
            [("meer …", "#deal-rare"), ("telhulp", "#tally")],
        )
        self.page.wait_for_timeout(STEADY)
        self.page.get_by_role("button", name=name).tap()
        expect(self.page.locator(closed)).to_be_visible()
        self.page.go_back()
        expect(self.page.locator(closed)).to_be_hidden()

    def _leave(self) -> None:
        """Back with nothing open, and the code scanned once more."""
        self.page.goto("about:blank")
        self.page.goto(self.address)
        self.screen.status("verzonden")

    def _close(self) -> None:
        """What a stray tap opened is in the way: it says how to close it."""
        for opened in ("#deal-rare", "#tally"):
            back = self.page.locator(f"{opened} button:is([data-close], [popovertargetaction])")
            if back.is_visible():
                self.page.wait_for_timeout(STEADY)
                back.tap()

    def _shown(self) -> dict[str, str]:
        shown: dict[str, str] = self.page.locator("[data-deal-form]").evaluate(FILLED_IN)
        return shown

    def _write_key(self, number: int) -> Locator:
        return self.page.get_by_role("button", name=f"Schrijf spel {number}")

    def _choice(self, name: str, value: str) -> Locator:
        box = self.page.locator(f".deal label:has(input[name={name}][value={value}])")
        return box.locator("span").first

    def _count(self, side: str) -> Locator:
        return self.page.locator(f"[data-count={side}]")

    def _roem(self, side: str) -> Locator:
        return self.page.locator(f".deal-roem-side:has(input[name=roem_{side}])")


def on_the_sheet(evening: Evening) -> list[dict[str, Any]]:
    """What stands on the lines of table 1, in order."""
    lines = Deal.objects.filter(sheet=table(evening).sheet).order_by("number")
    return [dict(deal.current.written or {}) for deal in lines if deal.current]


def write_round(open_phone: OpenPage, size: tuple[int, int], seed: int, count: int) -> None:
    """A round with second thoughts about one deal."""
    evening = playing(deals_per_round=count)
    hand = TremblingHand(open_phone(), link(evening), size, seed)
    meant = [deal for deal, _ in zip(deals(hand.chance), range(count), strict=False)]
    for number, deal in enumerate(meant, start=1):
        hand.write(number, deal)
        if number == count // 2:
            hand.screen.is_at(number + 1)
            hand.undo_and_put_back(number)
    expect(hand.page.get_by_role("heading", name="Ronde 1 is klaar")).to_be_visible()
    hand.screen.status("verzonden")
    assert on_the_sheet(evening) == [deal.line() for deal in meant]
    revisions = Deal.objects.filter(sheet=table(evening).sheet).values_list("version", flat=True)
    assert sorted(revisions) == [1] * (count - 1) + [3]


@pytest.mark.full
def test_a_trembling_hand_writes_what_was_meant(open_phone: OpenPage) -> None:
    write_round(open_phone, SIZES[1], seed=1, count=4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", FIVE_HUNDRED)
def test_a_trembling_hand_writes_five_hundred_deals(open_phone: OpenPage, seed: int) -> None:
    write_round(open_phone, SIZES[seed % len(SIZES)], seed=seed, count=BOOMPJE)
