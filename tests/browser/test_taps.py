"""How many taps a deal takes, digits counted apart, and what is said meanwhile."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoring.models import DealEntry, Seat
from tests.browser.deal_screen import DealScreen
from tests.browser.outbox import OutboxScreen
from tests.devices import box_of
from tests.factories import ClubFactory, regulation_of, table, write_deal
from tests.tournaments.table_pages import link, playing, playing_three, playing_two
from tournaments.models import Evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def written(number: int) -> object:
    """What was written of a deal."""
    return DealEntry.objects.get(deal__number=number).written


def playing_by(preset: str = "amsterdam", **settings: object) -> Evening:
    """An evening of a new club whose regulation is the preset with these settings."""
    club = ClubFactory.create()
    regulation = regulation_of(club, preset)
    regulation.settings |= settings
    regulation.save()
    return playing(club=club, regulation=regulation)


@pytest.mark.full
def test_a_plain_deal_takes_three_acts_and_each_roem_one_more(phone: Page) -> None:
    phone.goto(link(playing()))
    screen = DealScreen(phone)

    screen.plain_deal(1, "65", trump="H")
    screen.is_written("1, 97–65")
    assert screen.taps == 3 + 2
    assert written(1) == {"declarer": "NS", "trump": "H", "points": {"EW": 65}}

    screen.taps = 0
    screen.plain_deal(2, "62", declarer="EW")
    screen.is_written("2, 62–100")
    assert screen.taps == 2 + 2

    screen.taps = 0
    screen.plain_deal(3, "90")
    screen.is_written("3, 0–162")
    expect(phone.locator("#deal-3")).to_contain_text("nat")
    assert screen.taps == 2 + 2
    assert written(3) == {"declarer": "NS", "trump": None, "points": {"EW": 90}}

    screen.taps = 0
    screen.declarer("NS")
    screen.key("pit zij")
    screen.reads("Tegenpit: zij 162 + 100 pit = 262, wij 0")
    screen.key("pit zij")  # again: let go
    screen.key("pit wij")
    screen.reads("Pit: wij 162 + 100 pit = 262, zij 0")
    screen.write(4)
    screen.is_written("4, 262–0")
    assert screen.taps == 3 + 2

    screen.declarer("NS")
    screen.taps = 0
    screen.tap(phone.get_by_role("button", name="meer …"))
    screen.tap(phone.locator("#deal-rare label", has_text="Mia"))
    screen.tap(phone.get_by_role("button", name="Terug naar het spel"))
    assert screen.taps == 3
    screen.reads("Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0")
    screen.write(5)
    screen.is_written("5, 262–0")

    screen.declarer("NS")
    screen.points("65")
    screen.taps = 0
    screen.roem("wij", "20")
    screen.roem("wij", "50")
    screen.roem("zij", "stuk")
    assert screen.taps == 3
    screen.reads("Wij 97 + 70 roem = 167, zij 65 + 20 roem = 85: gehaald")
    screen.tap(phone.get_by_role("button", name="Roem zij +20 laatste eraf"))
    screen.tap(phone.get_by_role("button", name="Roem wij +20 +50 laatste eraf"))
    screen.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    phone.reload()  # what is tapped survives it
    screen.reads("Wij 97 + 20 roem = 117, zij 65: gehaald")
    screen.tap(phone.get_by_role("button", name="Roem wij +20 laatste eraf"))
    screen.reads("Wij 97, zij 65: gehaald")
    assert screen.taps == 3 + 3
    nothing = phone.get_by_role("group", name="Roem wij").get_by_text("laatste eraf")
    expect(nothing).to_be_hidden()


@pytest.mark.full
def test_what_a_deal_comes_to_is_said_without_the_network(phone: Page) -> None:
    screen = OutboxScreen(phone, link(playing()))
    screen.off()
    screen.declarer("NS")
    screen.reads("Vul de punten van één partij in, of geef aan dat het nat of pit is.")
    screen.trump("H")
    screen.points("161")
    screen.reads("Precies 161 kan niet: niemand haalt ooit 1 of 161 punten.")
    phone.locator("input[name=points_ew]").fill("0")
    screen.reads("Eén partij heeft 0 punten, maar er staat geen pit. Klopt dat?")
    phone.locator("input[name=points_ew]").fill("65")
    screen.reads("Wij 97, zij 65: gehaald")
    screen.roem("zij", "50")
    screen.reads("Wij 97, zij 65 + 50 roem = 115: nat")
    screen.reads("Zij 162 + 50 roem = 212, wij 0")
    screen.on()
    phone.get_by_role("button", name="English").tap()
    expect(phone.get_by_role("button", name="Write deal 1")).to_be_visible()
    expect(phone.locator(".deal-preview")).to_contain_text("We 97, they 65 + 50 roem = 115: ")


@pytest.mark.full
def test_the_regulation_of_the_table_decides_what_is_asked_and_said(phone: Page) -> None:
    phone.goto(link(playing_by("utrecht")))
    screen = DealScreen(phone)
    screen.points("70")  # who plays follows from the regulation
    screen.write(1)
    screen.is_written("1, 92–70")
    assert screen.taps == 1 + 2

    phone.goto(link(playing_by(nat=False)))
    screen.declarer("NS")
    screen.points("90")
    screen.reads("Wij 72, zij 90: niet gehaald, ieder houdt zijn punten")

    phone.goto(link(playing_by("thousand-and-one")))
    stuk = phone.get_by_role("button", name="stuk", exact=True)
    expect(stuk).to_have_count(2)
    screen.trump("NT")
    expect(stuk).to_have_count(0)
    screen.trump("H")
    expect(stuk).to_have_count(2)


@pytest.mark.full
def test_three_people_write_whoever_of_them_plays(phone: Page, axe: Callable[[Page], None]) -> None:
    evening, three = playing_three()
    phone.goto(link(evening, three.number))
    screen = DealScreen(phone)
    for number, seat in enumerate("NES", start=1):
        screen.taps = 0
        screen.declarer(seat)
        screen.trump("H")
        screen.points("62")  # the two who did not play count
        screen.reads("elk 62: gehaald")
        screen.write(number)
        screen.is_written(f"{number}, 100–62")
        assert screen.taps == 3 + 2
        line = DealEntry.objects.get(deal__number=number).written or {}
        assert (line["declarer"], [*line["points"].values()]) == (seat, [62])
    seats = Seat.objects.filter(sheet=three.sheet_id).values_list("seat", "score")
    assert {seat: score for seat, score in seats if seat in "NES"} == dict.fromkeys("NES", 224)

    screen.declarer("E")
    screen.roem("tegen", "20")
    screen.points("62")
    screen.reads("elk 62 + 20 roem = 82: gehaald")
    axe(phone)


@pytest.mark.full
def test_two_people_write_and_wait_for_the_network(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    evening, two = playing_two()
    screen = OutboxScreen(phone, link(evening, two.number))
    expect(phone.locator("main")).not_to_contain_text("blinde")
    screen.declarer("NS")
    screen.trump("H")
    screen.points("62")
    screen.reads("gehaald")
    axe(phone)
    screen.write(1)
    screen.is_written("1, 100–62")
    assert screen.taps == 3 + 2
    assert (DealEntry.objects.get().written or {})["seats"] == ["N", "E"]
    seats = Seat.objects.filter(sheet=two.sheet_id).values_list("seat", "score")
    assert dict(seats) == {"N": 100, "E": 62, "S": 0, "W": 0}

    screen.off()
    screen.deal(2, 62)
    screen.deal(3, 100, declarer="EW")
    expect(phone.locator("#table-top")).not_to_contain_text("blinde")
    screen.on()
    screen.status("verzonden")
    expect(phone.locator(".waits")).to_have_count(0)
    assert DealEntry.objects.count() == 3


@pytest.mark.full
def test_a_written_deal_is_undone_or_corrected(phone: Page) -> None:
    evening = playing()
    write_deal(table(evening), 1)
    screen = OutboxScreen(phone, link(evening))
    screen.plain_deal(2, "65")
    screen.is_written("2, 97–65")
    undo = screen.undo(2)
    screen.declarer("EW")
    screen.points("70")
    screen.reads("Zij 92, wij 70: gehaald")
    expect(undo).to_be_in_viewport(ratio=1)
    screen.is_calm()
    screen.tap(undo)
    screen.is_at(2)
    expect(undo).to_be_hidden()
    screen.plain_deal(2, "72")
    expect(phone.locator("#deal-2")).to_contain_text("90")
    screen.is_at(3)
    screen.reads("Zij 92, wij 70: gehaald")  # what was typed of deal 3 is there again

    line = phone.locator("#deal-1")
    box = box_of(line)
    assert box["height"] >= 44
    line.tap(position={"x": box["width"] - 8, "y": box["height"] - 8})  # wherever it is tapped
    expect(phone.get_by_role("heading", name="Spel 1 wijzigen")).to_be_visible()
    expect(phone.locator("#id_points_ns")).to_have_value("90")
    expect(undo).to_be_hidden()
    screen.tap(phone.locator("[data-count=NS]"))
    screen.points("100")  # the first digit starts anew
    screen.reads("Wij 100, zij 62: gehaald")
    change = phone.get_by_role("button", name="Wijzig spel 1")
    screen.tap(change)
    reason = phone.locator(".deal-reason label", has_text="verkeerd geteld")
    expect(reason).to_be_in_viewport(ratio=1)
    below = box_of(reason)["y"] + box_of(reason)["height"]
    assert below < box_of(phone.locator(".deal-write"))["y"]
    screen.tap(reason)
    screen.tap(change)
    expect(phone.locator("#deal-1")).to_contain_text("100")
    expect(undo).to_be_visible()
    expect(phone.locator("[data-outbox-words]")).to_be_in_viewport(ratio=1)
    screen.status("verzonden")
    assert DealEntry.objects.get(revision=2, deal__number=1).reason == "verkeerd geteld"
