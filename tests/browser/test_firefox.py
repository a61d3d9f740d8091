"""A whole boompje in Firefox with a trembling hand: on the pad, without the network, with Back, a
reload, second thoughts and a phone that is turned."""

import random
import time

import pytest
from pytest_django.live_server_helper import LiveServer

from scoring.models import Deal
from tests.browser.firefox import Firefox, firefox
from tests.browser.test_trembling import BOOMPJE, Meant, deals, on_the_sheet
from tests.factories import table
from tests.tournaments.table_pages import link, playing

pytestmark = [pytest.mark.browser, pytest.mark.soak, pytest.mark.django_db(transaction=True)]

SIZES = (360, 640), (390, 740), (375, 553)
TWICE = 0.35
STEADY = 0.6

PLACE = """const [selector, words] = arguments;
const found = [...document.querySelectorAll(selector)].find(one =>
    one.checkVisibility() && one.textContent.includes(words));
if (!found) return null;
found.scrollIntoView({ block: "nearest" });
const { x, y, width, height } = found.getBoundingClientRect();
return [x + width / 2, y + height / 2, width, height];"""
SHOWN = """return Object.fromEntries([...new FormData(document.querySelector("[data-deal-form]"))]
    .filter(([name, value]) => value &&
        /^(declarer|trump|points_ew|points_ns|roem_ns|roem_ew|pit|nat)$/.test(name)));"""
SAYS = "return document.body.innerText.includes(arguments[0]);"
STATUS = "return document.querySelector('[data-outbox-words]').textContent.includes(arguments[0]);"
IS_KEPT = """return caches.open("klaverclub-table-pages").then(pages => pages.keys())
    .then(pages => pages.some(({ url }) => new URL(url).pathname === location.pathname));"""
BELOW = """return [...document.querySelectorAll(".deal :is(button, .segmented span, .deal-count)")]
    .filter(one => one.checkVisibility() && !one.matches(".deal-takes-back")
        && one.getBoundingClientRect().bottom > innerHeight + 0.5)
    .map(one => one.textContent.trim());"""


class Hand:
    """Taps up to ten pixels beside the middle, and often twice."""

    def __init__(self, phone: Firefox, seed: int) -> None:
        self.phone, self.chance = phone, random.Random(seed)

    def tap(self, selector: str, words: str = "", *, steady: bool = False) -> None:
        x, y, width, height = self.phone.run(PLACE, selector, words)
        beside = [0.0 if steady else self.chance.uniform(-10, 10) for _ in "xy"]
        comes_twice = not steady and self.chance.random() < TWICE
        again = self.chance.uniform(0.06, 0.4) if comes_twice else None
        assert min(width, height) >= 40
        self.phone.tap(x + beside[0], y + beside[1], again=again)

    def write(self, number: int, meant: Meant) -> None:
        self.is_at(number)
        fields = meant.fields()
        for _look in range(5):
            shown = self.phone.run(SHOWN)
            if shown == fields:
                break
            for name in ("declarer", "trump", "pit"):
                if shown.get(name) != fields.get(name):
                    self.choose(name, fields.get(name) or shown[name], steady=_look > 0)
            if shown.get("points_ew", "") != fields.get("points_ew", "") or "points_ns" in shown:
                self.count(fields.get("points_ew", ""), steady=_look > 0)
            for side, points in (("ns", meant.roem_ns), ("ew", meant.roem_ew)):
                if shown.get(f"roem_{side}") != fields.get(f"roem_{side}"):
                    self.roem(side, points, steady=_look > 0)
        assert self.phone.run(SHOWN) == fields
        self.tap("button", f"Schrijf spel {number}")

    def choose(self, name: str, value: str, *, steady: bool) -> None:
        time.sleep(STEADY)
        self.tap(f".deal label:has(input[name={name}][value={value}]) span", steady=steady)

    def count(self, digits: str, *, steady: bool) -> None:
        for side in ("NS", "EW"):
            self.tap(f"[data-count={side}]", steady=True)
            while self.phone.run(
                "return document.querySelector(`[data-count=${arguments[0]}] input`).value", side
            ):
                self.tap("[data-back]", steady=True)
        for digit in digits:
            self.tap(f'[data-digit="{digit}"]', steady=steady)

    def roem(self, side: str, points: tuple[int, ...], *, steady: bool) -> None:
        group = f".deal-roem-side:has(input[name=roem_{side}])"
        while self.phone.run(f"return !document.querySelector('{group} [data-made]').disabled"):
            time.sleep(STEADY)
            self.tap(f"{group} [data-made]", steady=True)
        for value in points:
            time.sleep(STEADY)
            self.tap(f'{group} [data-add="{value}"]', steady=steady)

    def is_at(self, number: int) -> None:
        self.phone.until(SAYS, f"Schrijf spel {number}")

    def tallies_and_comes_back(self) -> None:
        self.tap(".deal-tally", steady=True)
        shown = "return document.querySelector('#tally').checkVisibility() === arguments[0]"
        self.phone.until(shown, True)
        self.phone.back()
        self.phone.until(shown, False)

    def undoes_and_puts_back(self, number: int) -> None:
        time.sleep(1.1)
        self.tap("button", f"spel {number} ongedaan maken")
        self.phone.until(SAYS, f"Spel {number} is ongedaan gemaakt.")
        time.sleep(1.1)
        self.tap("button", "Zet terug")
        self.is_at(number + 1)


@pytest.mark.full
def test_a_trembling_hand_writes_a_boompje_in_firefox(live_server: LiveServer) -> None:
    evening = playing(deals_per_round=BOOMPJE)
    with firefox() as phone:
        hand = Hand(phone, seed=1)
        phone.resize(*SIZES[0])
        phone.open(f"{live_server.url}{link(evening)}")
        phone.until(STATUS, "verzonden")
        phone.until(IS_KEPT)
        meant = [deal for deal, _ in zip(deals(hand.chance), range(BOOMPJE), strict=False)]
        for number, deal in enumerate(meant, start=1):
            if number in (5, 9):
                phone.offline(off=number == 5)
            if number in (7, 11):
                phone.reload()
            phone.resize(*SIZES[number % 3])
            hand.is_at(number)
            assert phone.run(BELOW) == []
            if number in (3, 6):
                hand.tallies_and_comes_back()
            hand.write(number, deal)
            if number in (4, 8):
                hand.undoes_and_puts_back(number)
        phone.until(SAYS, "Ronde 1 is klaar")
        phone.until(STATUS, "verzonden")
    assert on_the_sheet(evening) == [deal.line() for deal in meant]
    sheet = table(evening).sheet
    assert Deal.objects.filter(sheet=sheet).count() == BOOMPJE
