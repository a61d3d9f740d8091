"""A night of two clubs: 12 pairs and 24 folders, dealt by the league, printed, played on the phones
of six tables, ranked together and shown. The other club has a server of its own and comes through
the exchange."""

import urllib.request
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Scoresheet
from tests.browser.deal_screen import DealScreen
from tests.browser.login import log_in
from tests.browser.test_nights import desk_of_night, lead, night_at_club
from tests.devices import OpenPage
from tests.factories import TESTS
from tests.pdfs import page_texts
from tests.tournaments.desk import desk_of
from tests.tournaments.duplicate.nights import night_page
from tests.tournaments.duplicate.played import TODAY, tables_of, with_pairs
from tests.tournaments.leagues import league_of
from tests.tournaments.leagues.test_pulling import HERE, Machine
from tests.tournaments.table_pages import link
from tests.waiting import wait_until
from tournaments.closing.services import evening_close
from tournaments.demo.evenings import played_line
from tournaments.leagues.pulling import pull_link_make, source_add
from tournaments.models import Evening, League, SharedNight, Table
from tournaments.rounds.services import round_close, round_start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BEGIN = """
from clubs.models import Club
from tests.factories import TESTS, ClubFactory
from tests.tournaments.duplicate.played import play_round, with_pairs
from tests.waiting import wait_until
from tournaments.closing.services import evening_close
from tournaments.duplicate.movement import movement_start
from tournaments.duplicate.nights import night_take
from tournaments.leagues.pulling import pull_link_make
from tournaments.models import Evening
"""
PLAY = """
evening = with_pairs(12, club=ClubFactory.create(slug="twee", name="Twee"))
night_take(evening_id=evening.pk, text=open({file!r}).read(), actor=TESTS)
movement_start(evening_id=evening.pk, actor=TESTS)
evening = Evening.objects.get()
for number in range(1, evening.rounds_planned + 1):
    play_round(evening, number, seed=2)
evening_close(evening_id=evening.pk, actor=TESTS)
print(pull_link_make(club=Club.objects.get(), league={league!r}, actor=TESTS).path)
"""


@pytest.mark.full
@pytest.mark.once
def test_two_clubs_of_which_one_is_on_another_server(
    desktop: Page, open_phone: OpenPage, live_server: LiveServer, settings: Any, tmp_path: Path
) -> None:
    settings.EXCHANGE_NETWORKS, settings.PUBLIC_URL = HERE, live_server.url
    night, cards = dealt_by_the_leader(desktop, live_server, tmp_path)
    evening = taken_and_printed(desktop, night, cards, live_server)
    phones = [open_phone() for _ in range(6)]
    for number in range(1, evening.rounds_planned + 1):
        round_start(round_id=evening.rounds.get(number=number).pk, actor=TESTS)
        for table, phone in zip(tables_of(evening, number), phones, strict=True):
            play_table(phone, evening, table)
        round_close(round_id=evening.rounds.get(number=number).pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)

    elsewhere = Machine(tmp_path / "twee")
    play = PLAY.format(file=str(cards), league=night.league.slug)
    path = elsewhere.python(BEGIN + play).splitlines()[-1]
    with elsewhere.served() as address:
        folder = f"{address}/clubs/twee/evenings/{evening.slug}/folders/1/"
        assert "Andere clubs spelen dezelfde kaarten" in read(folder)
        own = pull_link_make(club=evening.club, league=night.league.slug, actor=TESTS).path
        for link_ in (f"{address}{path}", f"{live_server.url}{own}"):
            source_add(league=night.league, address=link_, actor=TESTS)
        call_command("pull_events")
        assert elsewhere.manage("pull_events") == ""  # too early
        opened_by_the_leader(desktop, night, live_server)
        assert elsewhere.manage("pull_events") == "twee: 2026-11-21: the night is open"
        assert "Andere clubs spelen dezelfde kaarten" not in read(folder)
        assert elsewhere.manage("verify").endswith("every trail are as they were written.")
    shown_to_everybody(phones[0], night, evening)


