"""A phone that knows whose it is: from a name typed in the hall to the club's page, and back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Member
from clubs.privacy.erasing import member_erase
from tests.devices import box_of
from tests.factories import TESTS, evening_with_draw, table, write_deal
from tests.tournaments.public_pages import evening_path
from tournaments.models import Evening

pytestmark = pytest.mark.browser

CLUB = "/clubs/vrolijke-boer/"
SMALL = {"width": 360, "height": 640}


def test_a_name_is_found_kept_on_the_phone_and_forgotten(
    phone: Page, live_server: object, axe: Callable[[Page], None]
) -> None:
    evening = evening_with_draw(players=8, method=Evening.Method.TYPED_IN)
    write_deal(table(evening), 1)
    phone.set_viewport_size(SMALL)  # type: ignore[arg-type]
    phone.goto(evening_path(evening, "?show=names"))
    name, answer = phone.get_by_label("Waar zit ik? Typ uw naam"), phone.locator("#answer")
    name.fill("xyz")
    expect(answer).to_contain_text("Niemand heet zo")
    name.fill("visser")
    expect(answer).to_contain_text("Piet Visser tafel 1, met Jan Bakker")
    box = box_of(answer)
    assert box["y"] + box["height"] <= SMALL["height"]
    axe(phone)
    answer.get_by_role("button", name="Dit ben ik: Piet Visser").press("Enter")
    expect(answer.get_by_role("button", name="Dit ben ik niet: Piet Visser")).to_be_focused()

    phone.goto(CLUB)
    card = phone.get_by_role("region", name="Piet Visser")
    expect(card).to_contain_text("Tafel 1")
    expect(card).to_contain_text("Lopende ronde: 90 (1 van 16)")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.context.set_offline(True)
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(card).to_contain_text("Geen verbinding: zo was het om")
    phone.context.set_offline(False)
    write_deal(table(evening), 2)
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(card).to_contain_text("Lopende ronde: 180 (2 van 16)")
    expect(card).not_to_contain_text("Geen verbinding")

    phone.goto(evening_path(evening))
    expect(phone.locator("tr.mine")).to_contain_text("Piet Visser")
    card_of = phone.locator("#answer")
    expect(card_of).to_contain_text("Piet Visser")
    phone.goto(CLUB)
    phone.get_by_role("button", name="Dit ben ik niet").click()
    expect(phone.get_by_text("Deze telefoon weet niet meer wie u bent.")).to_be_focused()
    assert phone.evaluate("localStorage.getItem('klaverclub.me.vrolijke-boer')") is None

    piet = Member.objects.get(name="Piet Visser")
    phone.goto(f"{CLUB}players/{piet.pk}/")
    phone.get_by_role("button", name="Dit ben ik").click()
    expect(phone.get_by_role("button", name="Dit ben ik niet")).to_be_focused()
    axe(phone)
    Evening.objects.update(state=Evening.State.CLOSED)
    member_erase(member=piet, actor=TESTS)
    phone.goto(CLUB)
    expect(phone.get_by_text("Piet Visser staat niet meer op deze pagina's.")).to_be_visible()
    assert phone.evaluate("localStorage.getItem('klaverclub.me.vrolijke-boer')") is None