def dealt_by_the_leader(desk: Page, server: LiveServer, folder: Path) -> tuple[SharedNight, Path]:
    """The night and the file for its clubs, by the pages of the league."""
    league: League = league_of()
    lead(desk, league, server.url)
    desk.goto(reverse("nights_desk", args=[league.slug]))
    desk.get_by_label("Naam").fill("Samen spelen")
    desk.get_by_label("Dag").fill(TODAY.isoformat())
    desk.get_by_label("Clubs die meedoen").fill("2")
    desk.get_by_role("button", name="Maak deze avond en deel de kaarten").click()
    night = SharedNight.objects.select_related("league").get()
    with desk.expect_download() as download:
        desk.get_by_role("button", name="Download het bestand voor de clubs").click()
    cards = folder / "cards.json"
    download.value.save_as(cards)
    return night, cards


def taken_and_printed(desk: Page, night: SharedNight, cards: Path, server: LiveServer) -> Evening:
    """A club of 12 pairs takes the cards, prints them and sends everybody to their table."""
    evening = with_pairs(12)
    log_in(desk, evening.club, server.url)
    desk.goto(night_at_club(evening))
    desk.get_by_label("Het bestand van de competitie").set_input_files(cards)
    desk.get_by_role("button", name="Speel deze kaarten").click()
    expect(
        desk.get_by_text("De 24 mappen van de gezamenlijke avond zijn overgenomen.")
    ).to_be_visible()
    folders = f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/folders/"
    desk.goto(folders)
    desk.get_by_role("button", name="Stuur 12 paren naar hun tafel").click()
    expect(desk.get_by_text("De paren hebben hun tafels.")).to_be_visible()
    client = desk_of(evening.club)
    for paper in ("labels", "slips", "guides"):
        content = client.get(f"{folders}{paper}.pdf").content
        assert page_texts(content)
    printed = client.post(f"{folders}cards/print/")
    assert printed.headers["Content-Type"] == "application/pdf"
    return Evening.objects.get()


def play_table(phone: Page, evening: Evening, table: Table) -> None:
    """Write what this table makes of its folders, one after the other."""
    screen = DealScreen(phone)
    phone.goto(link(evening, table.number))
    if table.round.number > 1:
        phone.get_by_role("button", name=f"Wij zitten nog aan tafel {table.number}").click()
    deals = table.sheet.deals.select_related("folder").order_by("number")
    for deal in deals:
        assert deal.folder is not None
        label = f"Map {deal.folder.number} · spel {deal.number} van {len(deals)}"
        expect(phone.get_by_text(label)).to_be_visible()
        written = plain_line(table.sheet, deal.number, deal.folder.hands)
        side = "NS" if written["declarer"] in "NS" else "EW"
        points = written["points"]["EW" if side == "NS" else "NS"]
        screen.is_calm()
        screen.plain_deal(deal.number, str(points), declarer=side, trump=written["trump"])
    expect(
        phone.get_by_role("heading", name=f"Ronde {table.round.number} is klaar")
    ).to_be_visible()
    wait_until(lambda: not table.sheet.deals.filter(entries=None).exists())


def plain_line(sheet: Scoresheet, number: int, hands: str) -> dict[str, Any]:
    """What these cards can come to without roem and pit."""
    dealer = sheet.dealer(number) or "N"
    for seed in range(2000):
        line = dict(played_line(hands, dealer, sheet.regulation.rules, Random(seed)))
        if line.keys() == {"declarer", "trump", "points"}:
            return line
    raise AssertionError(f"these cards always give roem: {hands}")


def opened_by_the_leader(desk: Page, night: SharedNight, server: LiveServer) -> None:
    """Both clubs are in, so the night opens without asking."""
    lead(desk, night.league, server.url)
    desk.goto(desk_of_night(night))
    expect(desk.get_by_text("Alle clubs zijn binnen.")).to_be_visible()
    desk.get_by_role("button", name="Open de avond").click()
    expect(desk.get_by_text("Het laatst gepubliceerd: publicatie 1")).to_be_visible()


def shown_to_everybody(phone: Page, night: SharedNight, evening: Evening) -> None:
    """Both clubs and their 24 pairs, and the folders of the club that is here."""
    phone.goto(night_page(night))
    clubs, pairs = phone.get_by_role("table").all()
    assert len(clubs.locator("tbody tr").all()) == 2
    assert len(pairs.locator("tbody tr").all()) == 24
    phone.goto(f"/clubs/{evening.club.slug}/evenings/{evening.slug}/folders/1/")
    expect(phone.get_by_text("Andere clubs spelen dezelfde kaarten")).to_have_count(0)


def read(address: str) -> str:
    """A page of the other server."""
    with urllib.request.urlopen(address, timeout=20) as answer:
        content: bytes = answer.read()
    return content.decode()
